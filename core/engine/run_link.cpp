// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run_link.h"

#include "core/base/local_socket.h"
#include "core/base/locations.h"
#include "core/campaign/running.h"
#include "core/engine/run_lines.h"

#include <condition_variable>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds socketInterval(50); // between two looks for a socket that is to come

Error endedError() {
    return {ErrorKind::infrastructure, "the run has ended before it answered", "the run", "Look what became of it"};
}

} // namespace

struct RunLink::State {
    State(LineChannel conversation, Heard sinks) : channel(std::move(conversation)), heard(std::move(sinks)) {}

    std::mutex mutex;
    std::condition_variable_any changed;
    std::vector<std::string> outbox;
    std::map<std::int64_t, Answer> unanswered;
    std::int64_t lastId = 0;
    bool greeted = false;
    bool over = false;
    std::optional<Error> why;
    FileDescriptor wakes{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    LineChannel channel; // from here on the thread's own
    Heard heard;
    bool closed = false; // the other side said so
    std::jthread thread;

    void ask(std::variant<SteeringCommand, AgentKernel> asked, Answer answer);
    void run(const std::stop_token& stop);
    std::optional<Error> talk(const std::stop_token& stop);
    std::optional<Error> take(std::string_view line);
    void end(const std::optional<Error>& reason, bool wasStopped);
};

void RunLink::State::ask(std::variant<SteeringCommand, AgentKernel> asked, Answer answer) {
    {
        const std::lock_guard lock(mutex);
        if (!over) {
            RunRequest request{++lastId, std::move(asked)};
            outbox.push_back(requestLine(request));
            unanswered[request.id] = std::move(answer);
            ::eventfd_write(wakes.number(), 1);
            return;
        }
    }
    answer(tl::unexpected(endedError()));
}

std::optional<Error> RunLink::State::take(std::string_view line) {
    if (heard.other && line.starts_with(mirrorLineStart)) {
        return heard.other(line);
    }
    auto reply = replyFrom(line);
    if (!reply) {
        return reply.error();
    }
    if (const auto* greeting = std::get_if<RunGreeting>(&*reply)) {
        if (greeting->protocol != runProtocol) {
            return Error{ErrorKind::infrastructure,
                         fmt::format("the program that runs it is of another version ({})", greeting->version),
                         "the run", "Use the same version of both"};
        }
        const std::lock_guard lock(mutex);
        greeted = true;
        changed.notify_all();
    } else if (auto* answer = std::get_if<RunAnswer>(&*reply)) {
        Answer asked;
        {
            const std::lock_guard lock(mutex);
            if (const auto found = unanswered.find(answer->id); found != unanswered.end()) {
                asked = std::move(unanswered.extract(found).mapped());
            }
        }
        if (asked) {
            asked(answer->result);
        } else if (!answer->result) { // of a line of ours that it could not read
            return answer->result.error();
        }
    } else if (std::holds_alternative<RunClosed>(*reply)) {
        closed = true;
    } else if (heard.event) {
        heard.event(std::get<EngineEvent>(*reply));
    }
    return std::nullopt;
}

std::optional<Error> RunLink::State::talk(const std::stop_token& stop) {
    while (!stop.stop_requested() && !closed) {
        {
            const std::lock_guard lock(mutex);
            for (std::string& line : std::exchange(outbox, {})) {
                channel.put(std::move(line));
            }
        }
        const Error gone{ErrorKind::infrastructure, "the connection to the run has ended", "the run", {}};
        if (channel.write() == LineChannel::Status::ended) {
            return gone;
        }
        const int toWrite = channel.hasToWrite() ? POLLOUT : 0; // one descriptor may stand there twice
        pollfd watched[3] = {
            {wakes.number(), POLLIN, 0}, {channel.in(), POLLIN, 0}, {channel.out(), static_cast<short>(toWrite), 0}};
        ::poll(watched, 3, -1);
        eventfd_t ignored = 0;
        ::eventfd_read(wakes.number(), &ignored);
        std::optional<Error> wrong;
        const auto status = channel.read([&](std::string_view line) {
            wrong = take(line);
            return !wrong && !closed && !stop.stop_requested();
        });
        if (wrong) {
            return wrong;
        }
        if (status != LineChannel::Status::open && !closed) {
            return gone;
        }
    }
    return std::nullopt;
}

void RunLink::State::end(const std::optional<Error>& reason, bool wasStopped) {
    std::map<std::int64_t, Answer> left;
    {
        const std::lock_guard lock(mutex);
        over = true;
        why = reason;
        left.swap(unanswered);
        changed.notify_all();
    }
    for (const auto& [id, answer] : left) {
        answer(tl::unexpected(endedError()));
    }
    if (heard.ended && greeted && !wasStopped) {
        heard.ended(reason);
    }
}

void RunLink::State::run(const std::stop_token& stop) {
    const auto reason = talk(stop);
    end(reason, stop.stop_requested());
}

RunLink::RunLink(std::unique_ptr<State> state) : m_state(std::move(state)) {}

RunLink::~RunLink() {
    m_state->thread.request_stop();
    ::eventfd_write(m_state->wakes.number(), 1);
    m_state->thread.join();
}

Result<std::unique_ptr<RunLink>> RunLink::over(LineChannel channel, Heard heard, std::chrono::milliseconds patience,
                                               const std::stop_token& stop) {
    auto state = std::make_unique<State>(std::move(channel), std::move(heard));
    State* const raw = state.get();
    raw->thread = std::jthread([raw](const std::stop_token& ending) { raw->run(ending); });
    std::unique_ptr<RunLink> link(new RunLink(std::move(state)));
    std::unique_lock lock(raw->mutex);
    raw->changed.wait_for(lock, stop, patience, [raw] { return raw->greeted || raw->over; });
    if (raw->greeted) {
        return link;
    }
    Error error = stop.stop_requested()
                      ? Error{ErrorKind::cancelled, "cancelled"}
                      : raw->why.value_or(Error{ErrorKind::infrastructure, "the program that runs it does not answer",
                                                "the run", "Try again, or look at that program"});
    lock.unlock(); // the link ends, which its thread is in
    return tl::unexpected(std::move(error));
}

Result<std::unique_ptr<RunLink>> RunLink::to(const fs::path& campaign, Heard heard, std::chrono::milliseconds patience,
                                             const std::stop_token& stop) {
    const auto deadline = Clock::now() + patience;
    std::mutex mutex;
    std::condition_variable_any never;
    for (;;) { // a process that has just taken the campaign listens in a moment
        const auto run = runOf(campaign);
        if (!run || !run->here) {
            return usageError(run ? fmt::format("runs elsewhere: {}", processText(*run))
                                  : std::string("no program of yours runs this campaign"),
                              campaign.string(), run ? "Watch it there" : "See runs");
        }
        auto connection = connectTo(runSocketOf(*run));
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (connection) {
            return over(LineChannel(std::move(*connection), FileDescriptor(-1), runLineBytes), std::move(heard),
                        std::max(left, socketInterval), stop);
        }
        if (left.count() <= 0 || stop.stop_requested()) {
            return infrastructureError(fmt::format("{} has it and takes no commands", processText(*run)),
                                       campaign.string(), "Try again when it is done");
        }
        std::unique_lock lock(mutex);
        never.wait_for(lock, stop, socketInterval, [] { return false; });
    }
}

void RunLink::send(SteeringCommand command, Answer answer) {
    m_state->ask(std::move(command), std::move(answer));
}
void RunLink::propose(AgentKernel kernel, Answer answer) {
    m_state->ask(std::move(kernel), std::move(answer));
}

Result<KernelId> RunLink::ask(std::variant<SteeringCommand, AgentKernel> asked, std::chrono::milliseconds patience,
                              const std::stop_token& stop) {
    struct Reply {
        std::mutex mutex;
        std::condition_variable_any came;
        std::optional<Result<KernelId>> result;
    };
    const auto reply = std::make_shared<Reply>(); // it may come when nobody waits any more
    m_state->ask(std::move(asked), [reply](const Result<KernelId>& result) {
        const std::lock_guard lock(reply->mutex);
        reply->result = result;
        reply->came.notify_all();
    });
    std::unique_lock lock(reply->mutex);
    if (reply->came.wait_for(lock, stop, patience, [&] { return reply->result.has_value(); })) {
        return *reply->result;
    }
    if (stop.stop_requested()) {
        return cancelledError("the run");
    }
    return infrastructureError("no answer came in time", "the run", "Look what became of it before you ask again");
}

} // namespace gks
