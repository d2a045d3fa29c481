// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/hash.h"
#include "core/problem/problem.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Inputs, expected outputs and the comparison of the two. All of it lives in the evaluator, never in the runner.
namespace gks {

// Input values are drawn from one of these; a kernel that is right on one only by luck fails on another. All of them
// keep the root mean square near or below that of asDeclared: the pack's absolute tolerance is meant for values of that
// size, and an honest kernel that adds in another order must pass with each.
//   asDeclared       the tensor's fill: standard normal, uniform on [0, 1), zeros, ones
//   wideRange        magnitudes spread evenly over the binary exponents, from the type's smallest (2^-30 at least) up
//   to 4 structuredZeros  as declared, but whole slices of the first extent and whole runs of 32 elements are zero
//   extremeScales    as declared, but each run of 32 elements has a scale of 2^-2 to 2^6, the large ones rare
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

// The pack's reference.cpp, compiled once (cached by content) and loaded. Trusted code: it comes with the pack, not
// from a model. It exports:
//   extern "C" void reference(const void* const* tensors, const int64_t* dims, int output, int64_t begin, int64_t end,
//   double* expected);
// tensors in the order of the pack (outputs null), fp8 inputs given as float arrays already decoded; fills expected[0
// .. end-begin). Expected outputs of one set of inputs. Keeps the decoded fp8 inputs, so that many small samples cost
// one decoding; the other inputs are used in place and must outlive it. Safe to use from several threads.
class ExpectedOutputs {
public:
    virtual ~ExpectedOutputs() = default;
    virtual Result<std::vector<double>> range(std::size_t tensorIndex, std::int64_t begin, std::int64_t end) const = 0;
    // One value per flat index, in the order given.
    virtual Result<std::vector<double>> at(std::size_t tensorIndex, std::span<const std::int64_t> indices) const = 0;
};

class Reference {
public:
    static Result<std::shared_ptr<const Reference>> load(const ProblemPack& pack);
    virtual ~Reference() = default;

    virtual Result<std::shared_ptr<const ExpectedOutputs>>
    prepare(const Shape& shape, const std::vector<std::span<const std::byte>>& tensors, Fp8Encoding encoding) const = 0;

    // Expected values of elements [begin, end) of output tensor `tensorIndex`; `tensors` in the order of the pack, as
    // bytes (outputs empty). Uses all cores. prepare() and one range(); for many samples of the same inputs use
    // prepare().
    virtual Result<std::vector<double>> expected(const Shape& shape,
                                                 const std::vector<std::span<const std::byte>>& tensors,
                                                 Fp8Encoding encoding, std::size_t tensorIndex, std::int64_t begin,
                                                 std::int64_t end) const = 0;
};

struct Comparison {
    std::int64_t checked = 0;
    std::int64_t mismatches = 0;
    std::int64_t firstIndex = -1; // flat index of the first mismatch
    double firstExpected = 0;
    double firstGot = 0;
    double maxAbsoluteError = 0;
    double maxRelativeError = 0; // relative to |want|, or to the absolute tolerance where that is larger
    std::int64_t nonFinite = 0;  // elements that are NaN or infinite where the reference is not
    bool ok() const { return mismatches == 0; }
    Comparison& operator+=(const Comparison& other); // of another part of the same tensor
    std::string text() const; // "17 of 8192 elements differ, first at 40: expected 1.25, got nan; largest error ..."
};

// |got - want| <= absolute + relative * |want|, and NaN and infinity masks agree. `begin` is the flat index of
// expected[0].
Comparison compare(std::span<const double> expected, std::span<const std::byte> actual, ElementType type,
                   Fp8Encoding encoding, const Tolerance& tolerance, std::int64_t begin = 0);

} // namespace gks
