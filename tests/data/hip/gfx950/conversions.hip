// SPDX-License-Identifier: GPL-3.0-or-later
// v_cvt_scalef32_* and v_cvt_sr_*: between small floats and f32, f16 and bf16, by all forms, against the OCP formats in
// double. In of f16 and bf16 are what these can hold of the same numbers.
#include "../check.h"
#include "ocp.h"

#include <random>

typedef float floatx2 __attribute__((ext_vector_type(2)));
typedef float floatx16 __attribute__((ext_vector_type(16)));
typedef float floatx32 __attribute__((ext_vector_type(32)));
typedef short shortx2 __attribute__((ext_vector_type(2)));
typedef unsigned uintx6 __attribute__((ext_vector_type(6)));
template<class T> using Pair = T __attribute__((ext_vector_type(2)));
template<class T> using Many = T __attribute__((ext_vector_type(32)));

// What a thread does with its two values a and b, a word of codes, a scale and a seed; results as words.
constexpr int perThread = 16;
struct Given {
    float a, b, scale;
    unsigned word, seed;
};

template<class T> __device__ unsigned bits(T value) {
    unsigned word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    return word;
}

#define OF_8_BITS(name)                                                                                                \
    __global__ void name(const Given* given, unsigned* out) {                                                          \
        const Given g = given[threadIdx.x];                                                                            \
        unsigned* o = out + threadIdx.x * perThread;                                                                   \
        const Pair<_Float16> halves = {static_cast<_Float16>(g.a), static_cast<_Float16>(g.b)};                        \
        const Pair<__bf16> bfloats = {static_cast<__bf16>(g.a), static_cast<__bf16>(g.b)};                             \
        const shortx2 old = {0x1111, 0x2222};                                                                          \
        o[0] = bits(__builtin_amdgcn_cvt_scalef32_pk_##name##_f32(old, g.a, g.b, g.scale, false));                     \
        o[1] = bits(__builtin_amdgcn_cvt_scalef32_pk_##name##_f16(old, halves, g.scale, true));                        \
        o[2] = bits(__builtin_amdgcn_cvt_scalef32_pk_##name##_bf16(old, bfloats, g.scale, false));                     \
        o[3] = __builtin_amdgcn_cvt_scalef32_sr_##name##_f32(0x11223344, g.a, g.seed, g.scale, 0);                     \
        o[4] = __builtin_amdgcn_cvt_scalef32_sr_##name##_f16(0x11223344, halves[0], g.seed, g.scale, 3);               \
        o[5] = __builtin_amdgcn_cvt_scalef32_sr_##name##_bf16(0x11223344, bfloats[0], g.seed, g.scale, 2);             \
        o[6] = bits(__builtin_amdgcn_cvt_scalef32_f32_##name(g.word, g.scale, 2));                                     \
        const Pair<_Float16> oldHalves = {static_cast<_Float16>(1), static_cast<_Float16>(2)};                         \
        o[7] = bits(__builtin_amdgcn_cvt_scalef32_f16_##name(oldHalves, g.word, g.scale, 1, true));                    \
        const floatx2 two = __builtin_amdgcn_cvt_scalef32_pk_f32_##name(g.word, g.scale, true);                        \
        o[8] = bits(two[0]);                                                                                           \
        o[9] = bits(two[1]);                                                                                           \
        o[10] = bits(__builtin_amdgcn_cvt_scalef32_pk_f16_##name(g.word, g.scale, false));                             \
        o[11] = bits(__builtin_amdgcn_cvt_scalef32_pk_bf16_##name(g.word, g.scale, true));                             \
    }
OF_8_BITS(fp8)
OF_8_BITS(bf8)

__global__ void fp4(const Given* given, unsigned* out) {
    const Given g = given[threadIdx.x];
    unsigned* o = out + threadIdx.x * perThread;
    const Pair<_Float16> halves = {static_cast<_Float16>(g.a), static_cast<_Float16>(g.b)};
    const Pair<__bf16> bfloats = {static_cast<__bf16>(g.a), static_cast<__bf16>(g.b)};
    const floatx2 floats = {g.a, g.b};
    o[0] = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(0x11223344, g.a, g.b, g.scale, 1);
    o[1] = __builtin_amdgcn_cvt_scalef32_pk_fp4_f16(0x11223344, halves, g.scale, 2);
    o[2] = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(0x11223344, bfloats, g.scale, 3);
    o[3] = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f32(0x11223344, floats, g.seed, g.scale, 0);
    o[4] = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f16(0x11223344, halves, g.seed, g.scale, 1);
    o[5] = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_bf16(0x11223344, bfloats, g.seed, g.scale, 2);
    const floatx2 two = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(g.word, g.scale, 3);
    o[6] = bits(two[0]);
    o[7] = bits(two[1]);
    o[8] = bits(__builtin_amdgcn_cvt_scalef32_pk_f16_fp4(g.word, g.scale, 1));
    o[9] = bits(__builtin_amdgcn_cvt_scalef32_pk_bf16_fp4(g.word, g.scale, 2));
}

// 32 values in, by seven forms 6 words each; 6 words in, by three forms 32 values each.
#define OF_6_BITS(name)                                                                                                \
    __global__ void name(const float* in, const Given* given, uintx6* packed, float* values) {                         \
        const Given g = given[threadIdx.x];                                                                            \
        floatx32 floats;                                                                                               \
        Many<_Float16> halves;                                                                                         \
        Many<__bf16> bfloats;                                                                                          \
        floatx16 even, odd;                                                                                            \
        for (int i = 0; i < 32; ++i) {                                                                                 \
            floats[i] = in[threadIdx.x * 32 + i];                                                                      \
            halves[i] = static_cast<_Float16>(floats[i]);                                                              \
            bfloats[i] = static_cast<__bf16>(floats[i]);                                                               \
        }                                                                                                              \
        for (int i = 0; i < 16; ++i) {                                                                                 \
            even[i] = floats[2 * i];                                                                                   \
            odd[i] = floats[2 * i + 1];                                                                                \
        }                                                                                                              \
        uintx6* p = packed + threadIdx.x * 6;                                                                          \
        p[0] = __builtin_amdgcn_cvt_scalef32_2xpk16_##name##_f32(even, odd, g.scale);                                  \
        p[1] = __builtin_amdgcn_cvt_scalef32_pk32_##name##_f16(halves, g.scale);                                       \
        p[2] = __builtin_amdgcn_cvt_scalef32_pk32_##name##_bf16(bfloats, g.scale);                                     \
        p[3] = __builtin_amdgcn_cvt_scalef32_sr_pk32_##name##_f32(floats, g.seed, g.scale);                            \
        p[4] = __builtin_amdgcn_cvt_scalef32_sr_pk32_##name##_f16(halves, g.seed, g.scale);                            \
        p[5] = __builtin_amdgcn_cvt_scalef32_sr_pk32_##name##_bf16(bfloats, g.seed, g.scale);                          \
        uintx6 all;                                                                                                    \
        for (int i = 0; i < 6; ++i) {                                                                                  \
            all[i] = g.word * (2 * i + 1) ^ g.seed;                                                                    \
        }                                                                                                              \
        const floatx32 f = __builtin_amdgcn_cvt_scalef32_pk32_f32_##name(all, g.scale);                                \
        const Many<_Float16> h = __builtin_amdgcn_cvt_scalef32_pk32_f16_##name(all, g.scale);                          \
        const Many<__bf16> b = __builtin_amdgcn_cvt_scalef32_pk32_bf16_##name(all, g.scale);                           \
        for (int i = 0; i < 32; ++i) {                                                                                 \
            float* v = values + threadIdx.x * 96 + i;                                                                  \
            v[0] = f[i];                                                                                               \
            v[32] = static_cast<float>(h[i]);                                                                          \
            v[64] = static_cast<float>(b[i]);                                                                          \
        }                                                                                                              \
    }
OF_6_BITS(fp6)
OF_6_BITS(bf6)

__global__ void wide(const Given* given, unsigned* out) {
    const Given g = given[threadIdx.x];
    const Pair<_Float16> oldHalves = {static_cast<_Float16>(1), static_cast<_Float16>(2)};
    const Pair<__bf16> oldBfloats = {static_cast<__bf16>(1.0f), static_cast<__bf16>(2.0f)};
    out[threadIdx.x * perThread] = bits(__builtin_amdgcn_cvt_sr_f16_f32(oldHalves, g.a, g.seed, false));
    out[threadIdx.x * perThread + 1] = bits(__builtin_amdgcn_cvt_sr_bf16_f32(oldBfloats, g.a, g.seed, true));
}

const ocp::Format half{5, 10, 15, true, true}, bfloat{8, 7, 127, true, true};
double asHalf(double value) { return static_cast<double>(static_cast<_Float16>(static_cast<float>(value))); }
double asBfloat(double value) {
    if (std::isnan(value) || std::isinf(value) || value == 0) {
        return value;
    }
    const double step = std::ldexp(1.0, std::max(std::ilogb(value), -126) - 7);
    const double rounded = std::nearbyint(value / step) * step;
    return std::fabs(rounded) > 0x1.fep127 ? std::copysign(INFINITY, rounded) : rounded;
}
double ofBfloat(unsigned bits) {
    const unsigned word = bits << 16;
    float value;
    __builtin_memcpy(&value, &word, 4);
    return value;
}
double ofHalf(unsigned bits) { return ocp::decode(bits & 0xffff, half); }
double ofFloat(unsigned word) {
    float value;
    __builtin_memcpy(&value, &word, 4);
    return value;
}
unsigned next(unsigned seed) { return (seed << 1) ^ ((seed & 0x80000000u) != 0 ? 197u : 0u); }

std::vector<Given> given;
constexpr int threads = 512;

// A scale is a float of which the exponent counts alone.
double scaleOf(const Given& g) {
    unsigned word;
    __builtin_memcpy(&word, &g.scale, 4);
    return ocp::scale(word >> 23 & 0xff);
}

// Also where the scale is NaN.
double down(double value, double scale) { return std::isnan(scale) ? std::copysign(NAN, value) : value / scale; }
double up(unsigned code, const ocp::Format& format, double scale) {
    const double value = ocp::decode(code, format);
    return std::isnan(scale) ? NAN : value * scale;
}
bool is(unsigned code, double expected, const ocp::Format& format) {
    return ocp::same(ocp::decode(code & (format.codes() - 1), format), expected);
}
double rounded(double value) { return static_cast<double>(static_cast<float>(value)); }

bool eightBits(void (*kernel)(const Given*, unsigned*), const ocp::Format& f) {
    Device<Given> in(given);
    Device<unsigned> out(threads * perThread);
    kernel<<<1, threads>>>(in.get(), out.get());
    const auto all = out.read();
    for (int t = 0; t < threads; ++t) {
        const Given& g = given[t];
        const unsigned* o = all.data() + t * perThread;
        const double s = scaleOf(g), ha = asHalf(g.a), hb = asHalf(g.b), ba = asBfloat(g.a), bb = asBfloat(g.b);
        const auto n = [&](double value) { return ocp::nearest(down(value, s), f); };
        const auto c = [&](double value, int mantissaBits) { return ocp::stochastic(down(value, s), g.seed, mantissaBits, f); };
        const auto code = [&](int index) { return g.word >> 8 * index & 0xff; };
        const bool right[] = {is(o[0], n(g.a), f) && is(o[0] >> 8, n(g.b), f) && o[0] >> 16 == 0x2222,
                              is(o[1] >> 16, n(ha), f) && is(o[1] >> 24, n(hb), f) && (o[1] & 0xffff) == 0x1111,
                              is(o[2], n(ba), f) && is(o[2] >> 8, n(bb), f) && o[2] >> 16 == 0x2222,
                              is(o[3], c(g.a, 23), f) && o[3] >> 8 == 0x112233,
                              is(o[4] >> 24, c(ha, 10), f) && (o[4] & 0xffffff) == 0x223344,
                              is(o[5] >> 16, c(ba, 7), f) && (o[5] & 0xff00ffff) == 0x11003344,
                              ocp::same(ofFloat(o[6]), rounded(up(code(2), f, s))),
                              ocp::same(ofHalf(o[7] >> 16), asHalf(up(code(1), f, s))) && (o[7] & 0xffff) == 0x3c00,
                              ocp::same(ofFloat(o[8]), rounded(up(code(2), f, s))),
                              ocp::same(ofFloat(o[9]), rounded(up(code(3), f, s))),
                              ocp::same(ofHalf(o[10]), asHalf(up(code(0), f, s))) && ocp::same(ofHalf(o[10] >> 16), asHalf(up(code(1), f, s))),
                              ocp::same(ofBfloat(o[11] & 0xffff), asBfloat(up(code(2), f, s))) &&
                                  ocp::same(ofBfloat(o[11] >> 16), asBfloat(up(code(3), f, s)))};
        for (int i = 0; i < 12; ++i) {
            if (!right[i]) {
                std::printf("form %d of %a, %a, scale %a, seed %x, word %x: %x\n", i, g.a, g.b, s, g.seed, g.word, o[i]);
                return false;
            }
        }
    }
    return true;
}

bool fourBits() {
    Device<Given> in(given);
    Device<unsigned> out(threads * perThread);
    fp4<<<1, threads>>>(in.get(), out.get());
    const auto all = out.read();
    const ocp::Format& f = ocp::e2m1;
    for (int t = 0; t < threads; ++t) {
        const Given& g = given[t];
        const unsigned* o = all.data() + t * perThread;
        const double s = scaleOf(g), ha = asHalf(g.a), hb = asHalf(g.b), ba = asBfloat(g.a), bb = asBfloat(g.b);
        const auto two = [&](unsigned byte, double a, double b) {
            return is(byte, ocp::nearest(down(a, s), f), f) && is(byte >> 4, ocp::nearest(down(b, s), f), f);
        };
        const auto byChance = [&](unsigned byte, double a, double b, int mantissaBits) {
            return is(byte, ocp::stochastic(down(a, s), g.seed, mantissaBits, f), f) &&
                   is(byte >> 4, ocp::stochastic(down(b, s), next(g.seed), mantissaBits, f), f);
        };
        const auto code = [&](int index) { return g.word >> 4 * index & 15; };
        const bool right[] = {two(o[0] >> 8, g.a, g.b) && (o[0] & 0xffff00ff) == 0x11220044,
                              two(o[1] >> 16, ha, hb) && (o[1] & 0xff00ffff) == 0x11003344,
                              two(o[2] >> 24, ba, bb) && (o[2] & 0xffffff) == 0x223344,
                              byChance(o[3], g.a, g.b, 23) && o[3] >> 8 == 0x112233,
                              byChance(o[4] >> 8, ha, hb, 10) && (o[4] & 0xffff00ff) == 0x11220044,
                              byChance(o[5] >> 16, ba, bb, 7) && (o[5] & 0xff00ffff) == 0x11003344,
                              ocp::same(ofFloat(o[6]), rounded(up(code(6), f, s))),
                              ocp::same(ofFloat(o[7]), rounded(up(code(7), f, s))),
                              ocp::same(ofHalf(o[8]), asHalf(up(code(2), f, s))) && ocp::same(ofHalf(o[8] >> 16), asHalf(up(code(3), f, s))),
                              ocp::same(ofBfloat(o[9] & 0xffff), asBfloat(up(code(4), f, s))) &&
                                  ocp::same(ofBfloat(o[9] >> 16), asBfloat(up(code(5), f, s)))};
        for (int i = 0; i < 10; ++i) {
            if (!right[i]) {
                std::printf("form %d of %a, %a, scale %a, seed %x, word %x: %x\n", i, g.a, g.b, s, g.seed, g.word, o[i]);
                return false;
            }
        }
    }
    return true;
}

bool sixBits(void (*kernel)(const float*, const Given*, uintx6*, float*), const ocp::Format& f) {
    std::vector<float> in(threads * 32);
    for (int i = 0; i < threads * 32; ++i) {
        in[i] = (i / 32 % 2 == 0 ? given[i % threads].a : given[i * 7 % threads].b);
    }
    Device<float> deviceIn(in), values(threads * 96);
    Device<Given> deviceGiven(given);
    Device<uintx6> packed(threads * 6);
    kernel<<<1, threads>>>(deviceIn.get(), deviceGiven.get(), packed.get(), values.get());
    const auto words = packed.read();
    const auto floats = values.read();
    for (int t = 0; t < threads; ++t) {
        const double s = scaleOf(given[t]);
        unsigned seed = given[t].seed, all[6];
        for (int i = 0; i < 6; ++i) {
            all[i] = given[t].word * (2 * i + 1) ^ seed;
        }
        for (int i = 0; i < 32; ++i) {
            const double v = in[t * 32 + i], h = asHalf(v), b = asBfloat(v);
            const double expected[] = {ocp::nearest(down(v, s), f), ocp::nearest(down(h, s), f), ocp::nearest(down(b, s), f),
                                       ocp::stochastic(down(v, s), seed, 23, f), ocp::stochastic(down(h, s), seed, 10, f), ocp::stochastic(down(b, s), seed, 7, f)};
            for (int form = 0; form < 6; ++form) {
                unsigned packedWords[6];
                for (int w = 0; w < 6; ++w) {
                    packedWords[w] = words[t * 6 + form][w];
                }
                if (!is(ocp::element(packedWords, i, 6), expected[form], f)) {
                    std::printf("form %d, element %d of %a, scale %a, seed %x\n", form, i, v, s, seed);
                    return false;
                }
            }
            const double value = up(ocp::element(all, i, 6), f, s);
            const float* o = floats.data() + t * 96 + i;
            if (!ocp::same(o[0], rounded(value)) || !ocp::same(o[32], asHalf(value)) || !ocp::same(o[64], asBfloat(value))) {
                std::printf("element %d, scale %a: %a\n", i, s, value);
                return false;
            }
            seed = next(seed);
        }
    }
    return true;
}

bool sixteenBits() {
    Device<Given> in(given);
    Device<unsigned> out(threads * perThread);
    wide<<<1, threads>>>(in.get(), out.get());
    const auto all = out.read();
    for (int t = 0; t < threads; ++t) {
        const Given& g = given[t];
        const unsigned h = all[t * perThread], b = all[t * perThread + 1];
        if (!ocp::same(ofHalf(h), ocp::stochastic(g.a, g.seed, 23, half)) || h >> 16 != 0x4000 ||
            !ocp::same(ofBfloat(b >> 16), ocp::stochastic(g.a, g.seed, 23, bfloat)) || (b & 0xffff) != 0x3f80) {
            std::printf("%a, seed %x: %x, %x\n", g.a, g.seed, h, b);
            return false;
        }
    }
    return true;
}

int main() {
    std::mt19937 random(950);
    for (const float special : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e38f, -1e38f, 1e-39f}) {
        given.push_back({special, -special, 1.0f, 0x7ffe8001u, 0xffffffffu});
    }
    given.push_back({1.0f, 2.0f, INFINITY, 0x12345678u, 0u}); // an exponent of 255: NaN
    given.push_back({1.0f, 2.0f, 0.0f, 0x12345678u, 0u});     // 2^-127
    while (given.size() < threads) {
        const auto value = [&](int exponent) {
            const float mantissa = static_cast<float>(static_cast<int>(random())) / 2147483648.0f;
            return std::ldexp(random() % 8 == 0 ? std::round(mantissa * 16) / 16 : mantissa, exponent); // ties
        };
        const int exponent = static_cast<int>(random() % 40) - 20;
        const float scale = std::ldexp(1.5f, exponent + static_cast<int>(random() % 12) - 6);
        given.push_back({value(exponent), value(exponent), scale, static_cast<unsigned>(random()), static_cast<unsigned>(random())});
    }
    expect("e4m3", eightBits(fp8, ocp::e4m3));
    expect("e5m2", eightBits(bf8, ocp::e5m2));
    expect("e2m1", fourBits());
    expect("e2m3", sixBits(fp6, ocp::e2m3));
    expect("e3m2", sixBits(bf6, ocp::e3m2));
    expect("f16 and bf16 by chance", sixteenBits());
    return verdict();
}
