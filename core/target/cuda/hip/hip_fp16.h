// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Both vendors use the same type and function names.
#include "hip_runtime.h"

#include "lane_names_off.h"

#include <cuda_fp16.h>

#include "lane_names.h"
