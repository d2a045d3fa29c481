// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/anchors.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/names.h"
#include "core/campaign/ranking.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

// The logarithms of two ratios are independent, so the squares of their half-widths add up.
Interval quotientInterval(double ratio, const Interval& over, const Interval& under) {
    const double first = std::log(over.high / over.low) / 2;
    const double second = std::log(under.high / under.low) / 2;
    const double half = std::sqrt(first * first + second * second);
    return {ratio * std::exp(-half), ratio * std::exp(half)};
}

bool isProper(double ratio, const Interval& interval) {
    return ratio > 0 && interval.low > 0 && interval.high >= interval.low;
}

constexpr std::size_t titleLimitBytes = 60;
constexpr std::size_t reasonLimitBytes = 400;

} // namespace

std::vector<const AnchorFigure*> newestAnchors(const Population& population) {
    std::vector<const AnchorFigure*> newest;
    for (const AnchorFigure& anchor : population.anchors) {
        const auto known = std::find_if(newest.begin(), newest.end(),
                                        [&](const AnchorFigure* one) { return one->name == anchor.name; });
        if (known == newest.end()) {
            newest.push_back(&anchor);
        } else {
            *known = &anchor;
        }
    }
    return newest;
}

void takeVerdict(AnchorFigure& anchor, const Verdict& verdict) {
    const auto version = verdict.environment.find("anchor_version");
    if (version != verdict.environment.end() && !version->second.empty()) {
        anchor.title = abbreviated(version->second, titleLimitBytes);
    }
    anchor.device = verdict.device;
    anchor.reason = isAccepted(verdict.kind) ? std::string() : abbreviated(verdict.reason, reasonLimitBytes);
    anchor.shapeMediansUs.clear();
    for (const MeasurementFact& fact : verdict.measurements) {
        anchor.shapeMediansUs.push_back(fact.medianUs);
    }
    anchor.geomeanUs = std::max(0.0, verdict.geomeanUs);
    anchor.geomeanCi95Us = verdict.geomeanCi95Us;
    anchor.speedup = verdict.comparison ? verdict.comparison->ratio : 0;
    anchor.speedupCi95 = verdict.comparison ? verdict.comparison->ci95 : Interval();
}

std::optional<SpeedRatio> speedAgainst(const Population& population, const AnchorFigure& anchor, const Kernel& kernel) {
    const SpeedRatio* ofKernel = population.speed(kernel);
    if (!isProper(anchor.speedup, anchor.speedupCi95) || ofKernel == nullptr ||
        !isProper(ofKernel->ratio, ofKernel->ci95)) {
        return std::nullopt;
    }
    SpeedRatio speed;
    speed.ratio = ofKernel->ratio / anchor.speedup;
    speed.ci95 = quotientInterval(speed.ratio, ofKernel->ci95, anchor.speedupCi95);
    const double half = ci99OfCi95 * std::log(speed.ci95.high / speed.ratio);
    speed.ci99 = {speed.ratio * std::exp(-half), speed.ratio * std::exp(half)};
    return speed;
}

std::string speedOfAnchorText(const Population& population, const AnchorFigure& anchor, const Kernel& kernel) {
    const auto speed = speedAgainst(population, anchor, kernel);
    return speed ? fmt::format("{} of {}", formatRatio(speed->ratio, speed->ci95), anchor.title) : std::string();
}

double scaledUs(const Population& population, const AnchorFigure& anchor) {
    const Kernel* const baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    return baseline != nullptr && baseline->geomeanUs > 0 && anchor.speedup > 0 ? baseline->geomeanUs / anchor.speedup
                                                                                : anchor.geomeanUs;
}

std::string lacksText(const AnchorFigure& anchor) {
    std::vector<std::string> parts;
    if (!anchor.lacks.empty()) {
        parts.push_back(anchor.lacks);
    }
    if (!anchor.reason.empty()) {
        parts.push_back(anchor.reason);
    }
    return join(parts, "; ");
}

std::string anchorLine(const Population& population, const AnchorFigure& anchor, const Kernel* best) {
    if (!isMeasured(anchor)) {
        return fmt::format("{}: not measured, {}", anchor.title, anchor.reason);
    }
    std::string line = fmt::format("{}: {}", anchor.title, formatMicroseconds(anchor.geomeanUs, anchor.geomeanCi95Us));
    if (const auto speed = best != nullptr ? speedAgainst(population, anchor, *best) : std::nullopt) {
        line += fmt::format(", {} of its speed has kernel {}", formatRatio(speed->ratio, speed->ci95),
                            kernelLabel(best->id));
    }
    const std::string lacks = lacksText(anchor);
    return line + (lacks.empty() ? "" : "; lacks: " + lacks);
}

} // namespace gks
