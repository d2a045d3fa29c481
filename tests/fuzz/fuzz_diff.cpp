// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/side_by_side.h"
#include "tests/fuzz/fuzz.h"

using gks::fuzz::require;

namespace {

void checkWords(const std::vector<gks::ByteSpan>& spans, const std::string& line) {
    int from = 0;
    for (const gks::ByteSpan& span : spans) {
        require(span.begin >= from && span.begin < span.end && span.end <= static_cast<int>(line.size()),
                "words lie in their line, in order");
        from = span.end;
    }
}

void check(const gks::SideBySide& sides, bool exact) {
    int left = 0;
    int right = 0;
    for (const gks::DiffRow& row : sides.rows) {
        require(row.leftLine || row.rightLine, "a row shows something");
        require(!row.leftLine || *row.leftLine == left++, "every line on the left once, in order");
        require(!row.rightLine || *row.rightLine == right++, "every line on the right once, in order");
        const std::string* before = row.leftLine ? &sides.left.at(static_cast<std::size_t>(*row.leftLine)) : nullptr;
        const std::string* after = row.rightLine ? &sides.right.at(static_cast<std::size_t>(*row.rightLine)) : nullptr;
        const bool both = before != nullptr && after != nullptr;
        require(both == (row.kind == gks::RowKind::equal || row.kind == gks::RowKind::changed),
                "kinds fit their sides");
        require(row.kind != gks::RowKind::equal || !exact || *before == *after, "equal rows are equal");
        checkWords(row.leftWords, before != nullptr ? *before : std::string());
        checkWords(row.rightWords, after != nullptr ? *after : std::string());
    }
    require(left == static_cast<int>(sides.left.size()) && right == static_cast<int>(sides.right.size()),
            "no line is left out");
    int last = -1;
    for (const gks::DiffChange& change : sides.changes) {
        require(change.firstRow > last && change.lastRow >= change.firstRow &&
                    change.lastRow < static_cast<int>(sides.rows.size()),
                "changes are rows, in order");
        last = change.lastRow;
    }
}

} // namespace

// Two sources, parted by byte 1.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = gks::fuzz::text(data, size);
    const std::size_t cut = std::min(text.find('\x01'), text.size());
    const std::string_view left = text.substr(0, cut);
    const std::string_view right = text.substr(std::min(cut + 1, text.size()));
    check(gks::compareSources(left, right), true);
    check(gks::compareSources(left, right, {.ignoreWhitespace = true}), false);
    require(gks::compareSources(left, left).changes.empty(), "a source does not differ from itself");
    return 0;
}
