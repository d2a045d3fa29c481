// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>

// What a run ends at: budgets that are spent, a goal that is reached, experiments that bring nothing any more.
namespace gks {

bool isTimeOver(const Population& population, double wallSeconds);
// Why no more is started, in a few words; nothing while there is no reason.
std::optional<std::string> reasonToEnd(const Population& population, double wallSeconds);

} // namespace gks
