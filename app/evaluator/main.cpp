// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluator/batch.h"
#include "core/judge/evaluator/evaluator_service.h"
#include "core/judge/protocol.h"

#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <string_view>
#include <unistd.h>

namespace {

int nothing = -1;

// Whoever asks for the end gets what the end of the input gives: all that runs is cancelled and cleared away.
void endInput(int) {
    ::dup2(nothing, STDIN_FILENO);
    gks::endSoon();
}

} // namespace

int main(int argumentCount, char** arguments) {
    const bool isRemote = argumentCount == 2 && std::string_view(arguments[1]) == gks::aliveOption;
    if (argumentCount > 1 && !isRemote) {
        return gks::runBatchProgram(argumentCount, arguments);
    }
    nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    std::signal(SIGPIPE, SIG_IGN); // whoever asked has gone: the end of the input says so
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        std::signal(signal, endInput);
    }
    return isRemote ? gks::serveEvaluations(STDIN_FILENO, STDOUT_FILENO, gks::alivePatience)
                    : gks::serveEvaluations(STDIN_FILENO, STDOUT_FILENO);
}
