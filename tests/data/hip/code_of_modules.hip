// SPDX-License-Identifier: GPL-3.0-or-later
// A program without device code of its own: the first code object that it loads says what the device is.
#include "check.h"

#include <cstring>
#include <hip/hiprtc.h>
#include <string>

namespace {

std::vector<char> codeFor(const char* architecture) {
    const std::string option = std::string("--offload-arch=") + architecture;
    const char* options[] = {option.c_str()};
    hiprtcProgram program = nullptr;
    std::size_t bytes = 0;
    std::vector<char> code;
    if (hiprtcCreateProgram(&program, "extern \"C\" __global__ void k() {}", "k.cu", 0, nullptr, nullptr) ==
            HIPRTC_SUCCESS &&
        hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS &&
        hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS) {
        code.resize(bytes);
        (void)hiprtcGetCode(program, code.data());
    }
    (void)hiprtcDestroyProgram(&program);
    return code;
}

} // namespace

int main() {
    const std::vector<char> later = codeFor("gfx950"), earlier = codeFor("gfx942");
    hipModule_t module = nullptr, other = nullptr;
    HIP_CHECK(hipModuleLoadData(&module, later.data()));
    hipDeviceProp_t device{};
    HIP_CHECK(hipGetDeviceProperties(&device, 0));
    expect("the device is the first object's", std::strncmp(device.gcnArchName, "gfx950", 6) == 0);
    const bool isRefused = hipModuleLoadData(&other, earlier.data()) == hipErrorNoBinaryForGpu &&
                           hipGetLastError() == hipErrorNoBinaryForGpu;
    HIP_CHECK(hipModuleUnload(module));
    HIP_CHECK(hipModuleLoadData(&module, later.data()));
    expect("and it stays that", isRefused);
    HIP_CHECK(hipModuleUnload(module));
    return verdict();
}
