// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <cstddef>

namespace gks {

// What has to be written before a timed call so that nothing of the inputs is in a cache.
std::size_t flushBytesFor(TargetKind target);

} // namespace gks
