// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/rocm_build.h"

#include <algorithm>
#include <iterator>

namespace gks {

std::vector<BuildStep> amdModuleSteps(const DeviceCompiler& compiler, const BuildRequest& request,
                                      const std::filesystem::path& source, const std::filesystem::path& hostModule,
                                      const std::filesystem::path& codeObject) {
    const auto compilation = [&](std::string name, const std::vector<std::string>& kind,
                                 const std::vector<std::string>& more, const std::filesystem::path& output) {
        BuildStep step;
        step.name = std::move(name);
        step.arguments = {compiler.program.string()};
        for (const auto* const words : {&compiler.flags, &kind}) {
            step.arguments.insert(step.arguments.end(), words->begin(), words->end());
        }
        step.arguments.insert(step.arguments.end(), {"-I", request.folder.string(), source.string()});
        step.arguments.insert(step.arguments.end(), more.begin(), more.end());
        step.arguments.insert(step.arguments.end(), {"-o", output.string()});
        step.readable = compiler.readable;
        step.writable = {request.folder};
        return step;
    };
    // The compiler's flags are those of device code; the later option counts. Warnings are the other step's, line
    // numbers are for what cannot be planned. The name that a compilation gives itself comes from its
    // folder: without it the same source makes the same code object everywhere.
    return {compilation("amd device code", {"-c", "-fuse-cuid=none"}, {}, codeObject),
            compilation("amd host code",
                        {"--cuda-host-only", "-w", "-fPIC", "-shared", "-gline-tables-only", "-fuse-cuid=none",
                         "-no-hip-rt", "-fuse-ld=lld"},
                        {"-x", "assembler", (request.folder / carriedCodeFile).string(), "-x", "none"}, hostModule)};
}

// The compiler's flags are those of device code alone.
BuildStep amdAnchorStep(const DeviceCompiler& compiler, const BuildRequest& request,
                        const std::filesystem::path& source, const std::vector<std::string>& linking,
                        const std::filesystem::path& library) {
    BuildStep step;
    step.name = "amd anchor";
    step.arguments = {compiler.program.string()};
    std::copy_if(
        compiler.flags.begin(), compiler.flags.end(), std::back_inserter(step.arguments),
        [](const std::string& flag) { return flag != "--cuda-device-only" && flag != "--no-gpu-bundle-output"; });
    step.arguments.insert(step.arguments.end(), {"-fPIC", "-shared", "-no-hip-rt", "-fuse-ld=lld", "-I",
                                                 request.folder.string(), source.string()});
    step.arguments.insert(step.arguments.end(), linking.begin(), linking.end());
    step.arguments.insert(step.arguments.end(), {"-o", library.string()});
    step.readable = compiler.readable;
    step.writable = {request.folder};
    return step;
}

// The names differ between versions of the compiler.
std::string_view carriedCode() {
    return R"(        .bss
        .balign 8
        .hidden __hip_fatbin, __hip_fatbin_, __hip_gpubin_handle, __hip_gpubin_handle_
        .globl  __hip_fatbin, __hip_fatbin_, __hip_gpubin_handle, __hip_gpubin_handle_
__hip_fatbin:
__hip_fatbin_:
        .zero 8
__hip_gpubin_handle:
__hip_gpubin_handle_:
        .zero 8
        .section .note.GNU-stack,"",@progbits
)";
}

} // namespace gks
