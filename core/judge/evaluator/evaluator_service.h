// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>

namespace gks {

// What is cancelled has so much time to be cleared away, then SIGALRM ends this process, and what it has started ends
// with it (core/judge/confine/guard.cpp). Async-signal-safe.
void endSoon();

// The evaluator program: requests as JSON lines on `input`, events on `output`, one evaluation at a time. Returns when
// the input ends, when `quit` comes or when nothing has come for `patience`: whoever asks from another machine may be
// cut off without an end of the input, and says from time to time that it is there. What runs then is cancelled.
int serveEvaluations(int input, int output, std::optional<std::chrono::seconds> patience = {});

} // namespace gks
