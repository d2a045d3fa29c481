// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gks {

// "gemm" of "void gemm<64>(float*, int)", as a report and as a source call it.
std::string bareFunctionName(std::string_view name);

// The bare name of the __global__ function whose text has this line, from 1; empty: none has. For people who move a
// cursor: braces are counted, comments and macros are not understood.
std::string globalFunctionAt(std::string_view source, int line);

} // namespace gks
