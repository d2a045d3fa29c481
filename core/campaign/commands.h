// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <variant>

// What a person asks of a campaign, as values: the window and the command line make them, the engine's loop carries
// them out, the history keeps a line of each. A new command is a type here, a line of the history in commands.cpp, what
// is refused in command_rules.h and a handler in core/engine; the compiler asks for each of them. What is optional in
// a change stays as it is when it is empty.
namespace gks {
namespace command {

struct Start {
    bool operator==(const Start&) const = default;
};
struct Pause { // finishes what is being evaluated, starts nothing new
    bool operator==(const Pause&) const = default;
};
struct Step { // one round: select, design, write and evaluate what is picked or approved, then paused
    bool operator==(const Step&) const = default;
};
struct Stop { // kills work in flight, then idle
    bool operator==(const Stop&) const = default;
};
struct CancelCurrent { // kills the evaluation or model call in flight; its kernel waits, the loop is paused
    bool operator==(const CancelCurrent&) const = default;
};

struct PinParent { // without a parent the scientist chooses again
    std::optional<KernelId> parent = {};
    std::optional<KernelId> reference = {};
    bool operator==(const PinParent&) const = default;
};
struct SetBanned {
    KernelId kernel = 0;
    bool banned = true;
    std::optional<PinParent> pin = {}; // with the end of a ban: what it took away is pinned again
    bool operator==(const SetBanned&) const = default;
};
struct EvaluateAgain {
    KernelId kernel = 0;
    bool operator==(const EvaluateAgain&) const = default;
};
// On a lane of the campaign, as soon as one is free; the result stays with `kernel`.
struct MeasureSideBySide {
    KernelId kernel = 0;
    KernelId other = 0;
    bool allShapes = true;
    bool operator==(const MeasureSideBySide&) const = default;
};
struct UnaskComparison { // one that waits; a measurement in flight goes on
    KernelId kernel = 0;
    KernelId other = 0;
    bool allShapes = true;
    bool operator==(const UnaskComparison&) const = default;
};
// A lane whose device hangs, is gone or failed twice in a row gets no more work (CampaignSettings::lanesOut) until a
// person says so here, or starts the campaign again when no lane is left.
struct RestoreLane {
    std::string lane = {};
    bool operator==(const RestoreLane&) const = default;
};
struct AddKernel { // hand-edited; evaluated before anything else
    KernelId basis = 0;
    std::string title = {};
    std::string source = {};
    bool operator==(const AddKernel&) const = default;
};

// What a person says of a draft's code (Policies::checkCode).
struct ApproveCode { // of one that was declined too
    KernelId kernel = 0;
    bool operator==(const ApproveCode&) const = default;
};
struct RejectCode { // and its experiment
    KernelId kernel = 0;
    std::string remark = {};
    bool operator==(const RejectCode&) const = default;
};
struct SendBackCode { // its writer is given the code and the remark, and writes another draft
    KernelId kernel = 0;
    std::string remark = {};
    bool operator==(const SendBackCode&) const = default;
};
struct ReopenCode { // of one that was declined, or approved and not evaluated yet: it waits for the person again
    KernelId kernel = 0;
    bool operator==(const ReopenCode&) const = default;
};
struct EditCode { // the person's source in the place of the draft, under the same experiment
    KernelId kernel = 0;
    std::string source = {};
    bool operator==(const EditCode&) const = default;
};

struct ApproveExperiment {
    ExperimentId experiment = 0;
    bool operator==(const ApproveExperiment&) const = default;
};
struct RejectExperiment {
    ExperimentId experiment = 0;
    bool operator==(const RejectExperiment&) const = default;
};
struct EditExperiment { // marks it as edited by a person, unless the writer alone is named
    ExperimentId experiment = 0;
    std::optional<std::string> description = {};
    std::optional<std::string> rubric = {};
    std::optional<Interval> predicted = {};
    std::optional<int> innovation = {};
    std::optional<std::string> writer = {}; // by name, or ownWriter; "": whoever's turn it is
    bool operator==(const EditExperiment&) const = default;
};
// Everything that a person decides of an experiment, as it stood before a decision: taking one back asks for it.
struct RestoreExperiment {
    ExperimentId experiment = 0;
    ExperimentState state = ExperimentState::proposed;
    std::string description = {};
    std::string rubric = {};
    std::optional<Interval> predicted = {};
    int innovation = 0;
    std::string writer = {};
    bool editedByPerson = false;
    bool operator==(const RestoreExperiment&) const = default;
};
struct AddExperiment { // a person's own, approved
    KernelId parent = 0;
    std::optional<KernelId> reference = {}; // the second parent of a merge or a dispatch
    ExperimentKind kind = ExperimentKind::change;
    std::string description = {};
    std::string rubric = {};
    std::optional<Interval> predicted = {};
    int innovation = 0;
    std::map<std::string, std::string> tunables = {};
    std::string writer = {}; // as in EditExperiment
    bool operator==(const AddExperiment&) const = default;
};
struct ReorderExperiments { // these first, the others behind them
    std::vector<ExperimentId> order = {};
    bool operator==(const ReorderExperiments&) const = default;
};

// The next design has an experiment that takes it up, or no longer has to.
struct AskForAvenue {
    AvenueId avenue = 0;
    bool asked = true;
    bool operator==(const AskForAvenue&) const = default;
};

struct SetMode {
    Mode mode = Mode::automatic;
    bool operator==(const SetMode&) const = default;
};
struct SetBudgets {
    Budgets budgets = {};
    bool operator==(const SetBudgets&) const = default;
};
struct SetScientist {
    ScientistKind kind = ScientistKind::tuner;
    std::map<std::string, ModelChoice> models = {};
    bool operator==(const SetScientist&) const = default;
};
struct SetHint {
    std::string hint = {};
    std::string stage = {}; // by name; empty: in every prompt
    bool operator==(const SetHint&) const = default;
};
// All of them: what is not named counts as much as before there were any.
struct SetShapeWeights {
    ShapeWeights weights = {};
    bool operator==(const SetShapeWeights&) const = default;
};
struct SetPolicies {
    Policies policies = {};
    bool operator==(const SetPolicies&) const = default;
};
struct SetPrompt { // without a text: the one that comes with the program
    std::string name = {};
    std::optional<std::string> text = {};
    bool operator==(const SetPrompt&) const = default;
};

struct AddFinding {
    std::string subject = {};
    std::string text = {};
    bool operator==(const AddFinding&) const = default;
};
struct EditFinding { // words that a person has written stay
    std::int64_t finding = 0;
    std::optional<std::string> subject = {};
    std::optional<std::string> text = {};
    std::optional<FindingState> state = {};
    bool operator==(const EditFinding&) const = default;
};
struct AddDocument {
    Document document = {};
    std::vector<Passage> passages = {};
    bool operator==(const AddDocument&) const = default;
};
struct EditDocument {
    std::int64_t document = 0;
    std::optional<std::string> title = {};
    std::optional<std::string> digest = {};
    std::optional<bool> enabled = {};
    bool operator==(const EditDocument&) const = default;
};
struct RemoveDocument {
    std::int64_t document = 0;
    bool operator==(const RemoveDocument&) const = default;
};

} // namespace command

using SteeringCommand =
    std::variant<command::Start, command::Pause, command::Step, command::Stop, command::CancelCurrent,
                 command::PinParent, command::SetBanned, command::EvaluateAgain, command::MeasureSideBySide,
                 command::UnaskComparison, command::RestoreLane, command::AddKernel, command::ApproveCode,
                 command::RejectCode, command::SendBackCode, command::ReopenCode, command::EditCode,
                 command::ApproveExperiment, command::RejectExperiment, command::EditExperiment,
                 command::RestoreExperiment, command::AddExperiment, command::ReorderExperiments, command::AskForAvenue,
                 command::SetMode, command::SetBudgets, command::SetScientist, command::SetHint,
                 command::SetShapeWeights, command::SetPolicies, command::SetPrompt, command::AddFinding,
                 command::EditFinding, command::AddDocument, command::EditDocument, command::RemoveDocument>;

command::PinParent pinOf(const CampaignSettings& settings);
command::PinParent pinWithout(const command::PinParent& pin, KernelId banned); // what of it a ban leaves

// The line that a command leaves in the history. `before` is the population that it was given to, `made` the id of what
// it added.
Steering historyLine(const SteeringCommand& command, const Population& before, std::int64_t made = 0);

std::string title(const Experiment& experiment); // "12: Set UNROLL to 4", for the history

} // namespace gks
