// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop.h"
#include "core/base/elapsed.h"
#include "core/campaign/rules.h"
#include "core/scientist/static_refusal.h"

#include <algorithm>
#include <fmt/format.h>

// How the loop decides. After every message it looks at the population and starts what can be started; nothing else
// starts work, and there is no plan beside the population, so a campaign goes on after a kill from what the file says.
//   lanes      take, in this order: the first seed (everything is compared with it), kernels that a person wrote or
//   wants measured
//              again, the other seeds, then the drafts in the order in which they were written;
//   tuning     of a new structure, where the policies ask for it, comes before the next draft of the scientist;
//   scientist  drafts the next approved experiment while fewer drafts wait than there are lanes, and proposes a new
//   round when no
//              approved experiment is left;
//   the end    is reached when a budget is spent or nothing is left to try; then the best is measured once more against
//   the baseline.
namespace gks {
namespace {

using Clock = Mailbox<Loop::Message>::Clock;
constexpr std::chrono::seconds accountInterval(10);      // how much wall time a kill may lose
constexpr std::chrono::milliseconds followInterval(500); // of a reader: one question to SQLite while nothing changes

// A point of the tuner that cannot run well is not run: its build is in the cache when it is to be measured after all.
std::optional<Verdict> refusedByReport(EvaluationService& service, const EvaluationRequest& request,
                                       const std::stop_token& stop) {
    EvaluationRequest inspection = request;
    inspection.staticOnly = true;
    inspection.baseline.reset();
    Verdict verdict = service.evaluate(inspection, [](const EvaluationEvent&) {}, stop);
    const auto refusal = verdict.staticReport ? staticRefusal(*verdict.staticReport, request.target) : std::nullopt;
    if (!refusal) {
        return {};
    }
    verdict.kind = VerdictKind::buildFailed;
    verdict.reason = "not run: " + *refusal;
    return verdict;
}

} // namespace

Loop::Loop(std::unique_ptr<CampaignStore> store, EngineOptions options, EngineSeams seams, Outlet& outlet,
           History& history)
    : m_store(std::move(store))
    , m_options(std::move(options))
    , m_seams(std::move(seams))
    , m_outlet(outlet)
    , m_history(history)
    , m_work(std::make_shared<Work>())
    , m_scientistWorker(std::make_unique<Worker>()) {}

Loop::~Loop() {
    for (const auto& lane : m_lanes) {
        lane->worker->cancel(); // all at once, so that they end at once
    }
    m_scientistWorker.reset();
    for (const auto& lane : m_lanes) {
        lane->worker.reset();
    }
    // What they brought back at the last moment is kept: a finished evaluation, the price of a model call.
    while (const auto message = m_mailbox.tryPop()) {
        (*message)(*this);
    }
    { // an evaluator takes its time to end: all are asked before one is waited for
        std::vector<std::jthread> partings;
        for (const auto& lane : m_lanes) {
            partings.emplace_back([&lane] { lane->service.reset(); });
        }
    }
    m_lanes.clear();
    if (!m_store->readOnly()) {
        accountWallTime();
        static_cast<void>(m_store->recover()); // should it fail, the next opening does it
    }
}

Result<void> Loop::prepare() {
    if (m_store->readOnly()) { // nothing is asked, built or run
        GKS_TRY(readPopulation());
        publish(true);
        return {};
    }
    GKS_TRY(m_store->recover());
    GKS_TRY(readPopulation());
    GKS_TRY(answerTrust());
    std::vector<LaneSpec> specs = m_options.lanes;
    if (specs.empty()) {
        specs.push_back({m_population->settings.target, m_population->settings.device, {}});
    }
    for (const LaneSpec& spec : specs) {
        auto lane = std::make_unique<Lane>();
        lane->spec = spec;
        lane->service = m_seams.evaluationService(spec);
        lane->worker = std::make_unique<Worker>();
        m_lanes.push_back(std::move(lane));
    }
    publish(true);
    isTrusted(false);
    return {};
}

void Loop::run() {
    while (!m_ended) {
        std::optional<Clock::time_point> deadline;
        if (m_runningSince) {
            deadline = *m_runningSince + accountInterval;
        }
        if (m_store->readOnly()) {
            deadline = Clock::now() + followInterval;
        }
        if (m_population != m_published) {
            deadline = std::min(deadline.value_or(Clock::time_point::max()), m_publishedAt + m_seams.publishInterval);
        }
        for (auto message = m_mailbox.pop(deadline); message; message = m_mailbox.tryPop()) {
            (*message)(*this);
            if (m_ended) {
                return;
            }
            refresh(); // the next one, an approval behind an edit, builds on what this one has written
        }
        if (m_runningSince && Clock::now() >= *m_runningSince + accountInterval) {
            accountWallTime();
        }
        refresh();
        schedule();
        refresh(); // the next command is checked against what has just been started
        publish(false);
        settle();
    }
}

void Loop::settle() {
    const bool quiet = nothingInFlight() && (m_state == EngineState::idle || m_state == EngineState::paused);
    if (quiet) {
        publish(true);
    }
    m_outlet.settle(m_commandsSeen, quiet);
}

Result<void> Loop::readPopulation() {
    GKS_TRY_ASSIGN(m_population, m_store->population());
    m_structures.follow(m_population);
    return {};
}

void Loop::refresh() {
    const auto read = readPopulation();
    if (read || !m_store->readOnly() || !m_unreadable) { // a reader looks again and again: it says once that it cannot
        stored(read);
    }
    m_unreadable = !read;
}

void Loop::publish(bool atOnce) {
    const bool due = atOnce || Clock::now() >= m_publishedAt + m_seams.publishInterval;
    if (due && m_population != m_published) {
        m_published = m_population;
        m_publishedAt = Clock::now();
        m_outlet.publish(m_population);
    }
}

void Loop::accountWallTime() {
    if (m_runningSince) {
        const double seconds = secondsSince(*m_runningSince);
        m_runningSince = Clock::now();
        static_cast<void>(m_store->addWallSeconds(seconds)); // a budget of minutes may then be a little generous
    }
}

void Loop::enter(EngineState state, std::string reason) {
    accountWallTime();
    const bool works = state == EngineState::running;
    m_runningSince = works ? std::optional(Clock::now()) : std::nullopt;
    m_state = state;
    refresh();
    publish(true);
    m_outlet.setState(state, std::move(reason));
}

void Loop::warn(const Error& error, const std::string& stage, std::optional<KernelId> kernel,
                std::optional<ExperimentId> experiment) {
    m_outlet.emit(WarningRaised{error, stage, kernel, experiment});
}

void Loop::halt(const Error& error, const std::string& stage, std::optional<KernelId> kernel,
                std::optional<ExperimentId> experiment) {
    warn(error, stage, kernel, experiment);
    if (m_state == EngineState::running) {
        m_runningSince.reset();
        m_state = EngineState::paused;
        m_outlet.setState(m_state, error.message());
    }
}

bool Loop::nothingInFlight() const {
    return !m_task &&
           std::none_of(m_lanes.begin(), m_lanes.end(), [](const auto& lane) { return lane->kernel.has_value(); });
}

bool Loop::isInService(const Lane& lane) const {
    return !m_population->settings.lanesOut.contains(lane.spec.label());
}

std::size_t Loop::lanesInService() const {
    return static_cast<std::size_t>(
        std::count_if(m_lanes.begin(), m_lanes.end(), [this](const auto& lane) { return isInService(*lane); }));
}

// The infrastructure failed this kernel here, and there is a lane where that is not known yet.
bool Loop::belongsElsewhere(const Kernel& kernel, const Lane& lane) const {
    const auto failedOn = m_failedOn.find(kernel.id);
    return failedOn != m_failedOn.end() && failedOn->second.contains(lane.spec.label()) &&
           std::any_of(m_lanes.begin(), m_lanes.end(), [&](const auto& other) {
               return isInService(*other) && !failedOn->second.contains(other->spec.label());
           });
}

void Loop::schedule() {
    if (m_state == EngineState::stopping && nothingInFlight()) {
        enter(EngineState::idle, "");
    }
    if (m_state == EngineState::running && !m_finishing) {
        m_finishing = reachedBudget();
    }
    if (m_task && m_work->waitsForServer && (m_state != EngineState::running || m_finishing)) {
        m_scientistWorker->cancel(); // it may be hours until the server is back, and nothing is lost
    }
    if (m_state != EngineState::running || !isPackTrusted()) {
        return;
    }
    retireProposals();
    if (m_state == EngineState::running && !m_finishing) {
        startTuning();
        startEvaluations();
        startScientist();
    }
    if (m_state == EngineState::running && nothingInFlight()) {
        conclude();
    }
}

std::optional<std::string> Loop::reachedBudget() const {
    const Budgets& budgets = m_population->settings.budgets;
    const Spend& spend = m_population->spend;
    const double seconds = spend.wallSeconds + (m_runningSince ? secondsSince(*m_runningSince) : 0);
    if (budgets.evaluations > 0 && spend.evaluations >= budgets.evaluations) {
        return fmt::format("budget of {} evaluations reached", budgets.evaluations);
    }
    if (budgets.minutes > 0 && seconds >= budgets.minutes * 60) {
        return fmt::format("budget of {} minutes reached", formatSignificant(budgets.minutes));
    }
    if (budgets.usd > 0 && spend.usd >= budgets.usd) {
        return fmt::format("budget of {} reached", formatUsd(budgets.usd));
    }
    if (budgets.tokens > 0 && spend.tokens >= budgets.tokens) {
        return fmt::format("budget of {} tokens reached", budgets.tokens);
    }
    if (budgets.gpuSeconds > 0 && spend.gpuSeconds >= budgets.gpuSeconds) {
        return fmt::format("budget of {} of device time reached", formatSeconds(budgets.gpuSeconds));
    }
    return std::nullopt;
}

std::int64_t Loop::evaluationsLeft() const {
    const std::int64_t budget = m_population->settings.budgets.evaluations;
    if (budget == 0) {
        return std::numeric_limits<std::int32_t>::max();
    }
    const auto inFlight =
        std::count_if(m_lanes.begin(), m_lanes.end(), [](const auto& lane) { return lane->kernel.has_value(); });
    return budget - m_population->spend.evaluations - inFlight;
}

const Kernel* Loop::nextKernel() const {
    const Kernel* best = nullptr;
    int bestRank = 0;
    for (const Kernel& kernel : m_population->kernels) {
        const bool first = kernel.id == m_population->baseline;
        if (first && !kernel.verdict && !kernel.heldBack) {
            return kernel.state == KernelState::waiting ? &kernel : nullptr;
        }
        if (kernel.state != KernelState::waiting || kernel.heldBack) {
            continue;
        }
        const Kernel* parent = kernel.parents.empty() ? nullptr : m_population->kernel(kernel.parents.front());
        if (parent != nullptr && !parent->verdict && !parent->heldBack) {
            continue; // its turn comes when there is something to compare it with
        }
        const int rank = kernel.author == Author::person || kernel.verdict ? 0 : kernel.author == Author::seed ? 1 : 2;
        if (best == nullptr || rank < bestRank) {
            best = &kernel;
            bestRank = rank;
        }
    }
    return best;
}

const Kernel* Loop::baselineOf(const Kernel& kernel) const {
    const std::optional<KernelId> id =
        kernel.parents.empty() ? m_population->baseline : std::optional(kernel.parents.front());
    const Kernel* baseline = id && *id != kernel.id ? m_population->kernel(*id) : nullptr;
    return baseline != nullptr && isAccepted(*baseline) ? baseline : nullptr;
}

void Loop::startEvaluations() {
    for (const auto& lane : m_lanes) {
        if (m_state != EngineState::running || lane->kernel || !isInService(*lane) || evaluationsLeft() <= 0) {
            continue;
        }
        const Kernel* kernel = nextKernel();
        if (kernel == nullptr && startDuel(*lane)) {
            continue;
        }
        if (kernel == nullptr) {
            return;
        }
        if (belongsElsewhere(*kernel, *lane)) {
            continue;
        }
        const PopulationPtr held = m_population; // refresh() must not take the kernel away
        if (!stored(m_store->setKernelState(kernel->id, KernelState::evaluating))) {
            return;
        }
        evaluate(*lane, *kernel, baselineOf(*kernel), kernel->verdict ? "again" : "new kernel");
        refresh();
    }
}

void Loop::evaluate(Lane& lane, const Kernel& kernel, const Kernel* baseline, std::string_view purpose) {
    const CampaignSettings& settings = m_population->settings;
    EvaluationRequest request;
    request.id = fmt::format("{}-{}", kernelLabel(kernel.id), ++m_requests);
    request.problem = settings.problem;
    request.source = kernel.source;
    request.target = lane.spec.target;
    request.device = lane.spec.device;
    request.shapes = settings.shapes;
    request.allowNoSandbox = m_options.allowNoSandbox;
    request.measureSeconds = settings.measureSeconds;
    request.tieMarginPercent = settings.tieMarginPercent;
    Evaluation evaluation;
    evaluation.kernel = kernel.id;
    evaluation.purpose = purpose;
    evaluation.lane = lane.spec.label();
    if (baseline != nullptr) {
        request.baseline = baseline->source;
        evaluation.baseline = baseline->id;
    }
    lane.kernel = kernel.id;
    lane.besides = standsBeside(purpose);
    const bool tuned = kernel.author == Author::tuner && lane.spec.target == TargetKind::amd;
    lane.worker->run([this, &lane, tuned, request = std::move(request),
                      evaluation = std::move(evaluation)](const std::stop_token& stop) {
        Evaluation done = evaluation;
        done.startedAt = now();
        m_outlet.emit(ActivityChanged{done.lane, Activity::building, done.kernel, {}, -1, {}, done.startedAt});
        const auto sink = [&, activity = Activity::building](const EvaluationEvent& event) mutable {
            forward(lane, done.kernel, event, activity);
        };
        const auto refused = tuned ? refusedByReport(*lane.service, request, stop) : std::nullopt;
        done.verdict = refused ? *refused : lane.service->evaluate(request, sink, stop);
        done.endedAt = now();
        m_outlet.emit(ActivityChanged{done.lane, Activity::idle, {}, {}, -1, {}, done.endedAt});
        const bool cancelled = stop.stop_requested() && done.verdict.kind == VerdictKind::infrastructureFailed;
        post([&lane, done = std::move(done), cancelled](Loop& loop) { loop.evaluated(lane, done, cancelled); });
    });
}

} // namespace gks
