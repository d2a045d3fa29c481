// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/kernel_facts.h"

#include "core/base/text.h"
#include "core/problem/shape_text.h"
#include "core/scientist/briefing_text.h"
#include "core/target/ptxas_report.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

std::optional<Verdict> verdictOf(const Briefing& briefing, KernelId kernel) {
    return briefing.newestVerdict ? briefing.newestVerdict(kernel) : std::nullopt;
}

std::vector<PtxasKernel> ptxasFacts(const Briefing& briefing, KernelId kernel) {
    const auto verdict =
        briefing.population->settings.target == TargetKind::nvidia ? verdictOf(briefing, kernel) : std::nullopt;
    return verdict ? readPtxasReport(verdict->build.log) : std::vector<PtxasKernel>();
}

std::string rowOf(const KernelResources& one) {
    std::vector<std::string> mix;
    for (const auto& [kind, count] : one.instructions) {
        mix.push_back(fmt::format("{} {}", kind, count));
    }
    return fmt::format("{}: VGPR {}, AGPR {}, SGPR {}, spills {} vector and {} scalar, scratch {} B, LDS {} B, {} "
                       "waves per SIMD; {}",
                       quoted(one.name, 200), one.vgprs, one.agprs, one.sgprs, one.vgprSpills, one.sgprSpills,
                       one.scratchBytes, one.ldsBytes, one.occupancyWavesPerSimd, join(mix, ", "));
}

std::string rowOf(const PtxasKernel& one) {
    return fmt::format("{}: {} registers, spills {} B, stack {} B, shared {} B, {} barriers", labelText(one.symbol),
                       one.registers, one.spillBytes, one.stackBytes, one.sharedBytes, one.barriers);
}

} // namespace

std::optional<StaticReport> measuredReport(const Briefing& briefing, KernelId kernel) {
    const auto verdict =
        briefing.population->settings.target == TargetKind::amd ? verdictOf(briefing, kernel) : std::nullopt;
    return verdict ? verdict->staticReport : std::nullopt;
}

std::string buildFactsText(const Briefing& briefing, KernelId kernel) {
    std::vector<std::string> rows;
    if (const auto report = measuredReport(briefing, kernel)) {
        for (const KernelResources& one : report->kernels) {
            rows.push_back(rowOf(one));
        }
    }
    for (const PtxasKernel& one : ptxasFacts(briefing, kernel)) {
        rows.push_back(rowOf(one));
    }
    return abbreviated(join(rows, "\n"), shownOutputLimitBytes);
}

std::string counterFactsText(const Briefing& briefing, KernelId kernel) {
    const auto verdict = verdictOf(briefing, kernel);
    if (!verdict || !verdict->counters || verdict->counters->launches.empty()) {
        return {};
    }
    std::vector<std::string> rows = {
        fmt::format("Hardware counters by {}, of one call of each quick shape:", labelText(verdict->counters->tool))};
    for (const LaunchCounters& launch : verdict->counters->launches) {
        rows.push_back(fmt::format("{}, {}: {}", namedShapeText(launch.shape), labelText(launch.kernel),
                                   labelText(counterText(launch.facts))));
    }
    return abbreviated(join(rows, "\n"), shownOutputLimitBytes);
}

std::string deviceFactsText(const Briefing& briefing, KernelId kernel) {
    const std::string built = buildFactsText(briefing, kernel);
    const std::string counted = counterFactsText(briefing, kernel);
    return built + (built.empty() || counted.empty() ? "" : "\n") + counted;
}

std::string resourcesText(const StaticReport& report, const StaticReport* parent) {
    struct Needs {
        int vgprs = 0;
        int ldsBytes = 0;
        int waves = 0;
        int spills = 0;
    };
    // A source with several kernels is as demanding as the most demanding of them.
    const auto needsOf = [](const StaticReport& of) {
        Needs needs;
        for (const KernelResources& one : of.kernels) {
            needs.vgprs = std::max(needs.vgprs, one.vgprs + one.agprs);
            needs.ldsBytes = std::max(needs.ldsBytes, static_cast<int>(one.ldsBytes));
            needs.waves =
                needs.waves == 0 ? one.occupancyWavesPerSimd : std::min(needs.waves, one.occupancyWavesPerSimd);
            needs.spills += one.vgprSpills + one.sgprSpills;
        }
        return needs;
    };
    const Needs own = needsOf(report);
    const std::optional<Needs> other = parent != nullptr ? std::optional(needsOf(*parent)) : std::nullopt;
    const auto delta = [&](int Needs::* part) {
        const int difference = other ? own.*part - (*other).*part : 0;
        return difference == 0 ? std::string() : fmt::format(" ({:+})", difference);
    };
    std::string text = fmt::format("VGPR {}{}, LDS {} B{}, {} waves per SIMD{}", own.vgprs, delta(&Needs::vgprs),
                                   own.ldsBytes, delta(&Needs::ldsBytes), own.waves, delta(&Needs::waves));
    if (own.spills > 0 || !delta(&Needs::spills).empty()) {
        text += fmt::format(", spills {}{}", own.spills, delta(&Needs::spills));
    }
    return text;
}

std::string resourcesOf(const Briefing& briefing, const Kernel& kernel) {
    if (const auto report = measuredReport(briefing, kernel.id); report && !report->kernels.empty()) {
        const auto parent = kernel.parents.empty() ? std::nullopt : measuredReport(briefing, kernel.parents.front());
        return resourcesText(*report, parent ? &*parent : nullptr);
    }
    PtxasKernel most;
    for (const PtxasKernel& one : ptxasFacts(briefing, kernel.id)) {
        most.registers = std::max(most.registers, one.registers);
        most.sharedBytes = std::max(most.sharedBytes, one.sharedBytes);
        most.spillBytes += one.spillBytes;
    }
    return most.registers == 0 ? std::string()
                               : fmt::format("{} registers, {} B shared, spills {} B", most.registers, most.sharedBytes,
                                             most.spillBytes);
}

} // namespace gks
