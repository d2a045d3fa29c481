// SPDX-License-Identifier: GPL-3.0-or-later
// Builtins that one instruction stands behind, each against its formula on the host: floats of three widths, integers,
// masks of the wave, places in the grid, atomics of floats and buffers.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

using Word = std::uint32_t;
using Wide = std::uint64_t;
typedef _Float16 Halves __attribute__((ext_vector_type(2)));
typedef short Shorts __attribute__((ext_vector_type(2)));
typedef unsigned short Ushorts __attribute__((ext_vector_type(2)));
typedef unsigned Words3 __attribute__((ext_vector_type(3)));
typedef unsigned Words4 __attribute__((ext_vector_type(4)));
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))

constexpr int threads = 64;

// Fraction, mantissa, power of two, reciprocal, roots, sine and cosine of turns, median, logarithm.
constexpr int floatResults = 11;
__global__ void floats(const float* x, float* f, double* d, float* h, int* exponents) {
    const int i = static_cast<int>(threadIdx.x);
    const float one = x[i];
    const double wide = one;
    const auto half = static_cast<_Float16>(one);
    const float ofFloat[] = {__builtin_amdgcn_fractf(one),
                             __builtin_amdgcn_frexp_mantf(one),
                             __builtin_amdgcn_ldexpf(one, i - 20),
                             __builtin_amdgcn_rcpf(one),
                             __builtin_amdgcn_rsqf(fabsf(one)),
                             __builtin_amdgcn_sqrtf(fabsf(one)),
                             __builtin_amdgcn_sinf(one),
                             __builtin_amdgcn_cosf(one),
                             __builtin_amdgcn_fmed3f(one, 2.5f, -1.5f),
                             __builtin_amdgcn_logf(fabsf(one)),
                             __builtin_amdgcn_rsq_clampf(fabsf(one))};
    const double ofDouble[] = {__builtin_amdgcn_fract(wide),         __builtin_amdgcn_frexp_mant(wide),
                               __builtin_amdgcn_ldexp(wide, i - 20), __builtin_amdgcn_rcp(wide),
                               __builtin_amdgcn_rsq(fabs(wide)),     __builtin_amdgcn_sqrt(fabs(wide))};
    const float ofHalf[] = {
        static_cast<float>(__builtin_amdgcn_fracth(half)),
        static_cast<float>(__builtin_amdgcn_frexp_manth(half)),
        static_cast<float>(__builtin_amdgcn_ldexph(half, i % 8 - 4)),
        static_cast<float>(__builtin_amdgcn_rcph(half)),
        static_cast<float>(__builtin_amdgcn_rsqh(half < 0 ? -half : half)),
        static_cast<float>(__builtin_amdgcn_sqrth(half < 0 ? -half : half)),
        static_cast<float>(__builtin_amdgcn_sinh(half)),
        static_cast<float>(__builtin_amdgcn_cosh(half)),
        static_cast<float>(__builtin_amdgcn_fmed3h(half, static_cast<_Float16>(2.5), static_cast<_Float16>(-1.5)))};
    for (int k = 0; k < floatResults; ++k) {
        f[i * floatResults + k] = ofFloat[k];
        d[i * floatResults + k] = k < 6 ? ofDouble[k] : 0;
        h[i * floatResults + k] = k < 9 ? ofHalf[k] : 0;
    }
    exponents[i] = __builtin_amdgcn_frexp_expf(one) + 1000 * __builtin_amdgcn_frexp_exp(wide) +
                   1000000 * __builtin_amdgcn_frexp_exph(half);
}

double formula(int which, double x, int power) {
    int exponent = 0;
    const double turns = 2 * M_PI * x;
    switch (which) {
    case 0:
        return x - std::floor(x);
    case 1:
        return std::frexp(x, &exponent);
    case 2:
        return std::ldexp(x, power);
    case 3:
        return 1 / x;
    case 4:
        return 1 / std::sqrt(std::fabs(x));
    case 5:
        return std::sqrt(std::fabs(x));
    case 6:
        return std::sin(turns);
    case 7:
        return std::cos(turns);
    case 9:
        return std::log2(std::fabs(x));
    case 10:
        return formula(4, x, power);
    default:
        return std::max(-1.5, std::min(2.5, x));
    }
}

void checkFloats() {
    std::vector<float> x(threads);
    for (int i = 0; i < threads; ++i) {
        x[i] = static_cast<float>((i - 31.5) * 0.21875);
    }
    Device<float> dx(x), f(threads * floatResults), h(threads * floatResults);
    Device<double> d(threads * floatResults);
    Device<int> exponents(threads);
    floats<<<1, threads>>>(dx.get(), f.get(), d.get(), h.get(), exponents.get());
    const auto gotF = f.read();
    const auto gotD = d.read();
    const auto gotH = h.read();
    const auto gotExponents = exponents.read();
    bool areRight[4] = {true, true, true, true};
    for (int i = 0; i < threads; ++i) {
        const double half = static_cast<float>(static_cast<_Float16>(x[i]));
        for (int k = 0; k < floatResults; ++k) {
            const int at = i * floatResults + k;
            areRight[0] = areRight[0] && near(gotF[at], formula(k, x[i], i - 20), 2e-6);
            areRight[1] = areRight[1] && (k > 5 || near(gotD[at], formula(k, x[i], i - 20), 1e-7));
            areRight[2] = areRight[2] && (k > 8 || near(gotH[at], formula(k, half, i % 8 - 4), 4e-3));
        }
        int wide = 0, narrow = 0;
        (void)std::frexp(x[i], &wide);
        (void)std::frexp(half, &narrow);
        areRight[3] = areRight[3] && gotExponents[i] == wide * 1001 + 1000000 * narrow;
    }
    expect("floats", areRight[0]);
    expect("doubles", areRight[1]);
    expect("halves", areRight[2]);
    expect("exponents", areRight[3]);
}

// Which of the ten classes a value is of.
__global__ void classes(const float* x, Word* out) {
    const float one = x[threadIdx.x];
    Word found = 0;
    for (int bit = 1; bit < 10; ++bit) { // no signalling NaN
        found |= __builtin_amdgcn_classf(one, 1 << bit) ? 1u << bit : 0;
        found |= __builtin_amdgcn_class(static_cast<double>(one), 1 << bit) ? 1u << (bit + 10) : 0;
        found |= __builtin_amdgcn_classh(static_cast<_Float16>(one), 1 << bit) ? 1u << (bit + 20) : 0;
    }
    out[threadIdx.x] = found;
}

void checkClasses() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> x = {std::numeric_limits<float>::quiet_NaN(), -infinity, -1, -0.f, 0, 1, infinity};
    const int classOf[] = {1, 2, 3, 5, 6, 8, 9};
    Device<float> dx(x);
    Device<Word> out(x.size());
    classes<<<1, x.size()>>>(dx.get(), out.get());
    std::vector<Word> expected;
    for (const int one : classOf) {
        expected.push_back(1u << one | 1u << (one + 10) | 1u << (one + 20));
    }
    expect("classes", out.read() == expected);
}

constexpr int integerResults = 20;
__global__ void integers(const Word* a, const Word* b, const Word* c, Word* out) {
    const int i = static_cast<int>(threadIdx.x);
    const Word x = a[i], y = b[i], z = c[i];
    const auto bitsOf = [](auto value) { return __builtin_bit_cast(Word, value); };
    const float some = static_cast<float>(static_cast<int>(x) % 700) + 0.25f, part = static_cast<float>(i - 40) / 32;
    const Word results[integerResults] = {
        __builtin_amdgcn_alignbit(x, y, z),
        __builtin_amdgcn_alignbyte(x, y, z),
        __builtin_amdgcn_lerp(x, y, z),
        __builtin_amdgcn_sad_u8(x, y, z),
        __builtin_amdgcn_sad_hi_u8(x, y, z),
        __builtin_amdgcn_sad_u16(x, y, z),
        __builtin_amdgcn_msad_u8(x, y & 0xff00ffff, z),
        __builtin_amdgcn_sbfe(x, z & 31, y & 31),
        __builtin_amdgcn_ubfe(x, z & 31, y & 31),
        static_cast<Word>(__builtin_amdgcn_sdot2(__builtin_bit_cast(Shorts, x), __builtin_bit_cast(Shorts, y),
                                                 static_cast<int>(z % 100), false)),
        __builtin_amdgcn_udot2(__builtin_bit_cast(Ushorts, x), __builtin_bit_cast(Ushorts, y), z, true),
        __builtin_amdgcn_udot8(x, y, z, false),
        static_cast<Word>(
            __builtin_amdgcn_sdot8(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z % 100), false)),
        bitsOf(__builtin_amdgcn_cvt_pk_i16(static_cast<int>(x) >> 12, static_cast<int>(y))),
        bitsOf(__builtin_amdgcn_cvt_pk_u16(x >> 18, y)),
        __builtin_amdgcn_cvt_pk_u8_f32(some, z & 3, y),
        bitsOf(__builtin_amdgcn_cvt_pknorm_i16(part, -part)),
        bitsOf(__builtin_amdgcn_cvt_pknorm_u16(part, -part)),
        __builtin_amdgcn_perm(x, y, z & 0x07070707),
        __builtin_amdgcn_mbcnt_hi(x, __builtin_amdgcn_mbcnt_lo(y, z)),
    };
    for (int k = 0; k < integerResults; ++k) {
        out[i * integerResults + k] = results[k];
    }
}

template<class Element>
int elementOf(Word word, int i) {
    Element all[4 / sizeof(Element)];
    std::memcpy(all, &word, sizeof word);
    return all[i];
}
int nibble(Word word, int i) {
    return static_cast<int>(word >> 4 * i & 15);
}
int signedNibble(Word word, int i) {
    return (nibble(word, i) ^ 8) - 8;
}
int clamped(double value, double least, double most) {
    return static_cast<int>(std::nearbyint(std::max(least, std::min(most, value))));
}
Word packed(int low, int high) {
    return (static_cast<Word>(low) & 0xffff) | static_cast<Word>(high) << 16;
}
Word differences(Word a, Word b, bool isMasked) {
    Word sum = 0;
    for (int i = 0; i < 4; ++i) {
        const int second = elementOf<std::uint8_t>(b, i);
        sum += isMasked && second == 0 ? 0 : static_cast<Word>(std::abs(elementOf<std::uint8_t>(a, i) - second));
    }
    return sum;
}

Word integerFormula(int which, Word x, Word y, Word z, int lane) {
    const Wide both = Wide{x} << 32 | y;
    const int some = static_cast<int>(x) % 700;
    const double part = static_cast<double>(static_cast<float>(lane - 40) / 32);
    std::int64_t sum = 0;
    Word bytes = 0;
    const Word begin = z & 31, width = y & 31;
    const Word field = width == 0 ? 0 : x >> begin & (width == 32 ? ~0u : (1u << width) - 1);
    switch (which) {
    case 0:
        return static_cast<Word>(both >> (z & 31));
    case 1:
        return static_cast<Word>(both >> 8 * (z & 3));
    case 2:
        for (int i = 0; i < 4; ++i) {
            bytes |= static_cast<Word>((elementOf<std::uint8_t>(x, i) + elementOf<std::uint8_t>(y, i) +
                                        (elementOf<std::uint8_t>(z, i) & 1)) >>
                                       1)
                     << 8 * i;
        }
        return bytes;
    case 3:
        return z + differences(x, y, false);
    case 4:
        return z + (differences(x, y, false) << 16);
    case 5:
        return z + static_cast<Word>(std::abs(elementOf<std::uint16_t>(x, 0) - elementOf<std::uint16_t>(y, 0)) +
                                     std::abs(elementOf<std::uint16_t>(x, 1) - elementOf<std::uint16_t>(y, 1)));
    case 6:
        return z + differences(x, y & 0xff00ffff, true);
    case 7: {
        const Word end = std::min(begin + width, 32u); // the sign is the field's last bit that there is
        const bool isNegative = width != 0 && (x >> (end - 1) & 1) != 0;
        return isNegative && end - begin < 32 ? field | ~((1u << (end - begin)) - 1) : field;
    }
    case 8:
        return field;
    case 9:
        for (int i = 0; i < 2; ++i) {
            sum += std::int64_t{elementOf<std::int16_t>(x, i)} * elementOf<std::int16_t>(y, i);
        }
        return static_cast<Word>(sum + static_cast<int>(z % 100));
    case 10:
        sum = z;
        for (int i = 0; i < 2; ++i) {
            sum += std::int64_t{elementOf<std::uint16_t>(x, i)} * elementOf<std::uint16_t>(y, i);
        }
        return static_cast<Word>(std::min(sum, std::int64_t{0xffffffff}));
    case 11:
        sum = z;
        for (int i = 0; i < 8; ++i) {
            sum += nibble(x, i) * nibble(y, i);
        }
        return static_cast<Word>(sum);
    case 12:
        sum = z % 100;
        for (int i = 0; i < 8; ++i) {
            sum += signedNibble(x, i) * signedNibble(y, i);
        }
        return static_cast<Word>(sum);
    case 13:
        return packed(clamped(static_cast<int>(x) >> 12, -32768, 32767), clamped(static_cast<int>(y), -32768, 32767));
    case 14:
        return packed(clamped(x >> 18, 0, 65535), clamped(y, 0, 65535));
    case 15:
        bytes = static_cast<Word>(clamped(some, 0, 255));
        return (y & ~(0xffu << 8 * (z & 3))) | bytes << 8 * (z & 3);
    case 16:
        return packed(clamped(std::max(-1., std::min(1., part)) * 32767, -32767, 32767),
                      clamped(std::max(-1., std::min(1., -part)) * 32767, -32767, 32767));
    case 17:
        return packed(clamped(std::max(0., std::min(1., part)) * 65535, 0, 65535),
                      clamped(std::max(0., std::min(1., -part)) * 65535, 0, 65535));
    case 18:
        for (int i = 0; i < 4; ++i) {
            const int from = elementOf<std::uint8_t>(z & 0x07070707, i);
            bytes |= static_cast<Word>(elementOf<std::uint8_t>(from < 4 ? y : x, from & 3)) << 8 * i;
        }
        return bytes;
    default:
        for (int i = 0; i < lane; ++i) {
            sum += (i < 32 ? y >> i : x >> (i - 32)) & 1;
        }
        return z + static_cast<Word>(sum);
    }
}

void checkIntegers() {
    std::vector<Word> a(threads), b(threads), c(threads), expected(threads * integerResults);
    Word state = 12345;
    for (int i = 0; i < threads; ++i) {
        for (auto* one : {&a, &b, &c}) {
            state = state * 1664525 + 1013904223;
            (*one)[i] = state ^ state >> 15;
        }
    }
    for (int i = 0; i < threads; ++i) {
        for (int k = 0; k < integerResults; ++k) {
            expected[i * integerResults + k] = integerFormula(k, a[i], b[i], c[i], i);
        }
    }
    Device<Word> da(a), db(b), dc(c), out(expected.size());
    integers<<<1, threads>>>(da.get(), db.get(), dc.get(), out.get());
    const auto got = out.read();
    for (int k = 0; k < integerResults; ++k) {
        bool isRight = true;
        for (int i = 0; i < threads; ++i) {
            const int at = i * integerResults + k;
            if (got[at] != expected[at]) {
                std::printf("result %d of %x, %x, %x: %x for %x\n", k, a[i], b[i], c[i], got[at], expected[at]);
                isRight = false;
            }
        }
        expect("integers", isRight);
    }
}

int main() {
    checkFloats();
    checkClasses();
    checkIntegers();
    return verdict();
}
