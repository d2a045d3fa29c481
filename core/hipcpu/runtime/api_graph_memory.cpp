// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of a graph that allocate and free device memory.
#include "core/hipcpu/runtime/graph_memory.h"
#include "core/hipcpu/runtime/graph_nodes.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/stream.h"

using namespace gks::hipcpu;

namespace {

constexpr int pinnedAllocation = 1; // hipMemAllocationTypePinned
constexpr int deviceLocation = 1;   // hipMemLocationTypeDevice

// hipGraphMemAttributeType
enum GraphMemoryAttribute { usedNow, usedAtMost, reservedNow, reservedAtMost };

HipError memoryNode(NodeKind kind, HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                    std::size_t count, std::shared_ptr<GraphMemory> memory, HipError error) {
    Operation operation;
    operation.kind = kind;
    operation.memory = std::move(memory);
    return addNode(node, graph, dependencies, count, error, std::move(operation));
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipGraphAddMemAllocNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                 std::size_t count, HipMemAllocNodeParams* asked) {
    if (!asked || asked->sizeBytes == 0 || asked->allocationType != pinnedAllocation ||
        asked->locationType != deviceLocation || asked->location != 0) {
        return remember(hipErrorInvalidValue);
    }
    auto memory = GraphMemory::allocate(*asked);
    asked->data = memory ? memory->asked().data : nullptr;
    const HipError error = memory ? hipSuccess : hipErrorOutOfMemory;
    return memoryNode(NodeKind::allocateMemory, node, graph, dependencies, count, std::move(memory), error);
}

HipError hipGraphMemAllocNodeGetParams(HipGraphNode node, HipMemAllocNodeParams* params) {
    const auto lock = lockGraphs();
    if (!params || !Graphs::instance().isNode(node) || node->operation.kind != NodeKind::allocateMemory) {
        return remember(hipErrorInvalidValue);
    }
    *params = node->operation.memory->asked();
    return hipSuccess;
}

HipError hipGraphAddMemFreeNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                                void* data) {
    auto memory = GraphMemory::find(data);
    const HipError error = memory ? hipSuccess : hipErrorInvalidValue;
    return memoryNode(NodeKind::freeMemory, node, graph, dependencies, count, std::move(memory), error);
}

HipError hipDrvGraphAddMemFreeNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                   std::size_t count, void* data) {
    return hipGraphAddMemFreeNode(node, graph, dependencies, count, data);
}

HipError hipGraphMemFreeNodeGetParams(HipGraphNode node, void* data) {
    const auto lock = lockGraphs();
    if (!data || !Graphs::instance().isNode(node) || node->operation.kind != NodeKind::freeMemory) {
        return remember(hipErrorInvalidValue);
    }
    *static_cast<void**>(data) = node->operation.memory->asked().data;
    return hipSuccess;
}

HipError hipDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
    if (device != 0 || !value || attribute < usedNow || attribute > reservedAtMost) {
        return remember(device != 0 ? hipErrorInvalidDevice : hipErrorInvalidValue);
    }
    const bool isNow = attribute == usedNow || attribute == reservedNow;
    *static_cast<std::uint64_t*>(value) = isNow ? GraphMemory::usedBytes() : GraphMemory::mostUsedBytes();
    return hipSuccess;
}

// What was the most may be forgotten.
HipError hipDeviceSetGraphMemAttribute(int device, int attribute, void* value) {
    const bool isMost = attribute == usedAtMost || attribute == reservedAtMost;
    if (device != 0 || !value || !isMost || *static_cast<const std::uint64_t*>(value) != 0) {
        return remember(device != 0 ? hipErrorInvalidDevice : hipErrorInvalidValue);
    }
    GraphMemory::resetMostUsed();
    return hipSuccess;
}

HipError hipDeviceGraphMemTrim(int device) {
    return device == 0 ? hipSuccess : remember(hipErrorInvalidDevice); // nothing is kept
}
}
#pragma GCC visibility pop
