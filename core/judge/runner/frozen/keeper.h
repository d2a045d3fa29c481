// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks::frozen {

// The whole of kernel-scientist-cpu-runner: commands in, replies out, until the evaluator goes. Exit status.
int keep();

} // namespace gks::frozen
