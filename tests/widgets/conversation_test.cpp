// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/sample_campaign.h"
#include "tests/support/sample_lessons.h"
#include "widgets/common/code_spans.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/conversation/conversation_panel.h"
#include "widgets/conversation/exchange_model.h"
#include "widgets/conversation/exchange_page.h"
#include "widgets/conversation/prompt_panel.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>
#include <memory>

using namespace gks;

// Prompts and replies, as they are read, searched, filtered and edited.
class ConversationTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void newExchangesAreAddedWithoutAReset();
    void filtersGoTogether();
    void repliesAreForms();
    void whatWasSentIsShownAsItWasSent();
    void longPartsAreFolded();
    void hostileTextIsShownAndNothingIsLoaded();
    void sourceHasItsColours();
    void thePanelShowsWhatBelongsToTheKernel();
    void theCallThatIsOnItsWayIsShown();
    void wordsAreFoundAndCounted();
    void aMistakeInAPromptStandsAtItsLine();
    void aPromptIsSavedAndPutBack();

private:
    std::unique_ptr<GuiTest> m_gui;
};

namespace {

QString pageText(const Exchange& exchange, const ExchangePageOptions& options = {}) {
    QTextDocument document;
    writeExchangePage(&document, exchange, {}, options);
    return document.toPlainText();
}

Exchange answered(const std::string& reply) {
    Exchange exchange;
    exchange.id = 1;
    exchange.stage = "writer";
    exchange.prompt = R"([{"role":"user","content":"Write."}])";
    exchange.reply = reply;
    return exchange;
}

// The facts of a call are kept together by spaces that do not break.
QString plain(const QLabel* label) {
    return label->text().replace(QChar::Nbsp, QLatin1Char(' '));
}

} // namespace

void ConversationTest::newExchangesAreAddedWithoutAReset() {
    const auto all = sampleExchanges(*makeSampleCampaign().population);
    ExchangeModel model;
    ExchangeFilter filter(&model);
    const QAbstractItemModelTester testsModel(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester testsFilter(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    model.setExchanges({all.begin(), all.begin() + 3});
    model.setExchanges({all.begin(), all.begin() + 5});
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(inserted.last()[1].toInt(), 3);
    QCOMPARE(removed.count(), 0);
    model.setExchanges({all.begin() + 5, all.end()}); // of another kernel
    QCOMPARE(removed.count(), 1);
    QCOMPARE(static_cast<std::size_t>(model.rowCount()), all.size() - 5);
    QCOMPARE(resets.count(), 0);
}

void ConversationTest::filtersGoTogether() {
    const auto all = sampleExchanges(*makeSampleCampaign().population);
    ExchangeModel model;
    ExchangeFilter filter(&model);
    model.setExchanges(all);
    QCOMPARE(model.stages(), QStringList({QStringLiteral("designer"), QStringLiteral("writer")}));
    filter.setStage(QStringLiteral("designer"));
    const int designer = filter.rowCount();
    QVERIFY(designer > 0 && designer < model.rowCount());
    filter.setModelName(QStringLiteral("writing-model-1")); // which only writes
    QCOMPARE(filter.rowCount(), 0);
    filter.setStage({});
    QCOMPARE(filter.rowCount(), model.rowCount() - designer);
    filter.setOnlyErrors(true);
    QCOMPARE(filter.rowCount(), 1);
    QVERIFY(!filter.at(0)->error.empty());
}

void ConversationTest::repliesAreForms() {
    const QString form = pageText(answered(
        R"({"title":"wide loads","report":[{"item":"vectors","used":true}],"source":"#include \"problem.h\"\nint a;\n"})"));
    QVERIFY2(form.contains(QStringLiteral("title   wide loads")), qPrintable(form));
    QVERIFY2(form.contains(QStringLiteral("used   \u2713 yes")), qPrintable(form));
    QVERIFY2(form.contains(QStringLiteral("#include \"problem.h\"\nint a;")), qPrintable(form)); // lines, no \n
    ExchangePageOptions raw;
    raw.raw = true;
    QVERIFY(pageText(answered(R"({"title":"wide loads"})"), raw).contains(QStringLiteral(R"({"title":"wide loads"})")));
    QVERIFY(pageText(answered("no object at all")).contains(QStringLiteral("no object at all")));
    QVERIFY(pageText(answered("```json\n{\"title\": \"fenced\"}\n```")).contains(QStringLiteral("title   fenced")));
}

// Not a word of it is taken for a mark, and lines stay lines.
void ConversationTest::whatWasSentIsShownAsItWasSent() {
    const auto shown = [](const QString& text) {
        QTextDocument document;
        {
            RichTextWriter(&document).prose(text);
        }
        return document.toPlainText();
    };
    const QString plain =
        QStringLiteral("Use __launch_bounds__(512, 1) and __grid_constant__.\n  in C:\\_x *a* m*n*k ~1~\nEnd");
    QCOMPARE(shown(plain), plain);
    const QString lines = QStringLiteral("load_tile(a);\nstore_tile(b)");
    QCOMPARE(shown(lines), lines);
    const QString marked =
        shown(QStringLiteral("## Limits\n`__shared__` and __launch_bounds__(512)\n**m*n*k** in C:\\_x\n"
                             "- one_of_two\n  goes on\n- 00012 | 3 us | _x_"));
    for (const char* part : {"Limits", "__shared__ and __launch_bounds__(512)", "m*n*k in C:\\_x",
                             "one_of_two\ngoes on", "00012 | 3 us | _x_"}) {
        QVERIFY2(marked.contains(QLatin1String(part)), qPrintable(marked));
    }
    QVERIFY2(!marked.contains(QStringLiteral("**")) && !marked.contains(QLatin1Char('`')), qPrintable(marked));
    QVERIFY2(!marked.contains(QStringLiteral("(512) m")), qPrintable(marked)); // another line
}

void ConversationTest::longPartsAreFolded() {
    Exchange exchange = answered("");
    std::string lines;
    for (int i = 0; i < 400; ++i) {
        lines += "line " + std::to_string(i) + "\\n\\n";
    }
    exchange.prompt = R"([{"role":"user","content":")" + lines + R"("}])";
    const QString folded = pageText(exchange);
    QVERIFY(folded.contains(QStringLiteral("line 5")));
    QVERIFY(!folded.contains(QStringLiteral("line 399")));
    QVERIFY(folded.contains(QStringLiteral("more lines")));
    ExchangePageOptions one;
    one.open = {1};
    QVERIFY(pageText(exchange, one).contains(QStringLiteral("line 399")));
    one.open = {2};
    QVERIFY(!pageText(exchange, one).contains(QStringLiteral("line 399")));
}

void ConversationTest::hostileTextIsShownAndNothingIsLoaded() {
    RichTextView view;
    RichTextWriter writer(view.document());
    writer.prose(QStringLiteral("<b>bold</b> <img src=\"file:///etc/hostname\"> ![x](file:///etc/hostname)"));
    QVERIFY(view.toPlainText().contains(QStringLiteral("<b>bold</b>")));
    view.resize(300, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QVariant loaded =
        view.document()->resource(QTextDocument::ImageResource, QUrl(QStringLiteral("file:///etc/hostname")));
    QVERIFY(loaded.toByteArray().isEmpty());
    // What a model wrote never becomes markup of the table either.
    QVERIFY(rubricHtml({{"<b>x</b>", true, "", true, "<i>"}}, darkPalette()).contains(QStringLiteral("&lt;b&gt;x")));
    std::string deep = "1";
    for (int i = 0; i < 12; ++i) {
        deep = R"({"a":)" + deep + "}";
    }
    QVERIFY(pageText(answered(deep)).contains(QStringLiteral(R"({"a":1})"))); // depth has an end
}

void ConversationTest::sourceHasItsColours() {
    const QString source = QStringLiteral("#define N 16 // tile\nfloat x = N * 2.5f; char q = '\\'';\n/* open");
    QStringList parts;
    for (const CodeSpan& span : codeSpans(source)) {
        parts.append(QString::number(static_cast<int>(span.part)) + QLatin1Char(' ') +
                     source.mid(span.start, span.length));
    }
    QCOMPARE(parts, QStringList({QStringLiteral("4 #define"), QStringLiteral("2 16"), QStringLiteral("0 // tile"),
                                 QStringLiteral("3 float"), QStringLiteral("2 2.5f"), QStringLiteral("3 char"),
                                 QStringLiteral("1 '\\''"), QStringLiteral("0 /* open")}));
}

void ConversationTest::thePanelShowsWhatBelongsToTheKernel() {
    PanelStage<ConversationPanel> stage({900, 700}, 12);
    auto* list = stage.part<QListView>("exchangeList");
    QCOMPARE(list->model()->rowCount(), 3); // design, a refused draft, the draft
    auto* text = stage.part<RichTextView>("exchangeText");
    QVERIFY(text->toPlainText().contains(QStringLiteral("Bounds are still checked on ragged shapes")));
    QVERIFY(text->toPlainText().contains(QStringLiteral("contradicts the report")));
    auto* facts = stage.part<QLabel>("exchangeFacts");
    QVERIFY2(plain(facts).contains(QStringLiteral("first token after 0.900 s")), qPrintable(plain(facts)));
    list->setCurrentIndex(list->model()->index(0, 0));
    QVERIFY(text->toPlainText().contains(QStringLiteral("CDNA3 ISA, passage 2   640 tokens")));
    list->setCurrentIndex(list->model()->index(1, 0));
    QVERIFY(plain(facts).contains(QStringLiteral("2 attempts")));
    QVERIFY(text->toPlainText().startsWith(QStringLiteral("Failed")));
    auto* scope = stage.part<QComboBox>("exchangeScope");
    scope->setCurrentIndex(1);
    QTRY_VERIFY(list->model()->rowCount() > 3);
    stage.part<QCheckBox>("exchangeErrors")->setChecked(true);
    QCOMPARE(list->model()->rowCount(), 1);
    scope->setCurrentIndex(0);
    stage.selection.select(1); // a seed: nobody spoke about it
    QTRY_COMPARE(list->model()->rowCount(), 0);
    QVERIFY(!text->isVisible());
    QCOMPARE(GuiTest::unnamedWidgets(stage.panel.get()), QStringList());
}

void ConversationTest::theCallThatIsOnItsWayIsShown() {
    PanelStage<ConversationPanel> stage({900, 700}, 12);
    auto* call = stage.part<QLabel>("exchangeCall");
    const Timestamp sent = now() - 125'000;
    stage.bridge.post(
        ActivityChanged{"scientist", Activity::writing, {}, 12, -1, "writer: thinking, no text yet", sent});
    stage.bridge.flush();
    QVERIFY(call->isVisible());
    QVERIFY2(call->text().startsWith(QStringLiteral("writer: thinking, no text yet, 2 min 0")),
             qPrintable(call->text()));
    stage.bridge.post(
        ActivityChanged{"scientist 2", Activity::repairing, {}, 13, -1, "repair: no text yet", now() - 5000});
    stage.bridge.flush();
    QVERIFY2(call->text().contains(QStringLiteral("(experiment 12); repair: no text yet, 5.")) &&
                 call->text().endsWith(QStringLiteral("(experiment 13)")),
             qPrintable(call->text()));
    for (const char* lane : {"scientist", "scientist 2"}) {
        stage.bridge.post(ActivityChanged{lane, Activity::idle, {}, {}, -1, {}, now()});
    }
    stage.bridge.flush();
    QVERIFY(!call->isVisible());
}

void ConversationTest::wordsAreFoundAndCounted() {
    PanelStage<ConversationPanel> stage({900, 700}, 12);
    auto* field = stage.part<QLineEdit>("exchangeFindField");
    auto* count = stage.part<QLabel>("exchangeFindCount");
    auto* list = stage.part<QListView>("exchangeList");
    stage.actions.action("conversation.find")->trigger();
    QTRY_VERIFY(field->hasFocus());
    field->setText(QStringLiteral("swizzle"));
    // "pad or swizzle" once in both drafts' prompts; more often in the design.
    QCOMPARE(count->text(), QStringLiteral("1 of 1, also in 2 other calls"));
    QCOMPARE(list->currentIndex().row(), 2);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(list->currentIndex().row(), 0); // past the end: on to the next that holds it
    QVERIFY2(count->text().startsWith(QStringLiteral("1 of ")), qPrintable(count->text()));
    stage.part<QToolButton>("exchangeFindPrevious")->click();
    QCOMPARE(list->currentIndex().row(), 2);
    field->setText(QStringLiteral("nowhere at all"));
    QCOMPARE(count->text(), QStringLiteral("No matches"));
}

void ConversationTest::aMistakeInAPromptStandsAtItsLine() {
    PanelStage<PromptPanel> stage;
    auto* text = stage.part<QPlainTextEdit>("promptText");
    auto* mistake = stage.part<QLabel>("promptMistake");
    auto* preview = stage.part<RichTextView>("promptPreview");
    QVERIFY2(mistake->isHidden(), qPrintable(mistake->text()));
    QVERIFY(!preview->toPlainText().isEmpty());
    QVERIFY(!preview->toPlainText().contains(QStringLiteral("{{")));
    text->moveCursor(QTextCursor::Start);
    text->insertPlainText(QStringLiteral("first\nwith {{nonsense}}\n"));
    QTRY_VERIFY(!mistake->isHidden());
    QVERIFY2(mistake->text().contains(QStringLiteral("nonsense")), qPrintable(mistake->text()));
    QCOMPARE(text->extraSelections().size(), 1);
    QCOMPARE(text->extraSelections().front().cursor.blockNumber(), 1);
    QVERIFY(!preview->toPlainText().isEmpty()); // the last that worked
    text->undo();
    QTRY_VERIFY(mistake->isHidden());
    QCOMPARE(text->extraSelections().size(), 0);
}

void ConversationTest::aPromptIsSavedAndPutBack() {
    PanelStage<PromptPanel> stage;
    auto* list = stage.part<QListWidget>("promptList");
    auto* text = stage.part<QPlainTextEdit>("promptText");
    auto* save = stage.part<QPushButton>("promptSave");
    auto* reset = stage.part<QPushButton>("promptReset");
    const QString name = list->item(0)->data(Qt::UserRole).toString();
    const QString original = text->toPlainText();
    QVERIFY(!save->isEnabled() && !reset->isEnabled());
    text->appendPlainText(QStringLiteral("Be brief."));
    QVERIFY(save->isEnabled() && reset->isEnabled());
    QCOMPARE(list->item(0)->text(), QStringLiteral("Selector *"));
    list->setCurrentRow(1); // what was typed waits
    QVERIFY(!text->toPlainText().endsWith(QStringLiteral("Be brief.")));
    list->setCurrentRow(0);
    QVERIFY(text->toPlainText().endsWith(QStringLiteral("Be brief.")));
    save->click();
    QCOMPARE(stage.bridge.takeCommands(),
             Commands({command::SetPrompt{name.toStdString(), text->toPlainText().toStdString()}}));
    stage.publish([&](Population& population) {
        population.settings.prompts[name.toStdString()] = text->toPlainText().toStdString();
    });
    QCOMPARE(list->item(0)->text(), QStringLiteral("\u270e Selector"));
    reset->click();
    QCOMPARE(text->toPlainText(), original);
    text->undo();
    QVERIFY(text->toPlainText().endsWith(QStringLiteral("Be brief.")));
    reset->click();
    save->click();
    QCOMPARE(stage.bridge.takeCommands(), Commands({command::SetPrompt{name.toStdString(), {}}}));
    stage.settle();
    QCOMPARE(GuiTest::unnamedWidgets(stage.panel.get()), QStringList());
}

QTEST_MAIN(ConversationTest)
#include "conversation_test.moc"
