// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/device_commands.h"
#include "core/hipcpu/runtime/device_queue.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace gks::hipcpu {

class Graph;
class GraphMemory;

// hipGraphNodeType.
enum class NodeKind { kernel, copy, fill, host, graph, empty, waitEvent, recordEvent, allocateMemory = 10, freeMemory };

// What a node of a graph does.
struct Operation {
    NodeKind kind = NodeKind::empty;
    DeviceQueue::Command command = nullptr;         // none: nothing
    std::shared_ptr<DeviceLaunch> launch = nullptr; // of a kernel
    // What was asked for, for who asks back.
    std::variant<std::monostate, HipMemcpy3DParams, HipMemsetParams, HipHostNodeParams, HipEvent> request = {};
    std::shared_ptr<Graph> child = nullptr; // of a node that is a graph
    std::function<void(Ticket)> whenSubmitted = nullptr;
    std::shared_ptr<GraphMemory> memory = nullptr; // of one that allocates or frees it
};
Operation operationOf(std::shared_ptr<DeviceLaunch> launch);
Operation copyOperation(void* to, const void* from, const CopiedBox& box, HipMemcpyKind kind);
Operation fillOperation(void* to, const FilledRows& rows);
Operation hostOperation(HipHostFunction function, void* userData);

struct GraphNode {
    Graph* graph = nullptr;
    Operation operation;
    std::vector<GraphNode*> dependencies;
    const GraphNode* original = nullptr; // of a clone; a name: it may be gone
};

// Operations and what comes before what.
class Graph {
public:
    GraphNode* add(Operation operation, std::vector<GraphNode*> dependencies);
    // With all edges to it.
    void remove(GraphNode* node);
    const std::vector<std::unique_ptr<GraphNode>>& nodes() const { return m_nodes; }
    std::vector<GraphNode*> dependentsOf(const GraphNode* node) const;
    // The nodes in one of the orders that their edges allow, as they were added where they leave a choice. None where
    // they go in a circle.
    std::optional<std::vector<GraphNode*>> order() const;
    std::unique_ptr<Graph> clone() const;

private:
    std::vector<std::unique_ptr<GraphNode>> m_nodes;
};

// A graph as it was when it was made executable. Launches that are under way keep what they were launched with.
class ExecutableGraph {
public:
    // Null where the graph goes in a circle.
    static std::unique_ptr<ExecutableGraph> of(const Graph& graph);

    unsigned long long flags = 0; // that it was made with

    DeviceQueue::Command command() const;
    // Of a launch of the command.
    void submitted(Ticket ticket) const;
    // Null for a node that is not in it.
    const bool* isEnabled(const GraphNode* node) const;
    bool enable(const GraphNode* node, bool isEnabled); // false for a node that is not in it
    // False for a node that is not in it, or of another kind.
    bool replace(const GraphNode* node, const Operation& operation);
    enum class Update { done, topologyChanged, kindChanged };
    // `other` does the same in other places; `different` is a node that does not.
    Update update(const Graph& other, GraphNode*& different);

private:
    struct Step {
        const GraphNode* node; // a name: it may be gone
        Operation operation;
        std::vector<std::size_t> dependencies; // places
        bool isEnabled = true;
    };
    // What a node that is a graph does. False where that goes in a circle.
    static bool bindChild(Operation& operation);
    static std::optional<std::vector<Step>> stepsOf(const Graph& graph, std::vector<GraphNode*>* order);

    std::shared_ptr<const std::vector<Step>> m_steps;
};

// What the host interface has handed out, so that a stale handle is an error and not a crash.
struct Graphs {
    std::mutex mutex; // guards all of it and what streams capture
    std::unordered_map<const Graph*, std::unique_ptr<Graph>> graphs;
    std::unordered_map<const ExecutableGraph*, std::unique_ptr<ExecutableGraph>> executables;

    static Graphs& instance();

    Graph* keep(std::unique_ptr<Graph> graph);
    // One of these, or a child in one of them.
    bool isGraph(const Graph* graph) const;
    bool isNode(const GraphNode* node) const;
    ExecutableGraph* executable(const ExecutableGraph* handle) const;
};

} // namespace gks::hipcpu
