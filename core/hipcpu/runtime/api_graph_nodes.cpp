// SPDX-License-Identifier: GPL-3.0-or-later
// What the nodes of a graph, or of an executable one, are asked for: told, and replaced.
#include "core/hipcpu/runtime/graph_nodes.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/stream.h"

using namespace gks::hipcpu;

namespace {

enum class Way { toSymbol, fromSymbol };

// A copy between a variable of device code and other memory.
HipError symbolOperation(Way way, const void* symbol, const void* other, std::size_t sizeBytes, std::size_t offsetBytes,
                         HipMemcpyKind kind, Operation& operation) {
    char* address = nullptr;
    if (const HipError error = symbolRange(symbol, sizeBytes, offsetBytes, &address); error != hipSuccess) {
        return error;
    }
    return way == Way::toSymbol ? operationOf(address, other, sizeBytes, kind, operation)
                                : operationOf(const_cast<void*>(other), address, sizeBytes, kind, operation);
}

// Everything that was submitted before the wait is done before it, so the event has happened as far as it will.
HipError eventOperation(NodeKind kind, HipEvent event, Operation& operation) {
    if (!isEvent(event)) {
        return hipErrorInvalidValue;
    }
    operation.kind = kind;
    operation.request = event;
    if (kind == NodeKind::recordEvent) {
        const auto state = event->state();
        operation.command = recordCommand(state);
        operation.whenSubmitted = [state](Ticket ticket) { noteRecord(*state, ticket); };
    }
    return hipSuccess;
}

HipError setEvent(NodeKind kind, HipGraphNode node, HipEvent event) {
    Operation operation;
    const HipError error = eventOperation(kind, event, operation);
    return setNode(node, error, operation);
}

HipError setEvent(NodeKind kind, HipGraphExec executable, HipGraphNode node, HipEvent event) {
    Operation operation;
    const HipError error = eventOperation(kind, event, operation);
    return setExecutable(executable, node, error, operation);
}

HipError addEvent(NodeKind kind, HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                  std::size_t count, HipEvent event) {
    Operation operation;
    const HipError error = eventOperation(kind, event, operation);
    return addNode(node, graph, dependencies, count, error, std::move(operation));
}

} // namespace

HipError hipGraphKernelNodeGetParams(HipGraphNode node, HipKernelNodeParams* params) {
    const auto lock = lockGraphs();
    if (!params || !Graphs::instance().isNode(node) || !node->operation.launch) {
        return remember(hipErrorInvalidValue);
    }
    const DeviceLaunch::Request& asked = node->operation.launch->request();
    *params = {asked.block, nullptr,         const_cast<void*>(asked.function),
               asked.grid,  asked.arguments, static_cast<unsigned>(asked.dynamicLdsBytes)};
    return hipSuccess;
}

HipError hipGraphKernelNodeSetParams(HipGraphNode node, const HipKernelNodeParams* asked) {
    return setNodeOf(node, asked);
}

HipError hipGraphExecKernelNodeSetParams(HipGraphExec executable, HipGraphNode node, const HipKernelNodeParams* asked) {
    return setExecutableOf(executable, node, asked);
}

HipError hipGraphExecMemcpyNodeSetParams(HipGraphExec executable, HipGraphNode node, HipMemcpy3DParams* asked) {
    return setExecutableOf(executable, node, asked);
}

HipError hipGraphExecMemcpyNodeSetParams1D(HipGraphExec executable, HipGraphNode node, void* to, const void* from,
                                           std::size_t sizeBytes, HipMemcpyKind kind) {
    Operation operation;
    const HipError error = operationOf(to, from, sizeBytes, kind, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphExecMemsetNodeSetParams(HipGraphExec executable, HipGraphNode node, const HipMemsetParams* asked) {
    return setExecutableOf(executable, node, asked);
}

HipError hipGraphExecHostNodeSetParams(HipGraphExec executable, HipGraphNode node, const HipHostNodeParams* asked) {
    return setExecutableOf(executable, node, asked);
}

#pragma GCC visibility push(default)
extern "C" {

HipError hipGraphMemcpyNodeGetParams(HipGraphNode node, HipMemcpy3DParams* params) {
    return getRequest(node, params);
}

HipError hipGraphMemcpyNodeSetParams(HipGraphNode node, const HipMemcpy3DParams* asked) {
    return setNodeOf(node, asked);
}

HipError hipGraphMemcpyNodeSetParams1D(HipGraphNode node, void* to, const void* from, std::size_t sizeBytes,
                                       HipMemcpyKind kind) {
    Operation operation;
    const HipError error = operationOf(to, from, sizeBytes, kind, operation);
    return setNode(node, error, operation);
}

HipError hipGraphMemsetNodeGetParams(HipGraphNode node, HipMemsetParams* params) {
    return getRequest(node, params);
}

HipError hipGraphMemsetNodeSetParams(HipGraphNode node, const HipMemsetParams* asked) {
    return setNodeOf(node, asked);
}

HipError hipGraphHostNodeGetParams(HipGraphNode node, HipHostNodeParams* params) {
    return getRequest(node, params);
}

HipError hipGraphHostNodeSetParams(HipGraphNode node, const HipHostNodeParams* asked) {
    return setNodeOf(node, asked);
}

HipError hipGraphExecChildGraphNodeSetParams(HipGraphExec executable, HipGraphNode node, HipGraph child) {
    Operation operation;
    const HipError error = operationOf(child, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphAddMemcpyNodeToSymbol(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                       std::size_t count, const void* symbol, const void* from, std::size_t sizeBytes,
                                       std::size_t offsetBytes, HipMemcpyKind kind) {
    Operation operation;
    const HipError error = symbolOperation(Way::toSymbol, symbol, from, sizeBytes, offsetBytes, kind, operation);
    return addNode(node, graph, dependencies, count, error, std::move(operation));
}

HipError hipGraphAddMemcpyNodeFromSymbol(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                         std::size_t count, void* to, const void* symbol, std::size_t sizeBytes,
                                         std::size_t offsetBytes, HipMemcpyKind kind) {
    Operation operation;
    const HipError error = symbolOperation(Way::fromSymbol, symbol, to, sizeBytes, offsetBytes, kind, operation);
    return addNode(node, graph, dependencies, count, error, std::move(operation));
}

HipError hipGraphMemcpyNodeSetParamsToSymbol(HipGraphNode node, const void* symbol, const void* from,
                                             std::size_t sizeBytes, std::size_t offsetBytes, HipMemcpyKind kind) {
    Operation operation;
    const HipError error = symbolOperation(Way::toSymbol, symbol, from, sizeBytes, offsetBytes, kind, operation);
    return setNode(node, error, operation);
}

HipError hipGraphMemcpyNodeSetParamsFromSymbol(HipGraphNode node, void* to, const void* symbol, std::size_t sizeBytes,
                                               std::size_t offsetBytes, HipMemcpyKind kind) {
    Operation operation;
    const HipError error = symbolOperation(Way::fromSymbol, symbol, to, sizeBytes, offsetBytes, kind, operation);
    return setNode(node, error, operation);
}

HipError hipGraphExecMemcpyNodeSetParamsToSymbol(HipGraphExec executable, HipGraphNode node, const void* symbol,
                                                 const void* from, std::size_t sizeBytes, std::size_t offsetBytes,
                                                 HipMemcpyKind kind) {
    Operation operation;
    const HipError error = symbolOperation(Way::toSymbol, symbol, from, sizeBytes, offsetBytes, kind, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphExecMemcpyNodeSetParamsFromSymbol(HipGraphExec executable, HipGraphNode node, void* to,
                                                   const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                                   HipMemcpyKind kind) {
    Operation operation;
    const HipError error = symbolOperation(Way::fromSymbol, symbol, to, sizeBytes, offsetBytes, kind, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphAddEventRecordNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                    std::size_t count, HipEvent event) {
    return addEvent(NodeKind::recordEvent, node, graph, dependencies, count, event);
}

HipError hipGraphAddEventWaitNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                  std::size_t count, HipEvent event) {
    return addEvent(NodeKind::waitEvent, node, graph, dependencies, count, event);
}

HipError hipGraphEventRecordNodeGetEvent(HipGraphNode node, HipEvent* event) {
    return getRequest(node, event);
}

HipError hipGraphEventWaitNodeGetEvent(HipGraphNode node, HipEvent* event) {
    return getRequest(node, event);
}

HipError hipGraphEventRecordNodeSetEvent(HipGraphNode node, HipEvent event) {
    return setEvent(NodeKind::recordEvent, node, event);
}

HipError hipGraphEventWaitNodeSetEvent(HipGraphNode node, HipEvent event) {
    return setEvent(NodeKind::waitEvent, node, event);
}

HipError hipGraphExecEventRecordNodeSetEvent(HipGraphExec executable, HipGraphNode node, HipEvent event) {
    return setEvent(NodeKind::recordEvent, executable, node, event);
}

HipError hipGraphExecEventWaitNodeSetEvent(HipGraphExec executable, HipGraphNode node, HipEvent event) {
    return setEvent(NodeKind::waitEvent, executable, node, event);
}

HipError hipGraphNodeSetEnabled(HipGraphExec handle, HipGraphNode node, unsigned isEnabled) {
    const auto lock = lockGraphs();
    ExecutableGraph* const executable = Graphs::instance().executable(handle);
    return executable && executable->enable(node, isEnabled != 0) ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipGraphNodeGetEnabled(HipGraphExec handle, HipGraphNode node, unsigned* isEnabled) {
    const auto lock = lockGraphs();
    ExecutableGraph* const executable = Graphs::instance().executable(handle);
    const bool* const found = executable ? executable->isEnabled(node) : nullptr;
    if (!found || !isEnabled) {
        return remember(hipErrorInvalidValue);
    }
    *isEnabled = *found ? 1 : 0;
    return hipSuccess;
}
}
#pragma GCC visibility pop
