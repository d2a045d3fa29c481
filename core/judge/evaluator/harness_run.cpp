// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/harness_run.h"

#include "core/base/elapsed.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/device_record.h"
#include "core/judge/evaluator/harness_kernel.h"
#include "core/judge/evaluator/session/device_turn.h"
#include "core/judge/evaluator/session/environment.h"
#include "core/judge/evaluator/session/transcript_writer.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/evaluator/statistics/looks.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/problem/harness_commands.h"
#include "core/problem/pack_files.h"

#include <chrono>
#include <fmt/format.h>

namespace gks {
namespace {

using HarnessClock = std::chrono::steady_clock;

class HarnessRun {
public:
    HarnessRun(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop)
        : m_request(request)
        , m_sink([this, &sink](const EvaluationEvent& event) {
            m_transcript.add(event);
            if (sink) {
                sink(event);
            }
        })
        , m_stop(stop) {
        m_verdict.conditions = {std::string(name(request.shapes)), request.measureSeconds, request.timeoutSeconds,
                                request.flushBytes, request.compilerOptions};
        m_verdict.environment = describeEnvironment();
        m_verdict.environment[judgeFact] = harnessLabel;
        m_verdict.target = name(request.target);
        m_verdict.problem = request.problem;
        m_verdict.kernelSha256 = sha256Hex(request.source);
    }

    Verdict run() {
        const auto begin = HarnessClock::now();
        if (const auto done = allStages(); !done) {
            m_verdict.kind = m_stop.stop_requested() ? VerdictKind::infrastructureFailed : done.error().kind;
            m_verdict.reason = m_stop.stop_requested() ? cancelledReason : done.error().reason;
            m_verdict.next = m_stop.stop_requested() ? std::string() : done.error().next;
            m_verdict.deviceTrouble = m_stop.stop_requested() ? DeviceTrouble::none : done.error().device;
        }
        m_verdict.totalSeconds = secondsSince(begin);
        m_verdict.environment["load_after"] = loadAverage();
        m_verdict.transcript = m_transcript.lines();
        return m_verdict;
    }

private:
    // A stage, and how long it took.
    Judged<void> stage(Stage stage, double& seconds, Judged<void> (HarnessRun::*work)()) {
        m_sink(StageEvent{stage});
        const auto begin = HarnessClock::now();
        auto done = (this->*work)();
        seconds = secondsSince(begin);
        return done;
    }

    Judged<void> allStages() {
        GKS_TRY(prepare());
        const auto tell = [this](const LogEvent& log) { m_sink(log); };
        m_place.emplace(HarnessPlace{m_harness, m_device, m_level, m_request.allowNoSandbox, tell, m_stop});
        GKS_TRY_ASSIGN(m_candidate, HarnessKernel::place(*m_place, m_request.source));
        if (m_request.baseline) {
            GKS_TRY_ASSIGN(m_baseline, HarnessKernel::place(*m_place, *m_request.baseline));
        }
        GKS_TRY(stage(Stage::building, m_verdict.buildSeconds, &HarnessRun::build));
        GKS_TRY_ASSIGN(m_lock, takeDevice(m_device, m_sink, m_stop));
        GKS_TRY(stage(Stage::verifying, m_verdict.verifySeconds, &HarnessRun::verify));
        GKS_TRY(stage(Stage::measuring, m_verdict.measureSeconds, &HarnessRun::measure));
        if (m_ratio) {
            conclude(m_verdict, m_request, m_ratio, m_errorShare);
        } else {
            m_verdict.kind = VerdictKind::correct;
            m_verdict.reason = fmt::format("correct, {} ({} repetitions)",
                                           formatMicroseconds(m_verdict.geomeanUs, m_verdict.geomeanCi95Us),
                                           m_verdict.measurements.front().samples);
        }
        m_verdict.reason = saidByHarness(m_verdict.reason);
        return {};
    }

    // What only our own judge does.
    Judged<void> prepare() {
        const char* const asked = !m_request.anchor.empty()       ? "a library"
                                  : m_request.recorded != nullptr ? "a record"
                                  : m_request.counters            ? "hardware counters"
                                  : m_request.staticOnly || m_request.buildOnly || m_request.screen ? "a static report"
                                                                                                    : nullptr;
        if (asked != nullptr || !m_request.compilerOptions.empty() || m_request.flushBytes) {
            return refuse(VerdictKind::infrastructureFailed,
                          fmt::format("a command pack is judged by {}, which is asked for kernels alone, not for {}",
                                      harnessLabel, asked == nullptr ? "options" : asked),
                          "Put it into the commands of harness.toml");
        }
        auto harness = loadHarness(m_request.problem);
        auto content = harness ? packContentSha256(harness->folder) : Result<std::string>();
        if (!harness || !content) {
            return refuse(harness ? content.error() : harness.error());
        }
        m_harness = std::move(*harness);
        m_verdict.problem = m_harness.name;
        m_verdict.environment[packFact] = std::move(*content);
        m_verdict.environment[commandsFact] = harnessCommands(m_harness);
        const SandboxFinding& sandbox = availableSandbox();
        if (sandbox.level == SandboxLevel::none && !m_request.allowNoSandbox) {
            return refuse(VerdictKind::infrastructureFailed, "no sandbox works on this machine: " + sandbox.reason,
                          "Install bubblewrap and allow user namespaces, or allow evaluation without a sandbox");
        }
        m_level = sandbox.level;
        m_verdict.sandbox =
            m_level == SandboxLevel::none ? "none (allowed by the user)" : std::string(name(sandbox.level));
        return chooseDevice();
    }

    Judged<void> chooseDevice() {
        const DeviceList list = listDevices(m_request.target);
        if (static_cast<std::size_t>(m_request.device) >= list.devices.size()) {
            return tl::unexpected(
                Refusal{VerdictKind::infrastructureFailed,
                        list.devices.empty() ? list.reason : fmt::format("device {} not found", m_request.device),
                        "Run kernel-scientist-cli doctor", DeviceTrouble::lost});
        }
        m_device = list.devices[static_cast<std::size_t>(m_request.device)];
        recordDevice(m_device, m_verdict);
        return {};
    }

    // It has passed by itself: what it fails at now is no fault of the candidate.
    template<class T>
    static Judged<T> ofBaseline(Judged<T> done) {
        if (!done && done.error().kind != VerdictKind::infrastructureFailed) {
            return refuse(VerdictKind::infrastructureFailed, "the comparison kernel: " + done.error().reason,
                          "Choose a kernel that passes evaluation");
        }
        return done;
    }

    Judged<void> build() {
        GKS_TRY(m_candidate->build(m_verdict.build));
        BuildFacts unused;
        return m_baseline ? ofBaseline(m_baseline->build(unused)) : Judged<void>();
    }

    Judged<void> verify() {
        VerificationFact fact;
        const auto verified = m_candidate->verify(fact);
        if (!fact.phase.empty()) {
            m_verdict.verification.push_back(fact);
        }
        return verified;
    }

    Judged<void> measure() {
        MeasurementFact fact;
        fact.clock = harnessLabel;
        if (m_baseline) {
            GKS_TRY(compare(fact));
            fact.baselineMedianUs = median(fact.baselineSampleUs);
            fact.ratio = m_ratio->ratio;
            fact.ratioCi95 = m_ratio->ci95;
        } else {
            GKS_TRY_ASSIGN(fact.sampleUs, m_candidate->measure());
            m_sink(SamplesEvent{{}, fact.sampleUs, false});
        }
        const MedianEstimate estimate = estimateMedian(fact.sampleUs);
        fact.medianUs = estimate.median;
        fact.ci95Us = estimate.ci95;
        fact.samples = static_cast<int>(fact.sampleUs.size());
        // As our own judge states it, and as whoever reads the campaign works it out again.
        const MedianEstimate geomean = estimateGeometricMean({fact.sampleUs});
        m_verdict.geomeanUs = geomean.median;
        m_verdict.geomeanCi95Us = geomean.ci95;
        m_verdict.measurements.push_back(std::move(fact));
        return {};
    }

    // Rounds of one block each, and looks at them as our own judge has them. What the budget does not reach is left
    // out, but for the fewest rounds that say anything.
    Judged<void> compare(MeasurementFact& fact) {
        const std::vector<Look> looks = looksOf(m_request.target, m_request.measureSeconds);
        const auto begin = HarnessClock::now();
        auto look = looks.begin();
        while (look != looks.end()) {
            GKS_TRY(round(fact, looks.back().rounds));
            const bool isOver = m_rounds.size() >= fewestRounds && secondsSince(begin) > m_request.measureSeconds;
            look = isOver ? std::prev(looks.end()) : look;
            if (!isOver && m_rounds.size() < std::max(look->rounds, fewestRounds)) {
                continue;
            }
            m_errorShare = look->errorShare;
            ++look;
            m_ratio = estimateRatio(m_rounds, bandOf(m_request.target, m_verdict.rules), m_errorShare);
            if (decide(*m_ratio, m_request.tieMarginPercent) != VerdictKind::undecided) {
                break;
            }
        }
        return {};
    }

    // A B B A, then B A A B: neither is always the first after a pause.
    Judged<void> round(MeasurementFact& fact, std::size_t planned) {
        const bool baselineOuter = m_rounds.size() % 2 == 1;
        PairedSamples samples;
        for (const bool isOuter : {true, false, false, true}) {
            if (isOuter == baselineOuter) {
                GKS_TRY_ASSIGN(const std::vector<double> us, ofBaseline(m_baseline->measure()));
                samples.baselineUs.push_back(median(us));
            } else {
                GKS_TRY_ASSIGN(const std::vector<double> us, m_candidate->measure());
                samples.candidateUs.push_back(median(us));
            }
        }
        fact.sampleUs.insert(fact.sampleUs.end(), samples.candidateUs.begin(), samples.candidateUs.end());
        fact.baselineSampleUs.insert(fact.baselineSampleUs.end(), samples.baselineUs.begin(), samples.baselineUs.end());
        fact.roundBlocks.push_back(1);
        m_sink(SamplesEvent{{}, samples.candidateUs, false});
        m_sink(SamplesEvent{{}, samples.baselineUs, true});
        m_rounds.push_back({std::move(samples)});
        m_sink(ProgressEvent{static_cast<double>(m_rounds.size()) / static_cast<double>(planned),
                             fmt::format("round {} of at most {}", m_rounds.size(), planned)});
        return {};
    }

    const EvaluationRequest& m_request;
    EvaluationSink m_sink; // writes the transcript on the way
    std::stop_token m_stop;
    TranscriptWriter m_transcript;
    Verdict m_verdict;
    Harness m_harness;
    SandboxLevel m_level = SandboxLevel::none;
    Device m_device;
    std::optional<HarnessPlace> m_place;
    std::optional<HarnessKernel> m_candidate;
    std::optional<HarnessKernel> m_baseline;
    std::optional<DeviceLock> m_lock;
    PairedRounds m_rounds;
    std::optional<RatioEstimate> m_ratio;
    double m_errorShare = 1;
};

} // namespace

Verdict evaluateByHarness(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop) {
    return HarnessRun(request, sink, stop).run();
}

} // namespace gks
