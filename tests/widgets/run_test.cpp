// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/shape_scales.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/scripted_server.h"
#include "widgets/common/actions.h"
#include "widgets/common/model_address.h"
#include "widgets/common/model_form.h"
#include "widgets/common/selection_context.h"
#include "widgets/run/activity_panel.h"
#include "widgets/run/campaign_settings_dialog.h"
#include "widgets/run/run_bar.h"
#include "widgets/run/status_strip.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <memory>

using namespace gks;

class RunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void failuresStandAtTheirStage_data();
    void failuresStandAtTheirStage();
    void nobodySpeaksForAnother();
    void writersAtTheSameTimeKeepTheirLines();
    void newRunClearsTheStages();
    void settingsSendOnlyWhatChanged();
    void everyFieldOfAModelIsKept();
    void theConnectionIsTested();
    void aCommandAnswers();
    void aFolderAnswers();
    void policiesAreSent();
    void aNarrowBarDropsWordsNotNumbers();
    void whoseVerdictsTheyAreStandsInTheStrip();
    void codeIsCheckedWhereTheModeIsSet();
    void everyBudgetAndTheHint();
    void hintsOfStagesAreSent();
    void writersAreAddedAndRemoved();
    void shapesAreWeighed();
    void keysAndBadAddressesAreRefused();

private:
    std::unique_ptr<GuiTest> m_gui;
};

namespace {

EngineEvent warning(const std::string& stage, std::optional<ExperimentId> experiment = {}) {
    WarningRaised raised;
    raised.error = Error{ErrorKind::infrastructure, "it went wrong", "somewhere", "Do this."};
    raised.stage = stage;
    raised.experiment = experiment;
    return raised;
}

EngineEvent verdict(const RecordingBridge& bridge, VerdictKind kind) {
    auto population = std::make_shared<Population>(*bridge.population());
    population->kernels.editBack().verdict = kind;
    return PopulationChanged{population};
}

PopulationPtr withBudgets(const Budgets& budgets) {
    auto population = std::make_shared<Population>();
    population->settings.scientist = ScientistKind::model;
    population->settings.models["default"] = {"openai", "http://127.0.0.1:1/v1", "one", "KEY", 0.1, 4096};
    population->settings.hint = "old";
    population->settings.budgets = budgets;
    return population;
}

void chooseStage(const QDialog& dialog, const QString& stage) {
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("stageList"));
    for (int row = 0; row < list->count(); ++row) {
        if (list->item(row)->data(Qt::UserRole).toString() == stage) {
            list->setCurrentRow(row);
        }
    }
}

} // namespace

void RunTest::failuresStandAtTheirStage_data() {
    QTest::addColumn<QString>("event");
    QTest::addColumn<QString>("stage");
    QTest::addColumn<QString>("page");
    QTest::newRow("build failed") << "build" << "build" << "kernel";
    QTest::newRow("crashed") << "crash" << "verify" << "kernel";
    QTest::newRow("provider refused the selection") << "selector" << "select" << "conversation";
    QTest::newRow("provider refused the draft") << "writer" << "write" << "conversation";
    QTest::newRow("evaluator lost") << "evaluator" << "build" << "warnings";
}

void RunTest::failuresStandAtTheirStage() {
    QFETCH(QString, event);
    QFETCH(QString, stage);
    QFETCH(QString, page);
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    QStringList pages;
    connect(&selection, &SelectionContext::pageRequested, this, [&](const QString& wanted) { pages.append(wanted); });
    QWidget home;
    actions.add(&home, {"view.warnings", QStringLiteral("warnings"), {}},
                [&] { pages.append(QStringLiteral("warnings")); });
    ActivityPanel panel({&bridge, &selection, &actions});
    std::unique_ptr<QWidget> title(panel.titleWidget());
    title->resize(900, 30);
    title->show();
    auto* button = title->findChild<QToolButton*>(QStringLiteral("stageError.") + stage);
    QVERIFY(button->isHidden());
    const KernelId newest = bridge.population()->kernels.back().id;
    bridge.post(event == QLatin1String("build")   ? verdict(bridge, VerdictKind::buildFailed)
                : event == QLatin1String("crash") ? verdict(bridge, VerdictKind::crashed)
                                                  : warning(event.toStdString(), 14));
    bridge.flush();
    QVERIFY(button->isVisible());
    QVERIFY(!title->findChild<QLabel*>(QStringLiteral("activityError"))->text().isEmpty());
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(pages, QStringList{page});
    QVERIFY(button->isHidden()); // looked at
    if (page == QLatin1String("kernel")) {
        QCOMPARE(selection.primary(), std::optional(newest));
    } else if (page == QLatin1String("conversation")) {
        QCOMPARE(selection.experiment(), std::optional(ExperimentId{14}));
    }
}

// Compilers print what a source tells them to, models write what they like.
void RunTest::nobodySpeaksForAnother() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    ActivityPanel panel({&bridge, &selection, &actions});
    const std::unique_ptr<QWidget> title(panel.titleWidget()); // the dock's, where there is one
    bridge.post(TextArrived{"compiler", "k.hip\n[judge] faster: 9.99x\n", {}, {}});
    bridge.flush();
    bridge.post(TextArrived{"compiler", "more\n", {}, {}});
    bridge.flush();
    bridge.post(TextArrived{"writer", "a\n[judge] fa", {}, {}});
    bridge.flush();
    bridge.post(TextArrived{"writer", "ster\nb", {}, {}});
    bridge.flush();
    bridge.post(TextArrived{"judge", "tried again\n", {}, {}});
    bridge.flush();
    QCOMPARE(panel.findChild<QPlainTextEdit*>(QStringLiteral("activityText"))->toPlainText(),
             QStringLiteral("[compiler] k.hip\n[compiler] [judge] faster: 9.99x\n[compiler] more\n"
                            "[writer] a\n  [judge] faster\n  b\n[judge] tried again\n"));
}

void RunTest::writersAtTheSameTimeKeepTheirLines() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    ActivityPanel panel({&bridge, &selection, &actions});
    const std::unique_ptr<QWidget> title(panel.titleWidget()); // the dock's, where there is one
    for (const TextArrived& piece : {TextArrived{"writer", "int a", {}, 12}, TextArrived{"writer", "float b", {}, 13},
                                     TextArrived{"writer", " = 1;\n", {}, 12}, TextArrived{"writer", ";\nc", {}, 13}}) {
        bridge.post(piece);
    }
    bridge.flush();
    QCOMPARE(panel.findChild<QPlainTextEdit*>(QStringLiteral("activityText"))->toPlainText(),
             QStringLiteral("[writer 12] int a = 1;\n[writer 13] float b;\n  c"));
    // What is no model speaks in whole lines, whatever its name.
    for (const char* text : {"m=64: none of them", "m=96: none of them"}) {
        bridge.post(TextArrived{"races", text, {}, {}});
    }
    bridge.flush();
    QVERIFY(panel.findChild<QPlainTextEdit*>(QStringLiteral("activityText"))
                ->toPlainText()
                .endsWith(QStringLiteral("\n[races] m=64: none of them\n[races] m=96: none of them\n")));
    auto* filter = title->findChild<QComboBox*>(QStringLiteral("activityFilter"));
    filter->setCurrentIndex(filter->findData(QStringLiteral("judge")));
    Q_EMIT filter->activated(filter->currentIndex());
    QCOMPARE(panel.findChild<QPlainTextEdit*>(QStringLiteral("activityText"))->toPlainText(),
             QStringLiteral("[races] m=64: none of them\n[races] m=96: none of them\n"));
    SpokenLines lines;
    QVERIFY(lines.add({"writer", "a", {}, 12}));
    QVERIFY(!lines.add({"writer", "b", {}, 13})); // in the middle of the other's line
    QVERIFY(lines.leave({12, 13}).empty());
    QCOMPARE(lines.leave({12}).front().text, std::string("b")); // its call has ended
}

void RunTest::newRunClearsTheStages() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    ActivityPanel panel({&bridge, &selection, &actions});
    std::unique_ptr<QWidget> title(panel.titleWidget());
    auto* button = title->findChild<QToolButton*>(QStringLiteral("stageError.write"));
    bridge.post(warning("writer"));
    bridge.post(warning("steering")); // a command that was refused is no stage
    bridge.flush();
    QVERIFY(!button->isHidden());
    bridge.send(command::Start{});
    bridge.flush();
    QVERIFY(button->isHidden());
}

void RunTest::settingsSendOnlyWhatChanged() {
    RecordingBridge bridge(withBudgets({5, 10.5, 1.25, 1234, 100}));
    {
        CampaignSettingsDialog dialog(bridge);
        QCOMPARE(GuiTest::unnamedWidgets(&dialog), QStringList());
        dialog.accept();
        QCOMPARE(bridge.commands(), Commands());
    }
    CampaignSettingsDialog dialog(bridge);
    chooseStage(dialog, QStringLiteral("writer"));
    auto* own = dialog.findChild<QCheckBox*>(QStringLiteral("stageOwn"));
    auto* model = dialog.findChild<QLineEdit*>(QStringLiteral("modelName"));
    QVERIFY(!own->isChecked());
    QVERIFY(!model->isEnabled());
    own->click();
    model->setText(QStringLiteral("two")); // the writer's, at the default's address
    chooseStage(dialog, QStringLiteral("repair"));
    QCOMPARE(model->text(), QStringLiteral("two")); // what it inherits
    dialog.accept();
    auto models = bridge.population()->settings.models;
    models["writer"] = models["default"];
    models["writer"].model = "two";
    QCOMPARE(bridge.commands(), Commands({command::SetScientist{ScientistKind::model, models}}));
}

void RunTest::everyFieldOfAModelIsKept() {
    ModelForm form;
    const ModelChoice choice{"anthropic", "https://example.org/v1", "m", "MY_KEY", 0.3, 4096,
                             "high",      {2.5, 30, 7200, 0, true}};
    form.setChoice(choice);
    QCOMPARE(form.choice(), choice);
    QSignalSpy edited(&form, &ModelForm::edited);
    auto* provider = form.findChild<QComboBox*>(QStringLiteral("modelProvider"));
    provider->setCurrentIndex(provider->findData(QStringLiteral("gemini")));
    QCOMPARE(form.choice().baseUrl, std::string("https://example.org/v1")); // the person's own address stays
    QCOMPARE(form.choice().provider, std::string("gemini"));
    QVERIFY(edited.count() > 0);
    auto* silence = form.findChild<QDoubleSpinBox*>(QStringLiteral("modelSilenceLimit"));
    QCOMPARE(silence->text(), QStringLiteral("silence 0.5 min"));
    silence->setValue(20);
    QCOMPARE(form.choice().limits.silenceSeconds, 1200.0);
    form.setChoice({"openai", "https://api.openai.com/v1", "m", "OPENAI_API_KEY"});
    provider->setCurrentIndex(provider->findData(QStringLiteral("anthropic")));
    QCOMPARE(form.choice().baseUrl, std::string("https://api.anthropic.com/v1")); // the service's own goes with it
    QCOMPARE(form.choice().keyVariable, std::string("ANTHROPIC_API_KEY"));
    form.setChoice({"of-a-newer-version", "", "m", ""});
    QCOMPARE(form.choice().provider, std::string("of-a-newer-version"));
    QVERIFY(ModelForm::mistakeIn({"manual", "", "", ""}).isEmpty());
    QVERIFY(!ModelForm::mistakeIn({"replay", "", "", ""}).isEmpty());
    QVERIFY(!ModelForm::mistakeIn({"gemini", "https://x.org", "", "K"}).isEmpty());
}

void RunTest::theConnectionIsTested() {
    const ScriptedServer server(
        {[](const ScriptedServer::Connection& connection) {
             connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                             "data: {\"choices\":[{\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}]}\n\n"
                             "data: [DONE]\n\n");
         },
         ScriptedServer::answer(401, R"({"error":{"message":"Incorrect API key provided"}})"),
         [](const ScriptedServer::Connection& connection) { connection.waitForHangUp(); }});
    ModelForm form;
    form.setChoice({"openai", server.url(), "", ""});
    auto* test = form.findChild<QPushButton*>(QStringLiteral("modelTest"));
    const auto* result = form.findChild<QLabel*>(QStringLiteral("modelTestResult"));
    test->click(); // nothing is sent without a name
    QVERIFY(form.findChild<QLineEdit*>(QStringLiteral("modelName"))->property("invalid").toBool());
    QVERIFY(server.requests().empty());
    form.setChoice({"openai", server.url(), "m", ""});
    test->click();
    QTRY_VERIFY2(result->text().startsWith(QStringLiteral("\u2713 Reply after")), qPrintable(result->text()));
    test->click();
    QTRY_VERIFY2(result->text().contains(QStringLiteral("Incorrect API key provided")), qPrintable(result->text()));
    test->click();
    QTRY_COMPARE(server.requests().size(), std::size_t(3));
    QCOMPARE(test->text(), QStringLiteral("&Cancel"));
    test->click();
    QCOMPARE(result->text(), QStringLiteral("Cancelled"));
    QCOMPARE(test->text(), QStringLiteral("&Test"));
}

// The fields fit the provider; Test runs the command, and what came of it is read.
void RunTest::aCommandAnswers() {
    ModelForm form;
    auto* provider = form.findChild<QComboBox*>(QStringLiteral("modelProvider"));
    auto* address = form.findChild<QLineEdit*>(QStringLiteral("modelAddress"));
    auto* test = form.findChild<QPushButton*>(QStringLiteral("modelTest"));
    const auto* state = form.findChild<QLabel*>(QStringLiteral("modelAddressState"));
    const auto* result = form.findChild<QLabel*>(QStringLiteral("modelTestResult"));
    provider->setCurrentIndex(provider->findData(QStringLiteral("command")));
    QVERIFY(address->text().isEmpty()); // the server's is no command
    QCOMPARE(form.choice().keyVariable, std::string());
    QVERIFY(form.findChild<QDoubleSpinBox*>(QStringLiteral("modelTotalLimit"))->isEnabled());
    QVERIFY(!form.findChild<QDoubleSpinBox*>(QStringLiteral("modelSilenceLimit"))->isEnabled());
    test->click();
    QVERIFY(address->property("invalid").toBool());
    address->setText(QStringLiteral("cat | sh"));
    QVERIFY2(ModelForm::mistakeIn(form.choice()).contains(QStringLiteral("no shell reads")),
             qPrintable(ModelForm::mistakeIn(form.choice())));
    address->setText(QStringLiteral("echo ready"));
    QVERIFY2(state->text().endsWith(QStringLiteral("/echo")), qPrintable(state->text()));
    test->click();
    QTRY_VERIFY2(result->text().startsWith(QStringLiteral("\u2713 Reply after")), qPrintable(result->text()));
    address->setText(QStringLiteral("sh -c 'echo no login >&2; exit 1'"));
    test->click();
    QTRY_VERIFY2(result->text().contains(QStringLiteral("\"no login\"")), qPrintable(result->text()));
    // What a file names is refused until somebody has answered for it.
    form.setMayTry([](const ModelChoice&) -> Result<void> { return usageError("not trusted"); });
    const QTemporaryDir folder;
    address->setText(QStringLiteral("touch %1/ran").arg(folder.path()));
    test->click();
    QTRY_VERIFY2(result->text().contains(QStringLiteral("not trusted")), qPrintable(result->text()));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("ran"))));
    provider->setCurrentIndex(provider->findData(QStringLiteral("openai")));
    QCOMPARE(address->text(), QStringLiteral("https://api.openai.com/v1"));
    provider->setCurrentIndex(provider->findData(QStringLiteral("command")));
    QVERIFY(address->text().startsWith(QStringLiteral("touch "))); // as it was left
}

void RunTest::aFolderAnswers() {
    ModelForm form;
    form.setChoice({"folder", "", "", ""});
    auto* address = form.findChild<QLineEdit*>(QStringLiteral("modelAddress"));
    auto* browse = form.findChild<QPushButton*>(QStringLiteral("modelBrowse"));
    auto* test = form.findChild<QPushButton*>(QStringLiteral("modelTest"));
    const auto* state = form.findChild<QLabel*>(QStringLiteral("modelAddressState"));
    const auto* result = form.findChild<QLabel*>(QStringLiteral("modelTestResult"));
    QVERIFY(!browse->isHidden());
    address->setText(QStringLiteral("answers"));
    test->click();
    QVERIFY(address->property("invalid").toBool()); // not a full path
    const QTemporaryDir folder;
    form.findChild<ModelAddress*>()->setChooseFolder([&](QWidget*, const QString&) { return folder.path(); });
    browse->click();
    QCOMPARE(form.choice().baseUrl, folder.path().toStdString());
    QCOMPARE(state->text(), QStringLiteral("\u2713 found"));
    test->click();
    QTRY_VERIFY(QFile::exists(folder.filePath(QStringLiteral("0001.request.md"))));
    QVERIFY(result->text().startsWith(QStringLiteral("Waiting for a reply")));
    QFile reply(folder.filePath(QStringLiteral("0001.reply.md")));
    QVERIFY(reply.open(QIODevice::WriteOnly) && reply.write("ready\n<!-- end of reply -->\n") > 0);
    reply.close();
    QTRY_VERIFY2(result->text().startsWith(QStringLiteral("\u2713 Reply after")), qPrintable(result->text()));
    test->click();
    QTRY_VERIFY(QFile::exists(folder.filePath(QStringLiteral("0002.request.md"))));
    test->click(); // a wait ends at once
    QCOMPARE(result->text(), QStringLiteral("Cancelled"));
    form.setChoice({"openai", "https://api.openai.com/v1", "m", "OPENAI_API_KEY"});
    QVERIFY(browse->isHidden());
}

void RunTest::policiesAreSent() {
    RecordingBridge bridge(withBudgets({}));
    CampaignSettingsDialog dialog(bridge);
    dialog.findChild<QComboBox*>(QStringLiteral("policySelector"))->setCurrentIndex(2);
    dialog.findChild<QComboBox*>(QStringLiteral("policyPick"))->setCurrentIndex(1);
    dialog.findChild<QSpinBox*>(QStringLiteral("policyTuning"))->setValue(8);
    dialog.findChild<QSpinBox*>(QStringLiteral("policyCalls"))->setValue(5);
    dialog.findChild<QSpinBox*>(QStringLiteral("policyDrafts"))->setValue(3);
    dialog.findChild<QCheckBox*>(QStringLiteral("policyScreening"))->setChecked(false);
    dialog.findChild<QSpinBox*>(QStringLiteral("policyStagnation"))->setValue(9);
    dialog.findChild<QCheckBox*>(QStringLiteral("policyCheckReports"))->setChecked(false);
    dialog.findChild<QCheckBox*>(QStringLiteral("policyProbes"))->setChecked(true);
    dialog.accept();
    Policies expected;
    expected.probes = true;
    expected.selector = SelectorPolicy::upperConfidence;
    expected.pick = PickPolicy::highestExpected;
    expected.tuningEvaluations = 8;
    expected.modelCalls = 5;
    expected.drafts = 3;
    expected.stagnation = 9;
    expected.checkReports = false;
    expected.screening = false;
    QCOMPARE(bridge.commands(), Commands{command::SetPolicies{expected}});
}

void RunTest::aNarrowBarDropsWordsNotNumbers() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    QWidget window;
    RunBar bar({&bridge, &selection, &actions}, &window);
    bar.resize(1600, 40);
    window.resize(1600, 40);
    window.show();
    QTRY_VERIFY(bar.isSettled());
    const auto* start = bar.findChild<QToolButton*>(QStringLiteral("run.start.button"));
    QCOMPARE(start->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    QVERIFY2(bar.minimumSizeHint().width() < 900, qPrintable(QString::number(bar.minimumSizeHint().width())));
    bar.resize(bar.minimumSizeHint());
    QCOMPARE(start->toolButtonStyle(), Qt::ToolButtonIconOnly);
    for (const char* name : {"spentEvaluations", "spentUsd", "spentClock"}) {
        const auto* spent = bar.findChild<QLabel*>(QLatin1String(name));
        QTRY_VERIFY(spent->width() >= spent->fontMetrics().horizontalAdvance(spent->text()));
    }
    bar.resize(1600, 40);
    QCOMPARE(start->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
}

// Whole, however narrow the window is.
void RunTest::whoseVerdictsTheyAreStandsInTheStrip() {
    PanelStage<StatusStrip> stage({1000, 30});
    const auto* judge = stage.part<QLabel>("statusJudge");
    QVERIFY(!judge->isVisible());
    stage.publish([](Population& population) { population.settings.judgedByHarness = true; });
    QVERIFY(judge->isVisible());
    QCOMPARE(judge->text(), QStringLiteral("Judged by the user's harness"));
    stage.panel->resize(640, 30);
    QTRY_VERIFY(judge->width() >= judge->fontMetrics().horizontalAdvance(judge->text()));
}

void RunTest::codeIsCheckedWhereTheModeIsSet() {
    RecordingBridge bridge(withBudgets({}));
    SelectionContext selection;
    ActionCollection actions;
    RunBar bar({&bridge, &selection, &actions});
    bar.show();
    QTRY_VERIFY(bar.isSettled());
    auto* check = bar.findChild<QCheckBox*>(QStringLiteral("runCheckCode"));
    QVERIFY(!check->isChecked());
    check->click();
    Policies expected = bridge.population()->settings.policies;
    expected.checkCode = true;
    QCOMPARE(bridge.commands(), Commands{command::SetPolicies{expected}});
}

void RunTest::everyBudgetAndTheHint() {
    RecordingBridge bridge(withBudgets({5, 10.5, 1.25, 1234, 100}));
    CampaignSettingsDialog dialog(bridge);
    dialog.findChild<QPlainTextEdit*>(QStringLiteral("campaignHint"))->setPlainText(QStringLiteral("look at LDS "));
    dialog.findChild<QSpinBox*>(QStringLiteral("campaignEvaluations"))->setValue(0);
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("campaignMinutes"))->setValue(90);
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("campaignUsd"))->setValue(2.5);
    dialog.findChild<QSpinBox*>(QStringLiteral("campaignTokens"))->setValue(500);
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("campaignGpuMinutes"))->setValue(30);
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("campaignGoal"))->setValue(95.5);
    dialog.findChild<QSpinBox*>(QStringLiteral("campaignFruitless"))->setValue(10);
    dialog.accept();
    QCOMPARE(bridge.commands(),
             Commands({command::SetHint{"look at LDS"}, command::SetBudgets{{0, 90, 2.5, 500000, 1800, 95.5, 10}}}));
}

void RunTest::hintsOfStagesAreSent() {
    Population population = *withBudgets({});
    population.settings.hints = {{"designer", "think"}, {"checker", "of another program"}};
    RecordingBridge bridge(std::make_shared<const Population>(population));
    QJsonObject typed;
    {
        CampaignSettingsDialog dialog(bridge);
        auto* stage = dialog.findChild<QComboBox*>(QStringLiteral("hintStage"));
        auto* text = dialog.findChild<QPlainTextEdit*>(QStringLiteral("campaignHint"));
        QCOMPARE(stage->count(), 5); // checker and digest are shown none
        QCOMPARE(text->toPlainText(), QStringLiteral("old"));
        stage->setCurrentIndex(stage->findData(QStringLiteral("designer")));
        QCOMPARE(text->toPlainText(), QStringLiteral("think"));
        QCOMPARE(stage->currentText(), QStringLiteral("Designer, has one"));
        QVERIFY(dialog.hints().isEmpty());
        text->clear();
        stage->setCurrentIndex(stage->findData(QStringLiteral("writer")));
        text->setPlainText(QStringLiteral(" short names "));
        stage->setCurrentIndex(0);
        typed = dialog.hints();
    }
    CampaignSettingsDialog again(bridge);
    again.setHints(typed);
    again.accept();
    QCOMPARE(bridge.commands(),
             Commands({command::SetHint{"", "designer"}, command::SetHint{"short names", "writer"}}));
}

void RunTest::writersAreAddedAndRemoved() {
    RecordingBridge bridge(withBudgets({}));
    CampaignSettingsDialog dialog(bridge);
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("stageList"));
    auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("writerName"));
    auto* add = dialog.findChild<QPushButton*>(QStringLiteral("writerAdd"));
    auto* remove = dialog.findChild<QPushButton*>(QStringLiteral("writerRemove"));
    const int stages = list->count();
    for (const char* none : {"", "own", "Deep", "../x", "a b"}) {
        name->setText(QString::fromUtf8(none));
        QVERIFY2(!add->isEnabled(), none);
    }
    name->setText(QStringLiteral("deep"));
    add->click();
    QCOMPARE(list->currentItem()->data(Qt::UserRole).toString(), QStringLiteral("writer/deep"));
    dialog.findChild<QLineEdit*>(QStringLiteral("modelName"))->setText(QStringLiteral("two"));
    name->setText(QStringLiteral("deep"));
    QVERIFY(!add->isEnabled()); // there is one
    name->setText(QStringLiteral("wide"));
    QTest::keyClick(name, Qt::Key_Return);
    QCOMPARE(list->count(), stages + 2);
    QVERIFY(remove->isEnabled());
    remove->click();
    QCOMPARE(list->count(), stages + 1);
    QCOMPARE(list->currentItem()->data(Qt::UserRole).toString(), QStringLiteral("writer"));
    QVERIFY(!remove->isEnabled());
    QCOMPARE(GuiTest::unnamedWidgets(&dialog), QStringList());
    dialog.accept();
    auto models = bridge.population()->settings.models;
    models["writer/deep"] = models["default"];
    models["writer/deep"].model = "two";
    QCOMPARE(bridge.commands(), Commands({command::SetScientist{ScientistKind::model, models}}));
}

void RunTest::shapesAreWeighed() {
    const ShapeExtents small = {{"n", 7}};
    const std::vector<ShapeComparison> compared = {{{{"n", 1024}}, {1, 2, 1, 1.5, {1.4, 1.6}, "a"}},
                                                   {small, {1, 2, 1, 2, {1.9, 2.1}, "a"}}};
    Population population = *withBudgets({});
    population.settings.shapeWeights = {{small, 0.12345}};
    population.shapeScales = std::make_shared<const ShapeScales>(1, compared);
    RecordingBridge bridge(std::make_shared<const Population>(population));
    CampaignSettingsDialog dialog(bridge);
    QCOMPARE(GuiTest::unnamedWidgets(&dialog), QStringList());
    dialog.accept();
    QCOMPARE(bridge.commands(), Commands()); // what was not touched is not rounded
    auto* first = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("shapeWeight0"));
    auto* second = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("shapeWeight1"));
    first->setValue(0);
    second->setValue(0);
    dialog.accept();
    QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("campaignMistake"))->text(),
             QStringLiteral("Every shape has the weight 0: give one of them more"));
    QCOMPARE(bridge.commands(), Commands());
    second->setValue(4);
    dialog.accept();
    const ShapeWeights expected = {{{{"n", 1024}}, 0}, {small, 4}};
    QCOMPARE(bridge.commands(), Commands{command::SetShapeWeights{expected}});
}

void RunTest::keysAndBadAddressesAreRefused() {
    RecordingBridge bridge(withBudgets({}));
    CampaignSettingsDialog dialog(bridge);
    auto* mistake = dialog.findChild<QLabel*>(QStringLiteral("campaignMistake"));
    auto* key = dialog.findChild<QLineEdit*>(QStringLiteral("modelKeyVariable"));
    key->setText(QStringLiteral("sk-abcdefghijklmnop"));
    dialog.accept();
    QVERIFY2(mistake->text().contains(QStringLiteral("not the key itself")), qPrintable(mistake->text()));
    key->setText(QStringLiteral("KEY"));
    chooseStage(dialog, QStringLiteral("designer"));
    dialog.findChild<QCheckBox*>(QStringLiteral("stageOwn"))->click();
    dialog.findChild<QLineEdit*>(QStringLiteral("modelAddress"))->setText(QStringLiteral("file:///etc"));
    chooseStage(dialog, QStringLiteral("default"));
    dialog.accept();
    QVERIFY2(mistake->text().startsWith(QStringLiteral("Designer: ")), qPrintable(mistake->text()));
    // The stage with the mistake is shown.
    QCOMPARE(dialog.findChild<QLineEdit*>(QStringLiteral("modelAddress"))->text(), QStringLiteral("file:///etc"));
    QCOMPARE(bridge.commands(), Commands());
    QCOMPARE(dialog.result(), 0);
}

QTEST_MAIN(RunTest)
#include "run_test.moc"
#include "widgets/run/status_strip.h"
