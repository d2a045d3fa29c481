// SPDX-License-Identifier: GPL-3.0-or-later
// Each takes its right neighbour's value, the last one too.
#include <hip/hip_runtime.h>

__global__ void shift(double* y, const double* x) { y[threadIdx.x] = x[threadIdx.x + 1]; }

int main() {
    double *x, *y;
    (void)hipMallocManaged(&x, 64 * sizeof(double));
    (void)hipMalloc(&y, 64 * sizeof(double));
    shift<<<1, 64>>>(y, x);
    return hipDeviceSynchronize();
}
