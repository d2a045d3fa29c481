// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace gks {

struct FunctionCode {
    std::map<std::string, int>
        instructions; // by class: valu, salu, vmem_load, vmem_store, lds, mfma, branch, barrier, waitcnt, ...
    std::map<std::string, int> multiplies; // by the type of their factors, see multiply_type.h
    int codeBytes = 0;                     // without the padding behind it
};

// Reads `llvm-objdump -d --no-leading-addr --no-show-raw-insn`: functions by symbol.
Result<std::map<std::string, FunctionCode, std::less<>>> readDisassembly(std::string_view text);

// "v_mfma_f32_32x32x16_fp8_fp8" -> "mfma"
std::string_view instructionClass(std::string_view mnemonic);

} // namespace gks
