// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors at addresses that suit their elements alone, and 64 bits at one that suits 32, which devices take.
#include <hip/hip_runtime.h>

__global__ void shift(const float* in, float* out) {
    __shared__ float tile[260];
    const int t = threadIdx.x;
    const float4 v = *reinterpret_cast<const float4*>(in + 1 + 4 * t);
    for (int i = t; i < 260; i += 64) {
        tile[i] = v.x + v.y;
    }
    __syncthreads();
    const float4 w = *reinterpret_cast<const float4*>(tile + 3 + 4 * t);
    *reinterpret_cast<float4*>(out + 2 + 4 * t) = w;
}

// Whoever asks first is not told of.
__global__ void either(const float* in, float* out) {
    const float* from = in + 1 + 4 * threadIdx.x;
    float4 v;
    if (reinterpret_cast<unsigned long>(from) % 16 == 0) {
        v = *reinterpret_cast<const float4*>(from);
    } else {
        v = make_float4(from[0], from[1], from[2], from[3]);
    }
    reinterpret_cast<float4*>(out)[threadIdx.x] = v;
}

// Eight codes at once from rows of 580.
__global__ void codes(long* out) {
    __shared__ unsigned char rows[2 * 580];
    for (int i = threadIdx.x; i < 2 * 580; i += 64) {
        rows[i] = static_cast<unsigned char>(i);
    }
    __syncthreads();
    out[threadIdx.x] = *reinterpret_cast<const long*>(rows + threadIdx.x % 2 * 580 + threadIdx.x / 2 * 8);
}

int main() {
    float *in, *out;
    (void)hipMalloc(&in, 2048);
    (void)hipMalloc(&out, 2048);
    (void)hipMemset(in, 0, 2048);
    for (int i = 0; i < 2; ++i) {
        shift<<<1, 64>>>(in, out);
        either<<<1, 64>>>(in, out);
        codes<<<1, 64>>>(reinterpret_cast<long*>(out));
    }
    return hipDeviceSynchronize();
}
