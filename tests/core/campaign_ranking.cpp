// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/ranking.h"

#include "core/campaign/database.h"
#include "core/campaign/rules.h"
#include "core/campaign/store.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <cmath>

using namespace gks;
using namespace gks::test;

namespace {

// Alone it takes `us`; in the paired run it is `ratio` times as fast as `other`, to two per cent.
Evaluation pairedWith(KernelId kernel, double us, KernelId other, double ratio) {
    Evaluation evaluation = sampleEvaluation(kernel, us, other);
    evaluation.verdict.comparison->ratio = ratio;
    evaluation.verdict.comparison->ci95 = {ratio * 0.98, ratio / 0.98};
    return evaluation;
}

// Seeds 1 and 2; 3 was made of 2, and 4 of 3. The load was high when 3 was measured and low for 2.
struct Drifting : Campaign {
    Drifting() {
        add(sampleEvaluation(1, 100));
        add(pairedWith(2, 70, 1, 1.1));
        child(2, "int c;", 95, 1.3);
        child(3, "int d;", 80, 0.9);
    }
    void add(const Evaluation& evaluation) { QVERIFY(store->addEvaluation(evaluation)); }
    KernelId child(KernelId parent, const std::string& source, double us, double ratio) {
        const KernelId kernel = store->addKernel(sampleKernel(parent, source)).value();
        add(pairedWith(kernel, us, parent, ratio));
        return kernel;
    }
};

bool isNear(double value, double wanted) {
    return std::abs(value / wanted - 1) < 1e-6;
}

} // namespace

class CampaignRankingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bestIsTheFastestByPairs();
    void aTimeAloneIsNotCompared();
    void aPairHasTheRatioOfItsNewestRun();
    void whatFailsAddsNothing();
    void theScaleGoesOnWithTheFile();
    void aComparisonMovesNoOtherKernel();
    void aDamagedVerdictIsNotCompared();
    void texts();
    void theFirstAreMeasuredSideBySide();
    void weightsChooseAnotherBest();
    void weightsNameShapesThatWereCompared();
};

void CampaignRankingTest::bestIsTheFastestByPairs() {
    Drifting campaign;
    const auto population = campaign.store->population().value();
    QVERIFY2(population->best == KernelId{3}, "times alone call 2 the best");
    QCOMPARE(population->speed(*population->kernel(1))->ratio, 1.0);
    QVERIFY(isNear(population->speed(*population->kernel(3))->ratio, 1.43));
    QVERIFY(isNear(population->speed(*population->kernel(4))->ratio, 1.287));
    const SpeedRatio& third = *population->speed(*population->kernel(3));
    QVERIFY(third.ci95.low < 1.43 && third.ci99.high > 1.43);
    QVERIFY(isFaster(*population, *population->kernel(4), *population->kernel(2)));
    QVERIFY(isNear(logSpeedup(*population, *population->kernel(3), *population->kernel(2)), std::log(1.3)));
    QVERIFY(isNear(scaledUs(*population, *population->kernel(3)), 100 / 1.43));
}

namespace {

// On its first shape it is `first` times as fast as the baseline, on the other `second` times.
Evaluation onTwoShapes(KernelId kernel, double first, double second) {
    Evaluation evaluation = pairedWith(kernel, 100 / std::sqrt(first * second), 1, std::sqrt(first * second));
    evaluation.verdict.measurements[0].medianUs = 100 / first;
    evaluation.verdict.measurements[1].medianUs = 100 / second;
    evaluation.verdict.measurements[1].shape = {{"n", 7}};
    for (auto [at, ratio] : {std::pair(0, first), std::pair(1, second)}) {
        MeasurementFact& fact = evaluation.verdict.measurements[static_cast<std::size_t>(at)];
        fact.ci95Us = {fact.medianUs * 0.99, fact.medianUs * 1.01};
        fact.ratio = ratio;
        fact.ratioCi95 = Interval{ratio * 0.98, ratio / 0.98};
    }
    return evaluation;
}

} // namespace

void CampaignRankingTest::weightsChooseAnotherBest() {
    Campaign campaign;
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(onTwoShapes(2, 4, 1)));
    const KernelId third = campaign.store->addKernel(sampleKernel(1, "int third;")).value();
    QVERIFY(campaign.store->addEvaluation(onTwoShapes(third, 1, 3)));
    const auto plain = campaign.store->population().value();
    QVERIFY(plain->best == KernelId{2});
    QCOMPARE(meanName(plain->settings), std::string("geometric mean"));

    CampaignSettings settings = plain->settings;
    settings.shapeWeights = {{{{"n", 7}}, 3}};
    QVERIFY(campaign.store->saveSettings(settings, {0, Author::person, "set shape weights", "", 0}));
    for (int round = 0; round < 2; ++round) { // at once, and from the file
        const auto weighted = campaign.store->population().value();
        QVERIFY(weighted->settings.shapeWeights == settings.shapeWeights);
        QVERIFY2(weighted->best == third, "the scale was not fitted again");
        QVERIFY(isNear(weighted->speed(*weighted->kernel(third))->ratio, std::pow(3, 0.75)));
        QVERIFY(isNear(weighted->speed(*weighted->kernel(2))->ratio, std::pow(4, 0.25)));
        QVERIFY(isNear(weighted->kernel(2)->geomeanUs, std::pow(25, 0.25) * std::pow(100, 0.75)));
        QVERIFY(weighted->kernel(2)->geomeanCi95Us.low < weighted->kernel(2)->geomeanUs);
        QCOMPARE(meanName(weighted->settings), std::string("weighted geometric mean"));
        QCOMPARE(weighted->kernel(2)->versusParent->ratio, 2.0); // the judge's word stays
        campaign.reopen();
    }
    settings.shapeWeights.clear();
    QVERIFY(campaign.store->saveSettings(settings, {0, Author::person, "set shape weights", "", 0}));
    const auto again = campaign.store->population().value();
    QVERIFY(again->best == KernelId{2});
    QVERIFY(again->kernel(2)->geomeanUs == plain->kernel(2)->geomeanUs);
}

void CampaignRankingTest::weightsNameShapesThatWereCompared() {
    Campaign campaign;
    const auto isAllowed = [&](const ShapeWeights& weights) {
        return checkCommand(command::SetShapeWeights{weights}, *campaign.store->population().value()).has_value();
    };
    QVERIFY(!isAllowed({{{{"n", 7}}, 2}}));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(onTwoShapes(2, 4, 1)));
    QVERIFY(isAllowed({}));
    QVERIFY(isAllowed({{{{"n", 7}}, 0}}));
    QVERIFY(!isAllowed({{{{"n", 8}}, 2}}));
    QVERIFY(!isAllowed({{{{"n", 7}}, -1}}));
    QVERIFY(!isAllowed({{{{"n", 7}}, std::nan("")}}));
    QVERIFY(!isAllowed({{{{"n", 7}}, 1001}}));
    QVERIFY(!isAllowed({{{{"n", 7}}, 0}, {{{"n", 1024}}, 0}}));
    const Steering line =
        historyLine(command::SetShapeWeights{{{{{"n", 7}}, 2.5}}}, *campaign.store->population().value());
    QCOMPARE(line.action, std::string("set shape weights"));
    QCOMPARE(line.detail, std::string("n=7: 2.50"));
}

void CampaignRankingTest::aPairHasTheRatioOfItsNewestRun() {
    Drifting campaign;
    campaign.add(pairedWith(4, 80, 2, 1.25));
    Evaluation again = pairedWith(4, 80, 2, 1.5);
    again.purpose = askedPurpose;
    campaign.add(again);
    const auto population = campaign.store->population().value();
    const auto direct = directRatio(*population, 4, 2);
    QVERIFY(direct && isNear(direct->ratio, 1.5) && isNear(direct->ci95.low, 1.5 * 0.98));
    QVERIFY(isDecided(*direct) && direct->ci99.low < direct->ci95.low && direct->ci99.high > direct->ci95.high);
    const auto turned = directRatio(*population, 2, 4);
    QVERIFY(turned && isNear(turned->ratio, 1 / 1.5) && isNear(turned->ci95.low, 0.98 / 1.5));
    QVERIFY(!directRatio(*population, 4, 1)); // a chain alone leads there
    QVERIFY(population->scale->ratio(4, 1));
}

void CampaignRankingTest::aTimeAloneIsNotCompared() {
    Drifting campaign;
    const KernelId lonely = campaign.store->addKernel(sampleKernel(1, "int lonely;")).value();
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(lonely, 50)));
    const auto population = campaign.store->population().value();
    QVERIFY2(population->best == KernelId{3}, "a time alone made a best");
    const Kernel& kernel = *population->kernel(lonely);
    QVERIFY(population->speed(kernel) == nullptr);
    QCOMPARE(scaledSpeedText(*population, kernel), std::string("not compared"));
    QCOMPARE(scaledUs(*population, kernel), 0.0);
    QVERIFY(!isFaster(*population, kernel, *population->kernel(1)));
    QVERIFY(isFaster(*population, *population->kernel(1), kernel));
    QCOMPARE(logSpeedup(*population, kernel, *population->kernel(1)), 0.0);
    // It is the first to be measured beside the best.
    QVERIFY(nextComparison(*population) == (ComparisonWish{lonely, 3, ComparisonReason::notCompared}));
}

void CampaignRankingTest::whatFailsAddsNothing() {
    Drifting campaign;
    Evaluation wrong = pairedWith(4, 10, 1, 9);
    wrong.verdict.kind = VerdictKind::wrong;
    QVERIFY(campaign.store->addEvaluation(wrong));
    const auto population = campaign.store->population().value();
    QCOMPARE(population->comparisons.size(), std::size_t{3});
    QVERIFY(population->best == KernelId{3});
    QVERIFY(population->speed(*population->kernel(4)) == nullptr); // it is not accepted any more
    QCOMPARE(scaledSpeedText(*population, *population->kernel(4)), std::string("-"));
}

void CampaignRankingTest::theScaleGoesOnWithTheFile() {
    Drifting campaign;
    const auto before = campaign.store->population().value();
    Evaluation ranking = pairedWith(4, 60, 3, 1.2); // beside: the summary stays, the scale moves
    ranking.purpose = rankingPurpose;
    QVERIFY(campaign.store->addEvaluation(ranking));
    const auto after = campaign.store->population().value();
    QCOMPARE(after->kernel(4)->geomeanUs, 80.0);
    QVERIFY(after->speed(*after->kernel(4))->ratio > before->speed(*before->kernel(4))->ratio);
    QCOMPARE(after->spend.evaluations, before->spend.evaluations); // no budget pays for it
    QVERIFY(before->scale != after->scale);
    QVERIFY(campaign.store->addSteering({0, Author::person, "start", "", 0}));
    QVERIFY(campaign.store->setKernelState(4, KernelState::waiting));
    QVERIFY2(campaign.store->population().value()->scale == after->scale, "fitted again without a new comparison");
    campaign.reopen();
    const auto again = campaign.store->population().value();
    QVERIFY(again->comparisons == after->comparisons);
    QVERIFY(again->speeds == after->speeds);
}

// One moment shares with the next what stays, however large the campaign is.
void CampaignRankingTest::aComparisonMovesNoOtherKernel() {
    Drifting campaign;
    for (int i = 0; i < 150; ++i) {
        QVERIFY(campaign.store->addKernel(sampleKernel(1, "int more" + std::to_string(i) + ";")));
    }
    const auto before = campaign.store->population().value();
    Evaluation ranking = pairedWith(4, 60, 3, 1.2);
    ranking.purpose = rankingPurpose;
    QVERIFY(campaign.store->addEvaluation(ranking));
    const auto after = campaign.store->population().value();
    QCOMPARE(after->kernel(4)->evaluations, before->kernel(4)->evaluations + 1);
    QVERIFY(*after->speed(*after->kernel(3)) != *before->speed(*before->kernel(3)));
    QVERIFY(*after->kernel(2) == *before->kernel(2));
    QVERIFY(&after->kernels.back() == &before->kernels.back());
    // And the same when it comes from the file.
    campaign.reopen();
    const auto again = campaign.store->population().value();
    QVERIFY(again->speeds == after->speeds);
    QCOMPARE(again->kernels.size(), after->kernels.size());
}

void CampaignRankingTest::aDamagedVerdictIsNotCompared() {
    Drifting campaign;
    campaign.store.reset();
    {
        auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
        QVERIFY(database.run("UPDATE evaluation SET kind = 'fas' WHERE kernel = 4", {}));
        QVERIFY(database.run("UPDATE evaluation SET ratio = 'x' WHERE kernel = 3", {}));
    }
    campaign.reopen();
    const auto population = campaign.store->population().value();
    QVERIFY(population->speed(*population->kernel(3)) == nullptr);
    QVERIFY(population->speed(*population->kernel(4)) == nullptr);
    QVERIFY(population->best == KernelId{2});
}

void CampaignRankingTest::texts() {
    Drifting campaign;
    const auto population = campaign.store->population().value();
    QCOMPARE(scaledSpeedText(*population, *population->kernel(1)), std::string("1.00x"));
    QVERIFY(scaledSpeedText(*population, *population->kernel(2)).starts_with("1.10x [1."));
    Population open = *population;
    SpeedRatio speed = *open.speed(*open.kernel(2));
    speed.ci99 = {0.996, 1.84};
    open.speeds.set(2, speed);
    Kernel second = *open.kernel(2);
    QCOMPARE(scaledSpeedText(open, second), std::string("1.10x, not decided (99 %: 0.996 to 1.84)"));
    second.geomeanUs = 0;
    QCOMPARE(scaledSpeedText(open, second), std::string("-"));
}

void CampaignRankingTest::theFirstAreMeasuredSideBySide() {
    Drifting campaign;
    // 3, 4, 2: 4 and 2 were measured with 3 itself, so nothing is left to ask.
    QVERIFY(!nextComparison(*campaign.store->population().value()));
    const KernelId fifth = campaign.child(1, "int e;", 90, 1.35); // the second by now, never in a run with the first
    QVERIFY(nextComparison(*campaign.store->population().value()) ==
            (ComparisonWish{fifth, 3, ComparisonReason::sideBySide}));
}

QTEST_APPLESS_MAIN(CampaignRankingTest)
#include "campaign_ranking.moc"
