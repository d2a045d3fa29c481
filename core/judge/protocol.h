// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"
#include "core/problem/pack_files.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Newline-delimited JSON between the engine (or the command line) and kernel-scientist-evaluator.
// One request, then any number of events, then exactly one `verdict` event with the same id, also after a cancel.
// Requests: {"request": "evaluate", "id", ...}, {"request": "cancel", "id"}, {"request": "quit"}. Events: {"id",
// "event": "stage", ...}. Of an evaluator on another machine: {"request": "hello", "id", "target"} is answered by one
// `hello` event; {"request": "alive"} says that somebody is still there, and is answered by an event of nobody's.
namespace gks {

// An evaluator with this option ends when it has heard nothing for so long, and is taken for lost when it says nothing
// for so long.
inline constexpr const char* aliveOption = "--while-alive";
inline constexpr std::chrono::seconds alivePatience(60);

enum class ShapeChoice {
    quick,
    test,
    benchmark,
    all
}; // on the cpu target quick and benchmark mean the pack's cpu shapes
std::string_view name(ShapeChoice choice);
Result<ShapeChoice> shapeChoiceFromName(std::string_view name);

struct EvaluationRequest {
    std::string id;
    std::string problem;                 // name or folder of the pack
    std::vector<PackFile> pack = {};     // its files, where the evaluator may not have it; `problem` is its name then
    std::string source;                  // empty with an anchor
    std::optional<std::string> baseline; // source of the kernel to compare with, measured A B B A in the same go
    TargetKind target = TargetKind::cpu;
    int device = 0;
    ShapeChoice shapes = ShapeChoice::quick;
    bool staticOnly = false; // `inspect`: build and report, run nothing
    bool buildOnly = false;  // `doctor` without a device: the module as well, and still run nothing
    // Build, report and the launch plan of every shape, without a device; on the cpu target the smallest test shape is
    // verified too. A verdict that says `correct` says no more than that nothing of it failed.
    bool screen = false;
    // With `screen`, on the cpu target: the run that checks every access too, and what device code prints in it.
    bool checked = false;
    bool allowNoSandbox = false;
    double measureSeconds = 3;     // budget of the measuring phase, over all shapes
    double timeoutSeconds = 120;   // of any single call of the kernel together with its verification
    double tieMarginPercent = 0.5; // a difference inside this margin is a tie
    // Hardware counters of a kernel that came out faster, or correct without a baseline: after the verdict.
    bool counters = false;
    // What is written before every call to empty the caches; unset: as much as the target needs. Less is for devices
    // that are too slow for it, an emulator for one, and makes the times worthless.
    std::optional<std::size_t> flushBytes;
    std::vector<std::string> compilerOptions = {}; // of hipcc, for kernel and baseline, see hipcpu::kernelOptions
    // Executes these plans; no host code of kernel or baseline runs. Whatever they lead to is what they are worth.
    std::shared_ptr<const RecordedPlans> recorded = nullptr;
    // With recorded plans, hex: what the shapes of that evaluation alone follow from. Empty: they are left out.
    std::string shapeSeed = {};
    // In the place of a kernel a library that the pack names, by its name there: no request brings the code of one.
    std::string anchor = {};
};

// What a budget of the measuring phase should be where nobody names one: on a GPU times agree within a thousandth after
// some twenty calls, on a CPU that others use too they have to be averaged for longer.
double defaultMeasureSeconds(TargetKind target);

enum class Stage { queued, building, verifying, measuring };
std::string_view name(Stage stage);

struct StageEvent {
    Stage stage = Stage::queued;
};
struct ProgressEvent { // of the current stage
    double fraction = 0;
    std::string detail; // "m=64 n=128 k=256, 412 of 1000 samples"
};
struct LogEvent {
    std::string stream; // "compiler", "runner", "judge", "process", "races"
    std::string text;
};
struct SamplesEvent {
    std::map<std::string, std::int64_t> shape;
    std::vector<double> us;
    bool ofBaseline = false;
};
struct StaticEvent {
    StaticReport report;
};
struct VerdictEvent {
    Verdict verdict;
};
struct HelloEvent { // what an evaluator is, before it is given anything
    struct Device {
        int index = 0;
        std::string name;
        std::string architecture;
    };
    std::string version;
    int rules = 0;
    std::string machine;         // its name for itself
    std::vector<Device> devices; // of the target that was asked for
    std::string reason;          // why there are none
};
using EvaluationEvent =
    std::variant<StageEvent, ProgressEvent, LogEvent, SamplesEvent, StaticEvent, VerdictEvent, HelloEvent>;
using EvaluationSink = std::function<void(const EvaluationEvent&)>;

OrderedJson toJson(const EvaluationRequest& request);
Result<EvaluationRequest> requestFromJson(const Json& json);
OrderedJson toJson(const std::string& id, const EvaluationEvent& event);
struct IdentifiedEvent {
    std::string id;
    EvaluationEvent event;
};
Result<IdentifiedEvent> eventFromJson(const Json& json);

} // namespace gks
