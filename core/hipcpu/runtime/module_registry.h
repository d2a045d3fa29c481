// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/runtime/hip_types.h"
#include "core/hipcpu/runtime/kernel_run.h"

#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace gks::hipcpu {

// One loaded HIP object: its table, and what its host code has registered from it.
struct Module {
    const ModuleTable* table = nullptr; // null when the object did not come from this toolchain
    std::vector<const void*> functions;
    std::vector<const void*> variables;
};

class ModuleRegistry {
public:
    static ModuleRegistry& instance();

    // From now on what the calling thread adds is listed there, too; null: no longer.
    static void listAddedBy(std::vector<Module*>* list);
    // `wrapper` is what clang's host code passes. Says on stderr why a module is refused.
    Module* add(const void* wrapper);
    void remove(Module* module);
    void addFunction(Module& module, const void* hostFunction, const char* name);
    void addVariable(Module& module, const void* hostVariable, const char* name);

    std::shared_ptr<RunnableKernel> kernel(const void* hostFunction) const;
    const VariableEntry* variable(const void* hostVariable) const;
    // What the device plays: the latest of those that the program's own modules, also earlier ones, were made for.
    // Without any it is the first code object's, or gfx942 if somebody has asked before there was one.
    Architecture architecture();
    // Whether the device runs a code object of this architecture.
    bool takes(Architecture architecture);

private:
    mutable std::shared_mutex m_mutex;
    std::unordered_map<const void*, std::shared_ptr<RunnableKernel>> m_kernels;
    std::unordered_map<const void*, const VariableEntry*> m_variables;
    Architecture m_architecture = Architecture::gfx942;
    bool m_isSettled = false; // which architecture it is
};

// A part of a variable by which host code knows it.
HipError symbolRange(const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes, char** address);

} // namespace gks::hipcpu
