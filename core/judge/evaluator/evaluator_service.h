// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks {

// The evaluator program: requests as JSON lines on `input`, events on `output`, one evaluation at a time. Returns when
// the input ends or `quit` comes; what runs then is cancelled.
int serveEvaluations(int input, int output);

} // namespace gks
