// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that kernels are measured against, as the campaign keeps and words them.
#include "core/campaign/anchors.h"
#include "core/campaign/database.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <cmath>

using namespace gks;
using namespace gks::test;

namespace {

AnchorFigure sampleAnchor() {
    AnchorFigure anchor;
    anchor.name = "cublaslt";
    anchor.title = "cuBLASLt";
    anchor.lacks = "sums in fewer bits";
    anchor.lane = "nvidia:0";
    anchor.at = 5000;
    return anchor;
}

Verdict measuredVerdict(double us) {
    Verdict verdict = sampleEvaluation(1, us, KernelId{1}).verdict;
    verdict.device = "a card";
    verdict.environment["anchor_version"] = "cuBLASLt 13.1.0";
    return verdict;
}

// Of one kernel, 00004, with this speed over the baseline.
Population populationOf(double speedup, Interval interval) {
    Kernel kernel;
    kernel.id = 4;
    Population population;
    population.kernels = {kernel};
    population.speeds.set(kernel.id, {speedup, interval});
    return population;
}

} // namespace

class CampaignAnchors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figureIsKept() {
        Campaign campaign;
        const auto before = campaign.store->population().value();
        QVERIFY(before->anchors.empty());
        const auto id = campaign.store->addAnchor(sampleAnchor(), measuredVerdict(50));
        QVERIFY2(id, id ? "" : id.error().message().c_str());
        campaign.reopen();
        const auto after = campaign.store->population().value();
        QCOMPARE(after->anchors.size(), std::size_t{1});
        const AnchorFigure& anchor = after->anchors.front();
        QCOMPARE(anchor.id, *id);
        QCOMPARE(anchor.name, std::string("cublaslt"));
        QCOMPARE(anchor.title, std::string("cuBLASLt 13.1.0")); // as the library calls itself
        QCOMPARE(anchor.lacks, std::string("sums in fewer bits"));
        QCOMPARE(anchor.lane, std::string("nvidia:0"));
        QCOMPARE(anchor.device, std::string("a card"));
        QCOMPARE(anchor.at, Timestamp{5000});
        QCOMPARE(anchor.geomeanUs, 50.0);
        QCOMPARE(anchor.geomeanCi95Us.high, 50.5);
        QCOMPARE(anchor.shapeMediansUs, (std::vector<double>{40, 62.5}));
        QCOMPARE(anchor.speedup, 2.0);
        QCOMPARE(anchor.reason, std::string());
        // No budget of evaluations pays for it, and no kernel has changed.
        QCOMPARE(after->spend.evaluations, before->spend.evaluations);
        QCOMPARE(after->spend.gpuSeconds, before->spend.gpuSeconds + 3);
        QVERIFY(after->kernels == before->kernels && !after->best);
        QVERIFY(after->comparisons.empty());
    }

    void theNewestOfANameCounts() {
        Campaign campaign;
        AnchorFigure other = sampleAnchor();
        other.name = "cudnn";
        QVERIFY(campaign.store->addAnchor(sampleAnchor(), measuredVerdict(50)));
        QVERIFY(campaign.store->addAnchor(other, failedVerdict(VerdictKind::infrastructureFailed, "libcudnn.so is not "
                                                                                                  "installed here")));
        QVERIFY(campaign.store->addAnchor(sampleAnchor(), measuredVerdict(40)));
        const auto population = campaign.store->population().value();
        QCOMPARE(population->anchors.size(), std::size_t{3});
        const auto newest = newestAnchors(*population);
        QCOMPARE(newest.size(), std::size_t{2});
        QCOMPARE(newest[0]->geomeanUs, 40.0);
        QVERIFY(isMeasured(*newest[0]) && !isMeasured(*newest[1]));
        QCOMPARE(newest[1]->reason, std::string("libcudnn.so is not installed here"));
        QCOMPARE(anchorLine(*population, *newest[1], nullptr),
                 std::string("cuBLASLt: not measured, libcudnn.so is not installed here"));
    }

    // Measured although it is wrong: the figure has both.
    void whatMissesTheToleranceSaysSo() {
        Campaign campaign;
        Verdict verdict = measuredVerdict(50);
        verdict.kind = VerdictKind::wrong;
        verdict.reason = "outside the tolerance: 0.031 where 0.02 is allowed";
        QVERIFY(campaign.store->addAnchor(sampleAnchor(), verdict));
        const auto population = campaign.store->population().value();
        const AnchorFigure& anchor = population->anchors.front();
        QVERIFY(isMeasured(anchor));
        QCOMPARE(lacksText(anchor), std::string("sums in fewer bits; outside the tolerance: 0.031 where 0.02 is "
                                                "allowed"));
        QVERIFY(!population->best); // a line, no win
    }

    // Somebody else's file: a record that cannot be read, and texts without end.
    void hostileRecordsAreFiguresWithoutATime() {
        Campaign campaign;
        QVERIFY(campaign.store->addAnchor(sampleAnchor(), measuredVerdict(50)));
        campaign.store.reset();
        {
            auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
            const std::string endless(100000, 'x');
            QVERIFY(
                database.run("INSERT INTO anchor (name, title, lacks, lane, at, verdict) VALUES (?, ?, ?, '', 0, ?)",
                             {endless, endless, endless, R"({"verdict": "faster", "geomean_us": "no"})"}));
            QVERIFY(database.run("INSERT INTO anchor (name, title, lacks, lane, at, verdict) VALUES ('y', 'y', '', '', "
                                 "0, '{')",
                                 {}));
            QVERIFY(
                database.run("INSERT INTO anchor (name, title, lacks, lane, at, verdict) VALUES ('z', 'z', '', '', "
                             "0, ?)",
                             {R"({"verdict": "correct", "geomean_us": -3, "comparison": {"ratio": -1, "ci95": [0, 0],)"
                              R"( "verdict": "faster", "baseline_sha256": ""}})"}));
        }
        campaign.store = CampaignStore::open(campaign.file).value();
        const auto population = campaign.store->population();
        QVERIFY2(population, population ? "" : population.error().message().c_str());
        QCOMPARE((*population)->anchors.size(), std::size_t{4});
        for (const AnchorFigure& anchor : (*population)->anchors) {
            QCOMPARE(isMeasured(anchor), anchor.name == "cublaslt");
            QVERIFY(anchor.title.size() < 1000 && anchor.lacks.size() < 1000);
            const Population beside = populationOf(2, {1.9, 2.1});
            QCOMPARE(speedAgainst(beside, anchor, beside.kernels[0]).has_value(), anchor.name == "cublaslt");
        }
    }

    // Both were measured beside the baseline: the interval of their quotient is wider than either.
    void theQuotientHoldsBothIntervals() {
        AnchorFigure anchor = sampleAnchor();
        anchor.geomeanUs = 160;
        anchor.geomeanCi95Us = {159, 161};
        anchor.speedup = 2.5;
        anchor.speedupCi95 = {2.5 / 1.03, 2.5 * 1.03};
        const Population population = populationOf(2, {2 / 1.04, 2 * 1.04});
        const Kernel& kernel = population.kernels[0];
        const auto speed = speedAgainst(population, anchor, kernel);
        QVERIFY(speed);
        QCOMPARE(speed->ratio, 0.8);
        const double half = std::hypot(std::log(1.03), std::log(1.04));
        QVERIFY(std::abs(speed->ci95.high - 0.8 * std::exp(half)) < 1e-9);
        QVERIFY(std::abs(speed->ci95.low - 0.8 * std::exp(-half)) < 1e-9);
        QVERIFY(speed->ci99.low < speed->ci95.low && speed->ci99.high > speed->ci95.high);
        QCOMPARE(speedOfAnchorText(population, anchor, kernel), std::string("0.800x [0.762, 0.840] of cuBLASLt"));
        QCOMPARE(
            anchorLine(population, anchor, &kernel),
            std::string("cuBLASLt: 160 us ±0.6 %, 0.800x [0.762, 0.840] of its speed has kernel 00004; lacks: sums "
                        "in fewer bits"));
        const Population damaged = populationOf(0, {});
        QVERIFY(!speedAgainst(damaged, anchor, damaged.kernels[0]));
        QVERIFY(!speedAgainst(Population(), anchor, kernel)); // not compared
        anchor.speedup = 0;
        QVERIFY(!speedAgainst(population, anchor, kernel));
    }

    void lineLiesWhereTheBaselineSays() {
        Population population;
        Kernel baseline;
        baseline.id = 4;
        baseline.geomeanUs = 400;
        population.kernels = {baseline};
        population.baseline = baseline.id;
        AnchorFigure anchor = sampleAnchor();
        anchor.geomeanUs = 170;
        QCOMPARE(scaledUs(population, anchor), 170.0);
        anchor.speedup = 2.5;
        QCOMPARE(scaledUs(population, anchor), 160.0);
    }
};

QTEST_APPLESS_MAIN(CampaignAnchors)
#include "campaign_anchors.moc"
