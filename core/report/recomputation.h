// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"
#include "core/report/claim.h"

#include <string>

namespace gks {

// A verdict computed again from its own raw samples with the judge's statistics. `where` is its file.
Claims recompute(const Verdict& verdict, const std::string& where);

} // namespace gks
