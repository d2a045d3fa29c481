// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/module_registry.h"

#include "core/hipcpu/runtime/checked_program.h"
#include "core/hipcpu/runtime/signal_text.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace gks::hipcpu {

namespace {

constexpr std::uint32_t fatBinaryWrapperMagic = 0x48495046; // "HIPF"

struct FatBinaryWrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const void* binary;
    void* unused;
};

thread_local std::vector<Module*>* listOfThisThread = nullptr;

const ModuleTable* checkedTable(const void* wrapperAddress) {
    const auto* wrapper = static_cast<const FatBinaryWrapper*>(wrapperAddress);
    const auto* table =
        wrapper && wrapper->magic == fatBinaryWrapperMagic ? static_cast<const ModuleTable*>(wrapper->binary) : nullptr;
    SignalText text;
    if (!table || table->magic != moduleMagic) {
        text << "hipcpu: the HIP object was not built for the cpu target; rebuild it with kernel-scientist-hipcc";
        text.print();
        return nullptr;
    }
    if (table->version != abiVersion) {
        text << "hipcpu: a loaded HIP object has CPU target version " << std::uint64_t{table->version}
             << ", this library has " << std::uint64_t{abiVersion} << "; build it again";
        text.print();
        return nullptr;
    }
    return table;
}

} // namespace

ModuleRegistry& ModuleRegistry::instance() {
    static auto* registry = new ModuleRegistry;
    return *registry;
}

void ModuleRegistry::listAddedBy(std::vector<Module*>* list) {
    listOfThisThread = list;
}

Module* ModuleRegistry::add(const void* wrapper) {
    auto module = std::make_unique<Module>();
    module->table = checkedTable(wrapper);
    if (module->table != nullptr && listOfThisThread == nullptr) {
        const std::unique_lock lock(m_mutex);
        m_architecture = std::max(m_architecture, module->table->architecture);
        m_isSettled = true;
    }
    if (module->table != nullptr && module->table->sites != nullptr) {
        CheckedProgram::turnOn(*module->table);
    }
    if (listOfThisThread != nullptr) {
        listOfThisThread->push_back(module.get());
    }
    return module.release(); // the host object holds the handle until remove()
}

Architecture ModuleRegistry::architecture() {
    const std::unique_lock lock(m_mutex);
    m_isSettled = true;
    return m_architecture;
}

bool ModuleRegistry::takes(Architecture architecture) {
    const std::unique_lock lock(m_mutex);
    m_architecture = m_isSettled ? m_architecture : architecture;
    m_isSettled = true;
    return m_architecture == architecture;
}

void ModuleRegistry::remove(Module* module) {
    const std::unique_ptr<Module> owned(module);
    if (module->table != nullptr && module->table->sites != nullptr) {
        CheckedProgram::forget(*module->table);
    }
    const std::unique_lock lock(m_mutex);
    for (const void* function : module->functions) {
        m_kernels.erase(function);
    }
    for (const void* variable : module->variables) {
        m_variables.erase(variable);
    }
}

void ModuleRegistry::addFunction(Module& module, const void* hostFunction, const char* name) {
    for (std::uint32_t i = 0; module.table && i < module.table->kernelCount; ++i) {
        const KernelEntry& entry = module.table->kernels[i];
        if (std::strcmp(entry.name, name) == 0) {
            auto kernel = std::make_shared<RunnableKernel>();
            kernel->entry = &entry;
            kernel->isChecked = module.table->sites != nullptr;
            const std::unique_lock lock(m_mutex);
            m_kernels[hostFunction] = std::move(kernel);
            module.functions.push_back(hostFunction);
            return;
        }
    }
}

void ModuleRegistry::addVariable(Module& module, const void* hostVariable, const char* name) {
    for (std::uint64_t i = 0; module.table && i < module.table->variableCount; ++i) {
        const VariableEntry& entry = module.table->variables[i];
        if (std::strcmp(entry.name, name) == 0) {
            const std::unique_lock lock(m_mutex);
            m_variables[hostVariable] = &entry;
            module.variables.push_back(hostVariable);
            return;
        }
    }
}

std::shared_ptr<RunnableKernel> ModuleRegistry::kernel(const void* hostFunction) const {
    const std::shared_lock lock(m_mutex);
    const auto found = m_kernels.find(hostFunction);
    return found == m_kernels.end() ? nullptr : found->second;
}

const VariableEntry* ModuleRegistry::variable(const void* hostVariable) const {
    const std::shared_lock lock(m_mutex);
    const auto found = m_variables.find(hostVariable);
    return found == m_variables.end() ? nullptr : found->second;
}

HipError symbolRange(const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes, char** address) {
    const VariableEntry* const variable = ModuleRegistry::instance().variable(symbol);
    if (!variable) {
        return hipErrorInvalidSymbol;
    }
    if (offsetBytes > variable->sizeBytes || sizeBytes > variable->sizeBytes - offsetBytes) {
        return hipErrorInvalidValue;
    }
    *address = static_cast<char*>(variable->address) + offsetBytes;
    return hipSuccess;
}

} // namespace gks::hipcpu
