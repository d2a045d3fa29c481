// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/source_sketch.h"
#include "core/campaign/types.h"

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

double similarity(std::string_view a, std::string_view b); // see resemblance()

// Which kernels nearly repeat an earlier one, for those that are asked about: one look at the sketch of every kernel of
// the population, which stands in memory, and a comparison with the sources of the few whose sketches agree. It keeps
// the sketches of kernels that come without one, from files of earlier schemas. One thread uses one at a time.
class Novelty final {
public:
    // Earlier kernels that a source is nearly the same as, the most similar first. `except` are left out: parents, and
    // earlier drafts of the same experiment.
    std::vector<NearDuplicate> nearDuplicates(std::string_view source, const Population& population,
                                              const std::vector<KernelId>& except = {});
    // The nearest of those before each of these kernels, where there is one. The parents of a kernel and the other
    // drafts of its experiment are left out; the tuner's kernels have none, since they differ in a number by design.
    std::map<KernelId, NearDuplicate> nearestEarlier(const Population& population,
                                                     const std::vector<KernelId>& kernels);

private:
    const SourceSketch& sketchOf(const Kernel& kernel);

    std::map<KernelId, SourceSketch> m_made; // of kernels that have none of their own
};

// "98 % the same as 00012".
std::string noveltyText(const NearDuplicate& duplicate);
// "differs from 00012 in 3 lines (similarity 98 %)"; white space is no difference.
std::string differenceText(const Kernel& kernel, const Kernel& earlier, const NearDuplicate& duplicate);

} // namespace gks
