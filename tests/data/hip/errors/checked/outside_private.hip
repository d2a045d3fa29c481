// SPDX-License-Identifier: GPL-3.0-or-later
// An array of the thread's own has one element less than its loop writes.
#include <hip/hip_runtime.h>

__global__ void sums(const int* last, int* out) {
    int sum[8] = {};
    for (int i = 0; i <= *last; ++i) {
        sum[i] += i;
    }
    out[threadIdx.x] = sum[7];
}

int main() {
    int *last, *out;
    (void)hipMalloc(&last, sizeof(int));
    (void)hipMalloc(&out, 64 * sizeof(int));
    const int eight = 8;
    (void)hipMemcpy(last, &eight, sizeof eight, hipMemcpyHostToDevice);
    sums<<<1, 64>>>(last, out);
    return hipDeviceSynchronize();
}
