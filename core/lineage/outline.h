// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

// The lineage as rows to be read from top to bottom, in a column that may be narrow.
//
// The idea: the path to the best kernel is the spine. It stands at one depth, whatever its length, and what branches
// off hangs between its members, one step further in. The same holds for a run of single children anywhere: a line that
// does not branch does not indent. Siblings that were made together (a round of experiments, the points of a tuning
// run) are one row until somebody looks into it. So depth counts branchings, not generations.
//
// Cost: linear in the kernels, once to build and once for every change of what is folded; no recursion, a chain may be
// as long as the campaign. Outline::steps() counts, so that a test can tell linear from quadratic.
namespace gks {

struct OutlineKernel {
    std::int64_t id = 0;     // ascending; parents come before their children
    std::int64_t parent = 0; // basis; 0 or unknown: a root
    std::int64_t group = 0;  // siblings of one group were made together; 0: by itself
    double level = 0;        // the larger the faster; compared only where `ranked`
    bool ranked = false;     // accepted and measured
};

// What can be folded: a kernel by its id, a cluster by the negative id of its first member.
using OutlineKey = std::int64_t;

struct OutlineRow {
    OutlineKey key = 0;
    std::int64_t kernel = 0;    // of a cluster: its best member, 0 where none is ranked
    std::int64_t bestBelow = 0; // of the kernels that hang below (of a cluster: its members and those); 0: none ranked
    std::int64_t parent = 0;    // the kernel that it was made from; 0: a root
    int depth = 0;
    int members = 0; // of a cluster; 0: a kernel
    int below = 0;   // kernels that folding it hides
    bool folded = false;
    bool onBestPath = false;
    bool continues = false; // stands at the depth of its parent, which is the kernel above it on this line
    bool operator==(const OutlineRow&) const = default;
};

class Outline {
public:
    static constexpr int smallestCluster = 3;

    Outline() = default;
    // `best`: 0 when there is none.
    Outline(const std::vector<OutlineKernel>& kernels, std::int64_t best);

    // What is in view. Clusters and families off the best path are folded to begin with, the best path is open;
    // `toggled` are the keys where it is the other way round. No folding hides a kernel of the best path.
    std::vector<OutlineRow> rows(const std::unordered_set<OutlineKey>& toggled) const;
    // What has to be open for this kernel to be in view, outermost first.
    std::vector<OutlineKey> around(std::int64_t kernel) const;
    bool isFoldedAtFirst(OutlineKey key) const;
    // Everything that can be folded.
    std::vector<OutlineKey> keys() const;

    std::size_t steps() const { return m_steps; }

private:
    struct Node { // a kernel or a cluster
        OutlineKey key = 0;
        std::int64_t kernel = 0;
        std::int64_t bestBelow = 0;
        int parent = -1;    // index of the node above: a cluster stands between its members and their parent
        int firstChild = 0; // into m_children
        int children = 0;
        int members = 0;
        int below = 0;
        bool onBestPath = false;
    };
    void markBestPath(std::int64_t best);
    void addClusters(const std::vector<OutlineKernel>& kernels, const std::vector<int>& parents);
    void linkChildren();
    void countBelow(const std::vector<OutlineKernel>& kernels);
    int indexOf(OutlineKey key) const; // -1: not there
    std::int64_t kernelAbove(const Node& node) const;

    std::vector<Node> m_nodes;    // the kernels in their order, then the clusters
    std::vector<int> m_children;  // of the roots first, then of every node
    std::vector<int> m_clusterAt; // clusters by the id of their first member, ascending: indices of nodes
    std::size_t m_kernels = 0;
    int m_roots = 0;
    mutable std::size_t m_steps = 0;
};

} // namespace gks
