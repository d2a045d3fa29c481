// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"
#include "core/llm/dialect.h"
#include "core/llm/http_stream.h"
#include "core/llm/streamed_reply.h"

#include <optional>
#include <set>
#include <string>

namespace gks {

// What sending a request once came to.
struct Attempt {
    enum class Outcome {
        answered,
        refused,   // certainly not accepted: it costs nothing to send it again
        lost,      // accepted, and no whole reply came of it: sent again, it may be billed twice
        withField, // the server does not know `droppedField` of the request
        failed,    // sending it again changes nothing
        cancelled,
    };
    Outcome outcome = Outcome::failed;
    ChatReply reply;                   // whole, or as far as it came, with what is known of its tokens
    Error error;                       // unless it was answered
    std::optional<double> waitSeconds; // that the server asks for
    bool rateLimited = false;          // so do other calls to the same service
    std::string droppedField;
};

// What is known around one sending.
struct Sending {
    const Dialect& dialect;
    const ProviderOptions& options;
    const std::set<std::string>& refusedFields;
    std::size_t requestBytes = 0;
};

// `reply` is null when no answer with status 200 began; `errorBody` is the beginning of any other.
Attempt judgeAttempt(const Sending& sending, const HttpEnd& end, StreamedReply* reply, const std::string& errorBody);

} // namespace gks
