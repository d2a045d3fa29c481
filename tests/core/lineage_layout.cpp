// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/layout.h"

#include <QTest>
#include <random>
#include <set>

using namespace gks;

class LineageLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void childrenStandRightOfTheirParent();
    void nothingEverMovesOrOverlaps();
    void unknownIdsAndParents();
};

void LineageLayoutTest::childrenStandRightOfTheirParent() {
    LineageLayout layout;
    QVERIFY((layout.add(1, {}) == LineageCell{0, 0}));
    QVERIFY((layout.add(2, {}) == LineageCell{0, 1}));
    QVERIFY((layout.add(3, 1) == LineageCell{1, 0}));
    QVERIFY((layout.add(4, 1) == LineageCell{1, 1}));
    QVERIFY((layout.add(5, 2) == LineageCell{1, 2})); // 2's own row is taken by 4
    QVERIFY((layout.add(6, 4) == LineageCell{2, 1}));
    QVERIFY((layout.add(7, 3) == LineageCell{2, 0})); // a gap above is used
    QCOMPARE(layout.columns(), 3);
    QCOMPARE(layout.rows(), 3);
}

void LineageLayoutTest::nothingEverMovesOrOverlaps() {
    std::mt19937 random(3);
    LineageLayout layout;
    std::vector<LineageCell> placed;
    std::set<std::pair<int, int>> taken;
    for (std::int64_t id = 1; id <= 5000; ++id) {
        const std::optional<std::int64_t> parent =
            id == 1 ? std::nullopt : std::optional(1 + static_cast<std::int64_t>(random()) % (id - 1));
        const LineageCell cell = layout.add(id, parent);
        QVERIFY(taken.insert({cell.column, cell.row}).second);
        if (parent) {
            const LineageCell above = *layout.cell(*parent);
            QCOMPARE(cell.column, above.column + 1);
            QVERIFY(cell.row >= above.row);
        }
        placed.push_back(cell);
    }
    for (std::int64_t id = 1; id <= 5000; ++id) {
        QVERIFY(*layout.cell(id) == placed[static_cast<std::size_t>(id) - 1]);
        QCOMPARE(layout.at(placed[static_cast<std::size_t>(id) - 1]).value_or(0), id);
        QVERIFY(layout.add(id, {}) == placed[static_cast<std::size_t>(id) - 1]);
    }
}

void LineageLayoutTest::unknownIdsAndParents() {
    LineageLayout layout;
    QVERIFY(!layout.cell(1));
    QVERIFY((layout.add(9, 77) == LineageCell{0, 0}));
    QVERIFY(!layout.at({0, 5}));
    QVERIFY(!layout.at({4, 0}));
    QVERIFY(!layout.at({-1, -1}));
}

QTEST_APPLESS_MAIN(LineageLayoutTest)
#include "lineage_layout.moc"
