// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/ranked_rows.h"

#include <QTest>

using namespace gks;
using Ids = std::vector<std::int64_t>;

class RankedRowsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsStayInOrderAndNothingIsLast() {
        const std::vector<RankedRow> rows = {{1, 0, 0, 2}, {2, 0, 0, 0}, {3, 0, 0, 1}, {4, 0, 0, 2}};
        QVERIFY(rankedRows(rows, {}, true) == (Ids{3, 1, 4, 2}));
        QVERIFY(rankedRows(rows, {}, false) == (Ids{1, 4, 3, 2}));
        QVERIFY(rankedRows({{1, 0, 0, 0, "b"}, {2, 0, 0, 0, "a"}}, {}, true) == (Ids{2, 1}));
    }

    void filtersHoldTogether() {
        const std::vector<RankedRow> rows = {{1, groupAccepted | groupFaster, 0},
                                             {2, groupAccepted | groupBanned, 1},
                                             {3, groupFailed, 1},
                                             {4, groupOpen, 2},
                                             {5, groupAccepted, 1}};
        QVERIFY(rankedRows(rows, {.groups = groupAccepted}, true) == (Ids{1, 2, 5}));
        QVERIFY(rankedRows(rows, {.groups = groupFailed | groupBanned}, true) == (Ids{2, 3}));
        QVERIFY(rankedRows(rows, {.groups = groupAccepted, .author = 1}, true) == (Ids{2, 5}));
        QVERIFY(rankedRows(rows, {.author = 1, .among = Ids{3, 4, 5}}, true) == (Ids{3, 5}));
        QVERIFY(rankedRows(rows, {.among = Ids{}}, true).empty()); // a search that found nothing
    }
};

QTEST_APPLESS_MAIN(RankedRowsTest)
#include "lineage_ranked_rows.moc"
