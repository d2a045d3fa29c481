// SPDX-License-Identifier: GPL-3.0-or-later
// A source that declares what it needs of HIP itself, as some do to compile in less time: none of HIP's headers is
// read.
#if defined(__HIP_DEVICE_COMPILE__)

extern "C" __device__ int __ockl_wfall_i32(int);
__device__ inline int __all(int predicate) {
    return __ockl_wfall_i32(predicate);
}

#else

#include <cstddef>
#include <cstdio>

using hipError_t = int;
using hipStream_t = void*;
enum hipMemcpyKind { hipMemcpyDeviceToHost = 2 };
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
};
extern "C" {
hipError_t hipMalloc(void** pointer, size_t size);
hipError_t hipFree(void* pointer);
hipError_t hipMemcpy(void* to, const void* from, size_t size, hipMemcpyKind kind);
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds = 0, hipStream_t stream = nullptr);
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* lds, hipStream_t* stream);
hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t lds,
                           hipStream_t stream);
}

#endif

__global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void votes(int* out) {
#if defined(__HIP_DEVICE_COMPILE__)
    const int i = __builtin_amdgcn_workitem_id_x();
    out[i] = 100 * __all(i < 64) + 10 * (__all(i < 63) != 0) + i;
#endif
}

#if !defined(__HIP_DEVICE_COMPILE__)
int main() {
    int* out = nullptr;
    int host[64] = {};
    bool ok = hipMalloc(reinterpret_cast<void**>(&out), sizeof host) == 0;
    votes<<<dim3(1), dim3(64)>>>(out);
    ok = ok && hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) == 0 && hipFree(out) == 0;
    for (int i = 0; i < 64; ++i) {
        ok = ok && host[i] == 100 + i;
    }
    std::puts(ok ? "ALL PASS" : "FAILED");
    return ok ? 0 : 1;
}
#endif
