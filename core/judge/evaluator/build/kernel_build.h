// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/refusal.h"
#include "core/judge/evaluator/trial/work_clock.h"
#include "core/judge/protocol.h"
#include "core/target/target.h"

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace gks {

// One build: its steps run side by side in the sandbox, or come from the cache.
class KernelBuild {
public:
    // Of each step, for each of its processes.
    struct Limits {
        std::chrono::seconds time{60}; // of the processor
        // From begin to end, and the only limit that a busy machine can reach: no kernel is blamed for it. So far out
        // that a compiler which never ends reaches the other one first, in each of the processes of a step.
        std::chrono::seconds wallTime{600};
        std::size_t memoryBytes = std::size_t{8} << 30; // address space
        std::size_t fileBytes = std::size_t{256} << 20;
        SandboxPolicy policy() const; // of a compiler that shows and writes nothing yet
    };
    struct Options {
        Target target;
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        bool module = true; // false: only the static report
        bool staticReport = true;
        Limits limits = {};
        std::shared_ptr<WorkClock> clock = nullptr; // told while a compiler runs
        std::vector<std::string> compilerOptions = {};
    };
    // Starts the steps. `sink` gets compiler output and must be safe to call from several threads.
    static Judged<std::unique_ptr<KernelBuild>> start(const ProblemPack& pack, const std::string& source,
                                                      const Options& options, const EvaluationSink& sink,
                                                      const std::stop_token& stop);
    ~KernelBuild();

    // Until the module is there; the report's steps may still be running.
    Judged<void> waitForModule();
    // Until nothing runs any more. Stores a fresh build in the cache. The report may be absent.
    Judged<std::optional<StaticReport>> waitForReport();

    // After waitForReport() gave none: what a compiler said against it, or why what it made cannot be read; empty when
    // there is nothing to say.
    std::string whyNoReport() const;

    const BuildPlan& plan() const { return m_plan; }
    BuildFacts facts() const;

private:
    KernelBuild(TemporaryDirectory folder, Options options, EvaluationSink sink);
    void runSteps();
    bool runStep(std::size_t index, const std::stop_token& stop);
    std::optional<Refusal> judge(const BuildStep& step, const Result<CompletedProcess>& run) const;
    void appendLog(const std::string& text);
    bool waitFor(const std::shared_future<bool>& done) const;

    TemporaryDirectory m_folder;
    Options m_options;
    EvaluationSink m_sink;
    BuildPlan m_plan;
    bool m_cached = false;
    bool m_stored = false;
    std::string m_unreadable;   // why there is no report of a code object
    mutable std::mutex m_mutex; // guards the two below
    std::string m_log;
    std::vector<std::optional<Refusal>> m_refusals; // per step
    std::vector<std::shared_future<bool>> m_done;
    std::stop_source m_abandon;
    std::optional<std::stop_callback<std::function<void()>>> m_onStop;
    std::vector<std::jthread> m_threads;
};

} // namespace gks
