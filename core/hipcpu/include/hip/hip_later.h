// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Declarations that kernels expect of the HIP runtime header and that HIP before 6 does not have. Included ahead of
// every source when the installed HIP is that old.

#include <hip/hip_runtime.h>

// HIP 5.2 defines it for the device alone, so that the host side of a source that calls it does not compile.
#if defined(__HIP__) && !defined(__HIP_DEVICE_COMPILE__)
__device__ long long int wall_clock64();
#endif

extern "C" {
hipError_t hipGraphUpload(hipGraphExec_t graph, hipStream_t stream);
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned int gridX, unsigned int gridY,
                                            unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                            unsigned int blockZ, unsigned int sharedMemBytes, hipStream_t stream,
                                            void** kernelParams);
}
