// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Two sources as aligned rows for a side-by-side view.
namespace gks {

enum class RowKind { equal, changed, removed, added };

// Bytes [begin, end) of a line.
struct ByteSpan {
    int begin = 0;
    int end = 0;

    bool operator==(const ByteSpan&) const = default;
};

// One row of the picture. A side without a line shows filler. Lines count from 0.
struct DiffRow {
    RowKind kind = RowKind::equal;
    std::optional<int> leftLine;
    std::optional<int> rightLine;
    std::vector<ByteSpan> leftWords; // what differs within a changed row
    std::vector<ByteSpan> rightWords;
};

// Rows [first, last] of one change, for "next change" and the overview strip.
struct DiffChange {
    int firstRow = 0;
    int lastRow = 0;
};

struct SideBySide {
    std::vector<std::string> left; // lines without terminators
    std::vector<std::string> right;
    std::vector<DiffRow> rows; // every line of both sides exactly once, in order
    std::vector<DiffChange> changes;
    int addedLines = 0;
    int removedLines = 0;
    int changedLines = 0;
};

struct DiffOptions {
    bool ignoreWhitespace = false;
};

// Line differences by libgit2 (Myers with its patience variant), word differences by a longest common subsequence of
// tokens within paired lines. Sources of any content; a line with more tokens than a bound is marked as changed whole.
SideBySide compareSources(std::string_view left, std::string_view right, const DiffOptions& options = {});

} // namespace gks
