// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/commands.h"

// What decisions are about ("pin", "ban 12", "experiment 3"), and the value that stands there: read from a population,
// and brought back by one command.
namespace gks {

// Empty: the command cannot be taken back. `made`: the id of what it added.
std::string undoSubject(const SteeringCommand& command, std::int64_t made);
Json undoValue(const std::string& subject, const Population& population); // null: there is no such thing
// As it is before an experiment of a person's own is added: as if it had been rejected.
Json undoValue(const command::AddExperiment& add);
bool isSameValue(const std::string& subject, const Json& a, const Json& b);
// What the command changes beside its subject, as a sentence; empty: nothing.
std::string sideEffect(const SteeringCommand& command, const Population& before);
// Throws Json::exception where `want` is of another form: a stranger's file.
Result<SteeringCommand> commandThatRestores(const std::string& subject, const Json& want, const Population& population);

} // namespace gks
