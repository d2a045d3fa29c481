// SPDX-License-Identifier: GPL-3.0-or-later
// Code that a program for gfx950 loads: hipRTC compiles for its device, and code for gfx942 is none for it.
#include "../check.h"

#include <hip/hiprtc.h>

__global__ void ofTheProgram(int* to) {
    *to = 1;
}

namespace {

std::vector<char> codeFor(const std::vector<const char*>& options) {
    const char* const source = "extern \"C\" __global__ void k(int* to) {\n"
                               "#ifdef __gfx950__\n    *to = 950;\n#endif\n}";
    hiprtcProgram program = nullptr;
    std::size_t bytes = 0;
    std::vector<char> code;
    if (hiprtcCreateProgram(&program, source, "k.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS &&
        hiprtcCompileProgram(program, static_cast<int>(options.size()), const_cast<const char**>(options.data())) ==
            HIPRTC_SUCCESS &&
        hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS) {
        code.resize(bytes);
        (void)hiprtcGetCode(program, code.data());
    }
    (void)hiprtcDestroyProgram(&program);
    return code;
}

} // namespace

int main() {
    const std::vector<char> own = codeFor({}), earlier = codeFor({"--offload-arch=gfx942"});
    hipModule_t module = nullptr;
    const bool isRefused = hipModuleLoadData(&module, earlier.data()) == hipErrorNoBinaryForGpu &&
                           hipGetLastError() == hipErrorNoBinaryForGpu;
    expect("code for gfx942", isRefused);
    hipFunction_t function = nullptr;
    HIP_CHECK(hipModuleLoadData(&module, own.data()));
    HIP_CHECK(hipModuleGetFunction(&function, module, "k"));
    Device<int> to(1);
    int* pointer = to.get();
    void* arguments[] = {&pointer};
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    expect("code for the program's device", to.read()[0] == 950);
    HIP_CHECK(hipModuleUnload(module));
    return verdict();
}
