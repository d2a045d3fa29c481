// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

// What the fields of every command are called between programs, once, for whoever writes or reads them: `see` is given
// each field's name and the field. The compiler asks for a command that is missing here.
namespace gks::command_fields {

template<class T, class Wanted>
concept Is = std::same_as<std::remove_const_t<T>, Wanted>;

// In the order of SteeringCommand.
inline constexpr std::array<std::string_view, std::variant_size_v<SteeringCommand>> names = {"start",
                                                                                             "pause",
                                                                                             "step",
                                                                                             "stop",
                                                                                             "cancel-current",
                                                                                             "pin-parent",
                                                                                             "set-banned",
                                                                                             "evaluate-again",
                                                                                             "measure-side-by-side",
                                                                                             "unask-comparison",
                                                                                             "restore-lane",
                                                                                             "add-kernel",
                                                                                             "approve-code",
                                                                                             "reject-code",
                                                                                             "send-back-code",
                                                                                             "reopen-code",
                                                                                             "edit-code",
                                                                                             "approve-experiment",
                                                                                             "reject-experiment",
                                                                                             "edit-experiment",
                                                                                             "restore-experiment",
                                                                                             "add-experiment",
                                                                                             "reorder-experiments",
                                                                                             "ask-for-avenue",
                                                                                             "set-mode",
                                                                                             "set-budgets",
                                                                                             "set-scientist",
                                                                                             "set-hint",
                                                                                             "set-shape-weights",
                                                                                             "set-policies",
                                                                                             "set-prompt",
                                                                                             "add-finding",
                                                                                             "edit-finding",
                                                                                             "add-document",
                                                                                             "edit-document",
                                                                                             "remove-document"};

// Start, Pause, Step, Stop and CancelCurrent have none; the compiler asks for those of any other.
template<class C>
    requires std::is_empty_v<std::remove_const_t<C>>
void fields(C& /*command*/, auto&& /*see*/) {}
void fields(Is<command::PinParent> auto& c, auto&& see) {
    see("parent", c.parent);
    see("reference", c.reference);
}
void fields(Is<command::SetBanned> auto& c, auto&& see) {
    see("kernel", c.kernel);
    see("banned", c.banned);
    see("pin", c.pin);
}
template<class C>
    requires Is<C, command::EvaluateAgain> || Is<C, command::ApproveCode> || Is<C, command::ReopenCode>
void fields(C& c, auto&& see) {
    see("kernel", c.kernel);
}
template<class C>
    requires Is<C, command::MeasureSideBySide> || Is<C, command::UnaskComparison>
void fields(C& c, auto&& see) {
    see("kernel", c.kernel);
    see("other", c.other);
    see("all_shapes", c.allShapes);
}
void fields(Is<command::RestoreLane> auto& c, auto&& see) {
    see("lane", c.lane);
}
void fields(Is<command::AddKernel> auto& c, auto&& see) {
    see("basis", c.basis);
    see("title", c.title);
    see("source", c.source);
}
template<class C>
    requires Is<C, command::RejectCode> || Is<C, command::SendBackCode>
void fields(C& c, auto&& see) {
    see("kernel", c.kernel);
    see("remark", c.remark);
}
void fields(Is<command::EditCode> auto& c, auto&& see) {
    see("kernel", c.kernel);
    see("source", c.source);
}
template<class C>
    requires Is<C, command::ApproveExperiment> || Is<C, command::RejectExperiment>
void fields(C& c, auto&& see) {
    see("experiment", c.experiment);
}
void fields(Is<command::EditExperiment> auto& c, auto&& see) {
    see("experiment", c.experiment);
    see("description", c.description);
    see("rubric", c.rubric);
    see("predicted", c.predicted);
    see("innovation", c.innovation);
    see("writer", c.writer);
}
void fields(Is<command::RestoreExperiment> auto& c, auto&& see) {
    see("experiment", c.experiment);
    see("state", c.state);
    see("description", c.description);
    see("rubric", c.rubric);
    see("predicted", c.predicted);
    see("innovation", c.innovation);
    see("writer", c.writer);
    see("edited_by_person", c.editedByPerson);
}
void fields(Is<command::AddExperiment> auto& c, auto&& see) {
    see("parent", c.parent);
    see("reference", c.reference);
    see("kind", c.kind);
    see("description", c.description);
    see("rubric", c.rubric);
    see("predicted", c.predicted);
    see("innovation", c.innovation);
    see("tunables", c.tunables);
    see("writer", c.writer);
}
void fields(Is<command::ReorderExperiments> auto& c, auto&& see) {
    see("order", c.order);
}
void fields(Is<command::AskForAvenue> auto& c, auto&& see) {
    see("avenue", c.avenue);
    see("asked", c.asked);
}
void fields(Is<command::SetMode> auto& c, auto&& see) {
    see("mode", c.mode);
}
void fields(Is<command::SetBudgets> auto& c, auto&& see) {
    see("budgets", c.budgets);
}
void fields(Is<command::SetScientist> auto& c, auto&& see) {
    see("kind", c.kind);
    see("models", c.models);
}
void fields(Is<command::SetHint> auto& c, auto&& see) {
    see("hint", c.hint);
    see("stage", c.stage);
}
void fields(Is<command::SetShapeWeights> auto& c, auto&& see) {
    see("weights", c.weights);
}
void fields(Is<command::SetPolicies> auto& c, auto&& see) {
    see("policies", c.policies);
}
void fields(Is<command::SetPrompt> auto& c, auto&& see) {
    see("name_of_prompt", c.name);
    see("text", c.text);
}
void fields(Is<command::AddFinding> auto& c, auto&& see) {
    see("subject", c.subject);
    see("text", c.text);
}
void fields(Is<command::EditFinding> auto& c, auto&& see) {
    see("finding", c.finding);
    see("subject", c.subject);
    see("text", c.text);
    see("state", c.state);
}
void fields(Is<command::AddDocument> auto& c, auto&& see) {
    see("document", c.document);
    see("passages", c.passages);
}
void fields(Is<command::EditDocument> auto& c, auto&& see) {
    see("document", c.document);
    see("title", c.title);
    see("digest", c.digest);
    see("enabled", c.enabled);
}
void fields(Is<command::RemoveDocument> auto& c, auto&& see) {
    see("document", c.document);
}
void fields(Is<Document> auto& c, auto&& see) { // the store gives it its id and time
    see("title", c.title);
    see("kind", c.kind);
    see("sha256", c.sha256);
    see("size_bytes", c.sizeBytes);
    see("passages", c.passages);
    see("digest", c.digest);
    see("enabled", c.enabled);
}
void fields(Is<Passage> auto& c, auto&& see) {
    see("number", c.number);
    see("heading", c.heading);
    see("text", c.text);
}

} // namespace gks::command_fields
