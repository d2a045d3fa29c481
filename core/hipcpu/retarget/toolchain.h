// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gks::hipcpu {

// What a build for the cpu target consists of on this machine.
struct Toolchain {
    std::filesystem::path clang;     // clang++ of LLVM 19
    std::string clangVersion;        // first line of --version
    std::filesystem::path hipPrefix; // holds include/hip/hip_runtime.h
    std::string hipVersion;          // "5.2.3"
    int hipMajor = 0;
    std::filesystem::path hipcpuFolder; // libhipcpu.so, hipcpu_device.bc, include/

    std::filesystem::path deviceLibrary() const { return hipcpuFolder / "hipcpu_device.bc"; }
    std::filesystem::path runtimeLibrary() const { return hipcpuFolder / "libhipcpu.so"; }
    // Found only when the installed HIP has no header of that name.
    std::filesystem::path ownHeaders() const { return hipcpuFolder / "include"; }
    std::vector<std::filesystem::path> headerFolders() const; // of headers that no kernel brings
    // One line that changes whenever a build could come out differently.
    std::string identity() const;
    // Options of both front ends that choose language, architecture and headers.
    std::vector<std::string> languageOptions() const;
};

// Finds clang 19 and the HIP headers: those of ROCM_PATH, else of the newest /opt/rocm*, else the distribution's in
// /usr. Infrastructure errors say which package to install.
Result<Toolchain> findToolchain();

} // namespace gks::hipcpu
