// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/machine_code.h"

// The code of NVIDIA's devices beside its source: SASS, which the device runs, and PTX, from which it is made.
namespace gks {

// Reads `nvdisasm -g -c` of a cubin with line tables ("sm_90a"). The text is hostile: it is bounded as that of
// readMachineCode() is.
Result<MachineCode> readSass(std::string_view disassembly, const std::string& architecture,
                             std::string_view sourceFile = "kernel.hip");
// Reads PTX with line tables. Its instructions have no bytes: offsets count them.
Result<MachineCode> readPtx(std::string_view text, const std::string& architecture,
                            std::string_view sourceFile = "kernel.hip");

InstructionCost costOfSass(std::string_view instruction);
InstructionCost costOfPtx(std::string_view instruction);
// Without the numbers of registers and targets, as normalizedInstruction() is: "@!P LDG.E R, desc[UR][R.64]".
std::string normalizedNvidiaInstruction(std::string_view text);

} // namespace gks
