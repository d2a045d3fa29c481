// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/outline.h"

#include <QTest>
#include <algorithm>
#include <string>

using namespace gks;

namespace {

// One row a line: depth as indent, "*" on the best path, "|" that continues its line, "+n" what it hides.
std::string printed(const std::vector<OutlineRow>& rows) {
    std::string text;
    for (const OutlineRow& row : rows) {
        text += std::string(static_cast<std::size_t>(row.depth), ' ') + (row.continues ? "|" : "") +
                (row.members > 0 ? std::to_string(row.members) + " best " : "") + std::to_string(row.kernel) +
                (row.onBestPath ? "*" : "") + (row.folded ? " +" + std::to_string(row.below) : "") + "\n";
    }
    return text;
}

// 1 > 2 > 6 is the best path; 3, 4, 5 and 2 are one round of 1; 7 and 8 hang from 3, 9 from 6.
std::vector<OutlineKernel> family() {
    return {{1, 0, 0, 0, true},  {2, 1, 10, 2, true},  {3, 1, 10, 1, true}, {4, 1, 10, 1.5, true}, {5, 1, 10, 0, false},
            {6, 2, 11, 3, true}, {7, 3, 0, 2.5, true}, {8, 7, 0, 0, false}, {9, 6, 12, 2.9, true}};
}

} // namespace

class LineageOutlineTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundsAreOneRowAndTheBestPathIsASpine();
    void foldingNeverHidesTheBestPath();
    void whatIsOpenedIsInView();
    void smallGroupsAndStrangeParentsStandByThemselves();
    void longLinesDoNotIndent();
    void stepsGrowWithTheKernels();
};

void LineageOutlineTest::roundsAreOneRowAndTheBestPathIsASpine() {
    const Outline outline(family(), 6);
    const auto rows = outline.rows({});
    QCOMPARE(printed(rows), std::string("1*\n 3 best 4 +5\n|2*\n|6*\n 9\n"));
    QCOMPARE(rows[1].bestBelow, std::int64_t{7}); // faster than the members themselves
    QCOMPARE(rows[1].key, OutlineKey{-3});
    QCOMPARE(rows[4].parent, std::int64_t{6});
}

void LineageOutlineTest::foldingNeverHidesTheBestPath() {
    const Outline outline(family(), 6);
    QCOMPARE(printed(outline.rows({1, 2, 6})), std::string("1* +5\n|2*\n|6* +1\n"));
    QVERIFY(!outline.isFoldedAtFirst(1) && outline.isFoldedAtFirst(-3) && outline.isFoldedAtFirst(7));
}

void LineageOutlineTest::whatIsOpenedIsInView() {
    const Outline outline(family(), 6);
    QCOMPARE(outline.around(8), (std::vector<OutlineKey>{1, -3, 3, 7}));
    QVERIFY(outline.around(6).empty());
    QCOMPARE(printed(outline.rows({-3, 3, 7})),
             std::string("1*\n 3 best 4\n  3\n  |7\n  |8\n  4\n  5\n|2*\n|6*\n 9\n"));
}

void LineageOutlineTest::smallGroupsAndStrangeParentsStandByThemselves() {
    // Two of a round are no cluster; 4 names a parent that is not there, 5 itself.
    const Outline outline(
        {{1, 0, 0, 0, true}, {2, 1, 7, 0, false}, {3, 1, 7, 0, false}, {4, 99, 0, 0, true}, {5, 5, 0, 0, true}}, 0);
    QCOMPARE(printed(outline.rows({1})), std::string("1\n 2\n 3\n4\n5\n"));
    QVERIFY(Outline({}, 3).rows({}).empty());
}

void LineageOutlineTest::longLinesDoNotIndent() {
    std::vector<OutlineKernel> chain;
    for (std::int64_t id = 1; id <= 1000; ++id) {
        chain.push_back({id, id - 1, 0, 0, true});
    }
    const Outline side(chain, 1);
    const auto keys = side.keys();
    std::unordered_set<OutlineKey> all(keys.begin(), keys.end());
    all.erase(1); // open at first
    const auto rows = side.rows(all);
    QCOMPARE(rows.size(), std::size_t{1000});
    QCOMPARE(std::ranges::max(rows, {}, &OutlineRow::depth).depth, 1);
    QCOMPARE(std::ranges::max(Outline(chain, 1000).rows({}), {}, &OutlineRow::depth).depth, 0);
}

void LineageOutlineTest::stepsGrowWithTheKernels() {
    const auto stepsOf = [](std::int64_t count) {
        std::vector<OutlineKernel> kernels;
        for (std::int64_t id = 1; id <= count; ++id) {
            kernels.push_back(
                {id, id == 1 ? 0 : 1 + ((id * 2654435761) >> 9) % (id - 1), id / 5, double(id % 97), id % 3 != 0});
        }
        const Outline outline(kernels, count - 1);
        std::unordered_set<OutlineKey> opened;
        for (const OutlineKey key : outline.keys()) {
            if (outline.isFoldedAtFirst(key)) {
                opened.insert(key);
            }
        }
        (void)outline.rows(opened);
        return outline.steps();
    };
    const std::size_t large = stepsOf(100'000);
    QVERIFY2(large <= 12 * stepsOf(10'000), qPrintable(QString::number(large)));
    QVERIFY2(large < 2'000'000, qPrintable(QString::number(large)));
}

QTEST_APPLESS_MAIN(LineageOutlineTest)
#include "lineage_outline.moc"
