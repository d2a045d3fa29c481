// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/judge/recorded_plans.h"
#include "core/report/headline.h"
#include "core/report/machine_facts.h"
#include "core/report/plan_evidence.h"
#include "core/report/replay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

// A new evaluation is the only thing that a forger of the whole bundle cannot prepare. So it decides: a kernel is
// faster when it is measured as faster. What it cannot decide it says.
namespace gks {
namespace {

// Times of two runs differ by clock and load, on shared cores by much. Beyond this they are not of one machine.
constexpr double timeFactorOnCpu = 5;
constexpr double timeFactorOnGpu = 2;
// Ratios are paired and hold from run to run; of a gain that is real more than this share comes back, in logarithms.
constexpr double leastShareOfGain = 0.5;
// From run to run a ratio moves by more than its interval says, by some per cent: the placement of memory, the clock.
// The ends of two intervals that lie further apart are not of one kernel and one machine.
constexpr double farApart = 1.05;
constexpr double longerFactor = 4;
constexpr std::size_t factsLimitBytes = 400;

class Reproduction {
public:
    Reproduction(const Verdict& recorded, const Verdict& again, Claims& claims, const std::string& where)
        : m_recorded(recorded), m_again(again), m_claims(claims, where) {}

    void run() {
        const bool sameDevice = m_recorded.target == m_again.target && m_recorded.device == m_again.device;
        if (sameDevice) {
            comparePlans(m_recorded, m_again, m_claims);
        }
        if (m_again.kind == VerdictKind::infrastructureFailed) {
            m_claims.add(Outcome::notTested, "measured again", std::string(name(m_recorded.kind)),
                         fmt::format("{}: {}", name(m_again.kind), m_again.reason),
                         "the claim was not tested here. " + m_again.next);
            return;
        }
        if (!checkCorrectness(sameDevice) || !isAccepted(m_recorded.kind)) {
            return;
        }
        checkStaticReport();
        checkCoverage();
        checkDrawn();
        checkWarnings();
        if (!sameDevice) {
            m_claims.add(Outcome::notTested, "measured again: device", deviceOf(m_recorded), deviceOf(m_again),
                         fmt::format("the claim '{}' was not tested: this is another device", claimOf(m_recorded)));
            return;
        }
        m_claims.add(Outcome::agrees, "measured again: device", deviceOf(m_recorded), deviceOf(m_again));
        noteCircumstances();
        if (!isOfThisMachine() || !isOfThisToolchain()) {
            return;
        }
        checkTime();
        if (m_recorded.comparison) {
            checkComparison();
        }
    }

private:
    static std::string deviceOf(const Verdict& verdict) {
        return verdict.device.empty() ? "no device" : verdict.device;
    }
    static std::string claimOf(const Verdict& verdict) {
        return verdict.comparison ? comparisonText(*verdict.comparison) : std::string(name(verdict.kind));
    }

    // True when times may be looked at.
    bool checkCorrectness(bool sameDevice) {
        const bool accepted = isAccepted(m_recorded.kind);
        const bool agrees = accepted == isAccepted(m_again.kind) && (accepted || m_recorded.kind == m_again.kind);
        const std::string claimed = accepted ? "right" : std::string(name(m_recorded.kind));
        const std::string found =
            isAccepted(m_again.kind) ? "right" : fmt::format("{}: {}", name(m_again.kind), m_again.reason);
        if (agrees) {
            m_claims.add(Outcome::agrees, "checked again: results", claimed, found);
            return true;
        }
        const bool ofTheDevice = !sameDevice && m_again.kind != VerdictKind::wrong &&
                                 m_again.kind != VerdictKind::cheatingSuspected && !isAccepted(m_again.kind);
        if (ofTheDevice) {
            m_claims.add(Outcome::notTested, "checked again: results", claimed, found,
                         fmt::format("the claim '{}' was not tested: it does not run on this other device, {}",
                                     claimOf(m_recorded), deviceOf(m_again)));
        } else {
            m_claims.differ("checked again: results", claimed, found, "with fresh inputs the judge says otherwise");
        }
        return false;
    }

    // The same compilers make the same code object of the same source.
    void checkStaticReport() {
        if (!m_recorded.staticReport || m_recorded.build.toolchain != m_again.build.toolchain) {
            return;
        }
        const bool agrees = m_recorded.staticReport == m_again.staticReport;
        m_claims.add(agrees ? Outcome::agrees : Outcome::differs, "built again: static report",
                     factsOf(*m_recorded.staticReport),
                     m_again.staticReport ? factsOf(*m_again.staticReport) : "no static report",
                     agrees ? "" : "the same toolchain reports something else of this source");
    }

    // What differs most often, as far as there is room; the comparison is of the whole report.
    static std::string factsOf(const StaticReport& report) {
        std::vector<std::string> kernels;
        for (const KernelResources& kernel : report.kernels) {
            std::vector<std::string> products;
            for (const auto& [type, count] : kernel.multiplies) {
                products.push_back(fmt::format("{} {}", count, type));
            }
            kernels.push_back(fmt::format("{}: {} VGPRs, {} SGPRs, {} bytes of code, products {}", kernel.name,
                                          kernel.vgprs, kernel.sgprs, kernel.codeBytes,
                                          products.empty() ? "none" : join(products, " ")));
        }
        return abbreviated(kernels.empty() ? "no kernel" : join(kernels, "; "), factsLimitBytes);
    }

    // How much of an output is compared is the judge's rule, not the kernel's merit: "all" must be all here too.
    void checkCoverage() {
        std::size_t tested = 0;
        for (const VerificationFact& claimed : m_recorded.verification) {
            const auto same = std::find_if(m_again.verification.begin(), m_again.verification.end(),
                                           [&](const VerificationFact& fact) {
                                               return fact.shape == claimed.shape && fact.phase == claimed.phase &&
                                                      fact.distribution == claimed.distribution;
                                           });
            if (same == m_again.verification.end()) {
                continue;
            }
            for (const OutputCoverage& output : claimed.outputs) {
                const auto found =
                    std::find_if(same->outputs.begin(), same->outputs.end(),
                                 [&](const OutputCoverage& other) { return other.output == output.output; });
                if (found == same->outputs.end()) {
                    continue;
                }
                ++tested;
                const bool claimsAll = output.isWhole() && !found->isWhole();
                if (claimsAll || output.elements != found->elements) {
                    m_claims.differ("checked again: coverage", coverageText(output), coverageText(*found),
                                    fmt::format("of {}, {}", output.output, claimed.phase));
                    return;
                }
            }
        }
        if (tested > 0) {
            m_claims.add(Outcome::agrees, "checked again: coverage", fmt::format("{} outputs", tested),
                         "what is compared in full is compared in full here");
        }
    }

    static std::set<std::map<std::string, std::int64_t>> drawnIn(const Verdict& verdict) {
        std::set<std::map<std::string, std::int64_t>> shapes;
        for (const VerificationFact& fact : verdict.verification) {
            if (fact.phase == phase::heldOutDrawn) {
                shapes.insert(fact.shape);
            }
        }
        return shapes;
    }

    // Shapes of the recorded evaluation alone: verified again where its plans are executed.
    void checkDrawn() {
        const auto claimed = drawnIn(m_recorded);
        const auto found = drawnIn(m_again);
        const bool sameSeed = !m_recorded.shapeSeed.empty() && m_recorded.shapeSeed == m_again.shapeSeed;
        if (claimed.empty() && found.empty()) {
            return;
        }
        const auto text = [](const auto& shapes) { return fmt::format("{} shapes", shapes.size()); };
        if (claimed == found) {
            m_claims.add(Outcome::agrees, "checked again: drawn shapes", text(claimed), text(found));
        } else if (m_recorded.plans) {
            m_claims.add(sameSeed ? Outcome::differs : Outcome::notTested, "checked again: drawn shapes", text(claimed),
                         text(found),
                         sameSeed ? "from the seed of the record follow other shapes"
                                  : "an earlier version did not record what they were drawn from");
        } else {
            m_claims.add(Outcome::noted, "checked again: drawn shapes", text(claimed), text(found),
                         "without recorded plans other shapes are drawn");
        }
    }

    static std::string coverageText(const OutputCoverage& output) {
        return fmt::format("{} of {} elements", output.compared, output.elements);
    }

    void checkWarnings() {
        const auto lacks = [](const std::vector<std::string>& list, const std::string& one) {
            return std::find(list.begin(), list.end(), one) == list.end();
        };
        for (const std::string& warning : m_again.warnings) {
            if (lacks(m_recorded.warnings, warning)) {
                m_claims.differ("checked again: warnings", fmt::format("{} warnings", m_recorded.warnings.size()),
                                warning, "the judge warns of it here, and the record does not");
            }
        }
        for (const std::string& left : m_again.notRun) {
            if (lacks(m_recorded.notRun, left)) { // another machine may have room for it
                m_claims.add(Outcome::notTested, "checked again: not run", "not among what was left out", left,
                             "it was too dear to be verified here: whether the kernel is right for it was not tested");
            }
        }
    }

    // A device has the same name with more processors or another driver, and then it is another machine.
    bool isOfThisMachine() {
        const auto different = differentMachine(m_recorded, m_again);
        for (const FactDifference& one : different) {
            m_claims.add(Outcome::notTested, "measured again: " + one.fact, one.recorded, one.again,
                         fmt::format("the claim '{}' was not tested: {}", claimOf(m_recorded), one.text()));
        }
        if (const auto facts = machineFacts(m_recorded); different.empty() && !facts.empty()) {
            m_claims.add(Outcome::agrees, "measured again: machine", join(facts, ", "), "the same");
        }
        return different.empty();
    }

    void noteCircumstances() {
        for (const FactDifference& one : differentCircumstances(m_recorded, m_again)) {
            m_claims.add(Outcome::noted, "measured again: " + one.fact, one.recorded, one.again,
                         "times may depend on it; the ratio is of two kernels under the same circumstances");
        }
    }

    // The key of a build is made of the source and of what the compilers are.
    bool isOfThisToolchain() {
        const BuildFacts& recorded = m_recorded.build;
        const BuildFacts& again = m_again.build;
        const char* const what = "measured again: toolchain";
        if (recorded.toolchain == again.toolchain) {
            m_claims.add(Outcome::agrees, what, recorded.toolchain, again.toolchain);
        } else if (!recorded.key.empty() && recorded.key == again.key) {
            m_claims.differ(what, recorded.toolchain, again.toolchain,
                            "the key of the recorded build is that of the toolchain here");
        } else if (isSameCode()) {
            m_claims.add(Outcome::noted, what, recorded.toolchain, again.toolchain,
                         "another one, and it makes the same device code");
        } else {
            m_claims.add(
                Outcome::notTested, what, recorded.toolchain, again.toolchain,
                fmt::format("the claim '{}' was not tested: another toolchain built other code", claimOf(m_recorded)));
            return false;
        }
        return true;
    }

    bool isSameCode() const {
        const auto ofBaseline = [](const RecordedPlans& plans) {
            return plans.baseline ? plans.baseline->deviceCodeSha256 : std::string();
        };
        return m_recorded.plans && m_again.plans &&
               m_recorded.plans->kernel.deviceCodeSha256 == m_again.plans->kernel.deviceCodeSha256 &&
               ofBaseline(*m_recorded.plans) == ofBaseline(*m_again.plans);
    }

    void checkTime() {
        const double factor = m_recorded.target == name(TargetKind::cpu) ? timeFactorOnCpu : timeFactorOnGpu;
        const bool near = m_recorded.geomeanUs > 0 && m_again.geomeanUs > 0 &&
                          std::max(m_recorded.geomeanUs, m_again.geomeanUs) <=
                              factor * std::min(m_recorded.geomeanUs, m_again.geomeanUs);
        m_claims.add(near ? Outcome::noted : Outcome::notTested, "measured again: time",
                     formatMicroseconds(m_recorded.geomeanUs, m_recorded.geomeanCi95Us),
                     formatMicroseconds(m_again.geomeanUs, m_again.geomeanCi95Us),
                     near ? "times of two runs differ by clock and load; the ratio decides"
                          : fmt::format("they differ by more than a factor of {}: this is not the machine of the "
                                        "claim, or it is busy, or the times are invented",
                                        factor));
    }

    // "tie 1.01x [0.98, 1.05]; 99 % interval [0.97, 1.06], 412 calls of either kernel in 3.1 s"
    std::string found() const {
        int calls = 0;
        for (const MeasurementFact& fact : m_again.measurements) {
            calls += fact.samples;
        }
        const ComparisonFact& fact = *m_again.comparison;
        return fmt::format("{} {}; 99 % interval [{}, {}], {} calls of either kernel in {}", name(fact.verdict),
                           formatRatio(fact.ratio, fact.ci95), formatSignificant(fact.ci99.low),
                           formatSignificant(fact.ci99.high), calls, formatSeconds(m_again.measureSeconds));
    }

    // At least so long that an interval halves.
    std::string longer() const {
        const double budget = m_again.conditions.measureSeconds;
        const double needed = budget + secondsToDecide(m_again).value_or(0);
        return fmt::format("replay with --measure-seconds {:.0f} measures longer",
                           std::ceil(std::max(longerFactor * budget, needed)));
    }

    void checkComparison() {
        if (!m_again.comparison) {
            m_claims.differ("measured again: ratio", claimOf(m_recorded), "no comparison",
                            "there is no comparison kernel");
            return;
        }
        const ComparisonFact& claimed = *m_recorded.comparison;
        const ComparisonFact& again = *m_again.comparison;
        const RatioEstimate recorded = {claimed.ratio, claimed.ci95, claimed.ci99};
        if (m_recorded.kind == VerdictKind::tie && claimed.tieMarginPercent > again.tieMarginPercent &&
            decide(recorded, again.tieMarginPercent, m_recorded.rules) != VerdictKind::tie) {
            m_claims.add(Outcome::notTested, "measured again: tie margin", formatPercent(claimed.tieMarginPercent),
                         formatPercent(again.tieMarginPercent),
                         "what the record calls a tie is none within the margin of this judge");
            return;
        }
        const bool overlap = claimed.ci99.low <= again.ci99.high && again.ci99.low <= claimed.ci99.high;
        if (m_recorded.kind == VerdictKind::undecided) { // it claims no difference, and none to be absent
            m_claims.add(overlap ? Outcome::agrees : Outcome::differs, "measured again: ratio", claimOf(m_recorded),
                         found(), overlap ? "" : "the intervals do not overlap");
            return;
        }
        if (m_recorded.kind != m_again.kind) {
            // A tie says that no difference was found; one that is found within what the record allows is none to
            // hold against it.
            const bool allowed = m_recorded.kind == VerdictKind::tie && overlap;
            m_claims.add(allowed ? Outcome::noted : Outcome::differs, "measured again: ratio", claimOf(m_recorded),
                         found(), allowed ? "the intervals of both overlap" : whyOther(again));
            return;
        }
        // Nearest to the claim that the new interval allows.
        const double gain = std::abs(std::log(claimed.ratio));
        const double reached = m_recorded.kind == VerdictKind::faster   ? std::log(again.ci99.high)
                               : m_recorded.kind == VerdictKind::slower ? -std::log(again.ci99.low)
                                                                        : gain;
        if (reached < leastShareOfGain * gain) {
            m_claims.differ("measured again: ratio", claimOf(m_recorded), found(),
                            "less than half of the claimed difference is there");
            return;
        }
        if (claimed.ci99.low > farApart * again.ci99.high || again.ci99.low > farApart * claimed.ci99.high) {
            m_claims.add(
                Outcome::notTested, "measured again: ratio", claimOf(m_recorded), found(),
                fmt::format("the verdict is the same, the claimed ratio was not found: the intervals lie apart; "
                            "{}",
                            longer()));
            return;
        }
        m_claims.add(Outcome::agrees, "measured again: ratio", claimOf(m_recorded), found(),
                     overlap ? "" : "the intervals lie close together, and do not overlap");
    }

    std::string whyOther(const ComparisonFact& again) const {
        if (m_again.kind == VerdictKind::faster || m_again.kind == VerdictKind::slower) {
            return m_recorded.kind == VerdictKind::tie ? "a difference was found, and the intervals do not overlap"
                                                       : "on this device it is the other way round";
        }
        if (m_again.kind == VerdictKind::tie) {
            return fmt::format("no difference beyond {} %, and the interval is narrow enough to say so",
                               formatSignificant(again.tieMarginPercent));
        }
        const double ratio = m_recorded.comparison->ratio;
        const bool holds = again.ci99.low <= ratio && ratio <= again.ci99.high;
        return fmt::format("'{}' was not found here: the interval {} and spans the margin; {}", name(m_recorded.kind),
                           holds ? "holds the claimed ratio" : "does not hold the claimed ratio", longer());
    }

    const Verdict& m_recorded;
    const Verdict& m_again;
    ClaimWriter m_claims;
};

} // namespace

Claims compareAgain(const Verdict& recorded, const Verdict& again, const std::string& where) {
    Claims claims;
    Reproduction(recorded, again, claims, where).run();
    return claims;
}

} // namespace gks
