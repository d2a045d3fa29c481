// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/rocm_build.h"

namespace gks {

BuildStep rocmModuleStep(const RocmInstallation& rocm, const BuildRequest& request, const std::filesystem::path& source,
                         const std::filesystem::path& module) {
    BuildStep step;
    step.name = "amd module";
    step.arguments = {rocm.compiler.string(), "-x", "hip", "--offload-arch=" + request.target.architecture};
    const std::vector<std::string> places = rocm.flags();
    step.arguments.insert(step.arguments.end(), places.begin(), places.end());
    step.arguments.insert(step.arguments.end(),
                          {"-O3", "-std=c++17", "-fPIC", "-shared", "-Wno-unused-result", "-fno-color-diagnostics",
                           "-ferror-limit=20", "-I", request.folder.string(), source.string(), "-o", module.string()});
    step.readable = rocm.readable;
    step.writable = {request.folder};
    return step;
}

std::vector<BuildStep> amdHalvesSteps(const DeviceCompiler& compiler, const BuildRequest& request,
                                      const std::filesystem::path& source, const std::filesystem::path& hostModule,
                                      const std::filesystem::path& codeObject) {
    const auto compilation = [&](std::string name, const std::vector<std::string>& kind,
                                 const std::filesystem::path& output) {
        BuildStep step;
        step.name = std::move(name);
        step.arguments = {compiler.program.string()};
        step.arguments.insert(step.arguments.end(), compiler.flags.begin(), compiler.flags.end());
        step.arguments.insert(step.arguments.end(), kind.begin(), kind.end());
        step.arguments.insert(step.arguments.end(),
                              {"-I", request.folder.string(), source.string(), "-o", output.string()});
        step.readable = compiler.readable;
        step.writable = {request.folder};
        return step;
    };
    // The compiler's flags are those of device code; the later option counts. Host code names the device code that it
    // would carry: an empty place. Warnings are the other step's, line numbers are for what cannot be planned.
    return {compilation("amd device code", {"-c"}, codeObject),
            compilation("amd host code",
                        {"--cuda-host-only", "-w", "-fPIC", "-shared", "-gline-tables-only", "-fuse-cuid=none",
                         "-no-hip-rt", "-fuse-ld=lld", "-Wl,--defsym=__hip_fatbin=0"},
                        hostModule)};
}

} // namespace gks
