// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/novelty.h"

#include "core/campaign/normalized_source.h"
#include "core/diff/side_by_side.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace gks {
namespace {

constexpr std::size_t shingleTokens = 5;

using Shingles = std::vector<std::size_t>; // hashes, sorted, each once

Shingles shinglesOf(std::string_view source) {
    const std::string text = normalizedSource(source);
    std::vector<std::size_t> tokens;
    const auto isWord = [&](std::size_t i) {
        return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_' || text[i] == '@';
    };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isWord(end)) {
            ++end;
        }
        end = std::max(end, at + 1);
        if (text[at] != ' ') {
            // All local names count as one: their numbers shift when one of them is added.
            const std::string_view token =
                text[at] == '@' ? std::string_view("@") : std::string_view(text).substr(at, end - at);
            tokens.push_back(std::hash<std::string_view>()(token));
        }
        at = end;
    }
    Shingles shingles;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i + shingleTokens > tokens.size() && i > 0) {
            break; // a source shorter than one run is one run
        }
        std::size_t hash = 0;
        for (std::size_t j = i; j < std::min(tokens.size(), i + shingleTokens); ++j) {
            hash = hash * 0x9e3779b97f4a7c15ULL + tokens[j]; // the order of the tokens counts
        }
        shingles.push_back(hash);
    }
    std::sort(shingles.begin(), shingles.end());
    shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
    return shingles;
}

double jaccard(const Shingles& a, const Shingles& b) {
    std::size_t common = 0;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (*i == *j) {
            ++common;
            ++i;
            ++j;
        } else {
            *i < *j ? ++i : ++j;
        }
    }
    const std::size_t all = a.size() + b.size() - common;
    return all == 0 ? 1 : static_cast<double>(common) / static_cast<double>(all);
}

// The smallest hash under each of several orders.
SourceSketch sketchOf(const Shingles& shingles) {
    SourceSketch sketch;
    sketch.fill(std::numeric_limits<std::uint32_t>::max());
    for (const std::size_t shingle : shingles) {
        std::uint64_t hash = shingle;
        for (std::uint32_t& least : sketch) {
            hash = (hash ^ (hash >> 31)) * 0x9e3779b97f4a7c15ULL + 0xd1b54a32d192ed03ULL;
            least = std::min(least, static_cast<std::uint32_t>(hash >> 32));
        }
    }
    return sketch;
}

std::size_t equalPlaces(const SourceSketch& a, const SourceSketch& b) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        equal += a[i] == b[i] ? 1 : 0;
    }
    return equal;
}

// Kernels whose sketches agree in so many places are compared shingle by shingle, those that agree most first. Sources
// that are 0.9 the same agree in fewer once in two thousand times.
constexpr std::size_t enoughPlaces = 10;
constexpr std::size_t mostCompared = 8;

bool isWritten(const Kernel& kernel) {
    return kernel.author == Author::model || kernel.author == Author::person;
}

// Shingles of the kernels that were looked at last, by place: what is nearly the same is mostly written soon after.
class RecentShingles {
public:
    explicit RecentShingles(const std::vector<Kernel>& kernels) : m_kernels(kernels) {}
    const Shingles& of(std::size_t index) { // until the next call for another one
        const auto known = m_known.find(index);
        if (known != m_known.end()) {
            return known->second;
        }
        if (m_known.size() == mostKept) {
            m_known.erase(m_known.begin());
        }
        return m_known[index] = shinglesOf(m_kernels[index].source.orNothing());
    }

private:
    static constexpr std::size_t mostKept = 512;
    const std::vector<Kernel>& m_kernels;
    std::map<std::size_t, Shingles> m_known;
};

// The nearest of the kernels before the one at `index`, its parents and the other drafts of its experiment left out;
// none for a kernel of the tuner, whose points differ in a number by design.
std::optional<NearDuplicate> nearestBefore(const std::vector<Kernel>& kernels,
                                           const std::vector<SourceSketch>& sketches, RecentShingles& shingles,
                                           std::size_t index) {
    const Kernel& kernel = kernels[index];
    if (!isWritten(kernel)) {
        return {};
    }
    struct Candidate {
        std::size_t index;
        std::size_t equal;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < index; ++i) {
        const std::size_t equal = equalPlaces(sketches[index], sketches[i]);
        if (equal < enoughPlaces) {
            continue;
        }
        const bool related =
            std::find(kernel.parents.begin(), kernel.parents.end(), kernels[i].id) != kernel.parents.end() ||
            (kernel.experiment && kernel.experiment == kernels[i].experiment);
        if (!related) {
            candidates.push_back({i, equal});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.equal > b.equal; });
    candidates.resize(std::min(candidates.size(), mostCompared));
    const Shingles own = candidates.empty() ? Shingles() : shingles.of(index);
    NearDuplicate nearest;
    for (const Candidate& candidate : candidates) {
        const double share = jaccard(own, shingles.of(candidate.index));
        if (share >= nearDuplicateSimilarity && share > nearest.similarity) {
            nearest = {kernels[candidate.index].id, share};
        }
    }
    return nearest.kernel == 0 ? std::nullopt : std::optional(nearest);
}

} // namespace

double similarity(std::string_view a, std::string_view b) {
    return jaccard(shinglesOf(a), shinglesOf(b));
}

std::vector<NearDuplicate> nearDuplicates(std::string_view source, const Population& population,
                                          const std::vector<KernelId>& except) {
    const Shingles own = shinglesOf(source);
    std::vector<NearDuplicate> found;
    for (const Kernel& kernel : population.kernels) {
        if (std::find(except.begin(), except.end(), kernel.id) != except.end()) {
            continue;
        }
        const double share = jaccard(own, shinglesOf(kernel.source.orNothing()));
        if (share >= nearDuplicateSimilarity) {
            found.push_back({kernel.id, share});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const NearDuplicate& a, const NearDuplicate& b) { return a.similarity > b.similarity; });
    return found;
}

std::map<KernelId, NearDuplicate> nearestEarlier(const Population& population, std::size_t newest) {
    const auto& kernels = population.kernels;
    RecentShingles shingles(kernels);
    std::vector<SourceSketch> sketches;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        sketches.push_back(sketchOf(shingles.of(i)));
    }
    std::map<KernelId, NearDuplicate> nearest;
    for (std::size_t i = kernels.size(); i-- > 0 && newest > 0;) {
        if (!isWritten(kernels[i])) {
            continue;
        }
        --newest;
        if (const auto found = nearestBefore(kernels, sketches, shingles, i)) {
            nearest[kernels[i].id] = *found;
        }
    }
    return nearest;
}

void NoveltyIndex::update(const Population& population) {
    const auto& kernels = population.kernels;
    RecentShingles shingles(kernels);
    for (std::size_t i = m_sketches.size(); i < kernels.size(); ++i) {
        m_sketches.push_back(sketchOf(shingles.of(i)));
        if (const auto found = nearestBefore(kernels, m_sketches, shingles, i)) {
            m_nearest[kernels[i].id] = *found;
        }
    }
}

std::optional<NearDuplicate> NoveltyIndex::of(KernelId kernel) const {
    const auto found = m_nearest.find(kernel);
    return found == m_nearest.end() ? std::nullopt : std::optional(found->second);
}

namespace {

// Rounded down: 100 % is only said of what is the same.
int percentOf(const NearDuplicate& duplicate) {
    return static_cast<int>(std::floor(duplicate.similarity * 100));
}

} // namespace

std::string noveltyText(const NearDuplicate& duplicate) {
    return fmt::format("{} % similar to {}", percentOf(duplicate), kernelLabel(duplicate.kernel));
}

std::string differenceText(const Kernel& kernel, const Kernel& earlier, const NearDuplicate& duplicate) {
    const SideBySide diff =
        compareSources(earlier.source.orNothing(), kernel.source.orNothing(), {.ignoreWhitespace = true});
    const int lines = diff.addedLines + diff.removedLines + diff.changedLines;
    const std::string where = lines == 0 ? "only whitespace" : lines == 1 ? "1 line" : fmt::format("{} lines", lines);
    return fmt::format("near-duplicate of {}, {} changed ({} % similar)", kernelLabel(earlier.id), where,
                       percentOf(duplicate));
}

} // namespace gks
