// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/matrix_fast.h"

#include "core/hipcpu/runtime/float8.h"
#include "core/hipcpu/runtime/small_float.h"

// The single-block matrix instructions with 32-bit accumulators, which is where kernels spend their time. Compiled once
// per processor generation (GKS_MATRIX_LEVEL); everything here is internal, so that no copy leaks into code for older
// processors.
//
// An accumulator register of a lane is a row, the lane is a column. So C stays where it is: the lane's registers are
// loaded as a vector, and per k the matching rows of A are multiplied by the lane's one element of B. A is unpacked
// into that order of rows. 32 x 32: a lane has 16 rows, one vector per lane. 16 x 16: a lane has 4 rows, four
// neighbouring lanes share a vector. Products are added in the order of k, fused where the processor can: the same as
// the general routine's result.

#ifndef GKS_MATRIX_LEVEL
#error "matrix_kernels.cpp is compiled once per processor generation"
#endif

namespace gks::hipcpu::GKS_MATRIX_LEVEL {

namespace {

constexpr int lanesPerWave = 64;
constexpr int vectorElements = 16;
constexpr int lanesAtOnce = 4;

template<class Sum>
struct Vectors;
template<>
struct Vectors<float> {
    typedef float Full __attribute__((vector_size(64)));
    typedef float Quarter __attribute__((vector_size(16)));
};
template<>
struct Vectors<std::int32_t> {
    typedef std::int32_t Full __attribute__((vector_size(64)));
    typedef std::int32_t Quarter __attribute__((vector_size(16)));
};

#define INLINE inline __attribute__((always_inline))

template<class V>
INLINE V loadVector(const void* from) {
    V value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

// Elements of A and B as the accumulator's type.
struct Single {
    using Sum = float;
    using Element = float;
    static INLINE float value(float element) { return element; }
};
struct HalfPrecision {
    using Sum = float;
    using Element = _Float16;
    static INLINE float value(_Float16 element) { return static_cast<float>(element); }
};
struct Bfloat {
    using Sum = float;
    using Element = std::uint16_t;
    static INLINE float value(std::uint16_t element) { return __builtin_bit_cast(float, std::uint32_t{element} << 16); }
};
struct Integer8 {
    using Sum = std::int32_t;
    using Element = std::int8_t;
    static INLINE std::int32_t value(std::int8_t element) { return element; }
};

struct Float8Tables {
    float fp8[256];
    float bf8[256];
    float ocpFp8[256];
    float ocpBf8[256];
};
constexpr Float8Tables makeTables() {
    Float8Tables tables{};
    for (int code = 0; code < 256; ++code) {
        tables.fp8[code] = decodeFloat8(static_cast<std::uint8_t>(code), fp8Format);
        tables.bf8[code] = decodeFloat8(static_cast<std::uint8_t>(code), bf8Format);
        tables.ocpFp8[code] = decodeSmall(static_cast<std::uint32_t>(code), gks::hipcpu::ocpFp8);
        tables.ocpBf8[code] = decodeSmall(static_cast<std::uint32_t>(code), gks::hipcpu::ocpBf8);
    }
    return tables;
}
constexpr Float8Tables float8Tables = makeTables();

template<float (Float8Tables::*codes)[256]>
struct Float8 {
    using Sum = float;
    using Element = std::uint8_t;
    static INLINE float value(std::uint8_t element) { return (float8Tables.*codes)[element]; }
};
using Fp8 = Float8<&Float8Tables::fp8>;
using Bf8 = Float8<&Float8Tables::bf8>;
using OcpFp8 = Float8<&Float8Tables::ocpFp8>;
using OcpBf8 = Float8<&Float8Tables::ocpBf8>;

template<class Type, int count>
INLINE void loadElements(const void* from, typename Type::Element (&elements)[count]) {
    __builtin_memcpy(elements, from, sizeof elements);
}

template<class A, class B, int K>
void multiply32(const MatrixInstruction&, const MatrixOperands* lanes) {
    using Sum = typename A::Sum;
    using Full = typename Vectors<Sum>::Full;
    constexpr int size = 32;
    constexpr int perLane = K * size / lanesPerWave;
    alignas(64) Sum a[2][K][vectorElements];
    alignas(64) Sum b[size][K];
    for (int lane = 0; lane < lanesPerWave; ++lane) {
        const int outer = lane % size;
        const int firstK = lane / size * perLane;
        typename A::Element fromA[perLane];
        typename B::Element fromB[perLane];
        loadElements<A>(lanes[lane].a, fromA);
        loadElements<B>(lanes[lane].b, fromB);
        Sum(*rowsOfGroup)[vectorElements] = a[outer / 4 % 2];
        const int position = outer / 8 * 4 + outer % 4;
        for (int e = 0; e < perLane; ++e) {
            rowsOfGroup[firstK + e][position] = A::value(fromA[e]);
            b[outer][firstK + e] = B::value(fromB[e]);
        }
    }
    for (int first = 0; first < lanesPerWave; first += lanesAtOnce) {
        const Sum(*rows)[vectorElements] = a[first / size];
        const Sum(*columns)[K] = b + first % size;
        Full sum[lanesAtOnce];
        for (int i = 0; i < lanesAtOnce; ++i) {
            sum[i] = loadVector<Full>(lanes[first + i].c);
        }
        for (int k = 0; k < K; ++k) {
            const auto row = loadVector<Full>(rows[k]);
            for (int i = 0; i < lanesAtOnce; ++i) {
                sum[i] += row * columns[i][k];
            }
        }
        for (int i = 0; i < lanesAtOnce; ++i) {
            __builtin_memcpy(lanes[first + i].c, &sum[i], sizeof sum[i]);
        }
    }
}

template<class Sum>
INLINE typename Vectors<Sum>::Full join(const MatrixOperands* lanes) {
    using Quarter = typename Vectors<Sum>::Quarter;
    const auto low = __builtin_shufflevector(loadVector<Quarter>(lanes[0].c), loadVector<Quarter>(lanes[1].c), 0, 1, 2,
                                             3, 4, 5, 6, 7);
    const auto high = __builtin_shufflevector(loadVector<Quarter>(lanes[2].c), loadVector<Quarter>(lanes[3].c), 0, 1, 2,
                                              3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

template<class A, class B, int K>
void multiply16(const MatrixInstruction&, const MatrixOperands* lanes) {
    using Sum = typename A::Sum;
    using Full = typename Vectors<Sum>::Full;
    using Quarter = typename Vectors<Sum>::Quarter;
    constexpr int size = 16;
    constexpr int groups = size / 4;
    constexpr int perLane = K * size / lanesPerWave;
    alignas(64) Sum a[groups][K][vectorElements]; // the group's four rows, four times
    alignas(64) Sum b[groups][K][vectorElements]; // four columns, each four times
    for (int lane = 0; lane < lanesPerWave; ++lane) {
        const int outer = lane % size;
        const int firstK = lane / size * perLane;
        typename A::Element fromA[perLane];
        typename B::Element fromB[perLane];
        loadElements<A>(lanes[lane].a, fromA);
        loadElements<B>(lanes[lane].b, fromB);
        for (int e = 0; e < perLane; ++e) {
            const Sum fourTimes = A::value(fromA[e]);
            for (int copy = 0; copy < 4; ++copy) {
                a[outer / 4][firstK + e][4 * copy + outer % 4] = fourTimes;
            }
            const Quarter spread = Quarter{} + B::value(fromB[e]);
            __builtin_memcpy(&b[outer / 4][firstK + e][outer % 4 * 4], &spread, sizeof spread);
        }
    }
    for (int group = 0; group < groups; ++group) {
        const MatrixOperands* groupLanes = lanes + group * size;
        Full sum[groups];
        for (int i = 0; i < groups; ++i) {
            sum[i] = join<Sum>(groupLanes + 4 * i);
        }
        for (int k = 0; k < K; ++k) {
            const auto row = loadVector<Full>(a[group][k]);
            for (int i = 0; i < groups; ++i) {
                sum[i] += row * loadVector<Full>(b[i][k]);
            }
        }
        for (int i = 0; i < groups; ++i) {
            for (int lane = 0; lane < 4; ++lane) {
                __builtin_memcpy(groupLanes[4 * i + lane].c, reinterpret_cast<const Quarter*>(&sum[i]) + lane,
                                 sizeof(Quarter));
            }
        }
    }
}

template<class A, class B, int k32, int k16>
FastMatrix bySize(const MatrixInstruction& what) {
    if (what.m == 32 && what.k == k32) {
        return multiply32<A, B, k32>;
    }
    return what.m == 16 && what.k == k16 ? multiply16<A, B, k16> : nullptr;
}

template<class E4m3, class E5m2>
FastMatrix ofFloat8(const MatrixInstruction& what, MatrixType e5m2) {
    if (what.a == e5m2) {
        return what.b == e5m2 ? bySize<E5m2, E5m2, 16, 32>(what) : bySize<E5m2, E4m3, 16, 32>(what);
    }
    return what.b == e5m2 ? bySize<E4m3, E5m2, 16, 32>(what) : bySize<E4m3, E4m3, 16, 32>(what);
}

// gfx950 has the shapes of gfx942 and those of twice the k.
template<class Type, int k32, int k16>
FastMatrix singleOrDouble(const MatrixInstruction& what) {
    const FastMatrix single = bySize<Type, Type, k32, k16>(what);
    return single ? single : bySize<Type, Type, 2 * k32, 2 * k16>(what);
}

} // namespace

FastMatrix findKernel(const MatrixInstruction& what) {
    if (what.blocks != 1 || what.m != what.n || what.sparse || what.mixed) {
        return nullptr;
    }
    switch (what.a) {
    case MatrixType::fp8:
    case MatrixType::bf8:
        return ofFloat8<Fp8, Bf8>(what, MatrixType::bf8);
    case MatrixType::ocpFp8:
    case MatrixType::ocpBf8:
        return ofFloat8<OcpFp8, OcpBf8>(what, MatrixType::ocpBf8);
    case MatrixType::f16:
        return singleOrDouble<HalfPrecision, 8, 16>(what);
    case MatrixType::bf16:
        return singleOrDouble<Bfloat, 8, 16>(what);
    case MatrixType::f32:
        return bySize<Single, Single, 2, 4>(what);
    case MatrixType::i8:
        return singleOrDouble<Integer8, 16, 32>(what);
    default:
        return nullptr;
    }
}

} // namespace gks::hipcpu::GKS_MATRIX_LEVEL
