// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/architecture.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// The options of build lines that people have for hipcc: which of them mean something here.
namespace gks::hipcpu {

// For every compilation with a precompiled header, and for making it: in C++20, which has modules, clang 19 takes host
// and device functions of one name for the same one as it reads such a header.
inline constexpr std::array<const char*, 2> withoutModules = {"-Xclang", "-fno-cxx-modules"};

struct CompilerOptions {
    std::vector<std::string> frontEnd;          // of both sides, in the order given
    std::vector<std::string> preprocessor;      // those of `frontEnd` for language mode, macros and headers
    std::vector<std::filesystem::path> folders; // those of `frontEnd` in which headers are looked for
    std::vector<std::string> host;              // debugging information
    std::vector<std::string> linker;
    std::vector<std::string> deviceBackEnd;  // for whoever makes gfx942 machine code; the cpu target does not
    std::vector<Architecture> architectures; // those that are named and that the cpu target plays
    std::string otherArchitecture = {};      // the first option that names others alone
    std::vector<std::string> ignored;        // nothing here depends on them
    std::optional<int> optimisationLevel;    // 0 to 3
    bool includesFirst = false;              // some -include stands before the source
    bool linksDeviceCode = false;            // device code of several sources is linked together
    bool compileOnly = false;                // -c
};

// Reads the option at words[at] with its value and returns how many words it took; 0 when it is none of these. A usage
// error when the value is missing, or when the option asks for code of another machine.
Result<std::size_t> readOption(const std::vector<std::string>& words, std::size_t at, CompilerOptions& into);

// A usage error when only other architectures are asked for: build lines name several, in options of their own.
Result<void> checkArchitectures(const CompilerOptions& options);

// Options that come with a kernel and not from the person at the command line: all known, no path that leads out of the
// build's folder, nothing that loads code into the compiler, writes files or links anything.
Result<CompilerOptions> kernelOptions(const std::vector<std::string>& words);

} // namespace gks::hipcpu
