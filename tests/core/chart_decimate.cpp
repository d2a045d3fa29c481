// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/decimate.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace gks;

class ChartDecimate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outliersSurvive();
    void fewPointsStayAsTheyAre();
    void rangeKeepsOneNeighbourOnEachSide();
    void degenerateRanges();
    void bestSoFarIsAStaircase();
    void ticksAreRoundAndCover();
};

void ChartDecimate::outliersSurvive() {
    std::vector<ChartPoint> points;
    for (int i = 0; i < 100000; ++i) {
        points.push_back({double(i), std::sin(i * 0.001)});
    }
    points[54321].y = 50;
    points[60000].y = -50;
    const auto shown = decimated(points, 0, 99999, 500);
    QVERIFY(shown.size() <= 4 * 500);
    QVERIFY(std::is_sorted(shown.begin(), shown.end(), [](auto& a, auto& b) { return a.x < b.x; }));
    QVERIFY(std::find(shown.begin(), shown.end(), points[54321]) != shown.end());
    QVERIFY(std::find(shown.begin(), shown.end(), points[60000]) != shown.end());
    QVERIFY(shown.front() == points.front() && shown.back() == points.back());
}

void ChartDecimate::fewPointsStayAsTheyAre() {
    const std::vector<ChartPoint> points = {{1, 5}, {2, 4}, {3, 6}};
    QVERIFY(decimated(points, 1, 3, 800) == points);
}

void ChartDecimate::rangeKeepsOneNeighbourOnEachSide() {
    std::vector<ChartPoint> points;
    for (int i = 0; i < 10; ++i) {
        points.push_back({double(i), 0});
    }
    const auto shown = decimated(points, 3.5, 5.5, 100);
    QVERIFY((shown == std::vector<ChartPoint>{{3, 0}, {4, 0}, {5, 0}, {6, 0}}));
}

void ChartDecimate::degenerateRanges() {
    const std::vector<ChartPoint> points = {{1, 5}, {1, 7}, {1, 6}};
    QCOMPARE(decimated(points, 1, 1, 10).size(), std::size_t{3});
    QVERIFY(decimated(points, 2, 1, 10).empty());
    QVERIFY(decimated({}, 0, 1, 10).empty());
}

void ChartDecimate::bestSoFarIsAStaircase() {
    const std::vector<double> values = {0, 10, 12, 0, 8};
    QVERIFY((bestSoFar(values) == std::vector<ChartPoint>{{2, 10}, {3, 10}, {4, 10}, {5, 10}, {5, 8}}));
    QVERIFY(bestSoFar(std::vector<double>{0, 0}).empty());
}

void ChartDecimate::ticksAreRoundAndCover() {
    const AxisTicks ticks = niceTicks(3.2, 97, 6);
    QCOMPARE(ticks.low, 0.0);
    QCOMPARE(ticks.high, 100.0);
    QCOMPARE(ticks.step, 20.0);
    QCOMPARE(ticks.count(), 6);
    QVERIFY(niceTicks(5, 5, 4).low < 5);
    QVERIFY(niceTicks(0, 0, 4).high > 0);
    QVERIFY(std::isfinite(niceTicks(std::nan(""), 1, 4).step));
}

QTEST_APPLESS_MAIN(ChartDecimate)
#include "chart_decimate.moc"
