// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Its structs have members of these names, which amd_detail/amd_hip_runtime.h calls otherwise while it is read.
#pragma push_macro("threadIdx")
#pragma push_macro("blockIdx")
#pragma push_macro("blockDim")
#pragma push_macro("gridDim")
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#include_next <hip/hip_runtime_api.h>
#pragma pop_macro("threadIdx")
#pragma pop_macro("blockIdx")
#pragma pop_macro("blockDim")
#pragma pop_macro("gridDim")

#if defined(GKS_HIPCPU) && !defined(GKS_HIP_RUNTIME) // included by itself
#include <hip/hip_later.h>
#endif
