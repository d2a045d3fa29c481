// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The name under which kernels include it too.
#include <hip/hip_fp4.h>
