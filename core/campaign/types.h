// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/base/shared_list.h"
#include "core/campaign/kernel_speeds.h"
#include "core/campaign/late.h"
#include "core/campaign/source_sketch.h"
#include "core/judge/protocol.h"
#include "core/llm/call_limits.h"
#include "core/rating/shape_weights.h"
#include "core/rating/speed_scale.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The population and everything known about it, as immutable values.
namespace gks {

class ShapeScales;

// Identifiers count from 1 within a campaign and are never used again. A kernel's is shown with five digits: 00012.
using KernelId = std::int64_t;
using ExperimentId = std::int64_t;
using AvenueId = std::int64_t;
std::string kernelLabel(KernelId id);
std::string avenueLabel(AvenueId id); // A12

// Milliseconds since 1970, UTC.
using Timestamp = std::int64_t;
Timestamp now();

enum class Author { seed, person, model, tuner, engine };
std::string_view name(Author author);

enum class KernelState {
    proposed,  // a model's draft, whose code a person is to approve
    waiting,   // for an evaluation
    screening, // is built and planned, on no device; then it waits for a lane, or has failed
    evaluating,
    evaluated, // has a verdict that is its own
    declined,  // by the person: no lane takes it
};
std::string_view name(KernelState state);

// What the writer said of one item of the rubric, and what a second look at the change says.
struct RubricItem {
    std::string item = {};
    bool claimed = false;               // the writer says that it did it
    std::string note = {};              // how, or why not
    std::optional<bool> confirmed = {}; // by the code; empty: not decided
    std::string evidence = {};          // what the confirmation or the doubt rests on
    bool operator==(const RubricItem&) const = default;
};

struct Kernel {
    KernelId id = 0;
    std::vector<KernelId> parents;     // basis first, which it is compared with; empty for a seed
    std::optional<KernelId> reference; // the second kernel that the writer contrasted with
    std::optional<ExperimentId> experiment;
    std::string title;
    Author author = Author::seed;
    Late<std::string> source;
    std::string sourceSha256;
    std::string normalizedSha256;         // without comments, formatting and local names: duplicates are refused by it
    std::optional<SourceSketch> sketch;   // which sources are worth comparing with this one; empty: not at hand
    Late<std::string> report;             // the writer's own account of what it used
    Late<std::vector<RubricItem>> rubric; // the same, item by item and checked; empty where nobody was asked
    std::string model;                    // that wrote it; empty for other authors
    std::string writer;      // the writer's name in the settings (model_stages.h); empty: the stage's own model
    double draftUsd = 0;     // what writing it cost, repairs by themselves, where the price is known
    double draftSeconds = 0; // and took
    bool probe = false;      // measures one thing of the device: never a parent, compared with nothing
    bool banned = false;     // may not become a parent
    Timestamp createdAt = 0;
    KernelState state = KernelState::waiting;
    std::int64_t evaluations = 0; // that ended, confirmations and failures of the infrastructure too
    // From its newest evaluation with a verdict of its own:
    std::optional<VerdictKind> verdict;
    std::string reason; // of a declined draft what the person said
    // Alone, under the load of its evaluation: ranking.h compares. By the campaign's weights. 0: not measured.
    double geomeanUs = 0;
    Interval geomeanCi95Us;
    std::vector<double> shapeMediansUs; // in the order of the campaign's shapes
    std::optional<ComparisonFact> versusParent;
    bool operator==(const Kernel&) const = default;
};

enum class ExperimentState {
    proposed,
    notPicked, // its round is over without it; a person can still approve it
    approved,
    rejected,
    writing,
    evaluating,
    done,
    failed,
};
std::string_view name(ExperimentState state);

enum class ExperimentKind {
    change,   // of the parent
    rewrite,  // another structure; the parent is only read
    merge,    // one kernel from two parents: the parent and the reference
    dispatch, // picks between the code of two parents by shape
    probe,    // no kernel: a program that measures one thing of the device
};
std::string_view name(ExperimentKind kind);

struct Experiment {
    ExperimentId id = 0;
    std::int64_t round = 0;    // experiments of one Designer call
    std::int64_t position = 0; // order within what is still to be run; the person may change it
    KernelId parent = 0;
    std::optional<KernelId> reference;
    ExperimentKind kind = ExperimentKind::change;
    std::string limit;  // that it attacks; like the next one empty where nobody was asked
    std::string shapes; // that it should speed up
    std::string description;
    std::string rubric;
    std::string disproof;              // the measurement that would prove it wrong; empty where nobody was asked
    std::optional<Interval> predicted; // gain: time before / time after, over all shapes
    int innovation = 0;                // 0..100
    std::optional<AvenueId> avenue;    // that it takes up
    // A person wants this one (model_stages.h); empty: whoever's turn it is. Of one that failed without a kernel: who
    // was asked.
    std::string writer;
    std::string pick; // "most innovative", "highest potential", "most certain", "asked for", "" when not picked
    ExperimentState state = ExperimentState::proposed;
    Author author = Author::model;
    bool editedByPerson = false;
    std::map<std::string, std::string> tunables; // what the tuner sets; empty otherwise
    std::optional<KernelId> kernel;              // what came of it
    std::optional<double> measuredGain;          // time before / time after
    std::optional<double> tunedGain; // of the best tuned kernel of this structure over the best tuned of its parent's
    std::string model;               // that proposed it; empty for other authors
    std::string failure;             // why it failed
    std::vector<std::int64_t> uses;  // findings that its design rests on, by id
    Timestamp createdAt = 0;
    bool operator==(const Experiment&) const = default;
};

// What limits a kernel on some shapes, as a designer sees it.
struct ShapeLimit {
    std::string shapes = {};
    std::string limit = {};
    std::string evidence = {};
    double headroom = 0; // time / floor
    bool operator==(const ShapeLimit&) const = default;
};

// What a model thought in one round, before and beside its experiments.
struct Round {
    std::int64_t id = 0; // Experiment::round
    KernelId parent = 0;
    std::optional<KernelId> reference = {};
    std::string rationale = {}; // of the selector
    std::vector<ShapeLimit> diagnosis = {};
    std::string model = {}; // the designer's
    Timestamp createdAt = 0;
    bool operator==(const Round&) const = default;
};

// A way to attack the limits, one sentence of a designer. What takes it up is an Experiment::avenue.
struct Avenue {
    AvenueId id = 0;
    std::int64_t round = 0;
    std::string text = {};
    bool asked = false; // by the person: the next design takes it up
    bool operator==(const Avenue&) const = default;
};

struct Evaluation {
    std::int64_t id = 0;
    KernelId kernel = 0;
    std::optional<KernelId> baseline; // compared with, A B B A
    std::string purpose;              // "new kernel", "again", "confirmation of the best"
    std::string lane;
    Timestamp startedAt = 0;
    Timestamp endedAt = 0;
    Verdict verdict; // with samples
    bool operator==(const Evaluation&) const = default;
};

// What was put into a prompt beside the task, so that a person sees what a model was given.
struct Inclusion {
    std::string kind = {};   // "knowledge", "document", "finding"
    std::string name = {};   // "gfx942", "CDNA3 ISA, passage 12", "finding 7"
    std::int64_t tokens = 0; // estimated
    bool operator==(const Inclusion&) const = default;
};

// One prompt and its reply.
struct Exchange {
    std::int64_t id = 0;
    std::string stage; // name of a ModelStage
    std::string provider;
    std::string model;
    std::string prompt; // system and user parts as they were sent, JSON array of {role, content}
    std::string reply;
    std::string error; // empty when it went well
    std::optional<KernelId> kernel;
    std::optional<ExperimentId> experiment;
    std::int64_t tokensIn = 0;
    std::int64_t tokensOut = 0;
    bool tokensEstimated = false;  // nobody counted them: the service said nothing, or the reply is not whole
    std::optional<double> usd = 0; // empty: the price of the model is not known
    double seconds = 0;
    double firstTokenSeconds = 0;
    int attempts = 1;
    std::vector<Inclusion> inclusions;
    Timestamp at = 0;
    bool operator==(const Exchange&) const = default;
};

enum class FindingState {
    standing,
    contradicted, // a later evaluation disagrees
    dismissed,    // by a person: it is in no prompt any more
};
std::string_view name(FindingState state);

// A lesson: what was tried, what it brought and why.
struct Finding {
    std::int64_t id = 0;
    std::string subject = {};                     // what was tried, in few words: findings of one subject are merged
    std::string text = {};                        // for people and prompts
    std::optional<Interval> gain = {};            // ratio of times, over the evaluations that support it
    std::vector<std::int64_t> evaluations = {};   // that taught it
    std::vector<std::int64_t> contradicting = {}; // that disagree
    FindingState state = FindingState::standing;
    Author author = Author::model;
    std::optional<KernelId> probe = {}; // that measured it: figures of the machine, no lesson
    bool editedByPerson = false;        // its text stays as the person wrote it
    Timestamp at = 0;
    Timestamp changedAt = 0;
    bool operator==(const Finding&) const = default;
};

// What a person gave the scientist to read, without its text: that is asked for by passage.
struct Document {
    std::int64_t id = 0;
    std::string title = {};
    std::string kind = {};      // "text", "markdown", "html", "pdf"
    std::string sha256 = {};    // of the file
    std::int64_t sizeBytes = 0; // of the text
    std::int64_t passages = 0;
    std::string digest = {}; // what of it matters for this problem, by a model or a person; may be empty
    bool enabled = true;     // may be put into prompts
    Timestamp addedAt = 0;
    bool operator==(const Document&) const = default;
};

struct Passage {
    std::int64_t document = 0;
    std::int64_t number = 0; // within the document, from 1
    std::string heading = {};
    std::string text = {};
    bool operator==(const Passage&) const = default;
};

// A library that a problem pack names, measured by the same judge on the same shapes: trusted code, and no kernel.
struct AnchorFigure {
    std::int64_t id = 0;
    std::string name = {};  // in the pack: "cublaslt"
    std::string title = {}; // "cuBLASLt 13.0"
    std::string lacks = {}; // what it does not fulfil; empty: nothing
    std::string lane = {};
    std::string device = {};
    double geomeanUs = 0; // 0: it could not be measured, and `reason` says why
    Interval geomeanCi95Us = {};
    std::vector<double> shapeMediansUs = {}; // in the order of the campaign's shapes
    double speedup = 0;                      // speed / speed of the baseline, side by side
    Interval speedupCi95 = {};
    std::string reason = {};
    Timestamp at = 0;
    bool operator==(const AnchorFigure&) const = default;
};

// What a person, a model, the tuner or the engine decided.
struct Steering {
    std::int64_t id = 0;
    Author who = Author::person;
    std::string action; // "pin parent", "approve experiment", "start", ...
    std::string detail; // one readable line
    Timestamp at = 0;
    std::string before = {}; // what stood there, where the decision can be taken back (undo.h); JSON
    bool operator==(const Steering&) const = default;
};

enum class Mode { automatic, approveExperiments, step };
std::string_view name(Mode mode);
enum class ScientistKind { tuner, model };
std::string_view name(ScientistKind kind);

// What a run ends at. Zero means unlimited.
struct Budgets {
    std::int64_t evaluations = 0;
    double minutes = 0;
    double usd = 0;
    std::int64_t tokens = 0;
    double gpuSeconds = 0;
    double goalUs = 0;          // the best is this fast, on the campaign's scale
    std::int64_t fruitless = 0; // experiments in a row that brought no new best
    bool operator==(const Budgets&) const = default;
};

struct Spend {
    std::int64_t evaluations = 0; // with a verdict that is the kernel's own
    std::int64_t tokens = 0;
    double usd = 0;                  // of the calls whose price is known
    std::int64_t unpricedTokens = 0; // of the others
    double gpuSeconds = 0;           // device time: seconds of verify and measure on any target
    double wallSeconds = 0;          // while running
    bool operator==(const Spend&) const = default;
};

// Who chooses the next parent when nobody has pinned one.
enum class SelectorPolicy { model, best, upperConfidence, leastExplored };
std::string_view name(SelectorPolicy policy);

// Which of the proposed experiments are run.
enum class PickPolicy { threeOfFive, highestExpected, mostCertain, mostInnovative, all };
std::string_view name(PickPolicy policy);

// How the scientist works; may be changed while it does.
struct Policies {
    SelectorPolicy selector = SelectorPolicy::model; // the tuner has its own
    PickPolicy pick = PickPolicy::threeOfFive;
    int tuningEvaluations = 0;   // of every new structure that has tunables, before it is judged; 0: none
    int knowledgeTokens = 12000; // of machine knowledge and documents in one prompt
    bool checkReports = true;    // the writer's report is checked by a second call
    bool checkCode = false;      // a person approves a model's draft before it is evaluated
    int modelCalls = 3;          // at the same time, at most
    int stagnation = 6;          // experiments without a new best after which another kind is asked for; 0: never
    int drafts = 1;              // of an experiment, written side by side; all that pass the screening are judged
    bool screening = true;       // drafts are built and planned before a lane takes them, on no device
    bool probes = false;         // the built-in probes are measured before anything else (engine/seed_probes.h)
    bool counters = true;        // a kernel that comes out faster is run once more under the device's profiler
    bool operator==(const Policies&) const = default;
};

// Which model answers for a stage. The key is never part of it.
struct ModelChoice {
    std::string provider = "openai"; // one of knownProviders()
    std::string baseUrl; // "http://127.0.0.1:8080/v1"; the line of a command, a folder, the file of a recording
    std::string model;
    std::string keyVariable = "OPENAI_API_KEY"; // name of the environment variable that holds the key
    double temperature = 0.7;
    int maxOutputTokens = 16384;
    std::string reasoningEffort = {}; // one of reasoningEfforts; "": as the service has it
    CallLimits limits = {};
    // For lists and records: a provider that needs no model's name may have none.
    const std::string& label() const { return model.empty() ? provider : model; }
    bool operator==(const ModelChoice&) const = default;
};

// Why a lane gets no more work: its device hangs, is gone, or fails again and again.
struct LaneOutage {
    std::string reason;
    std::string next; // what to do
    Timestamp since = 0;
    bool operator==(const LaneOutage&) const = default;
};

// Two kernels that a person wants measured side by side; carried out when a lane is free, then gone.
struct AskedComparison {
    KernelId kernel = 0;
    KernelId other = 0;
    bool allShapes = true; // every benchmark shape, whatever the campaign measures
    bool operator==(const AskedComparison&) const = default;
};

struct CampaignSettings {
    std::string problem; // name or folder
    // The problem is a command pack, so no verdict is our own judge's, but for those of probes. Follows from the pack
    // when the file is made, and stays.
    bool judgedByHarness = false;
    TargetKind target = TargetKind::cpu;
    int device = 0;
    ShapeChoice shapes = ShapeChoice::quick;
    ScientistKind scientist = ScientistKind::tuner;
    Mode mode = Mode::automatic;
    Budgets budgets;
    std::map<std::string, ModelChoice> models; // by the name of a ModelStage; defaultModel for the rest
    Policies policies;
    std::map<std::string, std::string> prompts; // edited ones, whole, by name: "designer"; the others are the files
    double measureSeconds = 3;
    double tieMarginPercent = 0.5;
    int repairAttempts = 2;
    std::string hint;                              // the person's, for the prompts
    std::map<std::string, std::string> hints = {}; // more, for one stage, by its name
    std::vector<AskedComparison> askedComparisons = {};
    std::optional<KernelId> pinnedParent;
    std::optional<KernelId> pinnedReference;
    ShapeWeights shapeWeights = {};             // of the mean that ranks; the judge's verdicts do not go by them
    std::map<std::string, LaneOutage> lanesOut; // by label, "amd:1"; until a person puts them back in service
    bool operator==(const CampaignSettings&) const = default;
};

// Everything a view needs of one moment, immutable and shared. What grows with a campaign is in lists whose copies
// share it: the next moment costs what it changes.
struct Population {
    CampaignSettings settings;
    std::string problemTitle;
    SharedList<Kernel> kernels;         // by id; none is a probe
    SharedList<Kernel> probes;          // by id: Kernel::probe; they share the ids of the kernels
    SharedList<Experiment> experiments; // by id
    std::vector<Round> rounds;          // by id; those of a model
    std::vector<Avenue> avenues;        // by id
    std::vector<Finding> findings;      // by id
    std::vector<Document> documents;    // by id
    std::vector<AnchorFigure> anchors;  // by id; the newest of a name counts
    Spend spend;
    std::optional<KernelId> baseline;               // the first seed: speed-ups refer to it
    std::optional<KernelId> best;                   // accepted, the fastest by the scale
    SharedList<PairedComparison> comparisons;       // by evaluation
    std::shared_ptr<const SpeedScale> scale;        // of them, anchored at the baseline; null: without a baseline
    KernelSpeeds speeds;                            // by the scale
    std::shared_ptr<const ShapeScales> shapeScales; // the same shape by shape; null: without a baseline

    const Kernel* kernel(KernelId id) const;                   // or probe
    std::optional<std::size_t> placeOf(KernelId kernel) const; // in `kernels`
    const SpeedRatio* speed(const Kernel& kernel) const;       // over the baseline; null: not measured, or not compared
    const Experiment* experiment(ExperimentId id) const;
    const Round* round(std::int64_t id) const;
    const Avenue* avenue(AvenueId id) const;
    const Experiment* takenUpBy(AvenueId id) const; // the first; null: none
    const Finding* finding(std::int64_t id) const;
    const Document* document(std::int64_t id) const;
    // Basis parents from the seed to the kernel itself.
    std::vector<KernelId> ancestry(KernelId id) const;
    std::int64_t newestRound() const;
};
using PopulationPtr = std::shared_ptr<const Population>;

} // namespace gks
