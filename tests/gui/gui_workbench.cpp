// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "app/workbench/screenshot.h"
#include "app/workbench/trust_dialog.h"
#include "core/base/files.h"
#include "core/base/locations.h"
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "widgets/charts/roofline_plot.h"
#include "widgets/code/source_editor.h"
#include "widgets/common/actions.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/settings.h"
#include "widgets/conversation/person_dialog.h"
#include "widgets/help/help_window.h"
#include "widgets/lineage/lineage_view.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QUrl>
#include <future>
#include <memory>

using namespace gks;

// Drives the real window, by object names, with the sample campaign and a bridge that writes down what was commanded.
class WorkbenchTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }

    void init() {
        m_closing = ClosingChoice::cancel;
        m_asked = 0;
        m_trust = false;
        m_trustAsked.clear();
        m_window = std::make_unique<MainWindow>(WindowSeams{
            [](QWidget*) { return QStringLiteral("/campaigns/broken.gks"); },
            [this](QWidget*) {
                ++m_asked;
                return m_closing;
            },
            [] { return CampaignChoices(); },
            [](const QString& file, CampaignStore::Access, QObject*,
               const std::function<void(Result<EngineBridge*>)>& opened) {
                if (file.contains(QLatin1String("broken"))) {
                    opened(usageError("not a campaign", file.toStdString(), "Choose a .gks file."));
                } else {
                    opened(static_cast<EngineBridge*>(new RecordingBridge(file)));
                }
            },
            [] { return Result<QString>(QStringLiteral("/campaigns/demo.gks")); },
            [this](QWidget*, const QString& file, const std::vector<TrustQuestion>& questions) {
                m_trustAsked.append(file + QLatin1Char(' ') + QString::fromStdString(questions.front().server));
                return m_trust;
            },
            {},
            {},
            [] { return Result<QString>(QStringLiteral("/campaigns/sample-h200.gks")); }});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() {
        m_window.reset();
        GuiTest::failOnWarnings();
    }

    void aCampaignThatCannotBeOpenedIsExplained() {
        m_window->findChild<QWidget*>(QStringLiteral("startOpen"))->setFocus();
        QTest::keyClick(find<QWidget>("startOpen"), Qt::Key_Space);
        auto* error = find<QWidget>("startError");
        QTRY_VERIFY(error->isVisible());
        QString shown;
        for (const QLabel* label : error->findChildren<QLabel*>()) {
            shown += label->text() + QLatin1Char('\n');
        }
        QCOMPARE(shown, QStringLiteral("/campaigns/broken.gks: not a campaign\nChoose a .gks file.\n"));
    }

    void theDemoIsOneKeyAway() {
        find<QWidget>("startDemo")->setFocus();
        QTest::keyClick(find<QWidget>("startDemo"), Qt::Key_Space);
        QTRY_VERIFY(view() != nullptr);
        QCOMPARE(view()->bridge().file(), QStringLiteral("/campaigns/demo.gks"));
        EngineBridge& demo = view()->bridge();
        QTRY_COMPARE(demo.state(), EngineState::running);
        demo.send(command::Stop{});
        QTRY_COMPARE(demo.state(), EngineState::idle);
        GuiTest::actionIn(m_window->allActions(), "campaign.demo")->trigger(); // its tab is open, and it runs again
        QTRY_COMPARE(demo.state(), EngineState::running);
        QCOMPARE(&view()->bridge(), &demo);
    }

    void theSampleIsShownTheFirstTimeAndThenWhatWasOpen() {
        Settings::instance().set(settings::startedBefore, false);
        Settings::instance().set(settings::recentCampaigns, {});
        m_window->beginSession();
        QTRY_VERIFY(view() != nullptr);
        QCOMPARE(view()->bridge().file(), QStringLiteral("/campaigns/sample-h200.gks"));
        Settings::instance().set(settings::openCampaigns, {QStringLiteral("/nowhere/gone.gks"), existingFile()});
        m_window->beginSession(); // as a second start
        QTRY_COMPARE(view()->bridge().file(), existingFile());
        QCOMPARE(find<QTabWidget>("campaignTabs")->count(), 2); // what is gone is not asked for
        QCOMPARE(Settings::instance().value(settings::openCampaigns).last(), existingFile());
    }

    void menusStandInTheUsualOrder() {
        open();
        QStringList names;
        for (const QAction* menu : m_window->menuBar()->actions()) {
            names.append(menu->text().remove(QLatin1Char('&')));
        }
        QCOMPARE(names.mid(0, 3),
                 (QStringList{QStringLiteral("File"), QStringLiteral("Edit"), QStringLiteral("View")}));
        QCOMPARE(names.last(), QStringLiteral("Help"));
    }

    void recentCampaignsAreInTheMenuAndMissingOnesAreGrey() {
        Settings::instance().set(settings::recentCampaigns, {QStringLiteral("/nowhere/a&b.gks"), existingFile()});
        auto* menu = find<QMenu>("recentMenu");
        Q_EMIT menu->aboutToShow();
        QTRY_VERIFY(!menu->actions().at(0)->isEnabled());
        QVERIFY(menu->actions().at(0)->text().contains(QLatin1String("a&&b"))); // a letter, no mnemonic
        QVERIFY(menu->actions().at(1)->isEnabled());
        menu->actions().at(1)->trigger();
        QTRY_VERIFY(view() != nullptr);
        QCOMPARE(view()->bridge().file(), existingFile());
        menu->actions().last()->trigger(); // cleared
        QVERIFY(Settings::instance().value(settings::recentCampaigns).isEmpty());
        QVERIFY(!menu->actions().at(0)->isEnabled());
    }

    void aCampaignThatIsDroppedIsOpened() {
        drop(m_window.get(), {QStringLiteral("/campaigns/dropped.gks")});
        QTRY_VERIFY(view() != nullptr);
        QCOMPARE(view()->bridge().file(), QStringLiteral("/campaigns/dropped.gks"));
    }

    // Also on the text field, which would paste its name.
    void aKernelThatIsDroppedIsEdited() {
        RecordingBridge& bridge = open();
        const QString file = write("mine <b>.hip", "int mine;\n");
        view()->showPanel(QStringLiteral("kernel"));
        auto* source = find<SourceEditor>("kernelSource");
        drop(source, {file});
        QTRY_COMPARE(source->text(), QStringLiteral("int mine;\n"));
        QCOMPARE(find<QLineEdit>("kernelEditTitle")->text(), QStringLiteral("mine <b>"));
        drop(source, {file}); // nothing that is typed is lost
        QTRY_VERIFY(find<QLabel>("kernelEditRefusal")->isVisible());
        QTest::mouseClick(find<QPushButton>("kernelEditSubmit"), Qt::LeftButton);
        QCOMPARE(bridge.takeCommands(), Commands({command::AddKernel{12, "mine <b>", "int mine;\n"}}));
    }

    void theCodeOfAnExperimentIsWrittenOnTheKernelPage() {
        open();
        auto* experiments = view()->panel(QStringLiteral("experiments"));
        QVERIFY(QMetaObject::invokeMethod(experiments, "codeRequested", Q_ARG(qint64, 7),
                                          Q_ARG(QString, QStringLiteral("pad the rows"))));
        QCOMPARE(view()->selection().primary(), std::optional<KernelId>(7));
        QVERIFY(find<QLineEdit>("kernelEditTitle")->isVisible());
        QCOMPARE(find<QLineEdit>("kernelEditTitle")->text(), QStringLiteral("pad the rows"));
        QTest::mouseClick(find<QPushButton>("kernelEditDiscard"), Qt::LeftButton);
    }

    void kernelsThatAreDroppedOnTheStartPageBeginACampaign() {
        drop(m_window.get(), {write("one.hip", "int one;\n"), write("two.hip", "int two;\n")});
        QTRY_VERIFY(m_window->findChild<NewCampaignDialog*>() != nullptr);
        auto* dialog = m_window->findChild<NewCampaignDialog*>();
        QCOMPARE(dialog->findChild<QListWidget*>(QStringLiteral("newSeeds"))->count(), 2);
        dialog->reject();
    }

    void aPackThatIsDroppedBeginsACampaign() {
        drop(m_window.get(), {QString::fromStdString((resourceFolder() / "problems" / "row-softmax").string())});
        QTRY_VERIFY(m_window->findChild<NewCampaignDialog*>() != nullptr);
        auto* dialog = m_window->findChild<NewCampaignDialog*>();
        auto* problems = dialog->findChild<QListWidget*>(QStringLiteral("newProblems"));
        QTRY_COMPARE(problems->count(), 1);
        QCOMPARE(dialog->settings().problem, std::string("row-softmax"));
        dialog->reject();
    }

    void whatIsDroppedAndCannotBeTakenIsExplained() {
        drop(m_window.get(), {write("huge.hip", std::string(2 << 20, 'x'))});
        QTRY_VERIFY(find<QWidget>("startError")->isVisible());
        QVERIFY(m_window->findChild<NewCampaignDialog*>() == nullptr);
        drop(m_window.get(), {m_files.path()}); // a folder without a pack
        QTRY_VERIFY(find<QWidget>("startError")
                        ->findChildren<QLabel*>()
                        .front()
                        ->text()
                        .contains(QLatin1String("neither problem.toml nor harness.toml")));
    }

    // With a campaign in front a message says it, and of what.
    void whatIsDroppedGivesTheMessageItsTitle() {
        open();
        for (const auto& [path, title] : {std::pair{write("huge.hip", std::string(2 << 20, 'x')), "Cannot open kernel"},
                                          {m_files.path(), "Cannot open what was dropped"}}) {
            QString shown;
            QTimer closer;
            connect(&closer, &QTimer::timeout, this, [&] {
                if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                    shown = box->windowTitle();
                    box->accept();
                }
            });
            closer.start(10);
            drop(m_window.get(), {path});
            QTRY_COMPARE(shown, QLatin1String(title));
        }
    }

    void theManualOpensAtWhatIsInFront() {
        open();
        view()->showPanel(QStringLiteral("findings"));
        find<QWidget>("findingList")->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        const auto* help = find<HelpWindow>("helpWindow");
        QTRY_VERIFY(help->isVisible());
        QCOMPARE(help->findChild<QTreeWidget*>(QStringLiteral("helpContents"))->currentItem()->text(0),
                 QStringLiteral("Findings"));
    }

    void aForkOpensInATabOfItsOwn() {
        open();
        const CampaignView* before = view();
        view()->selection().requestCampaign(QStringLiteral("/campaigns/forked.gks")); // as the menu of a kernel does
        QTRY_VERIFY(view() != before);
        QCOMPARE(view()->bridge().file(), QStringLiteral("/campaigns/forked.gks"));
    }

    void twoKernelsAreMeasuredFromTheKeyboard() {
        RecordingBridge& bridge = open();
        if (!action("lineage.canvas")->isChecked()) {
            action("lineage.canvas")->trigger();
        }
        find<LineageView>("lineageCanvas")->setFocus();
        view()->selection().setPair(12, 7);
        QTest::keyClick(find<LineageView>("lineageCanvas"), Qt::Key_M);
        QCOMPARE(bridge.takeCommands(), (Commands{command::MeasureSideBySide{12, 7, true}}));
        QTRY_VERIFY(find<QToolButton>("compare.measure.button")->isVisible()); // the page that shows what comes of it
    }

    void kernelsAreComparedFromTheKeyboard() {
        open();
        if (!action("lineage.canvas")->isChecked()) {
            action("lineage.canvas")->trigger();
        }
        view()->selection().setPair(12, 4); // Ctrl+click
        find<LineageView>("lineageCanvas")->setFocus();
        QTest::keyClick(find<LineageView>("lineageCanvas"), Qt::Key_A);
        view()->selection().select(7);
        find<LineageView>("lineageCanvas")->setFocus();
        QTest::keyClick(find<LineageView>("lineageCanvas"), Qt::Key_A);
        QCOMPARE(view()->selection().compared(), (std::vector<KernelId>{4, 12, 7}));
        auto* table = find<QTableView>("comparisonTable");
        QTRY_VERIFY(table->isVisible() && table->model()->columnCount() == 4);
        table->setFocus();
        QTRY_VERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_Right);
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(view()->selection().compared(), (std::vector<KernelId>{4, 7}));
        QTRY_COMPARE(table->model()->columnCount(), 3);
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("group,name,kernel,")));
    }

    void kernelsAreSelectedByKeyboardAndPinned() {
        RecordingBridge& bridge = open();
        if (!action("lineage.canvas")->isChecked()) {
            action("lineage.canvas")->trigger();
        }
        auto* canvas = find<LineageView>("lineageCanvas");
        canvas->setFocus();
        QTRY_VERIFY(canvas->hasFocus());
        QCOMPARE(view()->selection().primary(), std::optional<KernelId>(12)); // the best one, to begin with
        QTest::keyClick(canvas, Qt::Key_Left);
        QCOMPARE(view()->selection().primary(), std::optional<KernelId>(7));
        QTest::keyClick(canvas, Qt::Key_P);
        QCOMPARE(bridge.takeCommands(), Commands{command::PinParent{7}});
        QTest::keyClick(canvas, Qt::Key_B);
        QCOMPARE(bridge.takeCommands(), Commands({command::SetBanned{7, true}}));
        QTest::keyClick(canvas, Qt::Key_Space);
        QCOMPARE(view()->selection().second(), std::optional<KernelId>(4));
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QVERIFY(!view()->selection().second());
    }

    void tableAndPictureShareSearchAndSelection() {
        open();
        if (!action("lineage.table")->isChecked()) {
            action("lineage.table")->trigger();
        }
        auto* table = find<QTreeView>("lineageTable");
        QTRY_VERIFY(table->isVisible());
        QTRY_COMPARE(table->currentIndex().data().toString(), QStringLiteral("00012")); // is sorted beside the window
        auto* search = find<QLineEdit>("lineageSearch");
        action("lineage.search")->trigger();
        QTRY_VERIFY(search->hasFocus());
        QTest::keyClicks(search, QStringLiteral("build failed"));
        QTRY_COMPARE(find<QLabel>("lineageFound")->text(), QStringLiteral("1 kernel"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(view()->selection().primary(), std::optional<KernelId>(8));
        QTRY_COMPARE(table->currentIndex().data().toString(), QStringLiteral("00008"));
        action("lineage.table")->trigger();
        QTRY_VERIFY(find<QWidget>("lineageOutline")->isVisible());
    }

    void theRunIsSteered() {
        RecordingBridge& bridge = open();
        QVERIFY(!action("run.pause")->isEnabled());
        QTest::mouseClick(find<QToolButton>("run.start.button"), Qt::LeftButton);
        QCOMPARE(bridge.takeCommands(), Commands{command::Start{}});
        QTRY_VERIFY(action("run.pause")->isEnabled());
        QVERIFY(!action("run.start")->isEnabled());
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(bridge.takeCommands(), Commands{command::Pause{}});
        QTRY_VERIFY(action("run.start")->isEnabled());
        auto* budget = find<QSpinBox>("budgetEvaluations");
        QTRY_COMPARE(budget->value(), 40);
        budget->setFocus();
        budget->selectAll();
        QTest::keyClicks(budget, QStringLiteral("64"));
        QTest::keyClick(budget, Qt::Key_Return);
        QCOMPARE(bridge.takeCommands(), Commands({command::SetBudgets{{64, 120, 5, 0, 0}}}));
    }

    void closingARunningCampaignAsksOnce() {
        RecordingBridge& bridge = open();
        bridge.send(command::Start{});
        bridge.flush();
        bridge.takeCommands();
        QVERIFY(!m_window->close());
        QCOMPARE(m_asked, 1);
        QVERIFY(view() != nullptr);
        m_closing = ClosingChoice::pause;
        QVERIFY(m_window->close());
        QCOMPARE(m_asked, 2);
        QCOMPARE(RecordingBridge::lastCommands(), Commands{command::Stop{}});
    }

    void whatTheFileNamesIsAsked() {
        RecordingBridge& bridge = open();
        bridge.takeCommands();
        TrustAsked asked;
        asked.questions = {{TrustKind::server, "http://a.example/v1", "A_KEY", {}, {}}};
        bridge.post(asked); // when it is opened
        QTRY_COMPARE(m_trustAsked.size(), 1);
        QVERIFY(m_trustAsked.front().endsWith(QStringLiteral(" http://a.example/v1")));
        QCOMPARE(bridge.trusted(), 0); // not now
        QCOMPARE(bridge.takeCommands(), Commands{});
        asked.startRefused = true;
        m_trust = true;
        bridge.post(asked);
        QTRY_COMPARE(m_trustAsked.size(), 2);
        QCOMPARE(bridge.trusted(), 1);
        QCOMPARE(bridge.takeCommands(), Commands{command::Start{}});
    }

    void theQuestionShowsServerVariableAndFolder() {
        const std::string folder = "/packs/<b>mine</b>";
        TrustDialog dialog(QStringLiteral("/campaigns/a.gks"),
                           {{TrustKind::server, "http://127.0.0.1:8080/v1", "ANTHROPIC_API_KEY", {}, {}},
                            {TrustKind::pack, {}, {}, folder, std::string(64, 'a')}});
        dialog.show();
        const auto text = [&](const char* name) { return dialog.findChild<QLabel*>(QLatin1String(name))->text(); };
        QCOMPARE(text("trustServer"), QStringLiteral("http://127.0.0.1:8080/v1"));
        QCOMPARE(text("trustVariable"), QStringLiteral("ANTHROPIC_API_KEY"));
        QCOMPARE(text("trustFolder"), QString::fromStdString(folder));
        for (const QLabel* label : dialog.findChildren<QLabel*>()) {
            QVERIFY(label->textFormat() == Qt::PlainText || label->buddy() != nullptr || !label->text().contains(u'<'));
        }
        TrustDialog local(QStringLiteral("/campaigns/a.gks"),
                          {{TrustKind::command, {}, "A_KEY", {}, {}, "sh -c 'rm <b>*</b>'"},
                           {TrustKind::folder, {}, {}, folder, {}, {}}});
        const auto shown = [&](const char* name) { return local.findChild<QLabel*>(QLatin1String(name))->text(); };
        QCOMPARE(shown("trustCommand"), QStringLiteral("sh -c 'rm <b>*</b>'"));
        QVERIFY(shown("trustProgram").endsWith(QStringLiteral("/sh")));
        QCOMPARE(shown("trustVariable"), QStringLiteral("A_KEY"));
        QCOMPARE(shown("trustFolder"), QString::fromStdString(folder));
        QVERIFY(GuiTest::unnamedWidgets(&local).isEmpty());
        QVERIFY(GuiTest::unnamedWidgets(&dialog).isEmpty());
        QTest::keyClick(&dialog, Qt::Key_Return); // no answer by accident
        QVERIFY(!dialog.isVisible());
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Rejected));
        dialog.show();
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("trustAccept")), Qt::LeftButton);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
    }

    void everyInteractiveWidgetHasNames() {
        open();
        QTRY_VERIFY(view()->isSettled());
        const QStringList unnamed = GuiTest::unnamedWidgets(m_window.get());
        QVERIFY2(unnamed.isEmpty(), qPrintable(unnamed.join(QLatin1Char('\n'))));
    }

    void noShortcutIsUsedTwice() {
        open();
        const QStringList conflicts = shortcutConflicts(m_window->allActions());
        QVERIFY2(conflicts.isEmpty(), qPrintable(conflicts.join(QLatin1Char('\n'))));
        QAction twin(QStringLiteral("twin"));
        twin.setShortcut(QKeySequence(Qt::Key_F5));
        QCOMPARE(shortcutConflicts(m_window->allActions() + QList<QAction*>{&twin}).size(), 1);
    }

    void thePaletteListsEveryActionAndRunsIt() {
        RecordingBridge& bridge = open();
        action("window.commands")->trigger();
        auto* palette = find<CommandPalette>("commandPalette");
        QCOMPARE(palette->visibleCount(), m_window->allActions().size());
        for (const QMenu* menu : m_window->findChildren<QMenu*>()) {
            if (menu->objectName() == QLatin1String("recentMenu")) {
                continue; // files, which the start page lists too
            }
            for (QAction* entry : menu->actions()) {
                QVERIFY2(entry->isSeparator() || entry->menu() != nullptr || m_window->allActions().contains(entry),
                         qPrintable(entry->text()));
            }
        }
        auto* search = find<QLineEdit>("commandSearch");
        QTest::keyClicks(search, QStringLiteral("run step"));
        QCOMPARE(palette->visibleCount(), 1);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(bridge.takeCommands(), Commands{command::Step{}});
    }

    void docksComeBack() {
        open();
        auto* dock = find<QDockWidget>("activity");
        dock->close();
        QVERIFY(!dock->isVisible());
        QVERIFY(!action("dock.activity")->isChecked());
        action("campaign.close")->trigger();
        QVERIFY(view() == nullptr);
        open();
        QVERIFY(!find<QDockWidget>("activity")->isVisible());
        action("view.reset")->trigger();
        QTRY_VERIFY(find<QDockWidget>("activity")->isVisible());
    }

    void everyPageIsReachedAndComesToRest() {
        open();
        auto* pages = find<QTabWidget>("pages");
        QStringList reached;
        for (int page = 0; page < pages->count(); ++page) {
            const QString id = view()->panelIds().at(page + 1); // behind the lineage, in the order of the tabs
            action(qPrintable(QStringLiteral("page.") + id))->trigger();
            QCOMPARE(pages->currentIndex(), page);
            QCOMPARE(pages->currentWidget(), static_cast<QWidget*>(view()->panel(id)));
            QTRY_VERIFY(view()->isSettled());
            reached.append(id);
        }
        for (const char* wanted : {"conversation", "findings", "knowledge", "prompts", "calibration", "spend"}) {
            QVERIFY2(reached.contains(QLatin1String(wanted)), wanted);
        }
        action("window.theme")->trigger(); // every page is drawn anew
        QTRY_VERIFY(view()->isSettled());
        action("window.theme")->trigger();
    }

    void aMarkUnderTheRoofSelectsItsKernel() {
        open();
        action("page.roofline")->trigger();
        QTRY_VERIFY(view()->isSettled());
        auto* plot = find<RooflinePlot>("rooflinePlot");
        const KernelId selected = plot->table().kernel;
        const auto& points = plot->table().rows.at(0).points;
        QVERIFY(points.size() > 1);
        const KernelId other = *points.back().kernel;
        QVERIFY(other != selected);
        QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier,
                          plot->placeOf(RooflinePlot::Hit{0, points.size() - 1}).toPoint());
        QTRY_COMPARE(plot->table().kernel, other);
    }

    // Where every decision says whether it can be undone; a count of warnings says nothing.
    void anUndoThatIsRefusedIsExplained() {
        RecordingBridge& bridge = open();
        action("history.undo")->trigger();
        QTRY_VERIFY(find<QLabel>("historyRefusal")->isVisible());
        QVERIFY(!find<QLabel>("historyRefusal")->text().isEmpty());
        QVERIFY(bridge.takeCommands().empty() && bridge.warnings().empty());
    }

    void thePersonIsAskedBesideTheWindow() {
        RecordingBridge& bridge = open();
        auto* dialog = find<PersonDialog>("personDialog");
        QVERIFY(!dialog->isVisible());
        auto answer = std::async(std::launch::async, [desk = bridge.desk()] {
            ChatRequest request;
            request.messages = {{"user", "Choose a kernel."}};
            return desk->ask("selector", request, {});
        });
        QTRY_VERIFY(dialog->isVisible());
        action("page.findings")->trigger(); // the window goes on
        QTRY_VERIFY(view()->panel(QStringLiteral("findings"))->isVisible());
        find<QPlainTextEdit>("personReply")->setPlainText(QStringLiteral("{}"));
        find<QPushButton>("personAnswer")->click();
        QCOMPARE(answer.get().value(), std::string("{}"));
        QTRY_VERIFY(!dialog->isVisible());
    }

    void twoCampaignsAreTwoTabs() {
        open();
        m_window->openCampaign(QStringLiteral("/campaigns/other.gks"));
        auto* tabs = find<QTabWidget>("campaignTabs");
        QCOMPARE(tabs->count(), 2);
        m_window->openCampaign(QStringLiteral("/campaigns/sample.gks"));
        QCOMPARE(tabs->count(), 2); // it was open already
        QCOMPARE(view()->title(), QStringLiteral("sample"));
    }

    void picturesAreDrawn() {
        open();
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("window.png"));
        QVERIFY(takeScreenshot(*m_window, {}, true, QSize(1280, 800), file).has_value());
        QCOMPARE(QImage(file).size(), QSize(1280, 800));
        const auto unknown = takeScreenshot(*m_window, QStringLiteral("nowhere"), false, QSize(400, 300), file);
        QVERIFY(!takeScreenshot(*m_window, QStringLiteral("nowhere"), true, QSize(400, 300), file));
        QVERIFY(!unknown && unknown.error().kind == ErrorKind::usage);
        QVERIFY(takeScreenshot(*m_window, QStringLiteral("lineage"), false, QSize(400, 300), file).has_value());
        QCOMPARE(QImage(file).size(), QSize(400, 300));
        // Its form is asked for unsaved text when the window ends.
        QVERIFY(takeScreenshot(*m_window, QStringLiteral("findings"), false, QSize(400, 300), file).has_value());
        m_window.reset();
    }

private:
    QString write(const char* name, const std::string& content) {
        const QString path = m_files.filePath(QLatin1String(name));
        if (!writeFileAtomically(path.toStdString(), content)) {
            qFatal("cannot write %s", name);
        }
        return path;
    }
    QString existingFile() { return write("there.gks", "x"); }
    static void drop(QWidget* target, const QStringList& files) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& file : files) {
            urls.append(QUrl::fromLocalFile(file));
        }
        data.setUrls(urls);
        data.setText(QStringLiteral("file names as text"));
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &enter); // says who gets what is dropped
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &event);
        QVERIFY(event.isAccepted());
    }
    QTemporaryDir m_files;
    template<class W>
    W* find(const char* name) const {
        W* found = m_window->findChild<W*>(QLatin1String(name));
        if (found == nullptr) {
            qFatal("no %s", name);
        }
        return found;
    }
    CampaignView* view() const { return m_window->currentView(); }
    RecordingBridge& open() {
        m_window->openCampaign(QStringLiteral("/campaigns/sample.gks"));
        if (!QTest::qWaitFor([this] { return view()->isSettled(); })) {
            qFatal("the campaign does not come to rest");
        }
        return static_cast<RecordingBridge&>(view()->bridge());
    }
    QAction* action(const char* id) const { return GuiTest::actionIn(m_window->allActions(), id); }

    std::unique_ptr<GuiTest> m_gui;
    std::unique_ptr<MainWindow> m_window;
    ClosingChoice m_closing = ClosingChoice::cancel;
    bool m_trust = false;
    QStringList m_trustAsked;
    int m_asked = 0;
};

QTEST_MAIN(WorkbenchTest)
#include "gui_workbench.moc"
