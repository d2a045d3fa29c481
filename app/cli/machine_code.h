// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"

namespace gks::cli {

// `inspect --machine-code`: every instruction with the line of the source that it is of, and how many of each cost
// there are; or the same as JSON. Of "gfx942", or "sm_90" for SASS (PTX where nothing reads SASS). What the compiler
// says goes to stderr. The exit status.
int showMachineCode(const EvaluationRequest& request, const std::string& architecture, bool asJson);

} // namespace gks::cli
