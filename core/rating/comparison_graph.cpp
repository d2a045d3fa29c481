// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/comparison_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

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

// Each once, ascending: places in it stand for values, so that what is kept of each is an array.
template<class T>
std::vector<T> distinct(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

template<class T>
std::size_t placeIn(const std::vector<T>& values, const T& value) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

// Sets of kernels, by place, that hang together.
class Forest {
public:
    explicit Forest(std::size_t kernels) : m_up(kernels) { std::iota(m_up.begin(), m_up.end(), std::size_t{0}); }
    std::size_t rootOf(std::size_t kernel) {
        while (m_up[kernel] != kernel) { // each step halves the path
            m_up[kernel] = m_up[m_up[kernel]];
            kernel = m_up[kernel];
        }
        return kernel;
    }
    // False: they hung together before.
    bool join(std::size_t a, std::size_t b) {
        const auto [older, younger] = std::minmax({rootOf(a), rootOf(b)});
        m_up[younger] = older;
        return older != younger;
    }

private:
    std::vector<std::size_t> m_up;
};

struct Connected {
    std::vector<PairedComparison> comparisons;
    std::size_t kernels = 0;
};

Connected connected(std::int64_t anchor, const std::vector<const PairedComparison*>& all) {
    std::vector<std::int64_t> kernels;
    std::vector<Pair> pairs;
    for (const PairedComparison* one : all) {
        kernels.insert(kernels.end(), {one->kernel, one->other});
        pairs.push_back(pairOf(*one));
    }
    kernels = distinct(std::move(kernels));
    pairs = distinct(std::move(pairs));
    Forest forest(kernels.size());
    std::vector<bool> isConnecting(pairs.size());
    std::vector<std::optional<std::int64_t>> crossing(
        pairs.size()); // the newest evaluation of each that closes a cycle
    for (const PairedComparison* one : all) {
        const std::size_t pair = placeIn(pairs, pairOf(*one));
        if (isConnecting[pair]) {
            continue;
        }
        if (forest.join(placeIn(kernels, one->kernel), placeIn(kernels, one->other))) {
            isConnecting[pair] = true;
        } else {
            crossing[pair] = one->evaluation;
        }
    }
    std::vector<std::int64_t> newest;
    for (const auto& evaluation : crossing) {
        if (evaluation) {
            newest.push_back(*evaluation);
        }
    }
    std::int64_t oldest = std::numeric_limits<std::int64_t>::min();
    if (newest.size() > mostCrossingPairs) {
        std::sort(newest.rbegin(), newest.rend());
        oldest = newest[mostCrossingPairs - 1];
    }
    Connected result;
    const std::size_t anchorPlace = placeIn(kernels, anchor);
    if (anchorPlace == kernels.size() || kernels[anchorPlace] != anchor) {
        return result;
    }
    std::vector<bool> isThere(kernels.size());
    for (const PairedComparison* one : all) {
        const auto& crosses = crossing[placeIn(pairs, pairOf(*one))];
        const std::size_t kernel = placeIn(kernels, one->kernel);
        if ((!crosses || *crosses >= oldest) && forest.rootOf(kernel) == forest.rootOf(anchorPlace)) {
            result.comparisons.push_back(*one);
            isThere[kernel] = isThere[placeIn(kernels, one->other)] = true;
        }
    }
    result.kernels = static_cast<std::size_t>(std::count(isThere.begin(), isThere.end(), true));
    return result;
}

} // namespace

std::vector<PairedComparison> comparisonsAround(std::int64_t anchor, const SharedList<PairedComparison>& all) {
    std::map<std::string, std::vector<const PairedComparison*>> places;
    for (std::size_t at = all.size() - std::min(all.size(), mostComparisons); at < all.size(); ++at) {
        const PairedComparison& one = all[at];
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
