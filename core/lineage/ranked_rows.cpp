// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/ranked_rows.h"

#include <algorithm>

namespace gks {

namespace {

bool isIn(const RankedRow& row, const RowFilter& filter) {
    return (filter.groups == 0 || (row.groups & filter.groups) != 0) &&
           (!filter.author || row.author == *filter.author) &&
           (!filter.among || std::ranges::binary_search(*filter.among, row.kernel));
}

} // namespace

std::vector<std::int64_t> rankedRows(const std::vector<RankedRow>& rows, const RowFilter& filter, bool ascending) {
    std::vector<const RankedRow*> ranked;
    for (const RankedRow& row : rows) {
        if (isIn(row, filter)) {
            ranked.push_back(&row);
        }
    }
    std::ranges::stable_sort(ranked, [ascending](const RankedRow* one, const RankedRow* other) {
        if ((one->number == 0) != (other->number == 0)) {
            return other->number == 0;
        }
        const RankedRow& first = ascending ? *one : *other;
        const RankedRow& second = ascending ? *other : *one;
        return first.number != second.number ? first.number < second.number : first.text < second.text;
    });
    std::vector<std::int64_t> order;
    order.reserve(ranked.size());
    for (const RankedRow* row : ranked) {
        order.push_back(row->kernel);
    }
    return order;
}

} // namespace gks
