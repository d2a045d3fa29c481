// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the older type of this name lies since HIP 6.
#include <hip/hip_bfloat16.h>
