// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <map>
#include <string>
#include <vector>

// The points that the tuner tried of a structure, taken together: a search over numbers makes many kernels of which a
// model needs the best, not every one.
namespace gks {

struct TunedStructure {
    std::vector<const Kernel*> points; // kernels of the tuner that were evaluated, by id
    const Kernel* best = nullptr;      // the fastest of them that may become a parent
    std::vector<const Kernel*> passed; // that passed the judge with a time, the fastest first
    int experiments = 0;               // of the tuner, also those that never became a kernel
};
// By the kernel that brought the structure: the first ancestor that is not the tuner's.
std::map<KernelId, TunedStructure> tunedStructures(const Population& population);
// That ancestor; the kernel itself when it is not the tuner's.
KernelId structureRoot(const Population& population, KernelId kernel);

// "00003 tuned: 12 points, 9 passed; of each shape the fastest: 43.1 (00017) 20.9 (00019); others, the fastest first:
// 00019 44.2 20.9, ... and 4 more up to 61.0 us": bounded, whatever the number of points.
std::string tunedText(KernelId root, const TunedStructure& structure);
// "on 00003: the tuner searched its tunables, 12 points, 9 passed; the best, 00017 (tile 64x128), 1.09x the speed of
// 00003".
std::string tunedSummary(const Population& population, KernelId root, const TunedStructure& structure);

} // namespace gks
