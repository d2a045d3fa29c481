// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/evidence.h"

#include <string>
#include <vector>

// The sentences that both reports share; plain text, not escaped.
namespace gks {

// "00012 wide loads: faster, 314 us ±0.3 %, 1.31x [1.29, 1.33] of kernel 00001 measured side by side."
std::string claimOf(const EvidenceItem& item);
// What is claimed, with its interval and how it is known.
std::string headline(const Evidence& evidence);
// Whose word all of it is, where that is a harness; empty: our own judge's.
std::string harnessNotice(const ProblemPack& pack);
std::string spendSentence(const Spend& spend);
// "314 us ±0.3 %", or "-".
std::string timeOf(const Kernel& kernel);
std::string versusParentOf(const Kernel& kernel);
// In the order of the pack's dims.
std::string shapeLabel(const ProblemPack& pack, const std::map<std::string, std::int64_t>& shape);
std::string ratioOf(const MeasurementFact& fact);
// Everything that did not become a kernel of the population's good part: "00007", "wrong", why.
struct Refused {
    std::string who;
    std::string what;
    std::string why;
};
std::vector<Refused> refusedOf(const Evidence& evidence);
// Libraries that the problem names, beside the best: title, time, against the baseline, the best against it, what it
// lacks.
std::vector<std::vector<std::string>> anchorRows(const Population& population);
inline const std::vector<std::string> anchorHeader = {"Library", "Time alone", "Against the baseline",
                                                      "The best against it", "Lacks"};
inline constexpr const char* anchorNotice = "Measured in the campaign by the same judge; their samples are not in this "
                                            "bundle.";
// Facts of one verdict as name and value.
std::vector<std::pair<std::string, std::string>> circumstances(const EvidenceItem& item);
inline constexpr const char* cpuTimesNotice = "Times are of this CPU, not of a GPU.";

} // namespace gks
