// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/graph_nodes.h"

#include "core/hipcpu/runtime/fault_handler.h"

#include <algorithm>

namespace gks::hipcpu {

std::unique_lock<std::mutex> lockGraphs() {
    return std::unique_lock(Graphs::instance().mutex);
}

// What the parameters of a node ask for.
HipError operationOf(const HipKernelNodeParams* asked, Operation& operation) {
    if (!asked || (asked->extra && !asked->arguments)) {
        return asked ? hipErrorNotSupported : hipErrorInvalidValue;
    }
    installFaultHandler();
    std::shared_ptr<DeviceLaunch> made;
    const HipError error = DeviceLaunch::make(
        {asked->function, asked->grid, asked->block, asked->arguments, asked->dynamicLdsBytes}, made);
    if (error == hipSuccess) {
        operation = operationOf(std::move(made));
    }
    return error;
}

HipError operationOf(const HipMemcpy3DParams* asked, Operation& operation) {
    void* to = nullptr;
    const void* from = nullptr;
    CopiedBox box;
    HipError error = boxOf(asked, to, from, box);
    error = error == hipSuccess ? checkCopy(to, from, box, asked->kind) : error;
    if (error == hipSuccess) {
        operation = copyOperation(to, from, box, asked->kind);
        operation.request = *asked;
    }
    return error;
}

HipError operationOf(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, Operation& operation) {
    CopiedBox box;
    box.widthBytes = sizeBytes;
    operation = copyOperation(to, from, box, kind);
    return checkCopy(to, from, box, kind);
}

HipError operationOf(const HipMemsetParams* asked, Operation& operation) {
    const bool isKnown = asked && asked->to &&
                         (asked->elementBytes == 1 || asked->elementBytes == 2 || asked->elementBytes == 4) &&
                         (asked->height <= 1 || asked->width * asked->elementBytes <= asked->pitch);
    if (!isKnown) {
        return hipErrorInvalidValue;
    }
    operation =
        fillOperation(asked->to, {asked->value, asked->elementBytes, asked->width, asked->height, asked->pitch});
    return hipSuccess;
}

HipError operationOf(const HipHostNodeParams* asked, Operation& operation) {
    if (!asked || !asked->function) {
        return hipErrorInvalidValue;
    }
    operation = hostOperation(asked->function, asked->userData);
    return hipSuccess;
}

HipError operationOf(HipGraph child, Operation& operation) {
    const auto lock = lockGraphs();
    if (!Graphs::instance().isGraph(child) || !child->order()) {
        return hipErrorInvalidValue;
    }
    operation.kind = NodeKind::graph;
    operation.child = child->clone();
    return hipSuccess;
}

bool areNodesOf(const Graph* graph, const HipGraphNode* nodes, std::size_t count) {
    const auto isOfGraph = [&](const GraphNode* node) {
        return Graphs::instance().isNode(node) && node->graph == graph;
    };
    return count == 0 || (nodes && std::all_of(nodes, nodes + count, isOfGraph));
}

HipError addNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                 HipError error, Operation operation) {
    const auto lock = lockGraphs();
    if (!node || !Graphs::instance().isGraph(graph) || !areNodesOf(graph, dependencies, count)) {
        return remember(hipErrorInvalidValue);
    }
    if (error == hipSuccess) {
        *node = graph->add(std::move(operation), {dependencies, dependencies + count});
    }
    return remember(error);
}

HipError setNode(HipGraphNode node, HipError error, const Operation& operation) {
    const auto lock = lockGraphs();
    if (error == hipSuccess && (!Graphs::instance().isNode(node) || node->operation.kind != operation.kind)) {
        error = hipErrorInvalidValue;
    }
    if (error == hipSuccess) {
        node->operation = operation;
    }
    return remember(error);
}

HipError setExecutable(HipGraphExec handle, HipGraphNode node, HipError error, const Operation& operation) {
    const auto lock = lockGraphs();
    ExecutableGraph* const executable = Graphs::instance().executable(handle);
    if (error == hipSuccess && (!executable || !executable->replace(node, operation))) {
        error = hipErrorInvalidValue;
    }
    return remember(error);
}

} // namespace gks::hipcpu
