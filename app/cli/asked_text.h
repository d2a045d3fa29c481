// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/asked_comparison.h"

#include <string>

// What a person asked to have measured side by side, for `show`.
namespace gks::cli {

// A line for each that waits; empty where none does.
std::string waitingText(const Population& population);
OrderedJson waitingJson(const Population& population);
// A line for each that was measured, of one kernel.
std::string resultsText(const std::vector<AskedResult>& results);
OrderedJson resultsJson(const std::vector<AskedResult>& results);

} // namespace gks::cli
