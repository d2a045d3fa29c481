// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/retarget.h"

#include <string>
#include <vector>

namespace gks::hipcpu {

// What the build knows of a module's kernels and variables, for whoever checks launches before the module is loaded.
// JSON, as core/judge/plan/facts_json.h reads it.
std::string moduleFactsText(const std::vector<KernelSummary>& kernels, const std::vector<VariableSummary>& variables);

} // namespace gks::hipcpu
