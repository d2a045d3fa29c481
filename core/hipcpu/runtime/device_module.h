// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/runtime/kernel_run.h"

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace gks::hipcpu {

// Device code without host code (DeviceModule of abi.h), loaded into this process for good. Its services are filled in
// and closed for writing before anybody can run it.
class LoadedDeviceModule {
public:
    // Null and a sentence when the file is no device module of this version. Nothing of the module runs: the caller has
    // made sure that it has no code for its loading (see checkDeviceModule in core/judge).
    static std::unique_ptr<LoadedDeviceModule> load(const char* path, std::string& error);

    RunnableKernel* kernel(const std::string& name); // null: there is none
    const VariableEntry* variable(const std::string& name) const;
    const VariableEntry* variableAt(std::uintptr_t address) const; // that has this byte

    // Of everything in the module that can be written: keeps what it holds now, and puts that back.
    void keepVariables();
    void restoreVariables() const;
    using Range = std::span<char>;
    const std::vector<Range>& writable() const { return m_writable; }

private:
    LoadedDeviceModule(const ModuleTable& table, std::vector<Range> writable);

    std::unordered_map<std::string, RunnableKernel> m_kernels;
    std::unordered_map<std::string, const VariableEntry*> m_variables;
    std::vector<Range> m_writable;
    std::vector<std::vector<char>> m_kept; // of each
};

} // namespace gks::hipcpu
