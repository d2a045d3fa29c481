// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/hip_types.h"

namespace gks::hipcpu {

// Keeps an error for hipGetLastError of the calling thread, and returns it.
HipError remember(HipError error);

} // namespace gks::hipcpu
