// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/end_signal.h"
#include "app/workbench/main_window.h"
#include "app/workbench/window_questions.h"
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/campaign/file_lock.h"
#include "core/campaign/running.h"
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/settings.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QThreadPool>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>

using namespace gks;

namespace {

constexpr int openMs = 60'000;
constexpr int evaluationMs = 240'000; // compiles and measures for real, perhaps on a busy machine

bool isRunning(const QString& file) {
    const auto run = runOf(file.toStdString());
    return run && run->state == EngineState::running;
}

// kernel-scientist-cli run, as in a terminal.
class TerminalRun final {
public:
    explicit TerminalRun(const QString& file) {
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        settings.measureSeconds = 0.2;
        if (const auto made = CampaignStore::create(file.toStdString(), settings); !made) {
            qFatal("%s", made.error().message().c_str());
        }
        Command command;
        command.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-cli", "run", file.toStdString()};
        m_process.emplace(ChildProcess::start(command).value());
        if (!QTest::qWaitFor([&] { return isRunning(file); }, openMs)) {
            qFatal("it does not run");
        }
    }
    bool ends() { return m_process->wait(std::chrono::seconds(30)).has_value(); }

private:
    std::optional<ChildProcess> m_process;
};

} // namespace

// Runs of other processes, and of this one without a tab: found, watched, taken over and stopped from the window.
class RunsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void init() {
        m_folder.emplace(TemporaryDirectory::create("runs").value());
        qputenv("GKS_STATE", (m_folder->path() / "state").c_str());
        m_file = QString::fromStdString((m_folder->path() / "far.gks").string());
        m_choice = RunChoice::cancel;
        m_asked = 0;
        WindowSeams seams = realWindowSeams();
        seams.askClosing = [](QWidget*) { return ClosingChoice::keepRunning; };
        seams.askAboutRun = [this](QWidget*, const QString&, const std::optional<RunningCampaign>& run) {
            ++m_asked;
            return run ? m_choice : RunChoice::cancel;
        };
        seams.open = [this, open = seams.open](const QString& file, CampaignStore::Access access, QObject* receiver,
                                               std::function<void(Result<EngineBridge*>)> opened) {
            open(file, access, receiver, [this, opened = std::move(opened)](Result<EngineBridge*> bridge) {
                m_heldByUs.reset(); // between the attempt and the look at who it was
                opened(std::move(bridge));
            });
        };
        m_window = std::make_unique<MainWindow>(std::move(seams));
        m_window->show();
    }
    void cleanup() {
        m_window.reset();
        QThreadPool::globalInstance()->waitForDone();
        m_folder.reset();
        GuiTest::failOnWarnings();
    }

    // Closed and opened again at once: the close is over when somebody looks who has it.
    void whatWasGivenBackMeanwhileIsOpened() {
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        QVERIFY(CampaignStore::create(m_file.toStdString(), settings).has_value());
        m_heldByUs = FileLock::take(m_file.toStdString()).value();
        QVERIFY(m_heldByUs.has_value());
        m_window->openCampaign(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr, openMs);
        QVERIFY(!view()->bridge().readOnly());
        QVERIFY(!m_heldByUs.has_value());
        QCOMPARE(m_asked, 0);
    }

    void stopEndsARunThatIsListed() {
        TerminalRun run(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(button("runStop.far") != nullptr, openMs);
        const QString detail = m_window->findChild<QLabel*>(QStringLiteral("runDetail.far"))->text();
        QVERIFY2(detail.contains(QStringLiteral("running")) && detail.contains(QStringLiteral("terminal")) &&
                     detail.contains(QString::number(runOf(m_file.toStdString()).value().process)),
                 qPrintable(detail));
        QCOMPARE(m_window->findChild<QLabel*>(QStringLiteral("runName.far"))->toolTip(),
                 QString::fromStdString(m_folder->path().string()));
        const QStringList unnamed = GuiTest::unnamedWidgets(m_window.get());
        QVERIFY2(unnamed.isEmpty(), qPrintable(unnamed.join(QLatin1Char('\n'))));
        button("runStop.far")->click();
        QTRY_VERIFY_WITH_TIMEOUT(button("runStop.far") == nullptr, openMs);
        QVERIFY(run.ends());
        QVERIFY(!runOf(m_file.toStdString()));
    }

    void watchFollowsAndTakeOverOpensForWriting() {
        TerminalRun run(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(button("runWatch.far") != nullptr, openMs);
        button("runWatch.far")->click();
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr, openMs);
        QVERIFY(!view()->bridge().readOnly() && view()->bridge().watches());
        QTRY_VERIFY(watchText().contains(QStringLiteral("terminal")));
        QVERIFY(watchText().contains(QStringLiteral("carried out there")));
        QTRY_COMPARE(view()->bridge().state(), EngineState::running);
        // What is decided here is carried out there, or refused in its words.
        view()->bridge().send(command::SetBanned{2});
        QTRY_VERIFY(view()->bridge().population()->kernel(2)->banned);
        view()->bridge().send(command::SetBanned{999});
        QTRY_VERIFY(!view()->bridge().warnings().empty());
        QVERIFY(view()->bridge().warnings().back().error.what.find("999") != std::string::npos);
        view()->bridge().send(command::SetBanned{2, false});
        QTRY_VERIFY(!view()->bridge().population()->kernel(2)->banned);
        QTRY_VERIFY_WITH_TIMEOUT(!view()->bridge().lanes().empty(), evaluationMs); // and its lanes are seen at work
        QVERIFY(GuiTest::unnamedWidgets(m_window.get()).isEmpty());
        const std::size_t before = view()->bridge().population()->kernels.size();
        QTRY_VERIFY_WITH_TIMEOUT(view()->bridge().population()->kernels.front().verdict.has_value(), evaluationMs);
        QTRY_VERIFY_WITH_TIMEOUT(view()->bridge().population()->kernels.size() > before, evaluationMs);
        QVERIFY(isRunning(m_file)); // the writer was not disturbed
        QTRY_VERIFY(button("watchTakeOver")->isEnabled());
        button("watchTakeOver")->click();
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr && !view()->bridge().watches(), openMs);
        QVERIFY(!view()->bridge().readOnly());
        QCOMPARE(m_window->findChild<QTabWidget*>(QStringLiteral("campaignTabs"))->count(), 1);
        QVERIFY(run.ends());
        QVERIFY(view()->bridge().population()->kernels.size() > before);
        QCOMPARE(runOf(m_file.toStdString()).value().place, RunPlace::window);
    }

    // By a program in the place of ssh: what goes over it is the same.
    void aCampaignOfAnotherMachineIsSteered() {
        const std::filesystem::path ssh = m_folder->path() / "ssh";
        QVERIFY(writeFileAtomically(ssh, "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n"));
        std::filesystem::permissions(ssh, std::filesystem::perms::owner_all);
        qputenv("GKS_SSH", ssh.c_str());
        qputenv("GKS_REMOTE_CLI", GKS_BINARY_DIR "/bin/kernel-scientist-cli");
        TerminalRun run(m_file);
        const QString address = QStringLiteral("ssh://node0") + m_file;
        m_window->openCampaign(address);
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr, openMs);
        QVERIFY(view()->bridge().address() == address && view()->bridge().file() != m_file);
        QTRY_VERIFY_WITH_TIMEOUT(!view()->bridge().readOnly(), openMs);
        QTRY_COMPARE_WITH_TIMEOUT(view()->bridge().state(), EngineState::running, openMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            watchText().contains(address) && watchText().contains(QStringLiteral("carried out there")), openMs);
        QVERIFY(button("watchTakeOver") == nullptr); // it is not here
        QVERIFY(GuiTest::unnamedWidgets(m_window.get()).isEmpty());
        view()->bridge().send(command::SetBanned{2});
        QTRY_VERIFY_WITH_TIMEOUT(view()->bridge().population()->kernel(2)->banned, openMs);
        const auto there = CampaignStore::open(m_file.toStdString(), CampaignStore::Access::read).value();
        QVERIFY(there->population().value()->kernel(2)->banned);
        QVERIFY(Settings::instance().value(settings::recentCampaigns).contains(address));
        QVERIFY(endRun(m_file.toStdString()).has_value());
        QTRY_VERIFY_WITH_TIMEOUT(view()->bridge().readOnly(), openMs);
        QTRY_VERIFY_WITH_TIMEOUT(watchText().contains(QStringLiteral("Read-only")), openMs);
        QVERIFY(view()->bridge().population()->kernel(2)->banned); // as it was last seen
        QVERIFY(run.ends());
        const std::filesystem::path mirror = view()->bridge().file().toStdString();
        m_window.reset();
        QThreadPool::globalInstance()->waitForDone();
        std::filesystem::remove_all(mirror.parent_path());
        qunsetenv("GKS_SSH");
        qunsetenv("GKS_REMOTE_CLI");
    }

    void theEndOfAWatchedRunIsSaid() {
        TerminalRun run(m_file);
        m_choice = RunChoice::watch;
        m_window->openCampaign(m_file); // asks, and watches
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr, openMs);
        QCOMPARE(m_asked, 1);
        QVERIFY(view()->bridge().watches());
        QVERIFY(endRun(m_file.toStdString()).has_value());
        QTRY_VERIFY_WITH_TIMEOUT(watchText().contains(QStringLiteral("has ended")), openMs);
        QTRY_VERIFY(button("watchTakeOver")->isEnabled());
        button("watchTakeOver")->click();
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr && !view()->bridge().watches(), openMs);
        QVERIFY(!view()->bridge().readOnly());
        QVERIFY(run.ends());
    }

    void openingTakesOver() {
        TerminalRun run(m_file);
        m_choice = RunChoice::takeOver;
        m_window->openCampaign(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr, openMs);
        QVERIFY(!view()->bridge().readOnly());
        QVERIFY(run.ends());
    }

    // Asked for again while it is on its way: one tab, and nobody is asked.
    void whatIsBeingOpenedIsOpenedOnce() {
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        QVERIFY(CampaignStore::create(m_file.toStdString(), settings).has_value());
        int shown = 0;
        const auto count = [&](CampaignView* opened) { shown += opened != nullptr && opened == view() ? 1 : 0; };
        m_window->openCampaign(m_file, count);
        m_window->openCampaign(m_file, count);
        m_window->watchCampaign(m_file, count);
        QVERIFY(view() == nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(shown, 3, openMs);
        QVERIFY(!view()->bridge().readOnly());
        QCOMPARE(m_window->findChild<QTabWidget*>(QStringLiteral("campaignTabs"))->count(), 1);
        QCOMPARE(m_asked, 0);
    }

    // Closed while it runs, with the window still there: the start page has it, and its tab comes back.
    void aHiddenRunComesBackAsItsTab() {
        const EndSignal end;
        connect(&end, &EndSignal::asked, m_window.get(), &MainWindow::endAsAsked);
        startHidden(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(button("runOpen.far") != nullptr, openMs);
        QVERIFY(button("runWatch.far") == nullptr);
        button("runOpen.far")->click();
        QTRY_VERIFY(view() != nullptr);
        const QPointer<CampaignView> first(view());
        QVERIFY(!first->bridge().readOnly());
        QCOMPARE(runOf(m_file.toStdString()).value().place, RunPlace::window);
        action("campaign.close")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(button("runStop.far") != nullptr, openMs);
        button("runStop.far")->click();
        QTRY_VERIFY_WITH_TIMEOUT(first.isNull(), openMs);
        QTRY_VERIFY_WITH_TIMEOUT(!runOf(m_file.toStdString()), openMs);
    }

    // Nobody asks for one run: the whole program is to end.
    void sigtermEndsWhatIsHidden() {
        const EndSignal end;
        connect(&end, &EndSignal::asked, m_window.get(), &MainWindow::endAsAsked);
        const QString second = QString::fromStdString((m_folder->path() / "second.gks").string());
        for (const QString& file : {m_file, second}) {
            startHidden(file);
        }
        QVERIFY(!QApplication::quitOnLastWindowClosed());
        QVERIFY(::raise(SIGTERM) == 0);
        QTRY_VERIFY_WITH_TIMEOUT(!runOf(m_file.toStdString()) && !runOf(second.toStdString()), openMs);
    }

    // The program ends only when the last of them is done.
    void oneHiddenRunEndsAndTheOtherGoesOn() {
        const EndSignal end;
        connect(&end, &EndSignal::asked, m_window.get(), &MainWindow::endAsAsked);
        const QString second = QString::fromStdString((m_folder->path() / "second.gks").string());
        startHidden(m_file);
        startHidden(second);
        QTRY_VERIFY_WITH_TIMEOUT(button("runStop.far") != nullptr, openMs);
        button("runStop.far")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!runOf(m_file.toStdString()), openMs);
        QVERIFY(!QApplication::quitOnLastWindowClosed());
        QVERIFY(isRunning(second));
        QTRY_VERIFY_WITH_TIMEOUT(button("runStop.second") != nullptr && button("runStop.second")->isEnabled(), openMs);
        button("runStop.second")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!runOf(second.toStdString()), openMs);
        QTRY_VERIFY(QApplication::quitOnLastWindowClosed());
    }

    void theQuestion_data() {
        QTest::addColumn<bool>("here");
        QTest::addColumn<QStringList>("buttons");
        QTest::newRow("here") << true
                              << QStringList({QStringLiteral("runChoiceWatch"), QStringLiteral("runChoiceTakeOver"),
                                              QStringLiteral("runChoiceStop"), QStringLiteral("runChoiceCancel")});
        QTest::newRow("elsewhere") << false
                                   << QStringList(
                                          {QStringLiteral("runChoiceWatch"), QStringLiteral("runChoiceCancel")});
    }
    void theQuestion() {
        QFETCH(bool, here);
        QFETCH(QStringList, buttons);
        RunningCampaign run;
        run.process = 4242;
        run.host = "node7";
        run.here = here;
        run.state = EngineState::running;
        QStringList shown;
        QString text;
        QTimer::singleShot(0, this, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            text = box->text();
            for (const QPushButton* one : box->findChildren<QPushButton*>()) {
                shown.append(one->objectName());
            }
            QTest::keyClick(box, Qt::Key_Return);
        });
        QVERIFY(askAboutRun(nullptr, QStringLiteral("/a/far.gks"), run) == RunChoice::cancel); // no answer by accident
        std::sort(shown.begin(), shown.end());
        std::sort(buttons.begin(), buttons.end());
        QCOMPARE(shown, buttons);
        QVERIFY2(text.contains(QStringLiteral("far.gks")) && text.contains(QStringLiteral("process 4242")) &&
                     text.contains(QStringLiteral("node7")) == !here,
                 qPrintable(text));
    }

private:
    CampaignView* view() const { return m_window->currentView(); }
    QPushButton* button(const char* name) const {
        const auto all = m_window->findChildren<QPushButton*>(QLatin1String(name));
        const auto shown = std::find_if(all.begin(), all.end(), [](const QPushButton* one) {
            return !one->isHidden() && one->parentWidget() != nullptr && !one->parentWidget()->isHidden();
        });
        return shown == all.end() ? nullptr : *shown;
    }
    // Runs in this process, without a tab.
    void startHidden(const QString& file) {
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        QVERIFY(CampaignStore::create(file.toStdString(), settings).has_value());
        m_window->openCampaign(file);
        QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr, openMs);
        action("run.start")->trigger();
        QTRY_COMPARE(view()->bridge().state(), EngineState::running);
        action("campaign.close")->trigger();
        QVERIFY(view() == nullptr);
        QCOMPARE(runOf(file.toStdString()).value().place, RunPlace::background);
    }
    QString watchText() const { return m_window->findChild<QLabel*>(QStringLiteral("watchText"))->text(); }
    QAction* action(const char* id) const { return GuiTest::actionIn(m_window->allActions(), id); }

    std::unique_ptr<GuiTest> m_gui;
    std::optional<TemporaryDirectory> m_folder;
    std::unique_ptr<MainWindow> m_window;
    QString m_file;
    std::optional<FileLock> m_heldByUs;
    RunChoice m_choice = RunChoice::cancel;
    int m_asked = 0;
};

QTEST_MAIN(RunsTest)
#include "gui_runs.moc"
