// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/scientist_desk.h"

#include "core/base/elapsed.h"
#include "core/engine/call_lane.h"

#include <algorithm>
#include <chrono>

namespace gks {
namespace {

Activity activityOf(CallTask task) {
    switch (task) {
    case CallTask::select:
        return Activity::selecting;
    case CallTask::design:
        return Activity::designing;
    case CallTask::write:
        return Activity::writing;
    case CallTask::repair:
        return Activity::repairing;
    }
    return Activity::idle;
}

} // namespace

ScientistDesk::ScientistDesk(Links links, Outlet& outlet) : m_links(std::move(links)), m_outlet(outlet) {}

ScientistDesk::Seat& ScientistDesk::freeSeat() {
    const auto found = std::find_if(m_seats.begin(), m_seats.end(), [](const auto& seat) { return !seat->call; });
    if (found != m_seats.end()) {
        return **found;
    }
    m_seats.push_back(std::make_unique<Seat>());
    m_seats.back()->doing->lane = callLane(m_seats.size());
    return *m_seats.back();
}

ScientistSinks ScientistDesk::sinksOf(const std::shared_ptr<Doing>& doing) const {
    ScientistSinks sinks = m_links.sinks;
    sinks.text = [this, doing](const std::string& stage, std::string_view piece) {
        m_outlet.emit(TextArrived{stage, std::string(piece), {}, doing->experiment});
    };
    // What a call waits for is seen while it waits, and since when.
    sinks.progress = [this, doing](const std::string& stage, const ChatProgress& progress) {
        const auto since = now() - static_cast<Timestamp>(progress.elapsedSeconds * 1000);
        doing->waitsForServer = progress.phase == ChatPhase::retrying;
        if (doing->waitsForServer) {
            m_links.post([] {}); // a pause or a spent budget ends the wait
        }
        m_outlet.emit(ActivityChanged{
            doing->lane, doing->activity, {}, doing->experiment, -1, stage + ": " + progressText(progress), since});
    };
    sinks.exchange = [this, doing](Exchange exchange) {
        if (!exchange.experiment) {
            exchange.experiment = doing->experiment;
        }
        doing->price.tokens += exchange.tokensIn + exchange.tokensOut;
        doing->price.usd += exchange.usd.value_or(0);
        m_links.exchange(std::move(exchange));
    };
    return sinks;
}

Result<void> ScientistDesk::makeReady(const CampaignSettings& settings) {
    Seat& seat = freeSeat();
    if (!seat.scientist) {
        GKS_TRY_ASSIGN(seat.scientist, m_links.make(settings, sinksOf(seat.doing)));
    }
    return {};
}

void ScientistDesk::start(const ScientistCall& call, Work work) {
    Seat& seat = freeSeat();
    seat.call = call;
    seat.worker->run([this, &seat, scientist = seat.scientist, doing = seat.doing, call,
                      work = std::move(work)](const std::stop_token& stop) {
        doing->activity = activityOf(call.task);
        doing->experiment = call.experiment;
        doing->price = {};
        doing->waitsForServer = false;
        m_outlet.emit(ActivityChanged{doing->lane, doing->activity, {}, call.experiment, -1, {}, now()});
        const auto began = std::chrono::steady_clock::now();
        Continuation reply = work(*scientist, stop);
        const double seconds = stop.stop_requested() ? 0 : secondsSince(began);
        m_outlet.emit(ActivityChanged{doing->lane, Activity::idle, {}, {}, -1, {}, now()});
        m_links.post([this, &seat, price = doing->price, seconds, reply = std::move(reply)] {
            ended(seat, price, seconds);
            reply();
        });
    });
}

void ScientistDesk::ended(Seat& seat, const CallPrice& price, double seconds) {
    if (seconds > 0) { // not cancelled
        m_seconds[static_cast<std::size_t>(seat.call->task)] = seconds;
    }
    m_newest = {price.usd, seconds};
    m_dearest.tokens = std::max(m_dearest.tokens, price.tokens);
    m_dearest.usd = std::max(m_dearest.usd, price.usd);
    seat.call.reset();
}

std::vector<ScientistCall> ScientistDesk::inFlight() const {
    std::vector<ScientistCall> calls;
    for (const auto& seat : m_seats) {
        if (seat->call) {
            calls.push_back(*seat->call);
        }
    }
    return calls;
}

double ScientistDesk::seconds(CallTask task) const {
    return m_seconds[static_cast<std::size_t>(task)];
}

void ScientistDesk::cancel() {
    for (const auto& seat : m_seats) {
        seat->worker->cancel();
    }
}

void ScientistDesk::cancelPlanning() {
    for (const auto& seat : m_seats) {
        if (seat->call && isPlanning(seat->call->task)) {
            seat->worker->cancel();
        }
    }
}

void ScientistDesk::cancelWaiting() {
    for (const auto& seat : m_seats) {
        if (seat->call && seat->doing->waitsForServer) {
            seat->worker->cancel();
        }
    }
}

void ScientistDesk::renew() {
    for (const auto& seat : m_seats) {
        seat->scientist.reset();
    }
}

void ScientistDesk::join() {
    cancel();
    for (const auto& seat : m_seats) {
        seat->worker.reset();
    }
}

} // namespace gks
