// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"
#include "core/judge/verdict.h"

namespace gks {

// The launch plans of an evaluation that was just stored, in its transaction; each device code is kept once.
Result<void> insertPlans(Database& database, std::int64_t evaluation, const Verdict& verdict);

} // namespace gks
