// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/evaluation_run.h"
#include "core/judge/evaluator/session/profiler.h"
#include "core/judge/evaluator/trial/runner_trial.h"
#include "core/judge/measured_shapes.h"

#include <algorithm>
#include <fmt/format.h>

// After the verdict: what the hardware counters say. Nothing here changes it.
namespace gks {
namespace {

std::size_t launchesIn(const LaunchPlan& plan) {
    return static_cast<std::size_t>(std::count_if(plan.operations.begin(), plan.operations.end(), [](const auto& one) {
        return std::holds_alternative<KernelLaunch>(one.action);
    }));
}

std::string why(const Error& error) {
    return error.what + (error.next.empty() ? "" : ". " + error.next);
}

Judged<std::vector<RawCounters>> failed(const std::string& what) {
    return refuse(VerdictKind::infrastructureFailed, what);
}

} // namespace

// One call of every shape in a fresh process, in which the profiler counts what it can count in one run.
Judged<std::vector<RawCounters>> EvaluationRun::countPass(const Profiler& profiler,
                                                          const std::vector<std::string>& counters,
                                                          const std::vector<std::size_t>& shapes) {
    const auto folder = TemporaryDirectory::create("gks-counters");
    if (!folder) {
        return refuse(folder.error());
    }
    RunnerSession::Setup setup = runnerSetup();
    setup.profiled = profiledRun(profiler, counters, folder->path());
    auto session = RunnerSession::start(setup);
    if (!session) {
        return refuse(session.error());
    }
    RunnerTrial::Setup trialSetup;
    trialSetup.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
    trialSetup.stop = m_stop;
    RunnerTrial trial(std::move(*session), m_kernelPlans.executed, std::move(trialSetup), *m_images, *m_pack, *m_clock);
    GKS_TRY(trial.load());
    for (const std::size_t shape : shapes) {
        auto drawn = m_cases->stock().measured(shape);
        GKS_TRY(trial.setShape(m_cases->plan().measured[shape]));
        GKS_TRY(trial.supply(drawn.source));
        GKS_TRY(trial.call(drawn.source, drawn.source.choose()));
    }
    const auto ended = trial.release()->finish();
    auto launches = profiledLaunches(profiler, folder->path());
    if (!launches) {
        return failed(ended ? why(launches.error()) : ended.error().what);
    }
    return std::move(*launches);
}

CounterReport EvaluationRun::countersOf(const Profiler& profiler) {
    CounterReport report{profiler.tool, {}, {}};
    std::vector<std::size_t> shapes; // the quick ones, or as many of the others
    const auto quick = measuredShapes(*m_pack, m_request.target, ShapeChoice::quick);
    const auto& measured = m_cases->plan().measured;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        if (std::find(quick.begin(), quick.end(), measured[i].shape) != quick.end()) {
            shapes.push_back(i);
        }
    }
    std::vector<RawCounters> all;
    for (const auto& counters : counterPasses(m_request.target)) {
        auto pass = countPass(profiler, counters, shapes);
        if (!pass) {
            report.why = pass.error().reason;
            return report;
        }
        all.resize(std::max(all.size(), pass->size()));
        for (std::size_t i = 0; i < pass->size(); ++i) {
            all[i].kernel = (*pass)[i].kernel;
            all[i].values.merge((*pass)[i].values);
        }
    }
    std::size_t at = 0;
    for (const std::size_t shape : shapes) {
        const auto& call = m_kernelPlans.executed->of(measured[shape]).call;
        at += launchesIn(call.setup);
        for (std::size_t i = 0; i < launchesIn(call.plan) && at < all.size(); ++i, ++at) {
            report.launches.push_back({m_pack->namedShape(measured[shape].shape), all[at].kernel,
                                       counterFacts(m_request.target, all[at], m_device.facts.computeUnits)});
        }
    }
    if (at != all.size() || report.launches.empty()) {
        report.launches.clear();
        report.why = fmt::format("{} saw {} launches where the plans have {}", profiler.tool, all.size(), at);
    }
    return report;
}

void EvaluationRun::count() {
    if (!m_request.counters || isCpu() || isOfAnchor() ||
        (m_verdict.kind != VerdictKind::faster && m_verdict.kind != VerdictKind::correct)) {
        return;
    }
    const auto profiler = findProfiler(m_request.target, m_sandbox);
    if (!profiler) {
        m_verdict.counters = CounterReport{{}, why(profiler.error()), {}};
        return;
    }
    tell(ProgressEvent{1, "counting: " + profiler->tool});
    tellProcess(fmt::format("{} ({}): starts a runner and looks into it, after the verdict", profiler->tool, wall()));
    m_verdict.counters = countersOf(*profiler);
}

} // namespace gks
