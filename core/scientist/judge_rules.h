// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>

namespace gks {

// The rules of the judge that who writes a kernel has to know, for the campaign's target, one per line, with the syntax
// of tunables. resources/docs/judge.md says them to people.
std::string judgeRulesText(const Briefing& briefing);

} // namespace gks
