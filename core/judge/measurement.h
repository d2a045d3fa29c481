// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/kernel_trial.h"
#include "core/judge/output_check.h"
#include "core/judge/protocol.h"
#include "core/judge/statistics.h"

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
        Fp8Encoding encoding = Fp8Encoding::fnuz;
        Device device;
    };
    // A fresh process for the kernel or the baseline, started but not loaded.
    using StartTrial = std::function<Judged<std::unique_ptr<KernelTrial>>(bool ofBaseline)>;

    Measurement(const ProblemPack& pack, const OutputCheck& check, Plan plan, StartTrial startTrial,
                const EvaluationSink& sink);

    // `verified` goes on from verification and is used where no fresh process is called for.
    Judged<void> run(std::unique_ptr<KernelTrial> verified);

    // One fact per shape, in the order of the plan.
    std::vector<MeasurementFact> facts() const;
    MedianEstimate geometricMean() const;
    std::optional<RatioEstimate> ratio() const;
    const std::vector<VerificationFact>& timedChecks() const { return m_timedChecks; }

private:
    struct Side;    // a kernel's process within one round
    struct Series { // what was seen of one kernel on one shape
        std::vector<double> us;
        std::vector<double> gapUs;       // host clock less device events
        std::vector<double> firstReadUs; // read-back right after a call, and once more
        std::vector<double> secondReadUs;
    };
    struct Kept;

    template<class T>
    static Judged<T> blamed(const Side& side, Judged<T> result);
    Judged<void> runRound(Side& candidate, Side* baseline);
    Judged<void> runShape(Side& candidate, Side* baseline, std::size_t shape);
    Judged<void> runBlock(Side& candidate, Side* baseline, std::size_t shape, bool baselineOuter);
    Judged<double> timedCall(Side& side, std::size_t shape, const Tensors& inputs);
    Judged<void> checkKept(Side& side, std::size_t shape);
    Judged<void> judgeSeries(std::size_t shape) const;
    Judged<InputPool*> pool(std::size_t shape);
    void report(std::size_t shape, bool final);
    bool enough(std::size_t shape, std::size_t blocks, double secondsSpent) const;
    std::string label(std::size_t shape) const { return m_pack.shapeLabel(m_plan.shapes[shape]->shape); }

    const ProblemPack& m_pack;
    const OutputCheck& m_check;
    Plan m_plan;
    StartTrial m_startTrial;
    const EvaluationSink& m_sink;
    std::size_t m_rounds = 1;
    std::vector<Series> m_candidate;
    std::vector<Series> m_baseline;
    std::vector<std::optional<InputPool>> m_pools;
    PairedLogRatios m_logRatios;
    std::vector<std::vector<int>> m_roundBlocks; // [shape][round]
    std::vector<VerificationFact> m_timedChecks;
    std::size_t m_reportedCandidate = 0;
    std::size_t m_reportedBaseline = 0;
    double m_doneShares = 0;
    double m_emptyCallUs = 0; // of this round, the same for both sides
};

} // namespace gks
