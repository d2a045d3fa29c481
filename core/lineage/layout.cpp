// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/layout.h"

#include <algorithm>

namespace gks {

// nextFree is a disjoint-set forest over rows: following it from any row ends at the first free row, and every walk is
// shortened on the way (Tarjan's path halving).
int LineageLayout::firstFree(Column& column, int row) {
    const auto grow = [&](int needed) {
        while (static_cast<int>(column.nextFree.size()) <= needed) {
            column.nextFree.push_back(static_cast<int>(column.nextFree.size()));
            column.occupant.push_back(0);
        }
    };
    const auto next = [&](int at) {
        grow(at);
        return column.nextFree[static_cast<std::size_t>(at)];
    };
    while (next(row) != row) {
        const int shortcut = next(next(row));
        column.nextFree[static_cast<std::size_t>(row)] = shortcut;
        row = shortcut;
    }
    return row;
}

LineageCell LineageLayout::add(std::int64_t id, std::optional<std::int64_t> parent) {
    if (const auto known = m_cells.find(id); known != m_cells.end()) {
        return known->second;
    }
    LineageCell cell;
    if (parent) {
        if (const auto above = m_cells.find(*parent); above != m_cells.end()) {
            cell = {above->second.column + 1, above->second.row};
        }
    }
    if (cell.column >= columns()) {
        m_columns.resize(static_cast<std::size_t>(cell.column) + 1);
    }
    Column& column = m_columns[static_cast<std::size_t>(cell.column)];
    cell.row = firstFree(column, cell.row);
    column.occupant[static_cast<std::size_t>(cell.row)] = id;
    column.nextFree[static_cast<std::size_t>(cell.row)] = cell.row + 1;
    m_cells.emplace(id, cell);
    m_rows = std::max(m_rows, cell.row + 1);
    return cell;
}

std::optional<LineageCell> LineageLayout::cell(std::int64_t id) const {
    const auto found = m_cells.find(id);
    return found == m_cells.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> LineageLayout::at(LineageCell cell) const {
    if (cell.column < 0 || cell.column >= columns() || cell.row < 0) {
        return std::nullopt;
    }
    const auto& occupant = m_columns[static_cast<std::size_t>(cell.column)].occupant;
    const auto row = static_cast<std::size_t>(cell.row);
    return row < occupant.size() && occupant[row] != 0 ? std::optional(occupant[row]) : std::nullopt;
}

} // namespace gks
