// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <string>

// Why something does not go on now, in one plain sentence for window and command line; empty: it waits for nothing.
namespace gks {

std::string waitText(const Kernel& kernel, const Population& population);
std::string waitText(const Experiment& experiment, const Population& population);

} // namespace gks
