// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/confine/sandbox.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace gks {

// Lines of the source that stand behind places in a module's code. They are read from the module by a tool of LLVM, in
// the sandbox, and are for people: who wrote the module may have written them.
class ModulePlaces {
public:
    ModulePlaces(std::filesystem::path module, SandboxLevel sandbox, bool allowNoSandbox);

    // "kernel.hip:17"; the offset where the module or this machine does not know. One run of the tool for all of them.
    std::map<std::uint64_t, std::string> linesOf(const std::set<std::uint64_t>& places) const;
    std::string lineOf(std::uint64_t place) const { return linesOf({place}).at(place); }

private:
    std::filesystem::path m_module;
    SandboxLevel m_sandbox;
    bool m_allowNoSandbox;
};

} // namespace gks
