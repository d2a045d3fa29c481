// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/evidence.h"

#include <string>
#include <vector>

namespace gks {

// The launch plan of one timed shape as both reports show it; plain text, not escaped.
struct PlanPage {
    std::string title;   // "m=64 n=128: 2 launches on 1 stream"
    std::string remarks; // how long solve() took, and what there was no room for
    std::vector<std::vector<std::string>> rows;
};
std::vector<std::string> planPageHeader();
std::vector<PlanPage> planPages(const ProblemPack& pack, const EvidenceItem& item);

} // namespace gks
