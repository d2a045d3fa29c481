// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/evidence.h"

#include <string>

namespace gks {

// The same facts without pictures, for a repository or a ticket.
std::string markdownReport(const Evidence& evidence, const std::string& root);

} // namespace gks
