// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gks {

// An edge between two unknowns, or between one and the fixed end.
struct GraphEdge {
    static constexpr int fixed = -1;
    int a = fixed;
    int b = fixed;
};

// The equations of least squares over differences: A = sum over the edges of w (e_a - e_b)(e_a - e_b)^T, where the
// fixed end is no unknown. Every unknown must hang on the fixed end by some path, then A is positive definite. Cost:
// linear in unknowns and edges for a tree, cubic only in the part where many cycles cross.
class WeightedGraph {
public:
    WeightedGraph() = default; // of nothing
    WeightedGraph(int unknowns, std::vector<GraphEdge> edges);

    void factorize(std::span<const double> weights); // one positive weight for each edge; before all that follows

    std::vector<double> solve(std::span<const double> right) const; // A x = right
    // Of the inverse: the variance of x[a] - x[b] when the weights are 1 / variance. For any two.
    double varianceOfDifference(int a, int b) const;
    // The same for each unknown against the fixed end, and for each edge, all at the price of a factorization.
    struct Variances {
        std::vector<double> unknowns;
        std::vector<double> edges;
    };
    Variances variances() const;

private:
    void order();
    double& entry(std::size_t row, std::size_t column); // below the diagonal, by place in the order

    std::vector<GraphEdge> m_edges;
    std::vector<std::size_t> m_place;             // of an unknown, in the order of elimination
    std::vector<std::vector<std::size_t>> m_rows; // of a column, ascending places behind it
    std::vector<std::vector<double>> m_lower;     // beside m_rows: L of A = L D L^T
    std::vector<double> m_diagonal;               // D
};

} // namespace gks
