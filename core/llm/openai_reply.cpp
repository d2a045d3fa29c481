// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/openai_reply.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t shownErrorBytes = 600;
// A body in one piece carries the reply escaped, with some frame round it.
constexpr std::size_t bodyLimitBytes = 8 * replyLimitBytes;

std::int64_t wholeNumber(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? std::max<std::int64_t>(0, found->get<std::int64_t>())
                                                               : 0;
}

const Json* member(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? &*found : nullptr;
}

} // namespace

std::string errorText(std::string_view body) {
    const std::string clean = sanitizedUtf8(body);
    const auto json = parseJson(clean, "error body");
    if (json && json->is_object()) {
        const Json* error = member(*json, "error");
        for (const Json* holder : {error, &*json}) {
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

OpenAiReply::OpenAiReply(const ChatSink& sink, bool isEventStream)
    : m_sink(sink)
    , m_isEventStream(isEventStream)
    , m_parser([this](const SseParser::Event& event) { onEvent(event); }) {}

bool OpenAiReply::feed(std::string_view bytes) {
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
    return m_state == State::open || m_state == State::complete; // after the finish reason comes the usage
}

void OpenAiReply::finish() {
    if (m_isEventStream) {
        m_parser.finish();
    } else if (m_state == State::open) {
        const auto json = parseJson(sanitizedUtf8(m_body), "answer");
        if (json) {
            read(*json);
        } else {
            fail(State::malformed,
                 fmt::format("neither an event stream nor JSON: \"{}\"", abbreviated(sanitizedUtf8(m_body), 200)));
        }
    }
}

void OpenAiReply::onEvent(const SseParser::Event& event) {
    if (m_state != State::open && m_state != State::complete) {
        return;
    }
    if (trimmed(event.data) == "[DONE]") {
        m_state = State::complete;
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

// A chunk of a stream has `delta`, an answer in one piece has `message`; everything else is the same.
void OpenAiReply::read(const Json& chunk) {
    if (const Json* error = member(chunk, "error"); error != nullptr && !error->is_null()) {
        fail(State::failed, errorText(chunk.dump()));
        return;
    }
    if (const Json* usage = member(chunk, "usage"); usage != nullptr && usage->is_object()) {
        m_reply.tokensIn = wholeNumber(*usage, "prompt_tokens");
        m_reply.tokensOut = wholeNumber(*usage, "completion_tokens");
        m_hasUsage = m_reply.tokensIn + m_reply.tokensOut > 0;
    }
    const Json* choices = member(chunk, "choices");
    if (choices == nullptr || !choices->is_array()) {
        if (!m_isEventStream) {
            fail(State::malformed, "the answer has no choices");
        }
        return;
    }
    if (choices->empty() || !choices->front().is_object()) {
        return;
    }
    const Json& choice = choices->front();
    for (const char* holder : {"delta", "message"}) {
        if (const Json* content = member(choice, holder); content != nullptr) {
            append(*content);
        }
    }
    if (const Json* reason = member(choice, "finish_reason");
        reason != nullptr && reason->is_string() && m_state == State::open) {
        m_reply.finishReason = reason->get<std::string>();
        m_state = State::complete;
    }
}

void OpenAiReply::append(const Json& holder) {
    const Json* content = member(holder, "content");
    if (content == nullptr || !content->is_string() || m_state != State::open) {
        return;
    }
    const auto& piece = content->get_ref<const std::string&>();
    if (m_reply.text.size() + piece.size() > replyLimitBytes) {
        fail(State::tooLong, fmt::format("the reply is longer than {} bytes", replyLimitBytes));
        return;
    }
    m_reply.text += piece;
    if (m_sink && !piece.empty()) {
        m_sink(piece);
    }
}

void OpenAiReply::fail(State state, std::string problem) {
    if (m_state == State::open || m_state == State::complete) {
        m_state = state;
        m_problem = std::move(problem);
    }
}

} // namespace gks
