// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_client.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/judge/attempts.h"
#include "core/judge/evaluator_process.h"
#include "core/judge/time_limit.h"

#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds pollInterval(50);
// A cancelled evaluation ends within the two, whatever the evaluator is busy with: what it cannot leave it loses with
// its life. Who ends a program waits for both (app/cli/interrupts.h says for how long).
constexpr std::chrono::milliseconds cancelPatience(1000);
constexpr std::chrono::seconds signOfLife = alivePatience / 4;
constexpr const char* greetingId = "hello";
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

struct EvaluatorClient::State {
    Options options;
    std::mutex mutex; // one evaluation at a time
    std::unique_ptr<EvaluatorProcess> process;
    bool reused = false;                    // the request went to a process that was there before
    int attempts = 1;                       // at this evaluation
    HelloEvent hello;                       // of the newest process, where it says it
    std::optional<Clock::time_point> begun; // this evaluation

    Result<void> submit(const EvaluationRequest& request, const std::stop_token& stop) {
        const bool fresh = !process;
        reused = !fresh;
        if (fresh) {
            GKS_TRY(start(stop));
        }
        const auto sent = process->send(toJson(request), stop);
        if (sent || fresh) {
            return sent;
        }
        process.reset(); // lost while idle
        reused = false;
        GKS_TRY(start(stop));
        return process->send(toJson(request), stop);
    }

    Result<void> start(const std::stop_token& stop) {
        if (!options.way) {
            GKS_TRY_ASSIGN(process, EvaluatorProcess::start(options.command, {}, alivePatience));
            return {};
        }
        GKS_TRY_ASSIGN(const std::vector<std::string> command, options.way->command(stop));
        GKS_TRY_ASSIGN(process, EvaluatorProcess::start(command, signOfLife, options.way->silence));
        auto greeting = greet(stop);
        if (!greeting) {
            process.reset();
            return tl::unexpected(greeting.error());
        }
        hello = std::move(*greeting);
        if (options.way->greeted) {
            options.way->greeted(hello);
        }
        return {};
    }

    // A batch system may let it wait for days.
    Result<HelloEvent> greet(const std::stop_token& stop) {
        GKS_TRY(process->send({{"request", "hello"}, {"id", greetingId}, {"target", name(options.way->target)}}));
        const auto asked = Clock::now();
        std::string line;
        for (;;) {
            const LineReader::Status status = process->next(line, pollInterval);
            if (options.way->patience && Clock::now() - asked > *options.way->patience) {
                process->kill();
                return tl::unexpected(options.way->explained("the evaluator there does not answer"));
            }
            if (stop.stop_requested()) {
                process->kill();
                return cancelledError();
            }
            if (status == LineReader::Status::timeout) {
                continue;
            }
            if (status != LineReader::Status::line) {
                return tl::unexpected(options.way->explained(process->autopsy().text));
            }
            const auto json = parseJson(line, "evaluator");
            const auto event = json ? eventFromJson(*json) : Result<IdentifiedEvent>(tl::unexpected(json.error()));
            if (!event) {
                continue; // a login that greets people
            }
            if (const auto* greeting = std::get_if<HelloEvent>(&event->event)) {
                return checked(*greeting);
            }
        }
    }

    static Result<HelloEvent> checked(const HelloEvent& greeting) {
        if (greeting.rules != currentRules) {
            return infrastructureError(
                fmt::format("the evaluator there judges by rules {}, this program by {}", greeting.rules, currentRules),
                greeting.machine, "Use the same version on both machines");
        }
        return greeting;
    }

    // Of what failed outside the evaluator: far away it says nothing of the device.
    Verdict outside(const EvaluationRequest& request, std::string reason, std::string next) const {
        Verdict verdict = infrastructureVerdict(request, std::move(reason), std::move(next));
        if (options.way) {
            verdict.deviceTrouble = DeviceTrouble::unreachable;
            verdict.totalSeconds = begun ? std::chrono::duration<double>(Clock::now() - *begun).count() : 0;
        }
        return verdict;
    }
    Verdict outside(const EvaluationRequest& request, const Error& error) const {
        return outside(request, error.where.empty() ? error.what : error.where + ": " + error.what, error.next);
    }

    Verdict lost(const EvaluationRequest& request, const std::string& how) {
        const std::string end = process->autopsy().text;
        process.reset();
        return outside(request, fmt::format("the evaluator {} ({})", how, end), "Evaluate the kernel again");
    }

    // After the end of its output: asks another evaluator when somebody has killed this one, for a limited number of
    // times. The verdict, when there is no more to wait for.
    std::optional<Verdict> goneOn(const EvaluationRequest& request, const EvaluationSink& sink,
                                  const std::stop_token& stop) {
        const auto end = process->autopsy();
        process.reset();
        if (options.way) {
            return outside(request, options.way->explained(end.text));
        }
        if (!end.wasKilled) {
            return infrastructureVerdict(request, fmt::format("the evaluator was lost ({})", end.text),
                                         "Evaluate the kernel again");
        }
        const std::string reason = fmt::format("the evaluator {}", killedFromOutside);
        if (++attempts > attemptLimit) {
            return infrastructureVerdict(request, everyTime(reason), killedNext);
        }
        tellNextAttempt(sink, reason, attempts);
        if (const auto sent = submit(request, stop); !sent) {
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
        // One far away answers each sign of life, whatever it is busy with.
        const std::chrono::duration<double> silenceLimit =
            options.way ? std::chrono::duration<double>(options.way->silence)
                        : std::chrono::duration<double>(busyFactor * request.timeoutSeconds + buildAllowanceSeconds +
                                                        options.graceSeconds);
        auto heard = Clock::now();
        begun = heard;
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
                return infrastructureVerdict(request, cancelledReason, {});
            }
            if (Clock::now() - heard > silenceLimit) {
                return lost(request, "stopped responding");
            }
            const LineReader::Status status = process->next(line, pollInterval);
            if (status == LineReader::Status::timeout) {
                continue;
            }
            if (status == LineReader::Status::end && reused && !cancelled) {
                // It was dying while idle: its pipe still took the request, but it never answered to it.
                process.reset();
                if (const auto sent = submit(request, stop); !sent) {
                    return outside(request, sent.error());
                }
                continue;
            }
            if (status == LineReader::Status::end && !cancelled) {
                if (auto verdict = goneOn(request, sink, stop)) {
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
            if (*verdict && options.way && !cancelled && (*verdict)->reason == cancelledReason) {
                process.reset(); // somebody there, a batch system, has told it to end
                return outside(request, options.way->explained("the evaluator there was told to end"));
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
    m_state->begun = {};
    if (stop.stop_requested()) {
        verdict = infrastructureVerdict(request, cancelledReason, {});
    } else if (const auto sent = m_state->submit(request, stop); !sent) {
        m_state->process.reset();
        verdict = m_state->outside(request, sent.error());
    } else {
        verdict = m_state->converse(request, sink, stop);
    }
    if (sink) {
        sink(VerdictEvent{verdict});
    }
    return verdict;
}

Result<HelloEvent> EvaluatorClient::greet(const std::stop_token& stop) {
    const std::scoped_lock lock(m_state->mutex);
    m_state->process.reset();
    GKS_TRY(m_state->start(stop));
    return m_state->hello;
}

} // namespace gks
