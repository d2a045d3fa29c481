// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/llm/http_stream.h"
#include "core/llm/rate_gate.h"
#include "core/llm/streamed_reply.h"

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
// refuse, so a 400 that names one of the optional fields is answered by asking again without that field.
namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double longestRetryAfterSeconds = 120;
constexpr std::size_t errorBodyLimitBytes = std::size_t{64} << 10;
constexpr int bytesPerTokenEstimate = 4;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// False when a stop was requested.
bool pause(double seconds, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
    return !stop.stop_requested();
}

struct Attempt {
    std::optional<ChatReply> reply;
    Error error;
    bool again = false; // trying again can help
    std::optional<double> waitSeconds;
    bool rateLimited = false;
    std::string droppedField; // of the request, which the server does not know
};

class HttpProvider final : public ChatProvider {
public:
    HttpProvider(std::unique_ptr<Dialect> dialect, ProviderOptions options)
        : m_dialect(std::move(dialect)), m_options(std::move(options)) {}

    std::string name() const override { return std::string(m_dialect->name()); }
    Result<ChatReply> complete(const ChatRequest& request, const ChatSink& sink, const std::stop_token& stop) override;

private:
    Result<Attempt> attempt(const ChatRequest& request, const ChatSink& sink, const std::stop_token& stop);
    Attempt judge(const HttpEnd& end, StreamedReply* reply, const std::string& errorBody) const;
    Attempt httpError(const HttpHead& head, const std::string& errorBody) const;
    Error infrastructure(std::string what, std::string next) const;
    double backoff(int attempt) const;
    std::string withoutKey(std::string text) const {
        return m_options.key.empty() ? text : replaceAll(std::move(text), m_options.key, "[key]");
    }

    std::unique_ptr<Dialect> m_dialect;
    ProviderOptions m_options;
    std::set<std::string> m_refused; // fields that this server refused
};

Error HttpProvider::infrastructure(std::string what, std::string next) const {
    return {ErrorKind::infrastructure, withoutKey(std::move(what)), publicUrl(m_options.baseUrl), std::move(next)};
}

Attempt HttpProvider::httpError(const HttpHead& head, const std::string& errorBody) const {
    const std::string said = errorText(errorBody);
    const long status = head.status;
    Attempt result;
    result.again = status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
    result.rateLimited = status == 429;
    result.waitSeconds = head.retryAfterSeconds;
    std::string next = "Look at what the server says; the request is in the conversation";
    if (status == 400 || status == 422) {
        result.droppedField = m_dialect->refusedField(said, m_refused);
    } else if (status == 401 || status == 403) {
        next = "Check the key: the environment variable that the settings name must hold one that is valid for this "
               "address";
    } else if (status == 402) {
        next = "Check the credit of the account";
    } else if (status == 404) {
        next = "Check the address (it usually ends in /v1) and the name of the model";
    } else if (status == 413) {
        next = "The prompt is too long for this server: choose a model with a larger context";
    } else if (status == 429) {
        next = "Wait, or raise the rate limit or the credit of the account";
    } else if (status >= 500) {
        next = "The server is in trouble: try later or choose another";
    } else if (status >= 300 && status < 400) {
        next = "The server sends elsewhere; give the final address";
    }
    const std::string what = fmt::format("the server answered {}{}", status, said.empty() ? "" : ": " + said);
    result.error = infrastructure(what, next);
    if (!result.again) {
        result.error.kind = ErrorKind::usage;
    }
    return result;
}

// What one exchange with the server amounts to.
Attempt HttpProvider::judge(const HttpEnd& end, StreamedReply* reply, const std::string& errorBody) const {
    Attempt result;
    if (end.head.status == 0) {
        result.again = true;
        result.error =
            infrastructure("no answer: " + end.problem, "Check that the server runs and that the address is right");
        return result;
    }
    if (end.head.status != 200) {
        return httpError(end.head, errorBody);
    }
    if (reply == nullptr) {
        result.again = true;
        result.error =
            infrastructure(end.complete ? "the answer is empty" : "the answer was cut before it began: " + end.problem,
                           "Try again later");
        return result;
    }
    switch (reply->state()) {
    case StreamedReply::State::complete:
        result.reply = std::move(reply->reply());
        break;
    case StreamedReply::State::open:
        result.again = true;
        result.error =
            infrastructure("the reply was cut" + (end.problem.empty() ? "" : ": " + end.problem), "Try again later");
        break;
    case StreamedReply::State::malformed:
        result.again = true;
        result.error = infrastructure(
            reply->problem(),
            fmt::format("Check that the service at this address speaks the '{}' interface", m_dialect->name()));
        break;
    case StreamedReply::State::failed:
        result.again = true;
        result.error = infrastructure("the server reported: " + reply->problem(), "Try again later");
        break;
    case StreamedReply::State::tooLong:
        result.error =
            infrastructure(reply->problem(), "Lower the largest number of output tokens, or choose another model");
        break;
    }
    return result;
}

Result<Attempt> HttpProvider::attempt(const ChatRequest& request, const ChatSink& sink, const std::stop_token& stop) {
    HttpRequest http{m_dialect->url(m_options.baseUrl, request.model),
                     {"Content-Type: application/json", "Accept: text/event-stream", "Expect:"},
                     m_dialect->body(request, m_refused).dump(-1, ' ', false, Json::error_handler_t::replace),
                     m_options.connectTimeoutSeconds,
                     m_options.idleTimeoutSeconds};
    const auto headers = m_dialect->headers(m_options.key);
    http.headers.insert(http.headers.end(), headers.begin(), headers.end());
    const Clock::time_point start = Clock::now();
    double firstTokenSeconds = 0;
    const ChatSink timed = [&](std::string_view piece) {
        firstTokenSeconds = firstTokenSeconds > 0 ? firstTokenSeconds : secondsSince(start);
        if (sink) {
            sink(piece);
        }
    };
    std::unique_ptr<StreamedReply> reply;
    std::string errorBody;
    const auto receive = [&](const HttpHead& head, std::string_view piece) {
        if (head.status != 200) {
            errorBody += piece.substr(0, errorBodyLimitBytes - std::min(errorBodyLimitBytes, errorBody.size()));
            return true;
        }
        if (reply == nullptr) {
            reply =
                std::make_unique<StreamedReply>(*m_dialect, timed, head.contentType.starts_with("text/event-stream"));
        }
        return reply->feed(piece);
    };
    GKS_TRY_ASSIGN(const HttpEnd end, postStreaming(http, receive, stop));
    if (reply != nullptr && end.complete) {
        reply->finish();
    }
    const bool hasUsage = reply != nullptr && reply->hasUsage();
    Attempt result = judge(end, reply.get(), errorBody);
    if (result.reply) {
        result.reply->firstTokenSeconds = firstTokenSeconds;
        if (!hasUsage) {
            result.reply->tokensEstimated = true;
            result.reply->tokensIn = static_cast<std::int64_t>(http.body.size()) / bytesPerTokenEstimate;
            result.reply->tokensOut = static_cast<std::int64_t>(result.reply->text.size()) / bytesPerTokenEstimate;
        }
    }
    return result;
}

// Doubled each time, and up to half of it again by chance: clients that failed together must not come back together.
double HttpProvider::backoff(int attempt) const {
    std::random_device device;
    const double jitter = std::uniform_real_distribution<double>(1.0, 1.5)(device);
    return std::min(m_options.backoffSeconds * std::pow(2.0, attempt - 1) * jitter, m_options.backoffLimitSeconds);
}

Result<ChatReply> HttpProvider::complete(const ChatRequest& request, const ChatSink& sink,
                                         const std::stop_token& stop) {
    if (m_options.key.find_first_of("\r\n") != std::string::npos) {
        return usageError("the key contains a line break", publicUrl(m_options.baseUrl),
                          "Set the variable again, without it");
    }
    const Clock::time_point start = Clock::now();
    const auto gate = RateGate::of(publicUrl(m_options.baseUrl) + " " + request.model);
    bool anyPiece = false;
    const ChatSink noting = [&](std::string_view piece) {
        anyPiece = true;
        if (sink) {
            sink(piece);
        }
    };
    for (int number = 1;; ++number) {
        // Another call may have been told to wait meanwhile.
        for (double wait = gate->secondsUntilOpen(); wait > 0; wait = gate->secondsUntilOpen()) {
            if (!pause(wait, stop)) {
                break;
            }
        }
        if (stop.stop_requested()) {
            return cancelledError(publicUrl(m_options.baseUrl));
        }
        GKS_TRY_ASSIGN(Attempt result, attempt(request, noting, stop));
        if (result.reply) {
            result.reply->attempts = number;
            result.reply->seconds = secondsSince(start);
            return std::move(*result.reply);
        }
        if (!result.droppedField.empty()) { // every field is dropped at most once, so this ends
            m_refused.insert(result.droppedField);
            continue;
        }
        if (!result.again || number >= m_options.attempts) {
            if (result.again) {
                result.error.what += fmt::format(" ({} attempts)", number);
            }
            return tl::unexpected(std::move(result.error));
        }
        const double wait = std::max(result.waitSeconds.value_or(0), backoff(number));
        if (wait > std::max(longestRetryAfterSeconds, m_options.backoffLimitSeconds)) {
            result.error.next = fmt::format("The server asks to wait {:.0f} s: start again after that", wait);
            return tl::unexpected(std::move(result.error));
        }
        if (anyPiece && sink) {
            sink(fmt::format("\n[asked again: {}]\n", result.error.what));
            anyPiece = false;
        }
        if (result.rateLimited) {
            gate->closeFor(wait);
        } else if (!pause(wait, stop)) {
            return cancelledError(publicUrl(m_options.baseUrl));
        }
    }
}

} // namespace

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
