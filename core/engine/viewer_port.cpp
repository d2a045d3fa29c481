// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/viewer_port.h"

#include "core/base/line_channel.h"
#include "core/base/local_socket.h"
#include "core/base/locations.h"
#include "core/engine/event_json.h"
#include "core/engine/run_lines.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <list>
#include <map>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t mostViewers = 64;
// Beyond the first a viewer gets no more progress, beyond the second it is let go.
constexpr std::size_t slowBytes = std::size_t{1} << 20;
constexpr std::size_t deafBytes = std::size_t{8} << 20;
constexpr int mostUnanswered = 64; // requests of one viewer; those behind them wait in its socket
constexpr std::chrono::milliseconds partingPatience(500);

struct Viewer {
    explicit Viewer(FileDescriptor connection) : channel(std::move(connection), FileDescriptor(-1), runLineBytes) {}
    LineChannel channel;
    std::int64_t number = 0;
    int unanswered = 0;
    bool isLeaving = false;  // when it has what is still queued
    bool hasSaidAll = false; // it may still wait for answers
    bool isGone = false;
};

// How things stand, for who comes later.
class Standing {
public:
    void note(const EngineEvent& event) {
        if (const auto* state = std::get_if<StateChanged>(&event)) {
            m_state = *state;
        } else if (const auto* next = std::get_if<NextParentChanged>(&event)) {
            m_next = *next;
        } else if (const auto* work = std::get_if<ActivityChanged>(&event)) {
            if (work->activity == Activity::idle) {
                m_lanes.erase(work->lane);
            } else {
                m_lanes[work->lane] = *work;
            }
        }
    }
    std::vector<EngineEvent> events() const {
        std::vector<EngineEvent> all = {m_state};
        if (m_next) {
            all.emplace_back(*m_next);
        }
        for (const auto& [lane, work] : m_lanes) {
            all.emplace_back(work);
        }
        return all;
    }

private:
    StateChanged m_state;
    std::optional<NextParentChanged> m_next;
    std::map<std::string, ActivityChanged> m_lanes;
};

struct QueuedEvent {
    std::string line;
    bool isProgress = false;
};

} // namespace

struct ViewerPort::State {
    // Between the engine's threads and the port's.
    std::mutex mutex;
    Standing standing;
    std::vector<QueuedEvent> events;
    std::size_t eventBytes = 0;
    bool hasPopulation = false;                              // among them: one says as much as many
    std::vector<std::pair<std::int64_t, RunAnswer>> answers; // by viewer
    bool hasViewers = false;
    FileDescriptor wakes{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    // The port's own.
    fs::path socket;
    Calls calls;
    FileDescriptor listening{-1};
    std::list<Viewer> viewers;
    std::int64_t lastViewer = 0;
    std::jthread thread;

    void wake() const { ::eventfd_write(wakes.number(), 1); }
    void run(const std::stop_token& stop, const std::shared_ptr<State>& self);
    void wait(std::chrono::milliseconds patience);
    void welcome();
    void deliver();
    void hear(Viewer& viewer, const std::shared_ptr<State>& self);
    void take(Viewer& viewer, std::string_view line, const std::shared_ptr<State>& self);
    void part();
};

void ViewerPort::State::wait(std::chrono::milliseconds patience) {
    std::vector<pollfd> watched = {{wakes.number(), POLLIN, 0}};
    if (listening.number() >= 0) {
        watched.push_back({listening.number(), POLLIN, 0});
    }
    for (const Viewer& viewer : viewers) {
        const bool isHeard = viewer.unanswered < mostUnanswered && !viewer.isLeaving && !viewer.hasSaidAll;
        const int wanted = (viewer.channel.hasToWrite() ? POLLOUT : 0) | (isHeard ? POLLIN : 0);
        const bool isSilent = viewer.hasSaidAll && wanted == 0; // its end would be told again and again
        watched.push_back({isSilent ? -1 : viewer.channel.in(), static_cast<short>(wanted), 0});
    }
    ::poll(watched.data(), watched.size(), static_cast<int>(patience.count()));
    eventfd_t ignored = 0;
    ::eventfd_read(wakes.number(), &ignored);
}

void ViewerPort::State::welcome() {
    while (auto connection = acceptOwn(listening)) {
        Viewer& viewer = viewers.emplace_back(std::move(*connection));
        viewer.number = ++lastViewer;
        if (viewers.size() > mostViewers) { // who is told so is no viewer, and gone in a moment
            viewer.channel.put(replyLine(
                RunAnswer{0, infrastructureError(fmt::format("{} programs watch this run already", mostViewers),
                                                 "the run", "Close some of them (kernel-scientist-cli attach)")}));
            viewer.isLeaving = true;
            continue;
        }
        viewer.channel.put(replyLine(RunGreeting{runProtocol, std::string(programVersion())}));
        const std::lock_guard lock(mutex); // what comes meanwhile it hears twice, but nothing is lost
        for (const EngineEvent& event : standing.events()) {
            viewer.channel.put(replyLine(event));
        }
        hasViewers = true;
    }
}

void ViewerPort::State::deliver() {
    std::vector<QueuedEvent> said;
    std::vector<std::pair<std::int64_t, RunAnswer>> answered;
    {
        const std::lock_guard lock(mutex);
        said.swap(events);
        answered.swap(answers);
        eventBytes = 0;
        hasPopulation = false;
    }
    for (Viewer& viewer : viewers) {
        for (const QueuedEvent& event : said) {
            if (!event.isProgress || viewer.channel.queuedBytes() < slowBytes) {
                viewer.channel.put(event.line);
            }
        }
    }
    for (const auto& [number, answer] : answered) {
        const auto viewer = std::ranges::find(viewers, number, &Viewer::number);
        if (viewer != viewers.end()) {
            --viewer->unanswered;
            viewer->channel.put(replyLine(answer));
        }
    }
}

void ViewerPort::State::take(Viewer& viewer, std::string_view line, const std::shared_ptr<State>& self) {
    auto request = requestFrom(line);
    if (!request) {
        viewer.channel.put(replyLine(RunAnswer{request.error().id, tl::unexpected(request.error().error)}));
        return;
    }
    ++viewer.unanswered;
    auto answer = [self, number = viewer.number, id = request->id](const Result<KernelId>& result) {
        {
            const std::lock_guard lock(self->mutex);
            self->answers.emplace_back(number, RunAnswer{id, result});
        }
        self->wake();
    };
    if (auto* command = std::get_if<SteeringCommand>(&request->asked)) {
        calls.command(std::move(*command), std::move(answer));
    } else {
        calls.propose(std::get<AgentKernel>(std::move(request->asked)), std::move(answer));
    }
}

void ViewerPort::State::hear(Viewer& viewer, const std::shared_ptr<State>& self) {
    const auto status = viewer.unanswered >= mostUnanswered || viewer.isLeaving || viewer.hasSaidAll
                            ? LineChannel::Status::open
                            : viewer.channel.read([&](std::string_view line) {
                                  take(viewer, line, self);
                                  return viewer.unanswered < mostUnanswered;
                              });
    if (status == LineChannel::Status::tooLong) {
        viewer.channel.put(replyLine(RunAnswer{
            0, usageError(fmt::format("the line is longer than {} bytes", runLineBytes), "a line of a viewer")}));
        viewer.isLeaving = true;
    }
    viewer.hasSaidAll = viewer.hasSaidAll || status == LineChannel::Status::ended;
    const bool isOwed = viewer.unanswered > 0 && !viewer.isLeaving;
    viewer.isGone = viewer.channel.queuedBytes() > deafBytes || viewer.channel.write() == LineChannel::Status::ended ||
                    ((viewer.isLeaving || viewer.hasSaidAll) && !isOwed && !viewer.channel.hasToWrite());
}

void ViewerPort::State::run(const std::stop_token& stop, const std::shared_ptr<State>& self) {
    constexpr std::chrono::hours ever(1);
    while (!stop.stop_requested()) {
        wait(ever);
        deliver();
        welcome();
        for (Viewer& viewer : viewers) {
            hear(viewer, self);
        }
        viewers.remove_if([](const Viewer& viewer) { return viewer.isGone; });
        const std::lock_guard lock(mutex);
        hasViewers = !viewers.empty();
    }
    listening.close();
    part();
}

void ViewerPort::State::part() {
    deliver();
    for (Viewer& viewer : viewers) {
        viewer.channel.put(replyLine(RunClosed{}));
        viewer.isLeaving = true;
    }
    for (const auto deadline = Clock::now() + partingPatience; !viewers.empty() && Clock::now() < deadline;) {
        viewers.remove_if([](Viewer& viewer) {
            return viewer.channel.write() == LineChannel::Status::ended || !viewer.channel.hasToWrite();
        });
        if (!viewers.empty()) {
            wait(std::chrono::milliseconds(50));
        }
    }
    viewers.clear();
    const std::lock_guard lock(mutex);
    hasViewers = false;
}

ViewerPort::ViewerPort() : m_state(std::make_shared<State>()) {}

ViewerPort::~ViewerPort() {
    close();
}

void ViewerPort::tell(const EngineEvent& event) {
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->standing.note(event);
        const bool isPopulation = std::holds_alternative<PopulationChanged>(event);
        const bool isLittle = isProgress(event);
        if (!m_state->hasViewers || (isPopulation && m_state->hasPopulation) ||
            m_state->eventBytes > (isLittle ? slowBytes : deafBytes)) {
            return;
        }
        std::string line = replyLine(event);
        m_state->eventBytes += line.size();
        m_state->hasPopulation = m_state->hasPopulation || isPopulation;
        m_state->events.push_back({std::move(line), isLittle});
    }
    m_state->wake();
}

bool ViewerPort::hasViewers() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->hasViewers;
}

Result<void> ViewerPort::listen(const fs::path& socket, Calls calls) {
    GKS_TRY_ASSIGN(m_state->listening, listenAt(socket));
    m_state->socket = socket;
    m_state->calls = std::move(calls);
    m_state->thread = std::jthread([state = m_state](const std::stop_token& stop) { state->run(stop, state); });
    return {};
}

void ViewerPort::close() {
    if (!m_state->thread.joinable()) {
        return;
    }
    std::error_code ignored;
    fs::remove(m_state->socket, ignored); // nobody comes any more
    m_state->thread.request_stop();
    m_state->wake();
    m_state->thread.join();
    m_state->calls = {};
}

} // namespace gks
