// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"

#include "core/base/interval_end.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace gks {

std::string formatSignificant(double value, int digits) {
    if (!std::isfinite(value)) {
        return std::isnan(value) ? "nan" : (value < 0 ? "-inf" : "inf");
    }
    if (value == 0) {
        return "0";
    }
    // Rounding may carry into a new leading digit (9.996 -> 10.0), so the exponent is taken from the rounded text.
    const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    if (exponent < -6) {
        return scientific;
    }
    return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string formatMicroseconds(double us) {
    const double size = std::abs(us);
    if (size >= 999'500.0) {
        return formatSignificant(us / 1e6) + " s";
    }
    if (size >= 999.5) {
        return formatSignificant(us / 1e3) + " ms";
    }
    return formatSignificant(us) + " us";
}

std::string formatMicroseconds(double medianUs, const Interval& ci95Us) {
    const double halfPercent = medianUs > 0 ? (ci95Us.high - ci95Us.low) / 2 / medianUs * 100 : 0;
    return fmt::format("{} ±{} %", formatMicroseconds(medianUs),
                       formatSignificant(halfPercent, halfPercent < 1 ? 1 : 2));
}

std::string formatRatio(double ratio) {
    return formatSignificant(ratio) + "x";
}

std::string formatRatio(double ratio, const Interval& ci95) {
    return fmt::format("{} [{}, {}]", formatRatio(ratio), formatSignificant(ci95.low), formatSignificant(ci95.high));
}

std::string formatIntervalEnd(double ratio) {
    return formatSignificant(ratio, ratio >= 1 && ratio < 1.1 ? 4 : 3);
}

std::string formatUndecided(const Interval& ci99) {
    return fmt::format("not decided (99 %: {} to {})", formatIntervalEnd(ci99.low), formatIntervalEnd(ci99.high));
}

std::string formatPercent(double percent) {
    return formatSignificant(percent) + " %";
}

std::string formatShare(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string formatShare(double share, const Interval& ci95) {
    return fmt::format("{} [{:.0f}, {:.0f}]", formatShare(share), 100 * ci95.low, 100 * ci95.high);
}

std::string formatBytes(std::uint64_t bytes) {
    static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    const bool whole = value == std::floor(value) && value < 1e6;
    return fmt::format("{} {}", whole ? fmt::format("{:.0f}", value) : formatSignificant(value), units[unit]);
}

std::string formatFlop(double flop) {
    static constexpr std::array units = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"};
    std::size_t unit = 0;
    while (flop >= 999.5 && unit + 1 < units.size()) {
        flop /= 1000;
        ++unit;
    }
    return fmt::format("{} {}", formatSignificant(flop), units[unit]);
}

std::string formatUsd(double usd) {
    return fmt::format("${:.2f}", usd);
}

std::string formatCost(double usd, bool complete) {
    return complete ? formatUsd(usd) : usd > 0 ? "at least " + formatUsd(usd) : "cost unknown";
}

std::string formatTokens(std::uint64_t tokens) {
    return tokens < 1000 ? fmt::format("{}", tokens) : formatSignificant(static_cast<double>(tokens) / 1000) + "k";
}

std::string formatSeconds(double seconds) {
    if (seconds < 59.5) {
        return formatSignificant(seconds) + " s";
    }
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    return whole < 3600 ? fmt::format("{} min {:02} s", whole / 60, whole % 60)
                        : fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string formatClock(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::max(0.0, std::floor(seconds)));
    return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole % 3600 / 60, whole % 60);
}

} // namespace gks
