// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// What tells one compiler from another under the same path: both belong to the key of a build.
namespace gks {

// What a program prints when it is called with one option; empty when it fails.
std::string printedBy(const std::filesystem::path& program, const std::string& option);

struct CompilerFacts {
    std::string version;             // "clang 21.1.8"; empty when it does not run
    int major = 0;                   // 21
    std::filesystem::path folder;    // where it says that it is installed: the real one behind links and scripts
    std::filesystem::path resources; // of its own headers
    std::string identity;            // of what it prints and of its files: length and time of change
};
// Asks a clang. What links and scripts lead to counts, with the libraries that hold the compiler itself.
CompilerFacts clangFacts(const std::filesystem::path& program);

// Path, length and time of change of a file, links followed; empty when it is not there.
std::string fileIdentity(const std::filesystem::path& file);
// That of all files of a folder with this extension, in twelve digits.
std::string folderIdentity(const std::filesystem::path& folder, std::string_view extension);

// The version of the LLVM that wrote this bitcode, 21 for "LLVM21.1.8"; 0 when it does not say. No older LLVM reads it.
int bitcodeProducer(std::string_view bytes);
// That of the ocml.bc in a folder of device libraries.
int bitcodeProducerIn(const std::filesystem::path& deviceLibraries);

} // namespace gks
