// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/exported_kernel.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Where an export is compiled and tried: behind the wall, with one folder that can be written to.
namespace gks {

struct CheckPlace {
    std::filesystem::path sources;
    std::filesystem::path built; // a folder of ours, which alone can be written to
    std::vector<std::filesystem::path> readable;
    std::vector<std::pair<std::string, std::string>> environment;
    std::stop_token stop;
};

Result<CheckPlace> checkPlace(const std::filesystem::path& folder, const std::filesystem::path& built,
                              const std::stop_token& stop);
// What it printed; an error of the kernel's, with what it said, where it did not end well, unless it is a compiler and
// the disk is full. `what` names what was tried.
Result<std::string> runInPlace(const CheckPlace& place, std::vector<std::string> words, bool isCompiler,
                               std::string_view what);

// kernel-scientist-hipcc with what every use of it has here, and then these words.
Result<std::vector<std::string>> hipccWords(const ExportedKernel& kernel, const std::vector<std::string>& words);
// The source with the C interface as a shared library, for the kernel's target; what compiled it.
Result<std::string> compileInterface(const ExportedKernel& kernel, const CheckPlace& place,
                                     const std::filesystem::path& source);
// That library.
std::filesystem::path compiledInterface(const ExportedKernel& kernel, const CheckPlace& place);

} // namespace gks
