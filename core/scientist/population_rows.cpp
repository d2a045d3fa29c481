// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/campaign/rules.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/selection_policy.h"
#include "core/scientist/tuned_structures.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

// The population as a selector sees it: numbers, never code.
namespace gks {
namespace {

using Structures = std::map<KernelId, TunedStructure>;

// Kernels with a line of their own: all but the tuner's, of which the best of a structure has one and those that a
// model or a person went on from.
std::vector<const Kernel*> ownLines(const Population& population, const Structures& structures) {
    std::set<KernelId> wanted;
    for (const auto& [root, structure] : structures) {
        if (structure.best != nullptr) {
            wanted.insert(structure.best->id);
        }
    }
    for (const Kernel& kernel : population.kernels) {
        if (kernel.author != Author::tuner) {
            wanted.insert(kernel.parents.begin(), kernel.parents.end());
        }
    }
    std::vector<const Kernel*> shown;
    for (const Kernel& kernel : population.kernels) {
        const bool own = kernel.author != Author::tuner || wanted.contains(kernel.id);
        if (own && kernel.state == KernelState::evaluated) {
            shown.push_back(&kernel);
        }
    }
    return shown;
}

// The fastest when there are too many, as they were otherwise.
std::vector<const Kernel*> fastestOf(std::vector<const Kernel*> kernels, std::size_t limit) {
    if (kernels.size() > limit) {
        const auto rank = [](const Kernel* k) { return isMeasuredParent(*k) ? k->geomeanUs : 1e300; };
        std::stable_sort(kernels.begin(), kernels.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
        kernels.resize(limit);
        std::sort(kernels.begin(), kernels.end(), [](auto a, auto b) { return a->id < b->id; });
    }
    return kernels;
}

std::string resourcesOf(const Briefing& briefing, const Kernel& kernel) {
    const auto report = briefing.staticReport ? briefing.staticReport(kernel.id) : std::nullopt;
    if (!report || report->kernels.empty()) {
        return {};
    }
    const auto parent = kernel.parents.empty() ? std::nullopt : briefing.staticReport(kernel.parents.front());
    return resourcesText(*report, parent ? &*parent : nullptr);
}

std::string populationRow(const Kernel& kernel, const std::string& resources, const Tries& tries) {
    std::vector<std::string> parents;
    for (const KernelId parent : kernel.parents) {
        parents.push_back(kernelLabel(parent));
    }
    std::vector<std::string> parts{
        kernelLabel(kernel.id), "parents " + (parents.empty() ? "none" : join(parents, " ")),
        std::string(kernel.verdict ? name(*kernel.verdict) : "no verdict"), "times " + timesText(kernel),
        "geometric mean " + (kernel.geomeanUs > 0 ? formatMicroseconds(kernel.geomeanUs, kernel.geomeanCi95Us) : "-")};
    if (kernel.versusParent) {
        parts.push_back(
            fmt::format("{} of its parent ({})", ratioText(*kernel.versusParent), name(kernel.versusParent->verdict)));
    }
    if (!resources.empty()) {
        parts.push_back(resources);
    }
    parts.push_back(tries.begun == 0 ? std::string("never tried as a parent") : triesText(tries, " as a parent"));
    parts.emplace_back(mayBeParent(kernel) ? "eligible" : kernel.banned ? "banned" : "not eligible");
    return join(parts, " | ");
}

} // namespace

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

std::string populationText(const Briefing& briefing) {
    const Population& population = *briefing.population;
    const auto tries = stepsByParent(population);
    const Structures structures = tunedStructures(population);
    const auto listed = fastestOf(ownLines(population, structures), kernelListLimit);
    std::set<KernelId> withResources;
    for (const Kernel* kernel : fastestOf(listed, resourcesListLimit)) {
        withResources.insert(kernel->id);
    }
    // A structure stands together: the kernel that brought it, its points, what the others came to.
    std::map<KernelId, std::vector<std::string>> rows;
    for (const Kernel* kernel : listed) {
        const auto found = tries.find(kernel->id);
        rows[structureRoot(population, kernel->id)].push_back(
            populationRow(*kernel, withResources.contains(kernel->id) ? resourcesOf(briefing, *kernel) : std::string(),
                          found == tries.end() ? Tries() : found->second));
    }
    std::vector<std::string> text;
    for (auto& [root, lines] : rows) {
        std::move(lines.begin(), lines.end(), std::back_inserter(text));
        if (const auto tuned = structures.find(root); tuned != structures.end()) {
            text.push_back("  " + tunedText(root, tuned->second));
        }
    }
    return join(text, "\n");
}

} // namespace gks
