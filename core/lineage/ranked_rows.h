// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The lineage as a flat table: who is in it, and in which order. Cost: n log n in the kernels.
namespace gks {

// What has become of a kernel; several may hold of one.
enum KernelGroup : unsigned {
    groupAccepted = 1, // it passed the judge
    groupFaster = 2,   // than what it was measured against
    groupFailed = 4,   // it did not build, gave wrong results, or was declined
    groupOpen = 8,     // nothing is known of it yet
    groupBanned = 16,
};

struct RankedRow {
    std::int64_t kernel = 0;
    unsigned groups = 0; // KernelGroup
    int author = 0;
    double number = 0; // what it is ranked by: a number, or where the column has none a text
    std::string text = {};
};

struct RowFilter {
    unsigned groups = 0; // KernelGroup; one of them is enough; 0: all kernels
    std::optional<int> author = {};
    std::optional<std::vector<std::int64_t>> among = {}; // ascending: what a search has found
    bool operator==(const RowFilter&) const = default;
};

// Equals stay in the order in which they come. What has no number stands behind those that have one, whatever the
// direction.
std::vector<std::int64_t> rankedRows(const std::vector<RankedRow>& rows, const RowFilter& filter, bool ascending);

} // namespace gks
