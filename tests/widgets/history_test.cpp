// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "widgets/experiments/history_model.h"
#include "widgets/experiments/history_panel.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <memory>

using namespace gks;

namespace {

class ToldQueries final : public CampaignQueries {
public:
    explicit ToldQueries(std::vector<Steering> history) : m_history(std::move(history)) {}
    Result<std::vector<Evaluation>> evaluations(KernelId) const override { return std::vector<Evaluation>{}; }
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
        return std::vector<Exchange>{};
    }
    Result<std::vector<Steering>> steering() const override { return m_history; }

private:
    std::vector<Steering> m_history;
};

} // namespace

class HistoryTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void theNewestIsFirstAndCanBeUndone();
    void nothingToUndoNeedsNoColumn();
    void budgetsOfOldFilesAreUnlimitedToo();
    void changesKeepTheirRows();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void HistoryTest::theNewestIsFirstAndCanBeUndone() {
    PanelStage<HistoryPanel> stage(QSize(900, 500));
    QCOMPARE(stage.panel->findChild<QStackedWidget*>()->currentIndex(), 0); // it says what will be here
    const Population& before = *stage.bridge.population();
    const KernelId kernel = before.kernels.front().id;
    std::vector<Steering> history = {{1, Author::engine, "set aside", "three <b>proposals</b>", 0}};
    history.push_back(historyLine(command::SetBanned{kernel, true}, before));
    history.back().id = 2;
    stage.bridge.setQueries(std::make_shared<ToldQueries>(history));
    stage.publish([](Population& population) { population.kernels.editFront().banned = true; });
    auto* table = stage.part<QTableView>("historyTable");
    QCOMPARE(table->model()->rowCount(), 2);
    const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
    QCOMPARE(cell(0, HistoryModel::Action), QStringLiteral("ban"));
    QCOMPARE(cell(0, HistoryModel::Undo), QStringLiteral("can be undone"));
    QCOMPARE(cell(1, HistoryModel::Undo), QStringLiteral("not yours"));
    QVERIFY(!table->isColumnHidden(HistoryModel::Undo));
    auto* undo = stage.part<QPushButton>("historyUndo");
    table->setCurrentIndex(table->model()->index(1, 0));
    QVERIFY(!undo->isEnabled());
    table->setCurrentIndex(table->model()->index(0, 0));
    QVERIFY(undo->isEnabled());
    auto* refusal = stage.part<QLabel>("historyRefusal");
    stage.panel->showRefusal({ErrorKind::usage, "what came of it stays", "", ""});
    QVERIFY(refusal->isVisible());
    QCOMPARE(refusal->text(), QStringLiteral("what came of it stays"));
    table->setCurrentIndex(table->model()->index(1, 0));
    QVERIFY(!refusal->isVisible());
    table->setCurrentIndex(table->model()->index(0, 0));
    undo->click();
    QTRY_COMPARE(stage.bridge.commands(), (Commands{command::SetBanned{kernel, false}}));
    stage.part<QLineEdit>("historyWords")->setText(QStringLiteral("PROPOSALS three"));
    QCOMPARE(table->model()->rowCount(), 1);
    stage.part<QLineEdit>("historyWords")->clear();
    auto* who = stage.part<QComboBox>("historyWho");
    who->setCurrentIndex(who->findData(static_cast<int>(Author::model)));
    QCOMPARE(table->model()->rowCount(), 0);
}

void HistoryTest::nothingToUndoNeedsNoColumn() {
    PanelStage<HistoryPanel> stage(QSize(900, 500));
    stage.bridge.setQueries(std::make_shared<ToldQueries>(
        std::vector<Steering>{{1, Author::person, "start", "", 0}, {2, Author::model, "select parent", "00001", 0}}));
    stage.publish([](Population&) {});
    auto* table = stage.part<QTableView>("historyTable");
    QCOMPARE(table->model()->rowCount(), 2);
    QVERIFY(table->isColumnHidden(HistoryModel::Undo));
    QCOMPARE(table->model()->index(1, HistoryModel::Undo).data().toString(),
             QStringLiteral("a decision of this kind cannot be undone"));
}

void HistoryTest::budgetsOfOldFilesAreUnlimitedToo() {
    HistoryModel model;
    HistoryRow row;
    row.line = {1, Author::person, "set budgets", "evaluations 50, minutes 0, $0.00, tokens 0, device time 0 s", 0};
    HistoryRow other = row;
    other.line.id = 2;
    other.line.action = "set hint";
    model.setRows({row, other});
    QCOMPARE(model.index(0, HistoryModel::Detail).data().toString(), QStringLiteral("evaluations 50, else no limits"));
    QCOMPARE(model.index(1, HistoryModel::Detail).data().toString(), QString::fromStdString(other.line.detail));
}

void HistoryTest::changesKeepTheirRows() {
    std::vector<HistoryRow> rows(1000);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].line.id = static_cast<std::int64_t>(i) + 1;
    }
    HistoryModel model;
    HistoryFilter filter(&model);
    const QAbstractItemModelTester testsModel(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester testsFilter(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows({rows.begin(), rows.begin() + 3});
    rows[1].state = UndoState::takenBack;
    model.setRows(rows);
    QCOMPARE(filter.rowCount(), 1000);
    QCOMPARE(filter.at(filter.index(0, 0))->line.id, 1000);
    QCOMPARE(undoText(*filter.at(filter.index(998, 0))), QStringLiteral("undone"));
}

QTEST_MAIN(HistoryTest)
#include "history_test.moc"
