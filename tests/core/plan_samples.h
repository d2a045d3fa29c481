// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/plan_check.h"

#include <QString>
#include <algorithm>
#include <cstring>

// A good plan with an operation of each kind, and what it is checked against.
namespace gks::test {

inline constexpr std::uint64_t inputAt = 0x7f0000000000;
inline constexpr std::uint64_t outputAt = 0x7f0000100000;
inline constexpr std::uint64_t workspaceAt = 0x7f0000200000;
inline constexpr std::uint64_t variableAt = 0x7f0000300000;

inline ModuleFacts facts(DeviceCode code = DeviceCode::amd) {
    ModuleFacts facts;
    facts.code = code;
    facts.kernels = {{"_Z5scalePKfPfi", {8, 8, 4}, {}, 256, 1024, 64512, 0},
                     {"padded", {16}, {{0, 4, 4}}, 64, 0, 0, 0}};
    facts.variables = {{"table", 64, false}, {"weights", 128, true}};
    return facts;
}

inline SetAddresses addresses() {
    return {{{"x", inputAt, 4096, false}, {"y", outputAt, 4096, true}}, workspaceAt, 1024, {{"table", variableAt}}};
}

inline PlanBytes word(std::uint64_t value, std::size_t bytes = 8) {
    PlanBytes result(bytes);
    std::memcpy(result.data(), &value, std::min(bytes, sizeof value));
    return result;
}

inline KernelLaunch launch() {
    return {"_Z5scalePKfPfi", {16, 1, 1}, {64, 1, 1}, 512, {}, {word(inputAt), word(outputAt), word(7, 4)}};
}

inline LaunchPlan plan() {
    LaunchPlan plan;
    plan.streams = {{StreamKind::solve, 0}, {StreamKind::nonBlocking, -1}};
    plan.operations = {
        {0, 0x1234, DeviceFill{outputAt, 0x3f, 1, 4096}},
        {0, 0x1240, EventRecord{0}},
        {1, 0x1250, EventWait{0}},
        {1, 0x1260, launch()},
        {1, 0x1270, DeviceCopy{workspaceAt, inputAt, 64, 4, 256, 1024}},
        {0, 0x1280, HostWrite{workspaceAt, {1, 2, 3}}},
        {0, 0x1290, SymbolCopy{"table", 8, inputAt, 16, true}},
        {0, 0x12a0, SymbolWrite{"weights", 4, {9, 8}}},
    };
    return plan;
}

inline LaunchPlan planOf(PlanAction action) {
    LaunchPlan plan;
    plan.operations = {{0, 0, std::move(action)}};
    return plan;
}

inline QString said(const Result<void>& result) {
    return result ? QStringLiteral("accepted") : QString::fromStdString(result.error().message());
}

inline QString checked(const LaunchPlan& plan) {
    return said(checkPlan(plan, facts(), addresses()));
}

} // namespace gks::test
