// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/stage_values.h"

#include "core/base/files.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/calibration.h"
#include "core/scientist/change_text.h"
#include "core/scientist/knowledge.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t shownChangeLimitBytes = 40000;
constexpr std::size_t shownItemLimitBytes = 1000;

std::string taskText(const Briefing& briefing) {
    return briefing.problem ? quoted(briefing.problem->notes, shownNotesLimitBytes) : std::string();
}

std::string headerText(const Briefing& briefing) {
    return briefing.problem ? generateProblemHeader(*briefing.problem) : std::string();
}

std::string hintText(const Briefing& briefing) {
    return quoted(briefing.population->settings.hint, shownNotesLimitBytes);
}

void include(StageInput& input, KnowledgeChoice known) {
    input.values["knowledge"] = std::move(known.text);
    std::move(known.inclusions.begin(), known.inclusions.end(), std::back_inserter(input.inclusions));
}

void includeFindings(StageInput& input, const Population& population) {
    for (const Finding* finding : shownFindings(population)) {
        input.inclusions.push_back({"finding", fmt::format("finding {}", finding->id), estimatedTokens(finding->text)});
    }
    input.values["findings"] = findingsText(population);
}

} // namespace

StageInput selectorInput(const Briefing& briefing) {
    return {{{"mission", taskText(briefing)},
             {"target", targetText(briefing)},
             {"shapes", shapesText(briefing)},
             {"population", populationText(briefing)},
             {"reportArchitecture", reportArchitecture(briefing)},
             {"hint", hintText(briefing)}},
            {}};
}

Result<StageInput> designerInput(const Briefing& briefing, const Kernel& basis) {
    const Population& population = *briefing.population;
    StageInput input{{{"mission", taskText(briefing)},
                      {"target", targetText(briefing)},
                      {"tried", triedText(population)},
                      {"written", writtenText(population)},
                      {"calibration", calibrationText(population)},
                      {"hint", hintText(briefing)},
                      {"basisId", kernelLabel(basis.id)},
                      {"basisSource", quoted(basis.source, shownSourceLimitBytes)},
                      {"basisAnalysis", analysisText(population, basis)},
                      {"basisStatic", staticText(briefing, basis.id)},
                      {"reportArchitecture", reportArchitecture(briefing)}},
                     {}};
    GKS_TRY_ASSIGN(KnowledgeChoice known, knowledgeFor(briefing, &basis, nullptr));
    include(input, std::move(known));
    includeFindings(input, population);
    return input;
}

Result<StageInput> writerInput(const Briefing& briefing, const Kernel& basis, const Experiment& experiment) {
    const Population& population = *briefing.population;
    const Kernel* other = experiment.reference ? population.kernel(*experiment.reference) : nullptr;
    std::string reference;
    if (briefing.problem != nullptr) {
        GKS_TRY_ASSIGN(reference, readFile(briefing.problem->referencePath, 4 * shownSourceLimitBytes));
    }
    StageInput input{{{"task", taskText(briefing)},
                      {"target", targetText(briefing)},
                      {"header", headerText(briefing)},
                      {"referenceImplementation", quoted(reference, shownSourceLimitBytes)},
                      {"hint", hintText(briefing)},
                      {"basisId", kernelLabel(basis.id)},
                      {"basisSource", quoted(basis.source, shownSourceLimitBytes)},
                      {"basisAnalysis", analysisText(population, basis)},
                      {"otherId", other ? kernelLabel(other->id) : ""},
                      {"otherSource", other ? quoted(other->source, shownSourceLimitBytes) : ""},
                      {"otherAnalysis", other ? analysisText(population, *other) : ""},
                      {"description", quoted(experiment.description, shownNotesLimitBytes)},
                      {"rubric", quoted(experiment.rubric, shownNotesLimitBytes)}},
                     {}};
    GKS_TRY_ASSIGN(KnowledgeChoice known, knowledgeFor(briefing, &basis, &experiment));
    include(input, std::move(known));
    includeFindings(input, population);
    return input;
}

StageInput repairInput(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                       const Failure& failure, int attempt) {
    return {{{"task", taskText(briefing)},
             {"target", targetText(briefing)},
             {"header", headerText(briefing)},
             {"description", quoted(experiment.description, shownNotesLimitBytes)},
             {"rubric", quoted(experiment.rubric, shownNotesLimitBytes)},
             {"draftSource", quoted(draft.source, shownSourceLimitBytes)},
             {"verdict", std::string(name(failure.verdict))},
             {"reason", quoted(withoutHeldOutShapes(failure.reason), shownOutputLimitBytes)},
             {"output", quoted(failure.output, shownOutputLimitBytes)},
             {"attempt", fmt::format("{} of {}", attempt, briefing.population->settings.repairAttempts)}},
            {}};
}

StageInput checkerInput(const Experiment& experiment, const std::vector<RubricItem>& rubric, std::string_view before,
                        std::string_view after) {
    std::string claims;
    for (std::size_t i = 0; i < rubric.size(); ++i) {
        claims +=
            fmt::format("{}. {} -- claimed: {}{}\n", i + 1, quoted(rubric[i].item, shownItemLimitBytes),
                        rubric[i].claimed ? "done" : "not done",
                        rubric[i].note.empty() ? std::string() : "; " + quoted(rubric[i].note, shownItemLimitBytes));
    }
    const std::string change = changeText(before, after, shownChangeLimitBytes);
    return {{{"description", quoted(experiment.description, shownNotesLimitBytes)},
             {"claims", claims.empty() ? "none" : claims},
             {"change", change.empty() ? "nothing was changed" : quoted(change, 2 * shownChangeLimitBytes)}},
            {}};
}

} // namespace gks
