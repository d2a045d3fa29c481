// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/change_text.h"

#include "core/base/text.h"
#include "core/diff/side_by_side.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gks {
namespace {

constexpr int contextRows = 2;

const std::string& lineOf(const std::vector<std::string>& side, const std::optional<int>& line) {
    return side[static_cast<std::size_t>(*line)];
}

// Rows of one change with their context. Removed lines come before added ones, as in every unified diff.
std::string rowsText(const SideBySide& compared, int first, int last) {
    std::string text;
    std::string added;
    for (int i = first; i <= last; ++i) {
        const DiffRow& row = compared.rows[static_cast<std::size_t>(i)];
        if (row.kind == RowKind::equal) {
            text += added + "  " + lineOf(compared.right, row.rightLine) + "\n";
            added.clear();
            continue;
        }
        if (row.leftLine) {
            text += "- " + lineOf(compared.left, row.leftLine) + "\n";
        }
        if (row.rightLine) {
            added += "+ " + lineOf(compared.right, row.rightLine) + "\n";
        }
    }
    return text + added;
}

} // namespace

std::string changeText(std::string_view before, std::string_view after, std::size_t limitBytes) {
    const SideBySide compared = compareSources(before, after);
    std::string text;
    const int rows = static_cast<int>(compared.rows.size());
    for (std::size_t i = 0; i < compared.changes.size();) {
        const int first = std::max(0, compared.changes[i].firstRow - contextRows);
        int last = compared.changes[i].lastRow;
        for (++i; i < compared.changes.size() && compared.changes[i].firstRow <= last + 2 * contextRows + 1; ++i) {
            last = compared.changes[i].lastRow;
        }
        const DiffRow& row = compared.rows[static_cast<std::size_t>(first)];
        text += fmt::format("@@ line {}\n", row.rightLine.value_or(row.leftLine.value_or(0)) + 1);
        text += rowsText(compared, first, std::min(rows - 1, last + contextRows));
    }
    return abbreviated(text, limitBytes);
}

ChangedLines changedLines(std::string_view before, std::string_view after) {
    const SideBySide compared = compareSources(before, after, {.ignoreWhitespace = true});
    ChangedLines changed;
    for (const DiffRow& row : compared.rows) {
        if (row.kind != RowKind::equal && row.leftLine) {
            changed.removed += lineOf(compared.left, row.leftLine) + "\n";
        }
        if (row.kind != RowKind::equal && row.rightLine) {
            changed.added += lineOf(compared.right, row.rightLine) + "\n";
        }
    }
    return changed;
}

} // namespace gks
