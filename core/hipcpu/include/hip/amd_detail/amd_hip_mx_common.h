// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What hip_fp4.h and hip_fp6.h share, for HIP installations that lack them (before ROCm 7): their types of one, two and
// four small numbers, made of a format of the OCP and the bits that each number takes in what stores it.

#include <hip/amd_detail/amd_hip_ocp_fp.hpp>
#include <hip/hip_fp8.h>

// AMD's conversions round to the nearest whatever is asked for.
enum hipRoundMode { hipRoundNearest = 0, hipRoundZero = 1, hipRoundPosInf = 2, hipRoundMinInf = 3 };

namespace gks_mx {

#define GKS_MX __host__ __device__ static inline

GKS_MX float valueOf(__half_raw from) {
    return static_cast<float>(from.data);
}
GKS_MX float valueOf(__hip_bfloat16_raw from) {
    return __bfloat162float(__hip_bfloat16(from));
}

// `Own` says the format, as a gks_ocp::Format, and how many bits apart the numbers lie.
template<class Own>
struct Codes {
    GKS_MX unsigned of(float from) { return gks_ocp::encode(from, Own::format(), 0, false, 0); }
    GKS_MX float at(unsigned codes, unsigned i) {
        const unsigned code = codes >> (i * Own::apart) & ((1u << Own::format().bits) - 1u);
        return gks_ocp::decode(code, Own::format(), 0);
    }
    GKS_MX unsigned of(float a, float b) { return of(a) | of(b) << Own::apart; }
    GKS_MX unsigned of(float a, float b, float c, float d) { return of(a, b) | of(c, d) << 2 * Own::apart; }
    GKS_MX __half_raw halfAt(unsigned codes, unsigned i) { return __half_raw{static_cast<_Float16>(at(codes, i))}; }
    GKS_MX __half2_raw halves(unsigned codes) {
        __half2_raw pair;
        pair.data = _Float16_2{static_cast<_Float16>(at(codes, 0)), static_cast<_Float16>(at(codes, 1))};
        return pair;
    }
};

#undef GKS_MX
#define GKS_MX __host__ __device__

// From and to the arithmetic types. Doubles go by way of float, as ROCm's do.
template<class Own, class Storage>
struct One {
    Storage __x;

    One() = default;
    GKS_MX explicit One(__half from) : One(valueOf(static_cast<__half_raw>(from))) {}
    GKS_MX explicit One(__hip_bfloat16 from) : One(static_cast<float>(from)) {}
    GKS_MX explicit One(float from) : __x(static_cast<Storage>(Codes<Own>::of(from))) {}
    template<class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    GKS_MX explicit One(T from) : One(static_cast<float>(from)) {}

    GKS_MX operator float() const { return Codes<Own>::at(__x, 0); }
    GKS_MX operator double() const { return static_cast<float>(*this); }
    GKS_MX operator __half_raw() const { return Codes<Own>::halfAt(__x, 0); }
    GKS_MX operator __hip_bfloat16_raw() const { return __hip_bfloat16(static_cast<float>(*this)); }
};

template<class Own, class Storage>
struct Two {
    Storage __x;

    Two() = default;
    GKS_MX explicit Two(float2 from) : __x(static_cast<Storage>(Codes<Own>::of(from.x, from.y))) {}
    GKS_MX explicit Two(double2 from) : Two(make_float2(static_cast<float>(from.x), static_cast<float>(from.y))) {}
    GKS_MX explicit Two(__half2 from) : Two(__half22float2(from)) {}
    GKS_MX explicit Two(__hip_bfloat162 from) : Two(__bfloat1622float2(from)) {}

    GKS_MX operator float2() const { return make_float2(Codes<Own>::at(__x, 0), Codes<Own>::at(__x, 1)); }
    GKS_MX operator double2() const { return make_double2(Codes<Own>::at(__x, 0), Codes<Own>::at(__x, 1)); }
    GKS_MX operator __half2_raw() const { return Codes<Own>::halves(__x); }
    GKS_MX operator __hip_bfloat162_raw() const { return __float22bfloat162_rn(static_cast<float2>(*this)); }
};

template<class Own, class Storage>
struct Four {
    Storage __x;

    Four() = default;
    GKS_MX explicit Four(float4 from) : __x(static_cast<Storage>(Codes<Own>::of(from.x, from.y, from.z, from.w))) {}
    GKS_MX explicit Four(double4 from)
        : Four(make_float4(static_cast<float>(from.x), static_cast<float>(from.y), static_cast<float>(from.z),
                           static_cast<float>(from.w))) {}
    GKS_MX Four(float2 low, float2 high) : Four(make_float4(low.x, low.y, high.x, high.y)) {}
    GKS_MX explicit Four(__half2 low, __half2 high) : Four(__half22float2(low), __half22float2(high)) {}
    GKS_MX explicit Four(__hip_bfloat162 low, __hip_bfloat162 high)
        : Four(__bfloat1622float2(low), __bfloat1622float2(high)) {}

    GKS_MX operator float4() const { return make_float4(at(0), at(1), at(2), at(3)); }
    GKS_MX operator double4() const { return make_double4(at(0), at(1), at(2), at(3)); }

private:
    GKS_MX float at(unsigned i) const { return Codes<Own>::at(__x, i); }
};
#undef GKS_MX

} // namespace gks_mx

// The functions of one width of numbers, `fp4` or `fp6`, whose format `formats` finds by the kind that is given.
#define GKS_MX_FUNCTIONS(width, Formats, Kind)                                                                         \
    __host__ __device__ static inline __hip_##width##_storage_t __hip_cvt_float_to_##width(                            \
        const float from, const Kind kind, const enum hipRoundMode) {                                                  \
        return static_cast<__hip_##width##_storage_t>(gks_ocp::encode(from, Formats::of(kind), 0, false, 0));          \
    }                                                                                                                  \
    __host__ __device__ static inline __hip_##width##x2_storage_t __hip_cvt_float2_to_##width##x2(                     \
        const float2 from, const Kind kind, const enum hipRoundMode) {                                                 \
        return static_cast<__hip_##width##x2_storage_t>(gks_ocp::encode(from.x, Formats::of(kind), 0, false, 0) |      \
                                                        gks_ocp::encode(from.y, Formats::of(kind), 0, false, 0)        \
                                                            << Formats::apart);                                        \
    }                                                                                                                  \
    __host__ __device__ static inline __hip_##width##_storage_t __hip_cvt_double_to_##width(                           \
        const double from, const Kind kind, const enum hipRoundMode mode) {                                            \
        return __hip_cvt_float_to_##width(static_cast<float>(from), kind, mode);                                       \
    }                                                                                                                  \
    __host__ __device__ static inline __hip_##width##x2_storage_t __hip_cvt_double2_to_##width##x2(                    \
        const double2 from, const Kind kind, const enum hipRoundMode mode) {                                           \
        return __hip_cvt_float2_to_##width##x2(make_float2(static_cast<float>(from.x), static_cast<float>(from.y)),    \
                                               kind, mode);                                                            \
    }                                                                                                                  \
    __host__ __device__ static inline __hip_##width##_storage_t __hip_cvt_halfraw_to_##width(                          \
        const __half_raw from, const Kind kind, const enum hipRoundMode mode) {                                        \
        return __hip_cvt_float_to_##width(gks_mx::valueOf(from), kind, mode);                                          \
    }                                                                                                                  \
    __host__ __device__ static inline __hip_##width##x2_storage_t __hip_cvt_halfraw2_to_##width##x2(                   \
        const __half2_raw from, const Kind kind, const enum hipRoundMode mode) {                                       \
        return __hip_cvt_float2_to_##width##x2(__half22float2(__half2(from)), kind, mode);                             \
    }                                                                                                                  \
    __host__ __device__ static inline __hip_##width##_storage_t __hip_cvt_bfloat16raw_to_##width(                      \
        const __hip_bfloat16_raw from, const Kind kind, const enum hipRoundMode mode) {                                \
        return __hip_cvt_float_to_##width(gks_mx::valueOf(from), kind, mode);                                          \
    }                                                                                                                  \
    __host__ __device__ static inline __hip_##width##x2_storage_t __hip_cvt_bfloat16raw2_to_##width##x2(               \
        const __hip_bfloat162_raw from, const Kind kind, const enum hipRoundMode mode) {                               \
        return __hip_cvt_float2_to_##width##x2(__bfloat1622float2(__hip_bfloat162(from)), kind, mode);                 \
    }                                                                                                                  \
    __host__ __device__ static inline __half_raw __hip_cvt_##width##_to_halfraw(const __hip_##width##_storage_t from,  \
                                                                                const Kind kind) {                     \
        const unsigned code = from & ((1u << Formats::of(kind).bits) - 1u);                                            \
        return __half_raw{static_cast<_Float16>(gks_ocp::decode(code, Formats::of(kind), 0))};                         \
    }                                                                                                                  \
    __host__ __device__ static inline __half2_raw __hip_cvt_##width##x2_to_halfraw2(                                   \
        const __hip_##width##x2_storage_t from, const Kind kind) {                                                     \
        __half2_raw pair;                                                                                              \
        pair.data = _Float16_2{                                                                                        \
            __hip_cvt_##width##_to_halfraw(static_cast<__hip_##width##_storage_t>(from), kind).data,                   \
            __hip_cvt_##width##_to_halfraw(static_cast<__hip_##width##_storage_t>(from >> Formats::apart), kind)       \
                .data};                                                                                                \
        return pair;                                                                                                   \
    }
