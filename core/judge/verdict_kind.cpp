// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/verdict.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::array<std::pair<VerdictKind, std::string_view>, 10> names{{
    {VerdictKind::correct, "correct"},
    {VerdictKind::faster, "faster"},
    {VerdictKind::slower, "slower"},
    {VerdictKind::tie, "tie"},
    {VerdictKind::wrong, "wrong"},
    {VerdictKind::buildFailed, "build-failed"},
    {VerdictKind::crashed, "crashed"},
    {VerdictKind::timedOut, "timed-out"},
    {VerdictKind::cheatingSuspected, "cheating-suspected"},
    {VerdictKind::infrastructureFailed, "infrastructure-failed"},
}};

} // namespace

std::string_view name(VerdictKind kind) {
    return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == kind; })->second;
}

Result<VerdictKind> verdictKindFromName(std::string_view text) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.second == text; });
    if (found == names.end()) {
        return usageError(fmt::format("'{}' is no verdict", text));
    }
    return found->first;
}

bool isAccepted(VerdictKind kind) {
    return kind == VerdictKind::correct || kind == VerdictKind::faster || kind == VerdictKind::slower ||
           kind == VerdictKind::tie;
}

} // namespace gks
