// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elapsed.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/llm/attempt.h"
#include "core/llm/rate_gate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

// One engine for all services: asks, streams, tries again. Services that speak the same dialect differ in what they
// refuse, so a 400 that names one of the optional fields is answered by asking again without that field. What the
// server did not accept is tried again for hours, what it did is not (attempt.cpp has the line between the two).
namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int resendLimit = 2; // of lost requests, where the policy allows it
constexpr std::size_t errorBodyLimitBytes = std::size_t{64} << 10;

// Some servers name another type for what is a stream all the same.
bool isEventStream(std::string_view contentType, std::string_view firstPiece) {
    const std::string_view beginning = trimmed(firstPiece);
    return contentType.starts_with("text/event-stream") || beginning.starts_with("data:") ||
           beginning.starts_with("event:");
}

// False when a stop was requested.
bool pause(double seconds, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
    return !stop.stop_requested();
}

// Tells the phases of one sending, each once and never backwards.
class Phases {
public:
    explicit Phases(const ChatSinks& sinks) : m_sinks(sinks) { tell(); }
    void sent() {
        m_start = Clock::now();
        enter(ChatPhase::waiting);
    }
    void thinks() { enter(ChatPhase::thinking); }
    void writes(std::string_view piece) {
        if (m_firstTextSeconds == 0) {
            m_firstTextSeconds = secondsSince(m_began);
        }
        enter(ChatPhase::writing);
        if (m_sinks.text) {
            m_sinks.text(piece);
        }
    }
    double firstTextSeconds() const { return m_firstTextSeconds; } // 0: none came

private:
    void enter(ChatPhase phase) {
        if (phase > m_phase) {
            m_phase = phase;
            tell();
        }
    }
    void tell() const {
        if (m_sinks.progress) {
            m_sinks.progress({m_phase, secondsSince(m_start)});
        }
    }

    const ChatSinks& m_sinks;
    ChatPhase m_phase = ChatPhase::connecting;
    Clock::time_point m_began = Clock::now();
    Clock::time_point m_start = m_began;
    double m_firstTextSeconds = 0;
};

// One call: everything that is sent for it, what it cost together, how long it may still be tried.
struct Call {
    const ChatSinks& sinks;
    const std::stop_token& stop;
    RateGate& gate;
    Clock::time_point start = Clock::now();
    std::optional<Clock::time_point> refusedSince = {};
    int attempts = 0;
    int resends = 0;
    ChatReply spent = {}; // by sendings that were lost
    Attempt last = {};
};

class HttpProvider final : public ChatProvider {
public:
    HttpProvider(std::unique_ptr<Dialect> dialect, ProviderOptions options)
        : m_dialect(std::move(dialect)), m_options(std::move(options)) {}

    std::string name() const override { return std::string(m_dialect->name()); }
    ChatResult complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) override;

private:
    Result<Attempt> send(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop);
    bool waitForTheServer(Call& call);
    bool waitForTheGate(Call& call);
    bool isResent(Call& call) const;
    double backoff(int attempt) const;

    std::unique_ptr<Dialect> m_dialect;
    ProviderOptions m_options;
    std::set<std::string> m_refused; // fields that this server refused
};

Result<Attempt> HttpProvider::send(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) {
    const CallLimits& limits = m_options.limits;
    HttpRequest http{m_dialect->url(m_options.baseUrl, request.model),
                     {"Content-Type: application/json", "Accept: text/event-stream", "Expect:"},
                     m_dialect->body(request, m_refused).dump(-1, ' ', false, OrderedJson::error_handler_t::replace),
                     limits.connectSeconds,
                     limits.silenceSeconds,
                     limits.totalSeconds};
    const auto headers = m_dialect->headers(m_options.key);
    http.headers.insert(http.headers.end(), headers.begin(), headers.end());
    Phases phases(sinks);
    const ChatSink text = [&](std::string_view piece) { phases.writes(piece); };
    std::unique_ptr<StreamedReply> reply;
    std::string errorBody;
    HttpSinks receive;
    receive.accepted = [&] { phases.sent(); };
    receive.body = [&](const HttpHead& head, std::string_view piece) {
        if (head.status != 200) {
            errorBody += piece.substr(0, errorBodyLimitBytes - std::min(errorBodyLimitBytes, errorBody.size()));
            return HttpWish::more;
        }
        if (reply == nullptr) {
            reply = std::make_unique<StreamedReply>(*m_dialect, text, isEventStream(head.contentType, piece),
                                                    [&] { phases.thinks(); });
        }
        return reply->feed(piece);
    };
    GKS_TRY_ASSIGN(const HttpEnd end, postStreaming(http, receive, stop));
    if (reply != nullptr && end.ending == HttpEnding::complete) {
        reply->finish();
    }
    Attempt result = judgeAttempt({*m_dialect, m_options, m_refused, http.body.size()}, end, reply.get(), errorBody);
    result.reply.firstTokenSeconds = phases.firstTextSeconds();
    return result;
}

// Doubled each time, and up to half of it again by chance: clients that failed together must not come back together.
double HttpProvider::backoff(int attempt) const {
    constexpr int mostDoublings = 30;
    std::random_device device;
    const double jitter = std::uniform_real_distribution<double>(1.0, 1.5)(device);
    const double doubled = m_options.backoffSeconds * std::pow(2.0, std::min(attempt - 1, mostDoublings));
    return std::min(doubled * jitter, m_options.backoffLimitSeconds);
}

// After a refusal: false when the patience is at its end (then `call.last.error` says so) or a stop was requested.
bool HttpProvider::waitForTheServer(Call& call) {
    call.refusedSince = call.refusedSince.value_or(Clock::now());
    const double waited = secondsSince(*call.refusedSince);
    const double left = m_options.limits.retrySeconds - waited;
    const double asked = call.last.waitSeconds.value_or(0);
    Error& error = call.last.error;
    if (left <= 0 || asked > left) {
        if (call.attempts > 1) {
            error.what += fmt::format(" ({} attempts in {})", call.attempts, formatSeconds(waited));
        }
        if (asked > 0) {
            error.next = fmt::format("The server asks to wait {}: start again after that, or let it be tried "
                                     "longer (--retry-minutes)",
                                     formatSeconds(asked));
        }
        return false;
    }
    const double wait = std::max(asked, std::min(backoff(call.attempts), left));
    if (call.sinks.progress) {
        call.sinks.progress({ChatPhase::retrying, waited, wait, error.what});
    }
    if (call.last.rateLimited) {
        call.gate.closeFor(wait);
    }
    return pause(wait, call.stop);
}

// Another call may have been told to wait meanwhile.
bool HttpProvider::waitForTheGate(Call& call) {
    for (double wait = call.gate.secondsUntilOpen(); wait > 0; wait = call.gate.secondsUntilOpen()) {
        if (wait > m_options.limits.retrySeconds) {
            call.last.error = {ErrorKind::infrastructure, "the server asked another call to wait",
                               publicUrl(m_options.baseUrl), "Start again after " + formatSeconds(wait)};
            return false;
        }
        if (call.sinks.progress) {
            call.sinks.progress({ChatPhase::retrying, secondsSince(call.start), wait, "the server asked to wait"});
        }
        if (!pause(wait, call.stop)) {
            return false;
        }
    }
    return !call.stop.stop_requested();
}

bool HttpProvider::isResent(Call& call) const {
    if (!m_options.limits.resendAfterSilence || call.resends == resendLimit) {
        return false;
    }
    ++call.resends;
    return true;
}

ChatResult HttpProvider::complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) {
    const std::string where = publicUrl(m_options.baseUrl);
    if (m_options.key.find_first_of("\r\n") != std::string::npos) {
        return usageError("the key contains a line break", where, "Set the variable again, without it");
    }
    const auto gate = RateGate::of(where + " " + request.model);
    Call call{sinks, stop, *gate};
    bool anyPiece = false;
    ChatSinks noting{[&](std::string_view piece) {
                         anyPiece = true;
                         if (sinks.text) {
                             sinks.text(piece);
                         }
                     },
                     sinks.progress};
    const auto end = [&](ChatReply reply) {
        reply.tokensIn += call.spent.tokensIn;
        reply.tokensOut += call.spent.tokensOut;
        reply.tokensEstimated = reply.tokensEstimated || call.spent.tokensEstimated;
        reply.attempts = std::max(1, call.attempts);
        reply.seconds = secondsSince(call.start);
        return reply;
    };
    const auto giveUp = [&]() -> ChatResult {
        if (stop.stop_requested()) {
            call.last.error = {ErrorKind::cancelled, "cancelled", where, {}};
        }
        return tl::unexpected(ChatFailure(std::move(call.last.error), end(std::move(call.last.reply))));
    };
    for (;;) {
        if (!waitForTheGate(call)) {
            return giveUp();
        }
        ++call.attempts;
        GKS_TRY_ASSIGN(call.last, send(request, noting, stop));
        switch (call.last.outcome) {
        case Attempt::Outcome::answered:
            return end(std::move(call.last.reply));
        case Attempt::Outcome::withField: // every field is dropped at most once, so this ends
            m_refused.insert(call.last.droppedField);
            continue;
        case Attempt::Outcome::refused:
            if (!waitForTheServer(call)) {
                return giveUp();
            }
            break;
        case Attempt::Outcome::lost:
            if (!isResent(call)) {
                call.last.error.what += call.resends > 0 ? fmt::format(" ({} attempts)", call.attempts)
                                                         : "; it was accepted, so it is not sent again by itself";
                return giveUp();
            }
            call.spent.tokensIn += call.last.reply.tokensIn;
            call.spent.tokensOut += call.last.reply.tokensOut;
            call.spent.tokensEstimated = call.spent.tokensEstimated || call.last.reply.tokensEstimated;
            if (!pause(backoff(call.resends), stop)) {
                call.last.reply = {}; // counted above
                return giveUp();
            }
            break;
        case Attempt::Outcome::failed:
        case Attempt::Outcome::cancelled:
            return giveUp();
        }
        if (anyPiece && sinks.text) {
            sinks.text(fmt::format("\n[retrying: {}]\n", call.last.error.what));
            anyPiece = false;
        }
    }
}

} // namespace

std::string progressText(const ChatProgress& progress) {
    switch (progress.phase) {
    case ChatPhase::connecting:
        return "sending";
    case ChatPhase::waiting:
        return "no text yet";
    case ChatPhase::thinking:
        return "thinking, no text yet";
    case ChatPhase::writing:
        return "writing";
    case ChatPhase::retrying:
        return fmt::format("{}; next try in {}", progress.why, formatSeconds(progress.waitSeconds));
    }
    return {};
}

std::unique_ptr<ChatProvider> makeHttpProvider(std::string_view name, ProviderOptions options) {
    std::unique_ptr<Dialect> dialect;
    if (name == "openai") {
        dialect = openAiDialect();
    } else if (name == "anthropic") {
        dialect = anthropicDialect();
    } else if (name == "gemini") {
        dialect = geminiDialect();
    } else {
        return nullptr;
    }
    return std::make_unique<HttpProvider>(std::move(dialect), std::move(options));
}

} // namespace gks
