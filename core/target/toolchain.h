// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Which compilers, headers and device libraries this machine has. Found once per process; versions are asked once.
namespace gks {

inline constexpr const char* clangPackages = "apt install clang-19 llvm-19 lld-19";
inline constexpr const char* hipPackages = "apt install libamdhip64-dev";
inline constexpr const char* cudaPackages =
    "for NVIDIA GPUs: the CUDA toolkit, https://developer.nvidia.com/cuda-toolkit";
inline constexpr const char* deviceLibraryPackages = "apt install rocm-device-libs";

struct RocmInstallation {
    std::filesystem::path root;
    std::string version;            // "6.3.1", empty when it does not say
    std::filesystem::path compiler; // its clang++
};

struct HipHeaders {
    std::filesystem::path prefix; // holds include/hip
    std::string version;          // "5.2.21153"
    bool hasFloat8 = false;       // brings hip_fp8.h itself (6.2 and later)
};

struct CudaToolkit {
    std::filesystem::path root;
    std::filesystem::path nvcc;
    std::string version;                          // "13.0.88"
    std::optional<std::filesystem::path> runtime; // its libcudart
};

struct Toolchain {
    std::optional<std::filesystem::path> clang; // clang++ 19
    std::string clangVersion;
    std::optional<std::filesystem::path> readelf;
    std::optional<std::filesystem::path> objdump;
    std::optional<std::filesystem::path> assembler; // llvm-as
    std::optional<HipHeaders> headers;
    std::optional<std::filesystem::path> deviceLibraries; // a folder of bitcode, as installed
    std::optional<RocmInstallation> rocm;
    std::optional<CudaToolkit> cuda;
    std::string cudaHeadersFingerprint; // of the project's own hip/*.h
    std::filesystem::path hipcc;        // our compiler driver for the cpu target, may not be there
    std::string hipcpuFingerprint;      // of that driver and of the device library it links; empty when it is not there
};
const Toolchain& toolchain();

// The compiler, headers and device library of a gfx code object, and the flags that every use of them shares.
struct DeviceCompiler {
    std::filesystem::path program;
    std::string description;                     // "clang 19.1.7, HIP headers 5.2.21153"
    std::vector<std::string> flags;              // of every compilation; contain paths
    std::vector<std::filesystem::path> readable; // beside /usr
    std::filesystem::path precompiled;           // where the precompiled HIP header is, once it has been made
};
Result<DeviceCompiler> deviceCompiler(const std::string& architecture);

// The bitcode folder that clang-19 can use for this architecture, made in the cache when the installed one is
// incomplete.
Result<std::filesystem::path> deviceLibraryFolder(const std::string& architecture);

bool isThere(const std::filesystem::path& path);

// The first of `names` in the first of `folders` that has one, links followed.
std::optional<std::filesystem::path> findLibrary(const std::vector<std::filesystem::path>& folders,
                                                 const std::vector<std::string>& names);

// The text between the first `after` and the end of its line, trimmed; empty when it is not there.
std::string valueAfter(std::string_view text, std::string_view after);

} // namespace gks
