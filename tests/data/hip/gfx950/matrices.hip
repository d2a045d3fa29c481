// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix instructions that gfx950 adds: the host packs A and B into the lanes' registers by the tables of the CDNA4
// ISA (7.1.5.1 dense, 7.2.1 scales, 7.5.1.3 sparse) and compares with plain sums in double.
#include "../check.h"
#include "ocp.h"

#include <cstring>
#include <random>
#include <string>

typedef int Ints4 __attribute__((ext_vector_type(4)));
typedef int Ints8 __attribute__((ext_vector_type(8)));
typedef int Ints16 __attribute__((ext_vector_type(16)));
typedef float Floats4 __attribute__((ext_vector_type(4)));
typedef float Floats16 __attribute__((ext_vector_type(16)));
typedef _Float16 Halves8 __attribute__((ext_vector_type(8)));
typedef _Float16 Halves16 __attribute__((ext_vector_type(16)));
typedef __bf16 Bfloats8 __attribute__((ext_vector_type(8)));
typedef __bf16 Bfloats16 __attribute__((ext_vector_type(16)));

// Of a lane: registers of A and B, then the index or the two words of scales.
struct Lane {
    unsigned a[8], b[8], extra[2];
};

#define DENSE(name, AB, C)                                                                                             \
    __global__ void name(const Lane* lanes, C* c) {                                                                    \
        AB a, b;                                                                                                       \
        __builtin_memcpy(&a, lanes[threadIdx.x].a, sizeof a);                                                          \
        __builtin_memcpy(&b, lanes[threadIdx.x].b, sizeof b);                                                          \
        c[threadIdx.x] = __builtin_amdgcn_mfma_##name(a, b, c[threadIdx.x], 0, 0, 0);                                  \
    }
DENSE(f32_16x16x32_f16, Halves8, Floats4)
DENSE(f32_16x16x32_bf16, Bfloats8, Floats4)
DENSE(f32_32x32x16_f16, Halves8, Floats16)
DENSE(f32_32x32x16_bf16, Bfloats8, Floats16)
DENSE(i32_16x16x64_i8, Ints4, Ints4)
DENSE(i32_32x32x32_i8, Ints4, Ints16)

#define SPARSE(name, A, B, C)                                                                                          \
    template<int cbsz, int abid> __global__ void name(const Lane* lanes, C* c) {                                       \
        A a;                                                                                                           \
        B b;                                                                                                           \
        __builtin_memcpy(&a, lanes[threadIdx.x].a, sizeof a);                                                          \
        __builtin_memcpy(&b, lanes[threadIdx.x].b, sizeof b);                                                          \
        c[threadIdx.x] = __builtin_amdgcn_smfmac_##name(a, b, c[threadIdx.x], lanes[threadIdx.x].extra[0], cbsz, abid);\
    }
SPARSE(f32_16x16x64_f16, Halves8, Halves16, Floats4)
SPARSE(f32_32x32x32_f16, Halves8, Halves16, Floats16)
SPARSE(f32_16x16x64_bf16, Bfloats8, Bfloats16, Floats4)
SPARSE(f32_32x32x32_bf16, Bfloats8, Bfloats16, Floats16)
SPARSE(i32_16x16x128_i8, Ints4, Ints8, Ints4)
SPARSE(i32_32x32x64_i8, Ints4, Ints8, Ints16)
SPARSE(f32_16x16x128_bf8_bf8, Ints4, Ints8, Floats4)
SPARSE(f32_16x16x128_bf8_fp8, Ints4, Ints8, Floats4)
SPARSE(f32_16x16x128_fp8_bf8, Ints4, Ints8, Floats4)
SPARSE(f32_16x16x128_fp8_fp8, Ints4, Ints8, Floats4)
SPARSE(f32_32x32x64_bf8_bf8, Ints4, Ints8, Floats16)
SPARSE(f32_32x32x64_bf8_fp8, Ints4, Ints8, Floats16)
SPARSE(f32_32x32x64_fp8_bf8, Ints4, Ints8, Floats16)
SPARSE(f32_32x32x64_fp8_fp8, Ints4, Ints8, Floats16)

// The formats and the bytes of the scales are immediates.
template<int formatA, int formatB, int byteA, int byteB, bool isScaled, class C> __global__ void mixed(const Lane* lanes, C* c) {
    Ints8 a, b;
    const Lane& lane = lanes[threadIdx.x];
    __builtin_memcpy(&a, lane.a, sizeof a);
    __builtin_memcpy(&b, lane.b, sizeof b);
    C& sum = c[threadIdx.x];
    if constexpr (sizeof(C) == 16 && isScaled) {
        sum = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, b, sum, formatA, formatB, byteA, lane.extra[0], byteB, lane.extra[1]);
    } else if constexpr (sizeof(C) == 16) {
        sum = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, b, sum, formatA, formatB, 0, 0, 0, 0);
    } else if constexpr (isScaled) {
        sum = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(a, b, sum, formatA, formatB, byteA, lane.extra[0], byteB, lane.extra[1]);
    } else {
        sum = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(a, b, sum, formatA, formatB, 0, 0, 0, 0);
    }
}

enum class Kind { f16, bf16, i8, e4m3, e5m2, e2m3, e3m2, e2m1 };
int bitsOf(Kind kind) {
    return kind == Kind::f16 || kind == Kind::bf16 ? 16 : kind == Kind::e2m1 ? 4 : kind == Kind::e2m3 || kind == Kind::e3m2 ? 6 : 8;
}
const ocp::Format& formatOf(Kind kind) { return ocp::formats[static_cast<int>(kind) - static_cast<int>(Kind::e4m3)]; }

// A code of the small integer.
unsigned codeOf(Kind kind, int value) {
    switch (kind) {
    case Kind::f16: {
        const auto half = static_cast<_Float16>(value);
        unsigned short bits;
        std::memcpy(&bits, &half, 2);
        return bits;
    }
    case Kind::bf16: {
        const auto single = static_cast<float>(value);
        unsigned bits;
        std::memcpy(&bits, &single, 4);
        return bits >> 16;
    }
    case Kind::i8:
        return static_cast<unsigned>(value) & 0xff;
    default:
        for (unsigned code = 0; code < formatOf(kind).codes(); ++code) {
            if (ocp::decode(code, formatOf(kind)) == value) {
                return code;
            }
        }
        std::abort();
    }
}

struct Place {
    int lane, element;
};
// Where the tables have k of a row of A or a column of B whose lanes hold `perLane` values.
Place inputPlace(int m, int K, int outer, int k, int bits) {
    const int perLane = K * m / 64;
    if (bits == 6 || perLane * bits <= 128) { // one run of k in a lane
        return {k / perLane * m + outer, k % perLane};
    }
    const int run = perLane / 2, half = K / 2; // v0 to v3 of the lower half of k, v4 to v7 of the upper
    return {k % half / run * m + outer, k / half * run + k % run};
}
Place outputPlace(int m, int i, int j) {
    return m == 16 ? Place{i / 4 * 16 + j, i % 4} : Place{i / 4 % 2 * 32 + j, i / 8 * 4 + i % 4};
}

std::mt19937 generator(20);
int draw(int from, int to) { return from + static_cast<int>(generator() % static_cast<unsigned>(to - from + 1)); }

struct Problem {
    int m, K;
    std::vector<double> a, b, c; // m x K, K x m, m x m
    std::vector<Lane> lanes = std::vector<Lane>(64);

    Problem(int outer, int inner) : m(outer), K(inner), a(m * K), b(m * K), c(m * m) {
        for (double& value : c) {
            value = draw(-9, 9);
        }
    }
    void placeA(Kind kind, int i, int k, unsigned code, double value) {
        const Place at = inputPlace(m, K, i, k, bitsOf(kind));
        ocp::setElement(lanes[at.lane].a, at.element, bitsOf(kind), code);
        a[i * K + k] = value;
    }
    void placeB(Kind kind, int k, int j, unsigned code, double value) {
        const Place at = inputPlace(m, K, j, k, bitsOf(kind));
        ocp::setElement(lanes[at.lane].b, at.element, bitsOf(kind), code);
        b[k * m + j] = value;
    }
    template<class Element, class Launch> std::vector<double> run(const Launch& launch) const {
        const int registers = m * m / 64;
        std::vector<Element> sums(64 * registers);
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < m; ++j) {
                const Place at = outputPlace(m, i, j);
                sums[at.lane * registers + at.element] = static_cast<Element>(c[i * m + j]);
            }
        }
        Device<Lane> deviceLanes(lanes);
        Device<Element> deviceSums(sums);
        launch(deviceLanes.get(), deviceSums.get());
        const auto after = deviceSums.read();
        std::vector<double> d(m * m);
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < m; ++j) {
                const Place at = outputPlace(m, i, j);
                d[i * m + j] = static_cast<double>(after[at.lane * registers + at.element]);
            }
        }
        return d;
    }
    bool isProduct(const std::vector<double>& d) const {
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < m; ++j) {
                double sum = c[i * m + j];
                for (int k = 0; k < K; ++k) {
                    sum += a[i * K + k] * b[k * m + j];
                }
                if (d[i * m + j] != sum) {
                    std::printf("[%d][%d] is %g, not %g\n", i, j, d[i * m + j], sum);
                    return false;
                }
            }
        }
        return true;
    }
};

template<class C, class Element> void dense(const char* name, void (*kernel)(const Lane*, C*), Element, int m, int K, Kind kind) {
    Problem problem(m, K);
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < K; ++k) {
            const int a = draw(-6, 6), b = draw(-6, 6);
            problem.placeA(kind, i, k, codeOf(kind, a), a);
            problem.placeB(kind, k, i, codeOf(kind, b), b);
        }
    }
    expect(name, problem.isProduct(problem.run<Element>([&](Lane* lanes, Element* sums) { kernel<<<1, 64>>>(lanes, reinterpret_cast<C*>(sums)); })));
}

// `set` of the index register's sets is the one that counts.
template<class C, class Element>
void sparse(const char* name, void (*kernel)(const Lane*, C*), Element, int m, int K, Kind kindA, Kind kindB, int set) {
    Problem problem(m, K);
    const int perLane = K * m / 64, kept = perLane / 2;
    for (Lane& lane : problem.lanes) {
        lane.extra[0] = generator(); // what no set says is any value
    }
    for (int i = 0; i < m; ++i) {
        for (int group = 0; group < K / 4; ++group) { // of four, two are kept
            const int first = draw(0, 2), second = draw(first + 1, 3);
            const int lane = group * 4 / perLane * m + i;
            for (int half = 0; half < 2; ++half) {
                const int element = group * 4 % perLane / 2 + half, a = draw(-4, 4), position = half == 0 ? first : second;
                ocp::setElement(problem.lanes[lane].a, element, bitsOf(kindA), codeOf(kindA, a));
                ocp::setElement(problem.lanes[lane].extra, set * kept + element, 2, position);
                problem.a[i * K + group * 4 + position] = a;
            }
        }
        for (int k = 0; k < K; ++k) {
            const int b = draw(-4, 4);
            problem.placeB(kindB, k, i, codeOf(kindB, b), b);
        }
    }
    expect(name, problem.isProduct(problem.run<Element>([&](Lane* lanes, Element* sums) { kernel<<<1, 64>>>(lanes, reinterpret_cast<C*>(sums)); })));
}

// All values that the formats have but NaN and infinity; scales of a row, or a column, and 32 values along k. Sums differ
// from the exact one by what float cannot hold of the largest part.
template<int formatA, int formatB, int byteA, int byteB, bool isScaled, class C> bool mixedFits() {
    const int m = sizeof(C) == 16 ? 16 : 32, K = m == 16 ? 128 : 64;
    const Kind kindA = static_cast<Kind>(static_cast<int>(Kind::e4m3) + formatA), kindB = static_cast<Kind>(static_cast<int>(Kind::e4m3) + formatB);
    Problem problem(m, K);
    std::vector<double> scalesA(m * K / 32), scalesB(m * K / 32);
    for (Lane& lane : problem.lanes) {
        lane = {}; // what a smaller format leaves of eight registers
        for (int r = 0; r < 8; ++r) {
            lane.a[r] = lane.b[r] = generator();
        }
        lane.extra[0] = generator();
        lane.extra[1] = generator();
    }
    for (int i = 0; i < m; ++i) {
        for (int block = 0; block < K / 32; ++block) { // of row i it lies in the lane m * block + i
            const unsigned a = draw(110, 140), b = draw(110, 140);
            Lane& lane = problem.lanes[m * block + i];
            ocp::setElement(lane.extra, byteA, 8, a);
            ocp::setElement(lane.extra + 1, byteB, 8, b);
            scalesA[block * m + i] = isScaled ? ocp::scale(a) : 1;
            scalesB[block * m + i] = isScaled ? ocp::scale(b) : 1;
        }
        for (int k = 0; k < K; ++k) {
            const auto code = [](Kind kind) {
                for (;;) {
                    const unsigned drawn = generator() % formatOf(kind).codes();
                    if (std::isfinite(ocp::decode(drawn, formatOf(kind)))) {
                        return drawn;
                    }
                }
            };
            const unsigned a = code(kindA), b = code(kindB);
            problem.placeA(kindA, i, k, a, ocp::decode(a, formatOf(kindA)));
            problem.placeB(kindB, k, i, b, ocp::decode(b, formatOf(kindB)));
        }
    }
    const auto d = problem.run<float>(
        [&](Lane* lanes, float* sums) { mixed<formatA, formatB, byteA, byteB, isScaled, C><<<1, 64>>>(lanes, reinterpret_cast<C*>(sums)); });
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) {
            double sum = problem.c[i * m + j], size = std::fabs(sum);
            for (int k = 0; k < K; ++k) {
                const double part = problem.a[i * K + k] * problem.b[k * m + j] * scalesA[k / 32 * m + i] * scalesB[k / 32 * m + j];
                sum += part;
                size += std::fabs(part);
            }
            if (!(std::fabs(d[i * m + j] - sum) <= size * 0x1p-22)) {
                std::printf("formats %d, %d: [%d][%d] is %g, not %g\n", formatA, formatB, i, j, d[i * m + j], sum);
                return false;
            }
        }
    }
    return true;
}

template<int formatA, class C> bool rowFits() {
    return mixedFits<formatA, 0, 0, 1, true, C>() && mixedFits<formatA, 1, 1, 2, true, C>() && mixedFits<formatA, 2, 2, 3, true, C>() &&
           mixedFits<formatA, 3, 3, 0, true, C>() && mixedFits<formatA, 4, 1, 1, true, C>() && mixedFits<formatA, (formatA + 2) % 5, 0, 0, false, C>();
}

// A scale that is NaN makes its row NaN and nothing else; 0 is 2^-127, not zero.
void specialScales() {
    Problem problem(16, 128);
    for (int i = 0; i < 16; ++i) {
        for (int k = 0; k < 128; ++k) {
            problem.placeA(Kind::e2m1, i, k, codeOf(Kind::e2m1, 2), 2);
            problem.placeB(Kind::e2m1, k, i, codeOf(Kind::e2m1, 3), 3);
            problem.lanes[k / 32 * 16 + i].extra[0] = problem.lanes[k / 32 * 16 + i].extra[1] = 127;
        }
    }
    problem.c.assign(256, 0);
    problem.lanes[16 * 2 + 5].extra[0] = 255; // row 5, the third block
    for (int block = 0; block < 4; ++block) { // row 7
        problem.lanes[16 * block + 7].extra[0] = 0;
    }
    const auto d = problem.run<float>([](Lane* lanes, float* sums) { mixed<4, 4, 0, 0, true, Floats4><<<1, 64>>>(lanes, reinterpret_cast<Floats4*>(sums)); });
    bool right = true;
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            right = right && (i == 5 ? std::isnan(d[i * 16 + j]) : d[i * 16 + j] == (i == 7 ? 768 * 0x1p-127 : 768));
        }
    }
    expect("special scales", right);
}

int main() {
    dense("f32_16x16x32_f16", f32_16x16x32_f16, 0.0f, 16, 32, Kind::f16);
    dense("f32_16x16x32_bf16", f32_16x16x32_bf16, 0.0f, 16, 32, Kind::bf16);
    dense("f32_32x32x16_f16", f32_32x32x16_f16, 0.0f, 32, 16, Kind::f16);
    dense("f32_32x32x16_bf16", f32_32x32x16_bf16, 0.0f, 32, 16, Kind::bf16);
    dense("i32_16x16x64_i8", i32_16x16x64_i8, 0, 16, 64, Kind::i8);
    dense("i32_32x32x32_i8", i32_32x32x32_i8, 0, 32, 32, Kind::i8);
    sparse("f32_16x16x64_f16, first set", f32_16x16x64_f16<0, 0>, 0.0f, 16, 64, Kind::f16, Kind::f16, 0);
    sparse("f32_16x16x64_f16, second set", f32_16x16x64_f16<0, 1>, 0.0f, 16, 64, Kind::f16, Kind::f16, 1);
    sparse("f32_16x16x64_f16, cbsz", f32_16x16x64_f16<1, 1>, 0.0f, 16, 64, Kind::f16, Kind::f16, 0);
    sparse("f32_32x32x32_f16", f32_32x32x32_f16<0, 1>, 0.0f, 32, 32, Kind::f16, Kind::f16, 1);
    sparse("f32_16x16x64_bf16", f32_16x16x64_bf16<0, 1>, 0.0f, 16, 64, Kind::bf16, Kind::bf16, 1);
    sparse("f32_32x32x32_bf16", f32_32x32x32_bf16<0, 0>, 0.0f, 32, 32, Kind::bf16, Kind::bf16, 0);
    sparse("i32_16x16x128_i8", i32_16x16x128_i8<0, 1>, 0, 16, 128, Kind::i8, Kind::i8, 0); // there is one set alone
    sparse("i32_32x32x64_i8", i32_32x32x64_i8<0, 0>, 0, 32, 64, Kind::i8, Kind::i8, 0);
    sparse("f32_16x16x128_bf8_bf8", f32_16x16x128_bf8_bf8<0, 0>, 0.0f, 16, 128, Kind::e5m2, Kind::e5m2, 0);
    sparse("f32_16x16x128_bf8_fp8", f32_16x16x128_bf8_fp8<0, 0>, 0.0f, 16, 128, Kind::e5m2, Kind::e4m3, 0);
    sparse("f32_16x16x128_fp8_bf8", f32_16x16x128_fp8_bf8<0, 0>, 0.0f, 16, 128, Kind::e4m3, Kind::e5m2, 0);
    sparse("f32_16x16x128_fp8_fp8", f32_16x16x128_fp8_fp8<0, 0>, 0.0f, 16, 128, Kind::e4m3, Kind::e4m3, 0);
    sparse("f32_32x32x64_bf8_bf8", f32_32x32x64_bf8_bf8<0, 0>, 0.0f, 32, 64, Kind::e5m2, Kind::e5m2, 0);
    sparse("f32_32x32x64_bf8_fp8", f32_32x32x64_bf8_fp8<0, 0>, 0.0f, 32, 64, Kind::e5m2, Kind::e4m3, 0);
    sparse("f32_32x32x64_fp8_bf8", f32_32x32x64_fp8_bf8<0, 0>, 0.0f, 32, 64, Kind::e4m3, Kind::e5m2, 0);
    sparse("f32_32x32x64_fp8_fp8", f32_32x32x64_fp8_fp8<0, 0>, 0.0f, 32, 64, Kind::e4m3, Kind::e4m3, 0);
    expect("16x16x128, A is e4m3", rowFits<0, Floats4>());
    expect("16x16x128, A is e5m2", rowFits<1, Floats4>());
    expect("16x16x128, A is e2m3", rowFits<2, Floats4>());
    expect("16x16x128, A is e3m2", rowFits<3, Floats4>());
    expect("16x16x128, A is e2m1", rowFits<4, Floats4>());
    expect("32x32x64, A is e4m3", rowFits<0, Floats16>());
    expect("32x32x64, A is e5m2", rowFits<1, Floats16>());
    expect("32x32x64, A is e2m3", rowFits<2, Floats16>());
    expect("32x32x64, A is e3m2", rowFits<3, Floats16>());
    expect("32x32x64, A is e2m1", rowFits<4, Floats16>());
    specialScales();
    return verdict();
}
