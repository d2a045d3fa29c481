// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/export_forms.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

// Compiles what an export has written, and runs its test where there is one and it can. The sources are a model's: all
// of it happens in the sandbox.
namespace gks {

struct ExportCheck {
    std::string compiler;          // "kernel-scientist-hipcc", "nvcc"
    bool hasRun = false;           // false: compiled alone
    std::string output;            // of the test
    std::vector<std::string> open; // what of the form could not be tried here, and why, as sentences
};

// `folder`: an export of this form. On the cpu target compiled, and run where the form has a test; for NVIDIA compiled
// by nvcc where it is here. An error of the kernel's where it does not compile or the test finds a difference.
Result<ExportCheck> checkExport(const ExportedKernel& kernel, ExportForm form, const std::filesystem::path& folder,
                                const std::stop_token& stop = {});

} // namespace gks
