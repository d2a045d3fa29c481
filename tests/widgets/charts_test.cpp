// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/sample_campaign.h"
#include "tests/support/sample_lessons.h"
#include "widgets/charts/calibration_panel.h"
#include "widgets/charts/calibration_plot.h"
#include "widgets/charts/campaign_series.h"
#include "widgets/charts/chart_export.h"
#include "widgets/charts/charts_panel.h"
#include "widgets/charts/roofline_model.h"
#include "widgets/charts/roofline_panel.h"
#include "widgets/charts/roofline_plot.h"
#include "widgets/charts/series_roles.h"
#include "widgets/charts/spend_model.h"
#include "widgets/charts/spend_panel.h"
#include "widgets/charts/writers_model.h"
#include "widgets/common/actions.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/theme.h"

#include <QAbstractItemModelTester>
#include <QCategoryAxis>
#include <QChart>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
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
    void aColourMeansTheSameOnEveryPage();
    void librariesAreDashedLines();
    void newDataKeepsTheZoom();
    void timesThatDifferMuchGetALogarithmicAxis();
    void exportsHoldTheData();
    void hoverReadsTheNearestPoint();
    void aClickSelectsTheKernel();
    void theRooflineSelectsKernelsAndShapes();
    void everyShapeIsNamedOnItsAxis();
    void roofsAreNamedByWhatComputes();
    void samplesOfANewKernelReplaceTheOld();
    void whoseTimesTheyAreStandsInOneBracket();
    void predictionsStandAgainstWhatWasMeasured();
    void correctedRangesAreShownOnRequest();
    void writersShowWhatTheyHaveBrought();
    void spendIsGroupedAndAddsUp();
    void budgetsSayWhatIsLeft();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void ChartsTest::progressCountsOnlyWhatWasMeasured() {
    const SampleCampaign sample = makeSampleCampaign();
    QStringList labels;
    const auto series = progressSeries(*sample.population, labels);
    QCOMPARE(series.size(), std::size_t{3});
    std::size_t measured = 0;
    std::size_t judged = 0;
    for (const Kernel& kernel : sample.population->kernels) {
        judged += kernel.verdict ? 1 : 0;
        measured += kernel.verdict && isAccepted(*kernel.verdict) && kernel.geomeanUs > 0 ? 1 : 0;
    }
    QVERIFY(measured > 0 && measured < judged);
    QCOMPARE(series[1].points.size(), measured);
    QCOMPARE(static_cast<std::size_t>(labels.size()), judged);
    QVERIFY(series[2].style == PlotSeries::Style::failures);
    QVERIFY(!series[2].points.empty() && series[2].points.size() <= judged - measured);
    QCOMPARE(series[1].kernels.size(), measured);
    QCOMPARE(series[1].intervals.size(), measured);
    for (std::size_t i = 0; i < measured; ++i) {
        QVERIFY(series[1].intervals[i].low <= series[1].points[i].y);
        QVERIFY(series[1].intervals[i].high >= series[1].points[i].y);
    }
    const Kernel& best = *sample.population->kernel(*sample.population->best);
    QCOMPARE(series[0].points.back().y, scaledUs(*sample.population, best));
    // A time alone stands beside the others, and is no best.
    Population lonely = *sample.population;
    lonely.speeds = {};
    for (const Kernel& kernel : lonely.kernels) {
        if (const SpeedRatio* speed = sample.population->speed(kernel); speed != nullptr && kernel.id != 12) {
            lonely.speeds.set(kernel.id, *speed);
        }
    }
    lonely.kernels.edit(11).geomeanUs = 1;
    const auto apart = progressSeries(lonely, labels);
    QCOMPARE(apart.size(), std::size_t{4});
    QCOMPARE(apart[1].points.size(), measured - 1);
    QVERIFY(apart[2].points.size() == 1 && apart[2].points[0].y == 1);
    QVERIFY(apart[0].points.back().y > 100);
}

void ChartsTest::everyKernelIsShownOnceByShape() {
    const SampleCampaign sample = makeSampleCampaign();
    const auto best = sample.population->best;
    QCOMPARE(shapeSeries(*sample.population, best, best).size(), std::size_t{2}); // best as selected, and the baseline
    QCOMPARE(shapeSeries(*sample.population, {}, {}).size(), std::size_t{2});
    // What the selected kernel is besides is said, and what lies where it lies is seen within its ring.
    const PlotSeries selected = shapeSeries(*sample.population, best, best).front();
    QCOMPARE(selected.name, QStringLiteral("Selected and compared with and best 00012"));
    QCOMPARE(selected.style, PlotSeries::Style::rings);
    QCOMPARE(shapeSeries(*sample.population, {}, {}).front().style, PlotSeries::Style::points);
}

// A kernel that is made from the baseline: on Roofline the baseline is its parent too.
void ChartsTest::aColourMeansTheSameOnEveryPage() {
    const SampleCampaign sample = makeSampleCampaign();
    auto changed = std::make_shared<Population>(*sample.population);
    Kernel& child = changed->kernels.edit(8);
    QVERIFY(isMeasured(child));
    child.parents = {*changed->baseline};
    const Population& population = *changed;
    EngineBridge bridge(changed, sample.problem);
    bridge.setQueries(sample.queries);
    SelectionContext selection;
    ActionCollection actions;
    selection.select(child.id);
    RooflinePanel panel({&bridge, &selection, &actions});
    panel.show();
    QTRY_VERIFY(panel.isSettled());
    const auto* plot = panel.findChild<RooflinePlot*>(QStringLiteral("rooflinePlot"));
    const Palette& palette = Theme::instance().palette();
    int seen = 0;
    for (const RooflinePoint& point : plot->table().rows.front().points) {
        for (const PlotSeries& series : shapeSeries(population, child.id, {})) {
            if (series.kernels.front() == point.kernel) {
                QCOMPARE(plot->colorOf(point), seriesColor(series.color, palette));
                ++seen;
            }
        }
    }
    QCOMPARE(seen, 3); // selected, best, and the baseline
    QVERIFY(colorOf({SeriesRole::selected, SeriesRole::baseline}) == selectedColor);
    QVERIFY(colorOf({SeriesRole::comparedWith, SeriesRole::baseline}) == baselineColor);
    QVERIFY(colorOfLibrary(2) == colorOfLibrary(0) && colorOfLibrary(1) != colorOfLibrary(0));
}

void ChartsTest::librariesAreDashedLines() {
    const SampleCampaign sample = makeSampleCampaign();
    Population population = *sample.population;
    AnchorFigure anchor;
    anchor.name = "cublaslt";
    anchor.title = "cuBLASLt 13.1.0";
    anchor.geomeanUs = 123;
    anchor.speedup = 2;
    anchor.speedupCi95 = {1.9, 2.1};
    anchor.shapeMediansUs = {10, 0, 30};
    AnchorFigure absent = anchor;
    absent.name = "cudnn";
    absent.geomeanUs = 0;
    absent.speedup = 0;
    absent.shapeMediansUs = {};
    population.anchors = {anchor, absent};
    QStringList labels;
    population.settings.budgets.goalUs = 77;
    const auto series = progressSeries(population, labels);
    QCOMPARE(series.size(), std::size_t{5});
    QCOMPARE(series[3].points.back().y, 77.0);                       // the goal
    QCOMPARE(series.back().name, QStringLiteral("cuBLASLt 13.1.0")); // in the legend
    QVERIFY(series.back().style == PlotSeries::Style::dashed);
    const double us = population.kernel(*population.baseline)->geomeanUs / 2;
    QCOMPARE(series.back().points.size(), std::size_t{2});
    QCOMPARE(series.back().points.front().y, us);
    QCOMPARE(series.back().points.back().y, us);
    QCOMPARE(series.back().points.back().x, static_cast<double>(labels.size()));
    const auto byShape = shapeSeries(population, {}, {});
    QCOMPARE(byShape.back().name, QStringLiteral("cuBLASLt 13.1.0"));
    QCOMPARE(byShape.back().points.size(), std::size_t{2});
    TimingPlot plot(QStringLiteral("t"), QStringLiteral("x"), QStringLiteral("y"));
    plot.setSeries(series);
    QVERIFY(plot.csv().contains(QStringLiteral("\"cuBLASLt 13.1.0\",,1,")));
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
    QWheelEvent wheel(middle, plot.mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
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
    plot.setLogarithmic(false);
    QVERIFY(!plot.isLogarithmic());
    plot.setSeries({{QStringLiteral("s"), PlotSeries::Style::points, 0, {{1, 1}, {2, 1000}}}});
    QVERIFY(!plot.isLogarithmic()); // the choice stays
}

void ChartsTest::exportsHoldTheData() {
    TimingPlot plot(QStringLiteral("t"), QStringLiteral("x"), QStringLiteral("y"));
    plot.resize(400, 300);
    plot.setSeries({{QStringLiteral("a \"b\""), PlotSeries::Style::points, 0, {{1, 2.5}, {2, 3}}, {7, 8}, {{2, 4}}},
                    {QStringLiteral("failed"), PlotSeries::Style::failures, 0, {{3, 0}}, {9}}});
    QCOMPARE(plot.csv(), QStringLiteral("series,kernel,x,y (us),ci95 low (us),ci95 high (us)\n"
                                        "\"a \"\"b\"\"\",00007,1,2.5,2,4\n\"a \"\"b\"\"\",00008,2,3,,\n"
                                        "\"failed\",00009,3,,,\n"));
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
    QVERIFY2(reading.contains(QStringLiteral("second")) && reading.contains(QStringLiteral("300 us")),
             qPrintable(reading));
    QVERIFY(plot.readingAt({-100, -100}).isEmpty());
}

void ChartsTest::aClickSelectsTheKernel() {
    const SampleCampaign sample = makeSampleCampaign();
    EngineBridge bridge(sample.population, sample.problem);
    SelectionContext selection;
    ActionCollection actions;
    ChartsPanel panel({&bridge, &selection, &actions});
    panel.resize(900, 600);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto* plot = panel.findChild<TimingPlot*>(QStringLiteral("progressPlot"));
    QTRY_VERIFY(plot->series().size() > 2);
    const PlotSeries each = plot->series()[1];
    const auto place = [&](std::size_t i) { return plot->placeOf(each.points[i]).toPoint(); };
    QTest::mouseClick(plot->viewport(), Qt::LeftButton, Qt::NoModifier, place(0));
    QCOMPARE(selection.primary(), std::optional<KernelId>(each.kernels[0]));
    QTest::mouseClick(plot->viewport(), Qt::LeftButton, Qt::ControlModifier, place(3));
    QCOMPARE(selection.primary(), std::optional<KernelId>(each.kernels[0]));
    QCOMPARE(selection.second(), std::optional<KernelId>(each.kernels[3]));
    QVERIFY(!plot->isZoomed()); // a click is no drag
    const PlotSeries& failed = plot->series()[2];
    const QPoint foot(plot->placeOf(failed.points[0]).toPoint().x(),
                      static_cast<int>(plot->chart()->plotArea().bottom()) - 3);
    QTest::mouseClick(plot->viewport(), Qt::LeftButton, Qt::NoModifier, foot);
    QCOMPARE(selection.primary(), std::optional<KernelId>(failed.kernels[0]));
}

void ChartsTest::theRooflineSelectsKernelsAndShapes() {
    const SampleCampaign sample = makeSampleCampaign();
    EngineBridge bridge(sample.population, sample.problem);
    bridge.setQueries(sample.queries);
    SelectionContext selection;
    ActionCollection actions;
    selection.select(*sample.population->best);
    RooflinePanel panel({&bridge, &selection, &actions});
    panel.resize(900, 700);
    panel.show();
    QTRY_VERIFY(panel.isSettled());
    auto* plot = panel.findChild<RooflinePlot*>(QStringLiteral("rooflinePlot"));
    auto* table = panel.findChild<QTableView*>(QStringLiteral("rooflineTable"));
    const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(table->model()->rowCount(), static_cast<int>(bridge.shapes().size()));
    const QModelIndex limit = table->model()->index(0, RooflineModel::boundColumn);
    const RooflinePoint& first = *plot->table().rows[0].selected();
    QCOMPARE(limit.data(Qt::ToolTipRole).toString(), QString::fromStdString(boundText(first))); // as `show` has it
    QVERIFY(!limit.data().toString().isEmpty());
    QString page;
    connect(&selection, &SelectionContext::pageRequested, this, [&page](const QString& asked) { page = asked; });
    QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier,
                      table->visualRect(table->model()->index(1, 0)).center());
    QCOMPARE(selection.shape(), std::optional<int>(1));
    QCOMPARE(page, QStringLiteral("charts"));
    const auto& points = plot->table().rows[0].points;
    QVERIFY(points.size() > 1);
    const RooflinePlot::Hit last{0, points.size() - 1};
    const KernelId other = *points.back().kernel;
    QVERIFY(plot->csv().contains(QStringLiteral(",00001,")));
    QTest::mouseClick(plot, Qt::LeftButton, Qt::ControlModifier, plot->placeOf(last).toPoint());
    QCOMPARE(selection.second(), std::optional<KernelId>(other));
    QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, plot->placeOf(last).toPoint());
    QCOMPARE(selection.primary(), std::optional<KernelId>(other));
    QTRY_COMPARE(plot->table().kernel, other);
    QCOMPARE(GuiTest::unnamedWidgets(&panel), QStringList());
}

// Eighteen shapes in half of a small page.
void ChartsTest::everyShapeIsNamedOnItsAxis() {
    TimingPlot plot(QStringLiteral("Times"), QStringLiteral("shape"), QStringLiteral("median"));
    plot.resize(620, 300);
    plot.show();
    QStringList names;
    PlotSeries series{QStringLiteral("selected"), PlotSeries::Style::points, 0, {}};
    for (int i = 1; i <= 18; ++i) {
        names.append(QStringLiteral("6144\u00d74608\u00d7%1").arg(64 * i));
        series.points.push_back({static_cast<double>(i), 10.0 * i});
    }
    plot.setXLabels(names, TimingPlot::Labels::onTheAxis);
    plot.setSeries({series});
    auto* axis = qobject_cast<QCategoryAxis*>(plot.chart()->axes(Qt::Horizontal).value(0));
    QCOMPARE(axis->categoriesLabels(), names);
    QVERIFY(!axis->labelsVisible()); // they stand upright, whole
    QTRY_VERIFY(plot.chart()->plotArea().bottom() + plot.fontMetrics().horizontalAdvance(names.back()) < plot.height());
    plot.resize(2600, 300);
    QVERIFY(axis->labelsVisible()); // beside one another
    plot.resize(300, 300);
    QVERIFY(axis->categoriesLabels().size() < 18 && axis->categoriesLabels().size() > 3); // none over another
    plot.resize(300, 150); // names would leave the points no room
    QVERIFY(axis->categoriesLabels().isEmpty());
    plot.setTitles({QStringLiteral("Samples of the running evaluation (cpu timings)"), QStringLiteral("Samples")});
    QCOMPARE(plot.chart()->title(), QStringLiteral("Samples")); // beside the export button
}

void ChartsTest::roofsAreNamedByWhatComputes() {
    RooflineTable table;
    table.peaks.bytesPerSecond = 4.8e12;
    table.peaks.flopsPerSecond = {{ElementType::f32, 535.3e12}, {ElementType::bf16, 1071e12}};
    table.arithmetic = {{{ElementType::f32, "tf32"}}, {{ElementType::f32, 66.9e12}}};
    RooflinePlot plot;
    plot.setTable(table);
    QCOMPARE(plot.roofNames(), QStringList({QStringLiteral("bf16"), QStringLiteral("tf32"), QStringLiteral("f32")}));
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
    // Of a shape that was chosen the recorded ones, until another kernel is measured.
    selection.select(*sample.population->best);
    selection.setShape(1);
    QTRY_COMPARE(plot->series()[0].points.size(), std::size_t{220});
    QVERIFY(plot->chart()->title().contains(QStringLiteral("00012")));
    bridge.post(SamplesArrived{5, {{"m", 64}}, {9}, false});
    bridge.flush();
    QTRY_COMPARE(plot->series()[0].points.size(), std::size_t{1});
}

void ChartsTest::whoseTimesTheyAreStandsInOneBracket() {
    PanelStage<ChartsPanel> stage({1600, 900});
    stage.publish([](Population& population) {
        population.settings.target = TargetKind::cpu;
        population.settings.judgedByHarness = true;
    });
    QCOMPARE(stage.part<TimingPlot>("progressPlot")->chart()->title(),
             QStringLiteral("Best so far (CPU timings, judged by the user's harness)"));
    stage.publish([](Population& population) { population.settings.judgedByHarness = false; });
    QCOMPARE(stage.part<TimingPlot>("progressPlot")->chart()->title(), QStringLiteral("Best so far (CPU timings)"));
}

void ChartsTest::predictionsStandAgainstWhatWasMeasured() {
    CalibrationPlot plot;
    plot.resize(600, 400);
    const auto mark = [](KernelId kernel, Interval predicted, double measured) {
        CalibrationMark made;
        made.point.kernel = kernel;
        made.point.designer = "a \"b\"";
        made.point.predicted = made.shown = predicted;
        made.point.measured = measured;
        made.point.measuredCi95 = Interval{measured - 0.02, measured + 0.02};
        return made;
    };
    plot.setMarks({mark(3, {1.05, 1.15}, 1.12), mark(4, {1.1, 1.2}, 0.95)});
    QVERIFY(plot.marks()[0].inside());
    QVERIFY(!plot.marks()[1].inside());
    // One scale on both axes: the diagonal really is one.
    const QPointF low = plot.placeOf(1, 1);
    const QPointF high = plot.placeOf(1.1, 1.1);
    QVERIFY(high.x() > low.x() && high.y() < low.y());
    QCOMPARE(plot.markAt(plot.placeOf(1.06, 1.12)), 0); // anywhere on its bar
    QCOMPARE(plot.markAt(plot.placeOf(1.15, 0.95)), 1);
    QCOMPARE(plot.markAt(plot.placeOf(1.05, 1.05)), -1);
    QCOMPARE(plot.csv().section(QLatin1Char('\n'), 1, 1),
             QStringLiteral("0,3,\"a \"\"b\"\"\",\"\",1.05,1.15,1.05,1.15,1.12,1.1,1.14,0"));
    const QTemporaryDir folder;
    QVERIFY(exportChartImage(plot, QStringLiteral("t"), folder.filePath(QStringLiteral("c.svg"))));
    QVERIFY(exportChartImage(plot, QStringLiteral("t"), folder.filePath(QStringLiteral("c.png"))));
    QCOMPARE(QImage(folder.filePath(QStringLiteral("c.png"))).size(), QSize(600, 400));
}

void ChartsTest::correctedRangesAreShownOnRequest() {
    const SampleCampaign sample = makeSampleCampaign();
    EngineBridge bridge(sample.population, sample.problem);
    SelectionContext selection;
    ActionCollection actions;
    CalibrationPanel panel({&bridge, &selection, &actions});
    panel.resize(800, 700);
    panel.show();
    QTRY_VERIFY(panel.isSettled());
    auto* plot = panel.findChild<CalibrationPlot*>(QStringLiteral("calibrationPlot"));
    auto* table = panel.findChild<QTableView*>(QStringLiteral("calibrationTable"));
    const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const std::size_t points = calibrationPoints(*sample.population).size();
    QCOMPARE(plot->marks().size(), points);
    QVERIFY(points > 0 && table->model()->rowCount() > 0);
    const auto differ = [&] {
        return std::count_if(plot->marks().begin(), plot->marks().end(),
                             [](const CalibrationMark& mark) { return !(mark.shown == mark.point.predicted); });
    };
    QCOMPARE(differ(), 0);
    panel.findChild<QCheckBox*>(QStringLiteral("calibrationCorrected"))->click();
    QTRY_VERIFY(differ() > 0);
    Q_EMIT plot->kernelClicked(7);
    QCOMPARE(selection.primary(), std::optional<KernelId>(7));
    QCOMPARE(GuiTest::unnamedWidgets(&panel), QStringList());
}

void ChartsTest::writersShowWhatTheyHaveBrought() {
    Population population;
    population.settings.models["default"] = {"manual", "", "", ""};
    population.settings.models["writer/deep"] = {"openai", "http://127.0.0.1:1/v1", "deep-model", ""};
    for (const double speedup : {1.0, 2.0, 3.0}) {
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.verdict = VerdictKind::faster;
        kernel.geomeanUs = 100 / speedup;
        population.speeds.set(kernel.id, {speedup});
        if (kernel.id > 1) {
            Experiment experiment;
            experiment.id = kernel.id - 1;
            experiment.parent = 1;
            population.experiments.push_back(experiment);
            kernel.author = Author::model;
            kernel.experiment = experiment.id;
            kernel.writer = kernel.id == 3 ? "deep" : "";
            kernel.draftSeconds = 60;
            kernel.draftUsd = kernel.id == 3 ? 0.1 : 0;
        }
        population.kernels.push_back(kernel);
    }
    EngineBridge bridge(std::make_shared<const Population>(population), nullptr);
    SelectionContext selection;
    ActionCollection actions;
    CalibrationPanel panel({&bridge, &selection, &actions});
    panel.show();
    QTRY_VERIFY(panel.isSettled());
    const auto* table = panel.findChild<QTableView*>(QStringLiteral("writersTable"));
    const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(table->isVisibleTo(&panel)); // no prediction was measured, and yet there is something to see
    QStringList rows;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            cells << table->model()->index(row, column).data().toString();
        }
        rows << cells.join(QLatin1Char('|'));
    }
    QCOMPARE(rows.join(QLatin1Char('\n')),
             QStringLiteral("own|manual|1|1 of 1|\u2013|2.00x|1 min 00 s|$0.00|50 %|300 %\n"
                            "deep|deep-model|1|1 of 1|\u2013|1.50x|1 min 00 s|$0.10|50 %|31.0 %"));
    population.kernels.editEach([](Kernel& kernel) { kernel.draftSeconds = 0; }); // as earlier versions kept them
    WritersModel old;
    old.setPopulation(population);
    const QModelIndex time = old.index(0, WritersModel::timeColumn);
    QCOMPARE(time.data().toString(), QStringLiteral("\u2013"));
    QVERIFY(!time.data(Qt::ToolTipRole).toString().isEmpty()); // why
    QCOMPARE(GuiTest::unnamedWidgets(&panel), QStringList());
}

void ChartsTest::spendIsGroupedAndAddsUp() {
    const SampleCampaign sample = makeSampleCampaign();
    const auto exchanges = sampleExchanges(*sample.population);
    double usd = 0;
    for (const Exchange& exchange : exchanges) {
        usd += exchange.usd.value_or(0);
    }
    for (const SpendGroup group : {SpendGroup::stage, SpendGroup::model, SpendGroup::experiment, SpendGroup::call}) {
        double sum = 0;
        double shares = 0;
        for (const SpendRow& row : spendRows(exchanges, *sample.population, group)) {
            sum += row.usd;
            shares += row.share;
        }
        QVERIFY(qAbs(sum - usd) < 1e-9);
        QVERIFY(qAbs(shares - 1) < 1e-9);
    }
    SpendModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(spendRows({exchanges.begin(), exchanges.begin() + 2}, *sample.population, SpendGroup::stage));
    QCOMPARE(model.rowCount(), 2);
    model.setRows(spendRows(exchanges, *sample.population, SpendGroup::stage));
    QCOMPARE(model.index(1, SpendModel::nameColumn).data().toString(), QStringLiteral("Writer"));
    QVERIFY(model.index(1, SpendModel::callsColumn).data().toString().endsWith(QStringLiteral("1 failed")));
    model.setRows(spendRows(exchanges, *sample.population, SpendGroup::call));
    QCOMPARE(static_cast<std::size_t>(model.rowCount()), exchanges.size());
    QStringList labels;
    const PlotSeries series = spendSeries(exchanges, true, labels);
    QCOMPARE(static_cast<std::size_t>(labels.size()), exchanges.size());
    QVERIFY(qAbs(series.points.back().y - usd) < 1e-9);
}

void ChartsTest::budgetsSayWhatIsLeft() {
    const SampleCampaign sample = makeSampleCampaign(); // 15 of 40 evaluations, $0.34 of $5
    EngineBridge bridge(sample.population, sample.problem);
    bridge.setQueries(sample.queries);
    SelectionContext selection;
    ActionCollection actions;
    SpendPanel panel({&bridge, &selection, &actions});
    panel.resize(800, 700);
    panel.show();
    QTRY_VERIFY(panel.isSettled());
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("spendLeft.0"))->text(), QStringLiteral("25 of 40 left"));
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("spendLeft.3"))->text(), QStringLiteral("$4.66 of $5.00 left"));
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("spendLeft.4"))->text(), QStringLiteral("Unlimited"));
    auto* plot = panel.findChild<TimingPlot*>(QStringLiteral("spendPlot"));
    QVERIFY(plot->csv().startsWith(QStringLiteral("series,Call,Cost (USD)\n")));
    panel.findChild<QComboBox*>(QStringLiteral("spendMeasure"))->setCurrentIndex(1);
    QVERIFY(plot->csv().startsWith(QStringLiteral("series,Call,Tokens (Tokens)\n")));
    QCOMPARE(GuiTest::unnamedWidgets(&panel), QStringList());
}

QTEST_MAIN(ChartsTest)
#include "charts_test.moc"
