// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/runtime/hip_api.h"

#include <array>
#include <string>
#include <vector>

// Hand-written kernels as the retargeter would emit them, registered as clang's host code does it.
namespace gks::hipcpu::test {

struct FatBinaryWrapper {
    std::uint32_t magic = 0x48495046;
    std::uint32_t version = 1;
    const void* binary = nullptr;
    void* unused = nullptr;
};

struct Kernel {
    const char* name;
    ThreadFunction thread;
    std::vector<std::uint32_t> argumentSizes;
    BlockFunction block = nullptr;
    std::uint32_t staticLdsBytes = 0;
    std::uint32_t maxThreads = maxThreadsPerBlock;
};

// The thread function's address stands for the host-side stub.
class LoadedModule {
public:
    explicit LoadedModule(std::vector<Kernel> kernels, std::vector<VariableEntry> variables = {})
        : m_kernels(std::move(kernels)), m_variables(std::move(variables)) {
        for (const Kernel& kernel : m_kernels) {
            m_entries.push_back({kernel.name, kernel.thread, kernel.block, kernel.maxThreads, kernel.staticLdsBytes, 1,
                                 static_cast<std::uint32_t>(kernel.argumentSizes.size()), kernel.argumentSizes.data()});
        }
        m_table = {moduleMagic,      abiVersion,         static_cast<std::uint32_t>(m_entries.size()),
                   m_entries.data(), m_variables.data(), m_variables.size()};
        m_wrapper.binary = &m_table;
        m_handle = __hipRegisterFatBinary(&m_wrapper);
        for (const Kernel& kernel : m_kernels) {
            std::string name = kernel.name;
            __hipRegisterFunction(m_handle, stub(kernel.thread), name.data(), kernel.name, 0, nullptr, nullptr, nullptr,
                                  nullptr, nullptr);
        }
        for (const VariableEntry& variable : m_variables) {
            std::string name = variable.name;
            __hipRegisterVar(m_handle, variable.address, name.data(), variable.name, 0, variable.sizeBytes, 0, 0);
        }
    }
    ~LoadedModule() { __hipUnregisterFatBinary(m_handle); }
    LoadedModule(const LoadedModule&) = delete;
    LoadedModule& operator=(const LoadedModule&) = delete;

    static const void* stub(ThreadFunction function) { return reinterpret_cast<const void*>(function); }

private:
    std::vector<Kernel> m_kernels;
    std::vector<VariableEntry> m_variables;
    std::vector<KernelEntry> m_entries;
    ModuleTable m_table = {};
    FatBinaryWrapper m_wrapper;
    void** m_handle = nullptr;
};

template<class... Arguments>
HipError launch(ThreadFunction kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes, HipStream stream,
                Arguments... arguments) {
    std::array<void*, sizeof...(Arguments) + 1> pointers{static_cast<void*>(&arguments)..., nullptr};
    return hipLaunchKernel(LoadedModule::stub(kernel), grid, block, pointers.data(), dynamicLdsBytes, stream);
}

template<class T>
T& argument(void** arguments, std::size_t index) {
    return *static_cast<T*>(arguments[index]);
}

inline std::uint32_t linearThread(const ThreadContext& thread) {
    return thread.threadIndex[0] +
           thread.block->blockSize[0] * (thread.threadIndex[1] + thread.block->blockSize[1] * thread.threadIndex[2]);
}

} // namespace gks::hipcpu::test
