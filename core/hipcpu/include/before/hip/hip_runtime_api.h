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

// What HIP asks of a device since 5.3.
#if HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR < 3
#define hipDeviceAttributeVirtualMemoryManagementSupported static_cast<hipDeviceAttribute_t>(89)
#define hipDeviceAttributeHostRegisterSupported static_cast<hipDeviceAttribute_t>(90)
#define hipDeviceAttributeMemoryPoolSupportedHandleTypes static_cast<hipDeviceAttribute_t>(91)
#define hipDeviceAttributeWallClockRate static_cast<hipDeviceAttribute_t>(10017)
#endif

#if defined(GKS_HIPCPU) && !defined(GKS_HIP_RUNTIME) // included by itself
#include <hip/hip_later.h>
#endif
