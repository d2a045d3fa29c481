// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/llm/chat.h"
#include "tests/support/mock_llm.h"
#include "tests/support/scripted_server.h"

#include <QTest>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

constexpr const char* secret = "sk-secret-7f3a";
constexpr const char* good = "{\"choices\":[{\"message\":{\"content\":\"fine\"},\"finish_reason\":\"stop\"}]}";

ChatRequest ask(std::string text, bool structured = false) {
    ChatRequest request;
    request.model = "test-model";
    request.messages = {{"system", "You are a test."}, {"user", std::move(text)}};
    if (structured) {
        request.schemaName = "selection";
        request.schema = std::make_shared<const Json>(Json{{"type", "object"}});
    }
    return request;
}

ProviderOptions quick(std::string url) {
    ProviderOptions options;
    options.baseUrl = std::move(url);
    options.key = secret;
    options.backoffSeconds = 0.005;
    options.backoffLimitSeconds = 0.02;
    options.connectTimeoutSeconds = 5;
    options.idleTimeoutSeconds = 20;
    options.attempts = 3;
    return options;
}

struct Outcome {
    Result<ChatReply> reply = ChatReply();
    std::string streamed;
};

Outcome complete(const ProviderOptions& options, const ChatRequest& request) {
    Outcome outcome;
    outcome.reply =
        makeOpenAiProvider(options)->complete(request, [&](std::string_view piece) { outcome.streamed += piece; }, {});
    return outcome;
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

const auto eventStreamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

} // namespace

class LlmOpenAi : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    // Against aimock.
    void streams();
    void structuredOutput();
    void triesAgainAfterRateLimitAndServerError();
    void cutStreams_data();
    void cutStreams();
    void slowFirstToken();
    void cancelIsPrompt();
    void wrongKey();
    void unmatched();
    void malformedAnswer();

    // Against a server of our own that misbehaves.
    void noServer();
    void stalledServer();
    void hugeReply();
    void errorsSayWhatToDo_data();
    void errorsSayWhatToDo();
    void longRetryAfterIsNotWaitedFor();
    void fieldsThatTheServerRefusesAreDropped();
    void redirectionsAreNotFollowed();
    void freshTryAfterACutIsMarked();
    void cancelWhileWaiting();

    void recordsAndReplays();
    void badAddresses_data();
    void badAddresses();

private:
    std::unique_ptr<MockLlm> m_mock;
    std::string m_reason;
};

#define NEEDS_MOCK                                                                                                     \
    if (m_mock == nullptr) {                                                                                           \
        QSKIP(m_reason.c_str());                                                                                       \
    }

void LlmOpenAi::initTestCase() {
    if (!MockLlm::find(m_reason).empty()) {
        auto mock = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/provider.json", {"--chunk-size", "7"});
        QVERIFY2(mock.has_value(), mock ? "" : mock.error().message().c_str());
        m_mock = std::move(*mock);
    }
}

void LlmOpenAi::streams() {
    NEEDS_MOCK
    const Outcome outcome = complete(quick(m_mock->url()), ask("hello"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("Hello: übung 中文 ✓ __global__ void k(){}"));
    QCOMPARE(outcome.streamed, outcome.reply->text);
    QCOMPARE(outcome.reply->finishReason, std::string("stop"));
    QCOMPARE(outcome.reply->tokensIn, std::int64_t{11});
    QCOMPARE(outcome.reply->tokensOut, std::int64_t{22});
    QCOMPARE(outcome.reply->tokensEstimated, false);
    QCOMPARE(outcome.reply->attempts, 1);
    QVERIFY(outcome.reply->firstTokenSeconds > 0 && outcome.reply->firstTokenSeconds <= outcome.reply->seconds);
}

void LlmOpenAi::structuredOutput() {
    NEEDS_MOCK
    const Outcome outcome = complete(quick(m_mock->url()), ask("propose", true));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(Json::parse(outcome.reply->text).value("basis", ""), std::string("00001"));
    const std::string journal = m_mock->journal();
    QVERIFY(contains(journal, "include_usage"));
    QVERIFY(contains(journal, "test-model"));
}

void LlmOpenAi::triesAgainAfterRateLimitAndServerError() {
    NEEDS_MOCK
    const Outcome outcome = complete(quick(m_mock->url()), ask("rate-limit"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("third time ok"));
    QCOMPARE(outcome.reply->attempts, 3);
    QVERIFY(outcome.reply->seconds >= 1); // the 429 said Retry-After: 1
}

void LlmOpenAi::cutStreams_data() {
    QTest::addColumn<QByteArray>("prompt");
    QTest::newRow("truncated") << QByteArray("cut");
    QTest::newRow("disconnected") << QByteArray("hang up");
}

void LlmOpenAi::cutStreams() {
    NEEDS_MOCK
    QFETCH(QByteArray, prompt);
    const Outcome outcome = complete(quick(m_mock->url()), ask(prompt.toStdString()));
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::infrastructure);
    QVERIFY2(contains(outcome.reply.error().what, "cut") && contains(outcome.reply.error().what, "3 attempts"),
             outcome.reply.error().message().c_str());
    QVERIFY(!contains(outcome.streamed, "xyz0123456789abcdefghijklmnopqrstuvwxyz"));
}

void LlmOpenAi::slowFirstToken() {
    NEEDS_MOCK
    const Outcome outcome = complete(quick(m_mock->url()), ask("slow"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QVERIFY(outcome.reply->firstTokenSeconds >= 0.15);
    QVERIFY(outcome.reply->seconds > outcome.reply->firstTokenSeconds);
    QVERIFY(outcome.reply->tokensOut > 0);
}

// The stop is requested from inside the stream, so the answer cannot have ended before.
void LlmOpenAi::cancelIsPrompt() {
    NEEDS_MOCK
    std::stop_source source;
    std::chrono::steady_clock::time_point asked;
    std::jthread stopper;
    const auto reply = makeOpenAiProvider(quick(m_mock->url()))
                           ->complete(
                               ask("slow"),
                               [&](std::string_view) {
                                   if (!stopper.joinable()) {
                                       stopper = std::jthread([&] {
                                           asked = std::chrono::steady_clock::now();
                                           source.request_stop();
                                       });
                                   }
                               },
                               source.get_token());
    const auto ended = std::chrono::steady_clock::now();
    stopper.join();
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, ErrorKind::cancelled);
    std::printf("benchmark: cancelled after %.1f ms\n",
                std::chrono::duration<double, std::milli>(ended - asked).count());
}

void LlmOpenAi::wrongKey() {
    NEEDS_MOCK
    auto locked = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/provider.json", {}, {{"AIMOCK_API_KEYS", "sk-other"}});
    QVERIFY(locked.has_value());
    const Outcome outcome = complete(quick((*locked)->url()), ask("hello"));
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::usage);
    QVERIFY2(contains(outcome.reply.error().what, "401") && contains(outcome.reply.error().next, "key"),
             outcome.reply.error().message().c_str());
    QVERIFY(!contains(outcome.reply.error().message(), secret));
}

void LlmOpenAi::unmatched() {
    NEEDS_MOCK
    const Outcome outcome = complete(quick(m_mock->url()), ask("nobody knows this"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "503"), outcome.reply.error().message().c_str());
}

void LlmOpenAi::malformedAnswer() {
    NEEDS_MOCK
    auto chaos = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/provider.json", {"--chaos-malformed", "1"});
    QVERIFY(chaos.has_value());
    const Outcome outcome = complete(quick((*chaos)->url()), ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "malformed json"), outcome.reply.error().message().c_str());
}

void LlmOpenAi::noServer() {
    const Outcome outcome = complete(quick("http://127.0.0.1:" + std::to_string(freePort()) + "/v1"), ask("hello"));
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::infrastructure);
    QVERIFY2(contains(outcome.reply.error().what, "3 attempts") && contains(outcome.reply.error().next, "server runs"),
             outcome.reply.error().message().c_str());
}

void LlmOpenAi::stalledServer() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) {
        connection.send(eventStreamHead);
        connection.send("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n");
        connection.waitForHangUp();
    }});
    ProviderOptions options = quick(server.url());
    options.idleTimeoutSeconds = 0.2;
    options.attempts = 2;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "no byte for 0.2 s"), outcome.reply.error().message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{2});
}

void LlmOpenAi::hugeReply() {
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

void LlmOpenAi::errorsSayWhatToDo_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("requests");
    QTest::addColumn<QByteArray>("next");
    QTest::newRow("bad request") << 400 << 1 << QByteArray("what the server says");
    QTest::newRow("unauthorized") << 401 << 1 << QByteArray("key");
    QTest::newRow("no credit") << 402 << 1 << QByteArray("credit");
    QTest::newRow("not found") << 404 << 1 << QByteArray("/v1");
    QTest::newRow("too large") << 413 << 1 << QByteArray("context");
    QTest::newRow("rate limit") << 429 << 3 << QByteArray("rate limit");
    QTest::newRow("server error") << 500 << 3 << QByteArray("later");
    QTest::newRow("overloaded") << 529 << 3 << QByteArray("later");
}

void LlmOpenAi::errorsSayWhatToDo() {
    QFETCH(int, status);
    QFETCH(int, requests);
    QFETCH(QByteArray, next);
    // A careless server repeats the key that it was given.
    ScriptedServer server(
        {ScriptedServer::answer(status, std::string(R"({"error":{"message":"bad: )") + secret + "\"}}")});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY(!outcome.reply);
    const std::string message = outcome.reply.error().message();
    QVERIFY2(contains(message, std::to_string(status).c_str()) && contains(message, "bad: [key]"), message.c_str());
    QVERIFY2(contains(outcome.reply.error().next, next.constData()), message.c_str());
    QVERIFY(!contains(message, secret));
    QCOMPARE(static_cast<int>(server.requests().size()), requests);
    QVERIFY(contains(server.requests().front(), secret)); // it was sent, in the header
}

void LlmOpenAi::longRetryAfterIsNotWaitedFor() {
    ScriptedServer server({ScriptedServer::answer(429, "{}", "Retry-After: 3600\r\n")});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().next, "3600 s"), outcome.reply.error().message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{1});
}

void LlmOpenAi::fieldsThatTheServerRefusesAreDropped() {
    ScriptedServer server(
        {ScriptedServer::answer(400, R"({"error":{"message":"response_format is not supported"}})"),
         ScriptedServer::answer(400, R"({"error":{"message":"Use max_completion_tokens instead of 'max_tokens'"}})"),
         ScriptedServer::answer(200, good)});
    const auto provider = makeOpenAiProvider(quick(server.url()));
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

void LlmOpenAi::redirectionsAreNotFollowed() {
    ScriptedServer other({ScriptedServer::answer(200, good)});
    ScriptedServer server({ScriptedServer::answer(307, "", "Location: " + other.url() + "/chat/completions\r\n")});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY(!outcome.reply && contains(outcome.reply.error().what, "307"));
    QVERIFY(other.requests().empty());
}

void LlmOpenAi::freshTryAfterACutIsMarked() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) {
                               connection.send(eventStreamHead);
                               connection.send("data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n");
                           },
                           ScriptedServer::answer(200, good)});
    const Outcome outcome = complete(quick(server.url()), ask("hello"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("fine"));
    QCOMPARE(outcome.reply->attempts, 2);
    QVERIFY2(contains(outcome.streamed, "half\n[asked again: ") && contains(outcome.streamed, "]\nfine"),
             outcome.streamed.c_str());
}

void LlmOpenAi::cancelWhileWaiting() {
    std::stop_source source;
    ScriptedServer server({[&](const ScriptedServer::Connection& connection) {
        ScriptedServer::answer(503, "{}", "Retry-After: 100\r\n")(connection);
        source.request_stop();
    }});
    const auto reply = makeOpenAiProvider(quick(server.url()))->complete(ask("hello"), {}, source.get_token());
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, ErrorKind::cancelled);
}

void LlmOpenAi::recordsAndReplays() {
    const auto folder = TemporaryDirectory::create("gks-recording").value();
    const std::string file = (folder.path() / "recording.jsonl").string();
    {
        ScriptedServer server(
            {ScriptedServer::answer(200, good),
             ScriptedServer::answer(200, R"({"choices":[{"message":{"content":"a\nb\n"},"finish_reason":"stop"}]})")});
        const auto provider = makeRecordingProvider(makeOpenAiProvider(quick(server.url())), file);
        QVERIFY(provider->complete(ask("one"), {}, {}).has_value());
        QVERIFY(provider->complete(ask("one"), {}, {}).has_value());
        QVERIFY(provider->complete(ask("two"), {}, {}).has_value());
    }
    QVERIFY(!contains(readFile(file).value(), secret));
    auto replay = makeReplayProvider(file).value();
    std::string streamed;
    QCOMPARE(replay->complete(ask("one"), {}, {})->text, std::string("fine"));
    QCOMPARE(replay->complete(ask("one"), [&](std::string_view piece) { streamed += piece; }, {})->text,
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

void LlmOpenAi::badAddresses_data() {
    QTest::addColumn<QByteArray>("url");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("file") << QByteArray("file:///etc/passwd");
    QTest::newRow("no scheme") << QByteArray("localhost:80");
    QTest::newRow("password") << QByteArray("http://me:hunter2@127.0.0.1:1/v1");
    QTest::newRow("ftp") << QByteArray("ftp://127.0.0.1/v1");
}

void LlmOpenAi::badAddresses() {
    QFETCH(QByteArray, url);
    const Outcome outcome = complete(quick(url.toStdString()), ask("hello"));
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::usage);
    QVERIFY(!contains(outcome.reply.error().message(), "hunter2"));
}

QTEST_APPLESS_MAIN(LlmOpenAi)
#include "llm_openai.moc"
