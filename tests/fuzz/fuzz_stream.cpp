// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/sse.h"
#include "core/llm/streamed_reply.h"
#include "tests/fuzz/fuzz.h"

#include <string>

namespace {

std::string events(std::string_view text, std::size_t cut) {
    std::string seen;
    gks::SseParser parser([&](const gks::SseParser::Event& event) { seen += event.type + "[" + event.data + "]"; });
    parser.feed(text.substr(0, cut));
    parser.feed(text.substr(cut));
    parser.finish();
    return seen;
}

std::string reply(const gks::Dialect& dialect, std::string_view text, std::size_t cut, bool isEventStream) {
    const gks::ChatSink sink = [](std::string_view) {};
    gks::StreamedReply streamed(dialect, sink, isEventStream);
    streamed.feed(text.substr(0, cut));
    streamed.feed(text.substr(cut));
    streamed.finish();
    return std::to_string(static_cast<int>(streamed.state())) + streamed.reply().text + streamed.problem();
}

} // namespace

// Where the network cuts a stream must not matter. The first byte says where it is cut.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string_view text = gks::fuzz::text(data + 1, size - 1);
    const std::size_t cut = text.size() * data[0] / 256;
    gks::fuzz::require(events(text, 0) == events(text, cut), "events do not depend on the cut");
    static const auto openAi = gks::openAiDialect();
    static const auto anthropic = gks::anthropicDialect();
    static const auto gemini = gks::geminiDialect();
    for (const gks::Dialect* dialect : {openAi.get(), anthropic.get(), gemini.get()}) {
        for (const bool isEventStream : {true, false}) {
            gks::fuzz::require(reply(*dialect, text, 0, isEventStream) == reply(*dialect, text, cut, isEventStream),
                               "a reply does not depend on the cut");
        }
    }
    return 0;
}
