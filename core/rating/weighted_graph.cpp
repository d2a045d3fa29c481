// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/weighted_graph.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <queue>
#include <set>

// A sparse L D L^T. Unknowns are eliminated by least degree, where a campaign, which is nearly a tree, has next to no
// fill: George and Liu, "The Evolution of the Minimum Degree Ordering Algorithm", SIAM Review 31, 1989. A column keeps
// the neighbours that its unknown had when it was eliminated; the rows of a column behind its first are rows of that
// first's column too, so updates walk two sorted lists. The variances come from the entries of the inverse at the
// places of L alone (Takahashi, Fagan and Chin, 1973; Erisman and Tinney, Communications of the ACM 18, 1975).
namespace gks {

WeightedGraph::WeightedGraph(int unknowns, std::vector<GraphEdge> edges)
    : m_edges(std::move(edges))
    , m_place(static_cast<std::size_t>(unknowns))
    , m_rows(static_cast<std::size_t>(unknowns))
    , m_lower(static_cast<std::size_t>(unknowns))
    , m_diagonal(static_cast<std::size_t>(unknowns)) {
    order();
}

void WeightedGraph::order() {
    std::vector<std::set<std::size_t>> neighbours(m_place.size());
    for (const GraphEdge& edge : m_edges) {
        if (edge.a != GraphEdge::fixed && edge.b != GraphEdge::fixed) {
            neighbours[static_cast<std::size_t>(edge.a)].insert(static_cast<std::size_t>(edge.b));
            neighbours[static_cast<std::size_t>(edge.b)].insert(static_cast<std::size_t>(edge.a));
        }
    }
    // Degree, unknown: the earlier one wins a tie. An entry whose degree is another one by now has one of its own
    // behind it.
    using Entry = std::pair<std::size_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    for (std::size_t at = 0; at < neighbours.size(); ++at) {
        waiting.emplace(neighbours[at].size(), at);
    }
    std::vector<bool> isPlaced(neighbours.size());
    for (std::size_t next = 0; next < neighbours.size();) {
        const auto [degree, pivot] = waiting.top();
        waiting.pop();
        if (isPlaced[pivot] || neighbours[pivot].size() != degree) {
            continue;
        }
        isPlaced[pivot] = true;
        m_place[pivot] = next;
        m_rows[next].assign(neighbours[pivot].begin(), neighbours[pivot].end());
        for (const std::size_t one : m_rows[next]) {
            neighbours[one].erase(pivot);
            for (const std::size_t other : m_rows[next]) {
                if (other != one) {
                    neighbours[one].insert(other);
                }
            }
            waiting.emplace(neighbours[one].size(), one);
        }
        neighbours[pivot].clear();
        ++next;
    }
    for (std::size_t column = 0; column < m_rows.size(); ++column) {
        for (std::size_t& row : m_rows[column]) {
            row = m_place[row];
        }
        std::sort(m_rows[column].begin(), m_rows[column].end());
        m_lower[column].resize(m_rows[column].size());
    }
}

double& WeightedGraph::entry(std::size_t row, std::size_t column) {
    const auto& rows = m_rows[column];
    const auto found = std::lower_bound(rows.begin(), rows.end(), row);
    return m_lower[column][static_cast<std::size_t>(found - rows.begin())];
}

void WeightedGraph::factorize(std::span<const double> weights) {
    assert(weights.size() == m_edges.size());
    std::fill(m_diagonal.begin(), m_diagonal.end(), 0.0);
    for (auto& column : m_lower) {
        std::fill(column.begin(), column.end(), 0.0);
    }
    for (std::size_t at = 0; at < m_edges.size(); ++at) {
        const GraphEdge& edge = m_edges[at];
        for (const int end : {edge.a, edge.b}) {
            if (end != GraphEdge::fixed) {
                m_diagonal[m_place[static_cast<std::size_t>(end)]] += weights[at];
            }
        }
        if (edge.a != GraphEdge::fixed && edge.b != GraphEdge::fixed) {
            const std::size_t a = m_place[static_cast<std::size_t>(edge.a)];
            const std::size_t b = m_place[static_cast<std::size_t>(edge.b)];
            entry(std::max(a, b), std::min(a, b)) -= weights[at];
        }
    }
    for (std::size_t column = 0; column < m_rows.size(); ++column) {
        const auto& rows = m_rows[column];
        auto& lower = m_lower[column];
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double factor = lower[i] / m_diagonal[column];
            m_diagonal[rows[i]] -= factor * lower[i];
            const auto& target = m_rows[rows[i]];
            std::size_t to = 0;
            for (std::size_t j = i + 1; j < rows.size(); ++j) {
                while (target[to] != rows[j]) {
                    ++to;
                }
                m_lower[rows[i]][to] -= factor * lower[j];
            }
        }
        for (double& value : lower) {
            value /= m_diagonal[column];
        }
    }
}

std::vector<double> WeightedGraph::solve(std::span<const double> right) const {
    assert(right.size() == m_place.size());
    std::vector<double> x(right.size());
    for (std::size_t at = 0; at < right.size(); ++at) {
        x[m_place[at]] = right[at];
    }
    for (std::size_t column = 0; column < x.size(); ++column) {
        for (std::size_t i = 0; i < m_rows[column].size(); ++i) {
            x[m_rows[column][i]] -= m_lower[column][i] * x[column];
        }
    }
    for (std::size_t column = x.size(); column-- > 0;) {
        x[column] /= m_diagonal[column];
        for (std::size_t i = 0; i < m_rows[column].size(); ++i) {
            x[column] -= m_lower[column][i] * x[m_rows[column][i]];
        }
    }
    std::vector<double> result(right.size());
    for (std::size_t at = 0; at < right.size(); ++at) {
        result[at] = x[m_place[at]];
    }
    return result;
}

double WeightedGraph::varianceOfDifference(int a, int b) const {
    std::vector<double> right(m_place.size());
    const auto add = [&](int end, double value) {
        if (end != GraphEdge::fixed) {
            right[static_cast<std::size_t>(end)] += value;
        }
    };
    add(a, 1);
    add(b, -1);
    const std::vector<double> x = solve(right);
    const auto of = [&](int end) { return end == GraphEdge::fixed ? 0.0 : x[static_cast<std::size_t>(end)]; };
    return of(a) - of(b);
}

WeightedGraph::Variances WeightedGraph::variances() const {
    std::vector<double> diagonal(m_diagonal.size()); // of the inverse, by place
    std::vector<std::vector<double>> below(m_rows.size());
    const auto inverse = [&](std::size_t a, std::size_t b) {
        if (a == b) {
            return diagonal[a];
        }
        const auto& rows = m_rows[std::min(a, b)];
        const auto found = std::lower_bound(rows.begin(), rows.end(), std::max(a, b));
        return below[std::min(a, b)][static_cast<std::size_t>(found - rows.begin())];
    };
    for (std::size_t column = m_rows.size(); column-- > 0;) {
        const auto& rows = m_rows[column];
        const auto& lower = m_lower[column];
        below[column].resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t j = 0; j < rows.size(); ++j) {
                below[column][i] -= lower[j] * inverse(rows[j], rows[i]);
            }
        }
        diagonal[column] = 1 / m_diagonal[column];
        for (std::size_t i = 0; i < rows.size(); ++i) {
            diagonal[column] -= lower[i] * below[column][i];
        }
    }
    Variances result;
    for (const std::size_t place : m_place) {
        result.unknowns.push_back(diagonal[place]);
    }
    const auto of = [&](int end) {
        return end == GraphEdge::fixed ? 0.0 : diagonal[m_place[static_cast<std::size_t>(end)]];
    };
    for (const GraphEdge& edge : m_edges) {
        const bool both = edge.a != GraphEdge::fixed && edge.b != GraphEdge::fixed;
        const double shared =
            both ? inverse(m_place[static_cast<std::size_t>(edge.a)], m_place[static_cast<std::size_t>(edge.b)]) : 0.0;
        result.edges.push_back(of(edge.a) + of(edge.b) - 2 * shared);
    }
    return result;
}

} // namespace gks
