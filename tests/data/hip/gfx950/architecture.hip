// SPDX-License-Identifier: GPL-3.0-or-later
// What makes code a gfx950's: macros, the device's answers, 160 KiB of LDS, and 8-bit floats in OCP encoding, also by the
// instructions that gfx942 has for FNUZ.
#include "../check.h"
#include "ocp.h"

#include <hip/hip_fp8.h>

#include <cstring>

typedef float floatx2 __attribute__((ext_vector_type(2)));
typedef float floatx4 __attribute__((ext_vector_type(4)));

__global__ void macros(int* out) {
#if defined(__gfx950__) && !defined(__gfx942__) && defined(__GFX9__)
    out[0] = 1;
#endif
#if defined(__amdgcn_processor__) // of device code alone
    const char name[] = __amdgcn_processor__;
    out[1] = name[3] == '9' && name[4] == '5' && name[5] == '0';
#endif
}

// Every thread writes its words of all LDS and reads those of the thread on the other side.
constexpr int staticWords = 150 * 256;
__global__ void manyWords(unsigned* out) {
    __shared__ unsigned words[staticWords];
    for (int i = threadIdx.x; i < staticWords; i += blockDim.x) {
        words[i] = i * 2654435761u;
    }
    __syncthreads();
    unsigned sum = 0;
    for (int i = threadIdx.x; i < staticWords; i += blockDim.x) {
        sum += words[staticWords - 1 - i];
    }
    out[threadIdx.x] = sum;
}
// Behind 64 KiB an address of 32 bits is an offset as before it.
extern __shared__ unsigned dynamicWords[];
__global__ void byAddress(unsigned* out, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        dynamicWords[i] = i;
    }
    __syncthreads();
    const auto* last = (__attribute__((address_space(3))) unsigned*)&dynamicWords[count - 1];
    const unsigned address = (unsigned)(unsigned long long)last;
    out[threadIdx.x] = *(__attribute__((address_space(3))) unsigned*)(unsigned long long)(address - 4 * threadIdx.x);
}

__global__ void decodeAll(float* out) {
    const int code = threadIdx.x;
    const int word = code << 8 | (255 - code) << 16 | code << 24;
    out[code] = __builtin_amdgcn_cvt_f32_fp8(word, 1);
    out[256 + code] = __builtin_amdgcn_cvt_f32_bf8(word, 3);
    const floatx2 fp8 = __builtin_amdgcn_cvt_pk_f32_fp8(word, true);
    const floatx2 bf8 = __builtin_amdgcn_cvt_pk_f32_bf8(word, false);
    out[512 + code] = fp8[0]; // 255 - code
    out[768 + code] = bf8[1];
}
__global__ void encodeAll(const float* in, const unsigned* seeds, unsigned* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    unsigned nearest = __builtin_amdgcn_cvt_pk_fp8_f32(in[i], -in[i], 0xaaaaaaaa, false);
    nearest = __builtin_amdgcn_cvt_pk_bf8_f32(in[i], -in[i], nearest, true);
    unsigned stochastic = __builtin_amdgcn_cvt_sr_fp8_f32(in[i], seeds[i], 0, 2);
    stochastic = __builtin_amdgcn_cvt_sr_bf8_f32(in[i], seeds[i], stochastic, 1);
    unsigned byAssembly;
    asm("v_cvt_pk_fp8_f32 %0, %1, %1" : "=v"(byAssembly) : "v"(in[i]));
    const __hip_fp8_e4m3 fromHeader(in[i]);
    const __hip_fp8_e5m2 bfFromHeader(in[i]);
    out[4 * i] = nearest;
    out[4 * i + 1] = stochastic;
    out[4 * i + 2] = byAssembly & 0xff;
    out[4 * i + 3] = fromHeader.__x | bfFromHeader.__x << 8;
}

// A shape that gfx942 has as well: bytes are OCP's.
__global__ void multiply(const long* a, const long* b, float* out) {
    floatx4 c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(a[threadIdx.x], b[threadIdx.x], c, 0, 0, 0);
    for (int r = 0; r < 4; ++r) {
        out[(threadIdx.x / 16 * 4 + r) * 16 + threadIdx.x % 16] = c[r];
    }
}

void answers() {
    hipDeviceProp_t properties;
    HIP_CHECK(hipGetDeviceProperties(&properties, 0));
    expect("the architecture", std::strcmp(properties.gcnArchName, "gfx950:sramecc+:xnack-") == 0);
    expect("its version", properties.major == 9 && properties.minor == 5);
    expect("LDS of a block", properties.sharedMemPerBlock == 163840);
    int bytes = 0;
    HIP_CHECK(hipDeviceGetAttribute(&bytes, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
    expect("LDS as an attribute", bytes == 163840);
    Device<int> out(2);
    macros<<<1, 1>>>(out.get());
    expect("macros", out.read() == std::vector<int>({1, 1}));
}

void largeLds() {
    Device<unsigned> out(256);
    manyWords<<<2, 256>>>(out.get());
    const auto sums = out.read();
    bool right = true;
    for (int t = 0; t < 256; ++t) {
        unsigned sum = 0;
        for (int i = t; i < staticWords; i += 256) {
            sum += static_cast<unsigned>(staticWords - 1 - i) * 2654435761u;
        }
        right = right && sums[t] == sum;
    }
    expect("150 KiB of static LDS", right);
    constexpr int bytes = 163840;
    HIP_CHECK(hipFuncSetAttribute(reinterpret_cast<const void*>(byAddress), hipFuncAttributeMaxDynamicSharedMemorySize, bytes));
    byAddress<<<1, 256, bytes>>>(out.get(), bytes / 4);
    const auto words = out.read();
    right = true;
    for (unsigned t = 0; t < 256; ++t) {
        right = right && words[t] == bytes / 4 - 1 - t;
    }
    expect("160 KiB of dynamic LDS", right);
    byAddress<<<1, 256, bytes + 4>>>(out.get(), 1);
    const bool refused = hipGetLastError() != hipSuccess;
    expect("more is refused", refused);
}

void conversions() {
    Device<float> decoded(1024);
    decodeAll<<<1, 256>>>(decoded.get());
    const auto values = decoded.read();
    bool right = true;
    for (unsigned code = 0; code < 256; ++code) {
        right = right && ocp::same(values[code], ocp::decode(code, ocp::e4m3)) && ocp::same(values[256 + code], ocp::decode(code, ocp::e5m2)) &&
                ocp::same(values[512 + code], ocp::decode(255 - code, ocp::e4m3)) && ocp::same(values[768 + code], ocp::decode(code, ocp::e5m2));
    }
    expect("decoded", right);

    std::vector<float> in;
    for (const float special : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 448.0f, 464.0f, 464.1f, 479.9f, 480.0f, 57344.0f, 61439.0f, 61440.0f, 1e30f, 1e-30f,
                                0.0009765625f, 0.0009765626f, 0.00000762939f, 0.0000076294f, 1e-41f}) {
        in.push_back(special);
    }
    std::vector<unsigned> seeds(in.size(), 0x80000000u);
    unsigned state = 12345;
    const auto next = [&] { return state = state * 1664525u + 1013904223u; };
    for (int i = 0; i < 4000; ++i) {
        next();
        in.push_back(std::ldexp(static_cast<float>(static_cast<int>(state)) / 2147483648.0f, static_cast<int>(state >> 7) % 44 - 24));
        seeds.push_back(next() ^ state >> 13);
    }
    const int count = static_cast<int>(in.size());
    Device<float> deviceIn(in);
    Device<unsigned> deviceSeeds(seeds);
    Device<unsigned> out(4 * in.size());
    encodeAll<<<(count + 255) / 256, 256>>>(deviceIn.get(), deviceSeeds.get(), out.get(), count);
    const auto codes = out.read();
    bool nearest = true, stochastic = true, assembly = true, header = true;
    for (int i = 0; i < count; ++i) {
        const double v = in[i];
        const unsigned n = codes[4 * i], s = codes[4 * i + 1];
        const auto is = [&](unsigned code, double expected, const ocp::Format& f) { return ocp::same(ocp::decode(code & 0xff, f), expected); };
        nearest = nearest && is(n, ocp::nearest(v, ocp::e4m3), ocp::e4m3) && is(n >> 8, ocp::nearest(-v, ocp::e4m3), ocp::e4m3) &&
                  is(n >> 16, ocp::nearest(v, ocp::e5m2), ocp::e5m2) && is(n >> 24, ocp::nearest(-v, ocp::e5m2), ocp::e5m2);
        const bool fits = is(s >> 16, ocp::stochastic(v, seeds[i], 23, ocp::e4m3), ocp::e4m3) &&
                          is(s >> 8, ocp::stochastic(v, seeds[i], 23, ocp::e5m2), ocp::e5m2) && (s & 0xff0000ff) == 0;
        if (!fits && stochastic) {
            std::printf("%a seed %x: %x\n", v, seeds[i], s);
        }
        stochastic = stochastic && fits;
        assembly = assembly && is(codes[4 * i + 2], ocp::nearest(v, ocp::e4m3), ocp::e4m3);
        // The types of the header saturate.
        const double limited = std::fabs(v) > 448 ? std::copysign(448.0, v) : v, limitedBf = std::fabs(v) > 57344 ? std::copysign(57344.0, v) : v;
        header = header && is(codes[4 * i + 3], ocp::nearest(limited, ocp::e4m3), ocp::e4m3) &&
                 is(codes[4 * i + 3] >> 8, ocp::nearest(limitedBf, ocp::e5m2), ocp::e5m2);
    }
    expect("encoded to nearest", nearest);
    expect("encoded by chance", stochastic);
    expect("encoded by assembly", assembly);
    expect("types of hip_fp8.h", header);
}

void matrices() {
    std::vector<long> a(64), b(64);
    std::vector<double> valuesOfA(16 * 32), valuesOfB(32 * 16);
    for (int lane = 0; lane < 64; ++lane) {
        for (int e = 0; e < 8; ++e) {
            const int k = lane / 16 * 8 + e;
            const unsigned codeA = (lane * 37 + e * 11) % 0x60, codeB = (lane * 13 + e * 29) % 0x50; // finite, not too large
            a[lane] |= static_cast<long>(codeA | (e % 3 == 0 ? 0x80u : 0u)) << (8 * e);
            b[lane] |= static_cast<long>(codeB) << (8 * e);
            valuesOfA[lane % 16 * 32 + k] = ocp::decode(codeA | (e % 3 == 0 ? 0x80u : 0u), ocp::e4m3);
            valuesOfB[k * 16 + lane % 16] = ocp::decode(codeB, ocp::e5m2);
        }
    }
    Device<long> deviceA(a), deviceB(b);
    Device<float> out(256);
    multiply<<<1, 64>>>(deviceA.get(), deviceB.get(), out.get());
    const auto product = out.read();
    bool right = true;
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            double sum = 0;
            for (int k = 0; k < 32; ++k) {
                sum += valuesOfA[i * 32 + k] * valuesOfB[k * 16 + j];
            }
            right = right && near(product[i * 16 + j], sum, 1e-5);
        }
    }
    expect("16x16x32 of fp8 and bf8", right);
}

int main() {
    answers();
    largeLds();
    conversions();
    matrices();
    return verdict();
}
