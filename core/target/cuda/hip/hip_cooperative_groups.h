// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The same namespace and names for both vendors. Large: included by the kernels that use it only.
#include "hip_runtime.h"

#include "lane_names_off.h"

#include <cooperative_groups.h>

#include "lane_names.h"
