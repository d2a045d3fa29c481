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

template<class T>
std::vector<T> distinct(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

template<class T>
std::optional<std::size_t> placeIn(const std::vector<T>& values, const T& value) {
    const auto found = std::lower_bound(values.begin(), values.end(), value);
    return found != values.end() && *found == value ? std::optional(static_cast<std::size_t>(found - values.begin()))
                                                    : std::nullopt;
}

// Kernels by place, so that what is kept of each is an array. Ids of a campaign lie close together, and a table finds
// them at once; those of a stranger's file need not.
class KernelPlaces {
public:
    explicit KernelPlaces(const std::vector<const PairedComparison*>& all) {
        std::vector<std::int64_t> kernels;
        for (const PairedComparison* one : all) {
            kernels.insert(kernels.end(), {one->kernel, one->other});
        }
        if (kernels.empty()) {
            return;
        }
        const auto [low, high] = std::minmax_element(kernels.begin(), kernels.end());
        m_lowest = *low;
        if (static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low) < roomForEach * kernels.size()) {
            m_table.assign(static_cast<std::size_t>(*high - *low) + 1, nowhere);
            for (const std::int64_t kernel : kernels) {
                std::uint32_t& place = m_table[static_cast<std::size_t>(kernel - m_lowest)];
                place = place == nowhere ? m_size++ : place;
            }
        } else {
            m_ids = distinct(std::move(kernels));
            m_size = static_cast<std::uint32_t>(m_ids.size());
        }
    }
    std::size_t size() const { return m_size; }
    std::optional<std::size_t> find(std::int64_t kernel) const {
        if (m_table.empty()) {
            return placeIn(m_ids, kernel);
        }
        const auto at = static_cast<std::uint64_t>(kernel) - static_cast<std::uint64_t>(m_lowest);
        return at < m_table.size() && m_table[at] != nowhere ? std::optional<std::size_t>(m_table[at]) : std::nullopt;
    }

private:
    static constexpr std::size_t roomForEach = 16;
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    std::int64_t m_lowest = 0;
    std::uint32_t m_size = 0;
    std::vector<std::uint32_t> m_table; // places, by id beyond the lowest; empty: ids lie too far apart
    std::vector<std::int64_t> m_ids;    // ascending, where there is no table
};

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

// Pairs of which a comparison found its kernels connected already, ascending, with the newest evaluation of each. They
// close a cycle, unless a comparison of the same pair is what connects them.
struct Again {
    std::vector<Pair> pairs;
    std::vector<std::optional<std::int64_t>> closing; // beside them; empty: the pair connects

    Again(const std::vector<const PairedComparison*>& all, const std::vector<bool>& connects) {
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (!connects[at]) {
                pairs.push_back(pairOf(*all[at]));
            }
        }
        pairs = distinct(std::move(pairs));
        closing.resize(pairs.size());
        std::vector<bool> connecting(pairs.size());
        for (std::size_t at = 0; at < all.size() && !pairs.empty(); ++at) {
            const auto pair = placeIn(pairs, pairOf(*all[at]));
            if (pair && connects[at]) {
                connecting[*pair] = true;
            } else if (pair && !connecting[*pair]) {
                closing[*pair] = all[at]->evaluation;
            }
        }
    }
    std::int64_t oldestKept() const { // of the newest mostCrossingPairs
        std::vector<std::int64_t> newest;
        for (const auto& evaluation : closing) {
            if (evaluation) {
                newest.push_back(*evaluation);
            }
        }
        if (newest.size() <= mostCrossingPairs) {
            return std::numeric_limits<std::int64_t>::min();
        }
        std::sort(newest.rbegin(), newest.rend());
        return newest[mostCrossingPairs - 1];
    }
    std::optional<std::int64_t> closedBy(const PairedComparison& one) const {
        const auto pair = placeIn(pairs, pairOf(one));
        return pair ? closing[*pair] : std::nullopt;
    }
};

Connected connected(std::int64_t anchor, const std::vector<const PairedComparison*>& all) {
    const KernelPlaces places(all);
    const auto anchorPlace = places.find(anchor);
    if (!anchorPlace) {
        return {};
    }
    Forest forest(places.size());
    std::vector<bool> connects;
    for (const PairedComparison* one : all) {
        connects.push_back(forest.join(*places.find(one->kernel), *places.find(one->other)));
    }
    const Again again(all, connects);
    const std::int64_t oldest = again.oldestKept();
    Connected result;
    std::vector<bool> isThere(places.size());
    const std::size_t root = forest.rootOf(*anchorPlace);
    for (const PairedComparison* one : all) {
        const std::size_t kernel = *places.find(one->kernel);
        if (forest.rootOf(kernel) != root) {
            continue;
        }
        if (const auto closed = again.closedBy(*one); !closed || *closed >= oldest) {
            result.comparisons.push_back(*one);
            isThere[kernel] = isThere[*places.find(one->other)] = true;
        }
    }
    result.kernels = static_cast<std::size_t>(std::count(isThere.begin(), isThere.end(), true));
    return result;
}

} // namespace

std::vector<PairedComparison> comparisonsAround(std::int64_t anchor, const SharedList<PairedComparison>& all) {
    std::map<std::string, std::vector<const PairedComparison*>> places;
    const PairedComparison* before = nullptr;
    std::vector<const PairedComparison*>* here = nullptr; // where the one before was measured
    for (std::size_t at = all.size() - std::min(all.size(), mostComparisons); at < all.size(); ++at) {
        const PairedComparison& one = all[at];
        if (!isUsable(one)) {
            continue;
        }
        here = before != nullptr && before->where == one.where ? here : &places[one.where];
        here->push_back(&one);
        before = &one;
    }
    Connected most;
    for (const auto& [where, comparisons] : places) {
        Connected found = connected(anchor, comparisons);
        if (found.kernels > most.kernels) {
            most = std::move(found);
        }
    }
    return std::move(most.comparisons);
}

} // namespace gks
