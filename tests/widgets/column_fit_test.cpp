// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "widgets/common/column_fit.h"
#include "widgets/common/row_table.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <memory>
#include <numeric>

using namespace gks;

namespace {

int needOf(const QAbstractItemView& table) { // where it is public
    return table.sizeHintForColumn(1);
}

} // namespace

class ColumnFitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void whatGivesWayFirst_data();
    void whatGivesWayFirst();
    void aTableStaysWithinItsView();

private:
    std::unique_ptr<GuiTest> m_gui;
};

// A text of 300 under a name of 50, and two numbers of 60 under names of 100 and 40.
void ColumnFitTest::whatGivesWayFirst_data() {
    QTest::addColumn<int>("room");
    QTest::addColumn<std::vector<int>>("widths");
    QTest::newRow("the text takes what is left over") << 600 << std::vector{440, 100, 60};
    QTest::newRow("a long text is cut") << 400 << std::vector{240, 100, 60};
    QTest::newRow("then names, not numbers") << 300 << std::vector{150, 90, 60};
    QTest::newRow("then the text") << 200 << std::vector{80, 60, 60};
    QTest::newRow("less there is not") << 100 << std::vector{40, 60, 60};
}

void ColumnFitTest::whatGivesWayFirst() {
    QFETCH(int, room);
    QFETCH(std::vector<int>, widths);
    QCOMPARE(fittedWidths({{300, 50, true}, {60, 100}, {60, 40}}, room, 150, 40), widths);
}

void ColumnFitTest::aTableStaysWithinItsView() {
    QStandardItemModel model(3, 3);
    model.setHorizontalHeaderLabels({QStringLiteral("Name"), QStringLiteral("A long name of a column"),
                                     QStringLiteral("Another long name of a column")});
    QTableView table;
    table.setModel(&model);
    showAsRows(&table);
    new ColumnFit(&table, {0});
    table.resize(400, 200);
    table.show();
    const auto isWithin = [&] { return table.horizontalHeader()->length() <= table.viewport()->width(); };
    QTRY_VERIFY(isWithin());
    model.setItem(1, 0, new QStandardItem(QString(200, QLatin1Char('w'))));
    model.setItem(1, 1, new QStandardItem(QStringLiteral("0.939x [0.891, 0.989]")));
    QTRY_VERIFY(table.columnWidth(1) >= needOf(table));
    QVERIFY(isWithin());
    table.resize(340, 200);
    QTRY_VERIFY(isWithin());
    QVERIFY(table.columnWidth(1) >= needOf(table));
}

QTEST_MAIN(ColumnFitTest)
#include "column_fit_test.moc"
