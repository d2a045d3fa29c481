// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/command_rules.h"

#include "core/base/foreign_text.h"
#include "core/campaign/gain.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"

#include <fmt/format.h>

namespace gks {

Result<void> CommandRules::operator()(const command::ApproveExperiment& approve) const {
    GKS_TRY_ASSIGN(const Experiment* known, experiment(approve.experiment));
    if (!mayBeApproved(*known)) {
        return decided(*known);
    }
    const Kernel* basis = population.kernel(known->parent);
    return basis == nullptr || !basis->banned
               ? Result<void>()
               : usageError(fmt::format("the parent {} of experiment {} is banned", kernelLabel(basis->id), known->id),
                            {}, "Unban it first");
}

Result<void> CommandRules::operator()(const command::RejectExperiment& reject) const {
    GKS_TRY_ASSIGN(const Experiment* known, experiment(reject.experiment));
    return mayBeRejected(*known) ? Result<void>() : decided(*known);
}

Result<void> CommandRules::decided(const Experiment& known) const {
    const Kernel* draft = known.kernel ? population.kernel(*known.kernel) : nullptr;
    return usageError(fmt::format("experiment {} is {} already", known.id, name(known.state)), {},
                      draft != nullptr && mayBeDeclined(*draft)
                          ? fmt::format("Decide on the code of its kernel {} instead", kernelLabel(draft->id))
                          : std::string());
}

Result<void> CommandRules::prediction(const std::optional<Interval>& gain, int innovation) const {
    const Interval& range = limits::predictedGain;
    if (gain && !(gain->low <= gain->high)) {
        return usageError(fmt::format("the gain is predicted from {}", gainRangeText(*gain)), {},
                          "The lowest comes first");
    }
    if (gain && (gain->low < range.low || gain->high > range.high)) {
        return usageError(fmt::format("a gain of {} is predicted", gainRangeText(*gain)), {},
                          fmt::format("It is from {}", gainRangeText(range)));
    }
    return innovation >= 0 && innovation <= limits::innovation
               ? Result<void>()
               : usageError(fmt::format("an innovation of {} is none", innovation), {},
                            fmt::format("It is 0 to {}", limits::innovation));
}

Result<void> CommandRules::operator()(const command::EditExperiment& edit) const {
    const Experiment* known = population.experiment(edit.experiment);
    if (known == nullptr || !mayBeEdited(*known)) {
        return usageError(fmt::format("experiment {} can no longer be edited", edit.experiment));
    }
    if (edit == command::EditExperiment{.experiment = edit.experiment}) {
        return usageError(fmt::format("nothing of experiment {} is changed", edit.experiment), {},
                          "Say what: description, rubric, prediction, innovation or writer");
    }
    if (edit.description) {
        GKS_TRY(checkText("the description", *edit.description, limits::experimentDescriptionBytes));
    }
    GKS_TRY(checkLength("the rubric", edit.rubric.value_or(""), limits::experimentRubricBytes));
    GKS_TRY(writer(edit.writer.value_or("")));
    GKS_TRY(noGainOfProbe(known->kind, edit.predicted));
    return prediction(edit.predicted, edit.innovation.value_or(0));
}

Result<void> CommandRules::operator()(const command::RestoreExperiment& restore) const {
    GKS_TRY_ASSIGN(const Experiment* known, experiment(restore.experiment));
    if (!isPersonsToDecide(known->state) || !isPersonsToDecide(restore.state)) {
        return decided(*known);
    }
    if (restore.state != ExperimentState::rejected) {
        GKS_TRY(notBanned(known->parent, "as a parent"));
    }
    GKS_TRY(checkText("the description", restore.description, limits::experimentDescriptionBytes));
    GKS_TRY(checkLength("the rubric", restore.rubric, limits::experimentRubricBytes));
    GKS_TRY(writer(restore.writer));
    GKS_TRY(noGainOfProbe(known->kind, restore.predicted));
    return prediction(restore.predicted, restore.innovation);
}

Result<void> CommandRules::writer(const std::string& named) const {
    return named == ownWriter || hasWriter(population.settings.models, named)
               ? Result<void>()
               : usageError(fmt::format("there is no writer {}", quotation(named)), {},
                            "Name own or one of the further writers, or add it: model writer/NAME");
}

Result<void> CommandRules::noGainOfProbe(ExperimentKind kind, const std::optional<Interval>& gain) const {
    return kind != ExperimentKind::probe || !gain
               ? Result<void>()
               : usageError("a probe brings figures, and no gain can be predicted of it", {}, "Leave the gain out");
}

Result<void> CommandRules::operator()(const command::AddExperiment& add) const {
    GKS_TRY(parent(add.parent));
    GKS_TRY(writer(add.writer));
    if (add.reference) {
        GKS_TRY(reference(*add.reference, add.parent));
    }
    if (hasTwoParents(add.kind)) {
        if (!add.reference) {
            return usageError(fmt::format("a {} is made from two kernels, and one is named", name(add.kind)), {},
                              "Name a reference kernel");
        }
        GKS_TRY(parent(*add.reference));
    }
    if (add.kind == ExperimentKind::probe && population.settings.judgedByHarness) {
        return usageError("a campaign on a command pack has no probes: our own judge measures them", {},
                          "Measure it with kernel-scientist-cli probe");
    }
    if (add.kind == ExperimentKind::probe && population.settings.scientist != ScientistKind::model) {
        return usageError("the tuner writes no probes", {},
                          "Measure it with kernel-scientist-cli probe, or let a model write: steer FILE.gks "
                          "scientist model");
    }
    GKS_TRY(noGainOfProbe(add.kind, add.predicted));
    GKS_TRY(checkText("the description", add.description, limits::experimentDescriptionBytes));
    GKS_TRY(checkLength("the rubric", add.rubric, limits::experimentRubricBytes));
    return prediction(add.predicted, add.innovation);
}

Result<void> CommandRules::operator()(const command::ReorderExperiments& reorder) const {
    for (const ExperimentId id : reorder.order) {
        GKS_TRY(experiment(id));
    }
    return {};
}

Result<void> CommandRules::operator()(const command::AskForAvenue& ask) const {
    const Avenue* known = population.avenue(ask.avenue);
    if (known == nullptr) {
        return usageError(fmt::format("there is no avenue {}", ask.avenue));
    }
    if (known->asked == ask.asked) {
        return usageError(fmt::format("avenue {} is {}", known->id, ask.asked ? "asked for already" : "not asked for"));
    }
    if (const Experiment* taken = ask.asked ? population.takenUpBy(known->id) : nullptr) {
        return usageError(fmt::format("experiment {} has taken up avenue {}", taken->id, known->id), {},
                          "Approve that experiment instead");
    }
    const std::size_t asked = askedAvenues(population).size();
    return !ask.asked || asked < limits::askedAvenues
               ? Result<void>()
               : usageError(fmt::format("{} avenues are asked for already", asked), {}, "Drop one of them first");
}

} // namespace gks
