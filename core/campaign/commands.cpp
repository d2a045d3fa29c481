// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/commands.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/campaign/asked_comparison.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/campaign/undo.h"

#include <fmt/format.h>

// One text for each command.
namespace gks {
namespace {

constexpr std::size_t experimentTextBytes = 80;
constexpr std::size_t textBytes = 200;

struct Line {
    std::string action;
    std::string detail = {};
};

std::string title(ExperimentId id, const std::string& description) {
    return fmt::format("{}: {}", id, abbreviated(description, experimentTextBytes));
}

struct Describe {
    const Population& before;
    std::int64_t made;

    std::string experiment(ExperimentId id) const {
        const Experiment* known = before.experiment(id);
        return known != nullptr ? gks::title(*known) : std::to_string(id);
    }

    Line operator()(const command::Start&) const { return {"start"}; }
    Line operator()(const command::Pause&) const { return {"pause"}; }
    Line operator()(const command::Step&) const { return {"step"}; }
    Line operator()(const command::Stop&) const { return {"stop"}; }
    Line operator()(const command::CancelCurrent&) const { return {"cancel current"}; }

    Line operator()(const command::PinParent& pin) const {
        const std::string reference = pin.reference ? " with reference " + kernelLabel(*pin.reference) : std::string();
        return pin.parent ? Line{"pin parent", kernelLabel(*pin.parent) + reference}
                          : Line{"unpin parent", "the scientist chooses it" + reference};
    }
    Line operator()(const command::SetBanned& set) const {
        const command::PinParent pin = pinOf(before.settings);
        const bool wasPinned = pin != pinWithout(pin, set.kernel);
        return {set.banned ? "ban" : "unban",
                kernelLabel(set.kernel) + (set.banned && wasPinned  ? ", which is pinned no longer"
                                           : !set.banned && set.pin ? ", and what was pinned before"
                                                                    : "")};
    }
    Line operator()(const command::EvaluateAgain& again) const { return {"evaluate again", kernelLabel(again.kernel)}; }
    Line operator()(const command::MeasureSideBySide& asked) const {
        return {"measure side by side", askedText({asked.kernel, asked.other, asked.allShapes})};
    }
    Line operator()(const command::UnaskComparison& taken) const {
        return {"take back side by side", askedText({taken.kernel, taken.other, taken.allShapes})};
    }
    Line operator()(const command::RestoreLane& restore) const { return {"re-enable device", restore.lane}; }
    Line operator()(const command::AddKernel& add) const {
        return {"add kernel", fmt::format("{} from {}", kernelLabel(made), kernelLabel(add.basis))};
    }

    // "00012 A title: what the person says"
    std::string draft(KernelId id, const std::string& remark = {}) const {
        const Kernel* known = before.kernel(id);
        const std::string title = known != nullptr ? " " + abbreviated(known->title, experimentTextBytes) : "";
        return kernelLabel(id) + title + (remark.empty() ? "" : ": " + abbreviated(remark, textBytes));
    }
    Line operator()(const command::ApproveCode& approve) const { return {"approve code", draft(approve.kernel)}; }
    Line operator()(const command::RejectCode& reject) const {
        return {"reject code", draft(reject.kernel, reject.remark)};
    }
    Line operator()(const command::SendBackCode& send) const {
        return {"send code back", draft(send.kernel, send.remark)};
    }
    Line operator()(const command::ReopenCode& reopen) const { return {"reopen code", draft(reopen.kernel)}; }
    Line operator()(const command::EditCode& edit) const {
        return {"edit code", fmt::format("{} in the place of {}", kernelLabel(made), draft(edit.kernel))};
    }

    Line operator()(const command::ApproveExperiment& approve) const {
        return {"approve experiment", experiment(approve.experiment)};
    }
    Line operator()(const command::RejectExperiment& reject) const {
        return {"reject experiment", experiment(reject.experiment)};
    }
    Line operator()(const command::EditExperiment& edit) const {
        const std::string who =
            !edit.writer ? ""
                         : ", writer: " + (edit.writer->empty() ? std::string("whoever's turn it is") : *edit.writer);
        return {"edit experiment",
                (edit.description ? title(edit.experiment, *edit.description) : experiment(edit.experiment)) + who};
    }
    Line operator()(const command::RestoreExperiment& restore) const {
        return {"restore experiment",
                fmt::format("{}, {}", title(restore.experiment, restore.description), name(restore.state))};
    }
    Line operator()(const command::AddExperiment& add) const {
        return {"add experiment", title(made, add.description)};
    }
    Line operator()(const command::ReorderExperiments& reorder) const {
        std::vector<std::string> labels;
        for (const ExperimentId id : reorder.order) {
            labels.push_back(std::to_string(id));
        }
        return {"reorder experiments", join(labels, ", ")};
    }

    Line operator()(const command::AskForAvenue& ask) const {
        const Avenue* known = before.avenue(ask.avenue);
        return {ask.asked ? "ask for avenue" : "drop avenue", title(ask.avenue, known != nullptr ? known->text : "")};
    }

    Line operator()(const command::SetMode& set) const { return {"set mode", std::string(name(set.mode))}; }
    Line operator()(const command::SetBudgets& set) const {
        const Budgets& budgets = set.budgets;
        const auto limit = [](double budget, const std::string& text) {
            return budget > 0 ? text : std::string("unlimited");
        };
        const std::int64_t tokens = budgets.tokens;
        return {"set budgets",
                fmt::format("evaluations {}, minutes {}, {}, tokens {}, device time {}{}{}",
                            limit(static_cast<double>(budgets.evaluations), fmt::format("{}", budgets.evaluations)),
                            limit(budgets.minutes, formatSignificant(budgets.minutes)),
                            budgets.usd > 0 ? formatUsd(budgets.usd) : "cost unlimited",
                            limit(static_cast<double>(tokens), fmt::format("{}", tokens)),
                            limit(budgets.gpuSeconds, formatSeconds(budgets.gpuSeconds)),
                            budgets.goalUs > 0 ? ", goal " + formatMicroseconds(budgets.goalUs) : "",
                            budgets.fruitless > 0
                                ? fmt::format(", experiments without a new best {}", budgets.fruitless)
                                : "")};
    }
    Line operator()(const command::SetScientist& set) const {
        std::vector<std::string> parts = {std::string(name(set.kind))};
        for (const auto& [stage, choice] : set.models) {
            parts.push_back(stage + " " + choice.label());
        }
        return {"set scientist", join(parts, ", ")};
    }
    Line operator()(const command::SetHint& set) const {
        return {"set hint", set.stage.empty() ? set.hint : set.stage + ": " + set.hint};
    }
    Line operator()(const command::SetShapeWeights& set) const {
        return {"set shape weights", abbreviated(weightsText(set.weights), textBytes)};
    }
    Line operator()(const command::SetPolicies& set) const {
        const Policies& policies = set.policies;
        const std::size_t drafts = draftsThatChange(before, policies).size();
        const std::string changed =
            drafts == 0 ? ""
                        : fmt::format(", {} {}", counted(drafts, "draft"),
                                      policies.checkCode ? "to be approved" : "in line without approval");
        return {"set policies",
                fmt::format("parent {}, pick {}, tuning {} evaluations, knowledge {} tokens, reports {}, code {}{}, {} "
                            "calls at a time, {}, {}, another kind {}, hardware counters {}, probes {}",
                            name(policies.selector), name(policies.pick), policies.tuningEvaluations,
                            policies.knowledgeTokens, policies.checkReports ? "checked" : "not checked",
                            policies.checkCode ? "approved by you" : "not asked about", changed, policies.modelCalls,
                            policies.drafts == 1 ? "one draft" : fmt::format("{} drafts", policies.drafts),
                            policies.screening ? "screened" : "not screened",
                            policies.stagnation == 0 ? "never asked for"
                                                     : fmt::format("after {} experiments", policies.stagnation),
                            policies.counters ? "of faster kernels" : "of none",
                            policies.probes ? "first" : "not run")};
    }
    Line operator()(const command::SetPrompt& set) const {
        return {set.text ? "edit prompt" : "reset prompt", set.name};
    }

    Line operator()(const command::AddFinding& add) const { return {"add finding", abbreviated(add.text, textBytes)}; }
    Line operator()(const command::EditFinding& edit) const {
        const Finding* known = before.finding(edit.finding);
        const std::string text = edit.text ? *edit.text : known != nullptr ? known->text : std::string();
        const bool words = edit.subject || edit.text || !edit.state;
        return {words                                    ? "edit finding"
                : *edit.state == FindingState::dismissed ? "dismiss finding"
                                                         : "restore finding",
                abbreviated(fmt::format("{}: {}", edit.finding, text), textBytes)};
    }
    Line operator()(const command::AddDocument& add) const {
        return {"add document", abbreviated(add.document.title, textBytes)};
    }
    Line operator()(const command::EditDocument& edit) const {
        const bool words = edit.title || (edit.digest && edit.enabled) || (!edit.digest && !edit.enabled);
        return {words           ? "edit document"
                : edit.digest   ? "digest document"
                : *edit.enabled ? "enable document"
                                : "disable document",
                edit.title ? abbreviated(*edit.title, textBytes) : document(edit.document)};
    }
    Line operator()(const command::RemoveDocument& remove) const {
        return {"remove document", document(remove.document)};
    }

    std::string document(std::int64_t id) const {
        const Document* known = before.document(id);
        return known != nullptr ? abbreviated(known->title, textBytes) : std::to_string(id);
    }
};

} // namespace

std::string title(const Experiment& experiment) {
    return title(experiment.id, experiment.description);
}

command::PinParent pinOf(const CampaignSettings& settings) {
    return {settings.pinnedParent, settings.pinnedReference};
}

command::PinParent pinWithout(const command::PinParent& pin, KernelId banned) {
    return pin.parent == banned
               ? command::PinParent{}
               : command::PinParent{pin.parent, pin.reference == banned ? std::nullopt : pin.reference};
}

Steering historyLine(const SteeringCommand& command, const Population& before, std::int64_t made) {
    Line line = std::visit(Describe{before, made}, command);
    return {0, Author::person, std::move(line.action), std::move(line.detail), 0, undoRecord(command, before, made)};
}

} // namespace gks
