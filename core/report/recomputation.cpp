// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recomputation.h"

#include "core/base/text.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/evaluator/statistics/looks.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/problem/shape_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

// The statistics are deterministic, so agreement is expected to the last digits; the tolerance only covers another
// mathematical library. Nothing is taken from the written summary. Sizes are bounded because the numbers may come from
// anybody.
namespace gks {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::size_t samplesLimit =
    8000; // of one shape; the judge takes 2000, or twice that while a comparison is undecided
constexpr std::size_t shapesLimit = 64;

bool same(double a, double b) {
    return std::abs(a - b) <= tolerance * std::max({1e-12, std::abs(a), std::abs(b)});
}
bool same(const Interval& a, const Interval& b) {
    return same(a.low, b.low) && same(a.high, b.high);
}

// A number with its interval, as people read it; to the last digit where that would hide the difference.
std::string shown(double value, const Interval& interval, bool exact, bool isRatio) {
    if (exact) {
        return fmt::format("{} [{}, {}]", value, interval.low, interval.high);
    }
    if (interval == Interval{}) {
        return formatMicroseconds(value);
    }
    return isRatio ? formatRatio(value, interval) : formatMicroseconds(value, interval);
}

// Every number in a sentence, sorted.
std::vector<double> numbersIn(std::string_view text) {
    std::vector<double> numbers;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] < '0' || text[at] > '9') {
            ++at;
            continue;
        }
        const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
        numbers.push_back(std::strtod(std::string(text.substr(at, end - at)).c_str(), nullptr));
        at = end;
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

class Checker {
public:
    Checker(const Verdict& verdict, Claims& claims, const std::string& where, Words words)
        : m_stored(verdict), m_again(verdict), m_claims(claims, where), m_words(words) {}

    void run() {
        checkKind();
        if (!isAccepted(m_stored.kind) || m_stored.measurements.empty()) {
            return;
        }
        if (m_stored.measurements.size() > shapesLimit) {
            m_claims.differ("shapes", std::to_string(m_stored.measurements.size()), "-",
                            "no evaluation measures so many");
            return;
        }
        if (!checkSamples() || !checkOrder()) {
            return; // statistics of what is not there would say nothing
        }
        if (m_stored.comparison && !checkShare(*m_stored.comparison)) {
            return;
        }
        for (MeasurementFact& fact : m_again.measurements) {
            checkShape(fact);
        }
        checkGeomean();
        checkComparison();
        checkSentence();
        checkClock();
    }

private:
    void compare(const std::string& what, double stored, const Interval& storedInterval, double again,
                 const Interval& againInterval, bool isRatio) {
        const bool agrees = same(stored, again) && same(storedInterval, againInterval);
        m_claims.add(agrees ? Outcome::agrees : Outcome::differs, what, shown(stored, storedInterval, !agrees, isRatio),
                     shown(again, againInterval, !agrees, isRatio), agrees ? "" : "the raw samples give another value");
    }

    // What the kind promises of the facts beside it.
    void checkKind() {
        const std::string kind(name(m_stored.kind));
        const auto failed = std::find_if(m_stored.verification.begin(), m_stored.verification.end(),
                                         [](const VerificationFact& fact) { return !fact.passed; });
        if (!isAccepted(m_stored.kind)) {
            if (!m_stored.measurements.empty()) {
                m_claims.differ("verdict", kind, "times", "a kernel that fails is not measured to the end");
            }
            return;
        }
        if (failed != m_stored.verification.end()) {
            m_claims.differ("verdict", kind, "a failed check: " + failed->phase, "a kernel that fails is not accepted");
        }
        if (m_stored.verification.empty() || m_stored.measurements.empty()) {
            m_claims.differ("verdict", kind, m_stored.measurements.empty() ? "no times" : "no checks",
                            "an accepted kernel was checked and measured");
        }
        const bool compared = m_stored.kind != VerdictKind::correct;
        if (compared != m_stored.comparison.has_value()) {
            m_claims.differ("verdict", kind, compared ? "no comparison" : "a comparison",
                            "faster, slower, tie and undecided are verdicts of a comparison");
        }
    }

    // As many as claimed, of both kernels, and each of them a time.
    bool checkSamples() {
        std::int64_t claimed = 0;
        std::size_t found = 0;
        bool fits = true;
        for (const MeasurementFact& fact : m_stored.measurements) {
            claimed += fact.samples;
            found += fact.sampleUs.size();
            const std::size_t expected = m_stored.comparison ? fact.sampleUs.size() : 0;
            if (fact.sampleUs.empty() || fact.samples != static_cast<std::int64_t>(fact.sampleUs.size())) {
                fits = false;
                m_claims.differ("samples of " + namedShapeText(fact.shape), std::to_string(fact.samples),
                                std::to_string(fact.sampleUs.size()), "as many as claimed must be there");
            } else if (fact.baselineSampleUs.size() != expected) {
                fits = false;
                m_claims.differ("samples of the comparison kernel, " + namedShapeText(fact.shape),
                                std::to_string(expected), std::to_string(fact.baselineSampleUs.size()),
                                "both kernels are called equally often; without its samples a ratio is no evidence");
            } else if (fact.sampleUs.size() > samplesLimit) {
                fits = false;
                m_claims.differ("samples of " + namedShapeText(fact.shape), std::to_string(fact.samples), "-",
                                "no evaluation takes so many");
            }
            // Where an empty call is taken off, records of earlier versions hold what took no longer as 0.
            const bool mayBeZero = m_stored.target == name(TargetKind::cpu);
            for (const auto* series : {&fact.sampleUs, &fact.baselineSampleUs}) {
                if (std::any_of(series->begin(), series->end(),
                                [&](double us) { return !(us > 0) && !(mayBeZero && us == 0); })) {
                    fits = false;
                    m_claims.differ("samples of " + namedShapeText(fact.shape), "times", "not above zero",
                                    "no call takes no time");
                }
            }
        }
        if (fits) {
            const auto text = [this](auto count) {
                return fmt::format("{} calls{} on {} shapes", count, m_stored.comparison ? " of either kernel" : "",
                                   m_stored.measurements.size());
            };
            m_claims.add(Outcome::agrees, "samples", text(claimed), text(found));
        }
        return fits && checkTranscript(found);
    }

    // The evaluator reported the samples of a comparison while it took them. Alone a disturbed series is taken twice.
    bool checkTranscript(std::size_t found) {
        std::size_t reported = 0;
        for (const TranscriptLine& line : m_stored.transcript) {
            if (line.event == "left out") {
                return true;
            }
            if (line.event == "samples" && line.text.ends_with(" of the kernel")) {
                reported += static_cast<std::size_t>(std::strtoull(line.text.c_str(), nullptr, 10));
            }
        }
        if (reported == 0 || reported == found || !m_stored.comparison) {
            return true;
        }
        m_claims.differ("samples", std::to_string(reported), std::to_string(found),
                        "the transcript reports another number");
        return false;
    }

    // The pairing follows from the order of the samples: every A B B A block has two of each kernel.
    bool checkOrder() {
        if (!m_stored.comparison) {
            return true;
        }
        const std::size_t rounds = m_stored.measurements.front().roundBlocks.size();
        bool fits = rounds >= fewestRounds;
        std::int64_t allBlocks = 0;
        for (const MeasurementFact& fact : m_stored.measurements) {
            std::int64_t blocks = 0;
            for (const int count : fact.roundBlocks) {
                fits = fits && count > 0;
                blocks += std::max(count, 0);
            }
            fits = fits && fact.roundBlocks.size() == rounds &&
                   2 * blocks == static_cast<std::int64_t>(fact.sampleUs.size());
            allBlocks += blocks;
        }
        const std::string claimed = fmt::format("A B B A, {} blocks in {} rounds", allBlocks, rounds);
        if (!fits) {
            m_claims.differ("order of the calls", claimed, "does not fit",
                            fmt::format("every shape has the same rounds, {} at least, of whole blocks with two "
                                        "samples of each kernel",
                                        fewestRounds));
            return false;
        }
        m_claims.add(Outcome::agrees, "order of the calls", claimed, claimed);
        pair();
        return true;
    }

    void pair() {
        for (const MeasurementFact& fact : m_stored.measurements) {
            std::size_t at = 0;
            for (std::size_t round = 0; round < fact.roundBlocks.size(); ++round) {
                const auto count = 2 * static_cast<std::size_t>(fact.roundBlocks[round]);
                const auto part = [&](const std::vector<double>& of) {
                    const auto first = of.begin() + static_cast<std::ptrdiff_t>(at);
                    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
                };
                m_rounds.resize(std::max(m_rounds.size(), round + 1));
                m_rounds[round].push_back({part(fact.sampleUs), part(fact.baselineSampleUs)});
                at += count;
            }
        }
    }

    RatioEstimate paired(const PairedRounds& rounds) const {
        return estimateRatio(rounds, bandOf(targetFromName(m_stored.target).value_or(TargetKind::amd), m_stored.rules),
                             m_stored.comparison->errorShare);
    }

    void checkShape(MeasurementFact& fact) {
        const std::string where = namedShapeText(fact.shape);
        const MedianEstimate estimate = estimateMedian(fact.sampleUs);
        compare("time of " + where, fact.medianUs, fact.ci95Us, estimate.median, estimate.ci95, false);
        if (estimate.median < fact.floorUs) {
            m_claims.differ("time of " + where, formatMicroseconds(estimate.median),
                            "at least " + formatMicroseconds(fact.floorUs), "it is below the roofline floor");
        }
        fact.medianUs = estimate.median;
        fact.ci95Us = estimate.ci95;
        if (!m_stored.comparison) {
            return;
        }
        const double baseline = median(fact.baselineSampleUs);
        compare("comparison kernel on " + where, fact.baselineMedianUs, {}, baseline, {}, false);
        PairedRounds own;
        const auto shape = static_cast<std::size_t>(&fact - m_again.measurements.data());
        for (const auto& round : m_rounds) {
            own.push_back({round[shape]});
        }
        const RatioEstimate ratio = paired(own);
        compare("ratio on " + where, fact.ratio.value_or(0), fact.ratioCi95.value_or(Interval{}), ratio.ratio,
                ratio.ci95, true);
    }

    void checkGeomean() {
        std::vector<std::vector<double>> samples;
        for (const MeasurementFact& fact : m_stored.measurements) {
            samples.push_back(fact.sampleUs);
        }
        const MedianEstimate estimate = estimateGeometricMean(samples);
        compare(timeClaim, m_stored.geomeanUs, m_stored.geomeanCi95Us, estimate.median, estimate.ci95, false);
        m_again.geomeanUs = estimate.median;
        m_again.geomeanCi95Us = estimate.ci95;
    }

    // Looking before the end spends error; the shares are fixed by what was asked for.
    bool checkShare(const ComparisonFact& stored) {
        const auto target = targetFromName(m_stored.target);
        const auto looks = target && m_stored.conditions.measureSeconds > 0
                               ? looksOf(*target, m_stored.conditions.measureSeconds)
                               : std::vector<Look>();
        const bool known = std::any_of(looks.begin(), looks.end(),
                                       [&](const Look& look) { return same(look.errorShare, stored.errorShare); });
        if (!known) {
            m_claims.differ("share of the error", fmt::format("{}", stored.errorShare),
                            fmt::format("none for {} s", m_stored.conditions.measureSeconds),
                            "the budget of the measurement fixes the looks and their shares");
        }
        return known;
    }

    void checkComparison() {
        if (!m_stored.comparison) {
            return;
        }
        const ComparisonFact& stored = *m_stored.comparison;
        const RatioEstimate estimate = paired(m_rounds);
        compare(ratioClaim, stored.ratio, stored.ci95, estimate.ratio, estimate.ci95, true);
        compare("99 % interval that decides", stored.ratio, stored.ci99, estimate.ratio, estimate.ci99, true);
        const VerdictKind kind = decide(estimate, stored.tieMarginPercent, m_stored.rules);
        m_claims.same("verdict", std::string(name(m_stored.kind)), std::string(name(kind)),
                      "the interval of the raw samples decides");
        m_claims.same("verdict of the comparison", std::string(name(stored.verdict)), std::string(name(kind)),
                      "the interval of the raw samples decides");
        m_ratio = estimate;
    }

    // The sentence of a verdict is made from its numbers; its words may be of another version.
    void checkSentence() {
        EvaluationRequest request;
        request.baseline = ""; // its hash is looked at where the sources are
        request.tieMarginPercent = m_stored.comparison ? m_stored.comparison->tieMarginPercent : 0;
        conclude(m_again, request, m_ratio, m_stored.comparison ? m_stored.comparison->errorShare : 1);
        const bool agrees = m_stored.reason == m_again.reason;
        m_claims.add(agrees          ? Outcome::agrees
                     : saysTheSame() ? ofOtherWords()
                                     : Outcome::differs,
                     sentenceClaim, m_stored.reason, m_again.reason,
                     agrees ? "" : "it states what the samples do not give");
    }

    // Another version may have said it so. Who claims to be one gains nothing by it.
    Outcome ofOtherWords() const { return m_words == Words::ofThisVersion ? Outcome::differs : Outcome::notTested; }

    // In whatever words: no other number, no other verdict.
    bool saysTheSame() const {
        const std::vector<double> stated = numbersIn(m_stored.reason);
        const std::vector<double> known = numbersIn(m_again.reason);
        bool same = std::includes(known.begin(), known.end(), stated.begin(), stated.end());
        for (const std::string_view word : words(m_stored.reason)) {
            const auto kind = verdictKindFromName(word);
            same = same && (!kind || *kind == m_again.kind || *kind == VerdictKind::correct);
        }
        return same;
    }

    // There is one clock for a target, and one number of threads for a measurement.
    void checkClock() {
        const std::string& first = m_stored.measurements.front().clock;
        const std::vector<double> numbers = numbersIn(first);
        const int threads = numbers.empty() ? 0 : static_cast<int>(std::min(numbers.front(), 1e6));
        const std::string judge = judgedBy(m_stored);
        const std::string known =
            judge.empty() ? clockName(targetFromName(m_stored.target).value_or(TargetKind::amd), threads) : judge;
        for (const MeasurementFact& fact : m_stored.measurements) {
            if (fact.clock != known) {
                m_claims.add(ofOtherWords(), "clock of " + namedShapeText(fact.shape), fact.clock, known,
                             "times of this target are taken by no other clock");
            }
        }
    }

    const Verdict& m_stored;
    Verdict m_again; // with the statistics as the samples give them
    ClaimWriter m_claims;
    PairedRounds m_rounds;
    std::optional<RatioEstimate> m_ratio;
    Words m_words;
};

} // namespace

Claims recompute(const Verdict& verdict, const std::string& where, Words words) {
    Claims claims;
    Checker(verdict, claims, where, words).run();
    return claims;
}

} // namespace gks
