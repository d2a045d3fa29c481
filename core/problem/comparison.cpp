// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/problem/element_codec.h"
#include "core/problem/parallel_ranges.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <mutex>

namespace gks {
namespace {

constexpr std::size_t blockElements = 2048;
constexpr std::int64_t pieceElements = std::int64_t{1} << 18;

// Overflow of the element type itself is right: where the expected value rounds to infinity, infinity is the answer.
bool sameNonFinite(double want, double got, ElementType type, Fp8Encoding encoding) {
    if (std::isnan(want) || std::isnan(got)) {
        return std::isnan(want) && std::isnan(got);
    }
    std::array<std::byte, 8> bytes{};
    encodeElement(type, encoding, want, bytes.data());
    return decodeElement(type, encoding, bytes.data()) == got;
}

// Whether the first of two errors exceeds its tolerance more than the second.
bool isWorse(double error, double allowed, double otherError, double otherAllowed) {
    return error * otherAllowed > otherError * allowed || (otherError == 0 && error > 0);
}

void compareElement(Comparison& result, std::int64_t index, double want, double got, bool matches,
                    const Tolerance& tolerance) {
    const double error = std::isfinite(got - want) ? std::abs(got - want) : std::numeric_limits<double>::infinity();
    const double allowed = tolerance.absolute + tolerance.relative * (std::isfinite(want) ? std::abs(want) : 0);
    if (!matches && isWorse(error, allowed, result.worstError, result.worstAllowed)) {
        result.worstError = error;
        result.worstAllowed = allowed;
    }
    if (!std::isfinite(got) && std::isfinite(want) && !matches) {
        ++result.nonFinite;
    }
    if (!matches && result.mismatches++ == 0) {
        result.firstIndex = index;
        result.firstExpected = want;
        result.firstGot = got;
    }
}

// `allowed` at each element, beside its share of |want|.
void compareBlock(Comparison& result, std::span<const double> expected, std::span<const double> actual,
                  std::span<const double> allowed, ElementType type, Fp8Encoding encoding, const Tolerance& tolerance,
                  std::int64_t begin) {
    double largestAbsolute = 0;
    double largestRelative = 0;
    bool allWithin = true;
    for (std::size_t i = 0; i < expected.size(); ++i) { // no branches that depend on data: vectorised
        const double want = std::abs(expected[i]);
        const double difference = std::abs(actual[i] - expected[i]);
        const bool within = difference <= allowed[i] + tolerance.relative * want;
        allWithin &= within && want <= std::numeric_limits<double>::max();
        largestAbsolute = std::max(largestAbsolute, difference);
        // Relative errors of values near zero say nothing: the absolute tolerance is the yardstick there.
        largestRelative = std::max(largestRelative, difference / std::max(want, tolerance.absolute + 1e-300));
    }
    result.checked += static_cast<std::int64_t>(expected.size());
    if (allWithin) {
        result.maxAbsoluteError = std::max(result.maxAbsoluteError, largestAbsolute);
        result.maxRelativeError = std::max(result.maxRelativeError, largestRelative);
        return;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double want = expected[i];
        const double got = actual[i];
        bool matches = false;
        if (std::isfinite(want) && std::isfinite(got)) {
            const double difference = std::abs(got - want);
            matches = difference <= allowed[i] + tolerance.relative * std::abs(want);
            result.maxAbsoluteError = std::max(result.maxAbsoluteError, difference);
            result.maxRelativeError =
                std::max(result.maxRelativeError, difference / std::max(std::abs(want), tolerance.absolute + 1e-300));
        } else {
            matches = sameNonFinite(want, got, type, encoding);
        }
        compareElement(result, begin + static_cast<std::int64_t>(i), want, got, matches, tolerance);
    }
}

Comparison comparePiece(std::span<const double> expected, std::span<const std::byte> actual,
                        std::span<const double> magnitudes, ElementType type, Fp8Encoding encoding,
                        const Tolerance& tolerance, std::int64_t begin) {
    Comparison result;
    std::array<double, blockElements>
        decoded; // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
    std::array<double, blockElements> allowed;
    allowed.fill(tolerance.absolute);
    const std::size_t size = sizeBytes(type);
    for (std::size_t at = 0; at < expected.size(); at += blockElements) {
        const std::size_t count = std::min(blockElements, expected.size() - at);
        const std::span<double> values(decoded.data(), count);
        decodeElements(type, encoding, actual.subspan(at * size, count * size), values);
        for (std::size_t i = 0; i < count && !magnitudes.empty(); ++i) {
            allowed[i] = tolerance.absolute + tolerance.ofMagnitude * magnitudes[at + i];
        }
        compareBlock(result, expected.subspan(at, count), values, std::span(allowed).first(count), type, encoding,
                     tolerance, begin + static_cast<std::int64_t>(at));
    }
    return result;
}

} // namespace

Comparison& Comparison::operator+=(const Comparison& other) {
    if (other.firstIndex >= 0 && (firstIndex < 0 || other.firstIndex < firstIndex)) {
        firstIndex = other.firstIndex;
        firstExpected = other.firstExpected;
        firstGot = other.firstGot;
    }
    if (isWorse(other.worstError, other.worstAllowed, worstError, worstAllowed)) {
        worstError = other.worstError;
        worstAllowed = other.worstAllowed;
    }
    checked += other.checked;
    mismatches += other.mismatches;
    nonFinite += other.nonFinite;
    maxAbsoluteError = std::max(maxAbsoluteError, other.maxAbsoluteError);
    maxRelativeError = std::max(maxRelativeError, other.maxRelativeError);
    return *this;
}

std::string Comparison::text() const {
    if (ok()) {
        return fmt::format("{} elements agree; largest error {} absolute, {} relative", checked,
                           formatSignificant(maxAbsoluteError), formatSignificant(maxRelativeError));
    }
    std::string result =
        fmt::format("{} of {} elements differ, first at {}: expected {:.9g}, got {:.9g}; largest error {}", mismatches,
                    checked, firstIndex, firstExpected, firstGot, formatSignificant(maxAbsoluteError));
    if (nonFinite > 0) {
        result += fmt::format("; {} not finite where a number was expected", nonFinite);
    }
    return result;
}

Comparison compare(std::span<const double> expected, std::span<const std::byte> actual, ElementType type,
                   Fp8Encoding encoding, const Tolerance& tolerance, std::int64_t begin,
                   std::span<const double> magnitudes) {
    const std::size_t size = sizeBytes(type);
    const std::size_t present = std::min(expected.size(), actual.size() / size);
    Comparison result;
    std::mutex mutex;
    forRanges(static_cast<std::int64_t>(present), pieceElements, [&](std::int64_t from, std::int64_t to) {
        const auto at = static_cast<std::size_t>(from);
        const auto count = static_cast<std::size_t>(to - from);
        const Comparison piece =
            comparePiece(expected.subspan(at, count), actual.subspan(at * size, count * size),
                         magnitudes.size() < at + count ? std::span<const double>() : magnitudes.subspan(at, count),
                         type, encoding, tolerance, begin + from);
        const std::scoped_lock lock(mutex);
        result += piece;
    });
    // Bytes that are not there are wrong, never overlooked.
    for (std::size_t i = present; i < expected.size(); ++i) {
        ++result.checked;
        compareElement(result, begin + static_cast<std::int64_t>(i), expected[i], std::nan(""), false, tolerance);
    }
    return result;
}

} // namespace gks
