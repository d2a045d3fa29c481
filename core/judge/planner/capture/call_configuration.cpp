// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/api_names.h"
#include "core/judge/planner/capture/launches.h"

#include <vector>

// kernel<<<...>>>(arguments) is a call with what stands between the brackets, and then one of a function that the
// compiler has made for the kernel, with the arguments. Bytes of a structure that nobody writes are in the second call
// whatever lies on the stack below its caller, and the first call leaves zeros there: a plan is the same every time.

using namespace gks::hipcpu;

namespace {

struct CallConfiguration {
    Dim3 grid;
    Dim3 block;
    std::size_t dynamicLdsBytes;
    HipStream stream;
    void* caller;
};
thread_local std::vector<CallConfiguration> callConfigurations;

} // namespace

extern "C" HipError gksPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes, HipStream stream,
                                             void* caller) {
    callConfigurations.push_back({grid, block, dynamicLdsBytes, stream, caller});
    return hipSuccess;
}

#define GKS_TEXT_OF(text) #text
#define GKS_TEXT(text) GKS_TEXT_OF(text)
#if !defined(__x86_64__)
#error "write this function for the machine's calling convention"
#endif
// All arguments are in registers; the address that it returns to becomes the seventh. Then 16 KiB below the caller's
// frame are cleared.
asm(".text\n"
    ".globl " GKS_TEXT(GKS_INTERNAL_API(
        PushCallConfiguration)) "\n"
                                ".type " GKS_TEXT(GKS_INTERNAL_API(PushCallConfiguration)) ", @function\n" GKS_TEXT(
                                    GKS_INTERNAL_API(
                                        PushCallConfiguration)) ":\n"
                                                                "    pushq (%rsp)\n"
                                                                "    call gksPushCallConfiguration\n"
                                                                "    addq $8, %rsp\n"
                                                                "    movl %eax, %edx\n"
                                                                "    leaq -16384(%rsp), %rdi\n"
                                                                "    movl $2048, %ecx\n"
                                                                "    xorl %eax, %eax\n"
                                                                "    rep stosq\n"
                                                                "    movl %edx, %eax\n"
                                                                "    ret\n"
                                                                ".size " GKS_TEXT(GKS_INTERNAL_API(PushCallConfiguration)) ", . - " GKS_TEXT(
                                                                    GKS_INTERNAL_API(PushCallConfiguration)) "\n");

#pragma GCC visibility push(default)
extern "C" {

HipError GKS_INTERNAL_API(PopCallConfiguration)(Dim3* grid, Dim3* block, std::size_t* dynamicLdsBytes,
                                                HipStream* stream) {
    if (callConfigurations.empty()) {
        return remember(hipErrorMissingConfiguration);
    }
    const CallConfiguration& top = callConfigurations.back();
    *grid = top.grid;
    *block = top.block;
    *dynamicLdsBytes = top.dynamicLdsBytes;
    *stream = top.stream;
    gks::capture::setLaunchPlace(top.caller);
    callConfigurations.pop_back();
    return hipSuccess;
}
}
#pragma GCC visibility pop
