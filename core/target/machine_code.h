// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Machine code beside the source that it was made from.
namespace gks {

// What a person asks first of an instruction: where it goes, and whether the wave waits.
enum class InstructionCost { arithmetic, matrix, globalMemory, lds, scratch, scalarMemory, wait, barrier, branch };
std::string_view name(InstructionCost cost); // "arithmetic", "matrix", "global memory", ...

struct MachineInstruction {
    std::string text; // "v_add_f32_e32 v1, v2, v3"; of a branch with its target: "s_branch <+0x44>"
    InstructionCost cost = InstructionCost::arithmetic;
    std::uint64_t offset = 0; // bytes from the begin of the function
    int line = 0;             // of the kernel's source, from 1; 0: of a header, or the compiler does not say
    std::string place = {};   // of a header: "amd_warp_functions.h:212"
    bool operator==(const MachineInstruction&) const = default;
};
struct MachineFunction {
    std::string name; // as it stands in the source
    std::vector<MachineInstruction> instructions;
    bool operator==(const MachineFunction&) const = default;
};
struct MachineCode {
    std::string architecture; // "gfx942"
    std::vector<MachineFunction> functions;
    bool isCut = false; // there was more than anybody reads
    bool operator==(const MachineCode&) const = default;

    std::size_t instructionTotal() const;
};

// What was read `where`, or that it holds no instruction.
Result<MachineCode> codeOfKernels(MachineCode code, std::string_view where);

// Reads `llvm-objdump -d -l --no-leading-addr --no-show-raw-insn` of a code object with line tables. The text is
// hostile: what is beyond a bound is left out and said, control characters are replaced. `sourceFile` is the name of
// the kernel's own file, without its folder.
Result<MachineCode> readMachineCode(std::string_view disassembly, const std::string& architecture,
                                    std::string_view sourceFile = "kernel.hip");

// How many instructions of each cost there are; those that are not there are left out.
std::map<InstructionCost, int> costsOf(const MachineCode& code);
// What a line of source became, over all functions.
std::vector<const MachineInstruction*> instructionsOf(const MachineCode& code, int line);

// Without what differs in every build: "v_add_f32_e32 v, v, v", "ds_read_b128 v[4], v offset:16", "s_branch".
std::string normalizedInstruction(std::string_view text);
// One instruction a line, functions by a line of their own: for people (with line numbers of the source) and,
// normalised, to be compared.
std::string listingText(const MachineCode& code);
std::string normalizedListing(const MachineCode& code);

} // namespace gks
