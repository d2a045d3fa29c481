// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks::hipcpu {

// How hipRTC asks for what its name expressions are called: device variables of this name and a number, each holding
// the address of what an expression names, and this option of kernel-scientist-hipcc, whose file has a line for each
// afterwards: the number and the name.
inline constexpr const char* loweredNamePrefix = "hipcpu_lowered_name_";
inline constexpr const char* loweredNamesOption = "--lowered-names";

} // namespace gks::hipcpu
