// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/evidence.h"

#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/confirmation.h"
#include "core/campaign/summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

// The newest confirmation of this kernel, otherwise its newest verdict that is its own.
std::optional<std::size_t> subjectOf(const std::vector<EvidenceItem>& items, KernelId kernel) {
    std::optional<std::size_t> newest;
    std::optional<std::size_t> confirmed;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Evaluation& evaluation = items[i].evaluation;
        if (evaluation.kernel == kernel && evaluation.verdict.kind != VerdictKind::infrastructureFailed) {
            const bool isBeside = isAsked(evaluation.purpose) && !isOwnVerdict(evaluation);
            newest = isBeside && newest ? newest : i;        // of two kernels that a person chose
            if (evaluation.purpose == confirmationPurpose) { // the newest counts
                confirmed = isConfirmation(evaluation) ? std::optional(i) : std::nullopt;
            }
        }
    }
    return confirmed ? confirmed : newest;
}

Result<void> addKernel(const CampaignStore& store, const Kernel& kernel, Evidence& evidence) {
    GKS_TRY_ASSIGN(const auto evaluations, store.evaluations(kernel.id));
    for (const Evaluation& evaluation : evaluations) {
        GKS_TRY_ASSIGN(std::string source, kernel.source.read());
        EvidenceItem item = {evaluation, kernel.title, std::move(source), {}};
        auto plans = store.plans(evaluation.id);
        if (plans) {
            item.evaluation.verdict.plans = std::move(*plans);
        } else { // of one verdict, perhaps by a newer version: the others are still worth a report
            item.evaluation.verdict.warnings.push_back("its launch plans are missing here, for they cannot be read: " +
                                                       plans.error().message());
        }
        const Kernel* baseline = evaluation.baseline ? evidence.population->kernel(*evaluation.baseline) : nullptr;
        if (baseline != nullptr) {
            GKS_TRY_ASSIGN(item.baselineSource, baseline->source.read());
        }
        evidence.items.push_back(std::move(item));
    }
    GKS_TRY_ASSIGN(const auto exchanges, store.exchanges(kernel.id));
    evidence.exchanges.insert(evidence.exchanges.end(), exchanges.begin(), exchanges.end());
    return {};
}

} // namespace

std::string EvidenceItem::name() const {
    return fmt::format("{}-{}", kernelLabel(evaluation.kernel), evaluation.id);
}

std::string Evidence::targets() const {
    std::set<std::string> names;
    for (const EvidenceItem& item : items) {
        names.insert(item.evaluation.verdict.target);
    }
    return join({names.begin(), names.end()}, ", ");
}

Result<Evidence> readEvidence(const CampaignStore& store, std::optional<KernelId> only) {
    Evidence evidence;
    GKS_TRY_ASSIGN(evidence.population, store.population());
    if (only && evidence.population->kernel(*only) == nullptr) {
        return usageError(fmt::format("kernel {} not found", kernelLabel(*only)), store.file().string());
    }
    GKS_TRY_ASSIGN(evidence.pack, packOfCampaign(evidence.population->settings));
    GKS_TRY_ASSIGN(evidence.steering, store.steering());
    for (const Kernel& kernel : evidence.population->kernels) {
        if (!only || kernel.id == *only) {
            GKS_TRY(addKernel(store, kernel, evidence));
        }
    }
    std::sort(evidence.items.begin(), evidence.items.end(),
              [](const EvidenceItem& a, const EvidenceItem& b) { return a.evaluation.id < b.evaluation.id; });
    // Kernels of one experiment share its exchanges.
    std::sort(evidence.exchanges.begin(), evidence.exchanges.end(),
              [](const Exchange& a, const Exchange& b) { return a.id < b.id; });
    const auto same = std::unique(evidence.exchanges.begin(), evidence.exchanges.end(),
                                  [](const Exchange& a, const Exchange& b) { return a.id == b.id; });
    evidence.exchanges.erase(same, evidence.exchanges.end());
    evidence.only = only;
    chooseSubject(evidence);
    return evidence;
}

Result<Evidence> evidenceOf(const EvaluationRequest& request, const Verdict& verdict) {
    Evidence evidence;
    GKS_TRY_ASSIGN(evidence.pack, loadProblemPack(request.problem));
    EvidenceItem item;
    item.evaluation.id = 1;
    item.evaluation.kernel = 1;
    item.evaluation.purpose = "evaluate";
    item.evaluation.lane = fmt::format("{}:{}", name(request.target), request.device);
    item.evaluation.verdict = verdict;
    item.title = "kernel";
    item.source = request.source;
    item.baselineSource = request.baseline;
    evidence.items.push_back(std::move(item));
    chooseSubject(evidence);
    return evidence;
}

void chooseSubject(Evidence& evidence) {
    evidence.subject.reset();
    if (!evidence.population) {
        evidence.subject = evidence.items.size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
    } else if (const auto kernel = evidence.only ? evidence.only : evidence.population->best) {
        evidence.subject = subjectOf(evidence.items, *kernel);
    }
}

} // namespace gks
