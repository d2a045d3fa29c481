// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/findings/finding.h"

#include <string>

namespace gks::hipcpu {

// Texts that a source brings, as they may be shown on a terminal: bounded, without control characters. Null: empty.
std::string cleaned(const char* text);
SourcePlace placeOf(const AccessSite& site);
std::string readableKernel(const char* symbol);

} // namespace gks::hipcpu
