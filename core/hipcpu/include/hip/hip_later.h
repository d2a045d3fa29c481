// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Functions that kernels expect of the HIP runtime header and that HIP before 6 does not have. Included ahead of every source when
// the installed HIP is that old.

#include <hip/hip_runtime.h>

#if defined(__HIP__)
__device__ inline long long int wall_clock64() { return static_cast<long long int>(__builtin_amdgcn_s_memrealtime()); }
#endif
