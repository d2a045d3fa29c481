// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/briefing_text.h"

#include <QTest>

using namespace gks;

namespace {

StaticReport reportOf(int vgprs, int ldsBytes, int waves, int spills = 0) {
    StaticReport report;
    KernelResources kernel;
    kernel.vgprs = vgprs;
    kernel.ldsBytes = ldsBytes;
    kernel.occupancyWavesPerSimd = waves;
    kernel.vgprSpills = spills;
    report.kernels = {kernel};
    return report;
}

Kernel kernelOf(KernelId id, double us, const Interval& ci) {
    Kernel kernel;
    kernel.id = id;
    kernel.state = KernelState::evaluated;
    kernel.verdict = VerdictKind::correct;
    kernel.geomeanUs = us;
    kernel.geomeanCi95Us = ci;
    kernel.shapeMediansUs = {us, us};
    return kernel;
}

constexpr int shapeCount = 18;

// Three structures of a model on a seed, one from the other, and `points` tuning points of each. Of every structure the
// middle point is the best, and the fifth is the fastest on the first shape.
Population tunedCampaign(int points) {
    Population population;
    population.settings.scientist = ScientistKind::model;
    const auto add = [&](Author author, std::vector<KernelId> parents, double us) -> Kernel& {
        Kernel kernel = kernelOf(static_cast<KernelId>(population.kernels.size()) + 1, us, {us * 0.99, us * 1.01});
        kernel.author = author;
        kernel.parents = std::move(parents);
        kernel.title = "tile " + std::to_string(kernel.id);
        kernel.shapeMediansUs.clear();
        for (int shape = 0; shape < shapeCount; ++shape) {
            kernel.shapeMediansUs.push_back(us + shape);
        }
        population.kernels.push_back(kernel);
        return population.kernels.back();
    };
    const auto experiment = [&](Author author, KernelId parent, KernelId kernel, std::string description) {
        Experiment made;
        made.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
        made.author = author;
        made.parent = parent;
        made.kernel = kernel;
        made.description = std::move(description);
        made.state = ExperimentState::done;
        population.experiments.push_back(made);
        population.kernels.back().experiment = made.id;
    };
    KernelId from = add(Author::seed, {}, 1000).id;
    for (int structure = 1; structure <= 3; ++structure) {
        const KernelId root = add(Author::model, {from}, 900.0 / structure).id;
        experiment(Author::model, from, root, "Idea " + std::to_string(structure));
        for (int point = 0; point < points; ++point) {
            const double us = 800.0 / structure + (point == points / 2 ? -100.0 / structure : point % 50);
            Kernel& tuned = add(Author::tuner, {root}, us);
            tuned.shapeMediansUs[0] = point == 5 ? 1.5 : tuned.shapeMediansUs[0];
            experiment(Author::tuner, root, tuned.id, "Set TILE to " + std::to_string(point));
        }
        from = root;
    }
    return population;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string rowsOf(const Population& population) {
    return populationText({std::make_shared<const Population>(population), nullptr, {}});
}

} // namespace

class ScientistBriefing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resourcesAndTheirChange();
    void rowOfTheSelector();
    void undecidedIsToldAsThat();
    void tuningPointsStandTogether();
    void textStaysBoundedWhateverIsTuned();
    void searchesDoNotCrowdOutExperiments();
    void heldOutShapesStaySecret();
    void checkedReportIsPartOfTheHistory();
};

void ScientistBriefing::resourcesAndTheirChange() {
    const StaticReport parent = reportOf(64, 16384, 8);
    QCOMPARE(resourcesText(parent, nullptr), std::string("VGPR 64, LDS 16384 B, 8 waves per SIMD"));
    QCOMPARE(resourcesText(parent, &parent), std::string("VGPR 64, LDS 16384 B, 8 waves per SIMD"));
    const StaticReport child = reportOf(128, 8192, 4, 3);
    QCOMPARE(resourcesText(child, &parent),
             std::string("VGPR 128 (+64), LDS 8192 B (-8192), 4 waves per SIMD (-4), spills 3 (+3)"));
    StaticReport two = parent; // the more demanding kernel of a source counts
    two.kernels.push_back(child.kernels.front());
    QCOMPARE(resourcesText(two, nullptr), std::string("VGPR 128, LDS 16384 B, 4 waves per SIMD, spills 3"));
}

void ScientistBriefing::rowOfTheSelector() {
    Population population;
    population.kernels = {kernelOf(1, 200, {199, 201}), kernelOf(2, 100, {99, 101})};
    population.kernels[1].parents = {1};
    ComparisonFact comparison;
    comparison.ratio = 2;
    comparison.ci95 = {1.98, 2.02};
    comparison.verdict = VerdictKind::faster;
    population.kernels[1].versusParent = comparison;
    Experiment failed;
    failed.id = 1;
    failed.parent = 2;
    failed.state = ExperimentState::failed;
    population.experiments = {failed};
    Briefing briefing{std::make_shared<const Population>(population), nullptr, {}};
    briefing.staticReport = [](KernelId id) { return std::optional(reportOf(id == 1 ? 64 : 96, 0, 4)); };
    const std::string first = formatMicroseconds(200, {199, 201});
    const std::string second = formatMicroseconds(100, {99, 101});
    const std::string rows = populationText(briefing);
    QCOMPARE(QByteArray::fromStdString(rows),
             QByteArray::fromStdString(
                 "00001 | parents none | correct | times 200.0 200.0 | geometric mean " + first +
                 " | VGPR 64, LDS 0 B, 4 waves per SIMD | tried once as a parent, 0 failed | eligible\n" +
                 "00002 | parents 00001 | correct | times 100.0 100.0 | geometric mean " + second + " | " +
                 formatRatio(2, {1.98, 2.02}) +
                 " of its parent (faster) | VGPR 96 (+32), LDS 0 B, 4 waves per SIMD | tried once "
                 "as a parent, 1 failed | eligible"));
}

// Neither a gain nor a tie: the designer and the selector are told what noise hides.
void ScientistBriefing::undecidedIsToldAsThat() {
    Population population;
    population.kernels = {kernelOf(1, 200, {199, 201}), kernelOf(2, 190, {150, 230})};
    population.kernels[1].parents = {1};
    population.kernels[1].verdict = VerdictKind::undecided;
    population.kernels[1].versusParent =
        ComparisonFact{1.05, {0.9, 1.2}, VerdictKind::undecided, "", 0.5, {0.85, 1.3}, 1};
    Experiment done;
    done.id = 1;
    done.parent = 1;
    done.kernel = 2;
    done.description = "wider loads";
    done.state = ExperimentState::done;
    population.experiments = {done};
    const std::string tried = triedText(population);
    QVERIFY2(
        contains(tried,
                 "undecided 1.05x [0.8500, 1.300] at 99 % of its parent, which neither shows nor rules out a gain"),
        tried.c_str());
    const Briefing briefing{std::make_shared<const Population>(population), nullptr, {}};
    const std::string rows = populationText(briefing);
    QVERIFY2(contains(rows, "| undecided |") && contains(rows, "of its parent (undecided)") &&
                 contains(rows, "eligible"),
             rows.c_str());
}

void ScientistBriefing::tuningPointsStandTogether() {
    const Population population = tunedCampaign(12);
    const std::string rows = rowsOf(population);
    const auto lines = split(rows, '\n');
    QCOMPARE(lines.size(), std::size_t{1 + 3 * 3}); // the seed; a structure, its best point, a line for the others
    QVERIFY2(lines[1].starts_with("00002 | parents 00001 | correct | times 900.0 901.0 902.0 "), lines[1].c_str());
    // A search over numbers is no step to another idea: 00015 alone was made from 00002.
    QVERIFY2(contains(lines[1], "tried once as a parent, 0 failed"), lines[1].c_str());
    QVERIFY2(lines[2].starts_with("00009 | parents 00002 | correct | times 700.0 701.0 702.0 "), lines[2].c_str());
    QVERIFY2(
        lines[3].starts_with("  00002 tuned: 12 points of its tunables, 12 passed, the best 00009; of each shape the "
                             "fastest: 1.500 (00008) 701.0 (00009) 702.0 (00009) "),
        lines[3].c_str());
    QVERIFY2(contains(lines[3], "others, the fastest first: 00003 800.0 801.0 "), lines[3].c_str());
    QVERIFY2(contains(lines[3], " and 3 more up to 811 us"), lines[3].c_str());
    QVERIFY2(lines[4].starts_with("00015 | parents 00002 | "), lines[4].c_str());

    Population goneOn = population; // a person went on from a point that is not the best one
    Kernel byHand = population.kernels[1];
    byHand.id = 100;
    byHand.author = Author::person;
    byHand.parents = {4};
    goneOn.kernels.push_back(byHand);
    const std::string more = rowsOf(goneOn);
    QVERIFY2(contains(more, "\n00004 | parents 00002 | "), more.c_str());
    goneOn.kernels[8].banned = true; // the best point is not to be used
    QVERIFY(contains(rowsOf(goneOn), "00002 tuned: 12 points of its tunables, 12 passed, the best 00003;"));
}

void ScientistBriefing::textStaysBoundedWhateverIsTuned() {
    const Population few = tunedCampaign(30);
    const Population many = tunedCampaign(1000);
    const std::string rows = rowsOf(many);
    QVERIFY2(rows.size() < rowsOf(few).size() + 500, qPrintable(QString::number(rows.size())));
    // What the paper's selector sees is there: every kernel that a model or a person wrote with its parents and its
    // times, and of the tuned ones the best, with what is fastest on each shape.
    for (const Kernel& kernel : many.kernels) {
        if (kernel.author != Author::tuner) {
            const std::string parents = kernel.parents.empty() ? "none" : kernelLabel(kernel.parents.front());
            const std::string row =
                kernelLabel(kernel.id) + " | parents " + parents + " | correct | times " + timesText(kernel) + " | ";
            QVERIFY2(contains(rows, row), row.c_str());
        }
    }
    for (const KernelId root : {2, 1003, 2004}) {
        QVERIFY2(contains(rows, kernelLabel(root + 501) + " | parents " + kernelLabel(root)), rows.c_str());
        QVERIFY2(contains(rows, "fastest: 1.500 (" + kernelLabel(root + 6) + ")"), rows.c_str());
        QVERIFY(contains(rows, kernelLabel(root) + " tuned: 1000 points"));
    }
}

void ScientistBriefing::searchesDoNotCrowdOutExperiments() {
    const std::string tried = triedText(tunedCampaign(500));
    for (const char* idea : {"Idea 1", "Idea 2", "Idea 3"}) {
        QVERIFY2(contains(tried, idea), tried.c_str());
    }
    QVERIFY2(!contains(tried, "Set TILE"), tried.c_str());
    QVERIFY2(
        contains(tried,
                 "- on 00002: the tuner searched its tunables, 500 points, 500 passed; the best, 00253 (tile 253), "
                 "takes 22.2 % less time than 00002"),
        tried.c_str());
    QVERIFY(tried.size() < 2000);
}

void ScientistBriefing::heldOutShapesStaySecret() {
    QCOMPARE(withoutHeldOutShapes("m=64 n=72 k=8, held-out, as declared: c: 3 of 9 elements differ"),
             std::string("a shape that is not shown, held-out, as declared: c: 3 of 9 elements differ"));
    QCOMPARE(withoutHeldOutShapes("wrong: m=64, held-out, x: y"),
             std::string("wrong: a shape that is not shown, held-out, x: y"));
    QCOMPARE(withoutHeldOutShapes("wrong: m=64, test, x: y"), std::string("wrong: m=64, test, x: y"));
    Population population;
    Experiment experiment;
    experiment.id = 1;
    experiment.state = ExperimentState::failed;
    experiment.failure = "wrong: m=7919, held-out, as declared: c differs";
    population.experiments = {experiment};
    const std::string tried = triedText(population);
    QVERIFY2(tried.find("7919") == std::string::npos && tried.find("c differs") != std::string::npos, tried.c_str());
}

void ScientistBriefing::checkedReportIsPartOfTheHistory() {
    Population population;
    Kernel kernel = kernelOf(1, 100, {99, 101});
    kernel.report = "I did everything";
    population.kernels = {kernel};
    QVERIFY(analysisText(population, kernel).find("I did everything") != std::string::npos);
    kernel.rubric = {{"Pad LDS", true, "yes", false, "no line does"}};
    const std::string text = analysisText(population, kernel);
    QVERIFY2(text.find("used: Pad LDS (yes) [doubted: no line does]") != std::string::npos, text.c_str());
}

QTEST_APPLESS_MAIN(ScientistBriefing)
#include "scientist_briefing.moc"
