// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/fibre_switch.h"

#include <cstdint>

#if !defined(__x86_64__)
#error                                                                                                                 \
    "The cpu target switches fibres with x86-64 code; another processor needs its own gksFibreSwitch and prepareFibreStack."
#endif

// After a switch the processor's stack of return addresses belongs to another fibre, and each `ret` on the way out of
// the wait would be mispredicted. So the switch leaves by an indirect jump, the barrier and the matrix instructions end
// in a tail call of it, and the cross-lane exchange, which has a result to fetch after the wait, is written here: C++
// before the switch, C++ after it, and a jump back to the kernel.
asm(R"(
.text
.p2align 4
.globl gksFibreSwitch
.hidden gksFibreSwitch
.type gksFibreSwitch, @function
gksFibreSwitch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
.size gksFibreSwitch, .-gksFibreSwitch

.p2align 4
.globl hipcpu_wave_exchange
.type hipcpu_wave_exchange, @function
hipcpu_wave_exchange:
    pushq %rbx
    movq %rsi, %rbx
    call gksArriveAtExchange
    testq %rax, %rax
    je 1f
    movq %rax, %rdi
    movq %rdx, %rsi
    call gksFibreSwitch
1:
    movq %rbx, %rdi
    call gksExchangeResult
    popq %rbx
    popq %rcx
    jmp *%rcx
.size hipcpu_wave_exchange, .-hipcpu_wave_exchange
)");

namespace gks::hipcpu {

void* prepareFibreStack(char* top, void (*entry)()) {
    auto* slot = reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
    *--slot = 0; // entry never returns; this also leaves the stack aligned as after a call
    *--slot = reinterpret_cast<std::uint64_t>(entry);
    for (int savedRegister = 0; savedRegister < 6; ++savedRegister) {
        *--slot = 0;
    }
    return slot;
}

} // namespace gks::hipcpu
