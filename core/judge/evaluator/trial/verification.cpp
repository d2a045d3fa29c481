// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/verification.h"

#include "core/base/text.h"
#include "core/judge/evaluator/trial/access_findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <thread>

namespace gks {
namespace {

constexpr std::size_t warningLimitBytes = 300;

using Outputs = std::vector<std::span<const std::byte>>; // in the order of the pack

Judged<Outputs> outputsOf(KernelTrial& trial, const CaseLayout& layout) {
    if (Outputs standing = trial.standingOutputs(); !standing.empty()) {
        return standing;
    }
    return trial.download().map([&](std::span<const std::byte> segment) { return outputsIn(layout, segment); });
}

} // namespace

Judged<void> Verification::run(const EvaluationPlan& plan, const Trials& trials, const Tell& tell) {
    for (const auto* cases : {&plan.cases, &plan.reversed}) {
        for (const VerificationCase& one : *cases) {
            Case& added = m_cases.emplace_back();
            added.one = &one;
            added.isReversed = cases == &plan.reversed;
        }
    }
    {
        std::vector<std::jthread> beside;
        for (std::size_t i = 1; i < trials.forward.size(); ++i) {
            beside.emplace_back([&, forward = trials.forward[i]] { work(*forward, trials.reversed, tell); });
        }
        work(*trials.forward.front(), trials.reversed, tell);
    }
    for (Case& one : m_cases) {
        warn(*one.one, one.reads);
        add(one.diagnostics);
        std::ranges::move(one.facts, std::back_inserter(m_verdict.verification));
        if (!one.outcome) {
            m_failedIn = one.ranIn;
            if (trials.reversed != nullptr && m_verdict.diagnostics.empty()) {
                diagnose(plan, *trials.reversed, one.outcome.error());
            }
            return one.outcome;
        }
    }
    return {};
}

void Verification::work(KernelTrial& forward, KernelTrial* reversed, const Tell& tell) {
    bool mayReverse = false;
    while (Case* const taken = take(mayReverse, tell)) {
        mayReverse = taken->isReversed;
        KernelTrial& trial = taken->isReversed ? *reversed : forward;
        taken->ranIn = &trial;
        taken->outcome = taken->outcome.and_then([&] { return runCase(trial, *taken); });
        const std::scoped_lock lock(m_mutex);
        m_hasFailed = m_hasFailed || !taken->outcome;
        if (const std::string looked = trial.raceCheck(); !looked.empty()) {
            tell.races(*taken->one, looked);
        }
        if (taken->isReversed && tell.printed) {
            tell.printed(trial.printed());
        }
    }
}

// The next case with what is drawn for it; the stock hands it out in the order of the plan. Null when there is none or
// one has failed: all before that one have been taken.
Verification::Case* Verification::take(bool mayReverse, const Tell& tell) {
    const std::scoped_lock lock(m_mutex);
    if (m_hasFailed || m_next == m_cases.size()) {
        return nullptr;
    }
    Case& next = m_cases[m_next];
    if (next.isReversed && m_isReversedBusy && !mayReverse) {
        return nullptr;
    }
    m_isReversedBusy = next.isReversed;
    tell.begun(static_cast<double>(m_next) / static_cast<double>(m_cases.size()), *next.one);
    ++m_next;
    for (std::size_t i = 0; i < next.one->distributions.size(); ++i) {
        auto drawn = m_stock.next();
        if (!drawn) {
            next.outcome = refuse(drawn.error());
            break;
        }
        next.draws.push_back(std::move(*drawn));
    }
    return &next;
}

Judged<void> Verification::runCase(KernelTrial& trial, Case& of) const {
    if (!trial.isSet(of.one->layout)) {
        GKS_TRY(trial.setShape(of.one->layout));
    }
    for (DrawnCase& drawn : of.draws) {
        GKS_TRY(runOnce(trial, of, std::move(drawn)));
    }
    return {};
}

void Verification::takeDiagnostics(const KernelTrial& trial, Case& of) {
    std::ranges::move(trial.diagnostics(), std::back_inserter(of.diagnostics));
}

// Several shapes have the same fault.
void Verification::add(const std::vector<AccessFinding>& diagnostics) {
    for (const AccessFinding& diagnostic : diagnostics) {
        const bool isKnown = std::ranges::any_of(m_verdict.diagnostics, [&](const AccessFinding& known) {
            return known.kind == diagnostic.kind && known.file == diagnostic.file && known.line == diagnostic.line &&
                   known.column == diagnostic.column;
        });
        if (!isKnown && m_verdict.diagnostics.size() < frozen::findingLimit) {
            m_verdict.diagnostics.push_back(diagnostic);
        }
    }
}

// A kernel has failed where nobody looks at its accesses: the smallest shape that is measured once more where somebody
// does. What comes out of that says why, and changes nothing of the verdict's kind.
void Verification::diagnose(const EvaluationPlan& plan, KernelTrial& checked, Refusal& refusal) {
    const bool isOfKernel = refusal.kind == VerdictKind::wrong || refusal.kind == VerdictKind::crashed ||
                            refusal.kind == VerdictKind::timedOut;
    if (!isOfKernel || plan.measured.empty()) {
        return;
    }
    const auto smallest = std::ranges::min_element(plan.measured, {}, &CaseLayout::totalBytes);
    auto drawn = m_stock.unannounced(static_cast<std::size_t>(smallest - plan.measured.begin()));
    if (!drawn || !checked.setShape(*smallest) || !checked.supply(drawn->inputs)) {
        return;
    }
    (void)checked.call(drawn->inputs, drawn->inputs.choose());
    add(checked.diagnostics());
    if (!m_verdict.diagnostics.empty()) {
        refusal.reason +=
            fmt::format("; {}: {}", m_pack.shapeLabel(smallest->shape), m_verdict.diagnostics.front().message);
    }
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

Judged<void> Verification::runOnce(KernelTrial& trial, Case& of, DrawnCase drawn) const {
    const VerificationCase& one = *of.one;
    GKS_TRY(trial.supply(drawn.inputs));
    const auto called = trial.call(drawn.inputs, drawn.inputs.choose());
    takeDiagnostics(trial, of);
    if (!called) {
        return tl::unexpected(called.error());
    }
    const KernelTrial::Call& call = *called;
    const auto fault = std::ranges::find_if(of.diagnostics, decides);
    const std::string access = fault == of.diagnostics.end() ? std::string() : fault->message;
    std::ranges::copy(call.reads, std::back_inserter(of.reads));
    GKS_TRY_ASSIGN(const auto fresh, outputsOf(trial, one.layout));
    const Tensors outputs = m_check.gather(drawn.expected.selection, fresh);
    const auto outcome = m_check.check(one.layout, drawn.expected, outputs);
    if (!outcome) {
        return refuse(outcome.error());
    }
    VerificationFact fact;
    fact.shape = m_pack.namedShape(one.layout.shape);
    fact.phase = one.phase;
    fact.distribution = name(drawn.distribution);
    fact.seed = hexText(drawn.seed);
    fact.checked = outcome->comparison.checked;
    fact.maxAbsoluteError = outcome->comparison.maxAbsoluteError;
    fact.maxRelativeError = outcome->comparison.maxRelativeError;
    fact.detail = outcome->text + (outcome->text.empty() || access.empty() ? "" : "; ") + access;
    fact.outputs = m_check.coverage(one.layout, drawn.expected.selection);
    // What runs late has had the time of the comparison by now, and gets that of the inspection.
    GKS_TRY_ASSIGN(const std::string damage, trial.inspectMemory(drawn.inputs.values()));
    GKS_TRY_ASSIGN(const auto later, outputsOf(trial, one.layout));
    const bool deferred = !m_check.isSame(drawn.expected.selection, later, outputs);
    if (fact.detail.empty()) {
        fact.detail = deferred ? "the outputs changed after the kernel had finished" : damage;
    }
    fact.passed = fact.detail.empty();
    of.facts.push_back(fact);
    if (fact.passed) {
        return {};
    }
    if (m_misses != nullptr && !outcome->text.empty() && !deferred && damage.empty()) {
        m_misses->add(outcome->comparison);
        return {};
    }
    const bool onlyDeferred = deferred && outcome->text.empty() && access.empty();
    return refuse(
        onlyDeferred ? VerdictKind::cheatingSuspected : VerdictKind::wrong,
        fmt::format("{}, {}, {}: {}", m_pack.shapeLabel(one.layout.shape), one.phase, fact.distribution, fact.detail));
}

} // namespace gks
