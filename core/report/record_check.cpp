// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record_check.h"

#include "core/base/hash.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/report/bundle.h"
#include "core/report/headline.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

using NamedShape = std::map<std::string, std::int64_t>;

std::string joined(const ProblemPack& pack, const std::vector<NamedShape>& shapes) {
    std::vector<std::string> labels;
    for (const NamedShape& shape : shapes) {
        labels.push_back(shapeLabel(pack, shape));
    }
    return join(labels, "; ");
}

class RecordChecker {
public:
    RecordChecker(const EvidenceItem& item, const ProblemPack& pack, Claims& claims)
        : m_item(item), m_verdict(item.evaluation.verdict), m_pack(pack), m_claims(claims, verdictPath(item)) {}

    void run() {
        m_claims.same("source", m_verdict.kernelSha256, sha256Hex(m_item.source),
                      "the verdict is of another source than the one beside it");
        checkBaseline();
        if (!isAccepted(m_verdict.kind)) {
            return; // it may have ended before anything of this was known
        }
        m_claims.same("problem", m_verdict.problem, m_pack.name, "the problem pack beside it is another one");
        checkDevice();
        checkPlan();
    }

private:
    void checkBaseline() {
        if (m_verdict.comparison) {
            m_claims.same("source of the baseline", m_verdict.comparison->baselineSha256,
                          m_item.baselineSource ? sha256Hex(*m_item.baselineSource) : "none",
                          "the comparison is with another baseline than the one beside it");
        }
    }

    // On the cpu target the device is the processor, which the environment names too.
    void checkDevice() {
        const auto cpu = m_verdict.environment.find("cpu");
        if (m_verdict.device.empty()) {
            m_claims.differ("device", "-", "-", "an accepted kernel was measured on a device, which has a name");
        } else if (m_verdict.target == name(TargetKind::cpu) && cpu != m_verdict.environment.end()) {
            const bool agrees = m_verdict.device.starts_with(cpu->second);
            m_claims.add(agrees ? Outcome::agrees : Outcome::differs, "device", m_verdict.device, cpu->second,
                         agrees ? "" : "the environment of the verdict names another processor");
        }
        if (m_verdict.build.toolchain.empty()) {
            m_claims.differ("toolchain", "-", "-", "a kernel that ran was built with something");
        }
        if (const auto& flushed = m_verdict.conditions.flushBytes) {
            m_claims.add(Outcome::notTested, "cache flush", formatBytes(*flushed), "-",
                         cacheFlushText(m_verdict.conditions));
        }
    }

    // Shapes and checks follow from the pack, the target and the choice of shapes.
    void checkPlan() {
        const auto target = targetFromName(m_verdict.target);
        const auto choice = shapeChoiceFromName(m_verdict.conditions.shapes);
        if (!target || !choice) {
            m_claims.differ("shapes", m_verdict.conditions.shapes, m_verdict.target,
                            (target ? choice.error() : target.error()).message());
            return;
        }
        const auto plan = planEvaluation(m_pack, *target, *choice);
        if (!plan) {
            m_claims.differ("shapes", m_verdict.conditions.shapes, "no plan", plan.error().message());
            return;
        }
        checkShapes(*plan);
        checkCases(*plan);
    }

    void checkShapes(const EvaluationPlan& plan) {
        std::vector<NamedShape> claimed;
        std::vector<NamedShape> expected;
        for (const MeasurementFact& fact : m_verdict.measurements) {
            claimed.push_back(fact.shape);
        }
        for (const CaseLayout& layout : plan.measured) {
            expected.push_back(m_pack.namedShape(layout.shape));
        }
        const bool agrees = claimed == expected;
        m_claims.add(
            agrees ? Outcome::agrees : Outcome::differs, "shapes", joined(m_pack, claimed), joined(m_pack, expected),
            agrees ? "" : fmt::format("'{}' of this problem pack measures other shapes", m_verdict.conditions.shapes));
    }

    void checkCases(const EvaluationPlan& plan) {
        std::size_t expected = 0;
        std::size_t found = 0;
        std::string missing;
        const auto expect = [&](const Shape& shape, const std::string& phase, std::string_view distribution) {
            const NamedShape named = m_pack.namedShape(shape);
            const auto at = std::find_if(
                m_verdict.verification.begin(), m_verdict.verification.end(), [&](const VerificationFact& fact) {
                    return fact.shape == named && fact.phase == phase && fact.distribution == distribution &&
                           fact.passed && fact.checked > 0;
                });
            ++expected;
            if (at != m_verdict.verification.end()) {
                ++found;
            } else if (missing.empty()) {
                missing = fmt::format("{}, {}, {}", m_pack.shapeLabel(shape), phase, distribution);
            }
        };
        for (const auto* cases : {&plan.cases, &plan.reversed}) {
            for (const VerificationCase& one : *cases) {
                for (const Distribution distribution : one.distributions) {
                    if (one.since > m_verdict.rules) {
                        continue;
                    }
                    expect(one.layout.shape, one.phase, name(distribution));
                }
            }
        }
        for (const CaseLayout& layout : plan.measured) {
            expect(layout.shape, std::string(phase::timedCall), name(Distribution::asDeclared));
        }
        const std::string claimed = fmt::format("{} checks passed", m_verdict.verification.size());
        if (missing.empty()) {
            m_claims.add(Outcome::agrees, "checks", claimed,
                         fmt::format("all {} that this problem pack asks for", expected));
        } else {
            m_claims.differ("checks", claimed, fmt::format("{} of {} that this problem pack asks for", found, expected),
                            "missing: " + missing);
        }
    }

    const EvidenceItem& m_item;
    const Verdict& m_verdict;
    const ProblemPack& m_pack;
    ClaimWriter m_claims;
};

} // namespace

Claims checkRecord(const EvidenceItem& item, const ProblemPack& pack) {
    Claims claims;
    RecordChecker(item, pack, claims).run();
    return claims;
}

} // namespace gks
