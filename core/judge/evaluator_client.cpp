// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_client.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/attempts.h"
#include "core/judge/time_limit.h"

#include <array>
#include <condition_variable>
#include <csignal>
#include <fmt/format.h>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds pollInterval(50);
// A cancelled evaluation ends within the two, whatever the evaluator is busy with: what it cannot leave it loses with
// its life. Who ends a program waits for both (app/cli/interrupts.h says for how long).
constexpr std::chrono::milliseconds cancelPatience(1000);
constexpr std::chrono::milliseconds partingTime(400);
constexpr std::chrono::seconds endPatience(2); // from the end of its output to the end of the process
constexpr std::size_t rememberedErrorBytes = 4096;
constexpr double buildAllowanceSeconds = 120; // the evaluator bounds its builds itself, below this

} // namespace

Verdict infrastructureVerdict(const EvaluationRequest& request, std::string reason, std::string next) {
    Verdict verdict;
    verdict.kind = VerdictKind::infrastructureFailed;
    verdict.reason = std::move(reason);
    verdict.next = std::move(next);
    verdict.target = name(request.target);
    verdict.problem = request.problem;
    verdict.kernelSha256 = sha256Hex(request.source);
    return verdict;
}

// A running evaluator. A child dies with the thread that started it, so a thread of its own starts it and stays for as
// long.
class EvaluatorProcess {
public:
    static Result<std::unique_ptr<EvaluatorProcess>> start(const std::vector<std::string>& command) {
        auto process = std::unique_ptr<EvaluatorProcess>(new EvaluatorProcess);
        std::promise<Result<ChildProcess>> started;
        auto result = started.get_future();
        process->m_keeper = std::jthread([&started, command](const std::stop_token& stop) {
            Command program;
            program.arguments = command;
            started.set_value(ChildProcess::start(program));
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any().wait(lock, stop, [] { return false; });
        });
        auto child = result.get();
        if (!child) {
            return tl::unexpected(child.error());
        }
        process->m_child.emplace(std::move(*child));
        process->m_reader.emplace(process->m_child->outputDescriptor());
        process->m_drain = std::jthread([raw = process.get()](const std::stop_token& stop) { raw->drainErrors(stop); });
        return process;
    }

    ~EvaluatorProcess() {
        m_drain = {};
        if (m_child) {
            m_child->closeInput(); // asks it to end
            m_child->wait(partingTime);
            m_child.reset(); // and makes sure
        }
    }

    Result<void> send(const OrderedJson& json) {
        return m_child->write(json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
    }
    LineReader::Status next(std::string& line) { return m_reader->next(line, pollInterval); }

    // Ends it now, with all that it has started.
    void kill() { m_child->kill(); }

    struct End {
        std::string text;
        bool wasKilled = false; // by a SIGKILL of somebody else
    };
    // Kills it where it has not ended, and says how it ended.
    End autopsy() {
        const bool isGone = m_child->wait(endPatience).has_value();
        const ExitState exit = m_child->kill();
        m_drain = {};
        const std::vector<std::string_view> said = lines(m_errors);
        return {said.empty() ? exit.text() : fmt::format("{}: {}", exit.text(), sanitizedUtf8(said.back())),
                isGone && exit.signal == SIGKILL};
    }

private:
    EvaluatorProcess() = default;

    void drainErrors(const std::stop_token& stop) {
        std::array<char, 4096> chunk;
        while (!stop.stop_requested()) {
            pollfd watched = {m_child->errorDescriptor(), POLLIN, 0};
            if (::poll(&watched, 1, static_cast<int>(pollInterval.count())) <= 0) {
                continue;
            }
            const ssize_t got = ::read(watched.fd, chunk.data(), chunk.size());
            if (got <= 0) {
                return;
            }
            m_errors.append(chunk.data(), static_cast<std::size_t>(got));
            if (m_errors.size() > rememberedErrorBytes) {
                m_errors.erase(0, m_errors.size() - rememberedErrorBytes);
            }
        }
    }

    std::jthread m_keeper; // first: outlives the child
    std::optional<ChildProcess> m_child;
    std::optional<LineReader> m_reader;
    std::string m_errors; // of the drain thread while it runs
    std::jthread m_drain;
};

struct EvaluatorClient::State {
    Options options;
    std::mutex mutex; // one evaluation at a time
    std::unique_ptr<EvaluatorProcess> process;
    bool reused = false; // the request went to a process that was there before
    int attempts = 1;    // at this evaluation

    Result<void> submit(const EvaluationRequest& request) {
        const bool fresh = !process;
        reused = !fresh;
        if (fresh) {
            GKS_TRY_ASSIGN(process, EvaluatorProcess::start(options.command));
        }
        const auto sent = process->send(toJson(request));
        if (sent || fresh) {
            return sent;
        }
        process.reset(); // lost while idle
        reused = false;
        GKS_TRY_ASSIGN(process, EvaluatorProcess::start(options.command));
        return process->send(toJson(request));
    }

    Verdict lost(const EvaluationRequest& request, const std::string& how) {
        const std::string end = process->autopsy().text;
        process.reset();
        return infrastructureVerdict(request, fmt::format("the evaluator {} ({})", how, end),
                                     "Evaluate the kernel again");
    }

    // After the end of its output: asks another evaluator when somebody has killed this one, for a limited number of
    // times. The verdict, when there is no more to wait for.
    std::optional<Verdict> goneOn(const EvaluationRequest& request, const EvaluationSink& sink) {
        const auto end = process->autopsy();
        process.reset();
        if (!end.wasKilled) {
            return infrastructureVerdict(request, fmt::format("the evaluator was lost ({})", end.text),
                                         "Evaluate the kernel again");
        }
        const std::string reason = fmt::format("the evaluator {}", killedFromOutside);
        if (++attempts > attemptLimit) {
            return infrastructureVerdict(request, everyTime(reason), killedNext);
        }
        tellNextAttempt(sink, reason, attempts);
        if (const auto sent = submit(request); !sent) {
            return infrastructureVerdict(request, sent.error().message(), sent.error().next);
        }
        return std::nullopt;
    }

    // The verdict, or nothing when the line was another event.
    Result<std::optional<Verdict>> take(const EvaluationRequest& request, const std::string& line,
                                        const EvaluationSink& sink) {
        GKS_TRY_ASSIGN(const Json json, parseJson(line, "evaluator"));
        GKS_TRY_ASSIGN(IdentifiedEvent event, eventFromJson(json));
        if (event.id != request.id) {
            return std::nullopt; // of an evaluation that was given up
        }
        if (auto* verdict = std::get_if<VerdictEvent>(&event.event)) {
            return std::move(verdict->verdict);
        }
        if (sink) {
            sink(event.event);
        }
        return std::nullopt;
    }

    Verdict converse(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop) {
        const std::chrono::duration<double> silenceLimit(busyFactor * request.timeoutSeconds + buildAllowanceSeconds +
                                                         options.graceSeconds);
        auto heard = Clock::now();
        std::optional<Clock::time_point> cancelled;
        std::string line;
        for (;;) {
            if (stop.stop_requested() && !cancelled) {
                cancelled = Clock::now();
                if (!process->send({{"request", "cancel"}, {"id", request.id}})) {
                    return lost(request, "exited unexpectedly");
                }
            }
            if (cancelled && Clock::now() - *cancelled > cancelPatience) {
                process->kill();
                process.reset();
                return infrastructureVerdict(request, "cancelled", {});
            }
            if (Clock::now() - heard > silenceLimit) {
                return lost(request, "stopped responding");
            }
            const LineReader::Status status = process->next(line);
            if (status == LineReader::Status::timeout) {
                continue;
            }
            if (status == LineReader::Status::end && reused && !cancelled) {
                // It was dying while idle: its pipe still took the request, but it never answered to it.
                process.reset();
                if (const auto sent = submit(request); !sent) {
                    return infrastructureVerdict(request, sent.error().message(), {});
                }
                continue;
            }
            if (status == LineReader::Status::end && !cancelled) {
                if (auto verdict = goneOn(request, sink)) {
                    return std::move(*verdict);
                }
                heard = Clock::now();
                continue;
            }
            if (status != LineReader::Status::line) {
                return lost(request,
                            status == LineReader::Status::tooLong ? "sent an overlong line" : "exited unexpectedly");
            }
            heard = Clock::now();
            reused = false;
            auto verdict = take(request, line, sink);
            if (!verdict) {
                return lost(request, fmt::format("sent an invalid event: {}", verdict.error().message()));
            }
            if (*verdict) {
                return std::move(**verdict);
            }
        }
    }
};

EvaluatorClient::EvaluatorClient() : EvaluatorClient(Options{}) {}

EvaluatorClient::EvaluatorClient(Options options) : m_state(std::make_unique<State>()) {
    if (options.command.empty()) {
        options.command = {siblingProgram("kernel-scientist-evaluator").string()};
    }
    m_state->options = std::move(options);
}

EvaluatorClient::~EvaluatorClient() = default;

Verdict EvaluatorClient::evaluate(const EvaluationRequest& request, const EvaluationSink& sink,
                                  const std::stop_token& stop) {
    const std::scoped_lock lock(m_state->mutex);
    Verdict verdict;
    m_state->attempts = 1;
    if (stop.stop_requested()) {
        verdict = infrastructureVerdict(request, "cancelled", {});
    } else if (const auto sent = m_state->submit(request); !sent) {
        m_state->process.reset();
        verdict = infrastructureVerdict(request, sent.error().message(), sent.error().next);
    } else {
        verdict = m_state->converse(request, sink, stop);
    }
    if (sink) {
        sink(VerdictEvent{verdict});
    }
    return verdict;
}

} // namespace gks
