// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/judge/least_call.h"
#include "core/judge/verdict.h"
#include "core/problem/probe_pack.h"
#include "core/problem/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A probe is a small program whose only purpose is a number: what a load pattern, a barrier or an instruction costs. To
// the judge it is a kernel of the pack resources/probe whose shapes are the variants that its source declares, so that
// build, sandbox, plan, clock, caches and statistics are those of every kernel. It is compared with nothing.
//
// A line of the source for each variant, in the order of their numbers from 1:
//   // probe: NAME [bytes=N] [flops=N] [ops=N] [less=EARLIER]
// N is a number or arithmetic without blanks, of one call; the rates below follow from it and from the time. With
// `less` the time of an earlier variant, a launch without the work for one, is taken off first.
namespace gks {

inline constexpr std::size_t probeVariantLimit = 16; // as many as the pack has shapes

struct ProbeVariant {
    std::string name;
    std::optional<double> bytes = {};
    std::optional<double> flops = {};
    std::optional<double> operations = {};
    std::optional<std::string> less = {}; // name of an earlier variant
    bool operator==(const ProbeVariant&) const = default;
};
// An error names the line; kind kernel: the source is at fault.
Result<std::vector<ProbeVariant>> probeVariants(std::string_view source);
// Leaves the shapes of the variants that the source declares.
Result<void> keepVariants(ProblemPack& pack, std::string_view source);

struct ProbeRate {
    double value = 0;
    Interval ci95;
    bool operator==(const ProbeRate&) const = default;
};
struct ProbeFigure {
    ProbeVariant variant;
    double medianUs = 0; // of a call, with all that it launches
    Interval ci95Us;
    int samples = 0;
    // What the rates rest on, microseconds: the call, or what is left after `less`. Of a difference the interval goes
    // from the least that the two intervals allow to the most.
    ProbeRate work;
    // Unset where the author gave no amount, and where the interval of the work reaches 0: nothing can be said then.
    std::optional<ProbeRate> gigabytesPerSecond = {};
    std::optional<ProbeRate> teraflopsPerSecond = {};
    std::optional<ProbeRate> nanosecondsPerOperation = {};
    bool isDecided() const { return work.ci95.low > leastCallUs; }
    bool operator==(const ProbeFigure&) const = default;
};
// One for each variant that the verdict has a time of, in the order of the source.
Result<std::vector<ProbeFigure>> probeFigures(std::string_view source, const Verdict& verdict);
OrderedJson toJson(const std::vector<ProbeFigure>& figures);
std::string formatProbeRate(const ProbeRate& rate, std::string_view unit); // "1230 GB/s [1220, 1240]"
// The rates of a variant, or why there are none; empty where its author gave no amount.
std::string ratesText(const ProbeFigure& figure);

} // namespace gks
