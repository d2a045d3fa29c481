// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/graph.h"

#include <algorithm>

namespace gks::hipcpu {
namespace {

// Whether it is so of a graph or of one of its children.
bool anyGraph(const Graph& graph, const std::function<bool(const Graph&)>& isSo) {
    const auto& nodes = graph.nodes();
    return isSo(graph) || std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
               return node->operation.child && anyGraph(*node->operation.child, isSo);
           });
}

HipPitchedPointer pitched(void* data, std::size_t pitch, std::size_t slice, const CopiedBox& box) {
    const std::size_t row = pitch != 0 ? pitch : box.widthBytes;
    return {data, row, box.widthBytes, slice != 0 && row != 0 ? slice / row : box.height};
}

} // namespace

Operation operationOf(std::shared_ptr<DeviceLaunch> launch) {
    return {NodeKind::kernel, commandOf(launch), launch};
}

Operation copyOperation(void* to, const void* from, const CopiedBox& box, HipMemcpyKind kind) {
    HipMemcpy3DParams request = {};
    request.to = pitched(to, box.toPitch, box.toSlice, box);
    request.from = pitched(const_cast<void*>(from), box.fromPitch, box.fromSlice, box);
    request.extent = {box.widthBytes, box.height, box.depth};
    request.kind = kind;
    return {NodeKind::copy, copyCommand(to, from, box), nullptr, request};
}

Operation fillOperation(void* to, const FilledRows& rows) {
    const HipMemsetParams request = {
        to, static_cast<unsigned>(rows.elementBytes), rows.height, rows.pitch, rows.value, rows.count};
    return {NodeKind::fill, fillCommand(to, rows), nullptr, request};
}

Operation hostOperation(HipHostFunction function, void* userData) {
    return {NodeKind::host, [function, userData](WorkerPool&) { function(userData); }, nullptr,
            HipHostNodeParams{function, userData}};
}

GraphNode* Graph::add(Operation operation, std::vector<GraphNode*> dependencies) {
    auto node = std::make_unique<GraphNode>();
    node->graph = this;
    node->operation = std::move(operation);
    node->dependencies = std::move(dependencies);
    return m_nodes.emplace_back(std::move(node)).get();
}

void Graph::remove(GraphNode* node) {
    for (const auto& other : m_nodes) {
        std::erase(other->dependencies, node);
    }
    std::erase_if(m_nodes, [&](const auto& one) { return one.get() == node; });
}

std::vector<GraphNode*> Graph::dependentsOf(const GraphNode* node) const {
    std::vector<GraphNode*> dependents;
    for (const auto& other : m_nodes) {
        if (std::find(other->dependencies.begin(), other->dependencies.end(), node) != other->dependencies.end()) {
            dependents.push_back(other.get());
        }
    }
    return dependents;
}

std::optional<std::vector<GraphNode*>> Graph::order() const {
    std::vector<GraphNode*> ordered;
    std::unordered_map<const GraphNode*, bool> isPlaced;
    while (ordered.size() < m_nodes.size()) {
        const std::size_t before = ordered.size();
        for (const auto& node : m_nodes) {
            const bool isReady =
                !isPlaced[node.get()] && std::all_of(node->dependencies.begin(), node->dependencies.end(),
                                                     [&](const GraphNode* earlier) { return isPlaced[earlier]; });
            if (isReady) {
                isPlaced[node.get()] = true;
                ordered.push_back(node.get());
            }
        }
        if (ordered.size() == before) {
            return std::nullopt;
        }
    }
    return ordered;
}

std::unique_ptr<Graph> Graph::clone() const {
    auto copy = std::make_unique<Graph>();
    std::unordered_map<const GraphNode*, GraphNode*> copyOf;
    for (const auto& node : m_nodes) {
        GraphNode* const added = copy->add(node->operation, {});
        added->original = node.get();
        if (node->operation.child) {
            added->operation.child = node->operation.child->clone();
        }
        copyOf[node.get()] = added;
    }
    for (const auto& node : m_nodes) {
        for (const GraphNode* earlier : node->dependencies) {
            copyOf[node.get()]->dependencies.push_back(copyOf[earlier]);
        }
    }
    return copy;
}

bool ExecutableGraph::bindChild(Operation& operation) {
    if (!operation.child) {
        return true;
    }
    const std::shared_ptr<const ExecutableGraph> inner = of(*operation.child);
    if (!inner) {
        return false;
    }
    operation.command = inner->command();
    operation.whenSubmitted = [inner](Ticket ticket) { inner->submitted(ticket); };
    return true;
}

std::optional<std::vector<ExecutableGraph::Step>> ExecutableGraph::stepsOf(const Graph& graph,
                                                                           std::vector<GraphNode*>* order) {
    const auto ordered = graph.order();
    if (!ordered) {
        return std::nullopt;
    }
    std::vector<Step> steps;
    std::unordered_map<const GraphNode*, std::size_t> placeOf;
    for (GraphNode* const node : *ordered) {
        placeOf[node] = steps.size();
        Step step = {node, node->operation, {}};
        if (!bindChild(step.operation)) {
            return std::nullopt;
        }
        for (const GraphNode* earlier : node->dependencies) {
            step.dependencies.push_back(placeOf[earlier]);
        }
        std::sort(step.dependencies.begin(), step.dependencies.end());
        steps.push_back(std::move(step));
    }
    if (order != nullptr) {
        *order = *ordered;
    }
    return steps;
}

std::unique_ptr<ExecutableGraph> ExecutableGraph::of(const Graph& graph) {
    auto steps = stepsOf(graph, nullptr);
    if (!steps) {
        return nullptr;
    }
    auto made = std::make_unique<ExecutableGraph>();
    made->m_steps = std::make_shared<const std::vector<Step>>(std::move(*steps));
    return made;
}

DeviceQueue::Command ExecutableGraph::command() const {
    return [steps = m_steps](WorkerPool& workers) {
        for (const Step& step : *steps) {
            if (step.operation.command && step.isEnabled) {
                step.operation.command(workers);
            }
        }
    };
}

void ExecutableGraph::submitted(Ticket ticket) const {
    for (const Step& step : *m_steps) {
        if (step.operation.whenSubmitted) {
            step.operation.whenSubmitted(ticket);
        }
    }
}

const bool* ExecutableGraph::isEnabled(const GraphNode* node) const {
    const auto found =
        std::find_if(m_steps->begin(), m_steps->end(), [&](const Step& step) { return step.node == node; });
    return found != m_steps->end() ? &found->isEnabled : nullptr;
}

bool ExecutableGraph::enable(const GraphNode* node, bool isEnabled) {
    auto changed = *m_steps;
    const auto found =
        std::find_if(changed.begin(), changed.end(), [&](const Step& step) { return step.node == node; });
    if (found == changed.end()) {
        return false;
    }
    found->isEnabled = isEnabled;
    m_steps = std::make_shared<const std::vector<Step>>(std::move(changed));
    return true;
}

bool ExecutableGraph::replace(const GraphNode* node, const Operation& operation) {
    auto changed = *m_steps;
    const auto found =
        std::find_if(changed.begin(), changed.end(), [&](const Step& step) { return step.node == node; });
    if (found == changed.end() || found->operation.kind != operation.kind) {
        return false;
    }
    found->operation = operation;
    if (!bindChild(found->operation)) {
        return false;
    }
    m_steps = std::make_shared<const std::vector<Step>>(std::move(changed));
    return true;
}

ExecutableGraph::Update ExecutableGraph::update(const Graph& other, GraphNode*& different) {
    std::vector<GraphNode*> order;
    auto steps = stepsOf(other, &order);
    if (!steps || steps->size() != m_steps->size()) {
        return Update::topologyChanged;
    }
    for (std::size_t i = 0; i < steps->size(); ++i) {
        Step& now = (*steps)[i];
        const Step& before = (*m_steps)[i];
        if (now.dependencies != before.dependencies || now.operation.kind != before.operation.kind) {
            different = order[i];
            return now.dependencies != before.dependencies ? Update::topologyChanged : Update::kindChanged;
        }
        now.node = before.node;
    }
    m_steps = std::make_shared<const std::vector<Step>>(std::move(*steps));
    return Update::done;
}

Graphs& Graphs::instance() {
    static auto* const graphs = new Graphs;
    return *graphs;
}

Graph* Graphs::keep(std::unique_ptr<Graph> graph) {
    Graph* const handle = graph.get();
    graphs.emplace(handle, std::move(graph));
    return handle;
}

bool Graphs::isGraph(const Graph* graph) const {
    return std::any_of(graphs.begin(), graphs.end(), [&](const auto& one) {
        return anyGraph(*one.second, [&](const Graph& each) { return &each == graph; });
    });
}

bool Graphs::isNode(const GraphNode* node) const {
    const auto hasIt = [&](const Graph& graph) {
        const auto& nodes = graph.nodes();
        return std::any_of(nodes.begin(), nodes.end(), [&](const auto& one) { return one.get() == node; });
    };
    return std::any_of(graphs.begin(), graphs.end(), [&](const auto& one) { return anyGraph(*one.second, hasIt); });
}

ExecutableGraph* Graphs::executable(const ExecutableGraph* handle) const {
    const auto found = executables.find(handle);
    return found != executables.end() ? found->second.get() : nullptr;
}

} // namespace gks::hipcpu
