// SPDX-License-Identifier: GPL-3.0-or-later
// Small floats of the OCP: every code, and what numbers between the codes become, against tables made here.
#include "check.h"

#include <hip/amd_detail/amd_hip_fp4.h>
#include <hip/hip_ext_ocp.h>
#include <hip/hip_fp6.h>

#include <cmath>
#include <cstring>
#include <vector>

struct Kind {
    const char* name;
    int bits, mantissaBits, bias;
    unsigned largest;
};
constexpr Kind kinds[] = {{"e4m3", 8, 3, 7, 0x7e},
                          {"e5m2", 8, 2, 15, 0x7b},
                          {"e2m3", 6, 3, 1, 0x1f},
                          {"e3m2", 6, 2, 3, 0x1f},
                          {"e2m1", 4, 1, 1, 0x7}};

double valueOf(const Kind& kind, unsigned code) {
    const unsigned magnitude = code & ((1u << (kind.bits - 1)) - 1), exponent = magnitude >> kind.mantissaBits,
                   mantissa = magnitude & ((1u << kind.mantissaBits) - 1);
    const double size = exponent == 0 ? std::ldexp(mantissa, 1 - kind.bias - kind.mantissaBits)
                                      : std::ldexp((1 << kind.mantissaBits) + mantissa,
                                                   static_cast<int>(exponent) - kind.bias - kind.mantissaBits);
    return code >> (kind.bits - 1) & 1 ? -size : size;
}
unsigned nearest(const Kind& kind, double x) {
    x = std::fmax(std::fmin(x, 1e6), -1e6);
    unsigned best = 0;
    for (unsigned code = 1; code <= kind.largest; ++code) {
        const double here = std::fabs(std::fabs(x) - valueOf(kind, code)),
                     there = std::fabs(std::fabs(x) - valueOf(kind, best));
        best = here < there || (here == there && code % 2 == 0) ? code : best;
    }
    return best | (std::signbit(x) ? 1u << (kind.bits - 1) : 0);
}

constexpr int Values = 2048; // a multiple of 32
constexpr __amd_scale_t Scale = 3;

struct Codes {
    unsigned char e4m3[Values], e5m2[Values], e2m3[Values], e3m2[Values], e2m1[Values], scaled[Values], half[Values],
        brain[Values], byChance[Values];
};
struct Numbers {
    float e4m3[256], e5m2[256], e2m1[256], scaled[256], e2m3[32], e3m2[32];
};

template<class Lanes>
__host__ __device__ void convert(const float* in, Codes& out, int i, Lanes) {
    const auto pair = __amd_floatx2_storage_t{in[i], in[i ^ 1]};
    out.e4m3[i] = __amd_extract_fp8(__amd_cvt_floatx2_to_fp8x2(pair, __AMD_OCP_E4M3), 0);
    out.e5m2[i ^ 1] = __amd_extract_fp8(__amd_cvt_floatx2_to_fp8x2(pair, __AMD_OCP_E5M2), 1);
    out.e2m1[i] = __amd_extract_fp4(__amd_cvt_floatx2_to_fp4x2_scale(pair, __AMD_OCP_E2M1, 0), 0);
    out.scaled[i ^ 1] = __amd_extract_fp4(__amd_cvt_floatx2_to_fp4x2_scale(pair, __AMD_OCP_E2M1, Scale), 1);
    out.half[i] = __hipext_ocp_fp8x2_e4m3(__amd_fp16x2_storage_t{static_cast<_Float16>(in[i]), 0}, Scale).__x & 0xff;
    out.brain[i] = __amd_cvt_bf16_to_fp8_scale(gks_ocp::narrow<__bf16>(in[i]), __AMD_OCP_E5M2, -Scale);
    out.byChance[i] = __amd_cvt_float_to_fp8_sr(in[i], __AMD_OCP_E4M3, 2654435769u * i);
    if (i % 32 == 0) {
        __amd_floatx32_storage_t all;
        for (int k = 0; k < 32; ++k) {
            all[k] = in[i + k];
        }
        const auto six = __amd_cvt_floatx32_to_fp6x32_scale(all, __AMD_OCP_E2M3, 0),
                   other = __amd_cvt_floatx32_to_fp6x32_scale(all, __AMD_OCP_E3M2, 0);
        for (int k = 0; k < 32; ++k) {
            out.e2m3[i + k] = gks_ocp::codeAt(six, k, 6);
            out.e3m2[i + k] = gks_ocp::codeAt(other, k, 6);
        }
    }
}
template<class Lanes>
__host__ __device__ void back(Numbers& out, int i, Lanes) {
    out.e4m3[i] = __amd_cvt_fp8_to_float(i, __AMD_OCP_E4M3);
    out.e5m2[i] = __amd_cvt_fp8x2_to_floatx2(__amd_create_fp8x2(0, i), __AMD_OCP_E5M2)[1];
    const __amd_fp4x8_storage_t eight = __amd_create_fp4x8(0, 0, i, 0);
    out.e2m1[i] = static_cast<float>(__amd_cvt_fp4x8_to_fp16x8_scale(eight, __AMD_OCP_E2M1, 0)[i < 128 ? 4 : 5]);
    out.scaled[i] =
        gks_ocp::wide(__amd_cvt_fp8x8_to_bf16x8_scale(__amd_create_fp8x8(0, 0, i << 8, 0), __AMD_OCP_E4M3, Scale)[5]);
    if (i < 32) {
        __amd_floatx32_storage_t all;
        for (int k = 0; k < 32; ++k) {
            all[k] = k % 2 == 0 ? 0.5f * k : -0.25f * k;
        }
        out.e2m3[i] = __amd_cvt_fp6x32_to_floatx32_scale(__amd_cvt_floatx32_to_fp6x32_scale(all, __AMD_OCP_E2M3, 1),
                                                         __AMD_OCP_E2M3, 1)[i];
        out.e3m2[i] = static_cast<float>(__amd_cvt_fp6x32_to_fp16x32_scale(
            __amd_cvt_floatx32_to_fp6x32_scale(all, __AMD_OCP_E3M2, 0), __AMD_OCP_E3M2, 0)[i]);
    }
}

// ROCm 7's types of 4 and 6 bits: each way to make one, and back.
struct Small {
    unsigned char e2m1[Values], e2m3[Values], e3m2[Values], half[Values], brain[Values], whole[Values];
    float pairs[Values], fours[Values];
};
__global__ void smallTypes(const float* in, Small* out) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    const float x = in[i], other = in[i ^ 1];
    out->e2m1[i] = __hip_fp4_e2m1(static_cast<double>(x)).__x;
    out->e2m3[i] = __hip_cvt_float_to_fp6(x, __HIP_E2M3, hipRoundNearest);
    out->e3m2[i] = __hip_fp6x2_e3m2(make_float2(other, x)).__x >> 8;
    out->half[i] = __hip_fp6_e2m3(__float2half(x)).__x;
    out->brain[i] = __hip_fp4x2_e2m1(__hip_bfloat162(__float2bfloat16(other), __float2bfloat16(x))).__x >> 4;
    out->whole[i] = __hip_fp6_e3m2(i % 37 - 18).__x;
    const __half2 pair = __half2_raw(__hip_fp4x2_e2m1(make_float2(other, x)));
    out->pairs[i] = __high2float(pair);
    out->fours[i] = static_cast<float4>(__hip_fp6x4_e2m3(make_float4(0, 1, other, x))).w +
                    static_cast<float>(static_cast<double4>(__hip_fp4x4_e2m1(pair, pair)).z) +
                    static_cast<float>(__hip_fp4_e2m1(3.0f));
}
static_assert(sizeof(__hip_fp4x4_e2m1) == 2 && sizeof(__hip_fp4x2_e2m1) == 1 && sizeof(__hip_fp6x4_e3m2) == 4);

__global__ void convertAll(const float* in, Codes* out) {
    convert(in, *out, threadIdx.x + blockIdx.x * blockDim.x, 0);
}
__global__ void backAll(Numbers* out) {
    back(*out, threadIdx.x, 0);
}

int main() {
    std::vector<float> in(Values);
    unsigned state = 99;
    for (int i = 0; i < Values; ++i) {
        state = state * 1664525 + 1013904223;
        in[i] = std::ldexp(static_cast<float>(static_cast<int>(state >> 8) - (1 << 23)) / (1 << 23),
                           static_cast<int>(state >> 3 & 31) - 18);
    }
    const float special[] = {0.f,        -0.f,  448.f, 464.f, 480.f, 1e30f, -1e30f, 1.f / 1024,
                             3.f / 1024, 0.25f, 0.75f, 5.f,   -5.f,  6.f,   7.f,    0.0625f};
    std::memcpy(in.data(), special, sizeof(special));
    const Device<float> dIn(in);
    Device<Codes> dCodes(1);
    Device<Numbers> dNumbers(1);
    convertAll<<<Values / 256, 256>>>(dIn.get(), dCodes.get());
    backAll<<<1, 256>>>(dNumbers.get());
    static Codes codes, hostCodes;
    static Numbers numbers, hostNumbers;
    codes = dCodes.read()[0];
    numbers = dNumbers.read()[0];
    for (int i = 0; i < Values; ++i) {
        convert(in.data(), hostCodes, i, 0);
    }
    for (int i = 0; i < 256; ++i) {
        back(hostNumbers, i, 0);
    }
    expect("codes on the host as on the device", std::memcmp(&codes, &hostCodes, sizeof(Codes)) == 0);
    expect("numbers on the host as on the device", std::memcmp(&numbers, &hostNumbers, sizeof(Numbers)) == 0);

    const unsigned char* plain[] = {codes.e4m3, codes.e5m2, codes.e2m3, codes.e3m2, codes.e2m1};
    for (int k = 0; k < 5; ++k) {
        bool right = true;
        for (int i = 0; i < Values; ++i) {
            right = right && plain[k][i] == nearest(kinds[k], in[i]);
        }
        expect(kinds[k].name, right);
    }
    bool scaled = true, half = true, brain = true, byChance = true;
    for (int i = 0; i < Values; ++i) {
        scaled = scaled && codes.scaled[i] == nearest(kinds[4], std::ldexp(in[i], -Scale));
        half = half && (std::fabs(in[i]) > 60000 ||
                        codes.half[i] ==
                            nearest(kinds[0], std::ldexp(static_cast<float>(static_cast<_Float16>(in[i])), -Scale)));
        brain = brain &&
                std::fabs(valueOf(kinds[1], codes.brain[i]) - std::ldexp(in[i], Scale)) <=
                    std::fmax(std::fabs(std::ldexp(in[i], Scale)) * 0.13, 1e-5) + (std::fabs(in[i]) > 1000 ? 1e40 : 0);
        const unsigned down = codes.byChance[i] & 0x7f;
        const double size = std::fabs(in[i]), here = valueOf(kinds[0], down);
        byChance = byChance && (down == 0x7e || (here <= size ? valueOf(kinds[0], down + 1) > size || down + 1 > 0x7e
                                                              : down > 0 && valueOf(kinds[0], down - 1) < size));
    }
    expect("a common power of two", scaled);
    expect("from half", half);
    expect("from bf16", brain);
    expect("by chance, one of the two beside", byChance);

    bool e4m3 = true, e5m2 = true, e2m1 = true, power = true, e2m3 = true, e3m2 = true;
    for (unsigned i = 0; i < 256; ++i) {
        e4m3 =
            e4m3 && ((i & 0x7f) == 0x7f ? numbers.e4m3[i] != numbers.e4m3[i] : numbers.e4m3[i] == valueOf(kinds[0], i));
        e5m2 = e5m2 && ((i & 0x7f) > 0x7c    ? numbers.e5m2[i] != numbers.e5m2[i]
                        : (i & 0x7f) == 0x7c ? std::isinf(numbers.e5m2[i])
                                             : numbers.e5m2[i] == valueOf(kinds[1], i));
        e2m1 = e2m1 && numbers.e2m1[i] == valueOf(kinds[4], i < 128 ? i & 0xf : i >> 4);
        power = power && ((i & 0x7f) == 0x7f || numbers.scaled[i] == std::ldexp(valueOf(kinds[0], i), Scale));
    }
    for (int i = 0; i < 32; ++i) {
        const double x = i % 2 == 0 ? 0.5 * i : -0.25 * i;
        e2m3 = e2m3 && numbers.e2m3[i] == 2 * valueOf(kinds[2], nearest(kinds[2], x / 2));
        e3m2 = e3m2 && numbers.e3m2[i] == valueOf(kinds[3], nearest(kinds[3], x));
    }
    expect("all of e4m3", e4m3);
    expect("all of e5m2", e5m2);
    expect("all of e2m1, from eights", e2m1);
    expect("times a power of two, to bf16", power);
    expect("thirty-two of e2m3", e2m3);
    expect("thirty-two of e3m2", e3m2);
    Device<Small> dSmall(1);
    smallTypes<<<Values / 256, 256>>>(dIn.get(), dSmall.get());
    static Small small;
    small = dSmall.read()[0];
    bool ones = true, roundedBefore = true, integers = true, more = true;
    for (int i = 0; i < Values; ++i) {
        const float asHalf = static_cast<float>(static_cast<_Float16>(in[i]));
        const int exponent = std::ilogb(in[i]);
        const double asBrain =
            in[i] == 0 ? in[i] : std::ldexp(std::nearbyint(std::ldexp(in[i], 7 - exponent)), exponent - 7);
        ones = ones && small.e2m1[i] == nearest(kinds[4], in[i]) && small.e2m3[i] == nearest(kinds[2], in[i]) &&
               small.e3m2[i] == nearest(kinds[3], in[i]);
        roundedBefore = roundedBefore && (std::fabs(in[i]) > 60000 || small.half[i] == nearest(kinds[2], asHalf)) &&
                        small.brain[i] == nearest(kinds[4], asBrain);
        integers = integers && small.whole[i] == nearest(kinds[3], i % 37 - 18);
        const double four = valueOf(kinds[4], nearest(kinds[4], in[i])),
                     neighbour = valueOf(kinds[4], nearest(kinds[4], in[i ^ 1]));
        more = more && small.pairs[i] == four &&
               small.fours[i] ==
                   static_cast<float>(valueOf(kinds[2], nearest(kinds[2], in[i]))) + static_cast<float>(neighbour) + 3;
    }
    expect("types of ROCm 7", ones);
    expect("from half and bf16", roundedBefore);
    expect("from integers", integers);
    expect("pairs and fours", more);
    const __hipext_ocp_fp8_e5m2 number(3.1f);
    expect("types", static_cast<float>(number) == 3.f && number.get_scaled_float(-1) == 1.5f &&
                        __amd_scale_to_float(-2) == 0.25f);
    return verdict();
}
