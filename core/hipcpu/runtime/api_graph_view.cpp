// SPDX-License-Identifier: GPL-3.0-or-later
// What graphs look like: kinds of nodes, edges, children, clones, as text; and captures that are under way.
#include "core/hipcpu/runtime/graph_nodes.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>
#include <fstream>

using namespace gks::hipcpu;

namespace {

struct InstantiateParams { // hipGraphInstantiateParams
    HipGraphNode wrongNode;
    unsigned long long flags;
    int result;
    HipStream uploadStream;
};

constexpr const char* kindNames[] = {"kernel", "memcpy", "memset",     "host",
                                     "graph",  "empty",  "wait event", "record event"};

void writeDot(std::ostream& out, const Graph& graph, const std::string& prefix) {
    std::unordered_map<const GraphNode*, std::string> names;
    for (const auto& node : graph.nodes()) {
        std::string& name = names[node.get()];
        name = prefix + std::to_string(names.size() - 1);
        const Operation& operation = node->operation;
        out << "  \"" << name << "\" [label=\""
            << (operation.launch ? operation.launch->kernelName() : kindNames[static_cast<int>(operation.kind)])
            << "\"];\n";
        if (operation.child) {
            writeDot(out, *operation.child, name + ".");
        }
    }
    for (const auto& node : graph.nodes()) {
        for (const GraphNode* earlier : node->dependencies) {
            out << "  \"" << names[earlier] << "\" -> \"" << names[node.get()] << "\";\n";
        }
    }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipGraphNodeGetType(HipGraphNode node, int* type) {
    const auto lock = lockGraphs();
    if (!type || !Graphs::instance().isNode(node)) {
        return remember(hipErrorInvalidValue);
    }
    *type = static_cast<int>(node->operation.kind);
    return hipSuccess;
}

HipError hipGraphGetEdges(HipGraph graph, HipGraphNode* from, HipGraphNode* to, std::size_t* count) {
    const auto lock = lockGraphs();
    if (!count || !Graphs::instance().isGraph(graph) || (from == nullptr) != (to == nullptr)) {
        return remember(hipErrorInvalidValue);
    }
    std::size_t found = 0;
    for (const auto& node : graph->nodes()) {
        for (GraphNode* const earlier : node->dependencies) {
            if (from && found < *count) {
                from[found] = earlier;
                to[found] = node.get();
            }
            ++found;
        }
    }
    for (std::size_t i = found; from && i < *count; ++i) { // behind the last
        from[i] = to[i] = nullptr;
    }
    *count = from ? std::min(*count, found) : found;
    return hipSuccess;
}

HipError hipGraphChildGraphNodeGetGraph(HipGraphNode node, HipGraph* child) {
    const auto lock = lockGraphs();
    if (!child || !Graphs::instance().isNode(node) || !node->operation.child) {
        return remember(hipErrorInvalidValue);
    }
    *child = node->operation.child.get();
    return hipSuccess;
}

HipError hipGraphNodeFindInClone(HipGraphNode* found, HipGraphNode original, HipGraph clone) {
    const auto lock = lockGraphs();
    if (!found || !original || !Graphs::instance().isGraph(clone)) {
        return remember(hipErrorInvalidValue);
    }
    const auto& nodes = clone->nodes();
    const auto at =
        std::find_if(nodes.begin(), nodes.end(), [&](const auto& one) { return one->original == original; });
    *found = at != nodes.end() ? at->get() : nullptr;
    return *found ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipGraphDebugDotPrint(HipGraph graph, const char* path, unsigned) {
    const auto lock = lockGraphs();
    if (!path || !Graphs::instance().isGraph(graph)) {
        return remember(hipErrorInvalidValue);
    }
    std::ofstream file(path);
    file << "digraph graph_0 {\n";
    writeDot(file, *graph, "node_");
    file << "}\n";
    return file.flush() ? hipSuccess : remember(hipErrorOperatingSystem);
}

HipError hipGraphInstantiateWithParams(HipGraphExec* executable, HipGraph graph, InstantiateParams* params) {
    if (!params) {
        return remember(hipErrorInvalidValue);
    }
    const HipError error = hipGraphInstantiateWithFlags(executable, graph, params->flags);
    params->wrongNode = nullptr;
    params->result = error == hipSuccess ? 0 : 1;
    return error;
}

HipError hipGraphExecGetFlags(HipGraphExec handle, unsigned long long* flags) {
    const auto lock = lockGraphs();
    const ExecutableGraph* const executable = Graphs::instance().executable(handle);
    if (!executable || !flags) {
        return remember(hipErrorInvalidValue);
    }
    *flags = executable->flags;
    return hipSuccess;
}

HipError hipStreamGetCaptureInfo_v2(HipStream handle, CaptureStatus* status, unsigned long long* number,
                                    HipGraph* graph, const HipGraphNode** dependencies, std::size_t* count) {
    const HipError error = hipStreamGetCaptureInfo(handle, status, number);
    Stream* const stream = Stream::find(handle);
    if (error != hipSuccess || *status != CaptureStatus::active) {
        return error;
    }
    const auto lock = lockGraphs();
    const CapturePlace& place = stream->capturePlace();
    if (graph) {
        *graph = place.capture->graph.get();
    }
    if (dependencies) {
        *dependencies = place.behind.data();
    }
    if (count) {
        *count = place.behind.size();
    }
    return hipSuccess;
}
}
#pragma GCC visibility pop
