// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/chat_requests.h"
#include "tests/support/mock_llm.h"

#include <QTest>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

using namespace gks;

namespace {

QList<QByteArray> httpProviders() {
    QList<QByteArray> names;
    for (const ProviderFacts& provider : knownProviders()) {
        if (!provider.baseUrl.empty()) {
            names << QByteArray(provider.name.data(), static_cast<qsizetype>(provider.name.size()));
        }
    }
    return names;
}

void everyProvider() {
    QTest::addColumn<QByteArray>("provider");
    for (const QByteArray& provider : httpProviders()) {
        QTest::newRow(provider.constData()) << provider;
    }
}

// The services have their interfaces at different places of the same server.
ProviderOptions quickOf(const MockLlm& mock, const QByteArray& provider) {
    return quick(mock.url() + (provider == "gemini" ? "beta" : ""));
}

} // namespace

// Every dialect against aimock.
class LlmProviders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void streams_data() { everyProvider(); }
    void streams();
    void structuredOutput_data() { everyProvider(); }
    void structuredOutput();
    void triesAgainAfterRateLimitAndServerError_data() { everyProvider(); }
    void triesAgainAfterRateLimitAndServerError();
    void cutStreams_data();
    void cutStreams();
    void slowFirstToken_data() { everyProvider(); }
    void slowFirstToken();
    void cancelIsPrompt_data() { everyProvider(); }
    void cancelIsPrompt();
    void wrongKey_data() { everyProvider(); }
    void wrongKey();
    void unmatched_data() { everyProvider(); }
    void unmatched();
    void malformedAnswer_data() { everyProvider(); }
    void malformedAnswer();

private:
    std::unique_ptr<MockLlm> m_mock;
    std::string m_reason;
};

#define NEEDS_MOCK                                                                                                     \
    if (m_mock == nullptr) {                                                                                           \
        QSKIP(m_reason.c_str());                                                                                       \
    }

void LlmProviders::initTestCase() {
    if (!MockLlm::find(m_reason).empty()) {
        auto mock = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/provider.json", {"--chunk-size", "7"});
        QVERIFY2(mock.has_value(), mock ? "" : mock.error().message().c_str());
        m_mock = std::move(*mock);
    }
}

void LlmProviders::streams() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    const Outcome outcome = complete(quickOf(*m_mock, provider), ask("hello"), provider.toStdString());
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

void LlmProviders::structuredOutput() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    const Outcome outcome =
        complete(quickOf(*m_mock, provider), ask(provider == "anthropic" ? "propose by tool" : "propose", true),
                 provider.toStdString());
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(Json::parse(outcome.reply->text).value("basis", ""), std::string("00001"));
    QCOMPARE(outcome.reply->finishReason, std::string("stop"));
    QVERIFY(contains(m_mock->journal(), "propose"));
}

void LlmProviders::triesAgainAfterRateLimitAndServerError() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    auto counting = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/provider.json");
    QVERIFY(counting.has_value());
    const Outcome outcome = complete(quickOf(**counting, provider), ask("rate-limit"), provider.toStdString());
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QCOMPARE(outcome.reply->text, std::string("third time ok"));
    QCOMPARE(outcome.reply->attempts, 3);
    QVERIFY(outcome.reply->seconds >= 1); // the 429 said Retry-After: 1
}

void LlmProviders::cutStreams_data() {
    QTest::addColumn<QByteArray>("provider");
    QTest::addColumn<QByteArray>("prompt");
    for (const QByteArray& provider : httpProviders()) {
        QTest::newRow(("truncated, " + provider).constData()) << provider << QByteArray("cut");
        QTest::newRow(("disconnected, " + provider).constData()) << provider << QByteArray("hang up");
    }
}

void LlmProviders::cutStreams() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    QFETCH(QByteArray, prompt);
    const Outcome outcome = complete(quickOf(*m_mock, provider), ask(prompt.toStdString()), provider.toStdString());
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::infrastructure);
    QVERIFY2(contains(outcome.reply.error().what, "cut") && contains(outcome.reply.error().what, "was accepted"),
             outcome.reply.error().message().c_str());
    QVERIFY(!contains(outcome.streamed, "xyz0123456789abcdefghijklmnopqrstuvwxyz"));
}

void LlmProviders::slowFirstToken() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    const Outcome outcome = complete(quickOf(*m_mock, provider), ask("slow"), provider.toStdString());
    QVERIFY2(outcome.reply.has_value(), outcome.reply ? "" : outcome.reply.error().message().c_str());
    QVERIFY(outcome.reply->firstTokenSeconds >= 0.15);
    QVERIFY(outcome.reply->seconds > outcome.reply->firstTokenSeconds);
    QVERIFY(outcome.reply->tokensOut > 0);
}

// The stop is requested from inside the stream, so the answer cannot have ended before.
void LlmProviders::cancelIsPrompt() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    std::stop_source source;
    std::chrono::steady_clock::time_point asked;
    std::jthread stopper;
    const auto reply = makeHttpProvider(provider.toStdString(), quickOf(*m_mock, provider))
                           ->complete(ask("slow"), {[&](std::string_view) {
                                          if (!stopper.joinable()) {
                                              stopper = std::jthread([&] {
                                                  asked = std::chrono::steady_clock::now();
                                                  source.request_stop();
                                              });
                                          }
                                      }},
                                      source.get_token());
    const auto ended = std::chrono::steady_clock::now();
    stopper.join();
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, ErrorKind::cancelled);
    std::printf("benchmark: cancelled after %.1f ms\n",
                std::chrono::duration<double, std::milli>(ended - asked).count());
}

void LlmProviders::wrongKey() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    auto locked = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/provider.json", {}, {{"AIMOCK_API_KEYS", "sk-other"}});
    QVERIFY(locked.has_value());
    const Outcome outcome = complete(quickOf(**locked, provider), ask("hello"), provider.toStdString());
    QVERIFY(!outcome.reply);
    QCOMPARE(outcome.reply.error().kind, ErrorKind::usage);
    QVERIFY2(contains(outcome.reply.error().what, "401") && contains(outcome.reply.error().next, "key"),
             outcome.reply.error().message().c_str());
    QVERIFY(!contains(outcome.reply.error().message(), secret));
}

void LlmProviders::unmatched() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    ProviderOptions options = quickOf(*m_mock, provider);
    options.limits.retrySeconds = 0.1;
    const Outcome outcome = complete(options, ask("nobody knows this"), provider.toStdString());
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "503"), outcome.reply.error().message().c_str());
}

void LlmProviders::malformedAnswer() {
    NEEDS_MOCK
    QFETCH(QByteArray, provider);
    auto chaos = MockLlm::start(GKS_SOURCE_DIR "/tests/data/llm/provider.json", {"--chaos-malformed", "1"});
    QVERIFY(chaos.has_value());
    const Outcome outcome = complete(quickOf(**chaos, provider), ask("hello"), provider.toStdString());
    QVERIFY(!outcome.reply);
    QVERIFY2(contains(outcome.reply.error().what, "malformed json"), outcome.reply.error().message().c_str());
}

QTEST_APPLESS_MAIN(LlmProviders)
#include "llm_providers.moc"
