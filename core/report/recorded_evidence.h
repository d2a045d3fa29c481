// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/claim.h"
#include "core/report/evidence.h"
#include "core/report/manifest.h"

// Evidence as the files of a bundle hold it. Pages are made from this, by the writer and by the check alike, so a page
// says what its verdicts say or it is not the page of this evidence. The files may come from anybody.
namespace gks {

struct RecordedEvidence {
    Evidence evidence; // of the population only what pages show; times and verdicts of its kernels come from the items
    Claims problems;   // what cannot be read or does not fit together
};
// An error when there is no problem to speak of.
Result<RecordedEvidence> recordedEvidence(const BundleFiles& files);

// report.html and report.md.
BundleFiles pagesOf(const Evidence& evidence, const std::string& root);

} // namespace gks
