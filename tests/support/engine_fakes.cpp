// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_fakes.h"

#include "core/base/hash.h"
#include "core/problem/probe_pack.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

namespace gks::test {
namespace {

constexpr std::chrono::seconds patience(20);

double microseconds(const std::string& source) {
    const std::size_t at = source.find("us ");
    return at == std::string::npos ? 100 : std::stod(source.substr(at + 3));
}

class FakeService final : public EvaluationService {
public:
    explicit FakeService(FakeWorld& world) : m_world(world) {}

    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink& sink,
                     const std::stop_token& stop) override {
        if (request.screen) {
            return screen(request, stop);
        }
        sink(StageEvent{Stage::measuring});
        bool lost = false;
        bool hung = false;
        bool missing = false;
        double us = 0;
        double baselineUs = 0;
        {
            const std::stop_callback wake(stop, [this] { m_world.changed.notify_all(); });
            std::unique_lock lock(m_world.mutex);
            us = timeOf(request.source);
            baselineUs = request.baseline ? timeOf(*request.baseline) : 0;
            m_world.requests.push_back(request);
            m_world.mostAtOnce = std::max(m_world.mostAtOnce, ++m_world.evaluating);
            m_world.didOverlap = m_world.didOverlap || m_world.screening > 0;
            lost = m_world.lostEvaluations > 0;
            m_world.lostEvaluations -= lost ? 1 : 0;
            lost = lost || m_world.brokenDevices.contains(request.device);
            missing = m_world.missingAnchors.contains(request.anchor);
            hung = m_world.hungDevices.contains(request.device);
            m_world.changed.notify_all();
            while (m_world.holdEvaluations && !stop.stop_requested()) {
                m_world.changed.wait_for(lock, std::chrono::milliseconds(20));
            }
            --m_world.evaluating;
            m_world.changed.notify_all();
        }
        if (stop.stop_requested()) {
            return failedVerdict(VerdictKind::infrastructureFailed, "cancelled");
        }
        if (hung) {
            Verdict verdict = failedVerdict(VerdictKind::infrastructureFailed, "the device did not answer");
            verdict.next = "Reset the device";
            verdict.deviceTrouble = DeviceTrouble::hung;
            return verdict;
        }
        if (lost) {
            return failedVerdict(VerdictKind::infrastructureFailed, "the evaluator was lost");
        }
        if (missing) {
            return failedVerdict(VerdictKind::infrastructureFailed, "libX.so is not installed here");
        }
        for (const VerdictKind kind : {VerdictKind::buildFailed, VerdictKind::wrong}) {
            if (request.source.find(name(kind)) != std::string::npos) {
                return failedVerdict(kind, "as the source says");
            }
        }
        Verdict verdict = sampleEvaluation(1, us, std::optional<KernelId>()).verdict;
        if (request.problem == probePackName) {
            for (std::size_t i = 0; i < verdict.measurements.size(); ++i) {
                verdict.measurements[i].shape = {{"variant", static_cast<std::int64_t>(i) + 1}};
            }
        }
        if (request.baseline) {
            const double ratio = baselineUs / verdict.geomeanUs;
            verdict.kind = ratio > 1.005 ? VerdictKind::faster : ratio < 0.995 ? VerdictKind::slower : VerdictKind::tie;
            verdict.comparison =
                ComparisonFact{ratio, {ratio * 0.99, ratio * 1.01}, verdict.kind, sha256Hex(*request.baseline)};
        }
        sink(SamplesEvent{{{"n", 1}}, {verdict.geomeanUs}, false});
        sink(VerdictEvent{verdict});
        return verdict;
    }

    bool isAway() const override {
        const std::lock_guard lock(m_world.mutex);
        return m_world.lanesAreAway;
    }

private:
    Verdict screen(const EvaluationRequest& request, const std::stop_token& stop) {
        const std::stop_callback wake(stop, [this] { m_world.changed.notify_all(); });
        std::unique_lock lock(m_world.mutex);
        m_world.screened.push_back(request);
        ++m_world.screening;
        m_world.didOverlap = m_world.didOverlap || m_world.evaluating > 0;
        m_world.changed.notify_all();
        while (m_world.holdScreenings && !stop.stop_requested()) {
            m_world.changed.wait_for(lock, std::chrono::milliseconds(20));
        }
        --m_world.screening;
        m_world.changed.notify_all();
        const bool lost = m_world.lostScreenings > 0;
        m_world.lostScreenings -= lost ? 1 : 0;
        if (lost || stop.stop_requested()) {
            return failedVerdict(VerdictKind::infrastructureFailed, lost ? "no compiler" : "cancelled");
        }
        const bool builds = request.source.find("build-failed") == std::string::npos;
        return builds ? failedVerdict(VerdictKind::correct, "screened")
                      : failedVerdict(VerdictKind::buildFailed, "as the source says");
    }

    double timeOf(const std::string& source) const { // the world is locked
        const bool again = std::any_of(m_world.requests.begin(), m_world.requests.end(),
                                       [&](const EvaluationRequest& earlier) { return earlier.source == source; });
        const auto other = m_world.againUs.find(source);
        return again && other != m_world.againUs.end() ? other->second : microseconds(source);
    }

    FakeWorld& m_world;
};

class FakeScientist final : public Scientist {
public:
    FakeScientist(FakeWorld& world, ScientistKind kind, ScientistSinks sinks)
        : m_world(world), m_kind(kind), m_sinks(std::move(sinks)) {}

    ScientistKind kind() const override { return m_kind; }
    Author author() const override { return m_kind == ScientistKind::tuner ? Author::tuner : Author::model; }

    Result<Selection> select(const Briefing& briefing, const std::stop_token& stop) override {
        GKS_TRY(answer("select", stop));
        const Population& population = *briefing.population;
        if (population.settings.pinnedParent) {
            return Selection{*population.settings.pinnedParent, population.settings.pinnedReference, "pinned by you"};
        }
        if (!population.best) {
            return kernelError("no kernel has passed yet");
        }
        return Selection{*population.best, population.baseline, "the fastest"};
    }

    Result<Design> design(const Briefing& briefing, const Selection& selection, const std::stop_token& stop) override {
        GKS_TRY(answer("design " + kernelLabel(selection.basis), stop));
        const std::lock_guard lock(m_world.mutex);
        if (m_world.rounds.empty()) {
            return Design();
        }
        std::vector<Experiment> round = std::move(m_world.rounds.front());
        m_world.rounds.pop_front();
        for (Experiment& experiment : round) {
            experiment.parent = experiment.parent == 0 ? selection.basis : experiment.parent;
            experiment.author = author();
        }
        Design design{std::move(round)};
        design.lessons = m_world.lessons;
        if (!m_world.avenues.empty()) {
            const Population& population = *briefing.population;
            design.round = Round{.id = population.newestRound() + 1,
                                 .parent = selection.basis,
                                 .rationale = selection.rationale,
                                 .diagnosis = {{"all", "memory", "71 % of the bytes/s", 1.4}},
                                 .model = "fake"};
            AvenueId newest = population.avenues.empty() ? 0 : population.avenues.back().id;
            for (const std::string& text : m_world.avenues) {
                design.avenues.push_back({++newest, design.round->id, text});
            }
        }
        return design;
    }

    Result<Draft> write(const Briefing&, const Experiment& experiment, const std::stop_token& stop) override {
        GKS_TRY(answer("write " + experiment.description + by(experiment), stop));
        Exchange exchange;
        exchange.stage = "writer";
        exchange.tokensIn = 100;
        exchange.usd = 0.01;
        m_sinks.exchange(exchange);
        return next(experiment);
    }

    Result<Draft> repair(const Briefing&, const Experiment& experiment, const Draft&, const Failure& failure,
                         int attempt, const std::stop_token& stop) override {
        GKS_TRY(answer(fmt::format("repair {} {} {}{}", experiment.description, attempt,
                                   failure.verdict ? name(*failure.verdict) : failure.reason, by(experiment)),
                       stop));
        return next(experiment);
    }

private:
    static std::string by(const Experiment& experiment) {
        return experiment.writer.empty() ? std::string() : " by " + experiment.writer;
    }

    Result<void> answer(const std::string& question, const std::stop_token& stop) {
        std::unique_lock lock(m_world.mutex);
        m_world.asked.push_back(question);
        m_world.changed.notify_all();
        if (m_world.serverIsBusy) {
            m_sinks.progress("writer", {ChatPhase::retrying, 3, 60, "the server answered 503"});
        }
        m_world.mostAnswering = std::max(m_world.mostAnswering, ++m_world.answering);
        while (m_world.holdScientist && question.starts_with(m_world.held) && !stop.stop_requested()) {
            m_world.changed.wait_for(lock, std::chrono::milliseconds(20));
        }
        --m_world.answering;
        if (stop.stop_requested()) {
            return cancelledError();
        }
        if (m_world.selectError && question == "select") {
            return tl::unexpected(*m_world.selectError);
        }
        return {};
    }

    Result<Draft> next(const Experiment& experiment) {
        const std::lock_guard lock(m_world.mutex);
        auto& drafts = m_world.drafts[experiment.description];
        if (drafts.empty()) {
            return kernelError("nothing more to try");
        }
        Draft draft = {drafts.front(), "", "did as asked"};
        drafts.pop_front();
        return draft;
    }

    FakeWorld& m_world;
    ScientistKind m_kind;
    ScientistSinks m_sinks;
};

} // namespace

void FakeWorld::set(const std::function<void(FakeWorld&)>& change) {
    {
        const std::lock_guard lock(mutex);
        change(*this);
    }
    changed.notify_all();
}

bool FakeWorld::waitFor(const std::function<bool(const FakeWorld&)>& condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, patience, [&] { return condition(*this); });
}

EngineSeams FakeWorld::seams(ScientistKind kind) {
    EngineSeams seams;
    seams.evaluationService = [this](const LaneSpec&) { return std::make_unique<FakeService>(*this); };
    seams.scientist = [this, kind](const CampaignSettings&,
                                   ScientistSinks sinks) -> Result<std::unique_ptr<Scientist>> {
        return std::make_unique<FakeScientist>(*this, kind, std::move(sinks));
    };
    seams.problem = [this](const std::string& name) -> Result<ProblemPack> {
        if (name == probePackName) {
            return loadProblemPack(name);
        }
        ProblemPack pack = samplePack();
        pack.anchors = anchors;
        return pack;
    };
    seams.publishInterval = publishInterval;
    seams.lockPatience = lockPatience;
    seams.processors = processors;
    return seams;
}

Experiment proposal(KernelId parent, std::string description, std::string pick) {
    Experiment experiment = sampleExperiment(parent, std::move(description));
    experiment.state = ExperimentState::proposed;
    experiment.pick = std::move(pick);
    return experiment;
}

EngineRun::EngineRun(ScientistKind kind, std::size_t lanes, const std::function<void(CampaignSettings&)>& settings,
                     int calls)
    : m_kind(kind), m_lanes(lanes), m_calls(calls) {
    CampaignSettings changed = campaign.settings;
    changed.scientist = kind;
    changed.policies.screening = false;
    if (settings) {
        settings(changed);
    }
    if (!campaign.store->saveSettings(changed, {0, Author::person, "create", "", 0})) {
        std::abort();
    }
    m_target = changed.target;
    campaign.store.reset();
    open();
}

EngineRun::~EngineRun() {
    close();
}

void EngineRun::open() {
    EngineOptions options;
    for (std::size_t i = 0; i < m_lanes; ++i) {
        options.lanes.push_back({m_target, static_cast<int>(i), {}});
    }
    options.modelCalls = m_calls;
    options.measuresWhenAsked = world.measuresWhenAsked;
    options.sink = [this](const EngineEvent& event) {
        const std::lock_guard lock(m_mutex);
        m_events.push_back(event);
    };
    engine = Engine::open(campaign.file, options, world.seams(m_kind)).value();
}

void EngineRun::close() {
    engine.reset();
}

std::string EngineRun::lastReason() const {
    const std::lock_guard lock(m_mutex);
    std::string reason;
    for (const EngineEvent& event : m_events) {
        if (const auto* changed = std::get_if<StateChanged>(&event)) {
            reason = changed->reason;
        }
    }
    return reason;
}

std::vector<std::string> EngineRun::warnings() const {
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> found;
    for (const EngineEvent& event : m_events) {
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            found.push_back(warning->error.message());
        }
    }
    return found;
}

std::vector<NextParentChanged> EngineRun::nextParents() const {
    const std::lock_guard lock(m_mutex);
    std::vector<NextParentChanged> found;
    for (const EngineEvent& event : m_events) {
        if (const auto* next = std::get_if<NextParentChanged>(&event)) {
            found.push_back(*next);
        }
    }
    return found;
}

std::vector<ActivityChanged> EngineRun::activities() const {
    const std::lock_guard lock(m_mutex);
    std::vector<ActivityChanged> found;
    for (const EngineEvent& event : m_events) {
        if (const auto* next = std::get_if<ActivityChanged>(&event)) {
            found.push_back(*next);
        }
    }
    return found;
}

std::size_t EngineRun::populationEvents() const {
    const std::lock_guard lock(m_mutex);
    return static_cast<std::size_t>(std::count_if(m_events.begin(), m_events.end(), [](const EngineEvent& event) {
        return std::holds_alternative<PopulationChanged>(event);
    }));
}

bool EngineRun::didSteer(std::string_view action) const {
    const auto all = engine->steering().value();
    return std::any_of(all.begin(), all.end(), [&](const Steering& steering) { return steering.action == action; });
}

std::string EngineRun::order() {
    const std::lock_guard lock(world.mutex);
    std::string text;
    for (const EvaluationRequest& request : world.requests) {
        text += (text.empty() ? "" : " ") + request.id.substr(0, 5);
    }
    return text;
}

} // namespace gks::test
