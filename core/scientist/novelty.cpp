// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/novelty.h"

#include "core/base/counted.h"
#include "core/diff/side_by_side.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

// Kernels whose sketches agree in so many places are compared run by run, those that agree most first. A place of two
// sources that are 0.9 the same agrees with probability 0.9, so they agree in fewer than 10 of 16 with
//     sum over k < 10 of C(16, k) 0.9^k 0.1^(16 - k) = 0.0005,
// and sources that are half the same agree in as many with 0.23.
constexpr std::size_t enoughPlaces = 10;
constexpr std::size_t mostCompared = 8;

struct NoveltyCandidate {
    const Kernel* kernel = nullptr;
    std::size_t equal = 0;
};

// The few that agree most, of equals the earlier ones.
class MostAlike {
public:
    void offer(const Kernel& kernel, std::size_t equal) {
        const auto at =
            std::upper_bound(m_best.begin(), m_best.end(), equal,
                             [](std::size_t value, const NoveltyCandidate& known) { return value > known.equal; });
        if (m_best.size() < mostCompared || at != m_best.end()) {
            m_best.insert(at, {&kernel, equal});
            m_best.resize(std::min(m_best.size(), mostCompared));
        }
    }
    const std::vector<NoveltyCandidate>& all() const { return m_best; }

private:
    std::vector<NoveltyCandidate> m_best;
};

bool isWritten(const Kernel& kernel) {
    return kernel.author == Author::model || kernel.author == Author::person;
}

bool isRelated(const Kernel& kernel, const Kernel& earlier) {
    return std::find(kernel.parents.begin(), kernel.parents.end(), earlier.id) != kernel.parents.end() ||
           (kernel.experiment && kernel.experiment == earlier.experiment);
}

// Nearly the same by the sources themselves, the most similar first; of equals the earlier one. The sources of
// relatives are asked for again and again.
class NoveltyShingles {
public:
    std::vector<NearDuplicate> confirmed(const SourceShingles& own, const MostAlike& candidates) {
        std::vector<NearDuplicate> found;
        for (const NoveltyCandidate& candidate : candidates.all()) {
            const double share = resemblance(own, of(*candidate.kernel));
            if (share >= nearDuplicateSimilarity) {
                found.push_back({candidate.kernel->id, share});
            }
        }
        std::stable_sort(found.begin(), found.end(), [](const NearDuplicate& a, const NearDuplicate& b) {
            return a.similarity != b.similarity ? a.similarity > b.similarity : a.kernel < b.kernel;
        });
        return found;
    }
    const SourceShingles& of(const Kernel& kernel) {
        const auto [at, isNew] = m_known.try_emplace(kernel.id);
        if (isNew) {
            at->second = sourceShingles(kernel.source.orNothing());
        }
        return at->second;
    }

private:
    std::map<KernelId, SourceShingles> m_known;
};

// Rounded down: 100 % is only said of what is the same.
int percentOf(const NearDuplicate& duplicate) {
    return static_cast<int>(std::floor(duplicate.similarity * 100));
}

} // namespace

double similarity(std::string_view a, std::string_view b) {
    return resemblance(sourceShingles(a), sourceShingles(b));
}

const SourceSketch& Novelty::sketchOf(const Kernel& kernel) {
    if (kernel.sketch) {
        return *kernel.sketch;
    }
    const auto [at, isNew] = m_made.try_emplace(kernel.id);
    if (isNew) {
        at->second = gks::sketchOf(sourceShingles(kernel.source.orNothing()));
    }
    return at->second;
}

std::vector<NearDuplicate> Novelty::nearDuplicates(std::string_view source, const Population& population,
                                                   const std::vector<KernelId>& except) {
    const SourceShingles own = sourceShingles(source);
    const SourceSketch sketch = gks::sketchOf(own);
    MostAlike candidates;
    for (const Kernel& kernel : population.kernels) {
        const std::size_t equal = equalPlaces(sketch, sketchOf(kernel));
        if (equal >= enoughPlaces && std::find(except.begin(), except.end(), kernel.id) == except.end()) {
            candidates.offer(kernel, equal);
        }
    }
    return NoveltyShingles().confirmed(own, candidates);
}

std::map<KernelId, NearDuplicate> Novelty::nearestEarlier(const Population& population,
                                                          const std::vector<KernelId>& kernels) {
    struct Asked {
        const Kernel* kernel;
        SourceSketch sketch;
        MostAlike candidates = {};
    };
    std::vector<Asked> asked;
    for (const KernelId id : kernels) {
        const Kernel* kernel = population.kernel(id);
        if (kernel != nullptr && !kernel->probe && isWritten(*kernel)) {
            asked.push_back({kernel, sketchOf(*kernel)});
        }
    }
    if (asked.empty()) {
        return {};
    }
    for (const Kernel& earlier : population.kernels) {
        const SourceSketch& sketch = sketchOf(earlier);
        for (Asked& one : asked) {
            const std::size_t equal = earlier.id < one.kernel->id ? equalPlaces(one.sketch, sketch) : 0;
            if (equal >= enoughPlaces && !isRelated(*one.kernel, earlier)) {
                one.candidates.offer(earlier, equal);
            }
        }
    }
    NoveltyShingles shingles;
    std::map<KernelId, NearDuplicate> nearest;
    for (const Asked& one : asked) {
        if (one.candidates.all().empty()) {
            continue;
        }
        const SourceShingles own = shingles.of(*one.kernel);
        if (const auto found = shingles.confirmed(own, one.candidates); !found.empty()) {
            nearest[one.kernel->id] = found.front();
        }
    }
    return nearest;
}

std::string noveltyText(const NearDuplicate& duplicate) {
    return fmt::format("{} % similar to {}", percentOf(duplicate), kernelLabel(duplicate.kernel));
}

std::string differenceText(const Kernel& kernel, const Kernel& earlier, const NearDuplicate& duplicate) {
    const SideBySide diff =
        compareSources(earlier.source.orNothing(), kernel.source.orNothing(), {.ignoreWhitespace = true});
    const int lines = diff.addedLines + diff.removedLines + diff.changedLines;
    const std::string where = lines == 0 ? "only whitespace" : counted(lines, "line");
    return fmt::format("near-duplicate of {}, {} changed ({} % similar)", kernelLabel(earlier.id), where,
                       percentOf(duplicate));
}

} // namespace gks
