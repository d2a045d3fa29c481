// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/sample_campaign.h"
#include "widgets/charts/campaign_series.h"
#include "widgets/charts/charts_panel.h"
#include "widgets/common/actions.h"
#include "widgets/common/selection_context.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <memory>

using namespace gks;

class ChartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void progressCountsOnlyWhatWasMeasured();
    void everyKernelIsShownOnceByShape();
    void newDataKeepsTheZoom();
    void timesThatDifferMuchGetALogarithmicAxis();
    void exportsHoldTheData();
    void hoverReadsTheNearestPoint();
    void samplesOfANewKernelReplaceTheOld();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void ChartsTest::progressCountsOnlyWhatWasMeasured() {
    const SampleCampaign sample = makeSampleCampaign();
    QStringList labels;
    const auto series = progressSeries(*sample.population, labels);
    QCOMPARE(series.size(), std::size_t{2});
    std::size_t measured = 0;
    std::size_t judged = 0;
    for (const Kernel& kernel : sample.population->kernels) {
        judged += kernel.verdict ? 1 : 0;
        measured += kernel.verdict && isAccepted(*kernel.verdict) && kernel.geomeanUs > 0 ? 1 : 0;
    }
    QVERIFY(measured > 0 && measured < judged);
    QCOMPARE(series[1].points.size(), measured);
    QCOMPARE(static_cast<std::size_t>(labels.size()), judged);
    QCOMPARE(series[0].points.back().y, sample.population->kernel(*sample.population->best)->geomeanUs);
}

void ChartsTest::everyKernelIsShownOnceByShape() {
    const SampleCampaign sample = makeSampleCampaign();
    const auto best = sample.population->best;
    QCOMPARE(shapeSeries(*sample.population, best, best).size(), std::size_t{2}); // best as selected, and the baseline
    QCOMPARE(shapeSeries(*sample.population, {}, {}).size(), std::size_t{2});
}

void ChartsTest::newDataKeepsTheZoom() {
    TimingPlot plot(QStringLiteral("t"), QStringLiteral("x"), QStringLiteral("y"));
    plot.resize(600, 300);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const auto data = [](int n) {
        PlotSeries series{QStringLiteral("s"), PlotSeries::Style::line, 0, {}};
        for (int i = 1; i <= n; ++i) {
            series.points.push_back({double(i), 100.0 + i % 7});
        }
        return std::vector<PlotSeries>{series};
    };
    plot.setSeries(data(100));
    QVERIFY(!plot.isZoomed());
    const QPointF middle = plot.chart()->plotArea().center();
    QWheelEvent wheel(middle, plot.mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(plot.viewport(), &wheel);
    QVERIFY(plot.isZoomed());
    const QPointF before = plot.placeOf({50, 100});
    plot.setSeries(data(1000));
    QCOMPARE(plot.placeOf({50, 100}), before);
    plot.resetZoom();
    QVERIFY(plot.placeOf({50, 100}) != before);
}

void ChartsTest::timesThatDifferMuchGetALogarithmicAxis() {
    TimingPlot plot(QStringLiteral("t"), QStringLiteral("x"), QStringLiteral("y"));
    plot.resize(600, 300);
    plot.setSeries({{QStringLiteral("s"), PlotSeries::Style::points, 0, {{1, 100}, {2, 700}}}});
    QVERIFY(!plot.isLogarithmic());
    plot.setSeries({{QStringLiteral("s"), PlotSeries::Style::points, 0, {{1, 100}, {2, 1000}, {3, 10000}}}});
    QVERIFY(plot.isLogarithmic());
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const double lower = plot.placeOf({1, 100}).y() - plot.placeOf({2, 1000}).y();
    const double upper = plot.placeOf({2, 1000}).y() - plot.placeOf({3, 10000}).y();
    QVERIFY(lower > 10);
    QVERIFY(qAbs(lower - upper) < 1);
}

void ChartsTest::exportsHoldTheData() {
    TimingPlot plot(QStringLiteral("t"), QStringLiteral("x"), QStringLiteral("y"));
    plot.resize(400, 300);
    plot.setSeries({{QStringLiteral("a \"b\""), PlotSeries::Style::points, 0, {{1, 2.5}, {2, 3}}}});
    QCOMPARE(plot.csv(), QStringLiteral("series,x,y (us)\n\"a \"\"b\"\"\",1,2.5\n\"a \"\"b\"\"\",2,3\n"));
    const QTemporaryDir folder;
    QVERIFY(plot.exportImage(folder.filePath(QStringLiteral("c.png"))));
    QCOMPARE(QImage(folder.filePath(QStringLiteral("c.png"))).size(), QSize(400, 300));
    QVERIFY(plot.exportImage(folder.filePath(QStringLiteral("c.svg"))));
    QFile svg(folder.filePath(QStringLiteral("c.svg")));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains("<svg"));
}

void ChartsTest::hoverReadsTheNearestPoint() {
    TimingPlot plot(QStringLiteral("t"), QStringLiteral("x"), QStringLiteral("y"));
    plot.resize(600, 300);
    plot.setSeries({{QStringLiteral("s"), PlotSeries::Style::points, 0, {{1, 250}, {2, 300}}}});
    plot.setXLabels({QStringLiteral("first"), QStringLiteral("second")});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const QString reading = plot.readingAt(plot.placeOf({2, 300}) + QPointF(3, -3));
    QVERIFY2(reading.contains(QStringLiteral("second")) && reading.contains(QStringLiteral("300 us")), qPrintable(reading));
    QVERIFY(plot.readingAt({-100, -100}).isEmpty());
}

void ChartsTest::samplesOfANewKernelReplaceTheOld() {
    const SampleCampaign sample = makeSampleCampaign();
    EngineBridge bridge(sample.population, sample.problem);
    bridge.setQueries(sample.queries);
    SelectionContext selection;
    ActionCollection actions;
    ChartsPanel panel({&bridge, &selection, &actions});
    panel.resize(900, 600);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto* plot = panel.findChild<TimingPlot*>(QStringLiteral("samplesPlot"));
    bridge.post(SamplesArrived{3, {{"m", 64}}, {10, 11}, false});
    bridge.post(SamplesArrived{3, {{"m", 64}}, {12}, true});
    bridge.flush();
    QTRY_COMPARE(plot->series().size(), std::size_t{2});
    QCOMPARE(plot->series()[0].points.size(), std::size_t{2});
    bridge.post(SamplesArrived{4, {{"m", 64}}, {9}, false});
    bridge.flush();
    QTRY_COMPARE(plot->series().size(), std::size_t{1});
}

QTEST_MAIN(ChartsTest)
#include "charts_test.moc"
