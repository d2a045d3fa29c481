// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "core/engine/engine.h"
#include "core/engine/seams.h"
#include "tests/support/campaign_samples.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <thread>

// How much of the time a lane measures while approved work exists, with one call of the model at a time and with
// several, and with builds that the lane does itself or that a bench does beside it. The engine, its store and its
// threads are the real ones; model and evaluator only take their time. Time is scaled: what stands for a second takes
// 50 ms, for model and evaluator alike, so what the engine itself takes weighs twenty times as much as it would.
using namespace gks;
using namespace gks::test;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double scale = 20; // simulated seconds in one
constexpr double callSeconds = 30;
constexpr double evaluationSeconds = 20;
constexpr double buildSeconds = 10;
constexpr int rounds = 12;
constexpr int experimentsOfARound = 3;
constexpr int kernelsOfAll = 32;
constexpr double goalOfLinear = 0.9;

// Takes this long, at most a fifth more or less where `varies`; false when it was cancelled.
class Delay {
public:
    Delay(bool varies, unsigned seed) : m_spread(varies ? 0.2 : 0.0), m_random(seed) {}
    bool wait(double seconds, const std::stop_token& stop) {
        const double factor = std::uniform_real_distribution<double>(1 - m_spread, 1 + m_spread)(m_random);
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        never.wait_for(lock, stop, std::chrono::duration<double>(seconds * factor / scale), [] { return false; });
        return !stop.stop_requested();
    }

private:
    double m_spread;
    std::mt19937 m_random;
};

struct Script {
    bool varies = false;
    double buildSeconds = 0;
    std::mutex mutex;
    std::set<std::string> built; // the cache of builds
    bool mustBuild(const std::string& source) {
        const std::lock_guard lock(mutex);
        return built.insert(source).second && buildSeconds > 0;
    }
    std::atomic<unsigned> seeds = 1;
    std::atomic<int> designed = 0;
    std::atomic<int> drafted = 0;
};

class SlowScientist final : public Scientist {
public:
    explicit SlowScientist(Script& script) : m_script(script), m_delay(script.varies, script.seeds++) {}
    ScientistKind kind() const override { return ScientistKind::model; }
    Author author() const override { return Author::model; }

    Result<Selection> select(const Briefing& briefing, const std::stop_token& stop) override {
        if (m_script.designed >= rounds) {
            return Selection{*briefing.population->best, {}, "the end"};
        }
        if (!m_delay.wait(callSeconds, stop)) {
            return cancelledError();
        }
        return Selection{*briefing.population->best, {}, "the fastest"};
    }
    Result<Design> design(const Briefing& /*briefing*/, const Selection& selection,
                          const std::stop_token& stop) override {
        const int round = m_script.designed++;
        if (round >= rounds) {
            return Design();
        }
        if (!m_delay.wait(callSeconds, stop)) {
            return cancelledError();
        }
        std::vector<Experiment> experiments;
        for (int i = 0; i < experimentsOfARound; ++i) {
            Experiment experiment = sampleExperiment(selection.basis, fmt::format("round {}, idea {}", round, i));
            experiment.pick = "most certain";
            experiments.push_back(std::move(experiment));
        }
        return Design{std::move(experiments)};
    }
    Result<Draft> write(const Briefing& /*briefing*/, const Experiment& experiment,
                        const std::stop_token& stop) override {
        if (!m_delay.wait(callSeconds, stop)) {
            return cancelledError();
        }
        return Draft{fmt::format("us {}", 1000 + m_script.drafted++), experiment.description};
    }
    Result<Draft> repair(const Briefing& /*briefing*/, const Experiment& /*experiment*/, const Draft& /*draft*/,
                         const Failure& /*failure*/, int /*attempt*/, const std::stop_token& /*stop*/) override {
        return kernelError("nothing fails here");
    }

private:
    Script& m_script;
    Delay m_delay;
};

class SlowEvaluator final : public EvaluationService {
public:
    explicit SlowEvaluator(Script& script) : m_script(script), m_delay(script.varies, script.seeds++) {}
    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink& sink,
                     const std::stop_token& stop) override {
        if (m_script.mustBuild(request.source) && !m_delay.wait(m_script.buildSeconds, stop)) {
            return failedVerdict(VerdictKind::infrastructureFailed, "cancelled");
        }
        if (request.screen) {
            return failedVerdict(VerdictKind::correct, "screened");
        }
        sink(StageEvent{Stage::measuring});
        if (!m_delay.wait(evaluationSeconds, stop)) {
            return failedVerdict(VerdictKind::infrastructureFailed, "cancelled");
        }
        return sampleEvaluation(1, 100).verdict;
    }

private:
    Script& m_script;
    Delay m_delay;
};

// Adds up time between events: while work is approved, and of this while the lane is busy and while it measures.
class Watch {
public:
    void hear(const EngineEvent& event) {
        const auto now = Clock::now();
        const double passed = std::chrono::duration<double>(now - m_last).count() * scale;
        m_last = now;
        m_work += m_hasWork ? passed : 0;
        m_busy += m_hasWork && m_isBusy ? passed : 0;
        m_measured += m_hasWork && m_measures ? passed : 0;
        if (const auto* changed = std::get_if<PopulationChanged>(&event)) {
            const auto& experiments = changed->population->experiments;
            m_hasWork = std::any_of(experiments.begin(), experiments.end(), isUnderWay);
        } else if (const auto* activity = std::get_if<ActivityChanged>(&event);
                   activity != nullptr && activity->lane == "cpu:0") {
            m_isBusy = activity->kernel.has_value();
            m_measures = activity->activity == Activity::measuring;
        }
    }
    double measuredSeconds() const { return m_measured; }
    double workSeconds() const { return m_work; }
    double busySeconds() const { return m_busy; }

private:
    Clock::time_point m_last = Clock::now();
    bool m_hasWork = false;
    bool m_isBusy = false;
    bool m_measures = false;
    double m_work = 0;
    double m_busy = 0;
    double m_measured = 0;
};

enum class Build { none, inLane, onBench };
const char* text(Build build) {
    return build == Build::none ? "none" : build == Build::inLane ? "in the lane" : "on a bench";
}

EngineSeams seamsOf(Script& script) {
    EngineSeams seams;
    seams.evaluationService = [&script](const LaneSpec&) { return std::make_unique<SlowEvaluator>(script); };
    seams.scientist = [&script](const CampaignSettings&, ScientistSinks) -> Result<std::unique_ptr<Scientist>> {
        return std::make_unique<SlowScientist>(script);
    };
    seams.problem = [](const std::string&) -> Result<ProblemPack> { return samplePack(); };
    seams.publishInterval = std::chrono::milliseconds(0);
    seams.processors = 16; // as a card's host has
    return seams;
}

void runCampaign(int calls, bool varies, Build build = Build::none) {
    Script script;
    script.varies = varies;
    script.buildSeconds = build == Build::none ? 0 : buildSeconds;
    Campaign campaign;
    CampaignSettings settings = campaign.settings;
    settings.scientist = ScientistKind::model;
    settings.policies.screening = build == Build::onBench;
    if (!campaign.store->saveSettings(settings, {0, Author::person, "create", "", 0})) {
        return;
    }
    campaign.store.reset();
    const EngineSeams seams = seamsOf(script);
    Watch watch;
    EngineOptions options;
    options.modelCalls = calls;
    options.lanes = {{TargetKind::cpu, 0, {}}};
    options.sink = [&](const EngineEvent& event) { watch.hear(event); };
    auto engine = Engine::open(campaign.file, options, seams);
    if (!engine) {
        std::printf("%s\n", engine.error().message().c_str());
        return;
    }
    (*engine)->send(command::Start{});
    (*engine)->waitUntilQuiet();
    const auto evaluations = static_cast<int>((*engine)->population()->spend.evaluations);
    engine->reset(); // nothing is heard any more
    std::printf("%-6d %-10s %-12s %11d %14.0f %10.1f %% %10.1f %%\n", calls, varies ? "30 s +-20%" : "30 s",
                text(build), evaluations, watch.workSeconds(), 100 * watch.busySeconds() / watch.workSeconds(),
                100 * watch.measuredSeconds() / watch.workSeconds());
    std::fflush(stdout);
}

int waitingIn(const Population& population) {
    return static_cast<int>(
        std::ranges::count_if(population.kernels, [](const Kernel& kernel) { return !kernel.verdict; }));
}

// As many kernels that wait, all there from the start: how long until the last verdict is in the file.
std::optional<double> secondsWith(int lanes) {
    Script script;
    script.designed = rounds; // nothing of the model's
    Campaign campaign;
    CampaignSettings settings = campaign.settings;
    settings.scientist = ScientistKind::model;
    settings.policies.screening = false;
    if (!campaign.store->saveSettings(settings, {0, Author::person, "create", "", 0})) {
        return std::nullopt;
    }
    campaign.store.reset();
    EngineOptions options;
    for (int device = 0; device < lanes; ++device) {
        options.lanes.push_back({TargetKind::cpu, device, {}});
    }
    std::mutex mutex; // guards these two
    bool isBegun = false;
    std::optional<Clock::time_point> end;
    options.sink = [&](const EngineEvent& event) {
        const auto* const changed = std::get_if<PopulationChanged>(&event);
        if (changed == nullptr) {
            return;
        }
        const std::lock_guard lock(mutex);
        if (!end && isBegun && waitingIn(*changed->population) == 0) {
            end = Clock::now();
        }
    };
    auto engine = Engine::open(campaign.file, options, seamsOf(script));
    if (!engine) {
        std::printf("%s\n", engine.error().message().c_str());
        return std::nullopt;
    }
    (*engine)->send(command::Start{}); // the baseline, which the others wait for
    (*engine)->waitUntilQuiet();
    for (int i = 0; i < kernelsOfAll; ++i) {
        (*engine)->send(command::AddKernel{1, fmt::format("kernel {}", i), fmt::format("us {}", 2000 + i)});
    }
    while (waitingIn(*(*engine)->population()) < kernelsOfAll) {
        std::this_thread::yield();
    }
    const auto begin = Clock::now();
    {
        const std::lock_guard lock(mutex);
        isBegun = true;
    }
    (*engine)->send(command::Start{});
    (*engine)->waitUntilQuiet(); // and what the engine measures by itself at the end
    engine->reset();
    if (!end) {
        std::printf("%d lanes: not all kernels were evaluated\n", lanes);
        return std::nullopt;
    }
    return std::chrono::duration<double>(*end - begin).count() * scale;
}

void scaleLanes() {
    std::printf("\n%d kernels that wait, an evaluation %.0f s; goal %.1f of linear\n", kernelsOfAll, evaluationSeconds,
                goalOfLinear);
    std::printf("%-6s %12s %10s %10s\n", "lanes", "seconds", "times", "of linear");
    std::optional<double> alone;
    for (const int lanes : {1, 2, 4, 8}) {
        const std::optional<double> seconds = secondsWith(lanes);
        alone = lanes == 1 ? seconds : alone;
        if (seconds && alone) {
            const double times = *alone / *seconds;
            std::printf("%-6d %12.0f %10.2f %10.2f%s\n", lanes, *seconds, times, times / lanes,
                        times / lanes < goalOfLinear ? "  falls short" : "");
            std::fflush(stdout);
        }
    }
}

} // namespace

//   campaign_overlap_bench [lanes]    lanes: how campaigns scale with them, and nothing else
int main(int count, char** arguments) {
    if (count > 1 && std::string_view(arguments[1]) == "lanes") {
        scaleLanes();
        return 0;
    }
    std::printf(
        "%d rounds of %d experiments, a call of the model %.0f s, an evaluation %.0f s, one lane; simulated, 1 s "
        "takes %.0f ms; a build, where there is one, %.0f s\n",
        rounds, experimentsOfARound, callSeconds, evaluationSeconds, 1000 / scale, buildSeconds);
    std::printf("%-6s %-10s %-12s %11s %14s %12s %12s\n", "calls", "latency", "build", "evaluations", "with work, s",
                "lane busy", "it measures");
    for (const int calls : {1, 2, Policies().modelCalls, 4}) {
        runCampaign(calls, false);
    }
    for (const int calls : {1, Policies().modelCalls}) {
        runCampaign(calls, true);
    }
    for (const Build build : {Build::inLane, Build::onBench}) {
        runCampaign(4, false, build);
    }
    scaleLanes();
}
