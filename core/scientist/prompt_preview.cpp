// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt_preview.h"

#include "core/campaign/model_stages.h"
#include "core/campaign/prompt_template.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/digest.h"
#include "core/scientist/selection_policy.h"
#include "core/scientist/stage_values.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

// The fastest eligible kernel, else the first one, else one that holds the place.
Kernel basisOf(const Population& population) {
    const Kernel* basis = nullptr;
    for (const Kernel& kernel : population.kernels) {
        if (isMeasuredParent(kernel) && (basis == nullptr || isFaster(population, kernel, *basis))) {
            basis = &kernel;
        }
    }
    if (basis == nullptr && !population.kernels.empty()) {
        basis = &population.kernels.front();
    }
    Kernel standIn;
    standIn.source = "// no kernel yet\n";
    return basis != nullptr ? *basis : standIn;
}

Experiment experimentOf(const Population& population, const Kernel& basis) {
    const auto& all = population.experiments;
    const auto newest = std::ranges::find_if(all.rbegin(), all.rend(),
                                             [](const Experiment& one) { return one.kind != ExperimentKind::probe; });
    if (newest != all.rend()) {
        return *newest;
    }
    Experiment standIn;
    standIn.parent = basis.id;
    standIn.description = "(experiment)";
    standIn.rubric = "(rubric)";
    return standIn;
}

template<class Wanted>
const Kernel* newestKernel(const Population& population, const Wanted& wanted) {
    const auto found = std::find_if(population.kernels.rbegin(), population.kernels.rend(), wanted);
    return found == population.kernels.rend() ? nullptr : &*found;
}

Result<StageInput> designerPreview(const Briefing& briefing) {
    const Kernel basis = basisOf(*briefing.population);
    const auto other = fastestOfAnotherLine(*briefing.population, basis.id);
    return designerInput(briefing, basis, {basis.id, other, "(the selector's reason stands here)"});
}

Result<StageInput> repairPreview(const Briefing& briefing) {
    const Population& population = *briefing.population;
    const Kernel* failed = newestKernel(
        population, [](const Kernel& kernel) { return kernel.experiment && kernel.verdict && !isAccepted(kernel); });
    const Kernel basis = basisOf(population);
    Experiment experiment = experimentOf(population, basis);
    Draft draft{(failed != nullptr ? *failed : basis).source.orNothing(), {}, {}};
    Failure failure{VerdictKind::buildFailed, "(reason)", "(compiler output)"};
    if (failed != nullptr) {
        if (const Experiment* its = population.experiment(*failed->experiment)) {
            experiment = *its;
        }
        failure.verdict = *failed->verdict;
        failure.reason = failed->reason;
    }
    return repairInput(briefing, experiment, draft, failure, 1);
}

Result<StageInput> probePreview(const Briefing& briefing) {
    const auto& all = briefing.population->experiments;
    const auto newest = std::ranges::find(all.rbegin(), all.rend(), ExperimentKind::probe, &Experiment::kind);
    Experiment standIn;
    standIn.kind = ExperimentKind::probe;
    standIn.description = "(the question stands here)";
    standIn.rubric = "(the variants to be measured stand here)";
    return probeInput(briefing, newest == all.rend() ? standIn : *newest);
}

StageInput checkerPreview(const Briefing& briefing) {
    const Population& population = *briefing.population;
    const Kernel* written = newestKernel(population, [&](const Kernel& kernel) {
        return kernel.experiment && !kernel.parents.empty() && population.kernel(kernel.parents.front()) != nullptr;
    });
    const Kernel basis = basisOf(population);
    if (written == nullptr) {
        return checkerInput(experimentOf(population, basis), {{"(rubric item)", true}}, basis.source.orNothing(),
                            basis.source.orNothing());
    }
    const Experiment* its = population.experiment(*written->experiment);
    return checkerInput(its != nullptr ? *its : experimentOf(population, basis), written->rubric.orNothing(),
                        population.kernel(written->parents.front())->source.orNothing(), written->source.orNothing());
}

Result<StageInput> inputOf(const std::string& name, const Briefing& briefing) {
    const Population& population = *briefing.population;
    if (name == "correction") {
        return StageInput{{{"problem", "(what does not fit)"}}, {}};
    }
    if (name == probePrompt) {
        return probePreview(briefing);
    }
    const auto stage = modelStageFromName(name);
    if (!stage) {
        return usageError(fmt::format("unknown prompt '{}'", quoted(name, 80)));
    }
    switch (*stage) {
    case ModelStage::selector:
        return selectorInput(briefing);
    case ModelStage::designer:
        return designerPreview(briefing);
    case ModelStage::writer: {
        const Kernel basis = basisOf(population);
        const Experiment experiment = experimentOf(population, basis);
        const Kernel* parent = population.kernel(experiment.parent);
        return writerInput(briefing, parent != nullptr ? *parent : basis, experiment);
    }
    case ModelStage::repair:
        return repairPreview(briefing);
    case ModelStage::checker:
        return checkerPreview(briefing);
    case ModelStage::digest: {
        const Document standIn = {.title = "(title)"};
        return digestInput(briefing.problem.get(), population.documents.empty() ? standIn : population.documents.back(),
                           {{0, 1, "", "(document)"}});
    }
    }
    return StageInput{};
}

} // namespace

Result<std::vector<ChatMessage>> previewPrompt(const std::string& name, const std::string& text,
                                               const Briefing& briefing) {
    GKS_TRY_ASSIGN(const StageInput input, inputOf(name, briefing));
    return renderEditedPrompt(name, text, input.values);
}

} // namespace gks
