// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/locations.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <fmt/format.h>

namespace gks {
namespace {

ToolchainFinding program(std::string part, const std::optional<std::filesystem::path>& path, const std::string& version,
                         const char* missing) {
    if (!path) {
        return {std::move(part), false, missing, clangPackages};
    }
    return {
        std::move(part), true, version.empty() ? path->string() : fmt::format("{} at {}", version, path->string()), {}};
}

ToolchainFinding hipHeaders(const Toolchain& tools) {
    if (!tools.headers) {
        return {"HIP headers", false, "hip/hip_runtime.h not found in a ROCm installation or /usr/include",
                hipPackages};
    }
    const std::string own = tools.headers->hasFloat8 ? "" : "; bf16 and fp8 classes are the project's own";
    return {"HIP headers",
            true,
            fmt::format("{} in {}{}", tools.headers->version, (tools.headers->prefix / "include/hip").string(), own),
            {}};
}

ToolchainFinding deviceLibraries(const Toolchain& tools) {
    if (!tools.deviceLibraries) {
        return {"AMD device libraries", false, "ocml.bc not found", deviceLibraryPackages};
    }
    const auto folder = deviceLibraryFolder("gfx942");
    if (!folder) {
        return {"AMD device libraries", false, folder.error().message(), clangPackages};
    }
    const bool completed = *folder != *tools.deviceLibraries;
    return {"AMD device libraries",
            true,
            fmt::format("{}{}", tools.deviceLibraries->string(), completed ? ", completed for gfx942" : ""),
            {}};
}

ToolchainFinding cpuRuntime(const Toolchain& tools) {
    const DeviceList list = listDevices(TargetKind::cpu);
    if (tools.hipcpuFingerprint.empty()) {
        return {"cpu target", false, fmt::format("{} or its device library is missing", tools.hipcc.string()),
                "build or install the whole project"};
    }
    if (list.devices.empty()) {
        return {"cpu target", false, list.reason, "build or install the whole project"};
    }
    return {"cpu target", true, list.devices.front().runtime, {}};
}

ToolchainFinding rocm(const Toolchain& tools) {
    if (!tools.rocm) {
        return {"ROCm", false, "not found in ROCM_PATH, /opt/rocm* or PATH",
                "for AMD GPUs: ROCm 6.2 or later, https://rocm.docs.amd.com"};
    }
    return {"ROCm", true, fmt::format("{} at {}", tools.rocm->version, tools.rocm->root.string()), {}};
}

ToolchainFinding nvcc(const Toolchain& tools) {
    if (!tools.cuda) {
        return {"CUDA", false, "nvcc not found in CUDA_PATH, PATH or /usr/local/cuda*", cudaPackages};
    }
    if (!tools.cuda->runtime) {
        return {"CUDA", false, fmt::format("{} has no libcudart", tools.cuda->root.string()), cudaPackages};
    }
    return {"CUDA", true, fmt::format("{} at {}", tools.cuda->version, tools.cuda->root.string()), {}};
}

} // namespace

std::vector<ToolchainFinding> inspectToolchains() {
    const Toolchain& tools = toolchain();
    return {program("clang", tools.clang, tools.clangVersion, "clang++-19 not found"),
            program("llvm-readelf", tools.readelf, {}, "llvm-readelf-19 not found"),
            program("llvm-objdump", tools.objdump, {}, "llvm-objdump-19 not found"),
            program("llvm-as", tools.assembler, {}, "llvm-as-19 not found"),
            hipHeaders(tools),
            deviceLibraries(tools),
            cpuRuntime(tools),
            rocm(tools),
            nvcc(tools)};
}

} // namespace gks
