// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gks::hipcpu {

// hipRTC's options as those of kernel-scientist-hipcc. `wrong` is one that is none of a source's: it names other files,
// other kinds of output or what is linked.
std::optional<std::vector<std::string>> compilerOptions(const std::vector<std::string>& given, std::string& wrong);

// Takes -D and -U out of the options and returns them as directives, for behind the headers of HIP: these are parsed
// once for all that differ in nothing else. None where a macro may mean something to the headers.
std::string takeMacros(std::vector<std::string>& options);

// Where kernel-scientist-hipcc is: where it is beside this library in a build or an installed folder, else in PATH.
// Empty: nowhere.
std::string compilerPath();

// Runs a program to its end, what it prints in a file. Its exit status; nullopt where it did not come to one.
std::optional<int> runToItsEnd(const std::vector<std::string>& arguments, const std::string& printedPath);

} // namespace gks::hipcpu
