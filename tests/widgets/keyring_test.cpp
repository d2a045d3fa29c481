// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "widgets/common/keyring.h"
#include "widgets/common/model_form.h"

#include <QApplication>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <future>
#include <memory>

using namespace gks;

namespace {

constexpr char sessionVariable[] = "GKS_KEYRING_SESSION";
constexpr int patienceMs = 120'000;
const QString keyName = QStringLiteral("GKS_TEST_KEY_OF_NO_SERVICE");

} // namespace

// What the window does with a real keyring; runs inside a session that KeyringTest has made for it.
class KeyringSession final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }

    void keysOutliveTheProgram() {
        Keyring first(Keyring::desktop());
        QVERIFY(first.isAvailable());
        first.store(keyName, QStringLiteral("secret one"));
        QTRY_VERIFY2(first.holds(keyName), qPrintable(first.error(keyName)));
        Keyring second(Keyring::desktop()); // as after a new start: nothing in memory
        auto found = std::async(std::launch::async, [&] { return second.find(keyName.toStdString()); });
        QTRY_VERIFY(found.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
        QCOMPARE(found.get(), std::optional<std::string>("secret one"));
        second.store(keyName, {});
        QTRY_VERIFY(!second.holds(keyName));
        Keyring third(Keyring::desktop());
        auto gone = std::async(std::launch::async, [&] { return third.find(keyName.toStdString()); });
        QTRY_VERIFY(gone.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
        QVERIFY(!gone.get());
        QVERIFY2(third.error(keyName).isEmpty(),
                 qPrintable(third.error(keyName))); // it was looked for and is not there
    }

    void theFormStoresAndRemoves() {
        ModelForm form;
        form.setChoice({"openai", "https://example.org/v1", "m", keyName.toStdString()});
        form.show();
        const auto* state = form.findChild<QLabel*>(QStringLiteral("modelKeyState"));
        QTRY_VERIFY2(state->text().contains(QStringLiteral("Not in the environment or the keyring")),
                     qPrintable(state->text()));
        putKey(form, QStringLiteral("secret two"));
        QTRY_COMPARE(state->text(), QStringLiteral("\u2713 Found in the keyring"));
        QCOMPARE(Keyring::instance().find(keyName.toStdString()), std::optional<std::string>("secret two"));
        putKey(form, {});
        QTRY_VERIFY2(state->text().contains(QStringLiteral("Not in the environment or the keyring")),
                     qPrintable(state->text()));
    }

private:
    // Presses "Key..." and types into the dialog that comes.
    static void putKey(const ModelForm& form, const QString& key) {
        QTimer typing;
        typing.setInterval(10);
        connect(&typing, &QTimer::timeout, &form, [&] {
            if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                typing.stop();
                dialog->setTextValue(key);
                dialog->accept();
            }
        });
        typing.start();
        form.findChild<QPushButton*>(QStringLiteral("modelKey"))->click();
    }

    std::unique_ptr<GuiTest> m_gui;
};

class KeyringTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A message bus, a home and an unlocked gnome-keyring that nobody else has; all end with the program inside.
    void inASessionOfItsOwn() {
        for (const char* program : {"dbus-run-session", "gnome-keyring-daemon"}) {
            if (QStandardPaths::findExecutable(QLatin1String(program)).isEmpty()) {
                QSKIP("no keyring service is installed here (packages dbus-daemon and gnome-keyring; "
                      "packaging/setup.sh --tests installs them)");
            }
        }
        if (!Keyring::desktop().read) {
            QSKIP("built without qtkeychain: there is no keyring to use");
        }
        const QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}) {
            environment.insert(QLatin1String(variable), home.path());
        }
        for (const char* variable : {"DBUS_SESSION_BUS_ADDRESS", "GNOME_KEYRING_CONTROL", "XDG_CURRENT_DESKTOP"}) {
            environment.remove(QLatin1String(variable));
        }
        environment.insert(QLatin1String(sessionVariable), QStringLiteral("1"));
        QProcess session;
        session.setProcessEnvironment(environment);
        session.setProcessChannelMode(QProcess::MergedChannels);
        session.start(
            QStringLiteral("dbus-run-session"),
            {QStringLiteral("--"), QStringLiteral("sh"), QStringLiteral("-c"),
             QStringLiteral("printf pass | gnome-keyring-daemon --unlock --components=secrets && exec \"$0\""),
             QCoreApplication::applicationFilePath()});
        QVERIFY2(session.waitForFinished(patienceMs), "the session did not end");
        const QByteArray output = session.readAll();
        QVERIFY2(session.exitStatus() == QProcess::NormalExit && session.exitCode() == 0, output.constData());
        QVERIFY2(output.contains("PASS   : KeyringSession::theFormStoresAndRemoves"), output.constData());
    }
};

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    KeyringSession inside;
    KeyringTest outside;
    QObject* const test = qEnvironmentVariableIsSet(sessionVariable) ? static_cast<QObject*>(&inside) : &outside;
    return QTest::qExec(test, argc, argv);
}

#include "keyring_test.moc"
