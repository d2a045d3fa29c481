// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watched_run.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace gks {
namespace {

constexpr std::chrono::seconds localPatience(3);

} // namespace

struct WatchedRun::State {
    Connect connect;
    Rests rests;
    EngineSink sink;
    Changed changed;

    mutable std::mutex mutex;
    std::condition_variable_any happened;
    Line line;
    bool isLinked = false;
    bool hasEnded = false; // the link that is there, or is being made
    std::optional<Error> why;
    std::set<std::string> atWork; // lanes
    std::jthread thread;

    void hear(const EngineEvent& event);
    void run(const std::stop_token& stop);
    Result<void> watchOnce(const std::stop_token& stop);
    void quieten();
};

void WatchedRun::State::hear(const EngineEvent& event) {
    if (const auto* work = std::get_if<ActivityChanged>(&event)) {
        const std::lock_guard lock(mutex);
        if (work->activity == Activity::idle) {
            atWork.erase(work->lane);
        } else {
            atWork.insert(work->lane);
        }
    }
    sink(event);
}

// What it did when it was last heard of is no news any more.
void WatchedRun::State::quieten() {
    for (const std::string& lane : std::exchange(atWork, {})) {
        sink(ActivityChanged{lane, Activity::idle, {}, {}, -1, "", now()});
    }
    sink(StateChanged{});
}

// Good when the run has ended or its link was cut; an error when there was none.
Result<void> WatchedRun::State::watchOnce(const std::stop_token& stop) {
    {
        const std::lock_guard lock(mutex);
        hasEnded = false;
        why.reset();
    }
    RunLink::Heard heard;
    heard.event = [this](const EngineEvent& event) { hear(event); };
    heard.ended = [this](const std::optional<Error>& reason) {
        const std::lock_guard lock(mutex);
        hasEnded = true;
        why = reason.value_or(Error{ErrorKind::usage, "the run has ended", "the run", {}});
        happened.notify_all();
    };
    auto made = connect(std::move(heard), stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    {
        std::unique_lock lock(mutex);
        line = std::move(*made);
        isLinked = true;
        lock.unlock();
        changed(std::nullopt);
        lock.lock();
        happened.wait(lock, stop, [this] { return hasEnded; });
        isLinked = false;
        *made = std::move(line);
    }
    made->link.reset(); // hears nothing from here on
    if (!stop.stop_requested()) {
        quieten();
        changed(why);
    }
    return {};
}

void WatchedRun::State::run(const std::stop_token& stop) {
    bool isTold = false; // that there is none
    for (auto rest = rests.first; !stop.stop_requested();) {
        const auto watched = watchOnce(stop);
        rest = watched ? rests.first : std::min(rest * 2, rests.longest);
        if (!watched && !isTold && !stop.stop_requested()) {
            changed(watched.error());
        }
        isTold = !watched;
        std::unique_lock lock(mutex);
        happened.wait_for(lock, stop, watched ? rests.first : rest, [] { return false; });
    }
}

WatchedRun::WatchedRun(Connect connect, Rests rests, EngineSink sink, Changed changed)
    : m_state(std::make_unique<State>()) {
    m_state->connect = std::move(connect);
    m_state->rests = rests;
    m_state->sink = std::move(sink);
    m_state->changed = std::move(changed);
    m_state->thread = std::jthread([raw = m_state.get()](const std::stop_token& stop) { raw->run(stop); });
}

WatchedRun::~WatchedRun() {
    m_state->thread.request_stop();
    m_state->thread.join();
}

bool WatchedRun::isLinked() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->isLinked;
}

void WatchedRun::send(SteeringCommand command, RunLink::Answer answer) {
    {
        const std::lock_guard lock(m_state->mutex);
        if (m_state->isLinked && !m_state->hasEnded) {
            m_state->line.link->send(std::move(command), std::move(answer));
            return;
        }
    }
    answer(usageError("no run is there that could carry it out", "steering", "Wait until it is there again"));
}

WatchedRun::Connect localRun(const std::filesystem::path& campaign) {
    return [campaign](RunLink::Heard heard, const std::stop_token& stop) -> Result<WatchedRun::Line> {
        GKS_TRY_ASSIGN(auto link, RunLink::to(campaign, std::move(heard), localPatience, stop));
        return WatchedRun::Line{{}, std::move(link)};
    };
}

} // namespace gks
