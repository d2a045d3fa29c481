// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <QString>
#include <string>

namespace gks {

// What the compiler made of each function, one to a line: "gemm  VGPR 96 (+8)  SGPR 40  LDS 16 KiB  5 waves/SIMD, 88
// VGPRs give 6". `parents` may be null; `current` is the bare name of the function to be emphasised. HTML, escaped.
QString liveNumbersHtml(const StaticReport& report, const StaticReport* parents, const std::string& current);

} // namespace gks
