// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/device_record.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "widgets/common/rich_text.h"
#include "widgets/knowledge/knowledge_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <memory>

using namespace gks;

class KnowledgeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void init() { m_stage = std::make_unique<PanelStage<KnowledgePanel>>(); }
    void cleanup() {
        m_stage.reset();
        GuiTest::failOnWarnings();
    }

    void sectionsAndDocumentsAreListed();
    void aDocumentIsEditedTurnedOffAndRemoved();
    void passagesAreFoundWithTheirWordsMarked();
    void filesAreReadAndMistakesNamed();
    void theBudgetIsSent();
    void thePageSpeaksOfTheDevice();

private:
    template<class W>
    W* part(const char* name) const {
        return m_stage->part<W>(name);
    }
    QTreeWidgetItem* row(const QString& text) const {
        const auto found = part<QTreeWidget>("knowledgeList")->findItems(text, Qt::MatchContains | Qt::MatchRecursive);
        return found.isEmpty() ? nullptr : found.front();
    }

    std::unique_ptr<GuiTest> m_gui;
    std::unique_ptr<PanelStage<KnowledgePanel>> m_stage;
};

void KnowledgeTest::sectionsAndDocumentsAreListed() {
    auto* list = part<QTreeWidget>("knowledgeList");
    QVERIFY(list->topLevelItemCount() >= 2); // at least one machine, and the documents
    QVERIFY(list->topLevelItem(0)->childCount() > 0);
    list->setCurrentItem(list->topLevelItem(0)->child(0));
    QVERIFY(part<RichTextView>("knowledgeText")->isVisible());
    QVERIFY(part<RichTextView>("knowledgeText")->toPlainText().size() > 40);
    QVERIFY(row(QStringLiteral("notes of the last campaign (off)")) != nullptr);
    QCOMPARE(GuiTest::unnamedWidgets(m_stage->panel.get()), QStringList());
}

// A campaign whose kernels were judged elsewhere, on a card that nothing is written down of.
void KnowledgeTest::thePageSpeaksOfTheDevice() {
    class Judged final : public CampaignQueries {
    public:
        Result<std::vector<Evaluation>> evaluations(KernelId kernel) const override {
            Evaluation evaluation;
            evaluation.kernel = kernel;
            evaluation.purpose = "new kernel";
            evaluation.verdict.kind = VerdictKind::correct;
            evaluation.verdict.target = "amd";
            Device device;
            device.name = "AMD Radeon RX 9070 XT";
            device.architecture = "gfx1201";
            device.facts.computeUnits = 64;
            recordDevice(device, evaluation.verdict);
            return std::vector{evaluation};
        }
        Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
            return std::vector<Exchange>{};
        }
    };
    m_stage->bridge.setQueries(std::make_shared<Judged>());
    m_stage->publish([](Population& population) { population.settings.target = TargetKind::amd; });
    m_stage->panel =
        std::make_unique<KnowledgePanel>(PanelContext{&m_stage->bridge, &m_stage->selection, &m_stage->actions});
    m_stage->panel->show();
    m_stage->settle();
    const QString about = part<QLabel>("knowledgeMachine")->text();
    QVERIFY2(about.startsWith(QStringLiteral("AMD Radeon RX 9070 XT, an AMD GPU, gfx1201: 64 compute units.")),
             qPrintable(about));
    QVERIFY2(about.contains(QStringLiteral("gfx1100, its closest relative")), qPrintable(about));
    QCOMPARE(part<QTreeWidget>("knowledgeList")->topLevelItem(0)->text(0), QStringLiteral("gfx1100"));
}

void KnowledgeTest::aDocumentIsEditedTurnedOffAndRemoved() {
    part<QTreeWidget>("knowledgeList")->setCurrentItem(row(QStringLiteral("CDNA3 ISA")));
    m_stage->settle();
    QVERIFY(part<RichTextView>("documentPassages")->toPlainText().contains(QStringLiteral("32 banks")));
    auto* digest = part<QPlainTextEdit>("documentDigest");
    QVERIFY(digest->toPlainText().startsWith(QStringLiteral("LDS has 32 banks")));
    digest->setPlainText(QStringLiteral("Banks matter."));
    part<QPushButton>("documentSave")->click();
    QCOMPARE(m_stage->bridge.takeCommands(),
             Commands({command::EditDocument{.document = 1, .digest = "Banks matter."}}));
    part<QCheckBox>("documentEnabled")->click();
    QCOMPARE(m_stage->bridge.takeCommands(), Commands({command::EditDocument{.document = 1, .enabled = false}}));
    part<QPushButton>("documentRemove")->click();
    QCOMPARE(m_stage->bridge.takeCommands(), Commands{command::RemoveDocument{1}});
}

void KnowledgeTest::passagesAreFoundWithTheirWordsMarked() {
    auto* text = part<RichTextView>("knowledgeText");
    part<QLineEdit>("knowledgeSearch")->setText(QStringLiteral("banks cycles"));
    QTRY_VERIFY(text->toPlainText().contains(QStringLiteral("CDNA3 ISA, passage 2")));
    QVERIFY(text->toPlainText().contains(QStringLiteral("CDNA3 ISA, passage 1")));
    QVERIFY(!text->toPlainText().contains(QStringLiteral("better than 4"))); // its document is off
    QStringList marked;
    for (const QTextEdit::ExtraSelection& mark : text->extraSelections()) {
        marked.append(mark.cursor.selectedText());
    }
    QVERIFY(marked.contains(QStringLiteral("banks")) && marked.contains(QStringLiteral("cycles")));
    part<QLineEdit>("knowledgeSearch")->setText(QStringLiteral("zebra"));
    QTRY_VERIFY(text->toPlainText().startsWith(QStringLiteral("No match")));
}

void KnowledgeTest::filesAreReadAndMistakesNamed() {
    const QTemporaryDir folder;
    QFile good(folder.filePath(QStringLiteral("notes.md")));
    QVERIFY(good.open(QIODevice::WriteOnly));
    good.write("# Padding\n\nPad rows of the tile by 16 bytes when lanes walk down a column.\n");
    good.close();
    const QString missing = folder.filePath(QStringLiteral("missing.txt"));
    m_stage->panel->setAskFiles([&](QWidget*) { return QStringList{good.fileName(), missing}; });
    m_stage->actions.action("knowledge.add")->trigger();
    m_stage->settle();
    const Commands commands = m_stage->bridge.takeCommands();
    QCOMPARE(commands.size(), 1u);
    QCOMPARE(std::get<command::AddDocument>(commands.front()).passages.size(), 1u);
    auto* notice = part<QLabel>("knowledgeNotice");
    QVERIFY(notice->isVisible());
    QVERIFY2(notice->text().contains(QStringLiteral("missing.txt")), qPrintable(notice->text()));
}

void KnowledgeTest::theBudgetIsSent() {
    auto* budget = part<QSpinBox>("knowledgeBudget");
    QCOMPARE(budget->value(), 12000);
    budget->setFocus();
    budget->selectAll();
    QTest::keyClicks(budget, QStringLiteral("8000"));
    QTest::keyClick(budget, Qt::Key_Return);
    Policies expected;
    expected.knowledgeTokens = 8000;
    QCOMPARE(m_stage->bridge.takeCommands(), Commands{command::SetPolicies{expected}});
}

QTEST_MAIN(KnowledgeTest)
#include "knowledge_test.moc"
