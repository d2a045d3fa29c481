// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/attempt.h"

#include "core/base/text.h"
#include "core/llm/token_estimate.h"

#include <algorithm>
#include <fmt/format.h>

// The question that decides about money: has the server the request? Then it works on it, or has, and may bill it,
// whatever became of the reply. Only what it certainly has not may be sent again without asking anybody.
namespace gks {
namespace {

constexpr auto bytesPerTokenEstimate = static_cast<std::int64_t>(bytesPerToken);
constexpr double atOnceSeconds = 2; // nothing was begun by then
constexpr const char* onceMore = "Run the campaign again to send the request once more";

Error failure(const Sending& sending, std::string what, std::string next) {
    const std::string& key = sending.options.key;
    return {ErrorKind::infrastructure, key.empty() ? what : replaceAll(std::move(what), key, "[key]"),
            publicUrl(sending.options.baseUrl), std::move(next)};
}

std::string adviceFor(long status) {
    switch (status) {
    case 401:
    case 403:
        return "Check the API key: the variable named in the settings must hold a key for this base URL";
    case 402:
        return "Check the account's credit";
    case 404:
        return "Check the base URL (it usually ends in /v1) and the model name";
    case 413:
        return "The prompt is too long for this server: choose a model with a larger context";
    case 429:
        return "Wait, or raise the rate limit or the credit of the account";
    default:
        break;
    }
    if (status >= 500) {
        return "Server error: try again later or choose another server";
    }
    return status >= 300 && status < 400 ? "The server redirects; enter the final base URL"
                                         : "Read the server's message; the request is in the conversation";
}

Attempt judgeStatus(const Sending& sending, const HttpHead& head, const std::string& errorBody) {
    const std::string said = errorText(errorBody);
    const long status = head.status;
    const bool outOfCredit = errorBody.find("insufficient_quota") != std::string::npos; // a 429 that no wait cures
    Attempt result;
    result.waitSeconds = head.retryAfterSeconds;
    result.error = failure(sending, fmt::format("the server answered {}{}", status, said.empty() ? "" : ": " + said),
                           adviceFor(status));
    // Gateways also say 503 when what is behind them broke off its work.
    const bool isBusy = status == 503 && (head.retryAfterSeconds || head.afterSeconds <= atOnceSeconds);
    if ((status == 429 && !outOfCredit) || isBusy || status == 529) {
        result.outcome = Attempt::Outcome::refused;
        result.rateLimited = status == 429;
    } else if (status == 408 || status == 409 || status == 425 || (status >= 500 && !outOfCredit)) {
        result.outcome = Attempt::Outcome::lost; // a gateway says so as well when the model behind it took too long
    } else {
        result.error.kind = ErrorKind::usage;
        if (status == 400 || status == 422) {
            result.droppedField = sending.dialect.refusedField(said, sending.refusedFields);
            result.outcome = result.droppedField.empty() ? Attempt::Outcome::failed : Attempt::Outcome::withField;
        }
    }
    return result;
}

// Why a transfer that began well brought nothing whole.
Error lossOf(const Sending& sending, const HttpEnd& end, const std::string& what) {
    std::string next = onceMore;
    if (end.ending == HttpEnding::silence) {
        next += ", or raise the limit for silence (--silence-minutes)";
    } else if (end.ending == HttpEnding::total) {
        next += ", or raise the limit for the whole call (--total-minutes)";
    }
    return failure(sending, what + (end.problem.empty() ? "" : ": " + end.problem), next);
}

void judgeReply(const Sending& sending, const HttpEnd& end, const StreamedReply& reply, Attempt& result) {
    result.outcome = Attempt::Outcome::lost;
    switch (reply.state()) {
    case StreamedReply::State::complete:
        result.outcome = Attempt::Outcome::answered;
        break;
    case StreamedReply::State::open:
        result.error = lossOf(sending, end, "the reply was cut off");
        break;
    case StreamedReply::State::malformed:
        result.error = failure(
            sending, reply.problem(),
            fmt::format("Check that the server at this base URL supports the '{}' API", sending.dialect.name()));
        break;
    case StreamedReply::State::failed:
        result.error = failure(sending, "the server reported: " + reply.problem(), onceMore);
        break;
    case StreamedReply::State::tooLong:
        result.outcome = Attempt::Outcome::failed;
        result.error = failure(sending, reply.problem(), "Lower max output tokens, or choose another model");
        break;
    }
}

// The server's own count where it gave one; of a reply that is not whole it is behind.
void countTokens(const Sending& sending, const StreamedReply* reply, Attempt& result) {
    const auto seen = static_cast<std::int64_t>(reply != nullptr ? reply->bytes() : 0) / bytesPerTokenEstimate;
    const bool counted = reply != nullptr && reply->hasUsage();
    if (counted && result.outcome == Attempt::Outcome::answered) {
        return;
    }
    ChatReply& known = result.reply;
    known.tokensEstimated = true;
    if (known.tokensIn == 0) {
        known.tokensIn = static_cast<std::int64_t>(sending.requestBytes) / bytesPerTokenEstimate;
    }
    known.tokensOut = std::max(known.tokensOut, seen);
}

} // namespace

Attempt judgeAttempt(const Sending& sending, const HttpEnd& end, StreamedReply* reply, const std::string& errorBody) {
    const bool hasAnswered = end.head.status >= 200; // what is below announces an answer
    if (hasAnswered && end.head.status != 200) {
        return judgeStatus(sending, end.head, errorBody);
    }
    Attempt result;
    if (end.ending == HttpEnding::cancelled && (reply == nullptr || reply->state() != StreamedReply::State::complete)) {
        result.outcome = Attempt::Outcome::cancelled;
        result.error = {ErrorKind::cancelled, "cancelled", publicUrl(sending.options.baseUrl), {}};
    } else if (!end.accepted) {
        result.outcome = Attempt::Outcome::refused;
        result.error = failure(sending, "the server has not taken the request: " + end.problem,
                               "Check that the server is running and the base URL is correct");
    } else if (reply == nullptr) {
        result.outcome = Attempt::Outcome::lost;
        result.error = lossOf(sending, end,
                              end.ending == HttpEnding::complete ? "the answer is empty" : "no answer to the request");
    } else {
        judgeReply(sending, end, *reply, result);
    }
    if (reply != nullptr) {
        result.reply = reply->reply();
        if (result.reply.reasoningTokens == 0) {
            result.reply.reasoningTokens = static_cast<std::int64_t>(reply->reasoningBytes()) / bytesPerTokenEstimate;
        }
    }
    if (end.accepted) {
        countTokens(sending, reply, result);
    }
    return result;
}

} // namespace gks
