// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/sse.h"
#include "core/llm/streamed_reply.h"

#include <QTest>

using namespace gks;

namespace {

std::string parsed(const std::vector<std::string_view>& pieces, bool finish = true) {
    std::string text;
    SseParser parser([&](const SseParser::Event& event) { text += event.type + "[" + event.data + "]"; });
    for (const std::string_view piece : pieces) {
        parser.feed(piece);
    }
    if (finish) {
        parser.finish();
    }
    return text;
}

std::string readReply(const std::vector<std::string_view>& pieces, bool isEventStream, std::string* streamed = nullptr,
                      std::unique_ptr<Dialect> dialect = openAiDialect()) {
    std::string seen;
    const ChatSink sink = [&](std::string_view piece) { seen += piece; };
    StreamedReply reply(*dialect, sink, isEventStream);
    for (const std::string_view piece : pieces) {
        reply.feed(piece);
    }
    reply.finish();
    if (streamed != nullptr) {
        *streamed = seen;
    }
    return std::to_string(static_cast<int>(reply.state())) + "|" + reply.reply().text + "|" +
           reply.reply().finishReason + "|" + std::to_string(reply.reply().tokensIn) + "+" +
           std::to_string(reply.reply().tokensOut) + "|" + reply.problem();
}

const char* const chatStream =
    ": OPENROUTER PROCESSING\r\n\r\n"
    "data: "
    "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"h\xc3\xbc \xe4\xb8\xad error: \\n\\u00fc\"}}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"content\":null}}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"\xf0\x9f\x98\x80!\"},\"finish_reason\":\"stop\"}]}\r\n\r\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":22}}\r\n\r\n"
    "data: [DONE]\r\n\r\n";

const char* const messageStream =
    "event: message_start\ndata: "
    "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":11,\"output_tokens\":1}}}\n\n"
    "event: ping\ndata: {\"type\":\"ping\"}\n\n"
    "event: content_block_delta\ndata: "
    "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"h\xc3\xbc "
    "\xe4\xb8\xad \"}}\n\n"
    "event: content_block_delta\ndata: "
    "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\":1}\"}}"
    "\n\n"
    "event: message_delta\ndata: "
    "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"},\"usage\":{\"output_tokens\":22}}"
    "\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

const char* const contentStream =
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"thinking\",\"thought\":true},{\"text\":\"h\xc3\xbc "
    "\"}]}}]}\r\n\r\n"
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\xf0\x9f\x98\x80!\"}]},\"finishReason\":\"STOP\"}],"
    "\"usageMetadata\":{\"promptTokenCount\":11,\"candidatesTokenCount\":20,\"thoughtsTokenCount\":2}}\r\n\r\n";

} // namespace

class LlmSse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void events_data();
    void events();
    void overflowDeliversNothingMore();
    void chatSplitAtEveryByte();
    void otherDialectsSplitAtEveryByte_data();
    void otherDialectsSplitAtEveryByte();
    void answersThatAreNotAStream_data();
    void answersThatAreNotAStream();
    void streamsThatEndBadly_data();
    void streamsThatEndBadly();
    void endlessReplyIsStopped();
    void nothingIsWantedAfterTheFarewell();
    void errorTextOfEveryShape();
};

void LlmSse::events_data() {
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArray>("wanted");
    const auto row = [](const char* tag, const char* stream, const char* wanted) {
        QTest::newRow(tag) << QByteArray(stream) << QByteArray(wanted);
    };
    row("line feeds", "data: a\n\ndata: b\n\n", "message[a]message[b]");
    row("carriage returns", "data: a\r\rdata: b\r\r", "message[a]message[b]");
    row("both", "data: a\r\n\r\ndata: b\r\n\r\n", "message[a]message[b]");
    row("mixed", "data: a\r\n\ndata: b\n\r\n", "message[a]message[b]");
    row("several data lines", "data: a\ndata: b\ndata:\n\n", "message[a\nb\n]");
    row("several data lines, carriage returns too", "event: x\r\ndata: a\r\ndata: b\r\n\r\n", "x[a\nb]");
    row("comment and unknown field", ": hi\nid: 7\nretry: 1\ndata: a\n\n", "message[a]");
    row("named", "event: ping\ndata: {}\n\ndata: b\n\n", "ping[{}]message[b]");
    row("no blank after the colon", "data:a\ndata:  b\n\n", "message[a\n b]");
    row("no colon", "data\n\n", "message[]");
    row("no data", "event: x\n\ndata: a\n\n", "message[a]");
    row("byte order mark",
        "\xef\xbb\xbf"
        "data: a\n\n",
        "message[a]");
    row("no blank line at the end", "data: a\n\ndata: b\n", "message[a]message[b]");
    row("no line end at the end", "data: a\n\ndata: [DONE]", "message[a]message[[DONE]]");
    row("two-byte and four-byte characters", "data: \xc3\xbc \xf0\x9f\x98\x80\n\n",
        "message[\xc3\xbc \xf0\x9f\x98\x80]");
    row("text that looks like a field", "data: error: data: x\n\n", "message[error: data: x]");
    row("nothing", "", "");
}

void LlmSse::events() {
    QFETCH(QByteArray, stream);
    QFETCH(QByteArray, wanted);
    const std::string text = stream.toStdString();
    const std::string_view view = text;
    QCOMPARE(QByteArray::fromStdString(parsed({view})), wanted);
    for (std::size_t at = 0; at <= text.size(); ++at) {
        for (std::size_t second = at; second <= std::min(text.size(), at + 3); ++second) {
            QCOMPARE(QByteArray::fromStdString(
                         parsed({view.substr(0, at), view.substr(at, second - at), view.substr(second)})),
                     wanted);
        }
    }
}

void LlmSse::overflowDeliversNothingMore() {
    int events = 0;
    SseParser parser([&](const SseParser::Event&) { ++events; }, 100);
    parser.feed("data: a\n\n");
    parser.feed("data: " + std::string(60, 'x') + "\ndata: " + std::string(60, 'x') + "\n\n");
    QVERIFY(parser.overflowed());
    parser.feed("\n\ndata: b\n\n");
    parser.finish();
    QCOMPARE(events, 1);
}

void LlmSse::chatSplitAtEveryByte() {
    const std::string_view stream = chatStream;
    const std::string wanted = "1|h\xc3\xbc \xe4\xb8\xad error: \n\xc3\xbc\xf0\x9f\x98\x80!|stop|11+22|";
    for (std::size_t at = 0; at <= stream.size(); ++at) {
        std::string streamed;
        QCOMPARE(readReply({stream.substr(0, at), stream.substr(at)}, true, &streamed), wanted);
        QCOMPARE(streamed, std::string("h\xc3\xbc \xe4\xb8\xad error: \n\xc3\xbc\xf0\x9f\x98\x80!"));
    }
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < stream.size(); ++at) {
        bytes.push_back(stream.substr(at, 1));
    }
    QCOMPARE(readReply(bytes, true), wanted);
}

void LlmSse::otherDialectsSplitAtEveryByte_data() {
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("anthropic") << QByteArray(messageStream)
                               << QByteArray("1|h\xc3\xbc \xe4\xb8\xad {\"a\":1}|length|11+22|");
    QTest::newRow("gemini") << QByteArray(contentStream) << QByteArray("1|h\xc3\xbc \xf0\x9f\x98\x80!|stop|11+22|");
}

void LlmSse::otherDialectsSplitAtEveryByte() {
    QFETCH(QByteArray, stream);
    QFETCH(QByteArray, wanted);
    const auto dialect = [] { return QTest::currentDataTag()[0] == 'a' ? anthropicDialect() : geminiDialect(); };
    const std::string whole = stream.toStdString();
    const std::string_view text = whole;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const auto read = readReply({text.substr(0, at), text.substr(at)}, true, nullptr, dialect());
        QCOMPARE(QByteArray::fromStdString(read), wanted);
        // Cut off for good: never a finished reply with a part missing, unless only the farewell is.
        const std::string cut = readReply({text.substr(0, at)}, true, nullptr, dialect());
        QVERIFY2(!cut.starts_with("1|") ||
                     QByteArray::fromStdString(cut).startsWith(wanted.left(wanted.indexOf("|", 2))),
                 cut.c_str());
    }
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        bytes.push_back(text.substr(at, 1));
    }
    QCOMPARE(QByteArray::fromStdString(readReply(bytes, true, nullptr, dialect())), wanted);
}

void LlmSse::answersThatAreNotAStream_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("whole answer")
        << QByteArray(R"({"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"length"}],)"
                      R"("usage":{"prompt_tokens":1,"completion_tokens":2}})")
        << QByteArray("1|hi|length|1+2|");
    QTest::newRow("malformed") << QByteArray("{malformed json") << QByteArray("2||");
    QTest::newRow("web page") << QByteArray("<html>hello</html>") << QByteArray("2||");
    QTest::newRow("no choices") << QByteArray("{}") << QByteArray("2||");
    QTest::newRow("error with status 200")
        << QByteArray(R"({"error":{"message":"overloaded"}})") << QByteArray("3|||0+0|overloaded");
    QTest::newRow("choices of a wrong kind") << QByteArray(R"({"choices":[7]})") << QByteArray("0||");
    QTest::newRow("negative usage")
        << QByteArray(
               R"({"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-5}})")
        << QByteArray("1|a|stop|0+0|");
}

void LlmSse::answersThatAreNotAStream() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, wanted);
    const std::string text = body.toStdString();
    const QByteArray got = QByteArray::fromStdString(readReply({text}, false));
    QVERIFY2(got.startsWith(wanted), got.constData());
}

void LlmSse::streamsThatEndBadly_data() {
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("cut after a piece") << QByteArray("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
                                       << QByteArray("0|a|");
    QTest::newRow("cut inside an event") << QByteArray("data: {\"choices\":[{\"delta\":{\"con") << QByteArray("2||");
    QTest::newRow("error inside")
        << QByteArray(
               "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"message\":\"boom\"}}\n\n")
        << QByteArray("3|a||0+0|boom");
    QTest::newRow("too deep") << QByteArray("data: " + QByteArray(100000, '[') + "\n\n") << QByteArray("2||");
    QTest::newRow("invalid UTF-8")
        << QByteArray("data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"},\"finish_reason\":\"stop\"}]}\n\n")
        << QByteArray("1|\xef\xbf\xbd|stop");
}

void LlmSse::streamsThatEndBadly() {
    QFETCH(QByteArray, stream);
    QFETCH(QByteArray, wanted);
    const std::string text = stream.toStdString();
    const QByteArray got = QByteArray::fromStdString(readReply({text}, true));
    QVERIFY2(got.startsWith(wanted), got.left(200).constData());
}

void LlmSse::endlessReplyIsStopped() {
    std::size_t seen = 0;
    const ChatSink sink = [&](std::string_view piece) { seen += piece.size(); };
    const auto dialect = openAiDialect();
    StreamedReply reply(*dialect, sink, true);
    const std::string piece = "data: {\"choices\":[{\"delta\":{\"content\":\"" + std::string(50000, 'x') + "\"}}]}\n\n";
    int fed = 0;
    while (reply.feed(piece) == HttpWish::more) {
        QVERIFY(++fed < 1000);
    }
    QCOMPARE(reply.state(), StreamedReply::State::tooLong);
    QVERIFY(seen <= replyLimitBytes);
}

void LlmSse::nothingIsWantedAfterTheFarewell() {
    const auto openAi = openAiDialect();
    const ChatSink none;
    StreamedReply chat(*openAi, none, true);
    QVERIFY(chat.feed("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n") == HttpWish::more);
    QVERIFY(chat.feed("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n") == HttpWish::rest);
    QVERIFY(chat.feed("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":22,"
                      "\"completion_tokens_details\":{\"reasoning_tokens\":20}}}\n\n") == HttpWish::rest);
    QVERIFY(chat.feed("data: [DONE]\n\n") == HttpWish::nothing);
    QCOMPARE(chat.reply().tokensOut, std::int64_t{22});
    QCOMPARE(chat.reply().reasoningTokens, std::int64_t{20});
    const auto anthropic = anthropicDialect();
    StreamedReply message(*anthropic, none, true);
    QVERIFY(message.feed("data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n") ==
            HttpWish::rest);
    QVERIFY(message.feed("data: {\"type\":\"message_stop\"}\n\n") == HttpWish::nothing);
}

void LlmSse::errorTextOfEveryShape() {
    QCOMPARE(errorText(R"({"error":{"message":"no such model","type":"x"}})"), std::string("no such model"));
    QCOMPARE(errorText(R"({"error":"model not found"})"), std::string("model not found"));
    QCOMPARE(errorText(R"({"message":"m"})"), std::string("m"));
    QCOMPARE(errorText(R"({"detail":"d"})"), std::string("d"));
    QCOMPARE(errorText("plain"), std::string("plain"));
    QCOMPARE(errorText(""), std::string());
    QVERIFY(errorText(std::string(100000, 'x')).size() < 1000);
}

QTEST_APPLESS_MAIN(LlmSse)
#include "llm_sse.moc"
