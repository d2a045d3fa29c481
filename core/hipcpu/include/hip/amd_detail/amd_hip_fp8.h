// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The name under which many kernels include it.
#include <hip/hip_fp8.h>
