// SPDX-License-Identifier: GPL-3.0-or-later
// half, half2, bfloat16 and the four 8-bit formats: arithmetic, and conversions that agree between host and device.
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp8.h>

#include "check.h"

#include <cstring>

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

template<class T> __global__ void quantise(const float* x, T* q, float* back, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        q[i] = T(x[i]);
        back[i] = static_cast<float>(q[i]);
    }
}

bool sameBits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

template<class T> void checkFloat8(const char* name, const std::vector<float>& x, float largest) {
    const int n = static_cast<int>(x.size());
    Device<float> dx(x), back(n);
    Device<T> q(n);
    quantise<<<(n + 255) / 256, 256>>>(dx.get(), q.get(), back.get(), n);
    const auto codes = q.read();
    const auto values = back.read();
    bool agree = true, close = true;
    for (int i = 0; i < n; ++i) {
        const T host(x[i]);
        agree = agree && host.__x == codes[i].__x && sameBits(static_cast<float>(host), values[i]);
        if (std::fabs(x[i]) <= largest) {
            close = close && std::fabs(values[i] - x[i]) <= std::fabs(x[i]) * 0.126f + 0.01f;
        }
    }
    bool exact = true;
    for (unsigned code = 0; code < 256; ++code) {
        T value;
        value.__x = static_cast<__hip_fp8_storage_t>(code);
        const float f = static_cast<float>(value);
        exact = exact && (!std::isfinite(f) || T(f).__x == code || (f == 0 && (code & 0x7f) == 0));
    }
    std::printf("%s: ", name);
    expect("host and device agree", agree);
    expect("  rounding error within half a step", close);
    expect("  every code survives a round trip", exact);
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
    std::vector<float> wide;
    for (int i = -4000; i < 4000; ++i) {
        wide.push_back(static_cast<float>(i) * 0.06103f);
        wide.push_back(std::ldexp(1.0f + static_cast<float>(i & 15) / 16, i / 200));
    }
    for (const float special : {0.0f, -0.0f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, 1e-30f}) {
        wide.push_back(special);
    }
    checkFloat8<__hip_fp8_e4m3_fnuz>("e4m3 FNUZ", wide, 240);
    checkFloat8<__hip_fp8_e5m2_fnuz>("e5m2 FNUZ", wide, 57344);
    checkFloat8<__hip_fp8_e4m3>("e4m3", wide, 448);
    checkFloat8<__hip_fp8_e5m2>("e5m2", wide, 57344);
    const float4 quad = static_cast<float4>(__hip_fp8x4_e4m3_fnuz(make_float4(1, -2, 3.5f, 1000)));
    expect("four at once, saturating", quad.x == 1 && quad.y == -2 && quad.z == 3.5f && quad.w == 240);
    return verdict();
}
