// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

int main(int argumentCount, char** arguments) {
    using namespace gks::cli;
    return runProgram({&doctorCommand, &problemsCommand,     &evaluateCommand, &inspectCommand,   &planCommand,
                       &probeCommand,  &tuneCommand,         &modelsCommand,   &newCommand,       &runCommand,
                       &runsCommand,   &attachCommand,       &steerCommand,    &showCommand,      &copyCommand,
                       &forkCommand,   &conversationCommand, &findingsCommand, &documentsCommand, &knowledgeCommand,
                       &reportCommand, &replayCommand,       &exportCommand,   &importCommand,    &importProblemCommand,
                       &mcpCommand},
                      argumentCount, arguments);
}
