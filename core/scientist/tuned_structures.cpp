// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/tuned_structures.h"

#include "core/base/counted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/scientist/briefing_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t otherPointLimit = 8; // named beside the best one
constexpr std::size_t shapeLimit = 64;     // of which the fastest point is named
constexpr int ancestorLimit = 10000;       // a lineage is shorter; a broken file may hold a ring

std::string fastestOfShapes(const TunedStructure& structure) {
    std::vector<std::string> parts;
    const std::size_t shapes = structure.best == nullptr ? 0 : structure.best->shapeMediansUs.size();
    for (std::size_t shape = 0; shape < std::min(shapes, shapeLimit); ++shape) {
        const Kernel* fastest = structure.best;
        for (const Kernel* point : structure.passed) {
            const bool measured = shape < point->shapeMediansUs.size();
            fastest = measured && point->shapeMediansUs[shape] < fastest->shapeMediansUs[shape] ? point : fastest;
        }
        parts.push_back(
            fmt::format("{} ({})", formatSignificant(fastest->shapeMediansUs[shape], 4), kernelLabel(fastest->id)));
    }
    return join(parts, " ");
}

std::string othersText(const TunedStructure& structure) {
    std::vector<std::string> parts;
    std::size_t left = 0;
    for (const Kernel* point : structure.passed) {
        if (point == structure.best) {
            continue;
        }
        if (parts.size() < otherPointLimit) {
            parts.push_back(kernelLabel(point->id) + " " + timesText(*point));
        } else {
            ++left;
        }
    }
    std::string text = join(parts, ", ");
    if (left > 0) {
        text += fmt::format(" and {} more up to {}", left, formatMicroseconds(structure.passed.back()->geomeanUs));
    }
    return text;
}

} // namespace

KernelId structureRoot(const Population& population, KernelId kernel) {
    const Kernel* at = population.kernel(kernel);
    for (int steps = 0; at != nullptr && at->author == Author::tuner && !at->parents.empty() && steps < ancestorLimit;
         ++steps) {
        kernel = at->parents.front();
        at = population.kernel(kernel);
    }
    return kernel;
}

std::map<KernelId, TunedStructure> tunedStructures(const Population& population) {
    std::map<KernelId, TunedStructure> structures;
    for (const Experiment& experiment : population.experiments) {
        if (experiment.author == Author::tuner && isOver(experiment)) {
            ++structures[structureRoot(population, experiment.parent)].experiments;
        }
    }
    for (const Kernel& kernel : population.kernels) {
        if (kernel.author != Author::tuner || kernel.state != KernelState::evaluated) {
            continue;
        }
        TunedStructure& structure = structures[structureRoot(population, kernel.id)];
        structure.points.push_back(&kernel);
        if (isMeasured(kernel)) {
            structure.passed.push_back(&kernel);
            const bool faster = structure.best == nullptr || isFaster(population, kernel, *structure.best);
            structure.best = mayBeParent(kernel) && faster ? &kernel : structure.best;
        }
    }
    for (auto& [root, structure] : structures) {
        std::stable_sort(structure.passed.begin(), structure.passed.end(),
                         [&](const Kernel* a, const Kernel* b) { return isFaster(population, *a, *b); });
        structure.experiments = std::max(structure.experiments, static_cast<int>(structure.points.size()));
    }
    return structures;
}

std::string tunedText(KernelId root, const TunedStructure& structure) {
    std::string text = fmt::format("{} tuned: {} of its tunables, {} passed", kernelLabel(root),
                                   counted(structure.experiments, "point"), structure.passed.size());
    if (structure.best != nullptr) {
        text += ", the best " + kernelLabel(structure.best->id);
    }
    if (structure.passed.size() > 1) {
        text += "; of each shape the fastest: " + fastestOfShapes(structure) +
                "; others, the fastest first: " + othersText(structure);
    }
    return text;
}

std::string tunedSummary(const Population& population, KernelId root, const TunedStructure& structure) {
    std::string text = fmt::format("{}: the tuner tried {}, {} passed", kernelLabel(root),
                                   counted(structure.experiments, "configuration"), structure.passed.size());
    if (structure.best != nullptr) {
        text += fmt::format("; the best, {} ({})", kernelLabel(structure.best->id), labelText(structure.best->title));
        const Kernel* from = population.kernel(root);
        if (from != nullptr && isMeasured(*from)) {
            text +=
                fmt::format(", {} the speed of {}",
                            formatRatio(std::exp(logSpeedup(population, *structure.best, *from))), kernelLabel(root));
        }
    }
    return text;
}

} // namespace gks
