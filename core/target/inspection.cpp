// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/locations.h"
#include "core/target/packages.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <fmt/format.h>

namespace gks {
namespace {

std::string clangAdvice() {
    return packageAdvice({{"clang-19"}, {"llvm-19"}, {"lld-19"}},
                         "clang, llvm and lld 19; this system's packages have none (https://apt.llvm.org)");
}

std::string rocmWithParts() {
    return fmt::format("ROCm {} or later, which has them (https://rocm.docs.amd.com)", oldestRocm);
}

std::string hipAdvice() {
    return packageAdvice({{"libamdhip64-dev"}}, rocmWithParts());
}

std::string deviceLibraryAdvice() {
    return packageAdvice({{"rocm-device-libs", "rocm-device-libs-17"}}, rocmWithParts());
}

constexpr const char* cudaAdvice = "for NVIDIA GPUs: the CUDA toolkit, https://developer.nvidia.com/cuda-toolkit";

std::string rocmAdvice() {
    return fmt::format("for AMD GPUs: ROCm {} or later, https://rocm.docs.amd.com", oldestRocm);
}

ToolchainFinding program(std::string part, const std::optional<std::filesystem::path>& path, const std::string& version,
                         const char* missing) {
    if (!path) {
        return {std::move(part), false, missing, clangAdvice()};
    }
    return {
        std::move(part), true, version.empty() ? path->string() : fmt::format("{} at {}", version, path->string()), {}};
}

ToolchainFinding hipHeaders(const Toolchain& tools) {
    if (!tools.headers) {
        return {"HIP headers", false, "hip/hip_runtime.h not found in a ROCm installation or /usr/include",
                hipAdvice()};
    }
    const std::string own = tools.headers->hasFloat8 ? "" : "; using the project's own bf16 and fp8 types";
    return {"HIP headers",
            true,
            fmt::format("{} in {}{}", tools.headers->version, (tools.headers->prefix / "include/hip").string(), own),
            {}};
}

ToolchainFinding deviceLibraries(const Toolchain& tools) {
    const std::string part = "AMD device libraries";
    if (!tools.deviceLibraries && tools.rocm) { // the report is then made by its compiler
        return {
            part, true, fmt::format("{}, of {}", tools.rocm->deviceLibraries.string(), tools.rocm->description()), {}};
    }
    if (!tools.deviceLibraries) {
        return {part, false, tools.newerDeviceLibraries.empty() ? "ocml.bc not found" : tools.newerDeviceLibraries,
                deviceLibraryAdvice()};
    }
    const auto folder = deviceLibraryFolder(tools, "gfx942");
    if (!folder) {
        return {part, false, folder.error().message(), clangAdvice()};
    }
    const bool completed = *folder != *tools.deviceLibraries;
    return {part,
            true,
            fmt::format("{}{}", tools.deviceLibraries->string(), completed ? ", completed for gfx942" : ""),
            {}};
}

ToolchainFinding cpuRuntime(const Toolchain& tools) {
    const DeviceList list = listDevices(TargetKind::cpu);
    if (tools.hipcpuFingerprint.empty()) {
        return {"cpu target", false, fmt::format("{} or its device library is missing", tools.hipcc.string()),
                "build all targets, or reinstall the program"};
    }
    if (list.devices.empty()) {
        return {"cpu target", false, list.reason, "build all targets, or reinstall the program"};
    }
    return {"cpu target", true, list.devices.front().runtime, {}};
}

ToolchainFinding rocm(const Toolchain& tools) {
    if (!tools.rocm) {
        return {"ROCm", false,
                tools.rocmRefused.empty() ? "not found in ROCM_PATH, /opt/rocm*, PATH or the system's packages"
                                          : tools.rocmRefused,
                rocmAdvice()};
    }
    return {"ROCm",
            true,
            fmt::format("{} at {}, {}", tools.rocm->version, tools.rocm->root.string(), tools.rocm->facts.version),
            {}};
}

ToolchainFinding nvcc(const Toolchain& tools) {
    if (!tools.cuda) {
        return {"CUDA", false, "nvcc not found in CUDA_PATH, PATH or /usr/local/cuda*", cudaAdvice};
    }
    if (!tools.cuda->runtime) {
        return {"CUDA", false, fmt::format("{} has no libcudart", tools.cuda->root.string()), cudaAdvice};
    }
    return {"CUDA", true, fmt::format("{} at {}", tools.cuda->version, tools.cuda->root.string()), {}};
}

// Nothing needs it, so where no such device can be built for it is not missed.
void addProfiler(std::vector<ToolchainFinding>& findings, TargetKind target, bool isBuiltFor) {
    const auto program = profilerProgram(target);
    if (program || isBuiltFor) {
        const bool isCuda = target == TargetKind::nvidia;
        findings.push_back(
            {isCuda ? "ncu" : "rocprofv3", program.has_value(),
             program ? program->string() : "not found: no hardware counters",
             isCuda ? "for hardware counters: Nsight Compute" : "for hardware counters: rocprofiler-sdk"});
    }
}

} // namespace

std::vector<ToolchainFinding> inspectToolchains() {
    const Toolchain& tools = toolchain();
    std::vector<ToolchainFinding> findings = {
        program("clang", tools.clang, tools.clangFacts.version, "clang++-19 not found"),
        program("llvm-readelf", tools.readelf, {}, "llvm-readelf-19 not found"),
        program("llvm-objdump", tools.objdump, {}, "llvm-objdump-19 not found"),
        program("llvm-as", tools.assembler, {}, "llvm-as-19 not found"),
        hipHeaders(tools),
        deviceLibraries(tools),
        cpuRuntime(tools),
        rocm(tools),
        nvcc(tools)};
    addProfiler(findings, TargetKind::nvidia, tools.cuda.has_value());
    addProfiler(findings, TargetKind::amd, tools.rocm.has_value());
    return findings;
}

} // namespace gks
