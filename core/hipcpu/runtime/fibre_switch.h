// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Saves the callee-saved registers and the stack pointer of the running fibre in *saved and continues the one whose
// stack pointer is `next`. The x87 and SSE control words are not switched: device code never changes them.
extern "C" __attribute__((visibility("hidden"))) void gksFibreSwitch(void** saved, void* next);

namespace gks::hipcpu {

// Prepares a stack whose first switch enters `entry`, and returns the stack pointer to switch to. `top` is its highest
// address.
void* prepareFibreStack(char* top, void (*entry)());

} // namespace gks::hipcpu
