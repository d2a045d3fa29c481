// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

inline constexpr const char* letOthersRunName = "hipcpu_let_others_run";

// Whether the function waits for other blocks: sleeps, or reads the same place of memory again and again until somebody
// has written it. Such a loop gets a call of that name.
bool waitsForOthers(llvm::Function& function);

} // namespace gks::hipcpu
