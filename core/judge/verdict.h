// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/judge/counters.h"
#include "core/target/target.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// What the judge says of a kernel, with the evidence. JSON form: design.md, "Verdict JSON".
namespace gks {

struct RecordedPlans;

enum class VerdictKind {
    correct, // measured, no baseline given
    faster,
    slower,
    tie,       // the interval of the ratio lies inside the margin: as good as equal
    undecided, // right and measured, and the interval spans an end of the margin: longer measuring may decide
    wrong,
    buildFailed,
    crashed,
    timedOut,
    cheatingSuspected,
    infrastructureFailed, // never charged to the kernel
};
std::string_view name(VerdictKind kind); // "correct", "build-failed", ...
Result<VerdictKind> verdictKindFromName(std::string_view name);
// The kernel built, gave right results and was measured.
bool isAccepted(VerdictKind kind);
// "wrong: y differs"; a reason that begins with the kind stands alone.
std::string verdictText(VerdictKind kind, std::string_view reason);

// The reason of an infrastructure failure that is a cancel.
inline constexpr const char* cancelledReason = "cancelled";

// What an infrastructure failure says of the device itself: no kernel can be evaluated on it until somebody has looked.
enum class DeviceTrouble {
    none,
    hung,        // an empty call, before any candidate was loaded, never came back
    lost,        // the device is not there, or its library fails before any candidate was loaded
    unreachable, // the way to its machine: cut off, refused, the job of a batch system over
};
std::string_view name(DeviceTrouble trouble); // "none", "hung", "lost", "unreachable"
Result<DeviceTrouble> deviceTroubleFromName(std::string_view name);

struct BuildFacts {
    std::string toolchain;
    std::string key;
    bool cached = false;
    std::string log; // compiler output, bounded
    bool operator==(const BuildFacts&) const = default;
};

// By which rules a verdict came about; 1 stands for every version that did not say so. Before 2 what was neither faster
// nor slower was a tie, a comparison on the cpu target rested on the faster samples, and what was dear to check there
// was left out. Before 3 all shapes could be known from the pack. Before 4 nobody could say from the record which
// shapes had been drawn. Before 5 races were looked for on the pack's cpu shapes alone.
inline constexpr int firstRules = 1;
inline constexpr int largeShapesRules = 2;
inline constexpr int drawnShapesRules = 3;
inline constexpr int shapeSeedRules = 4;
inline constexpr int benchmarkShapesRules = 4;
inline constexpr int raceShapesRules = 5;
inline constexpr int currentRules = 5;

// How much of one output was compared, in one call.
struct OutputCoverage {
    std::string output;
    std::int64_t compared = 0;
    std::int64_t elements = 0;
    bool isWhole() const { return compared == elements; }
    bool operator==(const OutputCoverage&) const = default;
};

// Phases of verification. A cut stands for a shape that is too dear to be run as it is; see shape_cuts.h.
namespace phase {
inline constexpr std::string_view test = "test";
inline constexpr std::string_view heldOut = "held-out";
inline constexpr std::string_view heldOutCut = "held-out cut";
inline constexpr std::string_view heldOutDrawn = "held-out, drawn"; // a shape of this evaluation alone
inline constexpr std::string_view benchmark = "benchmark";
inline constexpr std::string_view benchmarkCut = "benchmark cut";
inline constexpr std::string_view largest = "largest";
inline constexpr std::string_view largestCut = "largest cut";
inline constexpr std::string_view reversed = "reversed thread order"; // and the plan's operations in another order
inline constexpr std::string_view beforeMeasuring = "before measuring";
inline constexpr std::string_view timedCall = "timed call";            // drawn ones, and the fastest of each round
inline constexpr std::string_view everyTimedCall = "every timed call"; // a few elements of each
inline constexpr std::string_view betweenTimedCalls = "between timed calls"; // by lot; not timed
} // namespace phase

struct VerificationFact {
    std::map<std::string, std::int64_t> shape;
    std::string phase;
    std::string distribution;
    std::string seed; // of the inputs, hex; secret until the verdict is final, empty for timed calls
    bool passed = false;
    std::int64_t checked = 0; // elements, over all outputs and calls
    double maxAbsoluteError = 0;
    double maxRelativeError = 0;
    std::string detail;                                                 // what differed, empty when passed
    int calls = 1;                                                      // whose outputs were compared
    std::vector<OutputCoverage> outputs = {};                           // empty in verdicts of the first rules
    bool isSecret() const { return phase.starts_with(phase::heldOut); } // its shape is in no prompt
    bool operator==(const VerificationFact&) const = default;
};

struct MeasurementFact {
    std::map<std::string, std::int64_t> shape;
    double medianUs = 0;
    Interval ci95Us;
    int samples = 0;
    double floorUs = 0;
    std::string clock;                    // "device events", "host"
    std::vector<double> sampleUs;         // raw, in order; not in the JSON of `evaluate` unless asked for
    double baselineMedianUs = 0;          // of the paired baseline, 0 without
    std::vector<double> baselineSampleUs; // raw, in order, two for every two of sampleUs; treated like sampleUs
    std::vector<int> roundBlocks;         // A B B A blocks of every round of fresh processes; empty without a baseline
    std::optional<double> ratio;          // baseline / candidate, above 1 is faster
    std::optional<Interval> ratioCi95;
    bool operator==(const MeasurementFact&) const = default;
};

// What a timed call costs beside the kernel, in the mean. On a card poison is part of the inputs, and the sweep of the
// caches of the way there and back.
struct CallCost {
    double inputsUs = 0; // drawing and writing them
    double poisonUs = 0; // outputs, workspace and guard bands
    double cachesUs = 0; // sweeping them
    double stopUs = 0;   // the way to the kernel's process and back, its going on and its standing still
    double probesUs = 0; // what is expected at secret places, and the comparison
    bool operator==(const CallCost&) const = default;
};

struct ComparisonFact {
    double ratio = 1; // geometric mean over the shapes of baseline / candidate
    Interval ci95;
    VerdictKind verdict = VerdictKind::tie; // faster, slower, tie or undecided
    std::string baselineSha256;
    double tieMarginPercent = 0.5;
    Interval ci99 = {1, 1}; // what decided: beyond the margin or not
    double errorShare = 1;  // of the 5 % and the 1 %, spent on these intervals
    bool operator==(const ComparisonFact&) const = default;
};

// The ratio with its interval: "1.31x [1.29, 1.33]". Of an undecided comparison the interval is the one that decides,
// with the margin's own digits: "1.02x [0.9712, 1.071] at 99 %".
std::string ratioText(const ComparisonFact& fact);
// The same with the verdict before it: "tie 1.00x [0.998, 1.00]".
std::string comparisonText(const ComparisonFact& fact);
inline constexpr int marginDigits = 4; // the margin lies in the third digit behind 1.00

// What was asked for: enough to ask for it again.
struct EvaluationConditions {
    std::string shapes; // "quick", ...; empty in verdicts of the first versions
    double measureSeconds = 0;
    double timeoutSeconds = 0;
    // Written before every call to empty the caches; unset: as much as the target needs. With another size the times
    // say nothing of the device.
    std::optional<std::size_t> flushBytes;
    std::vector<std::string> compilerOptions = {}; // that came with the kernel
    bool operator==(const EvaluationConditions&) const = default;
};

// A flush of another size than the target needs, as a sentence; empty when it was the usual one.
std::string cacheFlushText(const EvaluationConditions& conditions);

// One event of the evaluator, in words.
struct TranscriptLine {
    double seconds = 0; // since the evaluation began
    std::string event; // "stage", "process", "progress", "compiler", "runner", "races", "samples", "static", "left out"
    std::string text;
    bool operator==(const TranscriptLine&) const = default;
};

// What was found in the accesses of a kernel's device code.
struct AccessFinding {
    std::string kind;    // "outside", "unwritten", "race", ...: see core/hipcpu/findings/finding.h
    std::string message; // one sentence, with all that follows
    std::string kernel;
    std::vector<int> block = {};  // empty: not known
    std::vector<int> thread = {}; // likewise
    std::string file = {};        // the last part of its path; empty: not known
    int line = 0;                 // likewise 0
    int column = 0;
    bool operator==(const AccessFinding&) const = default;
};

struct Verdict {
    VerdictKind kind = VerdictKind::infrastructureFailed;
    std::string reason; // one sentence: what happened, where
    std::string next;   // what to do, may be empty
    DeviceTrouble deviceTrouble = DeviceTrouble::none;
    std::string target;
    std::string device;
    std::string problem;
    std::string kernelSha256;
    EvaluationConditions conditions;
    std::string shapeSeed; // hex: what the drawn shapes follow from; secret until the verdict is final
    std::map<std::string, std::string> environment; // "cpu", "governor", "load", ...; see environment.h
    BuildFacts build;
    std::vector<VerificationFact> verification;
    // What a kernel does that may end badly elsewhere and is not held against it: reads past the end of a tensor.
    std::vector<std::string> warnings;
    std::vector<AccessFinding> diagnostics; // of the run that checks every access
    std::string printed;                    // by device code in that run, where nothing is judged
    // Too dear to be verified here: benchmark shapes, of which cuts were, and extents: "seq=8192: 8.59 GFLOP".
    std::vector<std::string> notRun;
    std::vector<MeasurementFact> measurements;
    double geomeanUs = 0; // 0 when nothing was measured
    Interval geomeanCi95Us;
    std::optional<ComparisonFact> comparison;
    std::optional<StaticReport> staticReport;
    std::string sandbox; // "bubblewrap", "landlock", "none (allowed by the user)"
    double buildSeconds = 0;
    double verifySeconds = 0;
    double measureSeconds = 0;
    double totalSeconds = 0;
    std::vector<TranscriptLine> transcript; // what the evaluator reported on the way
    // What solve() asked for; null where nothing was planned and where it was not read. It has a JSON form of its own.
    std::shared_ptr<const RecordedPlans> plans;
    int rules = currentRules;
    // The same time by who spent it. What ran side by side counts for each; overhead is when none of
    // them ran.
    double compilerSeconds = 0;
    double kernelSeconds = 0;      // sum of all calls
    double preparationSeconds = 0; // before calls: inputs to the device, caches swept
    double overheadSeconds = 0;
    std::optional<CallCost> callCost = {};      // where something was measured
    std::optional<CounterReport> counters = {}; // where they were asked for
    bool operator==(const Verdict&) const = default;
};

// Whose verdict it is, "the user's harness"; empty: our own judge's.
std::string judgedBy(const Verdict& verdict);

OrderedJson toJson(const Verdict& verdict, bool withSamples = false);
Result<Verdict> verdictFromJson(const Json& json);
Result<std::vector<MeasurementFact>> measurementsFromJson(const Json& json); // of a verdict's "measurements" alone

} // namespace gks
