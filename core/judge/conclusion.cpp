// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/conclusion.h"

#include "core/base/hash.h"
#include "core/base/quantity.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr int marginDigits = 4; // the margin lies in the third digit behind 1.00

} // namespace

void conclude(Verdict& verdict, const EvaluationRequest& request, const std::optional<RatioEstimate>& ratio,
              double errorShare) {
    const std::string time = formatMicroseconds(verdict.geomeanUs, verdict.geomeanCi95Us);
    int calls = 0;
    for (const MeasurementFact& fact : verdict.measurements) {
        calls += fact.samples;
    }
    const std::string how = fmt::format("{} calls, {}", calls, verdict.measurements.front().clock);
    if (!ratio) {
        verdict.kind = VerdictKind::correct;
        verdict.reason =
            fmt::format("correct, {} (geometric mean of {} shapes; {})", time, verdict.measurements.size(), how);
        return;
    }
    verdict.kind = decide(*ratio, request.tieMarginPercent);
    verdict.comparison =
        ComparisonFact{ratio->ratio, ratio->ci95, verdict.kind, sha256Hex(*request.baseline), request.tieMarginPercent,
                       ratio->ci99,  errorShare};
    const bool nearly = verdict.kind == VerdictKind::tie &&
                        decide({ratio->ratio, ratio->ci95, ratio->ci95}, request.tieMarginPercent) != VerdictKind::tie;
    verdict.reason = fmt::format("{}: {} the speed of the baseline, {} ({} of either kernel){}", name(verdict.kind),
                                 formatRatio(ratio->ratio, ratio->ci95), time, how,
                                 nearly ? fmt::format("; the 99 % interval [{}, {}] decides, and it touches the margin",
                                                      formatSignificant(ratio->ci99.low, marginDigits),
                                                      formatSignificant(ratio->ci99.high, marginDigits))
                                        : std::string());
}

} // namespace gks
