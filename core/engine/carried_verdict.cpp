// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/carried_verdict.h"

#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/folder_job.h"
#include "core/report/recomputation.h"
#include "core/report/record_check.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t sentenceLimitBytes = 4096;
constexpr const char* carried = "result";

tl::unexpected<Error> notOfIt(std::string what) {
    return usageError(std::move(what), carried);
}

// Nothing of it is counted but that it failed, and why.
Verdict failedThere(const Verdict& verdict, const EvaluationRequest& request, const ProblemPack& pack) {
    Verdict failed;
    failed.reason = abbreviated(verdict.reason, sentenceLimitBytes);
    failed.next = abbreviated(verdict.next, sentenceLimitBytes);
    failed.deviceTrouble = verdict.deviceTrouble;
    failed.target = name(request.target);
    failed.problem = pack.name;
    failed.kernelSha256 = sha256Hex(request.source);
    failed.device = abbreviated(verdict.device, sentenceLimitBytes);
    return failed;
}

Result<void> checkConditions(const Verdict& verdict, const EvaluationRequest& request, const ProblemPack& pack) {
    if (verdict.kernelSha256 != sha256Hex(request.source)) {
        return notOfIt("its verdict is of another kernel");
    }
    if (verdict.target != name(request.target) || verdict.problem != pack.name) {
        return notOfIt(fmt::format("its verdict is of {} on {}, not of {} on {}", quotation(verdict.problem),
                                   quotation(verdict.target), pack.name, name(request.target)));
    }
    if (verdict.rules != currentRules) {
        return notOfIt(
            fmt::format("it was judged by rules {}, this program has rules {}", verdict.rules, currentRules));
    }
    const EvaluationConditions asked = {std::string(name(request.shapes)), request.measureSeconds,
                                        request.timeoutSeconds, request.flushBytes, request.compilerOptions};
    if (verdict.conditions != asked) {
        return notOfIt("it was evaluated under other conditions than the job asks for");
    }
    if (isAccepted(verdict.kind) && verdict.comparison.has_value() != request.baseline.has_value()) {
        return notOfIt(request.baseline ? "the comparison is missing" : "it compares with a kernel nobody named");
    }
    if (verdict.comparison && verdict.comparison->tieMarginPercent != request.tieMarginPercent) {
        return notOfIt("it calls another margin a tie than the job");
    }
    return {};
}

Result<void> checkEvidence(const Verdict& verdict, const EvaluationRequest& request, const ProblemPack& pack) {
    EvidenceItem item;
    item.evaluation.verdict = verdict;
    item.source = request.source;
    item.baselineSource = request.baseline;
    Claims claims = checkRecord(item, pack, true);
    if (isAccepted(verdict.kind)) {
        const Claims again = recompute(verdict, carried);
        claims.insert(claims.end(), again.begin(), again.end());
    }
    const auto bad = std::find_if(claims.begin(), claims.end(),
                                  [](const Claim& claim) { return claim.outcome == Outcome::differs; });
    if (bad == claims.end()) {
        return {};
    }
    return notOfIt(fmt::format("its verdict does not fit its evidence: {}: {}, but {}: {}", bad->what,
                               quotation(bad->claimed), quotation(bad->found), bad->why));
}

// An anchor's source is the pack's, not the request's.
Result<EvaluationRequest> withSource(EvaluationRequest request, const ProblemPack& pack) {
    if (request.anchor.empty()) {
        return request;
    }
    const auto anchor = std::find_if(pack.anchors.begin(), pack.anchors.end(),
                                     [&](const AnchorSpec& one) { return one.name == request.anchor; });
    if (anchor == pack.anchors.end()) {
        return notOfIt("the problem pack has no such anchor");
    }
    GKS_TRY_ASSIGN(request.source, readFile(anchor->path));
    return request;
}

} // namespace

Result<Verdict> carriedVerdict(std::string_view text, const std::string& job, const EvaluationRequest& request,
                               const ProblemPack& pack) {
    GKS_TRY_ASSIGN(FolderResult result, resultFromText(text, carried));
    if (result.job != job) {
        return notOfIt("is of another job than its name says");
    }
    if (result.content != job) {
        return usageError("the job had arrived damaged on the other machine", carried, "Copy the job there again");
    }
    return checkedVerdict(std::move(result.verdict), request, pack);
}

Result<Verdict> checkedVerdict(Verdict verdict, const EvaluationRequest& request, const ProblemPack& pack) {
    if (verdict.kind == VerdictKind::infrastructureFailed) {
        return failedThere(verdict, request, pack);
    }
    GKS_TRY_ASSIGN(const EvaluationRequest whole, withSource(request, pack));
    GKS_TRY(checkConditions(verdict, whole, pack));
    GKS_TRY(checkEvidence(verdict, whole, pack));
    return verdict;
}

} // namespace gks
