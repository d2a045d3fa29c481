// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/graph.h"
#include "core/hipcpu/runtime/last_error.h"

namespace gks::hipcpu {

std::unique_lock<std::mutex> lockGraphs();

// What the parameters of a node ask for.
HipError operationOf(const HipKernelNodeParams* asked, Operation& operation);
HipError operationOf(const HipMemcpy3DParams* asked, Operation& operation);
HipError operationOf(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, Operation& operation);
HipError operationOf(const HipMemsetParams* asked, Operation& operation);
HipError operationOf(const HipHostNodeParams* asked, Operation& operation);
HipError operationOf(HipGraph child, Operation& operation); // a copy of it

// `error` is what became of the operation before.
bool areNodesOf(const Graph* graph, const HipGraphNode* nodes, std::size_t count);
HipError addNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                 HipError error, Operation operation);
HipError setNode(HipGraphNode node, HipError error, const Operation& operation);
HipError setExecutable(HipGraphExec handle, HipGraphNode node, HipError error, const Operation& operation);

template<class Asked>
HipError addNodeOf(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                   const Asked* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return addNode(node, graph, dependencies, count, error, std::move(operation));
}
template<class Asked>
HipError setNodeOf(HipGraphNode node, const Asked* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return setNode(node, error, operation);
}
template<class Asked>
HipError setExecutableOf(HipGraphExec executable, HipGraphNode node, const Asked* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return setExecutable(executable, node, error, operation);
}
// What a node was asked for.
template<class Asked>
HipError getRequest(HipGraphNode node, Asked* asked) {
    const auto lock = lockGraphs();
    const Asked* const request =
        Graphs::instance().isNode(node) ? std::get_if<Asked>(&node->operation.request) : nullptr;
    if (!asked || !request) {
        return remember(hipErrorInvalidValue);
    }
    *asked = *request;
    return hipSuccess;
}

} // namespace gks::hipcpu
