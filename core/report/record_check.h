// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/claim.h"
#include "core/report/evidence.h"

namespace gks {

// Whether a verdict fits what stands beside it in a bundle: its sources, the problem pack with its shapes and checks,
// the device and the environment. Statistics are looked at elsewhere.
Claims checkRecord(const EvidenceItem& item, const ProblemPack& pack);

} // namespace gks
