// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/explanation.h"

#include "core/base/text.h"
#include "core/judge/evaluator/statistics/conclusion.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gks {
namespace {

int timedCallsOn(const Verdict& verdict, const std::map<std::string, std::int64_t>& shape) {
    const auto fact = std::find_if(verdict.measurements.begin(), verdict.measurements.end(),
                                   [&](const MeasurementFact& one) { return one.shape == shape; });
    return fact == verdict.measurements.end() ? 0 : fact->samples;
}

std::vector<Explanation::Checked> checksOf(const Verdict& verdict) {
    std::vector<Explanation::Checked> checks;
    for (const VerificationFact& fact : verdict.verification) {
        auto known = std::find_if(checks.begin(), checks.end(), [&](const Explanation::Checked& one) {
            return one.shape == fact.shape && one.phase == fact.phase;
        });
        if (known == checks.end()) {
            checks.push_back({fact.shape, fact.phase, fact.distribution, 0,
                              fact.phase == phase::timedCall ? timedCallsOn(verdict, fact.shape) : 0,
                              comparedText(fact), true});
            known = std::prev(checks.end());
        } else if (known->inputs.find(fact.distribution) == std::string::npos) {
            known->inputs += ", " + fact.distribution;
        }
        known->calls += fact.calls;
        known->passed = known->passed && fact.passed;
    }
    return checks;
}

std::vector<std::string> toldOf(const Verdict& verdict, std::string_view event) {
    std::vector<std::string> told;
    for (const TranscriptLine& line : verdict.transcript) {
        if (line.event == event) {
            told.push_back(line.text);
        }
    }
    return told;
}

// Of the calls whose times decide, those whose outputs were looked at.
void explainProbes(const Verdict& verdict, Explanation& text) {
    int timed = 0;
    int compared = 0;
    int probed = 0;
    for (const MeasurementFact& fact : verdict.measurements) {
        timed += fact.samples;
    }
    for (const Explanation::Checked& one : text.checks) {
        compared += one.phase == phase::timedCall ? one.calls : 0;
        probed += one.phase == phase::everyTimedCall ? one.calls : 0;
    }
    if (timed > 0) {
        text.decided.push_back(fmt::format("Of {} timed calls {} were probed, and the outputs of {} compared further",
                                           timed, probed, compared));
    }
}

// A ratio's distance from 1 as the margin that would just hold it.
std::string marginFor(double ratio) {
    return formatPercent(100 * (std::max(ratio, 1 / ratio) - 1));
}

void explainComparison(const Verdict& verdict, Explanation& text) {
    const ComparisonFact& fact = *verdict.comparison;
    const Interval& interval = fact.ci99;
    const double margin = 1 + fact.tieMarginPercent / 100;
    text.decided.push_back(
        fmt::format("The 99 % interval of the ratio is [{}, {}], the margin is {}: from {} to {}",
                    formatSignificant(interval.low, marginDigits), formatSignificant(interval.high, marginDigits),
                    formatPercent(fact.tieMarginPercent), formatSignificant(1 / margin, marginDigits),
                    formatSignificant(margin, marginDigits)));
    text.decided.push_back(verdict.rules == firstRules
                               ? "An earlier version decided; it called a tie what is neither faster nor slower"
                               : "It rests on the middle of the calls of each round; the fastest of them do not count");
    const double nearest =
        std::abs(std::log(interval.low)) < std::abs(std::log(interval.high)) ? interval.low : interval.high;
    const double furthest = nearest == interval.low ? interval.high : interval.low;
    switch (verdict.kind) {
    case VerdictKind::faster:
    case VerdictKind::slower:
        text.decided.push_back(fmt::format("The whole interval lies {} the margin",
                                           verdict.kind == VerdictKind::faster ? "above" : "below"));
        text.otherwise.push_back(fmt::format("A margin of {} or more would have made it undecided, one of {} a tie",
                                             marginFor(nearest), marginFor(furthest)));
        break;
    case VerdictKind::tie:
        text.decided.push_back("The whole interval lies inside the margin");
        text.otherwise.push_back(fmt::format("A margin below {} would have made it undecided", marginFor(furthest)));
        break;
    default:
        text.decided.push_back("The interval spans an end of the margin");
        if (const auto seconds = secondsToDecide(verdict)) {
            text.otherwise.push_back(
                fmt::format("About {} more at this noise would have decided", formatSeconds(*seconds)));
        }
        if (interval.low > 1 || interval.high < 1) {
            text.otherwise.push_back(fmt::format("A margin below {} would have made it {}", marginFor(nearest),
                                                 interval.low > 1 ? "faster" : "slower"));
        }
        text.otherwise.push_back(fmt::format("A margin of {} or more would have made it a tie", marginFor(furthest)));
    }
}

// Of the shapes that are verified at all.
void explainRaces(const Verdict& verdict, Explanation& text) {
    std::set<std::map<std::string, std::int64_t>> all;
    std::set<std::map<std::string, std::int64_t>> looked;
    for (const VerificationFact& fact : verdict.verification) {
        all.insert(fact.shape);
        if (fact.phase == phase::reversed) {
            looked.insert(fact.shape);
        }
    }
    if (!looked.empty()) {
        text.decided.push_back(fmt::format("Races were looked for on {} of {} shapes", looked.size(), all.size()));
    }
}

void explainRefusal(const Verdict& verdict, Explanation& text) {
    text.decided.push_back(verdict.reason);
    switch (verdict.kind) {
    case VerdictKind::wrong:
        text.otherwise.emplace_back("Nothing but right outputs in every check; then times would have been taken");
        break;
    case VerdictKind::timedOut:
        text.otherwise.push_back(fmt::format("A limit above {} for a single call (--timeout-seconds)",
                                             formatSeconds(verdict.conditions.timeoutSeconds)));
        break;
    case VerdictKind::infrastructureFailed:
        text.otherwise.emplace_back("It says nothing of the kernel: evaluate it again");
        break;
    default:
        text.otherwise.emplace_back("A kernel without that");
    }
}

} // namespace

std::string comparedText(const VerificationFact& fact) {
    std::vector<std::string> parts;
    for (const OutputCoverage& one : fact.outputs) {
        parts.push_back(one.isWhole() ? fmt::format("{}: all {}", one.output, one.elements)
                                      : fmt::format("{}: {} of {}", one.output, one.compared, one.elements));
    }
    // The first rules counted elements over all outputs and calls and kept no more.
    return parts.empty() ? fmt::format("{} elements", fact.checked) : join(parts, ", ");
}

Explanation explain(const Verdict& verdict) {
    Explanation text;
    text.processes = toldOf(verdict, "process");
    text.checks = checksOf(verdict);
    text.races = toldOf(verdict, "races");
    if (!isAccepted(verdict.kind)) {
        explainRefusal(verdict, text);
        return text;
    }
    if (!verdict.verification.empty()) {
        text.decided.push_back(fmt::format("All {} checks passed", verdict.verification.size()));
        text.otherwise.emplace_back("A single wrong element in a check would have made it wrong");
    }
    explainRaces(verdict, text);
    explainProbes(verdict, text);
    for (const std::string& extent : verdict.notRun) {
        text.decided.push_back(fmt::format("Too large for this target and not run: {}", extent));
    }
    if (verdict.comparison) {
        explainComparison(verdict, text);
    } else {
        text.decided.emplace_back("There is no baseline: the times decide nothing");
        text.otherwise.emplace_back("With --baseline KERNEL.hip it would be faster, slower, tie or undecided");
    }
    return text;
}

} // namespace gks
