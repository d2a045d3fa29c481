// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/llm/http_stream.h"
#include "core/llm/rate_gate.h"
#include "tests/support/chat_requests.h"
#include "tests/support/scripted_server.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

using namespace gks;

namespace {

constexpr const char* good = "{\"choices\":[{\"message\":{\"content\":\"fine\"},\"finish_reason\":\"stop\"}]}";
constexpr int several = -1;
const auto eventStreamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

} // namespace

// A server of our own that answers what a real one will not on demand, and providers that ask nobody.
class LlmFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noServer();
    void hugeReply();
    void errorsSayWhatToDo_data();
    void errorsSayWhatToDo();
    void longRetryAfterIsNotWaitedFor();
    void noCreditIsNotWaitedFor();
    void limitThatIsTooLargeIsLeftToTheServer();
    void fieldsThatTheServerRefusesAreDropped();
    void redirectionsAreNotFollowed();
    void requestsAreWhatTheServiceWants_data();
    void requestsAreWhatTheServiceWants();
    void thinkingIsAskedForAsTheModelWants();
    void errorsInsideAStream_data();
    void errorsInsideAStream();
    void rateLimitHoldsForAllCalls();
    void aPersonAnswers();
    void freshTryAfterACutIsMarked();

    void recordsAndReplays();
    void badAddresses_data();
    void badAddresses();
};

void LlmFaults::noServer() {
    ProviderOptions options = quick("http://127.0.0.1:" + std::to_string(freePort()) + "/v1");
    options.limits.retrySeconds = 0.1;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::infrastructure);
    const ChatFailure& failure = outcome.reply.error();
    QVERIFY2(contains(failure.what, "attempts in 0.1") && contains(failure.next, "server is running"),
             failure.message().c_str());
    QVERIFY(failure.partial.attempts >= 2);
    QCOMPARE(failure.partial.tokensIn + failure.partial.tokensOut, std::int64_t{0}); // nobody had it
}

void LlmFaults::hugeReply() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) {
        connection.send(eventStreamHead);
        const std::string piece =
            "data: {\"choices\":[{\"delta\":{\"content\":\"" + std::string(20000, 'x') + "\"}}]}\n\n";
        while (connection.send(piece)) {
        }
    }});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "longer than"), outcome.reply.error().message().c_str());
    QVERIFY(outcome.streamed.size() <= replyLimitBytes);
    QCOMPARE(server.requests().size(), std::size_t{1}); // trying again would not help
}

void LlmFaults::errorsSayWhatToDo_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("requests");
    QTest::addColumn<QByteArray>("next");
    QTest::newRow("bad request") << 400 << 1 << QByteArray("the server's message");
    QTest::newRow("unauthorized") << 401 << 1 << QByteArray("key");
    QTest::newRow("no credit") << 402 << 1 << QByteArray("credit");
    QTest::newRow("not found") << 404 << 1 << QByteArray("/v1");
    QTest::newRow("too large") << 413 << 1 << QByteArray("context");
    QTest::newRow("rate limit") << 429 << several << QByteArray("rate limit");
    QTest::newRow("server error") << 500 << 1 << QByteArray("later");
    QTest::newRow("gateway timeout") << 504 << 1 << QByteArray("later"); // the model behind it may be at work
    QTest::newRow("unavailable") << 503 << several << QByteArray("later");
    QTest::newRow("overloaded") << 529 << several << QByteArray("later");
}

void LlmFaults::errorsSayWhatToDo() {
    QFETCH(int, status);
    QFETCH(int, requests);
    QFETCH(QByteArray, next);
    // A careless server repeats the key that it was given.
    ScriptedServer server(
        {ScriptedServer::answer(status, std::string(R"({"error":{"message":"bad: )") + secret + "\"}}")});
    ProviderOptions options = quick(server.url());
    options.limits.retrySeconds = 0.2;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    const std::string message = outcome.reply.error().message();
    QVERIFY2(contains(message, std::to_string(status).c_str()) && contains(message, "bad: [key]"), message.c_str());
    QVERIFY2(contains(outcome.reply.error().next, next.constData()), message.c_str());
    QVERIFY(!contains(message, secret));
    if (requests == several) {
        QVERIFY(server.requests().size() > 1);
    } else {
        QCOMPARE(static_cast<int>(server.requests().size()), requests);
    }
    QVERIFY(contains(server.requests().front(), secret)); // it was sent, in the header
}

void LlmFaults::longRetryAfterIsNotWaitedFor() {
    ScriptedServer server({ScriptedServer::answer(429, "{}", "Retry-After: 3600\r\n")});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().next, "1 h 00 min"), outcome.reply.error().message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{1});
}

void LlmFaults::noCreditIsNotWaitedFor() {
    ScriptedServer server({ScriptedServer::answer(
        429, R"({"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}})")});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY(!outcome.reply && contains(outcome.reply.error().next, "credit"));
    QCOMPARE(server.requests().size(), std::size_t{1});
}

// A server with a small context takes neither name of the limit: then its own holds.
void LlmFaults::limitThatIsTooLargeIsLeftToTheServer() {
    const auto tooLarge = ScriptedServer::answer(
        400, R"({"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 49152"}})");
    ScriptedServer server({tooLarge, tooLarge, ScriptedServer::answer(200, good)});
    ChatRequest request = ask("hello");
    request.reasoningTokens = 32768;
    const Outcome outcome = complete(quick(server.url()), request);
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QVERIFY(contains(server.requests()[0], "\"max_tokens\":49152"));
    QVERIFY(contains(server.requests()[1], "\"max_completion_tokens\":49152"));
    QVERIFY(!contains(server.requests()[2], "_tokens\""));
}

void LlmFaults::fieldsThatTheServerRefusesAreDropped() {
    ScriptedServer server(
        {ScriptedServer::answer(400, R"({"error":{"message":"response_format is not supported"}})"),
         ScriptedServer::answer(400, R"({"error":{"message":"Use max_completion_tokens instead of 'max_tokens'"}})"),
         ScriptedServer::answer(200, good)});
    const auto provider = makeHttpProvider("openai", quick(server.url()));
    const auto reply = provider->complete(ask("hello", true), {}, {});
    QVERIFY2(reply.has_value(), reply ? "" : reply.error().message().c_str());
    QCOMPARE(reply->text, std::string("fine"));
    QVERIFY(reply->tokensEstimated);
    QCOMPARE(server.requests().size(), std::size_t{3});
    QVERIFY(contains(server.requests()[0], "json_schema"));
    QVERIFY(!contains(server.requests()[1], "json_schema") && contains(server.requests()[1], "\"max_tokens\""));
    QVERIFY(contains(server.requests()[2], "max_completion_tokens"));
    QVERIFY(provider->complete(ask("hello", true), {}, {}).has_value());
    QVERIFY(!contains(server.requests()[3], "json_schema")); // remembered
}

void LlmFaults::redirectionsAreNotFollowed() {
    ScriptedServer other({ScriptedServer::answer(200, good)});
    ScriptedServer server({ScriptedServer::answer(307, "", "Location: " + other.url() + "/chat/completions\r\n")});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY(!outcome.reply && contains(outcome.reply.error().what, "307"));
    QVERIFY(other.requests().empty());
}

void LlmFaults::requestsAreWhatTheServiceWants_data() {
    QTest::addColumn<QByteArray>("provider");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QList<QByteArray>>("parts"); // of the request, head and body
    QTest::newRow("openai") << QByteArray("openai") << QByteArray(good)
                            << QList<QByteArray>{"POST /v1/chat/completions ", "Authorization: Bearer sk-secret-7f3a",
                                                 "\"reasoning_effort\":\"low\"", "\"json_schema\"",
                                                 "\"role\":\"system\""};
    QTest::newRow("anthropic")
        << QByteArray("anthropic")
        << QByteArray(
               R"({"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"fine"}],)"
               R"("stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}})")
        << QList<QByteArray>{"POST /v1/messages ",
                             "x-api-key: sk-secret-7f3a",
                             "anthropic-version: 2023-06-01",
                             "\"system\":\"You are a test.\"",
                             "\"budget_tokens\":2048",
                             "\"max_tokens\":18432",
                             "\"input_schema\""};
    QTest::newRow("gemini")
        << QByteArray("gemini")
        << QByteArray(R"({"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"fine"}]},)"
                      R"("finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}})")
        << QList<QByteArray>{"POST /v1/models/test-model:streamGenerateContent?alt=sse ",
                             "x-goog-api-key: sk-secret-7f3a", "\"systemInstruction\"", "\"thinkingBudget\":2048",
                             "\"responseJsonSchema\""};
}

void LlmFaults::requestsAreWhatTheServiceWants() {
    QFETCH(QByteArray, provider);
    QFETCH(QByteArray, answer);
    QFETCH(QList<QByteArray>, parts);
    ScriptedServer server({ScriptedServer::answer(200, answer.toStdString())});
    ChatRequest request = ask("hello", true);
    request.reasoningEffort = "low";
    const Outcome outcome = complete(quick(server.url()), request, provider.toStdString());
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("fine"));
    QCOMPARE(outcome.reply->finishReason, std::string("stop"));
    if (provider != "openai") {
        QCOMPARE(outcome.reply->tokensIn, std::int64_t{3});
        QCOMPARE(outcome.reply->tokensOut, std::int64_t{4});
    }
    for (const QByteArray& part : parts) {
        QVERIFY2(contains(server.requests().front(), part.constData()), part.constData());
    }
}

void LlmFaults::thinkingIsAskedForAsTheModelWants() {
    ScriptedServer server({ScriptedServer::answer(200, "{}")});
    const auto body = [&](const char* provider, const char* thinking, int room) {
        ChatRequest request = ask("hello", true);
        request.reasoningEffort = "high";
        request.thinking = thinking;
        request.reasoningTokens = room;
        static_cast<void>(complete(quick(server.url()), request, provider));
        const std::string sent = server.requests().back();
        return Json::parse(sent.substr(sent.find("\r\n\r\n") + 4));
    };
    const Json adaptive = body("anthropic", "adaptive", 65536);
    QVERIFY(adaptive.at("thinking").at("type") == "adaptive" && adaptive.at("output_config").at("effort") == "high");
    QVERIFY(!adaptive.contains("temperature") && !adaptive.contains("tool_choice"));
    QCOMPARE(adaptive.at("max_tokens").get<int>(), 16384 + 65536);
    const Json tight = body("anthropic", "budget", 15616); // no more than there is room for
    QCOMPARE(tight.at("thinking").at("budget_tokens").get<int>(), 15616);
    QCOMPARE(tight.at("max_tokens").get<int>(), 32000);
    const Json none = body("anthropic", "budget", 0);
    QVERIFY(!none.contains("thinking") && none.at("max_tokens") == 16384);
    const Json level = body("gemini", "level", 32768).at("generationConfig");
    QCOMPARE(level.at("thinkingConfig").dump(), std::string(R"({"includeThoughts":true,"thinkingLevel":"high"})"));
    QCOMPARE(level.at("maxOutputTokens").get<int>(), 16384 + 32768);
}

void LlmFaults::errorsInsideAStream_data() {
    QTest::addColumn<QByteArray>("provider");
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("openai") << QByteArray("openai") << QByteArray(R"({"error":{"message":"no capacity"}})")
                            << QByteArray("no capacity");
    QTest::newRow("anthropic") << QByteArray("anthropic")
                               << QByteArray(
                                      R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")
                               << QByteArray("Overloaded");
    QTest::newRow("gemini, error") << QByteArray("gemini") << QByteArray(R"({"error":{"code":503,"message":"busy"}})")
                                   << QByteArray("busy");
    QTest::newRow("gemini, blocked") << QByteArray("gemini")
                                     << QByteArray(R"({"promptFeedback":{"blockReason":"SAFETY"}})")
                                     << QByteArray("blocked: SAFETY");
}

void LlmFaults::errorsInsideAStream() {
    QFETCH(QByteArray, provider);
    QFETCH(QByteArray, event);
    QFETCH(QByteArray, said);
    ScriptedServer server({[&](const ScriptedServer::Connection& connection) {
        connection.send(eventStreamHead);
        connection.send("data: " + event.toStdString() + "\n\n");
    }});
    const Outcome outcome = complete(quick(server.url()), ask("hello"), provider.toStdString());
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, said.constData()), outcome.reply.error().message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{1}); // it began to answer, so it may be billed
}

// One call is told to wait; another that starts meanwhile waits as well and is not refused.
void LlmFaults::rateLimitHoldsForAllCalls() {
    std::atomic<bool> limited = false;
    std::chrono::steady_clock::time_point told;
    std::chrono::steady_clock::time_point second;
    ScriptedServer server({[&](const ScriptedServer::Connection& connection) {
                               told = std::chrono::steady_clock::now();
                               ScriptedServer::answer(429, "{}", "Retry-After: 1\r\n")(connection);
                               limited = true;
                               limited.notify_all();
                           },
                           [&](const ScriptedServer::Connection& connection) {
                               second = std::chrono::steady_clock::now();
                               ScriptedServer::answer(200, good)(connection);
                           },
                           ScriptedServer::answer(200, good)});
    std::jthread first([&] { QVERIFY(complete(quick(server.url()), ask("one")).reply.has_value()); });
    limited.wait(false);
    ChatRequest other = ask("two");
    // The answer has been sent but perhaps not been read: an address of its own would not wait at all.
    while (RateGate::of(publicUrl(server.url()) + " " + other.model)->secondsUntilOpen() == 0) {
        std::this_thread::yield();
    }
    QVERIFY(complete(quick(server.url()), other).reply.has_value());
    first.join();
    QCOMPARE(server.requests().size(), std::size_t{3});
    QVERIFY(second - told >= std::chrono::milliseconds(950));
}

void LlmFaults::aPersonAnswers() {
    std::string shown;
    const auto provider =
        makeManualProvider([&](const ChatRequest& request, const std::stop_token&) -> Result<std::string> {
            shown = request.messages.back().content;
            return shown == "nothing" ? Result<std::string>(cancelledError("manual model"))
                                      : std::string("pasted \xff text");
        });
    const auto reply = provider->complete(ask("hello"), {}, {});
    QVERIFY(reply.has_value());
    QCOMPARE(shown, std::string("hello"));
    QCOMPARE(reply->text, std::string("pasted \xef\xbf\xbd text"));
    QCOMPARE(provider->complete(ask("nothing"), {}, {}).error().kind, ErrorKind::cancelled);
    const auto flood = makeManualProvider([](const ChatRequest&, const std::stop_token&) -> Result<std::string> {
        return std::string(replyLimitBytes + 1, 'x');
    });
    QVERIFY(!flood->complete(ask("hello"), {}, {}));
}

// Where the policy says that a lost request is sent again.
void LlmFaults::freshTryAfterACutIsMarked() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) {
                               connection.send(eventStreamHead);
                               connection.send("data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n");
                           },
                           ScriptedServer::answer(200, good)});
    ProviderOptions options = quick(server.url());
    options.limits.resendAfterSilence = true;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("fine"));
    QCOMPARE(outcome.reply->attempts, 2);
    // Both are counted.
    const auto body = server.requests()[1].size() - server.requests()[1].find("\r\n\r\n") - 4;
    QCOMPARE(outcome.reply->tokensIn, static_cast<std::int64_t>(2 * (body / 4)));
    QCOMPARE(outcome.reply->tokensOut, std::int64_t{2}); // "half" and "fine"
    QVERIFY2(contains(outcome.streamed, "half\n[retrying: ") && contains(outcome.streamed, "]\nfine"),
             outcome.streamed.c_str());
}

void LlmFaults::recordsAndReplays() {
    const auto folder = TemporaryDirectory::create("gks-recording").value();
    const std::string file = (folder.path() / "recording.jsonl").string();
    {
        ScriptedServer server(
            {ScriptedServer::answer(200, good),
             ScriptedServer::answer(200, R"({"choices":[{"message":{"content":"a\nb\n"},"finish_reason":"stop"}]})")});
        const auto provider = makeRecordingProvider(makeHttpProvider("openai", quick(server.url())), file);
        QVERIFY(provider->complete(ask("one"), {}, {}).has_value());
        QVERIFY(provider->complete(ask("one"), {}, {}).has_value());
        QVERIFY(provider->complete(ask("two"), {}, {}).has_value());
    }
    QVERIFY(!contains(readFile(file).value(), secret));
    auto replay = makeReplayProvider(file).value();
    std::string streamed;
    QCOMPARE(replay->complete(ask("one"), {}, {})->text, std::string("fine"));
    QCOMPARE(replay->complete(ask("one"), {[&](std::string_view piece) { streamed += piece; }}, {})->text,
             std::string("a\nb\n"));
    QCOMPARE(streamed, std::string("a\nb\n"));
    QVERIFY(contains(replay->complete(ask("one"), {}, {}).error().what, "all 2 recorded"));
    const auto missing = replay->complete(ask("two and more"), {}, {});
    QVERIFY2(!missing && contains(missing.error().what, "instead of \" and more"),
             missing ? "" : missing.error().message().c_str());
    QVERIFY(writeFileAtomically(file, "{\"request\":{}}\n").has_value());
    QVERIFY(contains(makeReplayProvider(file).error().where, ":1"));
    QVERIFY(!makeReplayProvider(file + ".missing"));
}

void LlmFaults::badAddresses_data() {
    QTest::addColumn<QByteArray>("url");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("file") << QByteArray("file:///etc/passwd");
    QTest::newRow("no scheme") << QByteArray("localhost:80");
    QTest::newRow("password") << QByteArray("http://me:hunter2@127.0.0.1:1/v1");
    QTest::newRow("ftp") << QByteArray("ftp://127.0.0.1/v1");
}

void LlmFaults::badAddresses() {
    QFETCH(QByteArray, url);
    const Outcome outcome = complete(quick(url.toStdString()), ask("hello"));
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::usage);
    QVERIFY(!contains(outcome.reply.error().message(), "hunter2"));
}

QTEST_APPLESS_MAIN(LlmFaults)
#include "llm_faults.moc"
