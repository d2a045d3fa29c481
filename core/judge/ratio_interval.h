// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"

#include <string>

namespace gks {

// "1.31x [1.29, 1.33]"; of an undecided comparison with the interval that decides. `ratioText` adds that it is at 99 %.
std::string ratioInterval(const ComparisonFact& fact);

} // namespace gks
