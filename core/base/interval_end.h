// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gks {

// An end of an interval that decides: "0.996", "1.012". The margin of a tie lies in the third digit behind 1.00.
std::string formatIntervalEnd(double ratio);

} // namespace gks
