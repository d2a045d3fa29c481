// SPDX-License-Identifier: GPL-3.0-or-later
// What the cpu target lacks of hipRTC: an error of the call, and a line that names it.
#include "../check.h"

#include <hip/hiprtc.h>

int main() {
    hiprtcProgram program = nullptr;
    bool isRight = hiprtcCreateProgram(&program, "", "empty.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS;
    std::size_t bytes = 0;
    isRight = isRight && hiprtcGetBitcodeSize(program, &bytes) == HIPRTC_ERROR_INVALID_PROGRAM;
    expect("bitcode", isRight && hiprtcGetBitcode(program, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
    hiprtcLinkState state = nullptr;
    expect("linking", hiprtcLinkCreate(0, nullptr, nullptr, &state) == HIPRTC_ERROR_LINKING &&
                          hiprtcLinkDestroy(state) == HIPRTC_ERROR_LINKING);
    return verdict();
}
