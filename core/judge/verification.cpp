// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/verification.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

// The outputs as they were read; the segment is overwritten by the next read-back.
std::vector<std::byte> copyOf(std::span<const std::byte> outputs, const CaseLayout& layout) {
    return {outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(layout.totalBytes)};
}

bool sameOutputs(std::span<const std::byte> a, std::span<const std::byte> b, const CaseLayout& layout) {
    return std::all_of(layout.places.begin(), layout.places.end(), [&](const runner::Place& place) {
        const std::size_t at = place.offset + runner::guardBytes;
        return place.isOutput == 0 ||
               std::ranges::equal(a.subspan(at, place.dataBytes), b.subspan(at, place.dataBytes));
    });
}

} // namespace

Judged<void> Verification::run(KernelTrial& trial, const VerificationCase& one) {
    if (!trial.isSet(one.layout)) {
        GKS_TRY(trial.setShape(one.layout));
    }
    for (const Distribution distribution : one.distributions) {
        GKS_TRY(runOnce(trial, one, distribution));
    }
    return {};
}

Judged<void> Verification::runOnce(KernelTrial& trial, const VerificationCase& one, Distribution distribution) {
    const Seed seed = randomSeed();
    auto inputs = drawInputs(m_pack, one.layout, seed, distribution, m_encoding);
    if (!inputs) {
        return refuse(inputs.error());
    }
    GKS_TRY(trial.call(*inputs));
    GKS_TRY_ASSIGN(const auto fresh, trial.download());
    const std::vector<std::byte> outputs = copyOf(fresh, one.layout);
    auto outcome = m_check.check(one.layout, *inputs, outputs, one.everything);
    if (!outcome) {
        return refuse(outcome.error());
    }
    VerificationFact fact;
    fact.shape = m_pack.namedShape(one.layout.shape);
    fact.phase = one.phase;
    fact.distribution = name(distribution);
    fact.seed = hexText(seed);
    fact.checked = outcome->comparison.checked;
    fact.maxAbsoluteError = outcome->comparison.maxAbsoluteError;
    fact.maxRelativeError = outcome->comparison.maxRelativeError;
    fact.detail = outcome->text;
    // Everything that runs late has had the time of the comparison by now.
    GKS_TRY_ASSIGN(const std::string damage, trial.inspectMemory(*inputs));
    GKS_TRY_ASSIGN(const auto later, trial.download());
    const bool deferred = !sameOutputs(outputs, later, one.layout);
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
