// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"
#include "core/llm/sse.h"

#include <string>
#include <string_view>

namespace gks {

// Puts the answer to one chat completion together, streamed or in one piece.
class OpenAiReply {
public:
    enum class State {
        open,
        complete,  // [DONE] or a finish reason was seen
        malformed, // what came is not what the interface promises
        failed,    // the server reported an error inside the stream
        tooLong,
    };

    OpenAiReply(const ChatSink& sink, bool isEventStream);

    // False when nothing more is wanted.
    bool feed(std::string_view bytes);
    void finish();

    State state() const { return m_state; }
    const std::string& problem() const { return m_problem; }
    ChatReply& reply() { return m_reply; }
    bool hasUsage() const { return m_hasUsage; }

private:
    void onEvent(const SseParser::Event& event);
    void read(const Json& chunk);
    void append(const Json& holder);
    void fail(State state, std::string problem);

    const ChatSink& m_sink;
    bool m_isEventStream;
    State m_state = State::open;
    std::string m_problem;
    ChatReply m_reply;
    bool m_hasUsage = false;
    std::string m_body; // when it comes in one piece
    SseParser m_parser;
};

// What an error body says, without the braces: "error.message", "message", "detail" or the beginning of the text.
std::string errorText(std::string_view body);

} // namespace gks
