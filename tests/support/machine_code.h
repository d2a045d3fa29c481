// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Device modules of the cpu target that hold any machine code: the wall and the judge have to hold against it, whatever
// the retargeter lets through.
namespace gks::test {

// qFatal when it does not end well.
void mustRun(std::vector<std::string> arguments);

struct MachineCode {
    std::string tools; // functions that come before
    // Of a block. At hand are `arguments` (pointers to the values), `block`, call(number, a, b, c) for a system call,
    // and the tables `kernels` and `services` that the runner reads and fills in.
    std::string work;
    std::vector<unsigned> argumentBytes;
};
// FOLDER/NAME.so with the kernel k.
std::filesystem::path deviceModuleOf(const MachineCode& code, const std::filesystem::path& folder,
                                     const std::string& name);

} // namespace gks::test
