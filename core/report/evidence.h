// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"
#include "core/campaign/types.h"
#include "core/problem/problem.h"

#include <optional>
#include <string>
#include <vector>

// Everything that a verdict rests on, gathered in one place before it is written down.
namespace gks {

struct EvidenceItem {
    Evaluation evaluation; // with samples
    std::string title;     // of the kernel
    std::string source;
    std::optional<std::string> baselineSource;

    std::string name() const; // "00012-34": kernel and evaluation, the folder of this verdict in a bundle
};

struct Evidence {
    ProblemPack pack;                // as it is installed now
    PopulationPtr population;        // null: of one evaluation without a campaign
    std::vector<EvidenceItem> items; // by evaluation
    std::vector<Steering> steering;
    std::vector<Exchange> exchanges;    // of the items' kernels
    std::optional<KernelId> only;       // the kernel that alone is spoken of; empty: all
    std::optional<std::size_t> subject; // the item that the claim rests on: the best's confirmation, or the newest

    const EvidenceItem* subjectItem() const { return subject ? &items[*subject] : nullptr; }
    std::string targets() const; // of the verdicts: "cpu", "amd, cpu"
};

// Of the whole campaign, or of one kernel.
Result<Evidence> readEvidence(const CampaignStore& store, std::optional<KernelId> only = {});
// Of one evaluation without a campaign.
Result<Evidence> evidenceOf(const EvaluationRequest& request, const Verdict& verdict);

// Sets the subject from what is there.
void chooseSubject(Evidence& evidence);

} // namespace gks
