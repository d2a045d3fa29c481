// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// 8-bit floating point for HIP installations that have no hip_fp8.h (before 6.2): the types and functions of the later
// header. Encodings: e4m3 and e5m2 as in the OCP standard, and the FNUZ forms of gfx942 (no infinity, no negative zero,
// 0x80 is NaN, bias one higher). Conversions round to nearest even; by default they saturate. On gfx942 the FNUZ
// conversions are the hardware's; everywhere else integer arithmetic on the bits. As in ROCm the two differ in one
// place: what lies beyond the largest value by less than half a step and is not to saturate is rounded by the hardware
// and NaN or infinity in software. Where versions of ROCm disagree: infinity is NaN in FNUZ and saturates in OCP, what
// is no number stays none, and pairs saturate each of their values (ROCm 6.4 lets a pair overflow on the device).

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define GKS_FP8 __host__ __device__ inline

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

// Which encodings conversions are there for: all of them, also where the hardware has one.
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 1
#if defined(__gfx942__)
#define HIP_FP8_CVT_FAST_PATH 1
#else
#define HIP_FP8_CVT_FAST_PATH 0
#endif

enum __hip_fp8_interpretation_t { __HIP_E4M3 = 0, __HIP_E5M2 = 1, __HIP_E4M3_FNUZ = 2, __HIP_E5M2_FNUZ = 3 };
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };

namespace gks_fp8 {

struct Format {
    int mantissaBits;
    int bias;
    unsigned largest;     // code of the largest finite value
    unsigned largestBits; // that value as a float
    bool fnuz;
};

GKS_FP8 Format formatOf(__hip_fp8_interpretation_t kind) {
    switch (kind) {
    case __HIP_E4M3:
        return {3, 7, 0x7eu, 0x43e00000u, false};
    case __HIP_E5M2:
        return {2, 15, 0x7bu, 0x47600000u, false};
    case __HIP_E4M3_FNUZ:
        return {3, 8, 0x7fu, 0x43700000u, true};
    default:
        return {2, 16, 0x7fu, 0x47600000u, true};
    }
}

// Code of NaN, and of what lies beyond the largest value when nothing saturates.
GKS_FP8 unsigned nanCode(const Format& format) {
    return format.fnuz ? 0x80u : 0x7fu;
}
GKS_FP8 unsigned overflowCode(const Format& format, bool saturate) {
    return saturate ? format.largest : format.fnuz ? 0x80u : format.mantissaBits == 2 ? 0x7cu : 0x7fu;
}

GKS_FP8 __hip_fp8_storage_t encode(float from, const Format& format, bool saturate) {
    const unsigned bits = gks_bf16::bits(from);
    const unsigned sign = (bits >> 24) & 0x80u;
    const unsigned magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        return static_cast<__hip_fp8_storage_t>(nanCode(format) | (format.fnuz ? 0u : sign));
    }
    if (magnitude == 0x7f800000u) {
        // FNUZ has nothing for infinity, and its hardware answers NaN whether or not it saturates.
        const unsigned code = format.fnuz ? 0x80u : overflowCode(format, saturate);
        return static_cast<__hip_fp8_storage_t>(format.fnuz ? code : code | sign);
    }
    if (magnitude > format.largestBits) {
        const unsigned code = overflowCode(format, saturate);
        return static_cast<__hip_fp8_storage_t>(code == 0x80u ? code : code | sign);
    }
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    const int smallest = 1 - format.bias;
    const int lost = exponent < smallest ? smallest - exponent : 0; // bits that a subnormal has fewer
    const int shift = 23 - format.mantissaBits + lost;
    if (shift > 25 || magnitude < 0x00800000u) {
        return static_cast<__hip_fp8_storage_t>(format.fnuz ? 0u : sign);
    }
    const unsigned mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const unsigned half = 1u << (shift - 1);
    unsigned code = (mantissa + half - 1u + ((mantissa >> shift) & 1u)) >> shift;
    if (lost == 0) {
        // The implicit one counts as one step of the exponent; a carry out of the mantissa is another.
        code += static_cast<unsigned>(exponent + format.bias - 1) << format.mantissaBits;
    }
    return static_cast<__hip_fp8_storage_t>(code == 0u && format.fnuz ? 0u : code | sign);
}

GKS_FP8 float decode(unsigned code, const Format& format) {
    const unsigned sign = (code & 0x80u) << 24;
    const unsigned magnitude = code & 0x7fu;
    if (format.fnuz ? code == 0x80u
                    : (magnitude > format.largest && (format.mantissaBits == 3 || magnitude != 0x7cu))) {
        return gks_bf16::value(0x7fc00000u | sign);
    }
    if (magnitude > format.largest) {
        return gks_bf16::value(0x7f800000u | sign);
    }
    const unsigned exponent = magnitude >> format.mantissaBits;
    const unsigned mantissa = magnitude & ((1u << format.mantissaBits) - 1u);
    if (exponent == 0) {
        const float step = gks_bf16::value(static_cast<unsigned>(127 + 1 - format.bias - format.mantissaBits) << 23);
        const float size = static_cast<float>(mantissa) * step;
        return sign != 0 ? -size : size;
    }
    const unsigned bits =
        ((exponent + static_cast<unsigned>(127 - format.bias)) << 23) | (mantissa << (23 - format.mantissaBits));
    return gks_bf16::value(bits | sign);
}

GKS_FP8 __hip_fp8_storage_t fromFloat(float from, __hip_saturation_t saturation, __hip_fp8_interpretation_t kind) {
#if defined(__gfx942__)
    if (kind == __HIP_E4M3_FNUZ || kind == __HIP_E5M2_FNUZ) {
        const float largest = kind == __HIP_E4M3_FNUZ ? 240.0f : 57344.0f;
        const bool finite = (gks_bf16::bits(from) & 0x7f800000u) != 0x7f800000u;
        const float value =
            saturation == __HIP_SATFINITE && finite ? __builtin_amdgcn_fmed3f(from, largest, -largest) : from;
        const int packed = kind == __HIP_E4M3_FNUZ ? __builtin_amdgcn_cvt_pk_fp8_f32(value, value, 0, false)
                                                   : __builtin_amdgcn_cvt_pk_bf8_f32(value, value, 0, false);
        return static_cast<__hip_fp8_storage_t>(packed & 0xff);
    }
#endif
    return encode(from, formatOf(kind), saturation == __HIP_SATFINITE);
}

GKS_FP8 float toFloat(__hip_fp8_storage_t code, __hip_fp8_interpretation_t kind) {
#if defined(__gfx942__)
    if (kind == __HIP_E4M3_FNUZ) {
        return __builtin_amdgcn_cvt_f32_fp8(static_cast<int>(code), 0);
    }
    if (kind == __HIP_E5M2_FNUZ) {
        return __builtin_amdgcn_cvt_f32_bf8(static_cast<int>(code), 0);
    }
#endif
    return decode(code, formatOf(kind));
}

// Rounded to odd, so that rounding the result again gives what rounding once would have given.
GKS_FP8 float oddFloat(double from) {
    const float once = static_cast<float>(from);
    const double back = static_cast<double>(once);
    if (back == from || from != from) {
        return once;
    }
    const double size = from < 0.0 ? -from : from;
    const double backSize = back < 0.0 ? -back : back;
    const unsigned bits = gks_bf16::bits(once);
    return gks_bf16::value((backSize > size ? bits - 1u : bits) | 1u);
}

GKS_FP8 float halfToFloat(__half_raw from) {
    return static_cast<float>(from.data);
}
GKS_FP8 __half_raw floatToHalf(float from) {
    __half_raw result;
    result.data = static_cast<_Float16>(from);
    return result;
}
GKS_FP8 unsigned pair(unsigned low, unsigned high) {
    return low | (high << 8);
}

} // namespace gks_fp8

GKS_FP8 __hip_fp8_storage_t __hip_cvt_float_to_fp8(float from, __hip_saturation_t saturation,
                                                   __hip_fp8_interpretation_t kind) {
    return gks_fp8::fromFloat(from, saturation, kind);
}
GKS_FP8 __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(float2 from, __hip_saturation_t saturation,
                                                        __hip_fp8_interpretation_t kind) {
    return static_cast<__hip_fp8x2_storage_t>(
        gks_fp8::pair(gks_fp8::fromFloat(from.x, saturation, kind), gks_fp8::fromFloat(from.y, saturation, kind)));
}
GKS_FP8 __hip_fp8_storage_t __hip_cvt_double_to_fp8(double from, __hip_saturation_t saturation,
                                                    __hip_fp8_interpretation_t kind) {
    return gks_fp8::encode(gks_fp8::oddFloat(from), gks_fp8::formatOf(kind), saturation == __HIP_SATFINITE);
}
GKS_FP8 __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(double2 from, __hip_saturation_t saturation,
                                                         __hip_fp8_interpretation_t kind) {
    return static_cast<__hip_fp8x2_storage_t>(gks_fp8::pair(__hip_cvt_double_to_fp8(from.x, saturation, kind),
                                                            __hip_cvt_double_to_fp8(from.y, saturation, kind)));
}
GKS_FP8 __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw from, __hip_saturation_t saturation,
                                                     __hip_fp8_interpretation_t kind) {
    return gks_fp8::fromFloat(gks_fp8::halfToFloat(from), saturation, kind);
}
GKS_FP8 __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(__half2_raw from, __hip_saturation_t saturation,
                                                          __hip_fp8_interpretation_t kind) {
    return __hip_cvt_float2_to_fp8x2(make_float2(static_cast<float>(from.data[0]), static_cast<float>(from.data[1])),
                                     saturation, kind);
}
GKS_FP8 __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw from, __hip_saturation_t saturation,
                                                         __hip_fp8_interpretation_t kind) {
    return gks_fp8::fromFloat(static_cast<float>(__hip_bfloat16(from)), saturation, kind);
}
GKS_FP8 __hip_fp8x2_storage_t __hip_cvt_bfloat16raw2_to_fp8x2(__hip_bfloat162_raw from, __hip_saturation_t saturation,
                                                              __hip_fp8_interpretation_t kind) {
    return __hip_cvt_float2_to_fp8x2(__hip_bfloat162(from), saturation, kind);
}
GKS_FP8 __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t from, __hip_fp8_interpretation_t kind) {
    return gks_fp8::floatToHalf(gks_fp8::toFloat(from, kind));
}
GKS_FP8 __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t from, __hip_fp8_interpretation_t kind) {
    __half2_raw result;
    result.data[0] = static_cast<_Float16>(gks_fp8::toFloat(static_cast<__hip_fp8_storage_t>(from & 0xff), kind));
    result.data[1] = static_cast<_Float16>(gks_fp8::toFloat(static_cast<__hip_fp8_storage_t>(from >> 8), kind));
    return result;
}

namespace gks_fp8 {

constexpr unsigned exponentBits(__hip_fp8_interpretation_t kind) {
    return kind == __HIP_E4M3 || kind == __HIP_E4M3_FNUZ ? 4 : 5;
}

template<__hip_fp8_interpretation_t Kind>
struct Scalar {
    __hip_fp8_storage_t __x;
    static constexpr __hip_fp8_interpretation_t __default_interpret = Kind;
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
    static constexpr unsigned __we = exponentBits(Kind);
    static constexpr unsigned __wm = 7 - __we;

    Scalar() = default;
    GKS_FP8 Scalar(float from) : __x(fromFloat(from, __HIP_SATFINITE, Kind)) {}
    GKS_FP8 Scalar(double from) : __x(__hip_cvt_double_to_fp8(from, __HIP_SATFINITE, Kind)) {}
    GKS_FP8 Scalar(int from) : Scalar(static_cast<float>(from)) {}
    GKS_FP8 Scalar(unsigned from) : Scalar(static_cast<float>(from)) {}
    GKS_FP8 Scalar(long from) : Scalar(static_cast<float>(from)) {}
    GKS_FP8 Scalar(unsigned long from) : Scalar(static_cast<float>(from)) {}
    GKS_FP8 Scalar(short from) : Scalar(static_cast<float>(from)) {}
    GKS_FP8 Scalar(unsigned short from) : Scalar(static_cast<float>(from)) {}
    GKS_FP8 Scalar(__half from) : Scalar(halfToFloat(static_cast<__half_raw>(from))) {}
    GKS_FP8 Scalar(__hip_bfloat16 from) : Scalar(static_cast<float>(from)) {}

    GKS_FP8 operator float() const { return toFloat(__x, Kind); }
    GKS_FP8 explicit operator double() const { return static_cast<float>(*this); }
    GKS_FP8 operator __half() const { return __half(floatToHalf(*this)); }
    GKS_FP8 operator __hip_bfloat16() const { return __hip_bfloat16(static_cast<float>(*this)); }
    GKS_FP8 explicit operator bool() const { return static_cast<float>(*this) != 0.0f; }
    // Towards zero, to the nearest that there is; NaN is 0.
    template<class T,
             class = typename std::enable_if<std::is_integral<T>::value && !std::is_same<T, bool>::value>::type>
    GKS_FP8 explicit operator T() const {
        const float value = *this;
        if (value != value) {
            return 0;
        }
        constexpr T most =
            std::is_unsigned<T>::value ? static_cast<T>(~T(0)) : static_cast<T>((1ull << (8 * sizeof(T) - 1)) - 1ull);
        constexpr T least = std::is_unsigned<T>::value ? T(0) : static_cast<T>(-most - 1);
        return value <= static_cast<float>(least)  ? least
               : value >= static_cast<float>(most) ? most
                                                   : static_cast<T>(value);
    }
};

template<__hip_fp8_interpretation_t Kind>
struct Pair {
    __hip_fp8x2_storage_t __x;
    static constexpr __hip_fp8_interpretation_t __default_interpret = Kind;
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
    static constexpr unsigned __we = exponentBits(Kind);
    static constexpr unsigned __wm = 7 - __we;

    Pair() = default;
    GKS_FP8 Pair(float2 from) : __x(__hip_cvt_float2_to_fp8x2(from, __HIP_SATFINITE, Kind)) {}
    GKS_FP8 Pair(double2 from) : __x(__hip_cvt_double2_to_fp8x2(from, __HIP_SATFINITE, Kind)) {}
    GKS_FP8 Pair(__hip_bfloat162 from) : Pair(static_cast<float2>(from)) {}
    GKS_FP8 Pair(__half2 from)
        : Pair(make_float2(static_cast<float>(static_cast<__half2_raw>(from).data[0]),
                           static_cast<float>(static_cast<__half2_raw>(from).data[1]))) {}
    GKS_FP8 operator float2() const {
        return make_float2(toFloat(static_cast<__hip_fp8_storage_t>(__x & 0xff), Kind),
                           toFloat(static_cast<__hip_fp8_storage_t>(__x >> 8), Kind));
    }
    GKS_FP8 operator __half2() const { return __half2(__hip_cvt_fp8x2_to_halfraw2(__x, Kind)); }
    GKS_FP8 operator __hip_bfloat162() const { return __hip_bfloat162(static_cast<float2>(*this)); }
};

template<__hip_fp8_interpretation_t Kind>
struct Quad {
    __hip_fp8x4_storage_t __x;
    static constexpr __hip_fp8_interpretation_t __default_interpret = Kind;
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;
    static constexpr unsigned __we = exponentBits(Kind);
    static constexpr unsigned __wm = 7 - __we;

    Quad() = default;
    GKS_FP8 Quad(float4 from)
        : __x(pair(fromFloat(from.x, __HIP_SATFINITE, Kind), fromFloat(from.y, __HIP_SATFINITE, Kind)) |
              (pair(fromFloat(from.z, __HIP_SATFINITE, Kind), fromFloat(from.w, __HIP_SATFINITE, Kind)) << 16)) {}
    GKS_FP8 Quad(double4 from)
        : Quad(make_float4(static_cast<float>(from.x), static_cast<float>(from.y), static_cast<float>(from.z),
                           static_cast<float>(from.w))) {}
    // As ROCm, whatever it calls them: the second argument is the lower pair.
    GKS_FP8 Quad(__half2 upper, __half2 lower)
        : __x(__hip_cvt_halfraw2_to_fp8x2(lower, __HIP_SATFINITE, Kind) |
              (static_cast<unsigned>(__hip_cvt_halfraw2_to_fp8x2(upper, __HIP_SATFINITE, Kind)) << 16)) {}
    GKS_FP8 Quad(__hip_bfloat162 upper, __hip_bfloat162 lower)
        : __x(__hip_cvt_bfloat16raw2_to_fp8x2(lower, __HIP_SATFINITE, Kind) |
              (static_cast<unsigned>(__hip_cvt_bfloat16raw2_to_fp8x2(upper, __HIP_SATFINITE, Kind)) << 16)) {}
    GKS_FP8 operator float4() const { return make_float4(at(0), at(1), at(2), at(3)); }

private:
    GKS_FP8 float at(int i) const { return toFloat(static_cast<__hip_fp8_storage_t>((__x >> (8 * i)) & 0xff), Kind); }
};

} // namespace gks_fp8

// Structures of their own, so that they can be declared ahead and overloaded on.
#define GKS_FP8_TYPE(name, base, kind)                                                                                 \
    struct name : gks_fp8::base<kind> {                                                                                \
        using gks_fp8::base<kind>::base;                                                                               \
        name() = default;                                                                                              \
    };
GKS_FP8_TYPE(__hip_fp8_e4m3, Scalar, __HIP_E4M3)
GKS_FP8_TYPE(__hip_fp8_e5m2, Scalar, __HIP_E5M2)
GKS_FP8_TYPE(__hip_fp8_e4m3_fnuz, Scalar, __HIP_E4M3_FNUZ)
GKS_FP8_TYPE(__hip_fp8_e5m2_fnuz, Scalar, __HIP_E5M2_FNUZ)
GKS_FP8_TYPE(__hip_fp8x2_e4m3, Pair, __HIP_E4M3)
GKS_FP8_TYPE(__hip_fp8x2_e5m2, Pair, __HIP_E5M2)
GKS_FP8_TYPE(__hip_fp8x2_e4m3_fnuz, Pair, __HIP_E4M3_FNUZ)
GKS_FP8_TYPE(__hip_fp8x2_e5m2_fnuz, Pair, __HIP_E5M2_FNUZ)
GKS_FP8_TYPE(__hip_fp8x4_e4m3, Quad, __HIP_E4M3)
GKS_FP8_TYPE(__hip_fp8x4_e5m2, Quad, __HIP_E5M2)
GKS_FP8_TYPE(__hip_fp8x4_e4m3_fnuz, Quad, __HIP_E4M3_FNUZ)
GKS_FP8_TYPE(__hip_fp8x4_e5m2_fnuz, Quad, __HIP_E5M2_FNUZ)
#undef GKS_FP8_TYPE
#undef GKS_FP8
