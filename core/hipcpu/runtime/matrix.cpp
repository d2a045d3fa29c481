// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/matrix.h"

#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/float8.h"
#include "core/hipcpu/runtime/matrix_fast.h"
#include "core/hipcpu/runtime/small_float.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

// Every matrix instruction of CDNA3 and CDNA4 from one general routine: unpack A and B of all lanes into plain
// matrices, multiply, add to C in place. It follows the layout rule element by element, so it is also what the fast
// paths are tested against.
//
// Sums run over k in order, in the accumulator's type with fused multiply-add. The xf32 forms round their inputs to 10
// mantissa bits (to nearest, ties to even) before the product; AMD does not document the rounding.
//
// f8f6f4: 32 values along k share a scale. AMD says that a scale is applied after the products have been added (CDNA4
// ISA, 7.2) and not how exact the sum is: here it is in double, and rounded once a block when it is added to the
// accumulator.

namespace gks::hipcpu {

namespace {

constexpr std::uint32_t maxOuter = 32;
constexpr std::uint32_t maxInner = 64;
constexpr std::uint32_t scaledAlongK = 32;

constexpr auto fp8Values = float8Table(fp8Format);
constexpr auto bf8Values = float8Table(bf8Format);
constexpr auto ocpFp8Values = smallFloatTable<256>(ocpFp8);
constexpr auto ocpBf8Values = smallFloatTable<256>(ocpBf8);
constexpr auto ocpFp6Values = smallFloatTable<64>(ocpFp6);
constexpr auto ocpBf6Values = smallFloatTable<64>(ocpBf6);
constexpr auto ocpFp4Values = smallFloatTable<16>(ocpFp4);

template<class T>
T loadAs(const void* base, std::uint32_t element) {
    T value;
    std::memcpy(&value, static_cast<const char*>(base) + std::size_t{element} * sizeof(T), sizeof(T));
    return value;
}

float roundToXf32(float value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isfinite(value)) {
        bits = (bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu;
    }
    return std::bit_cast<float>(bits);
}

// Elements that begin within a byte.
std::uint32_t loadBits(const void* base, std::uint32_t element, std::uint32_t bits) {
    const std::uint32_t first = element * bits;
    const auto* bytes = static_cast<const std::uint8_t*>(base) + first / 8;
    const std::uint32_t low = bytes[0];
    const std::uint32_t high = first % 8 + bits > 8 ? bytes[1] : 0u;
    return (low | high << 8) >> first % 8 & ((1u << bits) - 1);
}

template<class Sum>
Sum loadInput(MatrixType type, const void* base, std::uint32_t element) {
    switch (type) {
    case MatrixType::f32:
        return static_cast<Sum>(loadAs<float>(base, element));
    case MatrixType::xf32:
        return static_cast<Sum>(roundToXf32(loadAs<float>(base, element)));
    case MatrixType::f16:
        return static_cast<Sum>(static_cast<float>(loadAs<_Float16>(base, element)));
    case MatrixType::bf16:
        return static_cast<Sum>(std::bit_cast<float>(std::uint32_t{loadAs<std::uint16_t>(base, element)} << 16));
    case MatrixType::fp8:
        return static_cast<Sum>(fp8Values[loadAs<std::uint8_t>(base, element)]);
    case MatrixType::bf8:
        return static_cast<Sum>(bf8Values[loadAs<std::uint8_t>(base, element)]);
    case MatrixType::i8:
        return static_cast<Sum>(loadAs<std::int8_t>(base, element));
    case MatrixType::f64:
        return static_cast<Sum>(loadAs<double>(base, element));
    case MatrixType::ocpFp8:
        return static_cast<Sum>(ocpFp8Values[loadAs<std::uint8_t>(base, element)]);
    case MatrixType::ocpBf8:
        return static_cast<Sum>(ocpBf8Values[loadAs<std::uint8_t>(base, element)]);
    case MatrixType::ocpFp6:
        return static_cast<Sum>(ocpFp6Values[loadBits(base, element, 6)]);
    case MatrixType::ocpBf6:
        return static_cast<Sum>(ocpBf6Values[loadBits(base, element, 6)]);
    case MatrixType::ocpFp4:
        return static_cast<Sum>(ocpFp4Values[loadBits(base, element, 4)]);
    }
    return Sum{};
}

std::uint32_t elementsPerLane(const MatrixInstruction& what) {
    const std::uint32_t kGroups = waveSize / (what.m * what.blocks);
    return what.k / kGroups;
}

std::uint32_t bitsOf(MatrixType type) {
    switch (type) {
    case MatrixType::f64:
        return 64;
    case MatrixType::f32:
    case MatrixType::xf32:
        return 32;
    case MatrixType::f16:
    case MatrixType::bf16:
        return 16;
    case MatrixType::ocpFp6:
    case MatrixType::ocpBf6:
        return 6;
    case MatrixType::ocpFp4:
        return 4;
    default:
        return 8;
    }
}

// blgp permutes the lanes that B is read from: broadcast a half, rotate by 16, broadcast a quarter.
std::uint32_t blgpLane(std::uint32_t lane, int blgp) {
    switch (blgp) {
    case 1:
        return lane % 32;
    case 2:
        return lane % 32 + 32;
    case 3:
        return (lane + 16) % waveSize;
    case 4:
    case 5:
    case 6:
    case 7:
        return lane % 16 + 16 * static_cast<std::uint32_t>(blgp - 4);
    default:
        return lane;
    }
}

// cbsz: groups of 2^cbsz blocks all read block `abid` of their group from A.
std::uint32_t cbszBlock(std::uint32_t block, int cbsz, int abid) {
    const std::uint32_t group = 1u << cbsz;
    return block / group * group + static_cast<std::uint32_t>(abid) % group;
}

template<class Sum>
struct Plain {
    Sum a[maxOuter * maxInner];
    Sum b[maxOuter * maxInner];
};

// The two kept positions of a group of four, from the lane's index register: 2 bits per kept element.
template<class Sum>
void unpackSparseA(const MatrixInstruction& what, const MatrixOperands* lanes, MatrixModifiers modifiers, Sum* a) {
    const std::uint32_t perLane = elementsPerLane(what);
    const std::uint32_t kept = perLane / 2;
    const std::uint32_t sets = 32 / (2 * kept);
    const std::uint32_t set = modifiers.cbsz == 0 ? static_cast<std::uint32_t>(modifiers.abid) % sets : 0;
    for (std::uint32_t lane = 0; lane < waveSize; ++lane) {
        const std::uint32_t row = lane % what.m;
        const std::uint32_t firstK = lane / what.m * perLane;
        const std::uint32_t indices = loadAs<std::uint32_t>(lanes[lane].index, 0) >> (set * 2 * kept);
        for (std::uint32_t element = 0; element < kept; ++element) {
            const std::uint32_t k = firstK + element / 2 * 4 + ((indices >> (2 * element)) & 3u);
            a[row * what.k + k] += loadInput<Sum>(what.a, lanes[lane].a, element);
        }
    }
}

template<class Sum>
void unpackInputs(const MatrixInstruction& what, const MatrixOperands* lanes, MatrixModifiers modifiers,
                  Plain<Sum>& plain) {
    const bool doubles = what.accumulator == MatrixType::f64;
    const int blgp = doubles ? 0 : modifiers.blgp;
    for (std::uint32_t block = 0; block < what.blocks; ++block) {
        const std::uint32_t sourceBlock = what.sparse ? block : cbszBlock(block, modifiers.cbsz, modifiers.abid);
        Sum* a = plain.a + std::size_t{block} * what.m * what.k;
        Sum* b = plain.b + std::size_t{block} * what.n * what.k;
        if (what.sparse) {
            std::fill(a, a + std::size_t{what.m} * what.k, Sum{});
            unpackSparseA(what, lanes, modifiers, a);
        }
        for (std::uint32_t k = 0; k < what.k; ++k) {
            const MatrixPlace ofA = inputPlace(what, what.a, 0, k, sourceBlock); // rows are lanes side by side
            for (std::uint32_t i = 0; i < what.m && !what.sparse; ++i) {
                a[i * what.k + k] = loadInput<Sum>(what.a, lanes[ofA.lane + i].a, ofA.element);
            }
            const MatrixPlace ofB = inputPlace(what, what.b, 0, k, block);
            for (std::uint32_t j = 0; j < what.n; ++j) {
                b[k * what.n + j] = loadInput<Sum>(what.b, lanes[blgpLane(ofB.lane + j, blgp)].b, ofB.element);
            }
        }
        // In the double precision forms the three bits of blgp negate A, B and C.
        if (doubles) {
            for (std::uint32_t e = 0; e < std::uint32_t{what.m} * what.k; ++e) {
                a[e] = modifiers.blgp & 1 ? -a[e] : a[e];
                b[e] = modifiers.blgp & 2 ? -b[e] : b[e];
            }
        }
    }
}

template<class Sum>
Sum multiplyAdd(Sum a, Sum b, Sum c) {
    if constexpr (std::is_integral_v<Sum>) {
        // 32-bit accumulators wrap around.
        return static_cast<Sum>(static_cast<std::uint32_t>(c) + static_cast<std::uint32_t>(a * b));
    } else {
        return std::fma(a, b, c);
    }
}

template<class Sum>
void multiply(const MatrixInstruction& what, const MatrixOperands* lanes, MatrixModifiers modifiers) {
    // On the heap: the library is loaded at run time, where there is next to no room for static thread-local storage.
    static thread_local const auto storage = std::make_unique<Plain<Sum>>();
    Plain<Sum>& plain = *storage;
    unpackInputs(what, lanes, modifiers, plain);
    for (std::uint32_t block = 0; block < what.blocks; ++block) {
        const Sum* a = plain.a + std::size_t{block} * what.m * what.k;
        const Sum* b = plain.b + std::size_t{block} * what.n * what.k;
        for (std::uint32_t i = 0; i < what.m; ++i) {
            for (std::uint32_t j = 0; j < what.n; ++j) {
                const MatrixPlace place = outputPlace(what, i, j, block);
                char* target = static_cast<char*>(lanes[place.lane].c) + place.element * sizeof(Sum);
                Sum sum;
                std::memcpy(&sum, target, sizeof sum);
                if (what.accumulator == MatrixType::f64 && (modifiers.blgp & 4)) {
                    sum = -sum;
                }
                for (std::uint32_t k = 0; k < what.k; ++k) {
                    sum = multiplyAdd(a[i * what.k + k], b[k * what.n + j], sum);
                }
                std::memcpy(target, &sum, sizeof sum);
            }
        }
    }
}

// Of a lane's word of scales; without one the scale is 1.
double scaleOf(const MatrixOperands& lane, std::uint32_t operand, int byte) {
    if (lane.index == nullptr) {
        return 1;
    }
    const int exponent = exponentOfScale(loadAs<std::uint32_t>(lane.index, operand) >> (8 * byte));
    return exponent == noScale ? std::nan("") : std::ldexp(1.0, exponent);
}

void multiplyMixed(const MatrixInstruction& what, const MatrixOperands* lanes, int scaleBytes) {
    static thread_local const auto storage = std::make_unique<Plain<float>>();
    Plain<float>& plain = *storage;
    unpackInputs(what, lanes, {0, 0, 0}, plain);
    for (std::uint32_t first = 0; first < what.k; first += scaledAlongK) {
        // The scale of a block of k lies in the lane that is that block's when a lane holds 32 values in a row.
        const MatrixOperands* group = lanes + std::size_t{first} / scaledAlongK * what.m;
        std::array<double, maxOuter> scalesOfB{};
        for (std::uint32_t j = 0; j < what.n; ++j) {
            scalesOfB[j] = scaleOf(group[j], 1, scaleBytes >> 2 & 3);
        }
        for (std::uint32_t i = 0; i < what.m; ++i) {
            std::array<double, maxOuter> products{};
            for (std::uint32_t k = first; k < first + scaledAlongK; ++k) {
                const double a = plain.a[i * what.k + k];
                for (std::uint32_t j = 0; j < what.n; ++j) {
                    products[j] += a * static_cast<double>(plain.b[k * what.n + j]);
                }
            }
            const double scaleOfA = scaleOf(group[i], 0, scaleBytes & 3);
            const MatrixPlace row = outputPlace(what, i, 0, 0); // columns are lanes side by side
            for (std::uint32_t j = 0; j < what.n; ++j) {
                char* target = static_cast<char*>(lanes[row.lane + j].c) + row.element * sizeof(float);
                const double block = products[j] * scaleOfA * scalesOfB[j];
                const auto sum = static_cast<float>(static_cast<double>(loadAs<float>(target, 0)) + block);
                std::memcpy(target, &sum, sizeof sum);
            }
        }
    }
}

} // namespace

MatrixType mixedType(int code) {
    constexpr std::array types = {MatrixType::ocpFp8, MatrixType::ocpBf8, MatrixType::ocpFp6, MatrixType::ocpBf6,
                                  MatrixType::ocpFp4};
    if (code < 0 || static_cast<std::size_t>(code) >= types.size()) {
        failProcess("a f8f6f4 matrix instruction with a format that is none of 0 to 4");
    }
    return types[static_cast<std::size_t>(code)];
}

MatrixPlace inputPlace(const MatrixInstruction& what, MatrixType type, std::uint32_t outer, std::uint32_t k,
                       std::uint32_t block) {
    constexpr std::uint32_t bitsAtOnce = 128;
    const std::uint32_t perLane = elementsPerLane(what);
    const std::uint32_t bits = bitsOf(type);
    const std::uint32_t run = bits == 6 ? perLane : std::min(perLane, bitsAtOnce / bits);
    const std::uint32_t ofRun = what.k / (perLane / run);
    return {k % ofRun / run * what.m * what.blocks + block * what.m + outer, k / ofRun * run + k % run};
}

MatrixPlace outputPlace(const MatrixInstruction& what, std::uint32_t row, std::uint32_t column, std::uint32_t block) {
    const std::uint32_t segmentRows = what.accumulator == MatrixType::f64 ? 1 : 4;
    const std::uint32_t segmentsAcross = waveSize / what.n;
    const std::uint32_t lanesPerBlock = std::uint32_t{what.m} * what.n / segmentRows;
    const std::uint32_t blocksAcross = lanesPerBlock >= waveSize ? 1 : waveSize / lanesPerBlock;
    const std::uint32_t segment = row / segmentRows;
    return {block % blocksAcross * what.n + segment % segmentsAcross * blocksAcross * what.n + column,
            block * (std::uint32_t{what.m} * what.n / waveSize) + segment / segmentsAcross * segmentRows +
                row % segmentRows};
}

void computeMatrix(const MatrixInstruction& what, const MatrixOperands* lanes, MatrixModifiers modifiers) {
    if (what.mixed != 0) {
        MatrixInstruction typed = what;
        typed.a = mixedType(modifiers.cbsz);
        typed.b = mixedType(modifiers.blgp);
        multiplyMixed(typed, lanes, modifiers.abid);
        return;
    }
    const bool plainForm = modifiers.cbsz == 0 && modifiers.abid == 0 && modifiers.blgp == 0 && !what.sparse;
    if (plainForm) {
        static thread_local const MatrixInstruction* known = nullptr;
        static thread_local FastMatrix knownKernel = nullptr;
        if (known != &what) {
            knownKernel = fastMatrix(what);
            known = &what;
        }
        if (knownKernel) {
            knownKernel(what, lanes);
            return;
        }
    }
    switch (what.accumulator) {
    case MatrixType::f32:
        multiply<float>(what, lanes, modifiers);
        return;
    case MatrixType::i8:
        multiply<std::int32_t>(what, lanes, modifiers);
        return;
    case MatrixType::f64:
        multiply<double>(what, lanes, modifiers);
        return;
    default:
        break;
    }
    char message[128];
    std::snprintf(message, sizeof message, "%s is not supported on the CPU target", what.name);
    failProcess(message);
}

} // namespace gks::hipcpu
