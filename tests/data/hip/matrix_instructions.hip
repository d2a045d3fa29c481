// SPDX-License-Identifier: GPL-3.0-or-later
// One instruction of every kind of operand, with A[i][k] and B[k][j] placed by the documented layouts.
#include "check.h"

typedef float floatx4 __attribute__((ext_vector_type(4)));
typedef int intx4 __attribute__((ext_vector_type(4)));
typedef double doublex4 __attribute__((ext_vector_type(4)));
typedef _Float16 halfx4 __attribute__((ext_vector_type(4)));
typedef _Float16 halfx8 __attribute__((ext_vector_type(8)));
typedef short shortx4 __attribute__((ext_vector_type(4)));

// Small integers, exact in every type, different along every index.
__host__ __device__ int elementA(int i, int k) { return (i * 3 + k * 5) % 7 - 3; }
__host__ __device__ int elementB(int k, int j) { return (k * 2 + j * 3) % 5 - 2; }
__host__ __device__ unsigned short bf16Bits(int value) {
    const float f = static_cast<float>(value);
    unsigned bits;
    __builtin_memcpy(&bits, &f, 4);
    return static_cast<unsigned short>(bits >> 16);
}

// D of the 16 x 16 shapes: lane 16 * (i / 4) + j, register i % 4.
template<class V> __device__ void store16(double* d, const V& v) {
    for (int r = 0; r < 4; ++r) {
        d[(threadIdx.x / 16 * 4 + r) * 16 + threadIdx.x % 16] = static_cast<double>(v[r]);
    }
}

__global__ void f32_16x16x4(double* d) {
    const int l = threadIdx.x % 16, k = threadIdx.x / 16;
    floatx4 c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_f32_16x16x4f32(elementA(l, k), elementB(k, l), c, 0, 0, 0);
    store16(d, c);
}

__global__ void f16_16x16x16(double* d) {
    const int l = threadIdx.x % 16, k = threadIdx.x / 16 * 4;
    halfx4 a, b;
    for (int i = 0; i < 4; ++i) {
        a[i] = static_cast<_Float16>(elementA(l, k + i));
        b[i] = static_cast<_Float16>(elementB(k + i, l));
    }
    floatx4 c = {1, 1, 1, 1};
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
    store16(d, c - 1.0f);
}

__global__ void bf16_16x16x16(double* d) {
    const int l = threadIdx.x % 16, k = threadIdx.x / 16 * 4;
    shortx4 a, b;
    for (int i = 0; i < 4; ++i) {
        a[i] = static_cast<short>(bf16Bits(elementA(l, k + i)));
        b[i] = static_cast<short>(bf16Bits(elementB(k + i, l)));
    }
    floatx4 c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
    store16(d, c);
}

__global__ void i8_16x16x32(double* d) {
    const int l = threadIdx.x % 16, k = threadIdx.x / 16 * 8;
    long a = 0, b = 0;
    for (int i = 0; i < 8; ++i) {
        a |= static_cast<long>(elementA(l, k + i) & 0xff) << (8 * i);
        b |= static_cast<long>(elementB(k + i, l) & 0xff) << (8 * i);
    }
    intx4 c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, c, 0, 0, 0);
    store16(d, c);
}

// The accumulator of the fp64 shape has its rows interleaved: register r of lane group g holds row 4 * r + g.
__global__ void f64_16x16x4(double* d) {
    const int l = threadIdx.x % 16, g = threadIdx.x / 16;
    doublex4 c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_f64_16x16x4f64(elementA(l, g), elementB(g, l), c, 0, 0, 0);
    for (int r = 0; r < 4; ++r) {
        d[(4 * r + g) * 16 + l] = c[r];
    }
}

// Four blocks of 4 x 4; the sum over k of ones is independent of the layout.
__global__ void f64_4x4x4(double* d) {
    d[threadIdx.x] = __builtin_amdgcn_mfma_f64_4x4x4f64(2.0, 3.0, 1.0, 0, 0, 0);
}

// Structured sparsity: of every four elements of A along k the first two are kept (index 0b0100), B is dense.
__global__ void sparse_16x16x32(double* d) {
    halfx4 a;
    halfx8 b;
    for (int i = 0; i < 4; ++i) {
        a[i] = static_cast<_Float16>(2);
    }
    for (int i = 0; i < 8; ++i) {
        b[i] = static_cast<_Float16>(3);
    }
    floatx4 c = {0, 0, 0, 0};
    c = __builtin_amdgcn_smfmac_f32_16x16x32_f16(a, b, c, 0x4444, 0, 0);
    store16(d, c);
}

bool isProduct(const std::vector<double>& d, int depth) {
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            int sum = 0;
            for (int k = 0; k < depth; ++k) {
                sum += elementA(i, k) * elementB(k, j);
            }
            if (d[i * 16 + j] != sum) {
                return false;
            }
        }
    }
    return true;
}

int main() {
    Device<double> d(256);
    const auto check = [&](const char* name, void (*kernel)(double*), int depth) {
        HIP_CHECK(hipMemset(d.get(), 0, 256 * sizeof(double)));
        kernel<<<1, 64>>>(d.get());
        expect(name, isProduct(d.read(), depth));
    };
    check("f32 16x16x4", f32_16x16x4, 4);
    check("f16 16x16x16", f16_16x16x16, 16);
    check("bf16 16x16x16", bf16_16x16x16, 16);
    check("i8 16x16x32", i8_16x16x32, 32);
    check("f64 16x16x4", f64_16x16x4, 4);
    f64_4x4x4<<<1, 64>>>(d.get());
    std::vector<double> r = d.read();
    bool ok = true;
    for (int i = 0; i < 64; ++i) {
        ok = ok && r[i] == 1 + 4 * 6;
    }
    expect("f64 4x4x4", ok);
    sparse_16x16x32<<<1, 64>>>(d.get());
    r = d.read();
    ok = true;
    for (const double v : r) {
        ok = ok && v == 16 * 6;
    }
    expect("sparse f16 16x16x32", ok);
    return verdict();
}
