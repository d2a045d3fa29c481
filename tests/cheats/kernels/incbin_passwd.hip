// SPDX-License-Identifier: GPL-3.0-or-later
// Row 21: has the assembler take a file of the machine in
// Caught: build-failed: incbin file '/etc/passwd'
#include "problem.h"

#ifndef __HIP_DEVICE_COMPILE__
asm(".section .rodata\n.global stolen\nstolen: .incbin \"/etc/passwd\"\n.text\n");
#endif
__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
