// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/streamed_reply.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t shownErrorBytes = 600;
// A body in one piece carries the reply escaped, with some frame round it.
constexpr std::size_t bodyLimitBytes = 8 * replyLimitBytes;

} // namespace

std::string errorText(std::string_view body) {
    const std::string clean = sanitizedUtf8(body);
    auto json = parseJson(clean, "error body");
    if (json && json->is_array() && !json->empty()) { // Gemini wraps the error of a stream
        json = Json(json->front());
    }
    if (json && json->is_object()) {
        const Json* error = member(*json, "error");
        for (const Json* holder : {error, static_cast<const Json*>(&*json)}) {
            for (const char* key : {"message", "detail", "error"}) {
                if (const Json* text = holder != nullptr ? member(*holder, key) : nullptr;
                    text != nullptr && text->is_string()) {
                    return abbreviated(trimmed(text->get<std::string>()), shownErrorBytes);
                }
            }
        }
    }
    return abbreviated(trimmed(clean), shownErrorBytes);
}

StreamedReply::StreamedReply(const Dialect& dialect, const ChatSink& sink, bool isEventStream,
                             std::function<void()> thinking)
    : m_dialect(dialect)
    , m_sink(sink)
    , m_isEventStream(isEventStream)
    , m_thinking(std::move(thinking))
    , m_parser([this](const SseParser::Event& event) { onEvent(event); }) {}

HttpWish StreamedReply::feed(std::string_view bytes) {
    if (m_isEventStream) {
        m_parser.feed(bytes);
        if (m_parser.overflowed()) {
            fail(State::tooLong, "one event of the stream is larger than allowed");
        }
    } else if (m_body.size() + bytes.size() > bodyLimitBytes) {
        fail(State::tooLong, "the answer is larger than allowed");
    } else {
        m_body += bytes;
    }
    // After the finish reason comes the usage, after the farewell nothing. Some servers keep the line open after the
    // one or the other.
    if (m_state == State::complete && !m_farewell) {
        return HttpWish::rest;
    }
    return m_state == State::open ? HttpWish::more : HttpWish::nothing;
}

void StreamedReply::finish() {
    if (m_isEventStream) {
        m_parser.finish();
    } else if (m_state == State::open) {
        const auto json = parseJson(sanitizedUtf8(m_body), "answer");
        if (json) {
            read(*json);
        } else {
            fail(State::malformed,
                 fmt::format("unexpected reply format: \"{}\"", abbreviated(sanitizedUtf8(m_body), 200)));
        }
    }
}

void StreamedReply::onEvent(const SseParser::Event& event) {
    if (m_state != State::open && m_state != State::complete) {
        return;
    }
    if (trimmed(event.data) == "[DONE]") {
        m_state = State::complete;
        m_farewell = true;
        return;
    }
    const std::string data = sanitizedUtf8(event.data);
    const auto json = parseJson(data, "stream");
    if (json) {
        read(*json);
    } else {
        fail(State::malformed, fmt::format("an event of the stream is not JSON: \"{}\"", abbreviated(data, 200)));
    }
}

void StreamedReply::read(const Json& event) {
    if (const Json* error = member(event, "error"); error != nullptr && !error->is_null()) {
        fail(State::failed, errorText(event.dump(-1, ' ', false, Json::error_handler_t::replace)));
        return;
    }
    const ReplyPiece piece = m_dialect.read(event, !m_isEventStream);
    m_reply.tokensIn = piece.tokensIn.value_or(m_reply.tokensIn);
    m_reply.tokensOut = piece.tokensOut.value_or(m_reply.tokensOut);
    m_reply.reasoningTokens = piece.reasoningTokens.value_or(m_reply.reasoningTokens);
    m_farewell = m_farewell || piece.farewell;
    if (!piece.reasoning.empty() && m_state == State::open) {
        m_reasoningBytes += piece.reasoning.size();
        if (m_thinking) {
            m_thinking();
        }
    }
    if (!piece.error.empty()) {
        fail(State::failed, abbreviated(piece.error, shownErrorBytes));
        return;
    }
    if (piece.malformed) {
        fail(State::malformed, "the server sent no reply");
        return;
    }
    append(piece.text);
    if (!piece.finishReason.empty() && m_state == State::open) {
        m_reply.finishReason = abbreviated(piece.finishReason, 60);
        m_state = State::complete;
    }
}

void StreamedReply::append(const std::string& text) {
    if (text.empty() || m_state != State::open) {
        return;
    }
    if (m_reply.text.size() + text.size() > replyLimitBytes) {
        fail(State::tooLong, fmt::format("the reply is longer than {} bytes", replyLimitBytes));
        return;
    }
    m_reply.text += text;
    if (m_sink) {
        m_sink(text);
    }
}

void StreamedReply::fail(State state, std::string problem) {
    if (m_state == State::open || m_state == State::complete) {
        m_state = state;
        m_problem = std::move(problem);
    }
}

} // namespace gks
