// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/ratio_interval.h"
#include "core/judge/verdict.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::array<std::pair<VerdictKind, std::string_view>, 11> names{{
    {VerdictKind::correct, "correct"},
    {VerdictKind::faster, "faster"},
    {VerdictKind::slower, "slower"},
    {VerdictKind::tie, "tie"},
    {VerdictKind::undecided, "undecided"},
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

std::string verdictText(VerdictKind kind, std::string_view reason) {
    if (reason.starts_with(name(kind))) {
        return std::string(reason);
    }
    return fmt::format("{}{}{}", name(kind), reason.empty() ? "" : ": ", reason);
}

Result<VerdictKind> verdictKindFromName(std::string_view text) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.second == text; });
    if (found == names.end()) {
        return usageError(fmt::format("unknown verdict '{}'", text));
    }
    return found->first;
}

std::string_view name(DeviceTrouble trouble) {
    switch (trouble) {
    case DeviceTrouble::none:
        break;
    case DeviceTrouble::hung:
        return "hung";
    case DeviceTrouble::lost:
        return "lost";
    case DeviceTrouble::unreachable:
        return "unreachable";
    }
    return "none";
}

Result<DeviceTrouble> deviceTroubleFromName(std::string_view text) {
    for (const DeviceTrouble trouble :
         {DeviceTrouble::none, DeviceTrouble::hung, DeviceTrouble::lost, DeviceTrouble::unreachable}) {
        if (name(trouble) == text) {
            return trouble;
        }
    }
    return usageError(fmt::format("unknown device fault '{}'", text));
}

std::string ratioInterval(const ComparisonFact& fact) {
    if (fact.verdict != VerdictKind::undecided) {
        return formatRatio(fact.ratio, fact.ci95);
    }
    return fmt::format("{} [{}, {}]", formatRatio(fact.ratio), formatSignificant(fact.ci99.low, marginDigits),
                       formatSignificant(fact.ci99.high, marginDigits));
}

std::string ratioText(const ComparisonFact& fact) {
    return ratioInterval(fact) + (fact.verdict == VerdictKind::undecided ? " at 99 %" : "");
}

std::string comparisonText(const ComparisonFact& fact) {
    return fmt::format("{} {}", name(fact.verdict), ratioText(fact));
}

bool isAccepted(VerdictKind kind) {
    return kind == VerdictKind::correct || kind == VerdictKind::faster || kind == VerdictKind::slower ||
           kind == VerdictKind::tie || kind == VerdictKind::undecided;
}

} // namespace gks
