// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/comparison_graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gks {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

bool isUsable(const PairedComparison& one) {
    const auto isPositive = [](double value) { return std::isfinite(value) && value > 0; };
    return one.kernel != one.other && isPositive(one.ratio) && isPositive(one.ci95.low) && isPositive(one.ci95.high) &&
           one.ci95.low <= one.ci95.high;
}

Pair pairOf(const PairedComparison& one) {
    return std::minmax(one.kernel, one.other);
}

// Sets of kernels that hang together.
class Forest {
public:
    std::int64_t rootOf(std::int64_t kernel) {
        std::int64_t up = m_up.try_emplace(kernel, kernel).first->second;
        while (up != kernel) { // each step halves the path
            const std::int64_t above = m_up.at(up);
            m_up[kernel] = above;
            kernel = above;
            up = m_up.at(kernel);
        }
        return kernel;
    }
    // False: they hung together before.
    bool join(std::int64_t a, std::int64_t b) {
        const auto [older, younger] = std::minmax({rootOf(a), rootOf(b)});
        m_up[younger] = older;
        return older != younger;
    }

private:
    std::map<std::int64_t, std::int64_t> m_up;
};

struct Connected {
    std::vector<PairedComparison> comparisons;
    std::size_t kernels = 0;
};

Connected connected(std::int64_t anchor, const std::vector<const PairedComparison*>& all) {
    Forest forest;
    std::set<Pair> connecting;
    std::map<Pair, std::int64_t> crossing; // with the newest evaluation of each
    for (const PairedComparison* one : all) {
        const Pair pair = pairOf(*one);
        if (connecting.contains(pair)) {
            continue;
        }
        if (forest.join(pair.first, pair.second)) {
            connecting.insert(pair);
        } else {
            crossing[pair] = one->evaluation;
        }
    }
    std::int64_t oldest = std::numeric_limits<std::int64_t>::min();
    if (crossing.size() > mostCrossingPairs) {
        std::vector<std::int64_t> newest;
        for (const auto& [pair, evaluation] : crossing) {
            newest.push_back(evaluation);
        }
        std::sort(newest.rbegin(), newest.rend());
        oldest = newest[mostCrossingPairs - 1];
    }
    Connected result;
    std::set<std::int64_t> kernels;
    for (const PairedComparison* one : all) {
        const auto crosses = crossing.find(pairOf(*one));
        const bool fits = crosses == crossing.end() || crosses->second >= oldest;
        if (fits && forest.rootOf(one->kernel) == forest.rootOf(anchor)) {
            result.comparisons.push_back(*one);
            kernels.insert({one->kernel, one->other});
        }
    }
    result.kernels = kernels.size();
    return result;
}

} // namespace

std::vector<PairedComparison> comparisonsAround(std::int64_t anchor, std::span<const PairedComparison> all) {
    std::map<std::string, std::vector<const PairedComparison*>> places;
    for (const PairedComparison& one : all.last(std::min(all.size(), mostComparisons))) {
        if (isUsable(one)) {
            places[one.where].push_back(&one);
        }
    }
    Connected most;
    for (const auto& [where, comparisons] : places) {
        Connected here = connected(anchor, comparisons);
        if (here.kernels > most.kernels) {
            most = std::move(here);
        }
    }
    return std::move(most.comparisons);
}

} // namespace gks
