// SPDX-License-Identifier: GPL-3.0-or-later
// The first wave of a block gives the lock back before the other waves have stored their sums.
#include <hip/hip_runtime.h>

__global__ void add(unsigned* lock, int* sums) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0U, 1U) != 0U) {
        }
    }
    __syncthreads();
    const int sum = __hip_atomic_load(sums + threadIdx.x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + 1;
    asm volatile("global_store_dword %0, %1, %2 sc0 sc1\n s_waitcnt vmcnt(0)" ::"v"(
                     static_cast<unsigned>(threadIdx.x * sizeof(int))),
                 "v"(sum), "s"(sums)
                 : "memory");
    if (threadIdx.x == 0) {
        atomicExch(lock, 0U);
    }
}

int main() {
    unsigned* lock;
    int* sums;
    (void)hipMalloc(&lock, sizeof(unsigned));
    (void)hipMalloc(&sums, 256 * sizeof(int));
    (void)hipMemset(lock, 0, sizeof(unsigned));
    (void)hipMemset(sums, 0, 256 * sizeof(int));
    add<<<4, 256>>>(lock, sums);
    return hipDeviceSynchronize();
}
