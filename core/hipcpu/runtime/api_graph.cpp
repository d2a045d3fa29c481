// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that the host puts together or a stream has captured. The device runs commands one after another, so a launch
// is one command that runs the nodes in an order that their edges allow.
#include "core/hipcpu/runtime/graph.h"
#include "core/hipcpu/runtime/graph_nodes.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>

using namespace gks::hipcpu;

namespace {

constexpr int updateTopologyChanged = 2, updateKindChanged = 3; // hipGraphExecUpdateResult

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
    Operation operation;
    const HipError error = graph != child ? operationOf(child, operation) : hipErrorInvalidValue;
    return addNode(node, graph, dependencies, count, error, std::move(operation));
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

HipError hipGraphInstantiate(HipGraphExec* executable, HipGraph graph, HipGraphNode*, char* log, std::size_t logBytes) {
    std::fill_n(log, log && logBytes != 0 ? 1 : 0, '\0');
    return hipGraphInstantiateWithFlags(executable, graph, 0);
}

HipError hipGraphInstantiateWithFlags(HipGraphExec* executable, HipGraph graph, unsigned long long flags) {
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
    made->flags = flags;
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
    std::optional<ExecutableGraph> launched; // as it is now
    {
        const auto lock = lockGraphs();
        ExecutableGraph* const executable = Graphs::instance().executable(handle);
        if (!executable) {
            return remember(hipErrorInvalidValue);
        }
        launched = *executable;
    }
    Stream* stream = nullptr;
    if (const HipError error = enterStream(streamHandle, stream); error != hipSuccess) {
        return remember(error);
    }
    if (stream->isCapturing()) {
        stream->submit(Operation{NodeKind::graph, launched->command()});
    } else {
        launched->submitted(stream->submit(launched->command()));
    }
    return hipSuccess;
}
