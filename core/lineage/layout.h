// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gks {

// Where a kernel stands in the lineage picture: column is its depth, row its place beside its cousins.
struct LineageCell {
    int column = 0;
    int row = 0;

    bool operator==(const LineageCell&) const = default;
};

// Incremental layout of the ancestry tree. A kernel that has been placed never moves again, whatever is added later, so
// the picture stays where the person looks. A child stands one column further, on the first free row at or below its
// parent's. Cost: amortised near-constant time for each kernel (free rows are found by path compression).
class LineageLayout {
public:
    // Adding the same id again returns its cell. An unknown parent counts as none.
    LineageCell add(std::int64_t id, std::optional<std::int64_t> parent);

    std::optional<LineageCell> cell(std::int64_t id) const;
    std::optional<std::int64_t> at(LineageCell cell) const;
    int columns() const { return static_cast<int>(m_columns.size()); }
    int rows() const { return m_rows; }

private:
    struct Column {
        std::vector<int> nextFree;          // row -> a row at or after it that may be free
        std::vector<std::int64_t> occupant; // row -> id, 0 when free
    };
    static int firstFree(Column& column, int row);

    std::unordered_map<std::int64_t, LineageCell> m_cells;
    std::vector<Column> m_columns;
    int m_rows = 0;
};

} // namespace gks
