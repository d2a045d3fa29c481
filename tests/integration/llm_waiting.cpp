// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/chat_requests.h"
#include "tests/support/scripted_server.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

using namespace gks;

namespace {

using Connection = ScriptedServer::Connection;

constexpr const char* good = "{\"choices\":[{\"message\":{\"content\":\"fine\"},\"finish_reason\":\"stop\"}]}";
constexpr const char* head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
constexpr double hour = 3600;

std::string textEvent(const std::string& text) {
    return "data: {\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}
std::string thoughtEvent(const std::string& text) {
    return "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"" + text + "\"}}]}\n\n";
}
const std::string lastEvents = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

// Limits that a test would not live to see, so that only what it asks for ends a call.
ProviderOptions patient(const std::string& url) {
    ProviderOptions options = quick(url);
    options.limits = {hour, hour, hour, hour, false};
    return options;
}

std::string phases(const Outcome& outcome) {
    std::string text;
    for (const ChatProgress& progress : outcome.progress) {
        text += (text.empty() ? "" : " ") + std::to_string(static_cast<int>(progress.phase));
    }
    return text;
}

// More than two socket buffers on the loopback take.
ChatRequest large() {
    return ask(std::string(std::size_t{64} << 20, 'x'));
}

} // namespace

// How long a call is waited for, what is sent again and what is not: a request that a server has is paid, and sent
// once.
class LlmWaiting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void silenceEndsTheCall_data();
    void silenceEndsTheCall();
    void oneByteAtATimeEndsAtTheTotalLimit();
    void commentsAreLifeButNoText();
    void cutStreamIsNotSentAgain();
    void lostRequestIsSentAgainByPolicy();
    void uploadThatBreaksIsSentAgain();
    void refusedThenFine_data();
    void refusedThenFine();
    void unavailableAfterWorkIsNotSentAgain();
    void anAnnouncementIsNoAnswer();
    void serverThatComesBackIsWaitedFor();
    void connectionThatHangsEnds();
    void farewellEndsTheCall_data();
    void farewellEndsTheCall();
    void cancelEndsEveryPhase_data();
    void cancelEndsEveryPhase();
    void thinkingIsShown_data();
    void thinkingIsShown();
};

void LlmWaiting::silenceEndsTheCall_data() {
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<int>("tokensOut");
    QTest::addColumn<QByteArray>("what");
    QTest::newRow("before the headers") << QByteArray() << 0
                                        << QByteArray("no answer to the request: no byte for 0.200 s");
    QTest::newRow("after the headers") << QByteArray(head) << 0
                                       << QByteArray("no answer to the request: no byte for 0.200 s");
    QTest::newRow("while it writes") << QByteArray(head) + QByteArray::fromStdString(textEvent("some text")) << 2
                                     << QByteArray("the reply was cut off: no byte for 0.200 s");
    QTest::newRow("while it thinks") << QByteArray(head) + QByteArray::fromStdString(thoughtEvent("some thoughts")) << 3
                                     << QByteArray("the reply was cut off: no byte for 0.200 s");
}

void LlmWaiting::silenceEndsTheCall() {
    QFETCH(QByteArray, sent);
    QFETCH(int, tokensOut);
    QFETCH(QByteArray, what);
    ScriptedServer server({[&](const Connection& connection) {
        connection.send(sent.toStdString());
        connection.waitForHangUp();
    }});
    ProviderOptions options = patient(server.url());
    options.limits.silenceSeconds = 0.2;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    const ChatFailure& failure = outcome.reply.error();
    QCOMPARE(failure.kind, ErrorKind::infrastructure);
    QVERIFY2(contains(failure.what, what.constData()) && contains(failure.what, "it was accepted, so it is not sent"),
             failure.message().c_str());
    QVERIFY2(contains(failure.next, "--silence-minutes"), failure.message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{1});
    QVERIFY(failure.partial.tokensIn > 10 && failure.partial.tokensEstimated);
    QCOMPARE(failure.partial.tokensOut, std::int64_t{tokensOut});
}

void LlmWaiting::oneByteAtATimeEndsAtTheTotalLimit() {
    ScriptedServer server({[](const Connection& connection) {
        connection.send(head);
        while (!connection.hangsUpWithin(10) && connection.send(":")) {
        }
    }});
    ProviderOptions options = patient(server.url());
    options.limits.totalSeconds = 0.3;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    const ChatFailure& failure = outcome.reply.error();
    QVERIFY2(contains(failure.what, "not whole after 0.3") && contains(failure.next, "--total-minutes"),
             failure.message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{1});
}

// Longer than the limit for silence, with nothing but comments, and then the reply.
void LlmWaiting::commentsAreLifeButNoText() {
    ScriptedServer server({[](const Connection& connection) {
        connection.send(head);
        for (int i = 0; i < 60 && !connection.hangsUpWithin(20); ++i) {
            connection.send(": keep-alive\n\n");
        }
        connection.send(textEvent("fine") + lastEvents);
    }});
    ProviderOptions options = patient(server.url());
    options.limits.silenceSeconds = 0.6;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("fine"));
    QVERIFY(outcome.reply->firstTokenSeconds > 1);
    QCOMPARE(phases(outcome), std::string("0 1 3")); // connecting, waiting, writing
}

void LlmWaiting::cutStreamIsNotSentAgain() {
    ScriptedServer server({[](const Connection& connection) { connection.send(head + textEvent("half of it")); }});
    const Outcome outcome = complete(patient(server.url()), ask("hello"));
    QVERIFY(!outcome.reply);
    const ChatFailure& failure = outcome.reply.error();
    QVERIFY2(contains(failure.what, "the reply was cut off") && contains(failure.next, "send the request once more"),
             failure.message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{1});
    QCOMPARE(failure.partial.text, std::string("half of it"));
    QCOMPARE(failure.partial.tokensOut, std::int64_t{2});
}

void LlmWaiting::lostRequestIsSentAgainByPolicy() {
    ScriptedServer server({[](const Connection& connection) { connection.waitForHangUp(); }});
    ProviderOptions options = patient(server.url());
    options.limits.silenceSeconds = 0.1;
    options.limits.resendAfterSilence = true;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "3 attempts"), outcome.reply.error().message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{3});
    const auto body = server.requests()[0].size() - server.requests()[0].find("\r\n\r\n") - 4;
    QCOMPARE(outcome.reply.error().partial.tokensIn, static_cast<std::int64_t>(3 * (body / 4))); // all of them
}

void LlmWaiting::uploadThatBreaksIsSentAgain() {
    ScriptedServer server({[](const Connection& connection) { connection.reset(); }}, ScriptedServer::Reads::oneByte);
    ProviderOptions options = patient(server.url());
    options.limits.retrySeconds = 0.5;
    const Outcome outcome = complete(options, large());
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "has not taken the request"),
             outcome.reply.error().message().c_str());
    QVERIFY(server.requests().size() > 1);
    QCOMPARE(outcome.reply.error().partial.tokensIn, std::int64_t{0});
}

void LlmWaiting::refusedThenFine_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("headers");
    for (const int status : {429, 503, 529}) {
        QTest::addRow("%d", status) << status << QByteArray();
    }
    QTest::newRow("429 with Retry-After") << 429 << QByteArray("Retry-After: 0.1\r\n");
    QTest::newRow("503 with Retry-After") << 503 << QByteArray("Retry-After: 0.1\r\n");
}

void LlmWaiting::refusedThenFine() {
    QFETCH(int, status);
    QFETCH(QByteArray, headers);
    const auto refusal = ScriptedServer::answer(status, R"({"error":{"message":"busy"}})", headers.toStdString());
    std::vector<ScriptedServer::Script> scripts(6, refusal); // more than four
    scripts.push_back(ScriptedServer::answer(200, good));
    ScriptedServer server(scripts);
    const Outcome outcome = complete(patient(server.url()), ask("hello"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(server.requests().size(), std::size_t{7});
    QCOMPARE(outcome.reply->attempts, 7);
    const auto told = std::find_if(outcome.progress.begin(), outcome.progress.end(),
                                   [](const ChatProgress& one) { return one.phase == ChatPhase::retrying; });
    QVERIFY(told != outcome.progress.end() && told->waitSeconds > 0);
    QVERIFY2(contains(progressText(*told), "busy; next try in"), progressText(*told).c_str());
}

// A gateway's word for a model that broke off: it may have been paid.
void LlmWaiting::unavailableAfterWorkIsNotSentAgain() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) {
                               connection.hangsUpWithin(2500);
                               ScriptedServer::answer(503, R"({"error":{"message":"terminated"}})")(connection);
                           },
                           ScriptedServer::answer(200, good)});
    const Outcome outcome = complete(patient(server.url()), ask("hello"));
    QVERIFY(!outcome.reply);
    QCOMPARE(server.requests().size(), std::size_t{1});
    QVERIFY2(contains(outcome.reply.error().message(), "it was accepted, so it is not sent again"),
             outcome.reply.error().message().c_str());
}

void LlmWaiting::anAnnouncementIsNoAnswer() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) {
        connection.send("HTTP/1.1 103 Early Hints\r\n\r\n");
        connection.hangsUpWithin(1000);
    }});
    ProviderOptions options = patient(server.url());
    options.limits.totalSeconds = 0.3;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().message(), "no answer to the request"),
             outcome.reply.error().message().c_str());
    QVERIFY(outcome.reply.error().kind == ErrorKind::infrastructure);
}

// Nobody listens until the sixth refusal; then the server is there.
void LlmWaiting::serverThatComesBackIsWaitedFor() {
    const int port = freePort();
    std::unique_ptr<ScriptedServer> server;
    int refusals = 0;
    const ChatSinks sinks{{}, [&](const ChatProgress& progress) {
                              refusals += progress.phase == ChatPhase::retrying ? 1 : 0;
                              if (refusals == 6 && server == nullptr) {
                                  server =
                                      std::make_unique<ScriptedServer>(std::vector{ScriptedServer::answer(200, good)},
                                                                       ScriptedServer::Reads::wholeRequest, port);
                              }
                          }};
    const auto provider = makeHttpProvider("openai", patient("http://127.0.0.1:" + std::to_string(port) + "/v1"));
    const auto reply = provider->complete(ask("hello"), sinks, {});
    QVERIFY2(reply.has_value(), reply ? "" : reply.error().message().c_str());
    QCOMPARE(reply->attempts, 7);
    QCOMPARE(server->requests().size(), std::size_t{1});
}

// The other side takes the connection and never shakes hands.
void LlmWaiting::connectionThatHangsEnds() {
    ScriptedServer server({[](const Connection& connection) { connection.waitForHangUp(); }},
                          ScriptedServer::Reads::oneByte);
    ProviderOptions options = patient("https" + server.url().substr(4));
    options.limits.connectSeconds = 0.2;
    options.limits.retrySeconds = 0.5;
    const Outcome outcome = complete(options, ask("hello"));
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "no connection within 0.2"), outcome.reply.error().message().c_str());
    QVERIFY(server.requests().size() > 1);
}

void LlmWaiting::farewellEndsTheCall_data() {
    QTest::addColumn<QByteArray>("last");
    QTest::newRow("said") << QByteArray::fromStdString(lastEvents);
    QTest::newRow("finish reason alone") << QByteArray(
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
}

// A server that keeps the line open after the last event is not waited for, whatever it says last.
void LlmWaiting::farewellEndsTheCall() {
    QFETCH(QByteArray, last);
    ScriptedServer server({[&](const Connection& connection) {
        connection.send(head + textEvent("fine") + last.toStdString());
        connection.waitForHangUp();
    }});
    const Outcome outcome = complete(patient(server.url()), ask("hello"));
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("fine"));
}

void LlmWaiting::cancelEndsEveryPhase_data() {
    QTest::addColumn<QByteArray>("phase");
    QTest::addColumn<bool>("accepted");
    for (const char* phase : {"connect", "upload", "retry"}) {
        QTest::newRow(phase) << QByteArray(phase) << false;
    }
    for (const char* phase : {"silence", "thought", "stream"}) {
        QTest::newRow(phase) << QByteArray(phase) << true;
    }
}

// Every limit is an hour: the call ends because it was cancelled, and the server sees it go.
void LlmWaiting::cancelEndsEveryPhase() {
    QFETCH(QByteArray, phase);
    QFETCH(bool, accepted);
    std::stop_source source;
    std::atomic<bool> gone = false;
    const auto reads =
        phase == "connect" || phase == "upload" ? ScriptedServer::Reads::oneByte : ScriptedServer::Reads::wholeRequest;
    std::atomic<bool> reached = false; // the phase
    std::jthread canceller([&] {
        reached.wait(false);
        source.request_stop();
    });
    ScriptedServer server({[&](const Connection& connection) {
                              if (phase == "retry") {
                                  ScriptedServer::answer(503, "{}", "Retry-After: 3000\r\n")(connection);
                                  return;
                              }
                              if (phase == "thought" || phase == "stream") {
                                  connection.send(head + (phase == "stream" ? textEvent("a") : thoughtEvent("a")));
                              } else {
                                  reached = true;
                                  reached.notify_all();
                              }
                              if (phase != "upload") {
                                  connection.waitForHangUp();
                              }
                              gone = true;
                          }},
                          reads);
    ChatSinks sinks;
    sinks.progress = [&](const ChatProgress& progress) {
        if (progress.phase == ChatPhase::retrying || progress.phase == ChatPhase::thinking ||
            progress.phase == ChatPhase::writing) {
            reached = true;
            reached.notify_all();
        }
    };
    const std::string url = phase == "connect" ? "https" + server.url().substr(4) : server.url();
    const auto reply = makeHttpProvider("openai", patient(url))
                           ->complete(phase == "upload" ? large() : ask("hello"), sinks, source.get_token());
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, ErrorKind::cancelled);
    QTRY_VERIFY(gone || phase == "retry");
    QCOMPARE(server.requests().size(), std::size_t{1});
    QCOMPARE(reply.error().partial.tokensIn > 0, accepted);
    QCOMPARE(reply.error().partial.tokensEstimated, accepted);
}

void LlmWaiting::thinkingIsShown_data() {
    QTest::addColumn<QByteArray>("provider");
    QTest::addColumn<QByteArray>("thought");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("openai") << QByteArray("openai")
                            << QByteArray(R"({"choices":[{"delta":{"reasoning_content":"hm, let me see"}}]})")
                            << QByteArray(R"({"choices":[{"delta":{"content":"fine"},"finish_reason":"stop"}]})");
    QTest::newRow("openrouter") << QByteArray("openai")
                                << QByteArray(R"({"choices":[{"delta":{"content":"","reasoning":"hm, let me see"}}]})")
                                << QByteArray(R"({"choices":[{"delta":{"content":"fine"},"finish_reason":"stop"}]})");
    QTest::newRow("anthropic")
        << QByteArray("anthropic")
        << QByteArray(R"({"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm, let me see"}})")
        << QByteArray(R"({"type":"content_block_delta","delta":{"type":"text_delta","text":"fine"}})"
                      "\n\n"
                      R"(data: {"type":"message_stop"})");
    QTest::newRow("gemini")
        << QByteArray("gemini")
        << QByteArray(R"({"candidates":[{"content":{"parts":[{"text":"hm, let me see","thought":true}]}}]})")
        << QByteArray(R"({"candidates":[{"content":{"parts":[{"text":"fine"}]},"finishReason":"STOP"}]})");
}

void LlmWaiting::thinkingIsShown() {
    QFETCH(QByteArray, provider);
    QFETCH(QByteArray, thought);
    QFETCH(QByteArray, text);
    ScriptedServer server({[&](const Connection& connection) {
        connection.send(head +
                        ("data: " + thought + "\n\ndata: " + thought + "\n\ndata: " + text + "\n\n").toStdString());
    }});
    const Outcome outcome = complete(patient(server.url()), ask("hello"), provider.toStdString());
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("fine"));
    QCOMPARE(outcome.streamed, std::string("fine"));
    QCOMPARE(phases(outcome), std::string("0 1 2 3")); // connecting, waiting, thinking, writing
    QCOMPARE(outcome.reply->reasoningTokens, std::int64_t{7});
    QCOMPARE(outcome.reply->tokensOut, std::int64_t{8}); // thoughts are paid too
}

QTEST_APPLESS_MAIN(LlmWaiting)
#include "llm_waiting.moc"
