// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/dialect.h"
#include "core/llm/http_stream.h"
#include "core/llm/sse.h"

#include <string>
#include <string_view>

namespace gks {

// Puts the answer to one request together, streamed or in one piece.
class StreamedReply {
public:
    enum class State {
        open,
        complete,  // a finish reason or [DONE] was seen
        malformed, // what came is not what the interface promises
        failed,    // the server reported an error inside the stream
        tooLong,
    };

    // Dialect and sinks must outlive it. `thinking` hears that the model does, at every piece of it.
    StreamedReply(const Dialect& dialect, const ChatSink& sink, bool isEventStream,
                  std::function<void()> thinking = {});

    // Takes the next bytes, and says what else is wanted.
    HttpWish feed(std::string_view bytes);
    void finish();

    State state() const { return m_state; }
    const std::string& problem() const { return m_problem; }
    ChatReply& reply() { return m_reply; }
    bool hasUsage() const { return m_reply.tokensIn + m_reply.tokensOut > 0; }
    // Of the text and of the thinking that came.
    std::size_t bytes() const { return m_reply.text.size() + m_reasoningBytes; }
    std::size_t reasoningBytes() const { return m_reasoningBytes; }

private:
    void onEvent(const SseParser::Event& event);
    void read(const Json& event);
    void append(const std::string& text);
    void fail(State state, std::string problem);

    const Dialect& m_dialect;
    const ChatSink& m_sink;
    bool m_isEventStream;
    bool m_farewell = false;
    std::size_t m_reasoningBytes = 0;
    std::function<void()> m_thinking;
    State m_state = State::open;
    std::string m_problem;
    ChatReply m_reply;
    std::string m_body; // when it comes in one piece
    SseParser m_parser;
};

// What an error body says, without the braces: "error.message", "message", "detail" or the beginning of the text.
std::string errorText(std::string_view body);

} // namespace gks
