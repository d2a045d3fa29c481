// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/champions.h"

#include "core/campaign/store.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace gks;
using namespace gks::test;

namespace {

using Extents = std::map<std::string, std::int64_t>;
using Times = std::array<double, 2>;

const std::array<Extents, 2> shapes = {Extents{{"n", 1024}}, Extents{{"n", 4096}}};

// What kernels take on an idle machine, by id; 3 is made of 2 and 4 of 3. The fastest on the first shape is 3, on the
// second and over both 4.
const std::map<KernelId, Times> truth = {{1, {100, 400}}, {2, {80, 380}}, {3, {70, 390}}, {4, {90, 200}}};

// A paired run under a load that both sides share. `share`: half of the 95 % interval of each ratio.
Evaluation pairedRun(KernelId kernel, const Times& us, KernelId other, const Times& otherUs, double load,
                     double share = 0.005) {
    const double all = std::sqrt(otherUs[0] / us[0] * otherUs[1] / us[1]);
    Evaluation evaluation = sampleEvaluation(kernel, load * std::sqrt(us[0] * us[1]), other);
    evaluation.verdict.device = "a device";
    evaluation.verdict.comparison->ratio = all;
    evaluation.verdict.comparison->ci95 = {all * (1 - share), all / (1 - share)};
    for (std::size_t at = 0; at < shapes.size(); ++at) {
        MeasurementFact& fact = evaluation.verdict.measurements.at(at);
        const double ratio = otherUs.at(at) / us.at(at);
        fact.shape = shapes.at(at);
        fact.medianUs = load * us.at(at);
        fact.ci95Us = {fact.medianUs * 0.99, fact.medianUs * 1.01};
        fact.baselineMedianUs = load * otherUs.at(at);
        fact.ratio = ratio;
        fact.ratioCi95 = Interval{ratio * (1 - share), ratio / (1 - share)};
    }
    return evaluation;
}

Evaluation trueRun(KernelId kernel, KernelId other, double load, double share = 0.005) {
    return pairedRun(kernel, truth.at(kernel), other, truth.at(other), load, share);
}

// The load was low while 2 was measured and high for 3 and 4.
struct Drifting : Campaign {
    Drifting() {
        add(sampleEvaluation(1, 200));
        add(trueRun(2, 1, 1));
        for (const KernelId kernel : {3, 4}) {
            QCOMPARE(store->addKernel(sampleKernel(kernel - 1, "int k" + std::to_string(kernel) + ";")).value(),
                     kernel);
            add(trueRun(kernel, kernel - 1, kernel == 3 ? 1.6 : 2.5));
        }
    }
    void add(const Evaluation& evaluation) { QVERIFY(store->addEvaluation(evaluation)); }
    Champions champions() { return championsOf(*store->population().value()); }
};

bool isNear(double value, double wanted) {
    return std::abs(value / wanted - 1) < 1e-6;
}

KernelId fastestAlone(const Population& population, std::size_t shape) {
    const auto fastest = std::ranges::min_element(population.kernels, {}, [&](const Kernel& kernel) {
        return kernel.id == 1 ? truth.at(1).at(shape) : kernel.shapeMediansUs.at(shape);
    });
    return fastest->id;
}

} // namespace

class CampaignChampionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pairsDecideWhereTimesMislead();
    void dispatchOfAllChampions();
    void undecidedIsSaid();
    void onlyWhatIsAccepted();
    void withoutRatiosThereIsNoChampion();
    void whatNothingWasComparedOnHasNoChampion();
    void scalesGoOnWithTheFile();
    void texts();
};

void CampaignChampionsTest::pairsDecideWhereTimesMislead() {
    Drifting campaign;
    const auto population = campaign.store->population().value();
    QVERIFY2(fastestAlone(*population, 0) == 2 && fastestAlone(*population, 1) == 2, "the load must mislead");
    const Champions champions = championsOf(*population);
    QCOMPARE(champions.shapes.size(), shapes.size());
    const std::array<KernelId, 2> wanted = {3, 4};
    for (std::size_t at = 0; at < shapes.size(); ++at) {
        const ShapeChampion& one = champions.shapes.at(at);
        QVERIFY(one.shape == shapes.at(at));
        QCOMPARE(one.kernel, wanted.at(at));
        QVERIFY(one.isDecided());
        QVERIFY(isNear(one.speed.ratio, truth.at(1).at(at) / truth.at(wanted.at(at)).at(at)));
        QVERIFY(one.speed.ci95.low < one.speed.ratio && one.speed.ratio < one.speed.ci95.high);
        QVERIFY(champions.of(shapes.at(at)) == &one);
    }
    QCOMPARE(champions.wonBy(3).size(), std::size_t{1});
    QVERIFY(champions.wonBy(2).empty());
    QVERIFY(champions.of({{"n", 7}}) == nullptr);
}

// 3 is 90 / 70 of the best on the first shape, and the best is the champion of the second.
void CampaignChampionsTest::dispatchOfAllChampions() {
    Drifting campaign;
    const auto population = campaign.store->population().value();
    QVERIFY(population->best == KernelId{4});
    const Champions champions = championsOf(*population);
    QCOMPARE(champions.shapes.size(), shapes.size());
    QVERIFY(isNear(champions.shapes[0].overBest->ratio, 90.0 / 70));
    QVERIFY(isNear(champions.shapes[0].best->ratio, 100.0 / 90));
    QCOMPARE(champions.shapes[1].overBest, std::optional(SpeedRatio()));
    QCOMPARE(champions.dispatched, std::size_t{2});
    QVERIFY(isNear(champions.dispatch->ratio, std::sqrt(90.0 / 70)));
    // Half as wide on a logarithmic scale as that of the shape that has one.
    const auto width = [](const Interval& interval) { return std::log(interval.high / interval.low); };
    QVERIFY(isNear(width(champions.dispatch->ci95), width(champions.shapes[0].overBest->ci95) / 2));
    QVERIFY(isNear(width(champions.dispatch->ci99), width(champions.shapes[0].overBest->ci99) / 2));
}

// A fifth kernel is half a per cent faster than 3, to two per cent; then the two meet again and again.
void CampaignChampionsTest::undecidedIsSaid() {
    Drifting campaign;
    const Times us = {70 / 1.005, 390};
    const KernelId fifth = campaign.store->addKernel(sampleKernel(3, "int fifth;")).value();
    campaign.add(pairedRun(fifth, us, 3, truth.at(3), 1, 0.02));
    const ShapeChampion open = campaign.champions().shapes.at(0);
    QCOMPARE(open.kernel, fifth);
    QVERIFY(open.rivals == std::vector<KernelId>{3});
    QCOMPARE(championText(open), std::string("00005 or 00003: not decided"));
    QVERIFY(campaign.champions().shapes.at(1).isDecided());
    // The first run was unlucky: 3 is the faster one by far more than any noise.
    for (int again = 0; again < 4; ++again) {
        Evaluation ranking = pairedRun(3, {70, 390}, fifth, {77, 390}, 1, 0.001);
        ranking.purpose = rankingPurpose;
        campaign.add(ranking);
    }
    QCOMPARE(championText(campaign.champions().shapes.at(0)), std::string("00003"));
}

void CampaignChampionsTest::onlyWhatIsAccepted() {
    Drifting campaign;
    QVERIFY(campaign.store->setBanned(3, true, {0, Author::person, "ban", "", 0}));
    QCOMPARE(campaign.champions().shapes.at(0).kernel, KernelId{3}); // it ran, whatever may be made of it
    Evaluation wrong = trueRun(3, 2, 1);
    wrong.verdict.kind = VerdictKind::wrong;
    campaign.add(wrong);
    QCOMPARE(campaign.champions().shapes.at(0).kernel, KernelId{2});
}

void CampaignChampionsTest::withoutRatiosThereIsNoChampion() {
    Campaign campaign;
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(2, 50, 1))); // as an old verdict: of all shapes alone
    const Champions champions = championsOf(*campaign.store->population().value());
    QVERIFY(champions.shapes.empty() && !champions.dispatch);
    QVERIFY(championsOf({}).shapes.empty());
}

// A run of two kernels that nothing connects with the baseline there, and one of the baseline with what fails.
void CampaignChampionsTest::whatNothingWasComparedOnHasNoChampion() {
    Campaign campaign;
    const KernelId third = campaign.store->addKernel(sampleKernel(1, "int third;")).value();
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    Evaluation apart = pairedRun(third, {70, 390}, 2, {80, 400}, 1, 0.01);
    QVERIFY(campaign.store->addEvaluation(apart));
    QVERIFY(!campaign.store->population().value()->shapeScales->shapes().empty());
    QVERIFY(championsOf(*campaign.store->population().value()).shapes.empty());
    QVERIFY(campaign.store->addEvaluation(pairedRun(2, {80, 400}, 1, {100, 500}, 1, 0.01)));
    QCOMPARE(championsOf(*campaign.store->population().value()).shapes.size(), shapes.size());
}

void CampaignChampionsTest::scalesGoOnWithTheFile() {
    Drifting campaign;
    const auto before = campaign.store->population().value();
    QVERIFY(campaign.store->setKernelState(4, KernelState::waiting));
    QVERIFY2(campaign.store->population().value()->shapeScales == before->shapeScales, "fitted again for nothing");
    campaign.add(trueRun(4, 1, 1));
    const auto after = campaign.store->population().value();
    QVERIFY(after->shapeScales != before->shapeScales);
    QCOMPARE(after->shapeScales->of(shapes[0])->comparisons().size(), std::size_t{4});
    campaign.reopen();
    const auto again = campaign.store->population().value();
    QCOMPARE(again->shapeScales->of(shapes[1])->speed(4), after->shapeScales->of(shapes[1])->speed(4));
}

void CampaignChampionsTest::texts() {
    ShapeChampion champion;
    champion.kernel = 12;
    QCOMPARE(championText(champion), std::string("00012"));
    champion.rivals = {9, 7};
    QCOMPARE(championText(champion), std::string("00012, 00009 or 00007: not decided"));
    champion.rivals = {9, 7, 3, 2};
    QCOMPARE(championText(champion), std::string("00012, 00009, 00007 or 2 more: not decided"));
}

QTEST_APPLESS_MAIN(CampaignChampionsTest)
#include "campaign_champions.moc"
