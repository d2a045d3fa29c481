// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"
#include "core/campaign/types.h"

// How the store changes states: by the rules (mayBecome), from the state that the file has. A change that started from
// an older copy is refused.
namespace gks {

Result<void> checkTransition(const Database& database, ExperimentId id, ExperimentState to);
Result<void> checkTransition(const Database& database, std::int64_t finding, FindingState to);
Result<void> enterState(Database& database, KernelId id, KernelState to);

Result<ExperimentState> storedState(const Database& database, ExperimentId id);

// What a verdict on one of its drafts makes of an experiment: `wanted`, unless the experiment has gone on since. A
// rejected one stays rejected: a person decided that.
Result<ExperimentState> stateAfterVerdict(const Database& database, ExperimentId id, ExperimentState wanted);

// Work that was in flight goes back to where it can start again. Returns how much.
Result<int> takeBackWork(Database& database);

} // namespace gks
