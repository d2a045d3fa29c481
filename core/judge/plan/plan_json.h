// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"

#include <string_view>

// The written form of a plan. Reading takes nothing on trust: sizes are bounded before anything is
// parsed, every field must be there and no other. What is read is well-formed, and no more than that: see checkPlan().
namespace gks {

inline constexpr std::uint64_t planVersion = 2;

Json toJson(const LaunchPlan& plan);
Result<LaunchPlan> planFromJson(const Json& json, const std::string& where);
Result<LaunchPlan> planFromText(std::string_view text, const std::string& where);

} // namespace gks
