// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/statistics/statistics.h"
#include "core/judge/evaluator/statistics/steadiness.h"
#include "core/judge/evaluator/trial/case_stock.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/evaluator/trial/output_check.h"
#include "core/judge/evaluator/trial/probe_queue.h"
#include "core/judge/evaluator/trial/tolerance_misses.h"
#include "core/judge/evaluator/trial/work_clock.h"
#include "core/judge/protocol.h"

#include <functional>
#include <memory>
#include <optional>

namespace gks {

// Times a kernel, alone or against a baseline in A B B A blocks, and keeps checking what it computes while it is timed.
class Measurement {
public:
    struct Plan {
        std::vector<const CaseLayout*> shapes;
        double seconds = 3; // over all shapes and rounds
        bool hasBaseline = false;
        double tieMarginPercent = 0.5;
        Device device;
        std::shared_ptr<WorkClock> clock;  // of the evaluation
        ToleranceMisses* misses = nullptr; // of an anchor: it is measured although it misses the tolerance
    };
    struct Trials {
        // A fresh process for the kernel or the baseline, started but not loaded.
        std::function<Judged<std::unique_ptr<KernelTrial>>(bool ofBaseline)> start;
        std::function<void(std::unique_ptr<KernelTrial>)> end;
        // Values for calls of a shape of the plan.
        std::function<CaseStock::Measured(std::size_t shape)> draw;
        // A call that is not timed, with any distribution of values; none: there is no such call.
        std::function<Result<DrawnCase>(std::size_t shape)> unannounced;
    };

    Measurement(const ProblemPack& pack, const OutputCheck& check, Plan plan, Trials trials,
                const EvaluationSink& sink);
    ~Measurement();

    // `verified` goes on from verification and is used where no fresh process is called for.
    Judged<void> run(std::unique_ptr<KernelTrial> verified);

    // One fact per shape, in the order of the plan.
    std::vector<MeasurementFact> facts() const;
    MedianEstimate geometricMean() const;
    std::optional<RatioEstimate> ratio() const;
    double errorShare() const { return m_errorShare; }
    // Calls that were checked, and those that were probed: one of the latter per shape that got so far.
    std::vector<VerificationFact> timedChecks() const;
    std::optional<CallCost> callCost() const;

private:
    struct Side;    // a kernel and its process
    struct Series { // what was seen of one kernel on one shape
        std::vector<double> us;
        std::vector<double> gapUs; // the judge's clock less the device's events; cpu target: less the keeper's clock
    };
    struct Kept;

    template<class T>
    static Judged<T> blamed(const Side& side, Judged<T> result);
    Judged<void> measureAlone(std::unique_ptr<KernelTrial> verified);
    Judged<void> comparePaired(std::unique_ptr<KernelTrial> verified);
    Judged<void> start(Side& side);
    void end(Side& side);
    std::optional<std::string> disturbance() const;
    void forget();
    Judged<void> runRound(Side& candidate, Side* baseline);
    Judged<void> warmUp(Side& side, std::size_t shape);
    Judged<void> runShape(Side& candidate, Side* baseline, std::size_t shape);
    Judged<void> runBlock(Side& candidate, Side* baseline, std::size_t shape, bool baselineOuter);
    // Inputs that no timed call has seen, and what is expected of them at secret places.
    Judged<InputChoice> freshInputs(std::size_t shape);
    Judged<double> timedCall(Side& side, std::size_t shape, const InputChoice& choice);
    Judged<void> probe(Side& side, std::size_t shape, const InputChoice& choice);
    Judged<void> checkBands(Side& side, std::size_t shape, const InputChoice& choice);
    Judged<void> drawUnannounced(Side& side, std::size_t shape);
    Judged<void> callUnannounced(Side& side, std::size_t shape);
    // On a card: reads places that are compared later.
    Judged<void> readProbes(Side& side, std::size_t shape, Kept* kept);
    void submitProbes();
    Judged<void> finishProbes(Side& candidate, Side* baseline, std::size_t shape);
    Judged<void> checkClocks(std::size_t shape) const;
    Result<OutputCheck::Expected> expectedOf(std::size_t shape, const Kept& kept);
    Judged<void> checkKept(Side& side, std::size_t shape);
    // Notes a miss where it is not held against the kernel; false where it is.
    bool isNoted(const Side& side, const Comparison& comparison) const;
    // Of a timed call: what is wrong there and right where nothing is timed is no accident.
    Judged<void> judgeTimed(const Side& side, std::size_t shape, const InputChoice& choice,
                            OutputCheck::Selection selection, const VerificationFact& fact);
    Judged<bool> isRightInFreshProcess(std::size_t shape, const InputChoice& choice, OutputCheck::Selection selection);
    Judged<void> judgeChecked(const Side& side, std::size_t shape, const VerificationFact& fact) const;
    VerificationFact& unannouncedFact(std::size_t shape, Distribution distribution);
    VerificationFact timedFact(std::size_t shape, std::string_view phase) const;
    Judged<void> judgeSeries(std::size_t shape) const;
    Judged<void> checkResolution(std::size_t shape) const;
    InputSource& source(std::size_t shape);
    void report(std::size_t shape, bool final);
    std::size_t plannedRounds() const { return m_looks.empty() ? 1 : m_looks.back().rounds; }
    // Calls that take less than their share leave time for more rounds than planned.
    std::size_t mostRounds() const { return 2 * plannedRounds(); }
    bool enough(std::size_t shape, std::size_t blocks, double secondsSpent) const;
    bool hasUnannounced() const { return isCpu() && m_trials.unannounced; }
    bool isCpu() const { return m_plan.device.target == TargetKind::cpu; }
    Band band() const { return bandOf(m_plan.device.target, currentRules); }
    std::string label(std::size_t shape) const { return m_pack.shapeLabel(m_plan.shapes[shape]->shape); }

    const ProblemPack& m_pack;
    const OutputCheck& m_check;
    Plan m_plan;
    Trials m_trials;
    const EvaluationSink& m_sink;
    std::vector<Look> m_looks; // of a comparison
    double m_errorShare = 1;   // of the look that ended the comparison
    LoadWatch m_load;
    std::vector<Series> m_candidate;
    std::vector<Series> m_baseline;
    std::vector<std::optional<InputSource>> m_sources;
    Tensors m_composed; // inputs of one call, while it is checked
    PairedRounds m_rounds;
    std::vector<std::vector<int>> m_roundBlocks; // [shape][round]
    std::vector<VerificationFact> m_timedChecks;
    std::vector<VerificationFact> m_probeFacts;               // of each shape
    std::vector<std::shared_ptr<ExpectedOutputs>> m_standing; // of each shape: inputs that the oracle holds
    OutputCheck::Expected m_probes;                           // of the inputs at hand; cpu target
    std::optional<ProbeQueue> m_queue;                        // of this shape and round, on a card
    ProbeQueue::Calls m_asked;                                // with the inputs at hand
    CallCost m_cost;                                          // of all timed calls
    std::size_t m_timedCalls = 0;                             // of either kernel
    std::size_t m_reportedCandidate = 0;
    std::size_t m_reportedBaseline = 0;
    double m_doneShares = 0;
    double m_emptyCallUs = 0; // of this round, the same for both sides
    double m_emptyWayUs = 0;
};

} // namespace gks
