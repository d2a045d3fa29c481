// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/judge/recorded_plans.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Any few kernels beside one another: times by shape, ratios to one of them, what the compiler made of each and how it
// is launched. The Compare page and `show --compare` ask here.
namespace gks {

struct ProblemPack;

inline constexpr std::size_t leastCompared = 2;
inline constexpr std::size_t mostCompared = 16; // columns that anybody reads

// What a campaign file knows of a kernel beside the population.
struct ComparedRecord {
    std::optional<Verdict> verdict = {};             // the newest that is its own
    std::shared_ptr<const RecordedPlans> plans = {}; // of its newest evaluation that has some
    std::string trouble = {};                        // why neither can be read
    std::string planTrouble = {};                    // why the plans cannot
};
ComparedRecord comparedRecord(const Result<std::vector<Evaluation>>& evaluations,
                              const Result<std::shared_ptr<const RecordedPlans>>& plans);
using ComparedReader = std::function<ComparedRecord(KernelId)>;

struct ComparedKernel {
    KernelId id = 0;
    std::string title;
    std::string verdict; // or its state
    std::string device;  // that its newest verdict is from; empty: it has none
    bool isBaseline = false;
    bool isBest = false;
    bool operator==(const ComparedKernel&) const = default;
};

// Speed / speed of the reference kernel, by paired runs.
struct ComparedSpeed {
    SpeedRatio ratio = {};
    std::size_t runs = 0; // that measured the two beside each other; 0: a chain of others leads from one to the other
    bool operator==(const ComparedSpeed&) const = default;
};

struct ComparedLaunch {
    std::string kernel; // as in the source
    std::string grid;   // "64 x 32"
    std::string block;
    std::uint64_t dynamicLdsBytes = 0;
    bool operator==(const ComparedLaunch&) const = default;
};

// A kernel in a row. What is not known is said, never left out.
struct ComparedCell {
    std::string text;    // "314 us ±0.3 %", "33 KiB"; empty: not known
    std::string missing; // why not; empty: it is
    std::optional<double> value = {};
    std::optional<Interval> ci95 = {};
    std::optional<ComparedSpeed> speed = {}; // of a time
    std::string notCompared = {};            // why there is no speed; empty: there is, or it is the reference's cell
    std::string delta = {};                  // of a number against the reference's, "+8", "-1 KiB"; empty: the same
    std::vector<ComparedLaunch> launches = {};
    bool operator==(const ComparedCell&) const = default;
};

enum class ComparedGroup { time, code, instructions, plan };
std::string_view name(ComparedGroup group); // "time", "code", "instructions", "launch plan"

struct ComparedRow {
    ComparedGroup group = ComparedGroup::time;
    std::string name;                               // "geometric mean", "k=256 m=64", "VGPR"
    std::string unit;                               // of the values: "us", "bytes", "" for counts and texts
    std::map<std::string, std::int64_t> shape = {}; // of times and plans; empty: over all shapes, or of no shape
    std::vector<ComparedCell> cells;                // beside ComparisonTable::kernels
    bool operator==(const ComparedRow&) const = default;
};

struct ComparisonTable {
    std::vector<ComparedKernel> kernels; // as they were asked for
    std::size_t reference = 0;           // whose time / a kernel's time the ratios are
    std::vector<ComparedRow> rows;       // by group
    std::vector<std::string> notes;      // sentences without which a person would read it wrongly
    bool operator==(const ComparisonTable&) const = default;
};

// Whether these can be compared: 2 to 16 kernels that exist, each once, none a probe.
Result<void> checkCompared(const Population& population, const std::vector<KernelId>& kernels);
// `reference`: one of them. Reads verdicts and plans: not for the thread of a window. A kernel that is not there any
// more is left out; `pack` may be null, it knows the order of a shape's dims.
ComparisonTable comparisonTable(const Population& population, const std::vector<KernelId>& kernels, KernelId reference,
                                const ComparedReader& read, const ProblemPack* pack = nullptr);

std::string comparedSpeedText(const ComparedSpeed& speed); // "1.31x [1.29, 1.33]", "~ 1.31x ..." by a chain
// A cell in one line: "314 us ±0.3 %, 1.31x [1.29, 1.33]", "96 (+8)", "- (not measured on this shape)".
std::string comparedText(const ComparedCell& cell);
// One line a cell, with ids and units, for other programs.
std::string comparisonCsv(const ComparisonTable& table);

} // namespace gks
