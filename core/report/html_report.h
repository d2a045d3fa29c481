// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/evidence.h"

#include <string>

namespace gks {

// One page that needs nothing else: no script, no network, both colour schemes, pictures inline.
std::string htmlReport(const Evidence& evidence, const std::string& root);

} // namespace gks
