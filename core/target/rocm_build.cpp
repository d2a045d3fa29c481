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

} // namespace gks
