// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

// Tuning one kernel, outside of a campaign.
namespace gks {

struct TunedPoint {
    std::map<std::string, std::string> values = {};
    VerdictKind verdict = VerdictKind::infrastructureFailed;
    std::string reason = {};
    double us = 0; // geometric mean; 0: not measured
    Interval ci95Us = {};
    double measureSeconds = 0;
    bool earlier = false; // known from an earlier run on the same device with the same toolchain
};

struct TuningPlan {
    EvaluationRequest request;   // of the kernel as it was given; its measureSeconds are those of the last comparison
    int evaluations = 40;        // of points; the comparison at the end comes on top
    double minutes = 0;          // 0: no limit
    double exploreSeconds = 0.5; // measuring time of a point
    bool remember = true;        // keep what was measured in the cache, and use what is there
};

struct TuningOutcome {
    std::vector<TunedPoint> points;          // the given one first, then as they were tried
    std::map<std::string, std::string> best; // values of `source`
    std::string source; // the best point when it was proven faster than the given kernel, else the given kernel
    Verdict given;      // verdict of the kernel as it was given
    // The fastest point against the given kernel, A B B A; none when no other point was faster than the given one.
    std::optional<std::map<std::string, std::string>> candidate;
    std::optional<ComparisonFact> comparison;
    std::uint64_t allowedPoints = 0; // 0: too many to be counted
    int evaluations = 0;             // of this run, without the comparison
    std::string notLookedAt = {};    // by static reports, before a point is run; see static_refusal.h
    std::string ended;               // "every point was tried", "40 evaluations", "10 minutes"
};

using EvaluatePoint = std::function<Verdict(const EvaluationRequest& request)>;
// After every point, also those refused by their static report.
using TuningProgress = std::function<void(const TunedPoint& point, int number)>;

// Errors: usage when the source has no tunables or a condition that cannot be read; kernel when it fails as it was
// given; infrastructure; cancelled, with what was measured kept for the next time.
Result<TuningOutcome> tune(const TuningPlan& plan, const EvaluatePoint& evaluate, const TuningProgress& progress,
                           const std::stop_token& stop);

} // namespace gks
