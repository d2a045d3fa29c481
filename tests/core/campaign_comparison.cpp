// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/comparison_table.h"
#include "core/campaign/confirmation.h"
#include "core/campaign/store.h"
#include "core/campaign/summary.h"
#include "core/rating/shape_scales.h"

#include <QTest>
#include <map>

using namespace gks;

namespace {

const std::map<std::string, std::int64_t> smallShape = {{"n", 64}};
const std::map<std::string, std::int64_t> largeShape = {{"n", 4096}};

// Kernel 1 is the baseline, 2 came from it and 3 from 2: nothing ran 3 beside 1. 4 does not build, 5 waits.
struct ComparedCampaign {
    Population population;
    std::map<KernelId, ComparedRecord> records;

    ComparedCampaign() {
        population.settings.target = TargetKind::amd;
        for (KernelId id = 1; id <= 5; ++id) {
            Kernel kernel;
            kernel.id = id;
            kernel.title = "k" + std::to_string(id);
            kernel.author = id == 1 ? Author::seed : Author::model;
            kernel.parents = id > 1 ? std::vector<KernelId>{id - 1} : std::vector<KernelId>{};
            if (id <= 3) {
                kernel.state = KernelState::evaluated;
                kernel.verdict = id == 1 ? VerdictKind::correct : VerdictKind::faster;
                kernel.geomeanUs = 1000.0 / static_cast<double>(id);
                kernel.geomeanCi95Us = {kernel.geomeanUs * 0.99, kernel.geomeanUs * 1.01};
                records[id].verdict = verdictOf(id, kernel.geomeanUs);
                records[id].plans = plansOf(id);
            }
            population.kernels.push_back(kernel);
        }
        population.kernels.edit(3).state = KernelState::evaluated;
        population.kernels.edit(3).verdict = VerdictKind::buildFailed;
        records[4].verdict = Verdict();
        records[4].verdict->kind = VerdictKind::buildFailed;
        population.comparisons = {{2, 2, 1, 2.0, {1.98, 2.02}}, {3, 3, 2, 1.5, {1.48, 1.52}}};
        derive(population);
        const std::vector<ShapeComparison> shapes = {{smallShape, {2, 2, 1, 2.0, {1.9, 2.1}}},
                                                     {largeShape, {2, 2, 1, 0.9, {0.89, 0.91}}},
                                                     {smallShape, {3, 3, 2, 1.5, {1.4, 1.6}}}};
        population.shapeScales = std::make_shared<const ShapeScales>(1, shapes);
    }
    static Verdict verdictOf(KernelId id, double us) {
        Verdict verdict;
        verdict.kind = VerdictKind::faster;
        verdict.target = "amd";
        verdict.device = "MI300X";
        MeasurementFact fact;
        fact.shape = smallShape;
        fact.medianUs = us;
        fact.ci95Us = {us * 0.98, us * 1.02};
        verdict.measurements.push_back(fact);
        if (id != 3) {
            fact.shape = largeShape;
            verdict.measurements.push_back(fact);
        }
        KernelResources function;
        function.vgprs = 64 + 8 * static_cast<int>(id);
        function.ldsBytes = id == 2 ? 2048 : 1024;
        function.occupancyWavesPerSimd = 4;
        function.instructions = {{"valu", 100}};
        if (id == 2) {
            function.instructions["mfma"] = 32;
        }
        verdict.staticReport = StaticReport{"gfx942", {function}, 0};
        return verdict;
    }
    static std::shared_ptr<const RecordedPlans> plansOf(KernelId id) {
        auto plans = std::make_shared<RecordedPlans>();
        ShapePlan plan;
        plan.shape = smallShape;
        plan.isTimed = true;
        for (KernelId i = 0; i < id; ++i) {
            plan.plan.operations.push_back({0, 0, KernelLaunch{"k", {64, 2, 1}, {256, 1, 1}, 1024, {}, {}, {}}});
        }
        plans->kernel.shapes.push_back(plan);
        return plans;
    }
    ComparisonTable table(const std::vector<KernelId>& kernels, KernelId reference) const {
        return comparisonTable(population, kernels, reference, [this](KernelId id) {
            const auto found = records.find(id);
            return found == records.end() ? ComparedRecord() : found->second;
        });
    }
};

const ComparedRow* rowOf(const ComparisonTable& table, ComparedGroup group, const std::string& name) {
    for (const ComparedRow& row : table.rows) {
        if (row.group == group && row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

QString cellsOf(const ComparisonTable& table, ComparedGroup group, const std::string& name) {
    const ComparedRow* row = rowOf(table, group, name);
    QStringList cells;
    for (const ComparedCell& cell : row != nullptr ? row->cells : std::vector<ComparedCell>()) {
        cells << QString::fromStdString(comparedText(cell));
    }
    return cells.join(QStringLiteral(" | "));
}

Evaluation comparisonWithBaseline(std::string_view purpose, VerdictKind kind, double ratio) {
    Evaluation evaluation;
    evaluation.kernel = 3;
    evaluation.baseline = 1;
    evaluation.purpose = purpose;
    evaluation.verdict.kind = kind;
    evaluation.verdict.comparison = ComparisonFact{ratio, {ratio * 0.99, ratio * 1.01}, kind, {}};
    return evaluation;
}

} // namespace

class CampaignComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesHaveIntervalsAndPairedRatios();
    void theReferenceIsChosen();
    void whatIsMissingIsSaid();
    void codeIsToldWithWhatChanged();
    void launchesAreTold();
    void anotherDeviceIsNoted();
    void theListIsChecked();
    void everyCellIsALineOfTheCsv();
    void theOwnVerdictIsTaken();
    void theHeadlineIsConfirmedByTheRunsEndAlone();
    void theJudgesSentenceNamesTheOtherKernel();
};

void CampaignComparison::timesHaveIntervalsAndPairedRatios() {
    const ComparisonTable table = ComparedCampaign().table({1, 2, 3}, 1);
    QCOMPARE(cellsOf(table, ComparedGroup::time, "geometric mean"),
             QStringLiteral("1.00 ms ±1.0 % | 500 us ±1.0 %, 2.00x [1.98, 2.02] | 333 us ±1 %, ~ 3.00x [2.95, 3.06]"));
    const ComparedRow* mean = rowOf(table, ComparedGroup::time, "geometric mean");
    QVERIFY(mean != nullptr && !mean->cells[0].speed && mean->cells[0].notCompared.empty());
    QCOMPARE(mean->cells[1].speed->runs, std::size_t{1});
    QCOMPARE(mean->cells[2].speed->runs, std::size_t{0}); // by way of 2
    QCOMPARE(mean->cells[2].ci95->low, 1000.0 / 3 * 0.99);
    QCOMPARE(
        cellsOf(table, ComparedGroup::time, "n=64"),
        QStringLiteral("1.00 ms ±2.0 % | 500 us ±2.0 %, 2.00x [1.90, 2.10] | 333 us ±2.0 %, ~ 3.00x [2.76, 3.26]"));
}

void CampaignComparison::theReferenceIsChosen() {
    const ComparisonTable table = ComparedCampaign().table({1, 2, 3}, 3);
    QCOMPARE(table.reference, std::size_t{2});
    const ComparedRow* mean = rowOf(table, ComparedGroup::time, "geometric mean");
    QVERIFY(mean->cells[0].speed && mean->cells[0].speed->ratio.ratio < 0.34);
    QVERIFY(!mean->cells[2].speed);
    QCOMPARE(cellsOf(table, ComparedGroup::code, "VGPR"), QStringLiteral("72 (-16) | 80 (-8) | 88"));
}

void CampaignComparison::whatIsMissingIsSaid() {
    ComparedCampaign campaign;
    campaign.records[2].trouble = "cannot be read: the file is damaged";
    campaign.records[2].verdict.reset();
    const ComparisonTable table = campaign.table({1, 2, 3, 4, 5}, 1);
    QCOMPARE(cellsOf(table, ComparedGroup::time, "n=4096"),
             QStringLiteral("1.00 ms ±2.0 % | - (cannot be read: the file is damaged), 0.900x [0.889, 0.911] | - (not "
                            "measured on this shape) | - (build-failed) | - (not evaluated yet)"));
    QCOMPARE(rowOf(table, ComparedGroup::time, "n=4096")->cells[2].notCompared,
             std::string("no paired runs connect it with 00001"));
    QCOMPARE(cellsOf(table, ComparedGroup::code, "LDS"),
             QStringLiteral("1 KiB | - (cannot be read: the file is damaged) | 1 KiB | - (no static report: "
                            "build-failed) | - (not evaluated yet)"));
    campaign.records[1].plans.reset();
    campaign.records[1].planTrouble = "cannot be read: cut off";
    campaign.records[3].plans.reset();
    QCOMPARE(cellsOf(campaign.table({1, 3, 4}, 1), ComparedGroup::plan, "launch plan"),
             QStringLiteral("- (cannot be read: cut off) | - (without a launch plan) | - (without a launch plan)"));
    QVERIFY(campaign.table({77}, 77).kernels.empty());
}

void CampaignComparison::codeIsToldWithWhatChanged() {
    const ComparisonTable table = ComparedCampaign().table({1, 2, 3}, 1);
    QCOMPARE(cellsOf(table, ComparedGroup::code, "VGPR"), QStringLiteral("72 | 80 (+8) | 88 (+16)"));
    QCOMPARE(cellsOf(table, ComparedGroup::code, "LDS"), QStringLiteral("1 KiB | 2 KiB (+1 KiB) | 1 KiB"));
    QCOMPARE(cellsOf(table, ComparedGroup::code, "mfma"), QStringLiteral("0 | 32 (+32) | 0"));
    QVERIFY(rowOf(table, ComparedGroup::code, "spills") == nullptr); // nobody has any
    QCOMPARE(cellsOf(table, ComparedGroup::instructions, "valu"), QStringLiteral("100 | 100 | 100"));
    QCOMPARE(cellsOf(table, ComparedGroup::instructions, "mfma"), QStringLiteral("0 | 32 (+32) | 0"));
}

void CampaignComparison::launchesAreTold() {
    const ComparisonTable table = ComparedCampaign().table({1, 2}, 1);
    QCOMPARE(cellsOf(table, ComparedGroup::plan, "n=64"),
             QStringLiteral("grid 64 x 2, block 256, LDS 1 KiB | grid 64 x 2, block 256, LDS 1 KiB; grid 64 x 2, block "
                            "256, LDS 1 KiB"));
    const ComparedRow* row = rowOf(table, ComparedGroup::plan, "n=64");
    QCOMPARE(row->cells[1].launches.size(), std::size_t{2});
    QCOMPARE(row->cells[1].launches[0].dynamicLdsBytes, std::uint64_t{1024});
}

void CampaignComparison::anotherDeviceIsNoted() {
    ComparedCampaign campaign;
    campaign.records[2].verdict->device = "H200";
    const auto notes = campaign.table({1, 2, 3}, 1).notes;
    QVERIFY(std::ranges::find(notes, "Judged by the user's harness.") == notes.end());
    QVERIFY(std::find(notes.begin(), notes.end(), "00002 was measured on H200, not on MI300X.") != notes.end());
    campaign.population.settings.judgedByHarness = true;
    const auto ofHarness = campaign.table({1, 2, 3}, 1).notes;
    QVERIFY(std::ranges::find(ofHarness, "Judged by the user's harness.") != ofHarness.end());
}

void CampaignComparison::theListIsChecked() {
    ComparedCampaign campaign;
    QVERIFY(checkCompared(campaign.population, {1, 5}));
    const auto said = [&](const std::vector<KernelId>& kernels) {
        const auto checked = checkCompared(campaign.population, kernels);
        return checked ? std::string() : checked.error().what;
    };
    QCOMPARE(said({1}), std::string("only 00001 is named: nothing to compare it with"));
    campaign.population.best = 5;
    campaign.population.baseline = 1;
    const auto next = [&](KernelId kernel) { return checkCompared(campaign.population, {kernel}).error().next; };
    QVERIFY2(next(1).ends_with(": 1,5"), next(1).c_str());
    QVERIFY2(next(5).ends_with(": 5,1"), next(5).c_str()); // the best, with the baseline
    QVERIFY2(next(2).ends_with(": 2,5"), next(2).c_str());
    QCOMPARE(said({1, 2, 1}), std::string("00001 is named twice"));
    QCOMPARE(said({1, 9}), std::string("kernel 00009 not found"));
    std::vector<KernelId> many(mostCompared + 1, 1);
    QCOMPARE(said(many), std::string("17 kernels are too many (limit 16)"));
    Kernel probe;
    probe.id = 6;
    probe.probe = true;
    campaign.population.probes.push_back(probe);
    QCOMPARE(said({1, 6}), std::string("00006 is a probe: it measures the device, not the problem"));
}

void CampaignComparison::everyCellIsALineOfTheCsv() {
    ComparedCampaign campaign;
    campaign.population.kernels.edit(1).title = "two \"tiles\", one\nline";
    const ComparisonTable table = campaign.table({1, 2}, 1);
    const QString csv = QString::fromStdString(comparisonCsv(table));
    QVERIFY2(csv.contains(QStringLiteral("\n\"time\",\"n=64\",00002,\"two \"\"tiles\"\", one\nline\",us,500,490,510,")),
             qPrintable(csv));
    QVERIFY2(csv.contains(QStringLiteral(",00001,2,1.9")), qPrintable(csv));
    const auto cells = static_cast<qsizetype>(table.rows.size() * 2);
    QCOMPARE(csv.count(QLatin1Char('\n')), 1 + cells + static_cast<qsizetype>(table.rows.size())); // and in the titles
}

void CampaignComparison::theOwnVerdictIsTaken() {
    Evaluation own;
    own.purpose = "new kernel";
    own.verdict.kind = VerdictKind::faster;
    own.verdict.device = "its own";
    Evaluation asked = own;
    asked.purpose = askedOnAllPurpose;
    asked.verdict.device = "as asked";
    const Result<std::shared_ptr<const RecordedPlans>> none = nullptr;
    QCOMPARE(comparedRecord(std::vector{own, asked}, none).verdict->device, std::string("its own"));
    QCOMPARE(comparedRecord(std::vector{asked}, none).verdict->device, std::string("as asked"));
    QVERIFY(!comparedRecord(std::vector<Evaluation>{}, none).verdict);
}

void CampaignComparison::theHeadlineIsConfirmedByTheRunsEndAlone() {
    const ComparedCampaign campaign;
    const auto headline = [&](const std::vector<Evaluation>& evaluations) {
        return headlineRatio(campaign.population, evaluations);
    };
    QCOMPARE(headline({}).text(),
             std::string("3.00x [2.95, 3.06] not confirmed, by all paired runs over baseline 00001 k1"));
    const auto asked = comparisonWithBaseline(askedPurpose, VerdictKind::faster, 2.9);
    const auto open = comparisonWithBaseline(confirmationPurpose, VerdictKind::undecided, 1.01);
    QVERIFY(!headline({asked, open}).isConfirmed());
    const auto confirmed = comparisonWithBaseline(confirmationPurpose, VerdictKind::faster, 2.8);
    QCOMPARE(headline({confirmed, asked}).text(),
             std::string("2.80x [2.77, 2.83] confirmed, faster than baseline 00001 k1"));
    QVERIFY(headline({confirmed, asked}).isConfirmed());
    QVERIFY(!headline({confirmed, open}).isConfirmed()); // the later one left it open
    auto another = confirmed;
    another.baseline = 2;
    QVERIFY(!headline({another}).isConfirmed());
    auto unsound = confirmed;
    unsound.verdict.comparison->ci95 = {100, 1};
    QVERIFY(!headline({unsound}).isConfirmed());
    ComparedCampaign failed;
    failed.population.kernels.edit(0).verdict = VerdictKind::wrong;
    QVERIFY(!headlineRatio(failed.population, {confirmed}).isConfirmed());
    Population none;
    QCOMPARE(headlineRatio(none, {}).text(), std::string("no kernel has passed its verdict yet"));
}

void CampaignComparison::theJudgesSentenceNamesTheOtherKernel() {
    ComparedCampaign campaign;
    Kernel& kernel = campaign.population.kernels.edit(2);
    kernel.reason = "faster: 1.50x [1.48, 1.52] the speed of the baseline, 333 us";
    QCOMPARE(reasonText(campaign.population, kernel),
             std::string("faster: 1.50x [1.48, 1.52] the speed of 00002, 333 us"));
    kernel.parents.clear(); // a seed: beside the first one
    QCOMPARE(reasonText(campaign.population, kernel),
             std::string("faster: 1.50x [1.48, 1.52] the speed of 00001, 333 us"));
}

QTEST_APPLESS_MAIN(CampaignComparison)
#include "campaign_comparison.moc"
