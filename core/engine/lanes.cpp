// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lanes.h"

#include "core/scientist/static_refusal.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::chrono::seconds firstRest(2);
constexpr std::chrono::seconds longestRest(300);
constexpr int doublingsOfRest = 8;

Activity activityOf(Stage stage) {
    switch (stage) {
    case Stage::queued:
    case Stage::building:
        return Activity::building;
    case Stage::verifying:
        return Activity::verifying;
    case Stage::measuring:
        return Activity::measuring;
    }
    return Activity::building;
}

// A point of the tuner that cannot run well is not run: its build is in the cache when it is to be measured after all.
// `tell` gets what the report says nothing of.
std::optional<Verdict> refusedByReport(EvaluationService& service, const EvaluationRequest& request,
                                       const std::function<void(std::string)>& tell, const std::stop_token& stop) {
    EvaluationRequest inspection = request;
    inspection.staticOnly = true;
    inspection.baseline.reset();
    Verdict verdict = service.evaluate(inspection, [](const EvaluationEvent&) {}, stop);
    const auto refusal = verdict.staticReport ? staticRefusal(*verdict.staticReport, request.target) : std::nullopt;
    const std::string left = verdict.staticReport ? notLookedAt(*verdict.staticReport, request.target) : std::string();
    if (!left.empty()) {
        tell(fmt::format("before its run the point is not checked for {}\n", left));
    }
    if (!refusal) {
        return {};
    }
    verdict.kind = VerdictKind::buildFailed;
    verdict.reason = "not run: " + *refusal;
    return verdict;
}

// What the evaluator says; `activity` is what its progress events speak of.
void tellOutside(Outlet& outlet, const std::string& lane, std::optional<KernelId> kernel, const EvaluationEvent& event,
                 Activity& activity) {
    if (const auto* stage = std::get_if<StageEvent>(&event)) {
        activity = activityOf(stage->stage);
        outlet.emit(ActivityChanged{lane, activity, kernel, {}, -1, {}, now()});
    } else if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
        outlet.emit(ActivityChanged{lane, activity, kernel, {}, progress->fraction, progress->detail, now()});
    } else if (const auto* log = std::get_if<LogEvent>(&event)) {
        outlet.emit(TextArrived{log->stream, log->text, kernel, {}});
    } else if (const auto* samples = std::get_if<SamplesEvent>(&event); samples != nullptr && kernel) {
        outlet.emit(SamplesArrived{*kernel, samples->shape, samples->us, samples->ofBaseline});
    }
}

} // namespace

Lanes::Lanes(MakeService makeService, Outlet& outlet, Done done)
    : m_makeService(std::move(makeService)), m_outlet(outlet), m_done(std::move(done)) {}

Result<void> Lanes::open(const std::vector<LaneSpec>& specs) {
    for (const LaneSpec& spec : specs) {
        for (int slot = 0; slot < spec.capacity; ++slot) {
            auto lane = std::make_unique<Lane>();
            lane->spec = spec;
            GKS_TRY_ASSIGN(lane->service, m_makeService(spec));
            lane->service->speakTo([this](const EngineEvent& event) { m_outlet.emit(event); });
            lane->worker = std::make_unique<Worker>();
            m_lanes.push_back(std::move(lane));
        }
    }
    return {};
}

void Lanes::join() {
    cancel(); // all at once, so that they end at once
    for (const auto& lane : m_lanes) {
        lane->worker.reset();
    }
}

void Lanes::close() {
    { // an evaluator takes its time to end: all are asked before one is waited for
        std::vector<std::jthread> partings;
        for (const auto& lane : m_lanes) {
            partings.emplace_back([&lane] { lane->service.reset(); });
        }
    }
    m_lanes.clear();
}

std::set<std::string> Lanes::labels() const {
    std::set<std::string> all;
    for (const auto& lane : m_lanes) {
        all.insert(lane->spec.label());
    }
    return all;
}

std::vector<std::size_t> Lanes::inService(const CampaignSettings& settings) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (!settings.lanesOut.contains(m_lanes[i]->spec.label())) {
            found.push_back(i);
        }
    }
    return found;
}

std::vector<std::size_t> Lanes::free(const CampaignSettings& settings) const {
    std::vector<std::size_t> found = inService(settings);
    const auto at = std::chrono::steady_clock::now();
    std::erase_if(found, [&](std::size_t lane) { return m_lanes[lane]->busy || m_lanes[lane]->restsUntil > at; });
    return found;
}

std::chrono::seconds Lanes::rest(std::size_t index) {
    Lane& lane = *m_lanes[index];
    const auto seconds = std::min(firstRest * (1 << std::min(lane.failuresToReach, doublingsOfRest)), longestRest);
    ++lane.failuresToReach;
    lane.restsUntil = std::chrono::steady_clock::now() + seconds;
    return seconds;
}

std::optional<std::chrono::steady_clock::time_point> Lanes::nextRested() const {
    const auto at = std::chrono::steady_clock::now();
    std::optional<std::chrono::steady_clock::time_point> next;
    for (const auto& lane : m_lanes) {
        if (lane->restsUntil > at && (!next || lane->restsUntil < *next)) {
            next = lane->restsUntil;
        }
    }
    return next;
}

std::size_t Lanes::busyHere() const {
    return static_cast<std::size_t>(std::count_if(m_lanes.begin(), m_lanes.end(),
                                                  [](const auto& lane) { return lane->busy && lane->spec.isHere(); }));
}

std::size_t Lanes::busy() const {
    return static_cast<std::size_t>(
        std::count_if(m_lanes.begin(), m_lanes.end(), [](const auto& lane) { return lane->busy; }));
}

void Lanes::start(std::size_t index, Job job) {
    Lane& lane = *m_lanes[index];
    lane.busy = true;
    lane.worker->run([this, index, service = lane.service.get(),
                      job = std::move(job)](const std::stop_token& stop) mutable { work(index, *service, job, stop); });
}

void Lanes::work(std::size_t lane, EvaluationService& service, Job& job, const std::stop_token& stop) const {
    Evaluation& done = job.evaluation;
    done.startedAt = now();
    const auto tell = [&](Activity activity, std::optional<KernelId> on, Timestamp since) {
        if (!service.isAway()) { // it tells itself what all lanes of its label do
            m_outlet.emit(ActivityChanged{done.lane, activity, on, {}, -1, {}, since});
        }
    };
    const auto kernel = job.request.anchor.empty() ? std::optional(done.kernel) : std::nullopt;
    tell(Activity::building, kernel, done.startedAt);
    const auto sink = [&, activity = Activity::building](const EvaluationEvent& event) mutable {
        tellOutside(m_outlet, done.lane, kernel, event, activity);
    };
    const auto note = [&](std::string text) { m_outlet.emit(TextArrived{"judge", std::move(text), done.kernel, {}}); };
    const auto refused = job.looksFirst ? refusedByReport(service, job.request, note, stop) : std::nullopt;
    done.verdict = refused ? *refused : service.evaluate(job.request, sink, stop);
    done.endedAt = now();
    tell(Activity::idle, {}, done.endedAt);
    const bool cancelled = stop.stop_requested() && done.verdict.kind == VerdictKind::infrastructureFailed;
    m_done(lane, std::move(done), cancelled);
}

void Lanes::release(std::size_t lane) {
    m_lanes[lane]->busy = false;
}

void Lanes::reached(std::size_t lane) {
    m_lanes[lane]->failuresToReach = 0;
}

void Lanes::kept(std::size_t lane) {
    m_lanes[lane]->service->kept();
}

void Lanes::cancelWaiting() {
    for (const auto& lane : m_lanes) {
        if (lane->busy && lane->service->isWaiting()) {
            lane->worker->cancel();
        }
    }
}

void Lanes::cancelAway() {
    for (const auto& lane : m_lanes) {
        if (lane->busy && lane->service->isAway()) {
            lane->worker->cancel();
        }
    }
}

void Lanes::cancel() {
    for (const auto& lane : m_lanes) {
        lane->worker->cancel();
    }
}

bool Lanes::belongsElsewhere(KernelId kernel, std::size_t lane, const CampaignSettings& settings) const {
    const std::vector<std::size_t> usable = inService(settings);
    return m_failures.failedOn(kernel, m_lanes[lane]->spec.label()) &&
           std::any_of(usable.begin(), usable.end(),
                       [&](std::size_t other) { return !m_failures.failedOn(kernel, m_lanes[other]->spec.label()); });
}

} // namespace gks
