// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/outline.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gks {

Outline::Outline(const std::vector<OutlineKernel>& kernels, std::int64_t best) : m_kernels(kernels.size()) {
    m_nodes.resize(kernels.size());
    std::vector<int> parents(kernels.size(), -1);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        m_nodes[i].key = m_nodes[i].kernel = kernels[i].id;
        const int parent = kernels[i].parent == 0 ? -1 : indexOf(kernels[i].parent);
        m_nodes[i].parent = parents[i] = parent < static_cast<int>(i) ? parent : -1;
        ++m_steps;
    }
    markBestPath(best);
    addClusters(kernels, parents);
    linkChildren();
    countBelow(kernels);
}

// Kernels ascend by id, and so do clusters by their first member.
int Outline::indexOf(OutlineKey key) const {
    if (key > 0) {
        const auto end = m_nodes.begin() + static_cast<std::ptrdiff_t>(m_kernels);
        const auto found = std::lower_bound(m_nodes.begin(), end, key, [](const Node& node, OutlineKey wanted) {
            return node.key != 0 && node.key < wanted;
        });
        return found != end && found->key == key ? static_cast<int>(found - m_nodes.begin()) : -1;
    }
    const auto found =
        std::lower_bound(m_clusterAt.begin(), m_clusterAt.end(), key, [this](int node, OutlineKey wanted) {
            return m_nodes[static_cast<std::size_t>(node)].key > wanted;
        });
    return found != m_clusterAt.end() && m_nodes[static_cast<std::size_t>(*found)].key == key ? *found : -1;
}

void Outline::markBestPath(std::int64_t best) {
    for (int at = best == 0 ? -1 : indexOf(best); at >= 0; at = m_nodes[static_cast<std::size_t>(at)].parent) {
        m_nodes[static_cast<std::size_t>(at)].onBestPath = true;
        ++m_steps;
    }
}

// A member of the best path stands by itself: a cluster may be folded, the path may not.
void Outline::addClusters(const std::vector<OutlineKernel>& kernels, const std::vector<int>& parents) {
    std::map<std::pair<int, std::int64_t>, std::vector<int>> groups;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].group != 0 && !m_nodes[i].onBestPath) {
            groups[{parents[i], kernels[i].group}].push_back(static_cast<int>(i));
        }
        ++m_steps;
    }
    std::vector<std::vector<int>> clusters;
    for (auto& [made, members] : groups) {
        if (static_cast<int>(members.size()) >= smallestCluster) {
            clusters.push_back(std::move(members));
        }
    }
    std::ranges::sort(clusters, {}, [](const std::vector<int>& members) { return members.front(); });
    for (const std::vector<int>& members : clusters) {
        const auto first = static_cast<std::size_t>(members.front());
        Node cluster;
        cluster.key = -kernels[first].id;
        cluster.parent = parents[first];
        cluster.members = static_cast<int>(members.size());
        const int at = static_cast<int>(m_nodes.size());
        const OutlineKernel* best = nullptr;
        for (const int member : members) {
            const OutlineKernel& kernel = kernels[static_cast<std::size_t>(member)];
            m_nodes[static_cast<std::size_t>(member)].parent = at;
            best = kernel.ranked && (best == nullptr || kernel.level > best->level) ? &kernel : best;
            ++m_steps;
        }
        cluster.kernel = best == nullptr ? 0 : best->id;
        m_nodes.push_back(cluster);
        m_clusterAt.push_back(at);
    }
}

// By counting: children in order of creation, a cluster where its first member would stand, the one on the best path
// last, so that the spine goes on below what hangs from it.
void Outline::linkChildren() {
    std::vector<int> order;
    order.reserve(m_nodes.size());
    std::size_t cluster = 0;
    for (std::size_t i = 0; i < m_kernels; ++i) {
        if (cluster < m_clusterAt.size() &&
            m_nodes[static_cast<std::size_t>(m_clusterAt[cluster])].key == -m_nodes[i].key) {
            order.push_back(m_clusterAt[cluster++]);
        }
        order.push_back(static_cast<int>(i));
    }
    for (const Node& node : m_nodes) {
        ++(node.parent < 0 ? m_roots : m_nodes[static_cast<std::size_t>(node.parent)].children);
    }
    int next = m_roots;
    for (Node& node : m_nodes) {
        node.firstChild = next;
        next += node.children;
    }
    m_children.resize(m_nodes.size());
    std::vector<int> filled(m_nodes.size() + 1, 0);
    const auto place = [&](int at) {
        const int parent = m_nodes[static_cast<std::size_t>(at)].parent;
        const int first = parent < 0 ? 0 : m_nodes[static_cast<std::size_t>(parent)].firstChild;
        m_children[static_cast<std::size_t>(first + filled[static_cast<std::size_t>(parent + 1)]++)] = at;
        ++m_steps;
    };
    for (const int at : order) {
        if (!m_nodes[static_cast<std::size_t>(at)].onBestPath) {
            place(at);
        }
    }
    for (const int at : order) {
        if (m_nodes[static_cast<std::size_t>(at)].onBestPath) {
            place(at);
        }
    }
}

// From the leaves up: a kernel's children have larger ids, and a cluster stands between members and parent. What
// folding hides of a kernel on the best path is what hangs from it, without the path.
void Outline::countBelow(const std::vector<OutlineKernel>& kernels) {
    const auto level = [&](std::int64_t id) { return kernels[static_cast<std::size_t>(indexOf(id))].level; };
    const auto give = [&](const Node& node, int count, std::int64_t best) {
        if (node.parent >= 0 && !node.onBestPath) {
            Node& above = m_nodes[static_cast<std::size_t>(node.parent)];
            above.below += count;
            if (best != 0 && (above.bestBelow == 0 || level(best) > level(above.bestBelow))) {
                above.bestBelow = best;
            }
        }
        ++m_steps;
    };
    std::size_t cluster = m_clusterAt.size();
    for (std::size_t i = m_kernels; i-- > 0;) {
        const Node& node = m_nodes[i];
        const std::int64_t own = kernels[i].ranked ? kernels[i].id : 0;
        const bool below = node.bestBelow != 0 && (own == 0 || level(node.bestBelow) > level(own));
        give(node, node.below + 1, below ? node.bestBelow : own);
        if (cluster > 0 && m_nodes[static_cast<std::size_t>(m_clusterAt[cluster - 1])].key == -node.key) {
            const Node& whole = m_nodes[static_cast<std::size_t>(m_clusterAt[--cluster])];
            give(whole, whole.below, whole.bestBelow);
        }
    }
}

bool Outline::isFoldedAtFirst(OutlineKey key) const {
    const int at = indexOf(key);
    return at >= 0 && !m_nodes[static_cast<std::size_t>(at)].onBestPath;
}

std::vector<OutlineKey> Outline::keys() const {
    std::vector<OutlineKey> all;
    for (const Node& node : m_nodes) {
        if (node.below > 0) {
            all.push_back(node.key);
        }
    }
    return all;
}

std::int64_t Outline::kernelAbove(const Node& node) const {
    const Node* above = node.parent < 0 ? nullptr : &m_nodes[static_cast<std::size_t>(node.parent)];
    while (above != nullptr && above->members > 0) {
        above = above->parent < 0 ? nullptr : &m_nodes[static_cast<std::size_t>(above->parent)];
    }
    return above == nullptr ? 0 : above->kernel;
}

std::vector<OutlineRow> Outline::rows(const std::unordered_set<OutlineKey>& toggled) const {
    struct Open {
        int node = 0;
        int depth = 0;
        bool continues = false;
    };
    std::vector<Open> stack;
    for (int root = m_roots; root-- > 0;) {
        stack.push_back({m_children[static_cast<std::size_t>(root)], 0, false});
    }
    std::vector<OutlineRow> shown;
    while (!stack.empty()) {
        const Open open = stack.back();
        stack.pop_back();
        ++m_steps;
        const Node& node = m_nodes[static_cast<std::size_t>(open.node)];
        const bool folded = node.below > 0 && node.onBestPath == toggled.contains(node.key);
        shown.push_back({node.key, node.kernel, node.bestBelow, kernelAbove(node), open.depth, node.members, node.below,
                         folded, node.onBestPath, open.continues});
        for (int child = node.children; child-- > 0;) {
            const int at = m_children[static_cast<std::size_t>(node.firstChild + child)];
            const bool spine = m_nodes[static_cast<std::size_t>(at)].onBestPath;
            if (spine || !folded) {
                const bool continues = spine || (node.children == 1 && node.members == 0 && open.depth > 0);
                stack.push_back({at, continues ? open.depth : open.depth + 1, continues});
            }
            ++m_steps;
        }
    }
    return shown;
}

std::vector<OutlineKey> Outline::around(std::int64_t kernel) const {
    std::vector<OutlineKey> keys;
    for (int at = indexOf(kernel); at >= 0;) {
        const Node& node = m_nodes[static_cast<std::size_t>(at)];
        if (node.onBestPath) {
            break; // always in view, and so is all that is above
        }
        if (node.parent >= 0) {
            keys.push_back(m_nodes[static_cast<std::size_t>(node.parent)].key);
        }
        at = node.parent;
    }
    std::ranges::reverse(keys);
    return keys;
}

} // namespace gks
