// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/end_signal.h"
#include "app/workbench/main_window.h"
#include "app/workbench/window_questions.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/rules.h"
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/sample_campaign.h"
#include "widgets/code/source_editor.h"
#include "widgets/common/selection_context.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>

using namespace gks;

namespace {

// A campaign with an identity, so that text of it is kept.
class NamedBridge final : public EngineBridge {
public:
    NamedBridge(const QString& file, std::string identity)
        : EngineBridge(sample(), makeSampleCampaign().problem), m_file(file), m_identity(std::move(identity)) {
        setQueries(makeSampleCampaign().queries);
    }
    QString file() const override { return m_file; }
    bool readOnly() const override { return false; }
    std::string identity() const override { return m_identity; }
    void send(const SteeringCommand& command) override { sent().push_back(command); }
    static Commands& sent() {
        static Commands commands;
        return commands;
    }

private:
    static PopulationPtr sample() {
        auto population = std::make_shared<Population>(*makeSampleCampaign().population);
        population->kernels.editEach(
            [](Kernel& kernel) { kernel.normalizedSha256 = sha256Hex(normalizedSource(kernel.source.orNothing())); });
        return population;
    }

    QString m_file;
    std::string m_identity;
};

} // namespace

// Whatever ends the window, text that is half written is asked about or comes back.
class UnsavedTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void init() {
        m_state.emplace(TemporaryDirectory::create("state").value());
        qputenv("GKS_STATE", m_state->path().c_str());
        QVERIFY(writeFileAtomically(campaign().toStdString(), "of the bridge below"));
        m_asked.clear();
        m_kernel = false;
        m_choice = UnsavedChoice::stay;
        NamedBridge::sent().clear();
        m_window = makeWindow();
    }
    void cleanup() {
        m_window.reset();
        m_state.reset();
        GuiTest::failOnWarnings();
    }

    void stayStays_data() {
        QTest::addColumn<QString>("by");
        QTest::newRow("window") << QStringLiteral("window");
        QTest::newRow("quit") << QStringLiteral("window.quit");
        QTest::newRow("tab") << QStringLiteral("campaign.close");
    }
    void stayStays() {
        QFETCH(QString, by);
        open();
        typeKernel(QStringLiteral("int mine;\n"));
        end(by);
        QCOMPARE(m_asked, QStringList{QStringLiteral("New kernel, based on 00012")});
        QVERIFY(m_kernel);
        QVERIFY(m_window->isVisible() && view() != nullptr);
        QVERIFY(source()->text().startsWith(QStringLiteral("int mine;\n")));
        m_choice = UnsavedChoice::discard;
        end(by);
        QVERIFY(view() == nullptr);
        QCOMPARE(NamedBridge::sent(), Commands{});
        open();
        QVERIFY(source()->isReadOnly()); // it is not there any more
        m_asked.clear();
        end(by);
        QCOMPARE(m_asked, QStringList()); // nothing is typed, nothing is asked
    }

    void aKernelIsSavedAndTheRestKept() {
        open();
        typeKernel(QStringLiteral("int mine;\n"));
        typePrompt();
        m_choice = UnsavedChoice::saveAsKernel;
        QVERIFY(m_window->close());
        QCOMPARE(m_asked, QStringList({QStringLiteral("New kernel, based on 00012"),
                                       QStringLiteral("Edited prompt: designer")}));
        QCOMPARE(NamedBridge::sent().size(), std::size_t(1));
        const auto* add = std::get_if<command::AddKernel>(&NamedBridge::sent().front());
        QVERIFY(add != nullptr && add->basis == 12 && add->source.starts_with("int mine;\n"));
        open();
        QVERIFY(source()->isReadOnly());
        QVERIFY(find<QLabel>("promptUnsavedNotice")->isVisible()); // its page is in front
    }

    // The engine would refuse it, and nothing else has the text.
    void whatIsNoNewKernelIsNotSavedAsOne() {
        open();
        typeKernel(QStringLiteral("// only a comment\n"));
        QTest::mouseClick(find<QPushButton>("kernelEditSubmit"), Qt::LeftButton);
        QCOMPARE(NamedBridge::sent(), Commands{});
        QVERIFY(find<QLabel>("kernelEditRefusal")->isVisible());
        QVERIFY(!source()->isReadOnly());
        end(QStringLiteral("window"));
        QVERIFY(!m_kernel);
        m_choice = UnsavedChoice::discard;
        QVERIFY(m_window->close());
    }

    // Text that is sent when the focus leaves its form is sent.
    void anEditIsSent() {
        open();
        view()->showPanel(QStringLiteral("findings"));
        QTRY_VERIFY(find<QPlainTextEdit>("findingText")->isVisible());
        find<QPlainTextEdit>("findingText")->setFocus();
        QTest::keyClicks(find<QPlainTextEdit>("findingText"), QStringLiteral("more "));
        QVERIFY(m_window->close());
        QCOMPARE(m_asked, QStringList());
        QCOMPARE(NamedBridge::sent().size(), std::size_t(1));
        QVERIFY(std::holds_alternative<command::EditFinding>(NamedBridge::sent().front()));
    }

    void sigtermKeepsEveryText() {
        const EndSignal end;
        connect(&end, &EndSignal::asked, m_window.get(), &MainWindow::endAsAsked);
        open();
        typeKernel(QStringLiteral("int mine;\n"));
        typePrompt();
        action("experiment.add")->trigger();
        QTest::keyClicks(find<QPlainTextEdit>("experimentDescription"), QStringLiteral("wider loads"));
        action("finding.add")->trigger();
        QTest::keyClicks(find<QPlainTextEdit>("findingText"), QStringLiteral("loads matter"));
        QVERIFY(::raise(SIGTERM) == 0);
        QTRY_VERIFY(view() == nullptr);
        QCOMPARE(m_asked, QStringList()); // nobody may be there to answer
        QCOMPARE(NamedBridge::sent(), Commands{});
        m_window = makeWindow();
        open();
        QVERIFY(source()->text().startsWith(QStringLiteral("int mine;\n")) && !source()->isReadOnly());
        QVERIFY(find<QLabel>("kernelUnsavedNotice")->text().contains(QStringLiteral("restored")));
        QCOMPARE(find<QPlainTextEdit>("experimentDescription")->toPlainText(), QStringLiteral("wider loads"));
        view()->showPanel(QStringLiteral("findings"));
        QTRY_COMPARE(find<QPlainTextEdit>("findingText")->toPlainText(), QStringLiteral("loads matter"));
        view()->showPanel(QStringLiteral("prompts"));
        QTRY_VERIFY(find<QPlainTextEdit>("promptText")->toPlainText().startsWith(QStringLiteral("Mine. ")));
        QVERIFY(find<QLabel>("promptUnsavedNotice")->isVisible());
    }

    // A dialog before the window is no other place: what is typed in it comes back when it is opened again.
    void sigtermKeepsTheTextOfADialog() {
        const EndSignal end;
        connect(&end, &EndSignal::asked, m_window.get(), &MainWindow::endAsAsked);
        open();
        QTimer::singleShot(0, this, [&] { // the dialog may have a loop of its own
            find<QPlainTextEdit>("campaignHint")->setPlainText(QStringLiteral("look at the loads"));
            QVERIFY(::raise(SIGTERM) == 0);
        });
        action("run.settings")->trigger();
        QTRY_VERIFY(view() == nullptr);
        QCOMPARE(m_asked, QStringList());
        QCOMPARE(NamedBridge::sent(), Commands{});
        m_window = makeWindow();
        open();
        QVERIFY(find<QLabel>("settingsUnsavedNotice")->isVisible());
        QTimer::singleShot(0, this, [&] {
            QCOMPARE(find<QPlainTextEdit>("campaignHint")->toPlainText(), QStringLiteral("look at the loads"));
            find<QPushButton>("campaignCancel")->click();
        });
        action("run.settings")->trigger();
        QTRY_VERIFY(!find<QLabel>("settingsUnsavedNotice")->isVisible()); // given up by the person
        QVERIFY(m_window->close());
        QCOMPARE(m_asked, QStringList());
    }

    // No signal, no question: the process is gone a moment after the last key.
    void aKillKeepsIt() {
        open();
        typeKernel(QStringLiteral("int mine;\n"));
        const auto folder = m_state->path() / "unsaved";
        QTRY_VERIFY(std::filesystem::exists(folder) && !std::filesystem::is_empty(folder));
        const auto file = std::filesystem::directory_iterator(folder)->path();
        QTRY_VERIFY(readFile(file).value_or("").find("int mine;") != std::string::npos);
        auto left = m_window.release(); // as if it were killed: nothing of it is asked or written any more
        m_window = makeWindow();
        open();
        QVERIFY(source()->text().startsWith(QStringLiteral("int mine;\n")));
        m_window.reset(left);
        m_choice = UnsavedChoice::discard;
    }

    void whatCannotBeKeptIsSaid() {
        const auto state = m_state->path() / "state";
        QVERIFY(writeFileAtomically(state, "a file where the folder should be"));
        qputenv("GKS_STATE", state.c_str());
        open();
        typeKernel(QStringLiteral("int mine;\n"));
        QTRY_COMPARE(view()->bridge().warnings().size(), std::size_t{1});
        const std::string warning = view()->bridge().warnings().front().error.message();
        QVERIFY2(warning.find("unsaved text is not kept") != std::string::npos, warning.c_str());
        m_choice = UnsavedChoice::discard;
    }

    // An edit waits for the finding that it belongs to.
    void anEditWaitsForItsForm() {
        const EndSignal end;
        connect(&end, &EndSignal::asked, m_window.get(), &MainWindow::endAsAsked);
        open();
        view()->showPanel(QStringLiteral("experiments"));
        auto* rubric = find<QPlainTextEdit>("experimentRubric");
        const auto& all = view()->bridge().population()->experiments;
        const auto proposed = std::find_if(all.begin(), all.end(), mayBeEdited);
        QVERIFY(proposed != all.end());
        view()->selection().setExperiment(proposed->id);
        QTRY_VERIFY(rubric->isVisible() && !rubric->isReadOnly());
        const QString before = rubric->toPlainText();
        rubric->setFocus();
        QTest::keyClicks(rubric, QStringLiteral("First: "));
        QVERIFY(rubric->toPlainText() != before);
        QVERIFY(::raise(SIGTERM) == 0);
        QTRY_VERIFY(view() == nullptr);
        m_window = makeWindow();
        open();
        QTRY_COMPARE(find<QPlainTextEdit>("experimentRubric")->toPlainText(), QStringLiteral("First: ") + before);
        QVERIFY(find<QLabel>("experimentUnsavedNotice")->isVisible());
    }

    void aCopyHasItsOwnAndAMovedFileTakesItAlong() {
        open();
        typeKernel(QStringLiteral("int mine;\n"));
        m_choice = UnsavedChoice::keep;
        QVERIFY(m_window->close());
        const QString other = folder(QStringLiteral("other.gks"));
        QVERIFY(QFile::copy(campaign(), other));
        open(other); // the same identity, and the origin is where it was
        QVERIFY(source()->isReadOnly());
        QVERIFY(m_window->close());
        QVERIFY(QFile::remove(campaign()));
        open(other);
        QVERIFY(source()->text().startsWith(QStringLiteral("int mine;\n")));
    }

    void theQuestion_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<int>("choice");
        QTest::newRow("save") << QStringLiteral("unsavedSaveKernel") << static_cast<int>(UnsavedChoice::saveAsKernel);
        QTest::newRow("keep") << QStringLiteral("unsavedKeep") << static_cast<int>(UnsavedChoice::keep);
        QTest::newRow("discard") << QStringLiteral("unsavedDiscard") << static_cast<int>(UnsavedChoice::discard);
        QTest::newRow("stay") << QStringLiteral("unsavedStay") << static_cast<int>(UnsavedChoice::stay);
        QTest::newRow("enter") << QString() << static_cast<int>(UnsavedChoice::stay); // no answer by accident
    }
    void theQuestion() {
        QFETCH(QString, button);
        QFETCH(int, choice);
        QString shown;
        QStringList unnamed;
        QTimer::singleShot(0, this, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            shown = box->text();
            unnamed = GuiTest::unnamedWidgets(box);
            if (button.isEmpty()) {
                QTest::keyClick(box, Qt::Key_Return);
            } else {
                box->findChild<QPushButton*>(button)->click();
            }
        });
        QCOMPARE(static_cast<int>(askUnsaved(nullptr, {QStringLiteral("New kernel, based on <b>00012</b>")}, true)),
                 choice);
        QVERIFY(shown.contains(QStringLiteral("New kernel, based on <b>00012</b>")));
        QVERIFY2(unnamed.isEmpty(), qPrintable(unnamed.join(QLatin1Char('\n'))));
    }

private:
    std::unique_ptr<MainWindow> makeWindow() {
        WindowSeams seams;
        seams.askClosing = [](QWidget*) { return ClosingChoice::pause; };
        seams.open = [](const QString& file, CampaignStore::Access, QObject*,
                        const std::function<void(Result<EngineBridge*>)>& opened) {
            opened(static_cast<EngineBridge*>(new NamedBridge(file, "campaign 1")));
        };
        seams.askUnsaved = [this](QWidget*, const QStringList& texts, bool kernel) {
            m_asked = texts;
            m_kernel = kernel;
            return m_choice;
        };
        auto window = std::make_unique<MainWindow>(std::move(seams));
        window->show();
        return window;
    }
    CampaignView* view() const { return m_window->currentView(); }
    QString folder(const QString& name) const {
        return QString::fromStdString((m_state->path() / name.toStdString()).string());
    }
    QString campaign() const { return folder(QStringLiteral("sample.gks")); }
    void open() { open(campaign()); }
    void open(const QString& file) {
        m_window->show();
        m_window->openCampaign(file);
        if (!QTest::qWaitFor([this] { return view() != nullptr && view()->isSettled(); })) {
            qFatal("the campaign does not come to rest");
        }
    }
    void end(const QString& by) {
        if (by == QLatin1String("window")) {
            m_window->close();
        } else {
            action(by.toLatin1().constData())->trigger();
        }
    }
    void typeKernel(const QString& text) {
        view()->selection().requestEdit(12);
        QTRY_VERIFY(!source()->isReadOnly());
        source()->insertAt(text, 0, 0);
    }
    void typePrompt() {
        view()->showPanel(QStringLiteral("prompts"));
        auto* text = find<QPlainTextEdit>("promptText");
        QTRY_VERIFY(!text->toPlainText().isEmpty());
        auto* list = find<QListWidget>("promptList");
        list->setCurrentItem(list->findItems(QStringLiteral("designer"), Qt::MatchContains).front());
        QTest::keyClicks(text, QStringLiteral("Mine. "));
    }
    SourceEditor* source() const { return find<SourceEditor>("kernelSource"); }
    template<class W>
    W* find(const char* name) const {
        W* found = m_window->findChild<W*>(QLatin1String(name));
        if (found == nullptr) {
            qFatal("no %s", name);
        }
        return found;
    }
    QAction* action(const char* id) const { return GuiTest::actionIn(m_window->allActions(), id); }

    std::unique_ptr<GuiTest> m_gui;
    std::optional<TemporaryDirectory> m_state;
    std::unique_ptr<MainWindow> m_window;
    UnsavedChoice m_choice = UnsavedChoice::stay;
    QStringList m_asked;
    bool m_kernel = false;
};

QTEST_MAIN(UnsavedTest)
#include "gui_unsaved.moc"
