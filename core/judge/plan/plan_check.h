// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"

namespace gks {

// Whether the device may be asked to do this: every kernel, the number and sizes of its arguments, its block and its
// LDS are checked exactly against the build's facts; fills and writes reach outputs, the workspace and variables alone;
// what copies read lies in the set. What an argument points at is not asked: two integers can look like an address.
Result<void> checkPlan(const LaunchPlan& plan, const ModuleFacts& facts, const SetAddresses& addresses);

// Setup runs once, apart from what is measured: it may write and fill variables and do nothing else.
Result<void> checkSetup(const LaunchPlan& setup, const ModuleFacts& facts, const SetAddresses& addresses);

} // namespace gks
