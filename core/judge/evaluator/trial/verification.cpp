// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/verification.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t warningLimitBytes = 300;

} // namespace

Judged<void> Verification::run(KernelTrial& trial, const VerificationCase& one) {
    if (!trial.isSet(one.layout)) {
        GKS_TRY(trial.setShape(one.layout));
    }
    for (const Distribution distribution : one.distributions) {
        auto drawn = m_stock.next();
        if (!drawn) {
            return refuse(drawn.error());
        }
        GKS_TRY(runOnce(trial, one, distribution, std::move(*drawn)));
    }
    return {};
}

// The first of every tensor is enough. The kernel shares its process with who notes it: it warns, and decides nothing.
void Verification::warn(const VerificationCase& one, const std::vector<PastRead>& reads) {
    std::vector<std::string>& warnings = m_verdict.warnings;
    for (const PastRead& read : reads) {
        const std::string about = fmt::format(" past the end of {} (", read.tensor);
        if (warnings.size() < runner::tensorLimit &&
            std::none_of(warnings.begin(), warnings.end(),
                         [&](const std::string& known) { return known.find(about) != std::string::npos; })) {
            const std::string warning = fmt::format("{}: {}", m_pack.shapeLabel(one.layout.shape), read.text);
            warnings.push_back(replaceAll(abbreviated(warning, warningLimitBytes), "\n", " "));
        }
    }
}

Judged<void> Verification::runOnce(KernelTrial& trial, const VerificationCase& one, Distribution distribution,
                                   DrawnCase drawn) {
    GKS_TRY(trial.supply(drawn.inputs));
    GKS_TRY_ASSIGN(const KernelTrial::Call call, trial.call(drawn.inputs, drawn.inputs.choose()));
    warn(one, call.reads);
    GKS_TRY_ASSIGN(const auto fresh, trial.download());
    const Tensors outputs = m_check.gather(one.layout, drawn.expected.selection, fresh);
    const auto outcome = m_check.check(one.layout, drawn.expected, outputs);
    if (!outcome) {
        return refuse(outcome.error());
    }
    VerificationFact fact;
    fact.shape = m_pack.namedShape(one.layout.shape);
    fact.phase = one.phase;
    fact.distribution = name(distribution);
    fact.seed = hexText(drawn.seed);
    fact.checked = outcome->comparison.checked;
    fact.maxAbsoluteError = outcome->comparison.maxAbsoluteError;
    fact.maxRelativeError = outcome->comparison.maxRelativeError;
    fact.detail = outcome->text + (outcome->text.empty() || call.race.empty() ? "" : "; ") + call.race;
    fact.outputs = m_check.coverage(one.layout, drawn.expected.selection);
    // What runs late has had the time of the comparison by now, and gets that of the inspection.
    GKS_TRY_ASSIGN(const std::string damage, trial.inspectMemory(drawn.inputs.values()));
    GKS_TRY_ASSIGN(const auto later, trial.download());
    const bool deferred = m_check.gather(one.layout, drawn.expected.selection, later) != outputs;
    if (fact.detail.empty()) {
        fact.detail = deferred ? "the outputs changed after the kernel had ended" : damage;
    }
    fact.passed = fact.detail.empty();
    m_verdict.verification.push_back(fact);
    if (fact.passed) {
        return {};
    }
    const bool onlyDeferred = deferred && outcome->text.empty() && call.race.empty();
    return refuse(
        onlyDeferred ? VerdictKind::cheatingSuspected : VerdictKind::wrong,
        fmt::format("{}, {}, {}: {}", m_pack.shapeLabel(one.layout.shape), one.phase, fact.distribution, fact.detail));
}

} // namespace gks
