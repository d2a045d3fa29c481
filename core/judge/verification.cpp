// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/verification.h"

#include <fmt/format.h>

namespace gks {

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

Judged<void> Verification::runOnce(KernelTrial& trial, const VerificationCase& one, Distribution distribution,
                                   DrawnCase drawn) {
    GKS_TRY(trial.supply(drawn.inputs));
    GKS_TRY(trial.call(drawn.inputs, drawn.inputs.choose()));
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
    fact.detail = outcome->text;
    // What runs late has had the time of the comparison by now, and gets that of the inspection.
    GKS_TRY_ASSIGN(const std::string damage, trial.inspectMemory(drawn.inputs.values()));
    GKS_TRY_ASSIGN(const auto later, trial.download());
    const bool deferred = m_check.gather(one.layout, drawn.expected.selection, later) != outputs;
    if (fact.detail.empty()) {
        fact.detail = deferred ? "the outputs changed after the kernel had ended" : damage;
    }
    fact.passed = fact.detail.empty();
    m_facts.push_back(fact);
    if (fact.passed) {
        return {};
    }
    const bool onlyDeferred = deferred && outcome->text.empty();
    return refuse(
        onlyDeferred ? VerdictKind::cheatingSuspected : VerdictKind::wrong,
        fmt::format("{}, {}, {}: {}", m_pack.shapeLabel(one.layout.shape), one.phase, fact.distribution, fact.detail));
}

} // namespace gks
