// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/one_line.h"
#include "core/base/text.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/held_out.h"
#include "core/scientist/kernel_facts.h"
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

constexpr std::size_t whyLimitBytes = 140;

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
        if (own && (kernel.state == KernelState::evaluated || kernel.author != Author::tuner)) {
            shown.push_back(&kernel);
        }
    }
    return shown;
}

// The fastest when there are too many, as they were otherwise.
std::vector<const Kernel*> fastestOf(const Population& population, std::vector<const Kernel*> kernels,
                                     std::size_t limit) {
    if (kernels.size() > limit) {
        std::stable_sort(kernels.begin(), kernels.end(), [&](const Kernel* a, const Kernel* b) {
            const bool eligible = isMeasuredParent(*a);
            return eligible != isMeasuredParent(*b) ? eligible : eligible && isFaster(population, *a, *b);
        });
        kernels.resize(limit);
        std::sort(kernels.begin(), kernels.end(), [](auto a, auto b) { return a->id < b->id; });
    }
    return kernels;
}

std::string resourcesCell(const Briefing& briefing, const Kernel& kernel) {
    std::string text = resourcesOf(briefing, kernel);
    return text.empty() ? "-" : text;
}

// What somebody wrote begins no column.
std::string cellOf(std::string text) {
    return replaceAll(std::move(text), "|", "/");
}

// Why there is such a kernel, or why it came to nothing.
std::string whyText(const Briefing& briefing, const Kernel& kernel) {
    const auto shown = [](std::string_view text) {
        return shortened(oneLine(quoted(text.substr(0, text.find('\n')), 8 * whyLimitBytes), 8 * whyLimitBytes),
                         whyLimitBytes);
    };
    if (kernel.verdict && !isAccepted(kernel)) {
        return shown(withoutHeldOutShapes(kernel.reason, briefing.problem.get()));
    }
    const Population& population = *briefing.population;
    const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr;
    return experiment != nullptr           ? shown(experimentText(*experiment, 8 * whyLimitBytes))
           : kernel.author == Author::seed ? "came with the problem"
                                           : "";
}

std::string stateText(const Kernel& kernel) {
    if (kernel.state != KernelState::evaluated || !kernel.verdict) {
        return "not judged yet";
    }
    return fmt::format("{}, {}", name(*kernel.verdict),
                       mayBeParent(kernel) ? "eligible"
                       : kernel.banned     ? "banned"
                                           : "not eligible");
}

// Without a parent the comparison is with the baseline, and says nothing of a step.
std::string gainText(const Kernel& kernel) {
    return !kernel.versusParent ? "-"
                                : ratioText(*kernel.versusParent) + (kernel.parents.empty() ? " of the baseline" : "");
}

std::string parentsCell(const Kernel& kernel) {
    std::vector<std::string> labels;
    for (const KernelId parent : kernel.parents) {
        labels.push_back(kernelLabel(parent));
    }
    return labels.empty() ? "-" : join(labels, " + ");
}

std::string populationRow(const Briefing& briefing, const Kernel& kernel, const std::string& resources,
                          const Tries& tries) {
    std::vector<std::string> parts{kernelLabel(kernel.id),
                                   cellOf(labelText(kernel.title)),
                                   std::string(name(kernel.author)),
                                   parentsCell(kernel),
                                   stateText(kernel),
                                   kernel.geomeanUs > 0 ? formatMicroseconds(kernel.geomeanUs, kernel.geomeanCi95Us)
                                                        : "-",
                                   scaledSpeedText(*briefing.population, kernel),
                                   gainText(kernel),
                                   timesText(kernel)};
    if (!resources.empty()) {
        parts.push_back(resources);
    }
    parts.push_back(tries.begun == 0 ? std::string("never") : triesText(tries));
    parts.push_back(cellOf(whyText(briefing, kernel)));
    return join(parts, " | ");
}

} // namespace

std::string populationText(const Briefing& briefing) {
    const Population& population = *briefing.population;
    const auto tries = stepsByParent(population);
    const Structures structures = tunedStructures(population);
    const auto listed = fastestOf(population, ownLines(population, structures), kernelListLimit);
    std::set<KernelId> withResources;
    for (const Kernel* kernel : fastestOf(population, listed, resourcesListLimit)) {
        withResources.insert(kernel->id);
    }
    const bool hasResources = population.settings.target != TargetKind::cpu; // nothing is known of its builds
    // A structure stands together: the kernel that brought it, its points, what the others came to.
    std::map<KernelId, std::vector<std::string>> rows;
    for (const Kernel* kernel : listed) {
        const auto found = tries.find(kernel->id);
        const std::string resources =
            hasResources && withResources.contains(kernel->id) ? resourcesCell(briefing, *kernel) : "";
        rows[structureRoot(population, kernel->id)].push_back(
            populationRow(briefing, *kernel, resources, found == tries.end() ? Tries() : found->second));
    }
    std::vector<std::string> text = {fmt::format("id | title | author | parent | state | {} alone | speed "
                                                 "over the baseline | gain over the parent | us by shape |{} tried "
                                                 "as a parent | why",
                                                 meanName(population.settings), hasResources ? " resources |" : "")};
    for (auto& [root, lines] : rows) {
        std::move(lines.begin(), lines.end(), std::back_inserter(text));
        if (const auto tuned = structures.find(root); tuned != structures.end()) {
            text.push_back("  " + tunedText(root, tuned->second));
        }
    }
    return join(text, "\n");
}

} // namespace gks
