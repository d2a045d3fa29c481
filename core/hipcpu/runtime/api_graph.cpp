// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that the host puts together or a stream has captured. The device runs commands one after another, so a launch
// is one command that runs the nodes in an order that their edges allow.
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/graph.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>

using namespace gks::hipcpu;

namespace {

constexpr int updateTopologyChanged = 2, updateKindChanged = 3; // hipGraphExecUpdateResult

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
        operation = gks::hipcpu::operationOf(std::move(made));
    }
    return error;
}

HipError operationOf(const HipMemcpy3DParams* asked, Operation& operation) {
    void* to = nullptr;
    const void* from = nullptr;
    CopiedBox box;
    HipError error = boxOf(asked, to, from, box);
    error = error == hipSuccess ? checkCopy(to, from, box, asked->kind) : error;
    operation = {NodeKind::copy, copyCommand(to, from, box), nullptr};
    return error;
}

HipError operationOf(void* to, const void* from, std::size_t sizeBytes, HipMemcpyKind kind, Operation& operation) {
    CopiedBox box;
    box.widthBytes = sizeBytes;
    operation = {NodeKind::copy, copyCommand(to, from, box), nullptr};
    return checkCopy(to, from, box, kind);
}

HipError operationOf(const HipMemsetParams* asked, Operation& operation) {
    const bool isKnown = asked && asked->to &&
                         (asked->elementBytes == 1 || asked->elementBytes == 2 || asked->elementBytes == 4) &&
                         (asked->height <= 1 || asked->width * asked->elementBytes <= asked->pitch);
    if (!isKnown) {
        return hipErrorInvalidValue;
    }
    const FilledRows rows = {asked->value, asked->elementBytes, asked->width, asked->height, asked->pitch};
    operation = {NodeKind::fill, fillCommand(asked->to, rows), nullptr};
    return hipSuccess;
}

HipError operationOf(const HipHostNodeParams* asked, Operation& operation) {
    if (!asked || !asked->function) {
        return hipErrorInvalidValue;
    }
    operation = hostOperation(asked->function, asked->userData);
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

template<class Asked>
HipError addNodeOf(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                   const Asked* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return addNode(node, graph, dependencies, count, error, std::move(operation));
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

// As lists are asked for: how many there are without a place for them, else as many as there is room for, and null
// behind the last.
HipError answerList(const std::vector<GraphNode*>& list, HipGraphNode* nodes, std::size_t* count) {
    if (!count) {
        return remember(hipErrorInvalidValue);
    }
    if (nodes) {
        for (std::size_t i = 0; i < *count; ++i) {
            nodes[i] = i < list.size() ? list[i] : nullptr;
        }
        *count = std::min(*count, list.size());
    } else {
        *count = list.size();
    }
    return hipSuccess;
}

} // namespace

HipError hipGraphCreate(HipGraph* graph, unsigned flags) {
    if (!graph || flags != 0) {
        return remember(hipErrorInvalidValue);
    }
    const auto lock = lockGraphs();
    *graph = Graphs::instance().keep(std::make_unique<Graph>());
    return hipSuccess;
}

HipError hipGraphDestroy(HipGraph graph) {
    const auto lock = lockGraphs();
    return Graphs::instance().graphs.erase(graph) == 1 ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipGraphClone(HipGraph* clone, HipGraph graph) {
    const auto lock = lockGraphs();
    if (!clone || !Graphs::instance().isGraph(graph)) {
        return remember(hipErrorInvalidValue);
    }
    *clone = Graphs::instance().keep(graph->clone());
    return hipSuccess;
}

HipError hipGraphDestroyNode(HipGraphNode node) {
    const auto lock = lockGraphs();
    if (!Graphs::instance().isNode(node)) {
        return remember(hipErrorInvalidValue);
    }
    node->graph->remove(node);
    return hipSuccess;
}

HipError hipGraphAddKernelNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                               const HipKernelNodeParams* asked) {
    return addNodeOf(node, graph, dependencies, count, asked);
}

HipError hipGraphAddMemcpyNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                               const HipMemcpy3DParams* asked) {
    return addNodeOf(node, graph, dependencies, count, asked);
}

HipError hipGraphAddMemcpyNode1D(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                 std::size_t count, void* to, const void* from, std::size_t sizeBytes,
                                 HipMemcpyKind kind) {
    Operation operation;
    const HipError error = operationOf(to, from, sizeBytes, kind, operation);
    return addNode(node, graph, dependencies, count, error, std::move(operation));
}

HipError hipGraphAddMemsetNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                               const HipMemsetParams* asked) {
    return addNodeOf(node, graph, dependencies, count, asked);
}

HipError hipGraphAddHostNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count,
                             const HipHostNodeParams* asked) {
    return addNodeOf(node, graph, dependencies, count, asked);
}

HipError hipGraphAddEmptyNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies, std::size_t count) {
    return addNode(node, graph, dependencies, count, hipSuccess, {});
}

HipError hipGraphAddChildGraphNode(HipGraphNode* node, HipGraph graph, const HipGraphNode* dependencies,
                                   std::size_t count, HipGraph child) {
    std::unique_ptr<ExecutableGraph> copy;
    {
        const auto lock = lockGraphs();
        copy = Graphs::instance().isGraph(child) && child != graph ? ExecutableGraph::of(*child) : nullptr;
    }
    Operation operation;
    if (copy) {
        operation = {NodeKind::graph, copy->command(), nullptr};
    }
    return addNode(node, graph, dependencies, count, copy ? hipSuccess : hipErrorInvalidValue, std::move(operation));
}

HipError hipGraphAddDependencies(HipGraph graph, const HipGraphNode* from, const HipGraphNode* to, std::size_t count) {
    const auto lock = lockGraphs();
    if (!Graphs::instance().isGraph(graph) || !areNodesOf(graph, from, count) || !areNodesOf(graph, to, count)) {
        return remember(hipErrorInvalidValue);
    }
    for (std::size_t i = 0; i < count; ++i) {
        auto& before = to[i]->dependencies;
        if (from[i] == to[i] || std::find(before.begin(), before.end(), from[i]) != before.end()) {
            return remember(hipErrorInvalidValue);
        }
        before.push_back(from[i]);
    }
    return hipSuccess;
}

HipError hipGraphRemoveDependencies(HipGraph graph, const HipGraphNode* from, const HipGraphNode* to,
                                    std::size_t count) {
    const auto lock = lockGraphs();
    bool areThere = Graphs::instance().isGraph(graph) && areNodesOf(graph, from, count) && areNodesOf(graph, to, count);
    for (std::size_t i = 0; areThere && i < count; ++i) {
        areThere = std::erase(to[i]->dependencies, from[i]) != 0;
    }
    return areThere ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipGraphGetNodes(HipGraph graph, HipGraphNode* nodes, std::size_t* count) {
    const auto lock = lockGraphs();
    if (!Graphs::instance().isGraph(graph)) {
        return remember(hipErrorInvalidValue);
    }
    std::vector<GraphNode*> all;
    for (const auto& node : graph->nodes()) {
        all.push_back(node.get());
    }
    return answerList(all, nodes, count);
}

HipError hipGraphGetRootNodes(HipGraph graph, HipGraphNode* nodes, std::size_t* count) {
    const auto lock = lockGraphs();
    if (!Graphs::instance().isGraph(graph)) {
        return remember(hipErrorInvalidValue);
    }
    std::vector<GraphNode*> roots;
    for (const auto& node : graph->nodes()) {
        if (node->dependencies.empty()) {
            roots.push_back(node.get());
        }
    }
    return answerList(roots, nodes, count);
}

HipError hipGraphNodeGetDependencies(HipGraphNode node, HipGraphNode* dependencies, std::size_t* count) {
    const auto lock = lockGraphs();
    return Graphs::instance().isNode(node) ? answerList(node->dependencies, dependencies, count)
                                           : remember(hipErrorInvalidValue);
}

HipError hipGraphNodeGetDependentNodes(HipGraphNode node, HipGraphNode* dependents, std::size_t* count) {
    const auto lock = lockGraphs();
    return Graphs::instance().isNode(node) ? answerList(node->graph->dependentsOf(node), dependents, count)
                                           : remember(hipErrorInvalidValue);
}

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
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return setNode(node, error, operation);
}

HipError hipGraphExecKernelNodeSetParams(HipGraphExec executable, HipGraphNode node, const HipKernelNodeParams* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphExecMemcpyNodeSetParams(HipGraphExec executable, HipGraphNode node, HipMemcpy3DParams* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphExecMemcpyNodeSetParams1D(HipGraphExec executable, HipGraphNode node, void* to, const void* from,
                                           std::size_t sizeBytes, HipMemcpyKind kind) {
    Operation operation;
    const HipError error = operationOf(to, from, sizeBytes, kind, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphExecMemsetNodeSetParams(HipGraphExec executable, HipGraphNode node, const HipMemsetParams* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphExecHostNodeSetParams(HipGraphExec executable, HipGraphNode node, const HipHostNodeParams* asked) {
    Operation operation;
    const HipError error = operationOf(asked, operation);
    return setExecutable(executable, node, error, operation);
}

HipError hipGraphInstantiate(HipGraphExec* executable, HipGraph graph, HipGraphNode*, char* log, std::size_t logBytes) {
    std::fill_n(log, log && logBytes != 0 ? 1 : 0, '\0');
    return hipGraphInstantiateWithFlags(executable, graph, 0);
}

HipError hipGraphInstantiateWithFlags(HipGraphExec* executable, HipGraph graph, unsigned long long) {
    const auto lock = lockGraphs();
    Graphs& graphs = Graphs::instance();
    if (!executable || !graphs.isGraph(graph)) {
        return remember(hipErrorInvalidValue);
    }
    auto made = ExecutableGraph::of(*graph);
    *executable = made.get();
    if (!made) {
        return remember(hipErrorInvalidValue);
    }
    graphs.executables.emplace(made.get(), std::move(made));
    return hipSuccess;
}

HipError hipGraphExecUpdate(HipGraphExec handle, HipGraph graph, HipGraphNode* different, int* result) {
    const auto lock = lockGraphs();
    Graphs& graphs = Graphs::instance();
    ExecutableGraph* const executable = graphs.executable(handle);
    if (!executable || !graphs.isGraph(graph) || !different || !result) {
        return remember(hipErrorInvalidValue);
    }
    *different = nullptr;
    *result = 0;
    switch (executable->update(*graph, *different)) {
    case ExecutableGraph::Update::done:
        return hipSuccess;
    case ExecutableGraph::Update::topologyChanged:
        *result = updateTopologyChanged;
        break;
    case ExecutableGraph::Update::kindChanged:
        *result = updateKindChanged;
        break;
    }
    return remember(hipErrorGraphExecUpdateFailure);
}

HipError hipGraphExecDestroy(HipGraphExec executable) {
    const auto lock = lockGraphs();
    return Graphs::instance().executables.erase(executable) == 1 ? hipSuccess : remember(hipErrorInvalidValue);
}

// There is nothing to be brought to the device before.
HipError hipGraphUpload(HipGraphExec handle, HipStream stream) {
    const auto lock = lockGraphs();
    const bool isThere = Graphs::instance().executable(handle) != nullptr;
    return remember(!isThere ? hipErrorInvalidValue : Stream::find(stream) ? hipSuccess : hipErrorInvalidHandle);
}

HipError hipGraphLaunch(HipGraphExec handle, HipStream streamHandle) {
    DeviceQueue::Command command;
    {
        const auto lock = lockGraphs();
        ExecutableGraph* const executable = Graphs::instance().executable(handle);
        if (!executable) {
            return remember(hipErrorInvalidValue);
        }
        command = executable->command();
    }
    Stream* stream = nullptr;
    if (const HipError error = enterStream(streamHandle, stream); error != hipSuccess) {
        return remember(error);
    }
    stream->submit(Operation{NodeKind::graph, std::move(command), nullptr});
    return hipSuccess;
}
