// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_service.h"

#include <csignal>
#include <unistd.h>

int main() {
    std::signal(SIGPIPE, SIG_IGN); // whoever asked has gone: the end of the input says so
    return gks::serveEvaluations(STDIN_FILENO, STDOUT_FILENO);
}
