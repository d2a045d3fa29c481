// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "core/rating/next_comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <random>

// How often is the best kernel of a campaign found? Simulated campaigns, 500 by default: `rating_benchmark
// [CAMPAIGNS]`. A campaign has one seed and 24 more kernels. A new one is made of one of the fastest three, as the
// campaign sees it, and is as fast as that one times a lot around 1. An evaluation sees a load of its own, which all
// its times share: from one evaluation to the next times differ by a factor of up to 86 : 122, as one kernel's did over
// eight evaluations of a real campaign on two busy cores. The ratio of a paired run is off by its own noise, which the
// interval tells, and by a little that it does not tell.
namespace {

using namespace gks;

constexpr int kernelsOfCampaign = 25;
constexpr double halfSwing = 0.175; // ln(122 / 86) / 2: the load is uniform within it, on a logarithmic scale
constexpr double aloneNoise = 0.01;
constexpr double step = 0.06; // of the logarithm of speed, from a kernel to what is made of it
constexpr std::size_t mostFurther = 8;

struct Campaign {
    std::mt19937_64& random;
    double pairNoise = 0.02;
    double spread = 0.003;
    std::normal_distribution<double> normal = {};
    std::vector<double> truth = {}; // logarithms of speed; kernel k is at k - 1
    std::vector<double> alone = {}; // of the speed that its time alone says
    std::vector<PairedComparison> comparisons = {};

    double loaded(std::int64_t kernel) {
        std::uniform_real_distribution<double> load(-halfSwing, halfSwing);
        return truth[static_cast<std::size_t>(kernel) - 1] + load(random) + aloneNoise * normal(random);
    }
    void compare(std::int64_t kernel, std::int64_t other) {
        const double deviation = pairNoise * std::exp(0.4 * normal(random));
        const double said = truth[static_cast<std::size_t>(kernel) - 1] - truth[static_cast<std::size_t>(other) - 1] +
                            deviation * normal(random) + spread * normal(random);
        const double half = 1.96 * deviation;
        comparisons.push_back({static_cast<std::int64_t>(comparisons.size()) + 1,
                               kernel,
                               other,
                               std::exp(said),
                               {std::exp(said - half), std::exp(said + half)}});
    }
    void add(std::int64_t parent) {
        truth.push_back(truth[static_cast<std::size_t>(parent) - 1] + step * normal(random));
        const auto kernel = static_cast<std::int64_t>(truth.size());
        alone.push_back(loaded(kernel));
        compare(kernel, parent);
    }
    std::vector<std::int64_t> all() const {
        std::vector<std::int64_t> ids;
        for (std::size_t at = 1; at <= truth.size(); ++at) {
            ids.push_back(static_cast<std::int64_t>(at));
        }
        return ids;
    }
    std::int64_t best(const std::vector<double>& logSpeeds) const {
        return 1 + (std::max_element(logSpeeds.begin(), logSpeeds.end()) - logSpeeds.begin());
    }
};

// One of the three that look fastest.
std::int64_t parentBy(std::mt19937_64& random, const std::vector<double>& logSpeeds) {
    std::vector<std::int64_t> order(logSpeeds.size());
    for (std::size_t at = 0; at < order.size(); ++at) {
        order[at] = static_cast<std::int64_t>(at) + 1;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return logSpeeds[static_cast<std::size_t>(a) - 1] > logSpeeds[static_cast<std::size_t>(b) - 1];
    });
    return order[random() % std::min<std::size_t>(3, order.size())];
}

std::vector<double> logSpeedsOf(const Campaign& campaign) {
    const SpeedScale scale(1, campaign.comparisons);
    std::vector<double> result;
    for (const std::int64_t kernel : campaign.all()) {
        result.push_back(std::log(scale.speed(kernel)->ratio));
    }
    return result;
}

enum class Way { byTimes, byScale, byScaleAndSearch };

struct Tally {
    int campaigns = 0;
    int found = 0;
    int near = 0;    // within 1 % of the best
    double lost = 0; // logarithm of best / called best
    double reached = 0;
    double evaluations = 0;

    void count(const Campaign& campaign, std::int64_t called, std::size_t further) {
        const double best = *std::max_element(campaign.truth.begin(), campaign.truth.end());
        const double loss = best - campaign.truth[static_cast<std::size_t>(called) - 1];
        ++campaigns;
        found += loss == 0 ? 1 : 0;
        near += loss < 0.01 ? 1 : 0;
        lost += loss;
        reached += best;
        evaluations += static_cast<double>(campaign.truth.size() + further);
    }
    std::vector<std::string> row(const std::string& name) const {
        const double count = campaigns;
        return {name,
                fmt::format("{:.1f} %", 100 * found / count),
                fmt::format("{:.1f} %", 100 * near / count),
                fmt::format("{:.2f} %", 100 * (std::exp(lost / count) - 1)),
                fmt::format("{:.3f}x", std::exp(reached / count)),
                fmt::format("{:.3f}x", std::exp((reached - lost) / count)),
                fmt::format("{:.1f}", evaluations / count)};
    }
};

void simulate(Way way, std::mt19937_64& random, double pairNoise, Tally& tally) {
    Campaign campaign{random, pairNoise};
    campaign.truth = {0};
    campaign.alone = {campaign.loaded(1)};
    while (campaign.truth.size() < kernelsOfCampaign) {
        campaign.add(parentBy(random, way == Way::byTimes ? campaign.alone : logSpeedsOf(campaign)));
    }
    std::size_t further = 0;
    if (way == Way::byScaleAndSearch) {
        const Contest contest{campaign.all()};
        while (further < mostFurther) {
            const auto wish = nextComparison(SpeedScale(1, campaign.comparisons), contest);
            if (!wish) {
                break;
            }
            campaign.compare(wish->kernel, wish->other);
            ++further;
        }
    }
    const auto called = campaign.best(way == Way::byTimes ? campaign.alone : logSpeedsOf(campaign));
    tally.count(campaign, called, further);
}

} // namespace

int main(int count, char** arguments) {
    const int campaigns = count > 1 ? std::atoi(arguments[1]) : 500;
    for (const double pairNoise : {0.005, 0.02, 0.04}) {
        cli::Table table;
        table.add({fmt::format("Ratios +-{:.0f} % at 95 %", 196 * pairNoise), "True best found", "Within 1 %", "Lost",
                   "Best made", "Best called", "Evaluations"});
        for (const auto& [way, name] :
             {std::pair(Way::byTimes, "by times alone"), std::pair(Way::byScale, "by the scale"),
              std::pair(Way::byScaleAndSearch, "the same, open pairs measured")}) {
            std::mt19937_64 random(17);
            Tally tally;
            for (int i = 0; i < campaigns; ++i) {
                simulate(way, random, pairNoise, tally);
            }
            table.add(tally.row(name));
        }
        cli::say("{}\n", table.text());
    }
    return 0;
}
