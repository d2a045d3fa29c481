// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/llm/sse.h"
#include "core/llm/streamed_reply.h"
#include "tests/fuzz/fuzz.h"

#include <string>
#include <vector>

namespace {

using Cuts = std::vector<std::string_view>;

std::string shown(const gks::SseParser::Event& event) {
    return event.type + "[" + event.data + "]\n";
}

std::string events(const Cuts& pieces) {
    std::string seen;
    gks::SseParser parser([&](const gks::SseParser::Event& event) { seen += shown(event); });
    for (const std::string_view piece : pieces) {
        parser.feed(piece);
    }
    parser.finish();
    gks::fuzz::require(!parser.overflowed(), "nothing here is larger than the limit");
    return seen;
}

// The grammar of the specification, read off the whole text at once: every line ending is made a \n first. Like the
// parser it takes the last event also where the blank line behind it is missing.
std::string eventsOfWhole(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) {
        text.remove_prefix(3);
    }
    const std::string plain = gks::replaceAll(gks::replaceAll(std::string(text), "\r\n", "\n"), "\r", "\n");
    std::string seen;
    gks::SseParser::Event event;
    std::vector<std::string> data;
    auto lines = gks::split(plain, '\n');
    lines.emplace_back();
    for (const std::string& line : lines) {
        if (line.empty()) {
            event.type = event.type.empty() ? "message" : event.type;
            event.data = gks::join(data, "\n");
            seen += data.empty() ? std::string() : shown(event);
            event = {};
            data.clear();
            continue;
        }
        const std::size_t colon = std::min(line.find(':'), line.size());
        std::string value = line.substr(std::min(colon + 1, line.size()));
        value.erase(0, value.starts_with(' ') ? 1 : 0);
        if (line.substr(0, colon) == "data") {
            data.push_back(value);
        } else if (line.substr(0, colon) == "event") {
            event.type = value;
        }
    }
    return seen;
}

std::string reply(const gks::Dialect& dialect, const Cuts& pieces, bool isEventStream) {
    std::string heard;
    const gks::ChatSink sink = [&](std::string_view piece) { heard += piece; };
    gks::StreamedReply streamed(dialect, sink, isEventStream);
    for (const std::string_view piece : pieces) {
        streamed.feed(piece);
    }
    streamed.finish();
    const gks::ChatReply& whole = streamed.reply();
    gks::fuzz::require(heard == whole.text, "what is heard is the reply");
    gks::fuzz::require(gks::sanitizedUtf8(heard) == heard, "a reply is UTF-8");
    const bool failed =
        streamed.state() != gks::StreamedReply::State::open && streamed.state() != gks::StreamedReply::State::complete;
    gks::fuzz::require(failed == !streamed.problem().empty(), "a failure has its reason, and nothing else has one");
    gks::fuzz::require(whole.tokensIn >= 0 && whole.tokensOut >= 0, "tokens are counted upwards");
    return std::to_string(static_cast<int>(streamed.state())) + whole.text + "\n" + whole.finishReason + "\n" +
           std::to_string(whole.tokensIn) + " " + std::to_string(whole.tokensOut) + streamed.problem();
}

} // namespace

// Where the network cuts a stream must not matter: in two pieces anywhere, or byte by byte. The first byte says where a
// long one is cut.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    constexpr std::size_t cutEverywhereBytes = 256;
    const std::string_view text = gks::fuzz::text(data + 1, size - 1);
    Cuts bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bytes.push_back(text.substr(i, 1));
    }
    const std::string expected = eventsOfWhole(text);
    gks::fuzz::require(events({text}) == expected, "events are those of the specification");
    gks::fuzz::require(events(bytes) == expected, "events do not depend on single bytes");
    const std::size_t chosen = text.size() * data[0] / 256;
    const bool everywhere = text.size() <= cutEverywhereBytes;
    for (std::size_t cut = everywhere ? 0 : chosen; cut <= (everywhere ? text.size() : chosen); ++cut) {
        gks::fuzz::require(events({text.substr(0, cut), text.substr(cut)}) == expected,
                           "events do not depend on the cut");
    }
    static const auto openAi = gks::openAiDialect();
    static const auto anthropic = gks::anthropicDialect();
    static const auto gemini = gks::geminiDialect();
    for (const gks::Dialect* dialect : {openAi.get(), anthropic.get(), gemini.get()}) {
        for (const bool isEventStream : {true, false}) {
            const std::string whole = reply(*dialect, {text}, isEventStream);
            gks::fuzz::require(reply(*dialect, {text.substr(0, chosen), text.substr(chosen)}, isEventStream) == whole,
                               "a reply does not depend on the cut");
            gks::fuzz::require(reply(*dialect, bytes, isEventStream) == whole,
                               "a reply does not depend on single bytes");
        }
    }
    gks::fuzz::require(gks::errorText(text).size() <= 700, "an error is short");
    return 0;
}
