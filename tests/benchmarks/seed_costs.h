// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace gks::cli {

// What an evaluation of the naive seed of every built-in problem costs, as a table; beside another build's, where its
// evaluator is named. Exit status.
int costOfSeeds(const Arguments& arguments);
std::vector<Option> seedCostOptions();

} // namespace gks::cli
