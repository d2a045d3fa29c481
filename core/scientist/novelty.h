// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

inline constexpr double nearDuplicateSimilarity = 0.9;

struct NearDuplicate {
    KernelId kernel = 0;
    double similarity = 0; // 0..1
};

// Earlier kernels that a source is nearly the same as, the most similar first. Similarity is the Jaccard index of the
// sets of runs of five tokens, comments, formatting and local names apart (Broder, "On the resemblance and containment
// of documents", 1997); 1 is the same. `except` are left out: parents, and earlier drafts of the same experiment.
std::vector<NearDuplicate> nearDuplicates(std::string_view source, const Population& population,
                                          const std::vector<KernelId>& except = {});
// The same for each of the `newest` kernels that people or models wrote, its parents left out: the nearest of those
// before it.
std::map<KernelId, NearDuplicate> nearestEarlier(const Population& population, std::size_t newest);
double similarity(std::string_view a, std::string_view b);

// Min-wise hashes of a source's runs of tokens: two sources agree in a place as often as they are the same (Broder,
// 1997). 64 bytes for each kernel are enough to find what is worth comparing.
using SourceSketch = std::array<std::uint32_t, 16>;

// The same for every kernel of a population that grows: each kernel is looked at once.
class NoveltyIndex final {
public:
    void update(const Population& population);
    std::optional<NearDuplicate> of(KernelId kernel) const;

private:
    std::vector<SourceSketch> m_sketches; // of each kernel, in the order of the population
    std::map<KernelId, NearDuplicate> m_nearest;
};

// "98 % the same as 00012".
std::string noveltyText(const NearDuplicate& duplicate);
// "differs from 00012 in 3 lines (similarity 98 %)"; white space is no difference.
std::string differenceText(const Kernel& kernel, const Kernel& earlier, const NearDuplicate& duplicate);

} // namespace gks
