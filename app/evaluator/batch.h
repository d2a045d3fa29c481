// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks {

// `--batch IN OUT`: works off the jobs of a folder lane. The exit status.
int runBatchProgram(int argumentCount, char** arguments);

} // namespace gks
