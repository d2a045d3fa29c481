// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a verdict keeps of the launch plans that it rests on: enough to show them, and to execute them again without the
// host code that asked for them.
namespace gks {

// Plans beyond this, as text and of kernel and baseline together, are left out; those that were timed come first.
inline constexpr std::size_t recordedPlansLimitBytes = std::size_t{8} << 20;
// A larger device module is not kept; its hash is.
inline constexpr std::size_t deviceCodeLimitBytes = std::size_t{4} << 20;
inline constexpr std::size_t recordedShapesLimit = 256;

struct ShapePlan {
    std::map<std::string, std::int64_t> shape;
    bool isTimed = false;   // false: only verified
    SetAddresses addresses; // of the set that it was captured for
    LaunchPlan setup;       // once, before the first call
    LaunchPlan plan;
    // Of solve() in the planner, with what it does only once and at the call after it. Its own process says so: for
    // people, decides nothing.
    double firstSolveUs = 0;
    double solveUs = 0;

    bool operator==(const ShapePlan&) const = default;
};

struct KernelPlans {
    std::string deviceCodeSha256;
    std::string deviceCode;            // bytes; empty when it is not kept here
    std::uint64_t deviceCodeBytes = 0; // also when it is not kept; 0: earlier versions did not say
    ModuleFacts facts;                 // of the kernels and variables that the plans name
    std::vector<ShapePlan> shapes;
    std::int64_t leftOut = 0; // shapes for which there was no room

    // Those that were timed, in the order in which the verdict measures them.
    std::vector<const ShapePlan*> timed() const;
    const ShapePlan* timed(const std::map<std::string, std::int64_t>& shape) const;
    bool operator==(const KernelPlans&) const = default;
};

struct RecordedPlans {
    KernelPlans kernel;
    std::optional<KernelPlans> baseline;

    bool operator==(const RecordedPlans&) const = default;
};

// Sorts those that were timed to the front, keeps the facts of what the plans name alone, and leaves out what has no
// room; returns the bytes of their text.
std::size_t makeCompact(KernelPlans& plans, std::size_t limitBytes);

enum class CodeBytes { left, included };
// Device code as hexadecimal digits.
Json toJson(const RecordedPlans& plans, CodeBytes code);
// The text may be anybody's: bounded, and every field is checked.
Result<RecordedPlans> recordedPlansFromJson(const Json& json, const std::string& where);
Result<RecordedPlans> recordedPlansFromText(std::string_view text, const std::string& where);

} // namespace gks
