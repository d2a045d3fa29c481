// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/exported_kernel.h"

#include <filesystem>
#include <stop_token>
#include <string>

// Compiles an exported library and runs its test. The sources are a model's: all of it happens in the sandbox.
namespace gks {

struct LibraryCheck {
    std::string compiler; // "kernel-scientist-hipcc", "nvcc"
    bool hasRun = false;  // false: compiled alone, since the sources need a card
    std::string output;   // of the test program
};

// `folder`: an export --as library. On the cpu target compiled and run; for NVIDIA compiled by nvcc where it is here.
// An error of the kernel's where it does not compile or the test finds a difference.
Result<LibraryCheck> checkLibrary(const ExportedKernel& kernel, const std::filesystem::path& folder,
                                  const std::stop_token& stop = {});

} // namespace gks
