// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

// Every number that a person reads is formatted here: three significant digits, the unit, the spread.
namespace gks {

struct Interval {
    double low = 0;
    double high = 0;

    bool operator==(const Interval&) const = default;
};

std::string formatSignificant(double value, int digits = 3); // "314", "0.0123", "1.05"
std::string formatMicroseconds(double us);                   // "314 us", "1.20 ms", "2.05 s": unit chosen by size
// "314 us ±0.3 %": half the interval relative to the median.
std::string formatMicroseconds(double medianUs, const Interval& ci95Us);
std::string formatRatio(double ratio);                       // "1.31x"
std::string formatRatio(double ratio, const Interval& ci95); // "1.31x [1.29, 1.33]"
// What a ratio is when its deciding interval leaves open which of two is faster: "not decided (99 %: 0.996 to 1.84)".
std::string formatUndecided(const Interval& ci99);
std::string formatPercent(double percent);                   // "12.5 %"
std::string formatShare(double share);                       // "42 %" of one, in whole percent
std::string formatShare(double share, const Interval& ci95); // "42 % [30, 55]"
std::string formatBytes(std::uint64_t bytes);                // "33 KiB"
std::string formatFlop(double flop);                         // "22.5 GFLOP"
std::string formatUsd(double usd);                           // "$0.34"
// The same where some of it was not priced: "over $0.34", "price unknown".
std::string formatCost(double usd, bool complete);
std::string formatTokens(std::uint64_t tokens); // "950", "12.3k"
std::string formatSeconds(double seconds);      // "0.84 s", "2 min 05 s"
std::string formatClock(double seconds);        // "00:12:31"

} // namespace gks
