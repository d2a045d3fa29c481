// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/bottleneck.h"
#include "core/judge/device_record.h"

#include <QTest>
#include <map>

using namespace gks;

namespace {

constexpr double h200BytesPerSecond = 4.8e12;

// A row of 1000 bytes a microsecond and 100 FLOP a microsecond at best, of which `us` is taken.
ShapeWork workFor(double flops, double bytes) {
    ShapeWork work;
    work.flops = flops;
    work.bytes = bytes;
    work.peakFlops = 100e6;
    work.peakBytes = 1000e6;
    work.least = {flops / 100, bytes / 1000};
    return work;
}

struct CardCampaign {
    ProblemPack pack = loadProblemPack("row-softmax").value();
    Population population;
    std::map<KernelId, Verdict> verdicts;

    CardCampaign() {
        population.settings.problem = "row-softmax";
        population.settings.target = TargetKind::nvidia;
        for (KernelId id = 1; id <= 3; ++id) {
            Kernel kernel;
            kernel.id = id;
            kernel.title = "k" + std::to_string(id);
            if (id > 1) {
                kernel.parents = {id - 1};
            }
            population.kernels.push_back(kernel);
            verdicts[id] = verdictOf(1000.0 / static_cast<double>(id));
        }
        population.baseline = 1;
        population.best = 3;
    }
    Verdict verdictOf(double us) const {
        Verdict verdict;
        verdict.target = "nvidia";
        verdict.device = "NVIDIA H200";
        verdict.environment = {{"architecture", "sm_90"},
                               {"clock_hz", "1980000000"},
                               {"compute_units", "132"},
                               {"memory_bytes_per_second", "4800000000000"}};
        for (const Shape& shape : pack.shapesOf(ShapeSet::quick)) {
            MeasurementFact fact;
            fact.shape = pack.namedShape(shape);
            fact.medianUs = us;
            fact.ci95Us = {us * 0.99, us * 1.01};
            verdict.measurements.push_back(fact);
        }
        return verdict;
    }
    RooflineTable table(KernelId kernel) const {
        return rooflineTable(pack, population, kernel, [this](KernelId id) {
            const auto at = verdicts.find(id);
            return at == verdicts.end() ? std::nullopt : std::optional(at->second);
        });
    }
};

std::string rolesText(const RooflineRow& row) {
    std::string text;
    for (const RooflinePoint& point : row.points) {
        text += text.empty() ? "" : ", ";
        text += point.kernel ? kernelLabel(*point.kernel) : point.title;
        for (const RooflineRole role : point.roles) {
            text += " " + std::string(name(role));
        }
    }
    return text;
}

} // namespace

class CampaignBottleneck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePeakThatIsReachedBinds_data();
    void thePeakThatIsReachedBinds();
    void everyKernelIsThereOnce();
    void theCardsOwnRatesAreTaken();
    void anotherDeviceHasAnotherRoof();
    void librariesHaveAPoint();
    void whatIsNotKnownIsSaid();
    void aGuessIsNoLimit();
    void countersAreCutToWhatTellsTheLimit();
};

void CampaignBottleneck::thePeakThatIsReachedBinds_data() {
    QTest::addColumn<double>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("memory") << 12.5 << QStringLiteral("bound by bytes, 1.25x of the floor");
    QTest::newRow("edge") << 10 / 0.6 << QStringLiteral("bound by bytes, 1.67x of the floor");
    QTest::newRow("neither") << 17.0 << QStringLiteral("bound by neither peak, 1.70x of the floor");
}

void CampaignBottleneck::thePeakThatIsReachedBinds() {
    QFETCH(const double, us);
    RooflinePoint point;
    point.medianUs = us;
    point.ci95Us = {us, us};
    point.share = shareOf(workFor(500, 10000), us); // 5 us by FLOP, 10 us by bytes
    QTEST(QString::fromStdString(boundText(point)), "text");
    point.share = shareOf(workFor(1000, 5000), us); // the other way round
    QCOMPARE(point.share.bound == Bound::neither, us > 10 / 0.6 + 1e-9);
    QVERIFY(point.share.bound == Bound::neither || point.share.bound == Bound::flop);
}

void CampaignBottleneck::everyKernelIsThereOnce() {
    const CardCampaign campaign;
    const RooflineTable table = campaign.table(3);
    QCOMPARE(table.rows.size(), campaign.pack.shapesOf(ShapeSet::quick).size());
    QCOMPARE(rolesText(table.rows[0]), std::string("00003 selected best, 00002 parent, 00001 baseline"));
    QCOMPARE(rolesText(campaign.table(2).rows[0]), std::string("00002 selected, 00001 parent baseline, 00003 best"));
    QVERIFY(table.rows[0].selected() != nullptr);
    QCOMPARE(table.rows[0].selected()->medianUs, 1000.0 / 3);
    QVERIFY(table.leftOut.empty());
}

void CampaignBottleneck::theCardsOwnRatesAreTaken() {
    CardCampaign campaign;
    const RooflineTable table = campaign.table(3);
    QVERIFY(table.source == PeakSource::deviceFile);
    QCOMPARE(table.peaks.bytesPerSecond, h200BytesPerSecond);
    const RooflineRow& row = table.rows[0];
    QVERIFY(row.work.floorUs() > 0);
    // Inputs of f32 whose products may not be narrower: the roof is not that of tf32.
    QCOMPARE(table.arithmetic.nameOf(ElementType::f32), std::string("tf32"));
    QVERIFY(row.work.peakFlops < table.peaks.flopsPerSecond.at(ElementType::f32) / 7);
    QVERIFY(qAbs(row.points[0].share.timesFloor - row.points[0].medianUs / row.work.floorUs()) < 1e-9);
    campaign.verdicts[3].environment["compute_units"] = "66";
    QVERIFY(qAbs(campaign.table(3).rows[0].work.peakFlops - row.work.peakFlops / 2) < row.work.peakFlops * 1e-6);
}

void CampaignBottleneck::anotherDeviceHasAnotherRoof() {
    CardCampaign campaign;
    campaign.verdicts[2].device = "NVIDIA H100";
    const RooflineTable table = campaign.table(3);
    QCOMPARE(rolesText(table.rows[0]), std::string("00003 selected best, 00001 baseline"));
    QCOMPARE(table.leftOut, std::vector<KernelId>{2});
}

void CampaignBottleneck::librariesHaveAPoint() {
    CardCampaign campaign;
    AnchorFigure anchor;
    anchor.name = "cudnn";
    anchor.title = "cuDNN 9";
    anchor.device = "NVIDIA H200";
    anchor.geomeanUs = 5;
    anchor.shapeMediansUs = {0, 5};
    campaign.population.anchors = {anchor};
    const RooflineTable table = campaign.table(1);
    QCOMPARE(rolesText(table.rows[0]), std::string("00001 selected baseline, 00003 best"));
    QCOMPARE(rolesText(table.rows[1]), std::string("00001 selected baseline, 00003 best, cuDNN 9 library"));
}

void CampaignBottleneck::whatIsNotKnownIsSaid() {
    CardCampaign campaign;
    campaign.verdicts[3].environment["architecture"] = "sm_10";
    const RooflineTable unknown = campaign.table(3);
    QVERIFY(unknown.source == PeakSource::none);
    QVERIFY(unknown.peaksText().find("sm_10") != std::string::npos);
    QCOMPARE(boundText(*unknown.rows[0].selected()), std::string("no floor is known"));
    QCOMPARE(floorShareText(*unknown.rows[0].selected()), std::string("-"));
    // A processor is measured where it is this one, and nowhere else.
    campaign.verdicts[3].target = "cpu";
    campaign.verdicts[3].device = "another processor (2 threads)";
    const RooflineTable foreign = campaign.table(3);
    QVERIFY(foreign.source == PeakSource::none);
    QVERIFY(foreign.peaksText().find("another processor") != std::string::npos);
    // This one may run code that was made for a card: its roofs are not that card's.
    const DeviceList here = listDevices(TargetKind::cpu);
    if (!here.devices.empty()) {
        recordDevice(here.devices.front(), campaign.verdicts[3]);
        const RooflineTable own = campaign.table(3);
        QVERIFY(own.source == PeakSource::measuredHere);
        QVERIFY(own.arithmetic == DeviceArithmetic{});
    }
    campaign.verdicts.erase(3);
    QVERIFY(campaign.table(3).rows.empty());
    QVERIFY(campaign.table(3).peaksText().find("not measured") != std::string::npos);
    QVERIFY(campaign.table(99).rows.empty());
}

void CampaignBottleneck::aGuessIsNoLimit() {
    RooflinePoint point;
    point.medianUs = 12.5;
    point.ci95Us = {9, 16};
    point.share = shareOf(workFor(500, 10000), point.medianUs);
    QVERIFY(boundText(point).find("too unsure") != std::string::npos);
    QCOMPARE(floorShareText(point), std::string("-"));
    point.ci95Us = {12, 13};
    QCOMPARE(floorShareText(point), std::string("80 %"));
}

void CampaignBottleneck::countersAreCutToWhatTellsTheLimit() {
    const LaunchCounters launch{{},
                                "gemm",
                                {{"matrix cores busy", 41.2, "%"},
                                 {"occupancy achieved", 50, "%"},
                                 {"stall: wait", 1, "warps"},
                                 {"stall: long scoreboard", 3, "warps"},
                                 {"stall: barrier", 2, "warps"}}};
    const std::string text = bottleneckCounters({launch});
    QCOMPARE(text,
             std::string("matrix cores busy 41.2 %, stall: long scoreboard 3.00 warps, stall: barrier 2.00 warps"));
    QCOMPARE(bottleneckCounters({launch, launch}), "gemm: " + text + "; gemm: " + text);
    QCOMPARE(bottleneckCounters({}), std::string());
}

QTEST_APPLESS_MAIN(CampaignBottleneck)
#include "campaign_bottleneck.moc"
