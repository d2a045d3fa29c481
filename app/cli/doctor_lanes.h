// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace gks::cli {

// `doctor --lanes SPEC`: comes to each lane as a run would, and says what is there or why not and what to do. Exit
// status: 0 when all are ready, else 3.
int runDoctorOfLanes(const Arguments& arguments);

} // namespace gks::cli
