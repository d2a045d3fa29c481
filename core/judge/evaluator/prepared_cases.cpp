// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/prepared_cases.h"

#include "core/base/files.h"

#include <algorithm>

namespace gks {
namespace {

// The reference is compared by its process.
std::string manifestOf(const ProblemPack& pack) {
    return readFile(pack.folder / "problem.toml").value_or(std::string());
}

} // namespace

PreparedCases::PreparedCases(const ProblemPack& pack, const Kind& kind, const std::optional<Seed>& seed,
                             EvaluationPlan plan)
    : m_pack(pack), m_packText(manifestOf(pack)), m_kind(kind), m_seed(seed), m_plan(std::move(plan)) {}

Result<std::unique_ptr<PreparedCases>> PreparedCases::plan(const ProblemPack& pack, const Kind& kind,
                                                           const std::optional<Seed>& seed) {
    GKS_TRY_ASSIGN(EvaluationPlan plan, planEvaluation(pack, kind.target, kind.shapes, seed));
    return std::unique_ptr<PreparedCases>(new PreparedCases(pack, kind, seed, std::move(plan)));
}

std::unique_ptr<PreparedCases> PreparedCases::smallestTest(bool withReversed) const {
    EvaluationPlan plan;
    plan.hasFreshInputs = m_plan.hasFreshInputs;
    const auto rank = [](const VerificationCase& one) {
        return std::pair(one.phase != phase::test, one.layout.totalBytes);
    };
    const auto smallest = std::ranges::min_element(m_plan.cases, {}, rank);
    if (smallest != m_plan.cases.end()) {
        plan.cases.push_back(*smallest);
        plan.segmentBytes = smallest->layout.totalBytes;
        plan.inputBytes = smallest->layout.inputBytes;
    }
    const auto checked = std::ranges::min_element(m_plan.reversed, {}, rank);
    if (withReversed && checked != m_plan.reversed.end()) {
        plan.reversed.push_back(*checked);
        plan.segmentBytes = std::max(plan.segmentBytes, checked->layout.totalBytes);
        plan.inputBytes = std::max(plan.inputBytes, checked->layout.inputBytes);
    }
    return std::unique_ptr<PreparedCases>(new PreparedCases(m_pack, m_kind, m_seed, std::move(plan)));
}

bool PreparedCases::serves(const ProblemPack& pack, const Kind& kind) const {
    return m_kind == kind && m_pack.folder == pack.folder && m_pack.shapes == pack.shapes && !m_packText.empty() &&
           m_packText == manifestOf(pack);
}

void PreparedCases::begin(std::shared_ptr<const Reference> reference) {
    m_stock.reset(); // of a process that has ended
    m_reference = std::move(reference);
    m_check.emplace(m_pack, m_reference, m_kind.encoding);
    m_stock.emplace(m_pack, *m_check, m_plan, m_kind.encoding);
}

} // namespace gks
