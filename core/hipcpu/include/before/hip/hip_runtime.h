// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// HIP 5's, with what has come since.
#define GKS_HIP_RUNTIME
#include_next <hip/hip_runtime.h>

#include <hip/hip_later.h>
