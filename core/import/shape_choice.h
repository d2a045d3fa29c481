// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/pack_draft.h"

#include <string>
#include <vector>

namespace gks {

struct ChosenShapes {
    std::vector<Shape> test;
    std::vector<Shape> benchmark;
    std::vector<Shape> heldOut;
    std::vector<Shape> cpu;
    std::vector<std::string> freeDims; // of the pack
    bool combine = true;               // false: extents depend on each other
    std::size_t leftOut = 0;           // shapes of the problem that are too large to be checked here
};

// Those that the problem names, as far as they are affordable, and sizes that come again and again where a kernel has
// to be right for all of them. `pack` has dims, tensors and costs.
ChosenShapes chooseShapes(const PackDraft& draft, const ProblemPack& pack, std::string_view where);

} // namespace gks
