// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <string_view>

// Which commands of a person are refused, and why.
namespace gks {

// Of a text, in bytes: not too long; nor empty.
Result<void> checkLength(std::string_view what, std::string_view text, std::size_t limitBytes);
Result<void> checkText(std::string_view what, std::string_view text, std::size_t limitBytes);
// What is no number is in no range.
Result<void> checkRange(std::string_view what, double value, double least, double most);

// One overload for each command: a new command without its own does not compile (command_rules.cpp).
struct CommandRules {
    const Population& population;

    // Kernels and what is thought of their code (command_rules_kernels.cpp).
    Result<void> operator()(const command::PinParent& pin) const;
    Result<void> operator()(const command::SetBanned& set) const;
    Result<void> operator()(const command::EvaluateAgain& again) const;
    Result<void> operator()(const command::MeasureSideBySide& asked) const;
    Result<void> operator()(const command::UnaskComparison& taken) const;
    Result<void> operator()(const command::AddKernel& add) const;
    Result<void> operator()(const command::ApproveCode& approve) const;
    Result<void> operator()(const command::RejectCode& reject) const;
    Result<void> operator()(const command::SendBackCode& send) const;
    Result<void> operator()(const command::ReopenCode& reopen) const;
    Result<void> operator()(const command::EditCode& edit) const;

    // Experiments and avenues (command_rules_experiments.cpp).
    Result<void> operator()(const command::ApproveExperiment& approve) const;
    Result<void> operator()(const command::RejectExperiment& reject) const;
    Result<void> operator()(const command::EditExperiment& edit) const;
    Result<void> operator()(const command::RestoreExperiment& restore) const;
    Result<void> operator()(const command::AddExperiment& add) const;
    Result<void> operator()(const command::ReorderExperiments& reorder) const;
    Result<void> operator()(const command::AskForAvenue& ask) const;

    // What the campaign goes by (command_rules_settings.cpp).
    Result<void> operator()(const command::RestoreLane& restore) const;
    Result<void> operator()(const command::SetMode&) const { return {}; } // every mode, from every other
    Result<void> operator()(const command::SetBudgets& set) const;
    Result<void> operator()(const command::SetScientist& set) const;
    Result<void> operator()(const command::SetHint& set) const;
    // A shape is known once kernels were compared on it: then nobody weighs one that a typing error made.
    Result<void> operator()(const command::SetShapeWeights& set) const;
    Result<void> operator()(const command::SetPolicies& set) const;
    Result<void> operator()(const command::SetPrompt& set) const;

    // Findings and documents (command_rules_knowledge.cpp).
    Result<void> operator()(const command::AddFinding& add) const;
    Result<void> operator()(const command::EditFinding& edit) const;
    Result<void> operator()(const command::AddDocument& add) const;
    Result<void> operator()(const command::EditDocument& edit) const;
    Result<void> operator()(const command::RemoveDocument& remove) const;

    // What stands in the way of these is the state of the loop, not the campaign's.
    Result<void> operator()(const command::Start&) const { return {}; }
    Result<void> operator()(const command::Pause&) const { return {}; }
    Result<void> operator()(const command::Step&) const { return {}; }
    Result<void> operator()(const command::Stop&) const { return {}; }
    Result<void> operator()(const command::CancelCurrent&) const { return {}; }

private:
    // What several of them ask.
    Result<const Kernel*> kernel(KernelId id) const;
    // One of the problem's: what is asked of it makes no sense of a probe.
    Result<const Kernel*> problemKernel(KernelId id) const;
    Result<const Experiment*> experiment(ExperimentId id) const;
    Result<const Document*> document(std::int64_t id) const;
    Result<void> parent(KernelId id) const;
    Result<void> goodEnough(Kernel known) const;
    // What is banned is not pinned; what is banned while it is pinned is pinned no more (CommandDesk).
    Result<void> notBanned(KernelId id, std::string_view as) const;
    Result<void> reference(KernelId id, std::optional<KernelId> parent) const;
    // The one of the two that is banned is banned no longer by then.
    Result<void> pinnedAgain(const Kernel& freed, const command::PinParent& pin) const;
    Result<void> newSource(const std::string& source, bool isOfProbe = false) const;
    // Of the drafts of one experiment one at a time: the file remembers one.
    Result<void> noOtherGoesBack(const Kernel& draft) const;
    Result<void> declinable(KernelId id) const;
    Result<void> notAsked(const Kernel& known) const;
    Result<void> decided(const Experiment& known) const;
    Result<void> prediction(const std::optional<Interval>& gain, int innovation) const;
    Result<void> writer(const std::string& named) const;
    Result<void> noGainOfProbe(ExperimentKind kind, const std::optional<Interval>& gain) const;
};

} // namespace gks
