// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

namespace gks {

// The build of a source's report, with line tables in its code object and the lines of the source in its disassembly.
// They change no instruction. What the compiler says of the source names its true lines, whatever `#line` says, and
// quotes none of them. Nothing of it is stored among the builds: `key` names this listing alone. For an NVIDIA device
// there is a cubin and its disassembly, or, where the machine has no nvdisasm, PTX as the code object and no
// disassembly; there is no report.
Result<BuildPlan> planMachineCode(BuildRequest request);

} // namespace gks
