// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/claim.h"
#include "core/report/evidence.h"
#include "core/report/manifest.h"

#include <string>

// Launch plans and device code in a bundle: what replay executes instead of host code, once the source has been asked
// for the same.
namespace gks {

std::string plansPath(const EvidenceItem& item);
std::string deviceCodePath(const std::string& sha256);

void addPlans(const EvidenceItem& item, BundleFiles& files);
// Null when the bundle has none for this verdict. Every plan has passed the checks of the judge: one that reaches
// outside its tensors, or names what the module does not have, is an error.
Result<std::shared_ptr<const RecordedPlans>> plansIn(const BundleFiles& files, const EvidenceItem& item);

// Whether an accepted verdict has a plan for all that was verified and timed, of the tensors of this pack, and the
// device code of each.
Claims checkPlans(const EvidenceItem& item, const ProblemPack& pack, const BundleFiles& files);

// The plans that were executed against those that the source asked for in the planner, operation by operation. Both
// verdicts are of one device.
void comparePlans(const Verdict& recorded, const Verdict& again, ClaimWriter& claims);

} // namespace gks
