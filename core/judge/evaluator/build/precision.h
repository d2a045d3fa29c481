// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"
#include "core/target/target.h"

#include <string>
#include <vector>

namespace gks {

// What of a kernel multiplies in a narrower type than its problem allows, a sentence for each kernel and type. The
// counts are of the device code, so a factor that is rounded first and multiplied in a wide type is not seen.
std::vector<std::string> precisionFindings(const StaticReport& report, const ProblemPack& pack);

} // namespace gks
