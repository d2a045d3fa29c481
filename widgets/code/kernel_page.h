// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/problem/problem.h"

#include <QString>
#include <memory>
#include <optional>
#include <vector>

namespace gks {

class EngineBridge;
struct Palette;

// What the Kernel page shows of one kernel. Reading it unpacks texts of the campaign file and looks at all kernels: not
// for the thread of a window.
struct KernelPage {
    KernelId kernel = 0;
    Result<std::string> source;
    std::vector<Evaluation> evaluations;
    QString facts; // HTML
};
using KernelPagePtr = std::shared_ptr<const KernelPage>;

// All that a page is read from. Equal: the page would be the same.
struct KernelPageQuestion {
    Kernel kernel;
    std::optional<SpeedRatio> speed; // over the baseline: moves with the comparisons of others
    std::optional<Experiment> experiment;
    std::shared_ptr<const ShapeScales> shapeScales; // who is the champion of a shape
    std::size_t anchors = 0;
    std::size_t findings = 0;
    std::shared_ptr<const ProblemPack> problem;
    const Palette* palette = nullptr;

    static KernelPageQuestion about(const Kernel& kernel, const Population& population,
                                    std::shared_ptr<const ProblemPack> problem, const Palette& palette);
    bool operator==(const KernelPageQuestion&) const = default;
};

// Two pages find the same text unreadable: counted once.
void warnOnce(EngineBridge& bridge, const Error& error);

KernelPagePtr readKernelPage(const KernelPageQuestion& question, const Population& population,
                             const std::vector<Evaluation>& evaluations);

} // namespace gks
