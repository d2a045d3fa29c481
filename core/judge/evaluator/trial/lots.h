// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/hash.h"

#include <cstddef>

namespace gks {

// A lot that nobody can foresee; limits of up to some thousands.
inline std::size_t randomBelow(std::size_t limit) {
    const Seed seed = randomSeed();
    return (seed[0] + std::size_t{256} * seed[1] + std::size_t{65536} * seed[2]) % limit;
}

} // namespace gks
