// SPDX-License-Identifier: GPL-3.0-or-later
// The 8-bit formats and bfloat16, code by code: every code decoded, and floats around every code, every middle between
// two codes and every limit encoded, on the host and on the device, against a search for the nearest number.
#include <hip/amd_detail/amd_hip_bf16.h>
#include <hip/amd_detail/amd_hip_fp8.h>
#include <hip/hip_runtime.h>

#include "check.h"

#include <cstdint>
#include <cstring>
#include <limits>

struct Format {
    int mantissa;
    int bias;
    int largest; // code
    bool fnuz;
};

Format formatOf(__hip_fp8_interpretation_t kind) {
    switch (kind) {
    case __HIP_E4M3: return {3, 7, 0x7e, false};
    case __HIP_E5M2: return {2, 15, 0x7b, false};
    case __HIP_E4M3_FNUZ: return {3, 8, 0x7f, true};
    default: return {2, 16, 0x7f, true};
    }
}

// Of codes 0 to 0x7f that stand for a number.
double magnitude(int code, const Format& f) {
    const int exponent = code >> f.mantissa;
    const double fraction = (code & ((1 << f.mantissa) - 1)) / std::ldexp(1.0, f.mantissa);
    return exponent != 0 ? std::ldexp(1 + fraction, exponent - f.bias) : std::ldexp(fraction, 1 - f.bias);
}

int nearest(double size, const Format& f) {
    int best = 0;
    for (int code = 1; code <= f.largest; ++code) {
        const double now = std::fabs(magnitude(code, f) - size), before = std::fabs(magnitude(best, f) - size);
        if (now < before || (now == before && code % 2 == 0)) {
            best = code;
        }
    }
    return best;
}

int expected(double x, const Format& f, bool saturates, bool byHardware) {
    const int sign = std::signbit(x) ? 0x80 : 0;
    if (std::isnan(x) || (std::isinf(x) && f.fnuz)) {
        return f.fnuz ? 0x80 : sign | 0x7f;
    }
    const double size = std::fabs(x), largest = magnitude(f.largest, f);
    if (size > largest) {
        const double half = (largest - magnitude(f.largest - 1, f)) / 2;
        const bool isRounded = byHardware && size < largest + half;
        return saturates || isRounded ? sign | f.largest : f.fnuz ? 0x80 : sign | (f.mantissa == 2 ? 0x7c : 0x7f);
    }
    const int code = nearest(size, f);
    return code == 0 && f.fnuz ? 0 : sign | code;
}

float expectedValue(int code, const Format& f) {
    const int plain = code & 0x7f;
    if (f.fnuz ? code == 0x80 : plain > f.largest && !(f.mantissa == 2 && plain == 0x7c)) {
        return NAN;
    }
    const double size = plain > f.largest ? INFINITY : magnitude(plain, f);
    return static_cast<float>((code & 0x80) != 0 ? -size : size);
}

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

std::vector<float> samples(const Format& f) {
    std::vector<float> x = {0.0f, 1e30f, INFINITY, NAN, 1e-30f, std::numeric_limits<float>::denorm_min(),
                            std::numeric_limits<float>::max(), std::numeric_limits<float>::min()};
    for (int code = 0; code <= f.largest; ++code) {
        const double here = magnitude(code, f), step = code < f.largest ? magnitude(code + 1, f) - here
                                                                         : here - magnitude(code - 1, f);
        for (const double at : {here, here + step / 2}) {
            const auto v = static_cast<float>(at);
            x.insert(x.end(), {v, std::nextafter(v, 0.0f), std::nextafter(v, INFINITY)});
        }
    }
    std::uint32_t state = 12345;
    for (int i = 0; i < 4000; ++i) {
        state = state * 1664525u + 1013904223u;
        x.push_back(std::ldexp(1.0f + static_cast<float>(state >> 9) / 8388608.0f, static_cast<int>(state % 40) - 22));
    }
    const std::size_t count = x.size();
    for (std::size_t i = 0; i < count; ++i) {
        x.push_back(-x[i]);
    }
    return x;
}

template<class T> __global__ void encode(const float* x, T* saturated, __hip_fp8_storage_t* plain, __hip_fp8x2_storage_t* pair, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        saturated[i] = x[i];
        plain[i] = __hip_cvt_float_to_fp8(x[i], __HIP_NOSAT, T::__default_interpret);
        pair[i] = __hip_cvt_float2_to_fp8x2(make_float2(x[i], x[n - 1 - i]), __HIP_SATFINITE, T::__default_interpret);
    }
}

template<class T> __global__ void decode(float* values, __half* halves, __hip_bfloat16* bfloats) {
    const unsigned code = threadIdx.x;
    T value;
    value.__x = static_cast<__hip_fp8_storage_t>(code);
    values[code] = value;
    halves[code] = static_cast<__half>(value);
    bfloats[code] = static_cast<__hip_bfloat16>(value);
}

template<class T> void checkFormat(const char* name) {
    std::printf("%s\n", name);
    constexpr auto kind = T::__default_interpret;
    const Format f = formatOf(kind);
    const std::vector<float> x = samples(f);
    const int n = static_cast<int>(x.size());
    Device<float> dx(x);
    Device<T> saturated(n);
    Device<__hip_fp8_storage_t> plain(n);
    Device<__hip_fp8x2_storage_t> pair(n);
    encode<<<(n + 255) / 256, 256>>>(dx.get(), saturated.get(), plain.get(), pair.get(), n);
    const auto s = saturated.read();
    const auto p = plain.read();
    const auto both = pair.read();
    int wrongSaturated = 0, wrongPlain = 0, wrongHost = 0, wrongPairs = 0;
    for (int i = 0; i < n; ++i) {
        const int most = expected(x[i], f, true, false);
        wrongSaturated += s[i].__x != most;
        wrongPlain += p[i] != expected(x[i], f, false, f.fnuz);
        wrongPairs += both[i] != (most | expected(x[n - 1 - i], f, true, false) << 8);
        wrongHost += T(x[i]).__x != most || __hip_cvt_float_to_fp8(x[i], __HIP_NOSAT, kind) != expected(x[i], f, false, false);
    }
    expect("  device, saturating", wrongSaturated == 0);
    expect("  device, not saturating", wrongPlain == 0);
    expect("  device, pairs", wrongPairs == 0);
    expect("  host", wrongHost == 0);
    bool once = true;
    for (int code = 0; code < f.largest; ++code) {
        const double middle = (magnitude(code, f) + magnitude(code + 1, f)) / 2, little = std::ldexp(middle, -40);
        once = once && T(middle + little).__x == code + 1 && T(middle - little).__x == code && T(middle).__x == code + code % 2;
    }
    expect("  double is rounded once", once);

    Device<float> values(256);
    Device<__half> halves(256);
    Device<__hip_bfloat16> bfloats(256);
    decode<T><<<1, 256>>>(values.get(), halves.get(), bfloats.get());
    const auto v = values.read();
    const auto h = halves.read();
    const auto b = bfloats.read();
    int wrongValues = 0;
    for (int code = 0; code < 256; ++code) {
        T host;
        host.__x = static_cast<__hip_fp8_storage_t>(code);
        const float right = expectedValue(code, f);
        wrongValues += !same(v[code], right) || !same(host, right) || !same(__half2float(h[code]), right) ||
                       !same(__bfloat162float(b[code]), right);
    }
    expect("  every code's value", wrongValues == 0);
}

__global__ void toBfloat(const float* x, __hip_bfloat16* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}

void checkBfloat() {
    std::vector<float> x;
    for (std::uint32_t upper = 0; upper < 0x10000; upper += 0x1f) {
        for (const std::uint32_t lower : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
            const std::uint32_t bits = upper << 16 | lower;
            float value;
            std::memcpy(&value, &bits, sizeof value);
            x.push_back(value);
        }
    }
    const int n = static_cast<int>(x.size());
    Device<float> dx(x);
    Device<__hip_bfloat16> out(n);
    toBfloat<<<(n + 255) / 256, 256>>>(dx.get(), out.get(), n);
    const auto y = out.read();
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        std::uint32_t bits;
        std::memcpy(&bits, &x[i], sizeof bits);
        const std::uint32_t upper = bits >> 16, lower = bits & 0xffff;
        const bool isUp = lower > 0x8000 || (lower == 0x8000 && upper % 2 == 1);
        const std::uint32_t right = std::isnan(x[i]) ? upper | (lower != 0) : upper + isUp;
        wrong += __bfloat16_as_ushort(y[i]) != right || __bfloat16_as_ushort(__hip_bfloat16(x[i])) != right;
    }
    expect("bfloat16: ties, limits, NaN", wrong == 0);
    const __hip_bfloat162 two(__float2bfloat16(1.0f), HIPRT_NAN_BF16);
    expect("bfloat16: unordered comparisons", !__hbeq2(two, two) && __hbequ2(two, two) && __hgeu(two.y, two.x) && !__hge(two.y, two.x));
}

int main() {
    checkFormat<__hip_fp8_e4m3_fnuz>("e4m3 FNUZ");
    checkFormat<__hip_fp8_e5m2_fnuz>("e5m2 FNUZ");
    checkFormat<__hip_fp8_e4m3>("e4m3");
    checkFormat<__hip_fp8_e5m2>("e5m2");
    checkBfloat();
    const float4 quad = __hip_fp8x4_e4m3_fnuz(make_float4(1, -2, 3.5f, 1000));
    expect("four at once, saturating", quad.x == 1 && quad.y == -2 && quad.z == 3.5f && quad.w == 240);
    // As in ROCm the second of two pairs is the lower one.
    const __hip_fp8x4_e4m3_fnuz ofPairs(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4));
    const float4 pairs = ofPairs;
    expect("four from two pairs", pairs.x == 3 && pairs.y == 4 && pairs.z == 1 && pairs.w == 2);
    const __half half = __hip_fp8_e5m2(1.5f);
    const __hip_bfloat16 brain = __hip_fp8_e4m3(-2.0f);
    const __half2 halves = __hip_fp8x2_e4m3_fnuz(make_float2(1, 2));
    expect("to half and bfloat16 without a cast", __half2float(half) == 1.5f && __bfloat162float(brain) == -2 && __high2float(halves) == 2);
    expect("bits of their fields", __hip_fp8x2_e5m2::__we == 5 && __hip_fp8x4_e4m3::__wm == 3);
    __hip_fp8_e4m3_fnuz tile[2] = {0, 2.5f};
    expect("integers", static_cast<int>(tile[1]) == 2 && static_cast<unsigned char>(__hip_fp8_e4m3_fnuz(-3)) == 0 &&
                           static_cast<signed char>(__hip_fp8_e4m3_fnuz(200)) == 127);
    return verdict();
}
