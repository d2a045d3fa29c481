// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/kernel_page.h"

#include "widgets/code/kernel_facts.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"

#include <algorithm>
#include <utility>

namespace gks {

KernelPageQuestion KernelPageQuestion::about(const Kernel& kernel, const Population& population,
                                             std::shared_ptr<const ProblemPack> problem, const Palette& palette) {
    const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr;
    const SpeedRatio* speed = population.speed(kernel);
    return {.kernel = kernel,
            .speed = speed != nullptr ? std::optional(*speed) : std::nullopt,
            .experiment = experiment != nullptr ? std::optional(*experiment) : std::nullopt,
            .shapeScales = population.shapeScales,
            .anchors = population.anchors.size(),
            .findings = population.findings.size(),
            .problem = std::move(problem),
            .palette = &palette};
}

KernelPagePtr readKernelPage(const KernelPageQuestion& question, const Population& population,
                             const std::vector<Evaluation>& evaluations) {
    auto page = std::make_shared<KernelPage>();
    page->kernel = question.kernel.id;
    page->source = question.kernel.source.read();
    page->evaluations = evaluations;
    page->facts = kernelFactsHtml(population, question.problem ? question.problem->dims : std::vector<std::string>(),
                                  question.kernel, page->evaluations, *question.palette);
    return page;
}

void warnOnce(EngineBridge& bridge, const Error& error) {
    const auto isSame = [text = error.message()](const WarningRaised& one) { return one.error.message() == text; };
    if (std::ranges::none_of(bridge.warnings(), isSame)) {
        bridge.warn(error);
    }
}

} // namespace gks
