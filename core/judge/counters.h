// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/target/target.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// What the hardware counters of a device say of a kernel. The vendor's profiler collects them in a run of its own,
// outside the timed path, in which a call takes as long as it likes; no verdict rests on them. Both profilers lead to
// the same small set of facts.
namespace gks {

struct CounterFact {
    std::string name; // "matrix cores busy", "read from memory", "stall: long scoreboard"
    double value = 0;
    std::string unit; // "%", "B", "us", "warps"
    bool operator==(const CounterFact&) const = default;
};
struct LaunchCounters { // of one launch of a call of solve()
    std::map<std::string, std::int64_t> shape;
    std::string kernel;
    std::vector<CounterFact> facts;
    bool operator==(const LaunchCounters&) const = default;
};
struct CounterReport {
    std::string tool; // with its version: "ncu 2025.3.1.0"
    std::string why;  // there are none, as a sentence; empty when there are
    std::vector<LaunchCounters> launches;
    bool operator==(const CounterReport&) const = default;
};
OrderedJson toJson(const CounterReport& report);
Result<CounterReport> counterReportFromJson(const Json& json);

// "matrix cores busy 41.2 %, read from memory 12.6 MB, stall: long scoreboard 2.1 warps".
std::string counterText(const std::vector<CounterFact>& facts);

// What a profiler wrote of one launch, under its own names.
struct RawCounters {
    std::string kernel;
    std::map<std::string, double> values;
};
// `ncu --csv --page raw --print-units base`: a row of names, a row of units, a row for each launch. Lines that begin
// with "==" are the tool talking. An error when it wrote no table, with what it said instead.
Result<std::vector<RawCounters>> ncuTable(std::string_view text);
// `rocprofv3 --output-format csv`, file *_counter_collection.csv: a row for each launch and counter. Launches of the
// runtime's own kernels (fills, copies) are left out.
Result<std::vector<RawCounters>> rocprofTable(std::string_view text);

// What to ask for: lists of counters that one run collects.
std::vector<std::vector<std::string>> counterPasses(TargetKind target);
// The small set, of what is there; formulas: AMD, "MI300 and MI200 series performance counters and metrics", and the
// metrics' own definitions in Nsight Compute. `computeUnits`: of the device; 0: unknown.
std::vector<CounterFact> counterFacts(TargetKind target, const RawCounters& raw, int computeUnits);

} // namespace gks
