// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/end_signal.h"
#include "app/workbench/main_window.h"
#include "core/campaign/running.h"
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "widgets/code/source_editor.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/settings.h"
#include "widgets/conversation/person_dialog.h"

#include <QAction>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <algorithm>
#include <csignal>
#include <memory>
#include <sys/stat.h>

using namespace gks;

namespace {

constexpr int evaluationMs = 240'000; // compiles and measures for real, perhaps on a busy machine

}

// The window with a real engine, a real evaluator and a real campaign file.
class LiveCampaignTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_gui = std::make_unique<GuiTest>();
        m_file = m_folder.filePath(QStringLiteral("live.gks"));
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        settings.measureSeconds = 0.2;
        settings.budgets.evaluations = 1;
        const auto store = CampaignStore::create(m_file.toStdString(), settings);
        QVERIFY2(store.has_value(), store ? "" : store.error().message().c_str());
    }
    void cleanup() { GuiTest::failOnWarnings(); }

    void theDemoIsMadeOnce() {
        qputenv("GKS_DATA", QFile::encodeName(m_folder.path()));
        const WindowSeams seams = realWindowSeams();
        const auto file = seams.demo();
        QVERIFY2(file.has_value(), file ? "" : file.error().message().c_str());
        const auto store = CampaignStore::open(file->toStdString(), CampaignStore::Access::read);
        QVERIFY2(store.has_value(), store ? "" : store.error().message().c_str());
        QCOMPARE((*store)->settings()->scientist, ScientistKind::tuner);
        QCOMPARE((*store)->settings()->problem, std::string("fp8-gemm"));
        QCOMPARE(seams.demo().value(), *file); // a campaign is never overwritten
        qunsetenv("GKS_DATA");
    }

    // The sample of a real GPU to look at, and from it the same problem here, running.
    void theFirstStartShowsTheSampleAndTheDemoRuns() {
        const TemporarySettings kept;
        const QTemporaryDir data;
        qputenv("GKS_DATA", QFile::encodeName(data.path()));
        {
            MainWindow window(realWindowSeams());
            window.show();
            window.beginSession();
            QTRY_VERIFY_WITH_TIMEOUT(window.currentView() != nullptr, 20'000);
            const CampaignView* sample = window.currentView();
            QVERIFY(sample->bridge().readOnly());
            QCOMPARE(sample->bridge().population()->settings.target, TargetKind::nvidia);
            QVERIFY(window.findChild<QWidget*>(QStringLiteral("watchBar")) == nullptr);
            auto* here = window.findChild<QPushButton*>(QStringLiteral("sampleTry"));
            QVERIFY(here != nullptr && here->isVisible());
            here->click();
            QTRY_VERIFY_WITH_TIMEOUT(window.currentView() != sample, 20'000);
            EngineBridge& demo = window.currentView()->bridge();
            QCOMPARE(demo.population()->settings.problem, std::string("fp8-gemm"));
            QTRY_COMPARE_WITH_TIMEOUT(demo.state(), EngineState::running, 20'000);
            QTRY_VERIFY_WITH_TIMEOUT(
                demo.lanes().contains("cpu:0") && demo.lanes().at("cpu:0").activity != Activity::idle, evaluationMs);
            demo.send(command::Stop{});
            QTRY_COMPARE_WITH_TIMEOUT(demo.state(), EngineState::idle, evaluationMs);
            QVERIFY(window.close());
        }
        QThreadPool::globalInstance()->waitForDone();
        {
            MainWindow window(realWindowSeams()); // comes back to both, the demo in front
            window.show();
            window.beginSession();
            QTRY_VERIFY_WITH_TIMEOUT(window.findChildren<CampaignView*>().size() == 2, 20'000);
            QVERIFY(window.close());
        }
        QThreadPool::globalInstance()->waitForDone();
        qunsetenv("GKS_DATA");
    }

    void aCampaignIsOpenedRunAndClosed() {
        MainWindow window(realWindowSeams());
        window.show();
        window.openCampaign(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(window.currentView() != nullptr, 20'000);
        CampaignView& view = *window.currentView();
        EngineBridge& bridge = view.bridge();
        QCOMPARE(bridge.population()->kernels.size(), std::size_t(2)); // the seeds
        QVERIFY(!bridge.readOnly());
        view.selection().select(1);
        action(window, "kernel.pin-parent")->setEnabled(true);
        action(window, "kernel.pin-parent")->trigger();
        QTRY_COMPARE(bridge.population()->settings.pinnedParent, std::optional<KernelId>(1));
        action(window, "run.start")->trigger();
        QTRY_COMPARE(bridge.state(), EngineState::running);
        QTRY_VERIFY_WITH_TIMEOUT(bridge.population()->kernels.front().verdict.has_value(), evaluationMs);
        QTRY_VERIFY_WITH_TIMEOUT(bridge.state() != EngineState::running, evaluationMs); // the budget of one evaluation
        QVERIFY2(bridge.population()->kernels.front().geomeanUs > 0,
                 bridge.population()->kernels.front().reason.c_str());
        bool answered = false;
        bridge.askEvaluations(&window, 1, [&](const Result<std::vector<Evaluation>>& evaluations) {
            answered = evaluations && evaluations->size() == 1;
        });
        QTRY_VERIFY(answered);
        QVERIFY(window.close());
        QThreadPool::globalInstance()->waitForDone(); // the engine gives the file back there
    }

    // The budget is spent and nothing runs: a kernel of one's own is judged all the same, alone.
    void anOwnKernelIsEvaluatedWhileTheCampaignStands() {
        MainWindow window(realWindowSeams());
        window.show();
        window.openCampaign(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(window.currentView() != nullptr, 20'000);
        CampaignView& view = *window.currentView();
        EngineBridge& bridge = view.bridge();
        view.selection().select(1);
        view.selection().requestEdit(1);
        window.findChild<SourceEditor*>(QStringLiteral("kernelSource"))->setText(QStringLiteral("int nothing;\n"));
        window.findChild<QPushButton*>(QStringLiteral("kernelEditSubmit"))->click();
        QTRY_COMPARE(view.selection().primary(), std::optional<KernelId>(3)); // where it went
        QTRY_VERIFY_WITH_TIMEOUT(bridge.population()->kernel(3)->verdict.has_value(), evaluationMs);
        QTRY_COMPARE(bridge.state(), EngineState::idle);
        QCOMPARE(bridge.stateReason(), QStringLiteral("kernel 00003 evaluated"));
        QCOMPARE(bridge.population()->kernel(3)->verdict.value(), VerdictKind::buildFailed);
        QVERIFY(bridge.population()->kernel(2)->state == KernelState::waiting);
        QVERIFY(window.close());
        QThreadPool::globalInstance()->waitForDone();
    }

    // A real engine waits for the person; a reply that does not fit comes back; stopping takes the question away.
    void aPersonAnswersInThePlaceOfAModel() {
        const QString file = m_folder.filePath(QStringLiteral("manual.gks"));
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        settings.measureSeconds = 0.2;
        settings.scientist = ScientistKind::model;
        settings.models["default"].provider = "manual";
        QVERIFY(CampaignStore::create(file.toStdString(), settings).has_value());
        QStringList unsaved;
        WindowSeams seams = realWindowSeams();
        seams.askUnsaved = [&](QWidget*, const QStringList& texts, bool) {
            unsaved = texts;
            return UnsavedChoice::discard;
        };
        MainWindow window(std::move(seams));
        window.show();
        window.openCampaign(file);
        QTRY_VERIFY_WITH_TIMEOUT(window.currentView() != nullptr, 20'000);
        EngineBridge& bridge = window.currentView()->bridge();
        auto* dialog = window.findChild<PersonDialog*>();
        action(window, "run.start")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isVisible(), evaluationMs);
        auto* reply = dialog->findChild<QPlainTextEdit*>(QStringLiteral("personReply"));
        reply->setPlainText(QStringLiteral("no object"));
        const std::string stage = bridge.personQuestions().front().stage;
        for (int sent = 0; sent < 4; ++sent) { // more often than a model may
            const int before = bridge.personQuestions().front().id;
            dialog->findChild<QPushButton*>(QStringLiteral("personAnswer"))->click();
            QTRY_VERIFY_WITH_TIMEOUT(!bridge.personQuestions().empty() && bridge.personQuestions().front().id != before,
                                     20'000);
            QTRY_VERIFY(dialog->findChild<QLabel*>(QStringLiteral("personProblem"))->isVisible());
            QCOMPARE(bridge.personQuestions().front().stage, stage);
            QTRY_COMPARE(reply->toPlainText(), QStringLiteral("no object")); // to be mended
        }
        action(window, "run.stop")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isVisible(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(bridge.state() != EngineState::running && bridge.state() != EngineState::stopping,
                                 evaluationMs);
        bool answered = false;
        bridge.askExchanges(&window, {}, {}, [&](const Result<std::vector<Exchange>>& exchanges) {
            answered = exchanges && !exchanges->empty() && exchanges->front().provider == "manual" &&
                       exchanges->front().reply == "no object";
        });
        QTRY_VERIFY(answered);
        QVERIFY(window.close());
        QCOMPARE(unsaved.size(), 1); // the text in the field is the person's, though it was refused
        QThreadPool::globalInstance()->waitForDone();
    }

    // What `runs stop` does, for a run in a tab and for one that goes on after its window was closed.
    void aRunIsStoppedFromOutside_data() {
        QTest::addColumn<bool>("hidden");
        QTest::newRow("in-a-tab") << false;
        QTest::newRow("in-the-background") << true;
    }
    void aRunIsStoppedFromOutside() {
        QFETCH(bool, hidden);
        const QString file = m_folder.filePath(hidden ? QStringLiteral("hidden.gks") : QStringLiteral("tab.gks"));
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        QVERIFY(CampaignStore::create(file.toStdString(), settings).has_value());
        WindowSeams seams = realWindowSeams();
        seams.askClosing = [](QWidget*) { return ClosingChoice::keepRunning; };
        MainWindow window(std::move(seams));
        const EndSignal end;
        connect(&end, &EndSignal::asked, &window, &MainWindow::endAsAsked);
        window.show();
        window.openCampaign(file);
        QTRY_VERIFY_WITH_TIMEOUT(window.currentView() != nullptr, 20'000);
        action(window, "run.start")->trigger();
        QTRY_COMPARE(window.currentView()->bridge().state(), EngineState::running);
        if (hidden) {
            QVERIFY(window.close());
        }
        const auto run = runOf(file.toStdString());
        QVERIFY(run && run->state == EngineState::running);
        QCOMPARE(run->place, hidden ? RunPlace::background : RunPlace::window);
        QVERIFY(!stopRun(*run, std::chrono::seconds(60))); // nobody sends a signal to himself
        QProcess terminal;
        terminal.start(QStringLiteral(GKS_BINARY_DIR "/bin/kernel-scientist-cli"),
                       {QStringLiteral("runs"), QStringLiteral("stop"), file});
        QTRY_COMPARE_WITH_TIMEOUT(terminal.state(), QProcess::NotRunning, 60'000);
        QCOMPARE(terminal.exitCode(), 0);
        const QByteArray outcome = terminal.readAllStandardOutput();
        QVERIFY2(outcome.contains(hidden ? "ended" : "stopped"), outcome.constData());
        if (!hidden) {
            QTRY_COMPARE(window.currentView()->bridge().state(), EngineState::idle);
            QVERIFY(window.close());
        }
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(!runOf(file.toStdString()));
        QVERIFY(!QFile::exists(file + QStringLiteral("-wal")));
    }

    void sigtermKeepsAnEditedSource() {
        const QString file = m_folder.filePath(QStringLiteral("edited.gks"));
        CampaignSettings settings;
        settings.problem = "sum-reduction";
        QVERIFY(CampaignStore::create(file.toStdString(), settings).has_value());
        for (const bool again : {false, true}) {
            MainWindow window(realWindowSeams());
            const EndSignal end;
            connect(&end, &EndSignal::asked, &window, &MainWindow::endAsAsked);
            window.show();
            window.openCampaign(file);
            QTRY_VERIFY_WITH_TIMEOUT(window.currentView() != nullptr, 20'000);
            QTRY_VERIFY_WITH_TIMEOUT(window.currentView()->isSettled(), 20'000);
            auto* source = window.findChild<SourceEditor*>(QStringLiteral("kernelSource"));
            if (again) {
                QVERIFY(source->source().starts_with("int mine;\n") && !source->isReadOnly());
                action(window, "kernel.submit-edit")->trigger();
                QTRY_COMPARE(window.currentView()->bridge().population()->kernels.size(), std::size_t(3));
            } else {
                window.currentView()->selection().requestEdit(1);
                QTRY_VERIFY(!source->isReadOnly());
                source->insertAt(QStringLiteral("int mine;\n"), 0, 0);
            }
            QVERIFY(::raise(SIGTERM) == 0);
            QTRY_VERIFY(window.currentView() == nullptr);
            QThreadPool::globalInstance()->waitForDone();
        }
        const auto store = CampaignStore::open(file.toStdString(), CampaignStore::Access::read).value();
        QVERIFY(store->population().value()->kernel(3)->source.orNothing().starts_with("int mine;\n"));
    }

    void thePictureIsDrawnByTheProgram() {
        const QString picture = m_folder.filePath(QStringLiteral("window.png"));
        QCOMPARE(
            run({m_file, QStringLiteral("--screenshot"), picture, QStringLiteral("--size"), QStringLiteral("1280x800"),
                 QStringLiteral("--theme"), QStringLiteral("light"), QStringLiteral("--kernel"), QStringLiteral("1")}),
            0);
        QCOMPARE(QImage(picture).size(), QSize(1280, 800));
        QCOMPARE(QImage(picture).pixelColor(2, 780).name(), lightPalette().panel.name());
    }

    void whatIsNoPictureIsNotReplaced() {
        const QString other = m_folder.filePath(QStringLiteral("other.gks"));
        QVERIFY(QFile::copy(m_file, other));
        QCOMPARE(run({m_file, QStringLiteral("--screenshot"), other}), 2);
        QVERIFY2(m_errors.contains("is no picture"), m_errors.constData());
        QVERIFY(CampaignStore::open(other.toStdString()).has_value());
        const QString pipe = m_folder.filePath(QStringLiteral("pipe.png"));
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        QCOMPARE(run({m_file, QStringLiteral("--screenshot"), pipe}), 2);
        QCOMPARE(run({m_file, QStringLiteral("--screenshot"), m_folder.filePath(QStringLiteral("none/x.png"))}), 2);
        QVERIFY2(m_errors.contains("/none") && m_errors.contains("does not exist"), m_errors.constData());
        QVERIFY(QFile::setPermissions(other, QFile::Permissions())); // root reads it all the same
        QCOMPARE(run({m_file, QStringLiteral("--screenshot"), other}), 2);
    }

    void noPictureOfAKernelThatIsNotThere() {
        const QString picture = m_folder.filePath(QStringLiteral("missing.png"));
        QCOMPARE(
            run({m_file, QStringLiteral("--screenshot"), picture, QStringLiteral("--kernel"), QStringLiteral("9999")}),
            2);
        QVERIFY2(m_errors.contains("09999"), m_errors.constData());
        QVERIFY(!QFile::exists(picture));
    }

    void wrongUsageAndBrokenFilesEndWithOneLine() {
        QCOMPARE(run({QStringLiteral("--nonsense")}), 2);
        QCOMPARE(m_errors.count('\n'), 1);
        QCOMPARE(run({QStringLiteral("/nowhere/at.gks"), QStringLiteral("--screenshot"),
                      m_folder.filePath(QStringLiteral("x.png"))}),
                 2);
        QVERIFY(m_errors.contains("/nowhere/at.gks"));
    }

private:
    int run(const QStringList& arguments) {
        QProcess program;
        program.start(QStringLiteral(GKS_BINARY_DIR "/bin/kernel-scientist"), arguments);
        if (!program.waitForFinished(60'000)) {
            return -1;
        }
        const QList<QByteArray> lines = program.readAllStandardError().split('\n');
        m_errors.clear();
        for (const QByteArray& line : lines) {
            if (line.startsWith("kernel-scientist:")) {
                m_errors += line + '\n';
            }
        }
        return program.exitCode();
    }
    static QAction* action(const MainWindow& window, const char* id) {
        const QList<QAction*> all = window.allActions();
        const auto found = std::find_if(all.begin(), all.end(), [id](const QAction* candidate) {
            return candidate->objectName() == QLatin1String(id);
        });
        return found == all.end() ? nullptr : *found;
    }

    std::unique_ptr<GuiTest> m_gui;
    QTemporaryDir m_folder;
    QString m_file;
    QByteArray m_errors;
};

QTEST_MAIN(LiveCampaignTest)
#include "gui_live_campaign.moc"
