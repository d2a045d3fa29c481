// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/campaign/types.h"

// The model of a stage as the command line names it.
namespace gks::cli {

std::vector<Option> withModelOptions(std::vector<Option> options);
// Whether the options name who answers.
bool namesModel(const Arguments& arguments);
// Usage when the provider or the effort is not known, or a number is out of range.
Result<ModelChoice> modelFrom(const Arguments& arguments);

} // namespace gks::cli
