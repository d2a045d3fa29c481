// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What the build says about a candidate's device code. It comes from the build and not from loading anything, so the
// judge knows it before a line of the candidate has run.
namespace gks {

// Bytes of an argument that no field owns: they hold whatever lay on the stack.
struct PaddingBytes {
    std::uint32_t argument = 0;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;

    bool operator==(const PaddingBytes&) const = default;
};

struct KernelFacts {
    std::string symbol;                       // mangled, as the host code registers it
    std::vector<std::uint32_t> argumentBytes; // of each argument in order, without hidden ones
    std::vector<PaddingBytes> padding;        // may be empty: then every byte counts
    std::uint32_t greatestBlock = 0;          // threads
    std::uint32_t staticLdsBytes = 0;
    std::uint32_t mostDynamicLdsBytes = 0;
    std::uint32_t registers = 0; // of a thread; 0 where the target has no such number

    bool operator==(const KernelFacts&) const = default;
};

struct VariableFacts { // a __device__ or __constant__ variable
    std::string symbol;
    std::uint64_t bytes = 0;
    bool constant = false;

    bool operator==(const VariableFacts&) const = default;
};

// Whose device code it is: not every launch is for every device.
enum class DeviceCode { cpu, amd, nvidia };
std::string_view name(DeviceCode code);

struct ModuleFacts {
    DeviceCode code = DeviceCode::cpu;
    std::vector<KernelFacts> kernels;
    std::vector<VariableFacts> variables;

    const KernelFacts* kernel(std::string_view symbol) const;
    const VariableFacts* variable(std::string_view symbol) const;
    bool operator==(const ModuleFacts&) const = default;
};

} // namespace gks
