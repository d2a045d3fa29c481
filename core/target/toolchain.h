// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/target/rocm.h"
#include "core/target/target.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Which compilers, headers and device libraries this machine has. Found once per process; versions are asked once.
namespace gks {

// What to do about a missing part: the one place that knows what this machine's packages are called.
inline constexpr const char* seeDoctor = "Run kernel-scientist-cli doctor: it says what to install here";

struct HipHeaders {
    std::filesystem::path prefix; // holds include/hip
    std::string version;          // "5.2.21153"
    bool hasFloat8 = false;       // brings hip_fp8.h itself (6.2 and later)
};

struct CudaToolkit {
    std::filesystem::path root;
    std::filesystem::path nvcc;
    std::string version;                          // "13.0.88"
    std::string identity;                         // of its programs
    std::optional<std::filesystem::path> runtime; // its libcudart
};

// A clang of the distribution that is later than 19, for what 19 does not know; of ROCm's there is more.
struct LaterClang {
    std::filesystem::path program;
    CompilerFacts facts;
    std::optional<std::filesystem::path> readelf; // of the same LLVM
    std::optional<std::filesystem::path> objdump;
};

struct Toolchain {
    std::optional<std::filesystem::path> clang; // clang++ 19
    CompilerFacts clangFacts;
    std::optional<LaterClang> laterClang; // the latest
    std::optional<std::filesystem::path> readelf;
    std::optional<std::filesystem::path> objdump;
    std::optional<std::filesystem::path> assembler; // llvm-as
    std::optional<HipHeaders> headers;
    std::optional<std::filesystem::path> deviceLibraries; // a folder of bitcode that clang 19 can read, as installed
    std::string newerDeviceLibraries;                     // one that it cannot read, as a sentence
    std::optional<RocmInstallation> rocm;
    std::string rocmRefused; // why one that is there cannot be used
    std::optional<CudaToolkit> cuda;
    std::string cudaHeadersFingerprint; // of the project's own hip/*.h
    std::filesystem::path hipcc;        // our compiler driver for the cpu target, may not be there
    std::string hipcpuFingerprint;      // of that driver and of the device library it links; empty when it is not there
};
const Toolchain& toolchain();

// The compiler, headers and device library of a gfx code object, and the flags that every use of them shares.
struct DeviceCompiler {
    std::filesystem::path program;
    std::string description;                      // "clang 19.1.7, HIP headers 5.2.21153"
    std::string identity;                         // of program and device libraries
    std::optional<std::filesystem::path> readelf; // that read what it makes
    std::optional<std::filesystem::path> objdump;
    std::vector<std::string> flags;              // of every compilation; contain paths
    std::vector<std::filesystem::path> readable; // beside /usr
    std::filesystem::path precompiled;           // where the precompiled HIP header is, once it has been made
};
// Clang 19, or the compiler of an installed ROCm whose device libraries are too new for it. Of architectures that clang
// 19 does not know (gfx950) that of ROCm or a later clang; else an error that names them.
Result<DeviceCompiler> deviceCompiler(const std::string& architecture);
// The choice, of what a machine has.
Result<DeviceCompiler> deviceCompiler(const Toolchain& tools, const std::string& architecture);

// The bitcode folder that clang-19 can use for this architecture, made in the cache when the installed one is
// incomplete.
Result<std::filesystem::path> deviceLibraryFolder(const Toolchain& tools, const std::string& architecture);

// The first of these folders whose bitcode this clang can read: that of a later LLVM it cannot. `newer` says of which
// it could not, as a sentence.
std::optional<std::filesystem::path> readableDeviceLibraries(const std::vector<std::filesystem::path>& folders,
                                                             const CompilerFacts& clang, std::string& newer);

// That looks into kernels: ncu beside the CUDA toolkit or in PATH, rocprofv3 beside ROCm or in PATH.
std::optional<std::filesystem::path> profilerProgram(TargetKind target);

bool isThere(const std::filesystem::path& path);

// The first of `names` in the first of `folders` that has one, links followed.
std::optional<std::filesystem::path> findLibrary(const std::vector<std::filesystem::path>& folders,
                                                 const std::vector<std::string>& names);

// The text between the first `after` and the end of its line, trimmed; empty when it is not there.
std::string valueAfter(std::string_view text, std::string_view after);

} // namespace gks
