// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// HIP 5's, on the cpu target with what has come since: the library of HIP 5 does not have it.
#define GKS_HIP_RUNTIME
#include_next <hip/hip_runtime.h>

#if defined(GKS_HIPCPU)
#include <hip/hip_later.h>
#endif
