// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// A command pack: a folder whose harness.toml names commands of somebody's own harness that build, verify and measure a
// kernel. What they say is theirs: it is no verdict of the judge, and is named as what it is wherever it is shown.
namespace gks {

inline constexpr const char* harnessFile = "harness.toml";
// Whose verdict it is, wherever one is shown.
inline constexpr const char* harnessLabel = "the user's harness";
inline constexpr const char* judgeFact = "judge";      // in the environment of a verdict that is not the judge's
inline constexpr const char* packFact = "pack_sha256"; // beside it: of which files, see packContentSha256()

struct Harness {
    enum class Times {
        lines, // a number on a line, in microseconds, for each repetition; lines that begin with # are not read
        json,  // {"us": [...]}
    };
    std::string name;
    std::string title;
    std::filesystem::path folder;
    std::string source = "kernel.hip"; // what the kernel is called in the scratch folder
    std::vector<std::string> build;    // words; empty: there is nothing to build
    std::vector<std::string> verify;   // status 0: right, 1: wrong, with the reason on the first line that it prints
    std::vector<std::string> measure;
    Times times = Times::lines;
    double seconds = 120;                            // of each command
    std::size_t memoryBytes = std::size_t{16} << 30; // address space, on the cpu target
    std::vector<std::filesystem::path> readable;     // folders beside the pack and the system's own
};

// "judged by the user's harness"
std::string judgedByHarness();
// Without a problem.toml, which goes before.
bool isHarness(const std::filesystem::path& folder);
Result<Harness> loadHarness(const std::filesystem::path& folder);
// With {pack}, {kernel} and {scratch} in their places.
std::vector<std::string> harnessWords(const std::vector<std::string>& words, const Harness& harness,
                                      const std::filesystem::path& scratch);
// In microseconds, in order; refused where anything else stands there.
Result<std::vector<double>> harnessTimes(std::string_view output, Harness::Times form);

} // namespace gks
