// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/shape_runs.h"

#include <algorithm>

namespace gks {

std::uint32_t ShapeRuns::placeOf(const ShapeExtents& shape) {
    return m_places.try_emplace(shape, static_cast<std::uint32_t>(m_places.size())).first->second;
}

std::vector<ShapeExtents> ShapeRuns::shapes() const {
    std::vector<ShapeExtents> shapes(m_places.size());
    for (const auto& [shape, place] : m_places) {
        shapes[place] = shape;
    }
    return shapes;
}

void ShapeRuns::add(const PairedComparison& pair, const std::vector<OfShape>& ofShapes) {
    ++m_count;
    if (ofShapes.empty()) {
        return;
    }
    if (m_blocks.empty() || m_blocks.back()->runs.size() >= runsInBlock) {
        m_blocks.push_back(std::make_shared<Block>());
        if (m_blocks.size() * runsInBlock > mostComparisons + 2 * runsInBlock) {
            m_blocks.erase(m_blocks.begin());
        }
    } else if (m_blocks.back().use_count() > 1) { // whoever has a copy reads it
        m_blocks.back() = std::make_shared<Block>(*m_blocks.back());
    }
    auto where = std::ranges::find(m_wheres, pair.where);
    if (where == m_wheres.end()) {
        where = m_wheres.insert(where, pair.where);
    }
    Block& block = *m_blocks.back();
    block.runs.push_back({pair.evaluation, pair.kernel, pair.other,
                          static_cast<std::uint32_t>(where - m_wheres.begin()),
                          static_cast<std::uint32_t>(block.ofShapes.size())});
    block.ofShapes.insert(block.ofShapes.end(), ofShapes.begin(), ofShapes.end());
}

std::vector<PairedComparison> ShapeRuns::of(std::uint32_t shape) const {
    std::vector<PairedComparison> found;
    for (const auto& block : m_blocks) {
        for (std::size_t i = 0; i < block->runs.size(); ++i) {
            const Run& run = block->runs[i];
            const std::size_t end =
                i + 1 < block->runs.size() ? block->runs[i + 1].firstOfShape : block->ofShapes.size();
            for (std::size_t at = run.firstOfShape; at < end; ++at) {
                const OfShape& one = block->ofShapes[at];
                if (one.shape == shape) {
                    found.push_back({run.evaluation, run.kernel, run.other, one.ratio, one.ci95, m_wheres[run.where]});
                }
            }
        }
    }
    return found;
}

} // namespace gks
