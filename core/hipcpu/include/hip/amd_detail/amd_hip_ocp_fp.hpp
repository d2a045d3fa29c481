// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The conversions of hip/hip_ext_ocp.h for HIP installations that lack it: numbers of 8, 6 and 4 bits in the formats of
// the OCP from and to float, half and bf16, in ones, pairs, eights and thirty-twos, each with a common power of two.
// gfx942 has no instructions for these formats, so all of it is arithmetic. Conversions round to the nearest even and
// give the largest number in the place of a larger one. Those that round by chance go up where the fraction of a step
// that is lost, and the seed as a fraction of 2 to the power of 32, are one or more together.

#include <hip/amd_detail/amd_hip_ocp_types.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define GKS_OCP __host__ __device__ static inline

namespace gks_ocp {

struct Format {
    unsigned bits; // with the sign
    int mantissaBits;
    int bias;
    unsigned largest; // code of the largest number
    bool hasNan;      // above it; of e5m2 the first one above is infinity
};

GKS_OCP Format formatOf(__amd_fp8_interpretation_t kind) {
    return kind == __AMD_OCP_E4M3 ? Format{8, 3, 7, 0x7eu, true} : Format{8, 2, 15, 0x7bu, true};
}
GKS_OCP Format formatOf(__amd_fp6_interpretation_t kind) {
    return kind == __AMD_OCP_E2M3 ? Format{6, 3, 1, 0x1fu, false} : Format{6, 2, 3, 0x1fu, false};
}
GKS_OCP Format formatOf(__amd_fp4_interpretation_t) {
    return {4, 1, 1, 0x7u, false};
}

template <class To, class From> GKS_OCP To sameBits(From from) {
    static_assert(sizeof(To) == sizeof(From), "another size");
    return __builtin_bit_cast(To, from);
}

GKS_OCP float wide(float x) {
    return x;
}
GKS_OCP float wide(_Float16 x) {
    return static_cast<float>(x);
}
GKS_OCP float wide(__bf16 x) {
    return sameBits<float>(static_cast<unsigned>(sameBits<unsigned short>(x)) << 16);
}
template <class T> GKS_OCP T narrow(float x) {
    if constexpr (sizeof(T) == 4) {
        return x;
    } else if constexpr (__is_same(T, _Float16)) {
        return static_cast<_Float16>(x);
    } else { // to the nearest even; what is no number stays none
        const unsigned bits = sameBits<unsigned>(x);
        const bool isNan = (bits & 0x7fffffffu) > 0x7f800000u;
        const unsigned rounded = isNan ? bits | 0x400000u : bits + 0x7fffu + ((bits >> 16) & 1u);
        return sameBits<__bf16>(static_cast<unsigned short>(rounded >> 16));
    }
}

// A number of the format between 0 and its largest is `steps * 2^(exponent - mantissaBits)`, with the exponent of the
// float or the least of the format: the code counts those steps on from the beginning of the exponent.
GKS_OCP unsigned encode(float x, Format format, __amd_scale_t scale, bool byChance, unsigned seed) {
    const unsigned sign = (sameBits<unsigned>(x) >> 31) << (format.bits - 1);
    const bool isNan = x != x || scale == -128;
    if (isNan) {
        return sign | (format.hasNan ? (1u << (format.bits - 1)) - 1u : format.largest);
    }
    const float size = __builtin_ldexpf(__builtin_fabsf(x), -scale);
    const int least = 1 - format.bias;
    const int own = static_cast<int>(sameBits<unsigned>(size) >> 23) - 127;
    if (own > 127 - format.mantissaBits) {
        return sign | format.largest;
    }
    const int exponent = own < least ? least : own;
    const float steps = __builtin_ldexpf(size, format.mantissaBits - exponent);
    const float whole = __builtin_floorf(steps);
    const float lost = steps - whole; // exact
    unsigned code = static_cast<unsigned>(whole);
    if (byChance) {
        const auto part = static_cast<unsigned long long>(static_cast<double>(lost) * 4294967296.0);
        code += part + seed >= 4294967296ull ? 1u : 0u;
    } else {
        code += lost > 0.5f || (lost == 0.5f && (code & 1u) != 0) ? 1u : 0u;
    }
    code += static_cast<unsigned>(exponent - least) << format.mantissaBits;
    return sign | (code > format.largest ? format.largest : code);
}

GKS_OCP float decode(unsigned code, Format format, __amd_scale_t scale) {
    const unsigned magnitude = code & ((1u << (format.bits - 1)) - 1u);
    const bool isNegative = (code >> (format.bits - 1) & 1u) != 0;
    if (scale == -128 || magnitude > format.largest + (format.mantissaBits == 2 ? 1u : 0u)) {
        return __builtin_nanf("");
    }
    if (magnitude > format.largest) {
        return isNegative ? -__builtin_inff() : __builtin_inff();
    }
    const unsigned field = magnitude >> format.mantissaBits;
    const unsigned mantissa = magnitude & ((1u << format.mantissaBits) - 1u);
    const unsigned steps = field == 0 ? mantissa : mantissa + (1u << format.mantissaBits);
    const int exponent = static_cast<int>(field == 0 ? 1u : field) - format.bias - format.mantissaBits;
    const float size = __builtin_ldexpf(static_cast<float>(steps), exponent + scale);
    return isNegative ? -size : size;
}

// The codes within what holds them, each by its number.
template <class Storage> GKS_OCP unsigned codeAt(const Storage& storage, unsigned i, unsigned bits) {
    unsigned char bytes[sizeof(Storage)];
    __builtin_memcpy(bytes, &storage, sizeof(Storage));
    unsigned code = 0;
    for (unsigned b = 0; b < bits; ++b) {
        const unsigned at = i * bits + b;
        code |= static_cast<unsigned>(bytes[at / 8] >> (at % 8) & 1) << b;
    }
    return code;
}

template <class Storage> GKS_OCP Storage storageOf(const unsigned* codes, unsigned count, unsigned bits) {
    unsigned char bytes[sizeof(Storage)] = {};
    for (unsigned i = 0; i < count; ++i) {
        for (unsigned b = 0; b < bits; ++b) {
            const unsigned at = i * bits + b;
            bytes[at / 8] = static_cast<unsigned char>(bytes[at / 8] | (codes[i] >> b & 1u) << (at % 8));
        }
    }
    Storage storage;
    __builtin_memcpy(&storage, bytes, sizeof(Storage));
    return storage;
}

template <class Element, unsigned count, class Vector, class Storage>
GKS_OCP Vector toWide(const Storage& storage, Format format, __amd_scale_t scale) {
    if constexpr (count == 1) {
        return narrow<Element>(decode(storage, format, scale));
    } else {
        Vector result;
        for (unsigned i = 0; i < count; ++i) {
            result[i] = narrow<Element>(decode(codeAt(storage, i, format.bits), format, scale));
        }
        return result;
    }
}

template <class Storage, unsigned count, class Vector>
GKS_OCP Storage fromWide(const Vector& values, Format format, __amd_scale_t scale, bool byChance, unsigned seed) {
    if constexpr (count == 1) {
        return static_cast<Storage>(encode(wide(values), format, scale, byChance, seed));
    } else {
        unsigned codes[count];
        for (unsigned i = 0; i < count; ++i) {
            codes[i] = encode(wide(values[i]), format, scale, byChance, seed);
        }
        return storageOf<Storage>(codes, count, format.bits);
    }
}

} // namespace gks_ocp

// Of one kind of small numbers, so many of them, from and to one kind of large ones.
#define GKS_OCP_SCALED(small, large, count, smallStorage, largeStorage, element, interpretation)                       \
    GKS_OCP largeStorage __amd_cvt_##small##_to_##large##_scale(const smallStorage& in, const interpretation kind,      \
                                                                const __amd_scale_t scale) {                           \
        return gks_ocp::toWide<element, count, largeStorage>(in, gks_ocp::formatOf(kind), scale);                      \
    }                                                                                                                  \
    GKS_OCP smallStorage __amd_cvt_##large##_to_##small##_scale(const largeStorage& in, const interpretation kind,     \
                                                                const __amd_scale_t scale) {                           \
        return gks_ocp::fromWide<smallStorage, count>(in, gks_ocp::formatOf(kind), scale, false, 0);                   \
    }                                                                                                                  \
    GKS_OCP smallStorage __amd_cvt_##large##_to_##small##_sr_scale(                                                    \
        const largeStorage& in, const interpretation kind, const unsigned int seed, const __amd_scale_t scale) {        \
        return gks_ocp::fromWide<smallStorage, count>(in, gks_ocp::formatOf(kind), scale, true, seed);                 \
    }

GKS_OCP_SCALED(fp8, float, 1, __amd_fp8_storage_t, float, float, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8, fp16, 1, __amd_fp8_storage_t, __amd_fp16_storage_t, _Float16, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8, bf16, 1, __amd_fp8_storage_t, __amd_bf16_storage_t, __bf16, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8x2, floatx2, 2, __amd_fp8x2_storage_t, __amd_floatx2_storage_t, float, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8x2, fp16x2, 2, __amd_fp8x2_storage_t, __amd_fp16x2_storage_t, _Float16, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8x2, bf16x2, 2, __amd_fp8x2_storage_t, __amd_bf16x2_storage_t, __bf16, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8x8, floatx8, 8, __amd_fp8x8_storage_t, __amd_floatx8_storage_t, float, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8x8, fp16x8, 8, __amd_fp8x8_storage_t, __amd_fp16x8_storage_t, _Float16, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp8x8, bf16x8, 8, __amd_fp8x8_storage_t, __amd_bf16x8_storage_t, __bf16, __amd_fp8_interpretation_t)
GKS_OCP_SCALED(fp6x32, floatx32, 32, __amd_fp6x32_storage_t, __amd_floatx32_storage_t, float,
               __amd_fp6_interpretation_t)
GKS_OCP_SCALED(fp6x32, fp16x32, 32, __amd_fp6x32_storage_t, __amd_fp16x32_storage_t, _Float16,
               __amd_fp6_interpretation_t)
GKS_OCP_SCALED(fp6x32, bf16x32, 32, __amd_fp6x32_storage_t, __amd_bf16x32_storage_t, __bf16, __amd_fp6_interpretation_t)
GKS_OCP_SCALED(fp4x2, floatx2, 2, __amd_fp4x2_storage_t, __amd_floatx2_storage_t, float, __amd_fp4_interpretation_t)
GKS_OCP_SCALED(fp4x2, fp16x2, 2, __amd_fp4x2_storage_t, __amd_fp16x2_storage_t, _Float16, __amd_fp4_interpretation_t)
GKS_OCP_SCALED(fp4x2, bf16x2, 2, __amd_fp4x2_storage_t, __amd_bf16x2_storage_t, __bf16, __amd_fp4_interpretation_t)
GKS_OCP_SCALED(fp4x8, floatx8, 8, __amd_fp4x8_storage_t, __amd_floatx8_storage_t, float, __amd_fp4_interpretation_t)
GKS_OCP_SCALED(fp4x8, fp16x8, 8, __amd_fp4x8_storage_t, __amd_fp16x8_storage_t, _Float16, __amd_fp4_interpretation_t)
GKS_OCP_SCALED(fp4x8, bf16x8, 8, __amd_fp4x8_storage_t, __amd_bf16x8_storage_t, __bf16, __amd_fp4_interpretation_t)
#undef GKS_OCP_SCALED

// Of two vectors the numbers in turns.
GKS_OCP __amd_fp6x32_storage_t __amd_cvt_floatx16_floatx16_to_fp6x32_scale(const __amd_floatx16_storage_t& even,
                                                                           const __amd_floatx16_storage_t& odd,
                                                                           const __amd_fp6_interpretation_t kind,
                                                                           const __amd_scale_t scale) {
    __amd_floatx32_storage_t all;
    for (unsigned i = 0; i < 16; ++i) {
        all[2 * i] = even[i];
        all[2 * i + 1] = odd[i];
    }
    return __amd_cvt_floatx32_to_fp6x32_scale(all, kind, scale);
}

// fp8 without a common power.
GKS_OCP float __amd_cvt_fp8_to_float(const __amd_fp8_storage_t in, const __amd_fp8_interpretation_t kind) {
    return __amd_cvt_fp8_to_float_scale(in, kind, 0);
}
GKS_OCP __amd_fp8_storage_t __amd_cvt_float_to_fp8_sr(const float in, const __amd_fp8_interpretation_t kind,
                                                      const unsigned int seed) {
    return __amd_cvt_float_to_fp8_sr_scale(in, kind, seed, 0);
}
GKS_OCP __amd_floatx2_storage_t __amd_cvt_fp8x2_to_floatx2(const __amd_fp8x2_storage_t in,
                                                           const __amd_fp8_interpretation_t kind) {
    return __amd_cvt_fp8x2_to_floatx2_scale(in, kind, 0);
}
GKS_OCP __amd_fp8x2_storage_t __amd_cvt_floatx2_to_fp8x2(const __amd_floatx2_storage_t in,
                                                         const __amd_fp8_interpretation_t kind) {
    return __amd_cvt_floatx2_to_fp8x2_scale(in, kind, 0);
}

GKS_OCP float __amd_scale_to_float(const __amd_scale_t scale) {
    return scale == -128 ? gks_ocp::sameBits<float>(0x7f800000u)
                         : gks_ocp::sameBits<float>(static_cast<unsigned>(scale + 127) << 23);
}

// Between these types and those of HIP's other headers.
GKS_OCP __amd_fp16_storage_t __amd_cvt_half_to_fp16(const __half in) {
    return static_cast<__amd_fp16_storage_t>(__half2float(in));
}
GKS_OCP __half __amd_cvt_fp16_to_half(const __amd_fp16_storage_t in) {
    return __float2half(static_cast<float>(in));
}
GKS_OCP __amd_bf16_storage_t __amd_cvt_hipbf16_to_bf16(const __hip_bfloat16 in) {
    return gks_ocp::narrow<__bf16>(__bfloat162float(in));
}
GKS_OCP __hip_bfloat16 __amd_cvt_bf16_to_hipbf16(const __amd_bf16_storage_t in) {
    return __float2bfloat16(gks_ocp::wide(in));
}

// Put together and taken apart, number 0 lowest.
GKS_OCP __amd_fp8x2_storage_t __amd_create_fp8x2(const __amd_fp8_storage_t a, const __amd_fp8_storage_t b) {
    return static_cast<__amd_fp8x2_storage_t>(a | b << 8);
}
GKS_OCP __amd_fp8x8_storage_t __amd_create_fp8x8(const __amd_fp8x2_storage_t a, const __amd_fp8x2_storage_t b,
                                                 const __amd_fp8x2_storage_t c, const __amd_fp8x2_storage_t d) {
    const unsigned codes[] = {a, b, c, d};
    return gks_ocp::storageOf<__amd_fp8x8_storage_t>(codes, 4, 16);
}
GKS_OCP __amd_fp4x2_storage_t __amd_create_fp4x2(const uint8_t a, const uint8_t b) {
    return static_cast<__amd_fp4x2_storage_t>(a | b << 4);
}
GKS_OCP __amd_fp4x8_storage_t __amd_create_fp4x8(const __amd_fp4x2_storage_t a, const __amd_fp4x2_storage_t b,
                                                 const __amd_fp4x2_storage_t c, const __amd_fp4x2_storage_t d) {
    return a | static_cast<unsigned>(b) << 8 | static_cast<unsigned>(c) << 16 | static_cast<unsigned>(d) << 24;
}
GKS_OCP __amd_fp8_storage_t __amd_extract_fp8(const __amd_fp8x2_storage_t in, const size_t i) {
    return static_cast<__amd_fp8_storage_t>(i == 0 ? in & 0xff : in >> 8);
}
GKS_OCP __amd_fp8x2_storage_t __amd_extract_fp8x2(const __amd_fp8x8_storage_t& in, const size_t i) {
    return static_cast<__amd_fp8x2_storage_t>(gks_ocp::codeAt(in, static_cast<unsigned>(i), 16));
}
GKS_OCP uint8_t __amd_extract_fp4(const __amd_fp4x2_storage_t in, const size_t i) {
    return static_cast<uint8_t>(i == 0 ? in & 0xf : in >> 4);
}
GKS_OCP __amd_fp4x2_storage_t __amd_extract_fp4x2(const __amd_fp4x8_storage_t in, const size_t i) {
    return static_cast<__amd_fp4x2_storage_t>(in >> (8 * i) & 0xff);
}
