// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record_check.h"

#include "core/base/hash.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/timed_threads.h"
#include "core/report/bundle.h"
#include "core/report/headline.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string_view>

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
    RecordChecker(const EvidenceItem& item, const ProblemPack& pack, bool isClaim, Claims& claims)
        : m_item(item)
        , m_verdict(item.evaluation.verdict)
        , m_pack(pack)
        , m_isClaim(isClaim)
        , m_claims(claims, verdictPath(item)) {}

    void run() {
        m_claims.same("source", m_verdict.kernelSha256, sha256Hex(m_item.source),
                      "the verdict belongs to a different source");
        checkBaseline();
        if (!isAccepted(m_verdict.kind)) {
            return; // it may have ended before anything of this was known
        }
        m_claims.same("problem", m_verdict.problem, m_pack.name, "the problem pack beside it is another one");
        checkDevice();
        checkRules();
        checkPlan();
    }

private:
    void checkBaseline() {
        if (m_verdict.comparison) {
            m_claims.same("source of the comparison kernel", m_verdict.comparison->baselineSha256,
                          m_item.baselineSource ? sha256Hex(*m_item.baselineSource) : "none",
                          "the comparison belongs to a different comparison kernel");
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
        checkThreads();
        if (m_verdict.build.toolchain.empty()) {
            m_claims.differ("toolchain", "-", "-", "a kernel that ran was built with something");
        }
        if (const auto& flushed = m_verdict.conditions.flushBytes) {
            m_claims.add(Outcome::notTested, "cache flush", formatBytes(*flushed), "-",
                         cacheFlushText(m_verdict.conditions));
        }
    }

    // How many threads a kernel gets follows from the processors that may be used, which the device's name ends with.
    void checkThreads() {
        const auto timed = m_verdict.environment.find("timed_threads");
        const auto count = m_verdict.environment.find("cpu_count");
        const std::size_t bracket = m_verdict.device.rfind('(');
        if (m_verdict.target != name(TargetKind::cpu) || m_verdict.rules != currentRules ||
            timed == m_verdict.environment.end() || bracket == std::string::npos) {
            return;
        }
        const int usable = numberIn(std::string_view(m_verdict.device).substr(bracket + 1));
        m_claims.same("timed threads", timed->second, std::to_string(timedThreadsOf(usable)),
                      fmt::format("a kernel gets so many of the {} processors of this device", usable));
        if (count != m_verdict.environment.end() && numberIn(count->second) < usable) {
            m_claims.differ("cpu_count", count->second, std::to_string(usable),
                            "the device has more processors than its machine");
        }
    }

    static int numberIn(std::string_view text) {
        int number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number;
    }

    // An earlier version asked for less. What it left out may be asked again, but not of its plans.
    void checkRules() {
        const std::string claimed = fmt::format("rules {}", m_verdict.rules);
        const std::string here = fmt::format("rules {}", currentRules);
        if (m_verdict.rules < firstRules) {
            m_claims.differ("rules", claimed, here, "no version judged by these");
        } else if (m_verdict.rules != currentRules) {
            const bool isTestedAnew = m_verdict.rules < currentRules && !m_verdict.plans;
            m_claims.add(m_isClaim && !isTestedAnew ? Outcome::notTested : Outcome::noted, "rules", claimed, here,
                         m_verdict.rules < currentRules
                             ? "an earlier version asked for fewer checks; evaluate asks for all"
                             : "a later version may ask for checks that this one does not know");
        }
    }

    // Shapes and checks follow from the pack, the target, the choice of shapes and what the verdict drew.
    void checkPlan() {
        const auto plan = evaluationPlanOf(m_verdict, m_pack);
        if (!plan) {
            m_claims.differ("shapes", m_verdict.conditions.shapes, m_verdict.target, plan.error().message());
            return;
        }
        if (m_verdict.shapeSeed.empty() && m_verdict.rules >= shapeSeedRules) {
            m_claims.differ("shapes drawn", "none", "a seed", "every evaluation draws shapes and says from what");
        }
        checkShapes(*plan);
        checkCases(*plan);
        checkUnasked(*plan);
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

    bool isOf(const VerificationFact& fact, const DueCheck& due) const {
        return fact.phase == due.phase && (!due.distribution || fact.distribution == name(*due.distribution)) &&
               fact.shape == m_pack.namedShape(due.layout->shape);
    }

    // A card's reference may not follow all calls of a round; some of each it does.
    int callsFor(const DueCheck& due) const {
        const MeasurementFact* const timed = timedOf(due);
        if (timed == nullptr || due.phase != phase::everyTimedCall) {
            return 1;
        }
        return due.ofEveryTimedCall ? timed->samples : std::max(1, static_cast<int>(timed->roundBlocks.size()));
    }

    const MeasurementFact* timedOf(const DueCheck& due) const {
        const auto timed = std::find_if(
            m_verdict.measurements.begin(), m_verdict.measurements.end(),
            [&](const MeasurementFact& fact) { return fact.shape == m_pack.namedShape(due.layout->shape); });
        return timed != m_verdict.measurements.end() ? &*timed : nullptr;
    }

    void noteUnprobed(const DueCheck& due, const VerificationFact& fact) {
        const MeasurementFact* const timed = timedOf(due);
        if (due.phase == phase::everyTimedCall && timed != nullptr && fact.calls < timed->samples) {
            m_claims.add(Outcome::noted, "probed calls", fmt::format("{} of {}", fact.calls, timed->samples),
                         "drawn by lot",
                         "the reference could not follow the card on " + shapeLabel(m_pack, fact.shape));
        }
    }

    void checkCases(const EvaluationPlan& plan) {
        std::size_t expected = 0;
        std::size_t found = 0;
        std::string missing;
        for (const DueCheck& due : dueChecks(plan)) {
            if (due.since > m_verdict.rules) {
                continue;
            }
            ++expected;
            const auto fact =
                std::find_if(m_verdict.verification.begin(), m_verdict.verification.end(), [&](const auto& one) {
                    return isOf(one, due) && one.passed && one.checked > 0 && one.calls >= callsFor(due);
                });
            const bool isThere = fact != m_verdict.verification.end();
            found += isThere ? 1 : 0;
            if (isThere) {
                noteUnprobed(due, *fact);
            }
            if (!isThere && missing.empty()) {
                missing = fmt::format("{}, {}{}", m_pack.shapeLabel(due.layout->shape), due.phase,
                                      due.distribution ? fmt::format(", {}", name(*due.distribution)) : "");
            }
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

    // A shape that was never due says nothing, and looks as if it did. Earlier versions do not say what they drew.
    void checkUnasked(const EvaluationPlan& plan) {
        const std::vector<DueCheck> due = dueChecks(plan);
        for (const VerificationFact& fact : m_verdict.verification) {
            const bool isKnownPhase =
                fact.phase == phase::heldOutDrawn ||
                std::any_of(due.begin(), due.end(), [&](const DueCheck& one) { return one.phase == fact.phase; });
            const bool isDue =
                std::any_of(due.begin(), due.end(), [&](const DueCheck& one) { return isOf(fact, one); });
            if (m_verdict.rules >= shapeSeedRules && isKnownPhase && !isDue) {
                m_claims.differ("checks", fmt::format("{}, {}", shapeLabel(m_pack, fact.shape), fact.phase), "not due",
                                "neither the problem pack nor the seed of the drawn shapes asks for it");
                return;
            }
        }
    }

    const EvidenceItem& m_item;
    const Verdict& m_verdict;
    const ProblemPack& m_pack;
    bool m_isClaim;
    ClaimWriter m_claims;
};

} // namespace

Result<EvaluationPlan> evaluationPlanOf(const Verdict& verdict, const ProblemPack& pack) {
    GKS_TRY_ASSIGN(const TargetKind target, targetFromName(verdict.target));
    GKS_TRY_ASSIGN(const ShapeChoice choice, shapeChoiceFromName(verdict.conditions.shapes));
    GKS_TRY_ASSIGN(const std::optional<Seed> seed, shapeSeedFromText(verdict.shapeSeed));
    return planEvaluation(pack, target, choice, seed);
}

Claims checkRecord(const EvidenceItem& item, const ProblemPack& pack, bool isClaim) {
    Claims claims;
    RecordChecker(item, pack, isClaim, claims).run();
    return claims;
}

} // namespace gks
