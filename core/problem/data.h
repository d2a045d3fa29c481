// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/hash.h"
#include "core/problem/problem.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

// Inputs, and the comparison of outputs with what is expected. All of it lives in the evaluator, never in the runner.
namespace gks {

// Input values are drawn from one of these; a kernel that is right on one only by luck fails on another. All of them
// keep the root mean square near or below that of asDeclared: the pack's absolute tolerance is meant for values of that
// size, and an honest kernel that adds in another order must pass with each.
//   asDeclared       the tensor's fill: standard normal, uniform on [0, 1), zeros, ones
//   wideRange        magnitudes spread evenly over the binary exponents, from the type's smallest (2^-30 at least) up
//   to 4 structuredZeros  as declared, but whole slices of the first extent and whole runs of 32 elements are zero
//   extremeScales    as declared, each run of 32 elements with a scale of 2^-2 to 2^6, large ones rare; and outliers
enum class Distribution { asDeclared, wideRange, structuredZeros, extremeScales };
std::string_view name(Distribution distribution);

// Fills the bytes of one input tensor. Same arguments, same bytes, on every machine.
Result<void> fillTensor(const ProblemPack& pack, std::size_t tensorIndex, const Shape& shape, const Seed& seed,
                        Distribution distribution, Fp8Encoding encoding, std::span<std::byte> bytes);

// As many values as declared for the tensor as the whole elements in `bytes`.
void fillValues(const TensorSpec& tensor, const Seed& seed, Fp8Encoding encoding, std::span<std::byte> bytes);

double decodeElement(ElementType type, Fp8Encoding encoding, const std::byte* at);
void encodeElement(ElementType type, Fp8Encoding encoding, double value,
                   std::byte* at); // round to nearest even, saturating fp8

struct Comparison {
    std::int64_t checked = 0;
    std::int64_t mismatches = 0;
    std::int64_t firstIndex = -1; // flat index of the first mismatch
    double firstExpected = 0;
    double firstGot = 0;
    double maxAbsoluteError = 0;
    double maxRelativeError = 0; // relative to |want|, or to the absolute tolerance where that is larger
    double worstError = 0;       // of the mismatch that exceeds what is allowed most; infinite where one is not finite
    double worstAllowed = 0;
    std::int64_t nonFinite = 0; // elements that are NaN or infinite where the reference is not
    bool ok() const { return mismatches == 0; }
    Comparison& operator+=(const Comparison& other); // of another part of the same tensor
    std::string text() const; // "17 of 8192 elements differ, first at 40: expected 1.25, got nan; largest error ..."
};

// By the formula of Tolerance, and NaN and infinity masks agree. `begin` is the flat index of expected[0]. `magnitudes`
// of the same elements; they are asked for where the tolerance follows them: one that is missing is 0.
Comparison compare(std::span<const double> expected, std::span<const std::byte> actual, ElementType type,
                   Fp8Encoding encoding, const Tolerance& tolerance, std::int64_t begin = 0,
                   std::span<const double> magnitudes = {});

} // namespace gks
