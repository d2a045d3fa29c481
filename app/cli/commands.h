// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace gks::cli {

extern const Command attachCommand;
extern const Command conversationCommand;
extern const Command copyCommand;
extern const Command doctorCommand;
extern const Command documentsCommand;
extern const Command evaluateCommand;
extern const Command exportCommand;
extern const Command findingsCommand;
extern const Command forkCommand;
extern const Command importCommand;
extern const Command importProblemCommand;
extern const Command inspectCommand;
extern const Command knowledgeCommand;
extern const Command mcpCommand;
extern const Command modelsCommand;
extern const Command newCommand;
extern const Command planCommand;
extern const Command probeCommand;
extern const Command problemsCommand;
extern const Command replayCommand;
extern const Command reportCommand;
extern const Command runCommand;
extern const Command runsCommand;
extern const Command showCommand;
extern const Command steerCommand;
extern const Command tuneCommand;

} // namespace gks::cli
