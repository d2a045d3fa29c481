// SPDX-License-Identifier: GPL-3.0-or-later
// half, half2 and bfloat16: arithmetic and what lanes exchange. (8-bit formats: float8_codes.hip)
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>

#include "check.h"

__global__ void axpyHalf2(const __half2* x, __half2* y, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
    }
}

__global__ void halfScalars(const __half* a, const __half* b, __half* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const __half t = __hadd(__hmul(a[i], b[i]), __float2half(0.5f));
        c[i] = __hgt(t, a[i]) ? t : __half(hexp(a[i]) + b[i]);
    }
}

__global__ void siluBfloat(const __hip_bfloat16* x, __hip_bfloat16* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float v = __bfloat162float(x[i]);
        y[i] = __float2bfloat16(v / (1.0f + __expf(-v)));
    }
}

__global__ void fusedHalves(const __half* a, const double* wide, __half* out, _Float16* narrow) {
    const int i = threadIdx.x;
    out[i] = __hfma(a[3 * i], a[3 * i + 1], a[3 * i + 2]);
    narrow[i] = static_cast<_Float16>(wide[i]);
}

__global__ void newerHalves(const __half2* x, __half2* y) {
    const int i = threadIdx.x;
    const __half2 neighbour = __shfl_xor(x[i], 1);
    y[i] = __halves2half2(__hmax(__low2half(x[i]), __low2half(neighbour)), __hmin(__high2half(x[i]), __high2half(neighbour)));
    unsafeAtomicAdd(y + 64, x[i]);
}

using Four = float __attribute__((ext_vector_type(4)));
using FourBrains = __bf16 __attribute__((ext_vector_type(4)));

// The compiler's own bfloat16, as bits.
__global__ void ownType(const float* x, const double* d, unsigned short* out) {
    const auto bits = [](__bf16 value) { return __builtin_bit_cast(unsigned short, value); };
    for (int i = 0; i < 4; ++i) {
        out[i] = bits(static_cast<__bf16>(x[i]));
        out[4 + i] = bits(__builtin_convertvector(*reinterpret_cast<const Four*>(x), FourBrains)[i]);
        out[8 + i] = bits(static_cast<__bf16>(d[i]));
    }
    const auto a = static_cast<__bf16>(x[0]), b = static_cast<__bf16>(x[1]);
    out[12] = bits(a * b);
    out[13] = bits(a + static_cast<__bf16>(3));
    out[14] = bits(__builtin_elementwise_max(a, b));
    out[15] = bits(-a);
}

// What HIP 6 added, on the device: the results as bits.
__global__ void laterNames(unsigned* bits) {
    const __half halves[] = {HIPRT_ONE_FP16, HIPRT_ZERO_FP16, HIPRT_INF_FP16, HIPRT_MAX_NORMAL_FP16, HIPRT_MIN_DENORM_FP16, HIPRT_NEG_ZERO_FP16};
    for (int i = 0; i < 6; ++i) {
        bits[i] = __half_as_ushort(halves[i]);
    }
    __hip_bfloat162 pair(__hip_bfloat16(1.0f), __hip_bfloat16(5.0f));
    const __hip_bfloat162 other(__hip_bfloat16(2.0f), __hip_bfloat16(3.0f));
    bits[6] = (pair < other) + 2 * (pair > other) + 4 * (pair <= pair) + 8 * (other >= pair);
    ++pair;
    pair--;
    pair++;
    bits[7] = __builtin_bit_cast(unsigned, pair);
    // Rounded once: by way of float it would be a tie.
    bits[8] = __bfloat16_as_ushort(__hip_bfloat16(0x0102ffff));
    bits[9] = __bfloat16_as_ushort(__hip_bfloat16(0x0102ffffu));
    volatile __hip_bfloat16 watched;
    watched = static_cast<__hip_bfloat16_raw>(other.x);
    bits[10] = static_cast<__hip_bfloat16_raw>(watched).x;
    bits[11] = static_cast<unsigned>(__hisinf(__hip_bfloat16(-__builtin_huge_valf())));
}

int main() {
    const int n = 1000;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) {
        x[i] = std::sin(static_cast<float>(i)) * 2;
    }
    {
        std::vector<__half2> hx(n / 2), hy(n / 2, __floats2half2_rn(1, 2));
        for (int i = 0; i < n / 2; ++i) {
            hx[i] = __floats2half2_rn(x[2 * i], x[2 * i + 1]);
        }
        Device<__half2> dx(hx), dy(hy);
        axpyHalf2<<<4, 128>>>(dx.get(), dy.get(), 0.25f, n / 2);
        const auto r = dy.read();
        bool ok = true;
        for (int i = 0; i < n / 2; ++i) {
            ok = ok && near(__low2float(r[i]), 1 + 0.25f * x[2 * i], 2e-3) && near(__high2float(r[i]), 2 + 0.25f * x[2 * i + 1], 2e-3);
        }
        expect("half2 fused multiply-add", ok);
    }
    {
        // Next to the middle of two halves, where rounding to float first leads to the wrong one; and at the ends.
        const double step = std::ldexp(1, -10), least = std::ldexp(1, -24), inf = HUGE_VAL;
        const std::vector<double> terms = {
            (1 + step) / 32, (1 - step) / 64, 1 + step, -(1 + step) / 32, (1 - step) / 64, -(1 + step), //
            256, 255, 64, 1 / 4096.0, 1 / 4096.0, 0, 1 / 8192.0, 1 / 4096.0, least, 256, 256, -1, inf, 0, 1, 3, 5, inf};
        const std::vector<double> sums = {1 + step, -(1 + step), 65344, least, 2 * least, inf, NAN, inf};
        const std::vector<double> wide = {1 + 1.5 * step - std::ldexp(1, -40), -1 - 1.5 * step + std::ldexp(1, -40),
                                          1 + 1.5 * step + std::ldexp(1, -40), 65519.999999999, 65520, least / 2,
                                          least / 2 + std::ldexp(1, -60), NAN};
        const std::vector<double> narrow = {1 + step, -(1 + step), 1 + 2 * step, 65504, inf, 0, least, NAN};
        std::vector<__half> a;
        for (double term : terms) {
            a.push_back(__float2half(static_cast<float>(term)));
        }
        Device<__half> da(a), out(8);
        Device<double> dw(wide);
        Device<_Float16> dn(8);
        fusedHalves<<<1, 8>>>(da.get(), dw.get(), out.get(), dn.get());
        const auto same = [](double is, double should) { return is == should || (std::isnan(is) && std::isnan(should)); };
        const auto made = out.read();
        const auto cut = dn.read();
        bool isFused = true, isCut = true;
        for (int i = 0; i < 8; ++i) {
            isFused = isFused && same(__half2float(made[i]), sums[i]);
            isCut = isCut && same(static_cast<double>(cut[i]), narrow[i]);
        }
        expect("halves rounded once by fma", isFused);
        expect("doubles rounded once to halves", isCut);
    }
    {
        std::vector<__half> a(n), b(n);
        for (int i = 0; i < n; ++i) {
            a[i] = __float2half(x[i]);
            b[i] = __float2half(1 - x[i]);
        }
        Device<__half> da(a), db(b), dc(n);
        halfScalars<<<8, 128>>>(da.get(), db.get(), dc.get(), n);
        const auto r = dc.read();
        bool ok = true;
        for (int i = 0; i < n; ++i) {
            const float fa = __half2float(a[i]), fb = __half2float(b[i]), t = fa * fb + 0.5f;
            const float expected = t > fa ? t : std::exp(fa) + fb;
            ok = ok && (near(__half2float(r[i]), expected, 0.02) || std::fabs(t - fa) < 0.01f);
        }
        expect("half scalars", ok);
    }
    {
        std::vector<__hip_bfloat16> b(n);
        for (int i = 0; i < n; ++i) {
            b[i] = __float2bfloat16(x[i]);
        }
        Device<__hip_bfloat16> db(b), out(n);
        siluBfloat<<<8, 128>>>(db.get(), out.get(), n);
        const auto r = out.read();
        bool ok = true;
        for (int i = 0; i < n; ++i) {
            const float v = __bfloat162float(b[i]);
            ok = ok && near(__bfloat162float(r[i]), v / (1 + std::exp(-v)), 0.01);
        }
        expect("bfloat16", ok);
    }
    {
        std::vector<__half2> a(64);
        for (int i = 0; i < 64; ++i) {
            a[i] = __floats2half2_rn(static_cast<float>(i), static_cast<float>(-i));
        }
        Device<__half2> da(a), out(65);
        newerHalves<<<1, 64>>>(da.get(), out.get());
        const auto r = out.read();
        bool ok = true;
        for (int i = 0; i < 64; ++i) {
            ok = ok && __low2float(r[i]) == static_cast<float>(i | 1) && __high2float(r[i]) == static_cast<float>(-(i | 1));
        }
        expect("half: maximum, minimum, shuffle", ok);
        expect("half2: atomic sum", __low2float(r[64]) == 2016 && __high2float(r[64]) == -2016);
    }
    {
        // 1 and its neighbours half a step apart, a subnormal number, and as doubles what lies beside a tie of floats.
        Device<float> x({1.00390625f, 1.01171875f, 1e-40f, -__builtin_nanf("")});
        Device<double> d({1.00390625 + 1e-12, 1.01171875 - 1e-12, 1e300, 0.1});
        Device<unsigned short> out(16);
        ownType<<<1, 1>>>(x.get(), d.get(), out.get());
        const std::vector<unsigned short> expected = {0x3f80, 0x3f82, 0x0001, 0xffc0, 0x3f80, 0x3f82, 0x0001, 0xffc0,
                                                      0x3f81, 0x3f81, 0x7f80, 0x3dcd, 0x3f82, 0x4080, 0x3f82, 0xbf80};
        expect("the compiler's bfloat16", out.read() == expected);
    }
    {
        Device<unsigned> bits(12);
        laterNames<<<1, 1>>>(bits.get());
        const std::vector<unsigned> expected = {0x3c00, 0,          0x7c00, 0x7bff, 1,      0x8000,
                                                5,      0x40c04000, 0x4b81, 0x4b81, 0x4000, 1};
        expect("later names of half and bfloat16", bits.read() == expected);
    }
    return verdict();
}
