// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// What a call of solve() asks the device to do, as data: what the capture library records, the judge checks and the
// runner executes. Addresses are numbers of one set of tensors. Streams and events stay as they were called; nothing is
// turned into a graph of dependencies.
namespace gks {

// A plan beyond these is refused.
inline constexpr std::size_t planTextLimitBytes = std::size_t{1} << 20;
inline constexpr std::size_t planStreamOperationLimit = 1000; // some devices take no more behind a closed gate
inline constexpr std::size_t planStreamLimit = 32;
inline constexpr std::size_t planEventLimit = 4096;
inline constexpr std::size_t planHostBytesLimit = std::size_t{256} << 10; // of all writes together
inline constexpr std::size_t planSymbolLimitBytes = 4096;
inline constexpr std::size_t planArgumentLimit = 1024;       // of one kernel
inline constexpr std::size_t planArgumentLimitBytes = 32764; // of all of a kernel's together, as on the devices

using PlanBytes = std::vector<std::uint8_t>;
using Extent = std::array<std::uint32_t, 3>; // x, y, z

std::uint64_t elementsOf(const Extent& extent); // the product; at most the greatest number where it does not fit

enum class StreamKind {
    solve,       // the one that solve() is called with: always the first of a plan
    legacy,      // the null stream: waits for all blocking streams, and they wait for it
    blocking,    // takes part in that
    nonBlocking, // does not
};
std::string_view name(StreamKind kind);

struct PlanStream {
    StreamKind kind = StreamKind::solve;
    std::int32_t priority = 0;

    bool operator==(const PlanStream&) const = default;
};

// Of NVIDIA's devices: how a kernel asks for a box of a tensor. It is what was asked for; whoever executes the plan has
// the driver encode it. The numbers are those of cuda.h, the rules those of cuTensorMapEncodeTiled().
struct TensorMap {
    std::uint32_t type = 0; // CUtensorMapDataType
    std::uint64_t address = 0;
    std::vector<std::uint64_t> extents; // elements of each dimension, the innermost first
    std::vector<std::uint64_t> strides; // bytes from one to the next, of all dimensions but the innermost
    std::vector<std::uint32_t> box;     // elements
    std::vector<std::uint32_t> steps;   // between the elements of a box
    std::uint32_t interleave = 0;
    std::uint32_t swizzle = 0;
    std::uint32_t promotion = 0;
    std::uint32_t fill = 0;

    bool operator==(const TensorMap&) const = default;
};
inline constexpr std::size_t tensorMapBytes = 128;    // as kernels see it
inline constexpr std::size_t planTensorMapLimit = 64; // of one operation

// Where a map stands among bytes that hold zeros there.
struct PlacedMap {
    std::uint32_t argument = 0; // of a launch; 0 in what the host writes
    std::uint32_t offset = 0;
    TensorMap map;

    bool operator==(const PlacedMap&) const = default;
};

// Blocks of a cooperative launch on the cpu target: 32 of one wave each on the 304 compute units of an MI300X.
inline constexpr std::uint64_t mostCooperativeBlocks = std::uint64_t{32} * 304;

// What a launch asks for besides; nothing on devices that do not have it.
struct LaunchAttributes {
    bool cooperative = false;
    Extent cluster = {1, 1, 1};             // blocks; one block: none was asked for
    std::uint32_t clusterPolicy = 0;        // cudaClusterSchedulingPolicy: 0 default, 1 spread, 2 load balancing
    bool programmaticSerialization = false; // may begin before what is before it on its stream has ended
    std::int32_t carveoutPercent = -1;      // of on-chip memory as LDS, set for the kernel; -1: nothing was asked for

    bool operator==(const LaunchAttributes&) const = default;
};

struct KernelLaunch {
    std::string kernel; // symbol
    Extent grid = {1, 1, 1};
    Extent block = {1, 1, 1};
    std::uint64_t dynamicLdsBytes = 0;
    LaunchAttributes attributes = {};
    std::vector<PlanBytes> arguments; // one by one, as they lie in memory
    std::vector<PlacedMap> maps = {}; // in them

    bool operator==(const KernelLaunch&) const = default;
};

struct DeviceFill {
    std::uint64_t to = 0;
    std::uint32_t value = 0;
    std::uint32_t elementBytes = 1; // 1, 2 or 4
    std::uint64_t count = 0;        // elements

    bool operator==(const DeviceFill&) const = default;
};

// From device memory to device memory, in rows.
struct DeviceCopy {
    std::uint64_t to = 0;
    std::uint64_t from = 0;
    std::uint64_t rowBytes = 0;
    std::uint64_t rows = 1;
    std::uint64_t toPitchBytes = 0; // from row to row; no meaning with one row
    std::uint64_t fromPitchBytes = 0;

    bool operator==(const DeviceCopy&) const = default;
};

// Bytes that the host had at the time of the call.
struct HostWrite {
    std::uint64_t to = 0;
    PlanBytes bytes;
    std::vector<PlacedMap> maps = {};

    bool operator==(const HostWrite&) const = default;
};

struct SymbolCopy {
    std::string symbol;
    std::uint64_t offset = 0; // in the variable
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool toSymbol = true; // false: from the variable to the address

    bool operator==(const SymbolCopy&) const = default;
};

struct SymbolWrite {
    std::string symbol;
    std::uint64_t offset = 0;
    PlanBytes bytes;
    std::vector<PlacedMap> maps = {};

    bool operator==(const SymbolWrite&) const = default;
};

struct EventRecord {
    std::uint32_t event = 0;

    bool operator==(const EventRecord&) const = default;
};

struct EventWait {
    std::uint32_t event = 0; // as it was recorded last

    bool operator==(const EventWait&) const = default;
};

using PlanAction =
    std::variant<KernelLaunch, DeviceFill, DeviceCopy, HostWrite, SymbolCopy, SymbolWrite, EventRecord, EventWait>;
std::string_view name(const PlanAction& action); // "launch", "fill", "copy", "write", "copy-symbol", ...

struct PlanOperation {
    std::uint32_t stream = 0;
    std::uint64_t place = 0; // of the call, from the module's start; for people
    PlanAction action;

    bool operator==(const PlanOperation&) const = default;
};

struct LaunchPlan {
    std::vector<PlanStream> streams = {PlanStream{}};
    std::vector<PlanOperation> operations; // in the order of the calls

    bool operator==(const LaunchPlan&) const = default;
};

// Where the tensors and the workspace of one set lie on the device, and the module's variables, which are the same for
// every set.
struct TensorAddress {
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool isOutput = false;

    bool operator==(const TensorAddress&) const = default;
};

struct VariableAddress {
    std::string symbol;
    std::uint64_t address = 0;

    bool operator==(const VariableAddress&) const = default;
};

struct SetAddresses {
    std::vector<TensorAddress> tensors; // in the order of Problem
    std::uint64_t workspace = 0;
    std::uint64_t workspaceBytes = 0;
    std::vector<VariableAddress> variables; // those whose address is known

    bool operator==(const SetAddresses&) const = default;
};

} // namespace gks
