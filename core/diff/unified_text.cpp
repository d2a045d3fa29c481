// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/unified_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

struct RowRange {
    int first = 0;
    int last = 0;
};

// Changes whose contexts touch are one hunk.
std::vector<RowRange> hunksOf(const SideBySide& diff, int context) {
    std::vector<RowRange> hunks;
    const int end = static_cast<int>(diff.rows.size()) - 1;
    for (const DiffChange& change : diff.changes) {
        const RowRange range = {std::max(0, change.firstRow - context), std::min(end, change.lastRow + context)};
        if (!hunks.empty() && range.first <= hunks.back().last + 1) {
            hunks.back().last = range.last;
        } else {
            hunks.push_back(range);
        }
    }
    return hunks;
}

// "12,7" as diff writes it: a side without lines names the one before.
std::string rangeText(int first, int count) {
    return fmt::format("{},{}", count > 0 ? first + 1 : first, count);
}

std::string hunkText(const SideBySide& diff, const RowRange& range, int leftBefore, int rightBefore) {
    std::string body;
    std::string added; // behind what it replaces
    int left = 0;
    int right = 0;
    for (int at = range.first; at <= range.last; ++at) {
        const DiffRow& row = diff.rows[static_cast<std::size_t>(at)];
        left += row.leftLine ? 1 : 0;
        right += row.rightLine ? 1 : 0;
        if (row.kind == RowKind::equal) {
            body += added + " " + diff.right[static_cast<std::size_t>(*row.rightLine)] + "\n";
            added.clear();
            continue;
        }
        body += row.leftLine ? "-" + diff.left[static_cast<std::size_t>(*row.leftLine)] + "\n" : "";
        added += row.rightLine ? "+" + diff.right[static_cast<std::size_t>(*row.rightLine)] + "\n" : "";
    }
    return fmt::format("@@ -{} +{} @@\n{}{}", rangeText(leftBefore, left), rangeText(rightBefore, right), body, added);
}

} // namespace

std::string unifiedText(const SideBySide& diff, const std::string& leftName, const std::string& rightName,
                        int context) {
    if (diff.changes.empty()) {
        return {};
    }
    std::string text = fmt::format("--- {}\n+++ {}\n", leftName, rightName);
    int at = 0;
    int left = 0; // lines before the row
    int right = 0;
    for (const RowRange& hunk : hunksOf(diff, context)) {
        for (; at < hunk.first; ++at) {
            const DiffRow& row = diff.rows[static_cast<std::size_t>(at)];
            left += row.leftLine ? 1 : 0;
            right += row.rightLine ? 1 : 0;
        }
        text += hunkText(diff, hunk, left, right);
    }
    return text;
}

} // namespace gks
