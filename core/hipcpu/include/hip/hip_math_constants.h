// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hip/amd_detail/amd_hip_math_constants.h>
