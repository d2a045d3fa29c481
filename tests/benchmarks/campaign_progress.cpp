// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/campaign_progress.h"

#include "app/cli/output.h"
#include "core/campaign/store.h"
#include "core/campaign/summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gks::progress {
namespace {

constexpr double millisecondsOfAnHour = 3.6e6;

// Experiments and kernels that belong to none, apart.
using Key = std::pair<ExperimentId, KernelId>;
std::optional<Key> keyOf(const Kernel& kernel) {
    if (kernel.author == Author::seed || kernel.probe) {
        return std::nullopt;
    }
    return kernel.experiment ? Key{*kernel.experiment, 0} : Key{0, kernel.id};
}

void addVerdict(Step& step, const Population& population, const Kernel& kernel, bool isFirst) {
    const bool accepted = kernel.verdict && isAccepted(*kernel.verdict); // as it is known today
    step.failed += isFirst && !accepted ? 1 : 0;
    const SpeedRatio* speed = population.speed(kernel);
    if (accepted && speed != nullptr && speed->ratio > step.speedup) {
        step.best = kernel.id;
        step.speedup = speed->ratio;
        step.ci95 = speed->ci95;
    }
}

void addCalls(Step& step, const std::vector<Exchange>& exchanges, Timestamp until) {
    step.calls = step.tokens = 0;
    for (const Exchange& exchange : exchanges) {
        if (exchange.at <= until) {
            ++step.calls;
            step.tokens += exchange.tokensIn + exchange.tokensOut;
        }
    }
}

} // namespace

std::vector<Step> stepsOf(const Population& population, std::vector<Evaluation> evaluations,
                          const std::vector<Exchange>& exchanges) {
    std::sort(evaluations.begin(), evaluations.end(),
              [](const Evaluation& a, const Evaluation& b) { return a.id < b.id; });
    std::vector<Step> steps = {Step()};
    std::set<Key> seen;
    std::set<KernelId> judged;
    for (const Evaluation& evaluation : evaluations) {
        const Kernel* kernel = population.kernel(evaluation.kernel);
        if (kernel == nullptr || !isOwnVerdict(evaluation)) {
            continue;
        }
        const auto key = keyOf(*kernel);
        if (key && seen.insert(*key).second) {
            steps.push_back(steps.back());
            ++steps.back().experiments;
        }
        Step& step = steps.back();
        addVerdict(step, population, *kernel, key && judged.insert(kernel->id).second);
        step.hours = static_cast<double>(evaluation.endedAt - evaluations.front().startedAt) / millisecondsOfAnHour;
        addCalls(step, exchanges, evaluation.endedAt);
    }
    return steps;
}

const Step& Course::at(std::int64_t experiments) const {
    const std::int64_t last = static_cast<std::int64_t>(steps.size()) - 1;
    return steps[static_cast<std::size_t>(std::clamp<std::int64_t>(experiments, 0, last))];
}

Result<Course> readCourse(const std::string& file) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file, CampaignStore::Access::read));
    Course course;
    course.name = store->file().stem().string();
    GKS_TRY_ASSIGN(course.population, store->population());
    std::vector<Evaluation> all;
    for (const Kernel& kernel : course.population->kernels) {
        GKS_TRY_ASSIGN(auto evaluations, store->evaluations(kernel.id));
        std::move(evaluations.begin(), evaluations.end(), std::back_inserter(all));
    }
    GKS_TRY_ASSIGN(const auto exchanges, store->exchanges());
    course.steps = stepsOf(*course.population, std::move(all), exchanges);
    return course;
}

std::string speedCell(const Step& step) {
    return step.best == 0 ? "-" : fmt::format("{} ({})", formatRatio(step.speedup, step.ci95), kernelLabel(step.best));
}

std::string courseTable(const std::vector<Course>& courses) {
    cli::Table table;
    std::vector<std::string> head = {"Experiments"};
    std::size_t most = 0;
    for (const Course& course : courses) {
        head.push_back(course.name + ": best so far");
        head.insert(head.end(), {"failed", "calls", "tokens", "hours"});
        most = std::max(most, course.steps.size());
    }
    table.add(head);
    for (std::size_t at = 0; at < most; ++at) {
        std::vector<std::string> row = {std::to_string(at)};
        for (const Course& course : courses) {
            if (at >= course.steps.size()) {
                row.insert(row.end(), {"", "", "", "", ""});
                continue;
            }
            const Step& step = course.steps[at];
            row.insert(row.end(), {speedCell(step), std::to_string(step.failed), std::to_string(step.calls),
                                   std::to_string(step.tokens), fmt::format("{:.2f}", step.hours)});
        }
        table.add(std::move(row));
    }
    return table.text();
}

std::string spendTable(const std::vector<Course>& courses) {
    cli::Table table;
    table.add({"Campaign", "Baseline", "Experiments", "Kernels", "Failed", "Calls", "Tokens", "Money", "Running, h",
               "First to last, h", "Best"});
    for (const Course& course : courses) {
        const Population& population = *course.population;
        const Step& last = course.steps.back();
        const auto seeds = std::count_if(population.kernels.begin(), population.kernels.end(),
                                         [](const Kernel& kernel) { return kernel.author == Author::seed; });
        const Kernel* baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
        table.add({course.name, baseline == nullptr ? "-" : cli::oneLine(baseline->title),
                   std::to_string(last.experiments),
                   std::to_string(static_cast<std::int64_t>(population.kernels.size()) - seeds),
                   std::to_string(last.failed), std::to_string(last.calls), std::to_string(population.spend.tokens),
                   formatUsd(population.spend.usd), fmt::format("{:.2f}", population.spend.wallSeconds / 3600),
                   fmt::format("{:.2f}", last.hours), speedCell(last)});
    }
    return table.text();
}

} // namespace gks::progress
