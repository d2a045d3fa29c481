// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The functions have the same names (__float2bfloat16, __bfloat162float, ...); the types are called by the vendor.
#include "hip_runtime.h"

#include "lane_names_off.h"

#include <cuda_bf16.h>

#include "lane_names.h"

using __hip_bfloat16 = __nv_bfloat16;
using __hip_bfloat162 = __nv_bfloat162;
using __hip_bfloat16_raw = __nv_bfloat16_raw;
using __hip_bfloat162_raw = __nv_bfloat162_raw;
