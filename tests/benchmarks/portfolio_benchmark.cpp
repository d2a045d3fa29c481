// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "core/scientist/portfolio.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <random>

// What does the portfolio of writers bring? Simulated campaigns, 200 by default: `portfolio_benchmark [CAMPAIGNS]`.
// Three writers draft changes of the fastest kernel, until a fixed cost is spent. A draft passes the judge with its
// writer's probability; six of ten that pass then aim at what limits the kernel, and gain on average the writer's
// share of what is left to the floor, exponentially distributed, less what the change disturbs. The floor is 12 times
// the first kernel's speed. Money and minutes of a draft are log-normal around the writer's. A unit of cost is what an
// average draft of the three takes; the portfolio is not told, it sees kernels with their price and speed alone.
namespace {

using namespace gks;

const double floorLevel = std::log(12);
constexpr double aims = 0.6;
constexpr double disturbance = 0.04;
constexpr double costSpread = 0.4;

struct WriterFacts {
    std::string name;
    double usd = 0;
    double minutes = 0;
    double passes = 0;
    double gain = 0; // share of what is left
};
struct Scenario {
    std::string name;
    std::vector<WriterFacts> writers;
};

const std::vector<Scenario>& scenarios() {
    static const std::vector<Scenario> all = {
        {"dear one pays", {{"", 0.02, 1, 0.5, 0.03}, {"middle", 0.10, 3, 0.6, 0.08}, {"deep", 0.50, 8, 0.8, 0.50}}},
        {"cheap one pays", {{"", 0.02, 1, 0.6, 0.08}, {"middle", 0.10, 3, 0.6, 0.12}, {"deep", 0.50, 8, 0.7, 0.16}}},
        {"middle pays", {{"", 0.02, 1, 0.15, 0.03}, {"middle", 0.10, 3, 0.7, 0.20}, {"deep", 0.50, 8, 0.7, 0.22}}},
        {"one is broken", {{"", 0.02, 1, 0, 0}, {"middle", 0.10, 3, 0.6, 0.15}, {"deep", 0.50, 8, 0.6, 0.25}}},
        {"all alike", {{"", 0.10, 3, 0.6, 0.12}, {"middle", 0.10, 3, 0.6, 0.12}, {"deep", 0.10, 3, 0.6, 0.12}}}};
    return all;
}

class Campaign {
public:
    Campaign(const Scenario& scenario, std::uint64_t seed) : m_scenario(scenario), m_random(seed) {
        for (const WriterFacts& writer : scenario.writers) {
            m_usd += writer.usd / static_cast<double>(scenario.writers.size());
            m_minutes += writer.minutes / static_cast<double>(scenario.writers.size());
            if (!writer.name.empty()) {
                population.settings.models["writer/" + writer.name] = {};
            }
        }
        Kernel first;
        first.id = 1;
        first.verdict = VerdictKind::correct;
        first.geomeanUs = 100;
        population.speeds.set(first.id, SpeedRatio());
        population.kernels.push_back(first);
    }

    double write(const WriterFacts& writer) { // what it cost
        Experiment experiment;
        experiment.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
        experiment.parent = 1;
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.parents = {1};
        kernel.experiment = experiment.id;
        kernel.author = Author::model;
        kernel.writer = writer.name;
        kernel.draftUsd = writer.usd * lot();
        kernel.draftSeconds = 60 * writer.minutes * lot();
        const bool passes = m_uniform(m_random) < writer.passes;
        kernel.verdict = passes ? VerdictKind::tie : VerdictKind::wrong;
        if (passes) {
            const double left = floorLevel - level;
            const double won = m_uniform(m_random) < aims ? left * writer.gain * m_share(m_random) : -1;
            const double reached = level + std::min(won - disturbance * std::abs(m_normal(m_random)), 0.9 * left);
            kernel.geomeanUs = 100 * std::exp(-reached);
            population.speeds.set(kernel.id, {std::exp(reached)});
            level = std::max(level, reached);
        }
        experiment.kernel = kernel.id;
        population.kernels.push_back(kernel);
        population.experiments.push_back(experiment);
        return (kernel.draftUsd / m_usd + kernel.draftSeconds / 60 / m_minutes) / 2;
    }
    const WriterFacts& next() const {
        const std::string name = nextWriter(population, Experiment());
        return *std::find_if(m_scenario.writers.begin(), m_scenario.writers.end(),
                             [&](const WriterFacts& writer) { return writer.name == name; });
    }

    Population population;
    double level = 0; // ln of the speed of the best

private:
    double lot() { return std::exp(costSpread * m_normal(m_random) - costSpread * costSpread / 2); }

    const Scenario& m_scenario;
    std::mt19937_64 m_random;
    std::normal_distribution<double> m_normal;
    std::uniform_real_distribution<double> m_uniform;
    std::exponential_distribution<double> m_share;
    double m_usd = 0;
    double m_minutes = 0;
};

using Choice = std::function<const WriterFacts&(const Scenario&, const Campaign&, std::size_t draft)>;

// Mean of the logarithm of the best kernel's speed, and half its 95 % interval.
struct Outcome {
    double mean = 0;
    double half = 0;
};

Outcome outcomeOf(const Scenario& scenario, const Choice& choice, double budget, int campaigns) {
    double sum = 0;
    double squares = 0;
    for (int seed = 1; seed <= campaigns; ++seed) {
        Campaign campaign(scenario, static_cast<std::uint64_t>(seed));
        double spent = 0;
        for (std::size_t draft = 0; spent < budget; ++draft) {
            spent += campaign.write(choice(scenario, campaign, draft));
        }
        sum += campaign.level;
        squares += campaign.level * campaign.level;
    }
    const double mean = sum / campaigns;
    return {mean, 1.96 * std::sqrt(std::max(0.0, squares / campaigns - mean * mean) / campaigns)};
}

const std::vector<std::pair<std::string, Choice>>& ways() {
    const auto alone = [](std::size_t writer) {
        return [writer](const Scenario& scenario, const Campaign&, std::size_t) -> const WriterFacts& {
            return scenario.writers[writer];
        };
    };
    static const std::vector<std::pair<std::string, Choice>> all = {
        {"cheap alone", alone(0)},
        {"middle alone", alone(1)},
        {"deep alone", alone(2)},
        {"in turn",
         [](const Scenario& scenario, const Campaign&, std::size_t draft) -> const WriterFacts& {
             return scenario.writers[draft % scenario.writers.size()];
         }},
        {"portfolio",
         [](const Scenario&, const Campaign& campaign, std::size_t) -> const WriterFacts& { return campaign.next(); }}};
    return all;
}

void print(double budget, int campaigns) {
    cli::say("Speed of the best kernel over the first, geometric mean of {} campaigns with its 95 % interval, after "
             "the cost of {} ordinary drafts\n",
             campaigns, budget);
    cli::Table table;
    std::vector<std::string> head = {"  Who writes"};
    for (const Scenario& scenario : scenarios()) {
        head.push_back(scenario.name);
    }
    head.insert(head.end(), {"of the oracle's", "worst"});
    table.add(head);
    std::vector<double> oracle(scenarios().size(), 0.0); // knows who is best, and asks no other
    std::vector<std::string> oracleRow = {"  oracle"};
    std::vector<std::pair<std::string, std::vector<Outcome>>> rows;
    for (const auto& [name, choice] : ways()) {
        std::vector<Outcome> row;
        for (std::size_t at = 0; at < scenarios().size(); ++at) {
            row.push_back(outcomeOf(scenarios()[at], choice, budget, campaigns));
            oracle[at] = std::max(oracle[at], name.ends_with("alone") ? row.back().mean : 0);
        }
        rows.emplace_back(name, std::move(row));
    }
    for (const auto& [name, row] : rows) {
        std::vector<std::string> cells = {"  " + name};
        double share = 0;
        double worst = 1;
        for (std::size_t at = 0; at < row.size(); ++at) {
            const Outcome& one = row[at];
            cells.push_back(
                formatRatio(std::exp(one.mean), {std::exp(one.mean - one.half), std::exp(one.mean + one.half)}));
            const double reached = one.mean / oracle[at];
            share += reached / static_cast<double>(row.size());
            worst = std::min(worst, reached);
        }
        cells.insert(cells.end(), {formatShare(share), formatShare(worst)});
        table.add(cells);
    }
    for (const double mean : oracle) {
        oracleRow.push_back(formatRatio(std::exp(mean)));
    }
    oracleRow.insert(oracleRow.end(), {"100 %", "100 %"});
    table.add(oracleRow);
    cli::say("{}\n", table.text());
}

} // namespace

int main(int argc, char** argv) {
    const int campaigns = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
    for (const double budget : {12.0, 30.0}) {
        print(budget, campaigns);
    }
    cli::say(
        "of the oracle's: share of the logarithm of the gain that the oracle reaches, mean over the columns; worst: "
        "in one of them\n");
    return 0;
}
