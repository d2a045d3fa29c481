// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"

#include <string>
#include <vector>

namespace gks {

// A verdict computed again from its own raw samples with the judge's statistics.
struct Recomputation {
    std::vector<std::string> differences; // "m=64 n=128: median 3.14 us is stored, the samples give 2.71 us"
    std::vector<std::string> unchecked;   // what cannot be computed again, and why
};
Recomputation recompute(const Verdict& verdict);

} // namespace gks
