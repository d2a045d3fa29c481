// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/launch_plan.h"

#include <optional>

namespace gks {

// Whether cuTensorMapEncodeTiled() takes it, by its documented rules: dimensions, alignment, the box and the swizzle.
// The capture library answers with it, so that host code takes the branch that it would take before a device, and the
// judge asks it again.
bool isSoundTensorMap(const TensorMap& map);

// Bytes from the map's address to the end of its last element; nothing when they do not fit a number. Of a sound map.
std::optional<std::uint64_t> spanOf(const TensorMap& map);

} // namespace gks
