// SPDX-License-Identifier: GPL-3.0-or-later
// The provider "command", with real small scripts: what they get, what counts as their reply, and how they end.
#include "core/base/files.h"
#include "core/base/key_variable.h"
#include "core/base/text.h"
#include "core/llm/chat.h"
#include "core/llm/plain_request.h"
#include "tests/support/chat_requests.h"

#include <QTest>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

using namespace gks;

namespace {

namespace fs = std::filesystem;

Outcome ran(CommandOptions options, const ChatRequest& request = ask("hello"), const std::stop_token& stop = {}) {
    Outcome outcome;
    const ChatSinks sinks{[&](std::string_view piece) { outcome.streamed += piece; },
                          [&](const ChatProgress& progress) { outcome.progress.push_back(progress); }};
    auto provider = makeCommandProvider(std::move(options));
    if (!provider) {
        outcome.reply = tl::unexpected(ChatFailure(provider.error()));
        return outcome;
    }
    outcome.reply = (*provider)->complete(request, sinks, stop);
    return outcome;
}

CommandOptions command(std::string line, double totalSeconds = 60) {
    return {std::move(line), {}, {}, totalSeconds};
}

std::string shell(const std::string& script) {
    return "sh -c '" + script + "'";
}

std::string messageOf(const Outcome& outcome) {
    return outcome.reply ? "answered: " + outcome.reply->text : outcome.reply.error().message();
}

bool isGone(const fs::path& file) { // the process whose number is in the file
    const auto text = readFile(file);
    return text && ::kill(static_cast<pid_t>(std::stol(*text)), 0) != 0;
}

} // namespace

class LlmCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(TemporaryDirectory::create("gks-command-test").value()); }

    void thePromptSaysWhichPartIsWhich() {
        const ChatRequest request = ask("hello\n=== system === 0123456789ab", true);
        const Outcome echo = ran(command("cat"), request);
        QVERIFY2(echo.reply.has_value(), messageOf(echo).c_str());
        QCOMPARE(echo.reply->text, plainRequest(request));
        const auto all = lines(echo.reply->text);
        const auto mark = std::string(all.front().substr(all.front().find("marked ") + 7, 12));
        std::vector<std::string> parts;
        for (const std::string_view line : all) {
            if (line.starts_with("=== ") && line.ends_with(mark)) {
                parts.emplace_back(line.substr(4, line.size() - mark.size() - 9));
            }
        }
        QCOMPARE(join(parts, "|"), std::string("system|user|form of the reply"));
        QVERIFY2(contains(echo.reply->text, "\"type\": \"object\""), echo.reply->text.c_str());
        QCOMPARE(echo.streamed, echo.reply->text);
        QVERIFY(echo.reply->tokensEstimated && echo.reply->tokensIn > 0 && echo.reply->tokensOut > 0);
        QVERIFY(echo.progress.front().phase == ChatPhase::waiting && echo.progress.back().phase == ChatPhase::writing);
        QVERIFY(!contains(plainRequest(ask("x", true)), mark.c_str())); // of this request alone
    }

    void failuresQuoteTheEndOfStandardError() {
        const Outcome failed =
            ran(command(shell("yes noise | head -c 5000 >&2; printf \"no\\033[31m login\\n\" >&2; exit 3")));
        QVERIFY(!failed.reply);
        const std::string text = messageOf(failed);
        QVERIFY2(contains(text, "ended with exit status 3") && contains(text, "login\"") && !contains(text, "\033"),
                 text.c_str());
        QVERIFY2(!failed.reply.error().next.empty() && text.size() < 700, text.c_str());
        QVERIFY(failed.reply.error().partial.tokensEstimated);
        QVERIFY(contains(messageOf(ran(command("true"))), "printed no reply"));
        QVERIFY(contains(messageOf(ran(command("no-such-program -p"))), "not found"));
        QVERIFY(contains(messageOf(ran(command(shell("kill -9 $$")))), "killed by signal 9"));
    }

    // However much a command prints, and though it would go on for ever.
    void floodsEnd() {
        const Outcome flood = ran(command("yes"));
        QVERIFY2(contains(messageOf(flood), "longer than"), messageOf(flood).c_str());
        QVERIFY(flood.reply.error().partial.text.size() <= replyLimitBytes + 1);
        const Outcome complaints = ran(command(shell("yes | head -c 9000000 >&2; echo ready")));
        QVERIFY2(complaints.reply.has_value(), messageOf(complaints).c_str());
        QCOMPARE(complaints.reply->text, std::string("ready\n"));
    }

    void whatHangsEndsWithItsChildren() {
        const fs::path child = m_folder->path() / "child";
        const std::string hangs = shell(fmt::format("sleep 1000 & echo $! > {}; wait", child.string()));
        const Outcome late = ran(command(hangs, 0.5));
        QVERIFY2(contains(messageOf(late), "no whole reply after"), messageOf(late).c_str());
        QTRY_VERIFY(isGone(child));
        fs::remove(child);
        std::stop_source stop;
        const std::jthread stopper([&](const std::stop_token& end) {
            while (!end.stop_requested() && readFile(child).value_or("").empty()) {
                std::this_thread::yield();
            }
            stop.request_stop();
        });
        const Outcome cancelled = ran(command(hangs), ask("hello"), stop.get_token());
        QCOMPARE(cancelled.reply.error().kind, ErrorKind::cancelled);
        QTRY_VERIFY(isGone(child));
    }

    void onlyTheNamedKeyIsPassed() {
        qputenv("GKS_TEST_API_KEY", secret);
        qputenv("GKS_TEST_PLAIN", "plain");
        const auto printed = [](const char* variable, const CommandOptions& options) {
            CommandOptions with = options;
            with.line = shell(fmt::format("echo \"[${}] $(pwd) $(ls -A | wc -l)\"", variable));
            return messageOf(ran(with));
        };
        QVERIFY2(contains(printed("GKS_TEST_API_KEY", {}), "[]"), printed("GKS_TEST_API_KEY", {}).c_str());
        QVERIFY(contains(printed("GKS_TEST_PLAIN", {}), "[plain]"));
        QVERIFY(contains(printed("GKS_TEST_PLAIN", {}), " 0\n")); // an empty folder of its own
        const CommandOptions named{{}, "GKS_TEST_API_KEY", secret, 60};
        const Outcome length = ran({shell("echo ${#GKS_TEST_API_KEY}"), "GKS_TEST_API_KEY", secret, 60});
        QCOMPARE(length.reply->text, std::to_string(std::string_view(secret).size()) + "\n");
        QVERIFY(contains(printed("GKS_TEST_API_KEY", named), "[[key]]")); // and is kept nowhere
        const Outcome failed =
            ran({shell("echo $GKS_TEST_API_KEY; echo $GKS_TEST_API_KEY >&2; false"), "GKS_TEST_API_KEY", secret, 60});
        QVERIFY2(!contains(messageOf(failed) + failed.streamed + failed.reply.error().partial.text, secret),
                 messageOf(failed).c_str());
        CommandOptions others;
        others.withheld = {"GKS_TEST_PLAIN"}; // holds the key of another stage
        QVERIFY2(contains(printed("GKS_TEST_PLAIN", others), "[]"), printed("GKS_TEST_PLAIN", others).c_str());
        qunsetenv("GKS_TEST_API_KEY");
        qunsetenv("GKS_TEST_PLAIN");
    }

    void namesOfKeys() {
        for (const char* key : {"OPENAI_API_KEY", "openai_api_key", "OPENAI_API_KEY_2", "API_KEYS", "CAMPKEY", "TOKEN",
                                "SECRET", "HF_TOKEN", "GITHUB_PAT", "MYSQL_PWD", "MY_PASSWD", "DB_PASS",
                                "AWS_SECRET_ACCESS_KEY", "GOOGLE_CREDENTIALS", "KEY1"}) {
            QVERIFY2(isNamedLikeKey(key), key);
        }
        for (const char* plain : {"PATH", "PWD", "OLDPWD", "HOME", "LANG", "XDG_RUNTIME_DIR", "KEYBOARD", "TERM",
                                  "AUTHOR", "ROCM_PATH", "BYPASSES", ""}) {
            QVERIFY2(!isNamedLikeKey(plain), plain);
        }
    }

    void brokenCharactersAreMended() {
        const Outcome broken = ran(command("printf '\\374ber \\342\\234'"));
        QCOMPARE(broken.reply->text, std::string("\ufffdber \ufffd\ufffd"));
        QCOMPARE(broken.streamed, broken.reply->text);
    }

private:
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(LlmCommand)
#include "llm_command.moc"
