// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "widgets/common/keyring.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/conversation/person_dialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <future>
#include <memory>
#include <thread>

using namespace gks;

// The person in the place of a model, and the keys that a person keeps.
class PersonTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void aReplyGoesToTheThreadThatWaits();
    void aRefusedReplyComesBackWithTheReason();
    void closingDeclines();
    void aDeclinedReplyIsKeptForItsPrompt();
    void stoppingWithdrawsTheQuestion();
    void aHalfWrittenReplyWaitsForTheNextQuestion();
    void aBridgeThatGoesDeclines();
    void keysWaitForTheKeyring();
    void keysAreStoredAndRemoved();

private:
    using Reply = Result<std::string>;
    // A question that a thread of its own waits on. It is withdrawn at the end: after a check that failed nobody
    // answers.
    class Answer {
    public:
        Answer() = default;
        Answer(std::future<Reply> reply, std::stop_source stop) : m_stop(std::move(stop)), m_reply(std::move(reply)) {}
        Answer(Answer&&) = default;
        Answer& operator=(Answer&&) = default;
        ~Answer() { m_stop.request_stop(); }
        Reply get() { return m_reply.get(); }
        bool isReady() const { return m_reply.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

    private:
        std::stop_source m_stop;
        std::future<Reply> m_reply;
    };
    // Asks as the engine does.
    static Answer ask(const std::shared_ptr<PersonDesk>& desk, std::vector<ChatMessage> messages,
                      const std::stop_source& stop = {}) {
        return {std::async(std::launch::async,
                           [desk, messages = std::move(messages), token = stop.get_token()] {
                               ChatRequest request;
                               request.messages = messages;
                               return desk->ask("writer", request, token);
                           }),
                stop};
    }

    std::unique_ptr<GuiTest> m_gui;
};

void PersonTest::aReplyGoesToTheThreadThatWaits() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    PersonDialog dialog(bridge);
    QVERIFY(!dialog.isVisible());
    QVERIFY(!dialog.isModal());
    auto first = ask(bridge.desk(), {{"system", "You write."}, {"user", "Write it."}});
    QTRY_VERIFY(dialog.isVisible());
    auto second = ask(bridge.desk(), {{"user", "Another."}});
    QTRY_COMPARE(bridge.personQuestions().size(), std::size_t(2));
    auto* prompt = dialog.findChild<RichTextView*>(QStringLiteral("personPrompt"));
    auto* reply = dialog.findChild<QPlainTextEdit*>(QStringLiteral("personReply"));
    auto* send = dialog.findChild<QPushButton*>(QStringLiteral("personAnswer"));
    QVERIFY(prompt->toPlainText().contains(QStringLiteral("Write it.")));
    QVERIFY(!send->isEnabled());
    dialog.findChild<QPushButton*>(QStringLiteral("personCopy"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("You write.\n\nWrite it."));
    reply->setPlainText(QStringLiteral("{\"a\": 1}"));
    QVERIFY(send->isEnabled());
    QCOMPARE(GuiTest::unnamedWidgets(&dialog), QStringList());
    send->click();
    QTRY_VERIFY(first.isReady());
    QCOMPARE(first.get().value(), std::string("{\"a\": 1}"));
    QTRY_VERIFY(prompt->toPlainText().contains(QStringLiteral("Another.")));
    QVERIFY(dialog.isVisible());
    QVERIFY(reply->toPlainText().isEmpty());
    reply->setPlainText(QStringLiteral("two"));
    QTest::keyClick(reply, Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(second.isReady());
    QCOMPARE(second.get().value(), std::string("two"));
    QTRY_VERIFY(!dialog.isVisible());
}

void PersonTest::aRefusedReplyComesBackWithTheReason() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    PersonDialog dialog(bridge);
    auto answer = ask(bridge.desk(), {{"user", "Write it."}, {"assistant", "{}"}, {"user", "`source` is missing."}});
    QTRY_VERIFY(dialog.isVisible());
    auto* problem = dialog.findChild<QLabel*>(QStringLiteral("personProblem"));
    QVERIFY(problem->isVisible());
    QCOMPARE(problem->text(), QStringLiteral("`source` is missing."));
    QCOMPARE(dialog.findChild<QPlainTextEdit*>(QStringLiteral("personReply"))->toPlainText(), QStringLiteral("{}"));
    dialog.reject();
    QTRY_VERIFY(answer.isReady());
}

void PersonTest::closingDeclines() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    PersonDialog dialog(bridge);
    auto answer = ask(bridge.desk(), {{"user", "Write it."}});
    QTRY_VERIFY(dialog.isVisible());
    dialog.close();
    QTRY_VERIFY(answer.isReady());
    const auto result = answer.get();
    QVERIFY(!result);
    QVERIFY2(result.error().what.find("declined") != std::string::npos, result.error().message().c_str());
    QVERIFY(!dialog.isVisible());
}

// The person declines a question, not their own text: Escape may be a slip. A reply that was refused is theirs as well.
void PersonTest::aDeclinedReplyIsKeptForItsPrompt() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    PersonDialog dialog(bridge);
    auto* reply = dialog.findChild<QPlainTextEdit*>(QStringLiteral("personReply"));
    auto* kept = dialog.findChild<QLabel*>(QStringLiteral("personKept"));
    auto* insert = dialog.findChild<QPushButton*>(QStringLiteral("personInsertKept"));
    auto declined = ask(bridge.desk(), {{"user", "Write it."}});
    QTRY_VERIFY(dialog.isVisible());
    QVERIFY(!kept->isVisible() && !insert->isVisible());
    reply->setPlainText(QStringLiteral("{\"mine\": 1"));
    QTest::keyClick(reply, Qt::Key_Escape);
    QTRY_VERIFY(declined.isReady());
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.findChild<UnsavedText*>()->texts().size(), std::size_t(1));
    auto other = ask(bridge.desk(), {{"user", "Write another."}});
    QTRY_VERIFY(dialog.isVisible());
    QVERIFY(reply->toPlainText().isEmpty()); // it was meant for another prompt
    QVERIFY(kept->isVisible() && insert->isVisible());
    QCOMPARE(kept->text(), QStringLiteral("A reply for the Writer that was not sent is kept."));
    dialog.findChild<QPushButton*>(QStringLiteral("personDecline"))->click();
    QTRY_VERIFY(other.isReady());
    auto again = ask(bridge.desk(), {{"user", "Write it."}});
    QTRY_VERIFY(dialog.isVisible());
    QCOMPARE(reply->toPlainText(), QStringLiteral("{\"mine\": 1"));
    QCOMPARE(kept->text(), QStringLiteral("This is what you typed for this prompt before."));
    dialog.findChild<QPushButton*>(QStringLiteral("personAnswer"))->click();
    QTRY_VERIFY(again.isReady());
    QTRY_VERIFY(dialog.findChild<UnsavedText*>()->texts().empty()); // sent
    auto refused = ask(bridge.desk(), {{"user", "Write it."}, {"assistant", "{\"mine\": 1"}, {"user", "Mend it."}});
    QTRY_VERIFY(dialog.isVisible());
    QCOMPARE(reply->toPlainText(), QStringLiteral("{\"mine\": 1"));
    dialog.reject();
    QTRY_VERIFY(refused.isReady());
    auto anew = ask(bridge.desk(), {{"user", "Choose."}});
    QTRY_VERIFY(dialog.isVisible());
    insert->click();
    QCOMPARE(reply->toPlainText(), QStringLiteral("{\"mine\": 1"));
    QVERIFY(!insert->isVisible());
    dialog.reject();
    QTRY_VERIFY(anew.isReady());
}

// Stopping the run takes the question away, not the reply; nor does the end of the window.
void PersonTest::aHalfWrittenReplyWaitsForTheNextQuestion() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    std::vector<UnsavedText::Text> left;
    {
        PersonDialog dialog(bridge);
        std::stop_source stop;
        auto stopped = ask(bridge.desk(), {{"user", "Write it."}}, stop);
        QTRY_VERIFY(dialog.isVisible());
        auto* reply = dialog.findChild<QPlainTextEdit*>(QStringLiteral("personReply"));
        reply->setPlainText(QStringLiteral("{\"half\""));
        stop.request_stop();
        QTRY_VERIFY(!dialog.isVisible());
        auto again = ask(bridge.desk(), {{"user", "Write it."}});
        QTRY_VERIFY(dialog.isVisible());
        QCOMPARE(reply->toPlainText(), QStringLiteral("{\"half\""));
        left = dialog.findChild<UnsavedText*>()->texts();
        dialog.reject();
        QTRY_VERIFY(again.isReady());
    }
    QCOMPARE(left.size(), std::size_t(1));
    QCOMPARE(left.front().what, QStringLiteral("Reply for the Writer"));
    PersonDialog dialog(bridge);
    dialog.findChild<UnsavedText*>()->restore(left.front());
    auto later = ask(bridge.desk(), {{"user", "Write it."}});
    QTRY_VERIFY(dialog.isVisible());
    QCOMPARE(dialog.findChild<QPlainTextEdit*>(QStringLiteral("personReply"))->toPlainText(),
             QStringLiteral("{\"half\""));
    QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("replyUnsavedNotice"))->isVisible());
    dialog.reject();
    QTRY_VERIFY(later.isReady());
}

void PersonTest::stoppingWithdrawsTheQuestion() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    PersonDialog dialog(bridge);
    std::stop_source stop;
    auto answer = ask(bridge.desk(), {{"user", "Write it."}}, stop);
    QTRY_VERIFY(dialog.isVisible());
    stop.request_stop();
    QTRY_VERIFY(answer.isReady());
    const auto result = answer.get();
    QVERIFY(!result && result.error().kind == ErrorKind::cancelled);
    QTRY_VERIFY(!dialog.isVisible());
}

void PersonTest::aBridgeThatGoesDeclines() {
    Answer answer;
    std::shared_ptr<PersonDesk> desk;
    {
        RecordingBridge bridge(QStringLiteral("sample.gks"));
        desk = bridge.desk();
        answer = ask(desk, {{"user", "Write it."}});
        QTRY_COMPARE(bridge.personQuestions().size(), std::size_t(1));
    }
    QTRY_VERIFY(answer.isReady());
    QVERIFY(!answer.get());
    QVERIFY(!ask(desk, {{"user", "Again."}}).get()); // nobody will ever answer
}

namespace {

// Keeps keys as a desktop would; reads are answered when they are let go.
struct Safe {
    std::map<QString, QString> keys;
    std::vector<std::function<void()>> waiting;
    QString error;

    Keyring::Backend backend() {
        return {[this](const QString& name, Keyring::Backend::Read done) {
                    waiting.push_back([this, name, done = std::move(done)] {
                        const auto found = keys.find(name);
                        done(found == keys.end() ? std::nullopt : std::optional(found->second), error);
                    });
                },
                [this](const QString& name, const QString& key, const Keyring::Backend::Written& done) {
                    if (error.isEmpty()) {
                        keys[name] = key;
                    }
                    done(error);
                }};
    }
};

} // namespace

void PersonTest::keysWaitForTheKeyring() {
    Safe safe;
    safe.keys[QStringLiteral("A_KEY")] = QStringLiteral("secret");
    Keyring keyring(safe.backend());
    QVERIFY(!keyring.find("A_KEY")); // the GUI thread never waits
    auto found = std::async(std::launch::async, [&] { return keyring.find("A_KEY"); });
    QTRY_COMPARE(safe.waiting.size(), std::size_t(1));
    QVERIFY(found.wait_for(std::chrono::seconds(0)) != std::future_status::ready);
    safe.waiting.front()();
    QCOMPARE(found.get(), std::optional<std::string>("secret"));
    QVERIFY(keyring.holds(QStringLiteral("A_KEY")));
    auto none = std::async(std::launch::async, [&] { return keyring.find("OTHER"); });
    QTRY_COMPARE(safe.waiting.size(), std::size_t(2));
    safe.waiting.back()();
    QVERIFY(!none.get());
}

void PersonTest::keysAreStoredAndRemoved() {
    Safe safe;
    Keyring keyring(safe.backend());
    keyring.store(QStringLiteral("A_KEY"), QStringLiteral("secret"));
    QCOMPARE(keyring.find("A_KEY"), std::optional<std::string>("secret"));
    safe.error = QStringLiteral("locked");
    keyring.store(QStringLiteral("A_KEY"), QStringLiteral("new"));
    QCOMPARE(keyring.error(QStringLiteral("A_KEY")), QStringLiteral("locked"));
    QVERIFY(!keyring.holds(QStringLiteral("A_KEY")));
    safe.error.clear();
    keyring.store(QStringLiteral("A_KEY"), {});
    QVERIFY(!keyring.find("A_KEY"));
    QVERIFY(safe.keys[QStringLiteral("A_KEY")].isEmpty());
    Keyring without{Keyring::Backend{}};
    QVERIFY(!without.isAvailable());
    without.store(QStringLiteral("A_KEY"), QStringLiteral("lost"));
    QVERIFY(!std::async(std::launch::async, [&] { return without.find("A_KEY"); }).get());
}

QTEST_MAIN(PersonTest)
#include "person_test.moc"
