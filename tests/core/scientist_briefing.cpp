// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/held_out.h"
#include "core/scientist/kernel_facts.h"
#include "core/scientist/shape_table.h"

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
        return population.kernels.editBack();
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
        population.kernels.editBack().experiment = made.id;
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

std::string triedOf(const Population& population) {
    return triedText({std::make_shared<const Population>(population), nullptr, {}});
}

// The row of a kernel: begins with these cells.
bool hasRow(const std::string& rows, KernelId id, const std::string& author, const std::string& parent) {
    const std::size_t at = rows.find("\n" + kernelLabel(id) + " | ");
    return at != std::string::npos &&
           contains(rows.substr(at, rows.find('\n', at + 1) - at), " | " + author + " | " + parent + " | ");
}

} // namespace

class ScientistBriefing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resourcesAndTheirChange();
    void rowOfTheSelector();
    void registersOfNvidia();
    void shapesHaveFloorsAndShares();
    void sumsOfFewBitsAreTold();
    void undecidedIsToldAsThat();
    void tuningPointsStandTogether();
    void textStaysBoundedWhateverIsTuned();
    void searchesDoNotCrowdOutExperiments();
    void setAsideIsOfferedAgain();
    void heldOutShapesStaySecret();
    void numbersOfSecretShapesStaySecret();
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
    population.kernels.edit(1).parents = {1};
    ComparisonFact comparison;
    comparison.ratio = 2;
    comparison.ci95 = {1.98, 2.02};
    comparison.verdict = VerdictKind::faster;
    population.kernels.edit(1).versusParent = comparison;
    population.speeds.set(1, SpeedRatio());
    population.speeds.set(2, {1.98, {1.95, 2.01}, {1.94, 2.02}});
    Experiment failed;
    failed.id = 1;
    failed.parent = 2;
    failed.state = ExperimentState::failed;
    population.experiments = {failed};
    population.settings.target = TargetKind::amd;
    population.kernels.edit(0).title = "naive | sum";
    Experiment made;
    made.id = 2;
    made.parent = 1;
    made.description = "Wider loads: sixteen bytes.\nAttacks: memory";
    made.state = ExperimentState::done;
    made.kernel = 2;
    population.experiments.push_back(made);
    population.kernels.edit(1).author = Author::model;
    population.kernels.edit(1).experiment = 2;
    Briefing briefing{std::make_shared<const Population>(population), nullptr, {}};
    briefing.newestVerdict = [](KernelId id) {
        Verdict verdict;
        verdict.staticReport = reportOf(id == 1 ? 64 : 96, 0, 4);
        return std::optional(verdict);
    };
    const std::string first = formatMicroseconds(200, {199, 201});
    const std::string second = formatMicroseconds(100, {99, 101});
    const std::string head = "id | title | author | parent | state | geometric mean alone | speed over the baseline | "
                             "gain over the parent | us by shape |";
    QCOMPARE(QByteArray::fromStdString(populationText(briefing)),
             QByteArray::fromStdString(
                 head + " resources | tried as a parent | why\n" +
                 "00001 | naive / sum | seed | - | correct, eligible | " + first +
                 " | 1.00x | - | 200.0 200.0 | VGPR 64, LDS 0 B, 4 waves per SIMD | tried once, 0 failed | came with "
                 "the problem\n" +
                 "00002 |  | model | 00001 | correct, eligible | " + second + " | 1.98x [1.95, 2.01] | " +
                 formatRatio(2, {1.98, 2.02}) +
                 " | 100.0 100.0 | VGPR 96 (+32), LDS 0 B, 4 waves per SIMD | tried once, 1 failed | Wider "
                 "loads: sixteen bytes."));

    // The build for a card is no fact of the CPU; a seed is compared with the baseline; what is wrong says why, without
    // the shape that nobody may know.
    population.settings.target = TargetKind::cpu;
    population.kernels.edit(0).versusParent = comparison;
    population.kernels.edit(1).verdict = VerdictKind::wrong;
    population.kernels.edit(1).reason = "m=7919, held-out, normal: c differs";
    briefing.population = std::make_shared<const Population>(population);
    const std::string rows = populationText(briefing);
    QVERIFY2(rows.starts_with(head + " tried as a parent | why\n"), rows.c_str());
    QVERIFY2(!contains(rows, "VGPR") && contains(rows, "2.00x [1.98, 2.02] of the baseline"), rows.c_str());
    QVERIFY2(contains(rows, "wrong, not eligible") && contains(rows, "c differs") && !contains(rows, "7919"),
             rows.c_str());
}

// What ptxas said when the device code was built.
void ScientistBriefing::registersOfNvidia() {
    Population population;
    population.settings.target = TargetKind::nvidia;
    population.kernels = {kernelOf(1, 200, {199, 201})};
    Briefing briefing{std::make_shared<const Population>(population), nullptr, {}};
    const auto ptxas = [](KernelId) {
        Verdict verdict;
        verdict.staticReport = reportOf(64, 0, 4); // of a gfx942 build
        verdict.build.log =
            "ptxas info    : 0 bytes gmem\n"
            "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90a'\n"
            "ptxas info    : Function properties for _Z1kPf\n"
            "    800 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
            "ptxas info    : Used 32 registers, used 1 barriers, 800 bytes cumulative stack size, 4096 bytes smem\n"
            "ptxas info    : Compile time = 240.515 ms\n"
            "ptxas info    : Compiling entry function '_Z5plainPf' for 'sm_90a'\n"
            "ptxas info    : Function properties for _Z5plainPf\n"
            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used 10 registers, used 0 barriers\n";
        return std::optional(verdict);
    };
    briefing.newestVerdict = ptxas;
    QCOMPARE(buildFactsText(briefing, 1),
             std::string("_Z1kPf: 32 registers, spills 28 B, stack 800 B, shared 4096 B, 1 barriers\n"
                         "_Z5plainPf: 10 registers, spills 0 B, stack 0 B, shared 0 B, 0 barriers"));
    QCOMPARE(deviceFactsText(briefing, 1), buildFactsText(briefing, 1)); // nobody counted
    briefing.newestVerdict = [](KernelId) {
        Verdict verdict;
        verdict.counters = CounterReport{"ncu 2025.3.1.0", {}, {{{{"n", 64}}, "k(Problem)", {{"L2 hits", 86.5, "%"}}}}};
        return std::optional(verdict);
    };
    QCOMPARE(deviceFactsText(briefing, 1),
             std::string("Hardware counters by ncu 2025.3.1.0, of one call of each quick shape:\n"
                         "n=64, k(Problem): L2 hits 86.5 %"));
    briefing.newestVerdict = ptxas;
    const std::string rows = populationText(briefing);
    QVERIFY2(contains(rows, "| 32 registers, 4096 B shared, spills 28 B |") && !contains(rows, "VGPR"), rows.c_str());
}

// Work, floors and shares by hand: 4 MiB and a million sums over 100 GB/s and 10 GFLOP/s.
void ScientistBriefing::shapesHaveFloorsAndShares() {
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
    const auto pack = std::make_shared<const ProblemPack>(loadProblemPack("sum-reduction").value());
    Population population;
    population.kernels = {kernelOf(1, 400, {398, 402}), kernelOf(2, 150, {149, 151})};
    population.baseline = 1;
    population.best = 2;
    Device device;
    device.facts.thread = {1, 256, 10e9, 100e9, 0, 0, 0};
    Briefing briefing{std::make_shared<const Population>(population), pack, {}};
    briefing.device = [&] { return device; };
    QCOMPARE(shapeTableText(briefing, nullptr), std::string("Nothing was measured yet."));
    briefing.newestVerdict = [&](KernelId id) {
        Verdict verdict;
        for (const Shape& shape : pack->shapesOf(ShapeSet::cpu)) {
            MeasurementFact fact;
            fact.shape = pack->namedShape(shape);
            fact.medianUs = id == 1 ? 400 : shape.front() == 1048576 ? 150 : 50;
            fact.ci95Us = {fact.medianUs * 0.99, fact.medianUs * 1.01};
            verdict.measurements.push_back(fact);
        }
        return std::optional(verdict);
    };
    const std::string table = shapeTableText(briefing, &briefing.population->kernels[1]);
    QVERIFY2(table.starts_with("Peak rates: 10.0 GFLOP/s and 100 GB/s, measured on this processor."), table.c_str());
    QVERIFY2(contains(table, "\nshape | work | floor us, by | 00002 (parent and best) | 00001 (baseline)\n"),
             table.c_str());
    // 105 us for the sums, 42 us for the bytes: 70 % of the arithmetic in 150 us, 26 % in 400 us.
    QVERIFY2(contains(table,
                      "n=1048576 | 1.05 MFLOP, 4.00 MiB | 105 FLOP | 150 ±1.0 %; 1.43x; 70 %, 28 %; FLOP; 50 % | "
                      "400 ±1.0 %; 3.81x; 26 %, 10 %; neither; 25 %\n"),
             table.c_str());
    QVERIFY(!contains(table, "weight"));
    // With three times the weight it is three quarters of the total that was half of it.
    population.settings.shapeWeights = {{{{"n", 1048576}}, 3}};
    briefing.population = std::make_shared<const Population>(population);
    const std::string weighted = shapeTableText(briefing, &briefing.population->kernels[1]);
    QVERIFY2(contains(weighted, "ranked by the weighted geometric mean") &&
                 contains(weighted, "n=1048576, weight 3.00 | ") && contains(weighted, "FLOP; 75 % | "),
             weighted.c_str());
    population.settings.shapeWeights.clear();
    briefing.population = std::make_shared<const Population>(population);
    device.facts.thread = {};
    const std::string bare = shapeTableText(briefing, nullptr);
    QVERIFY2(bare.starts_with("No peak rates of this device are known") && contains(bare, "| - | 150 ±1.0 %; 50 % |"),
             bare.c_str());
}

// The floors of a card are what nothing can pass; what a right kernel may use is said beside them.
void ScientistBriefing::sumsOfFewBitsAreTold() {
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
    const auto table = [](const char* problem, const char* architecture) {
        const auto pack = std::make_shared<const ProblemPack>(loadProblemPack(problem).value());
        Population population;
        population.settings.target = TargetKind::nvidia;
        population.kernels = {kernelOf(1, 400, {398, 402})};
        population.baseline = 1;
        Briefing briefing{std::make_shared<const Population>(population), pack, {}};
        Device device;
        device.target = TargetKind::nvidia;
        device.peaks = devicePeaks(architecture).value();
        briefing.device = [&] { return device; };
        briefing.newestVerdict = [&](KernelId) {
            Verdict verdict;
            verdict.measurements.emplace_back().medianUs = 400;
            return std::optional(verdict);
        };
        return shapeTableText(briefing, nullptr);
    };
    const std::string fp8 = table("fp8-gemm", "sm_90");
    QVERIFY2(contains(fp8, "(errors of 0.00100 plus 2 % of the value are allowed), inputs have to be converted to f16: "
                           "1071 TFLOP/s, floors by FLOP 2.00x as long."),
             fp8.c_str());
    QVERIFY(!contains(table("attention-forward", "sm_90"), "fewer bits"));
    QVERIFY(!contains(table("fp8-gemm", "gfx942"), "fewer bits"));
}

// Neither a gain nor a tie: the designer and the selector are told what noise hides.
void ScientistBriefing::undecidedIsToldAsThat() {
    Population population;
    population.kernels = {kernelOf(1, 200, {199, 201}), kernelOf(2, 190, {150, 230})};
    population.kernels.edit(1).parents = {1};
    population.kernels.edit(1).verdict = VerdictKind::undecided;
    population.kernels.edit(1).versusParent =
        ComparisonFact{1.05, {0.9, 1.2}, VerdictKind::undecided, "", 0.5, {0.85, 1.3}, 1};
    Experiment done;
    done.id = 1;
    done.parent = 1;
    done.kernel = 2;
    done.description = "wider loads";
    done.state = ExperimentState::done;
    population.experiments = {done};
    const std::string tried = triedOf(population);
    QVERIFY2(
        contains(tried, "measured undecided 1.05x [0.8500, 1.300] at 99 %, which neither shows nor rules out a gain"),
        tried.c_str());
    const Briefing briefing{std::make_shared<const Population>(population), nullptr, {}};
    const std::string rows = populationText(briefing);
    QVERIFY2(contains(rows, "| undecided, eligible |") && contains(rows, "| 1.05x [0.8500, 1.300] at 99 % |"),
             rows.c_str());
}

void ScientistBriefing::tuningPointsStandTogether() {
    const Population population = tunedCampaign(12);
    const std::string rows = rowsOf(population);
    const auto lines = split(rows, '\n');
    QCOMPARE(lines.size(), std::size_t{2 + 3 * 3}); // head, seed; a structure, its best point, a line for the others
    QVERIFY2(lines[2].starts_with("00002 | tile 2 | model | 00001 | correct, eligible | "), lines[2].c_str());
    QVERIFY2(contains(lines[2], " | 900.0 901.0 902.0 "), lines[2].c_str());
    // A search over numbers is no step to another idea: 00015 alone was made from 00002.
    QVERIFY2(contains(lines[2], "| tried once, 0 failed |"), lines[2].c_str());
    QVERIFY2(lines[3].starts_with("00009 | tile 9 | tuner | 00002 | ") && contains(lines[3], "| 700.0 701.0 702.0 "),
             lines[3].c_str());
    QVERIFY2(
        lines[4].starts_with("  00002 tuned: 12 points of its tunables, 12 passed, the best 00009; of each shape the "
                             "fastest: 1.500 (00008) 701.0 (00009) 702.0 (00009) "),
        lines[4].c_str());
    QVERIFY2(contains(lines[4], "others, the fastest first: 00003 800.0 801.0 "), lines[4].c_str());
    QVERIFY2(contains(lines[4], " and 3 more up to 811 us"), lines[4].c_str());
    QVERIFY2(lines[5].starts_with("00015 | tile 15 | model | 00002 | "), lines[5].c_str());

    Population goneOn = population; // a person went on from a point that is not the best one
    Kernel byHand = population.kernels[1];
    byHand.id = 100;
    byHand.author = Author::person;
    byHand.parents = {4};
    goneOn.kernels.push_back(byHand);
    const std::string more = rowsOf(goneOn);
    QVERIFY2(hasRow(more, 4, "tuner", "00002"), more.c_str());
    goneOn.kernels.edit(8).banned = true; // the best point is not to be used
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
            const std::string parent = kernel.parents.empty() ? "-" : kernelLabel(kernel.parents.front());
            QVERIFY2(hasRow(rows, kernel.id, std::string(name(kernel.author)), parent), rows.c_str());
            QVERIFY(contains(rows, " | " + timesText(kernel) + " | "));
        }
    }
    for (const KernelId root : {2, 1003, 2004}) {
        QVERIFY2(hasRow(rows, root + 501, "tuner", kernelLabel(root)), rows.c_str());
        QVERIFY2(contains(rows, "fastest: 1.500 (" + kernelLabel(root + 6) + ")"), rows.c_str());
        QVERIFY(contains(rows, kernelLabel(root) + " tuned: 1000 points"));
    }
}

void ScientistBriefing::searchesDoNotCrowdOutExperiments() {
    const std::string tried = triedOf(tunedCampaign(500));
    for (const char* idea : {"Idea 1", "Idea 2", "Idea 3"}) {
        QVERIFY2(contains(tried, idea), tried.c_str());
    }
    QVERIFY2(!contains(tried, "Set TILE"), tried.c_str());
    QVERIFY2(contains(tried, "- 00002: the tuner tried 500 configurations, 500 passed; the best, 00253 (tile 253), "
                             "1.29x the speed of 00002"),
             tried.c_str());
    QVERIFY(tried.size() < 2000);
}

// What was proposed and never written comes back; the old of it does not crowd out what was tried.
void ScientistBriefing::setAsideIsOfferedAgain() {
    Population population = tunedCampaign(3);
    for (int i = 1; i <= 30; ++i) {
        Experiment aside;
        aside.id = 100 + i;
        aside.parent = 1;
        aside.description = "Aside " + std::to_string(i) + "!";
        aside.predicted = Interval{1.25, 2};
        aside.state = ExperimentState::notPicked;
        population.experiments.push_back(aside);
    }
    const std::string tried = triedOf(population);
    QVERIFY2(contains(tried, "- on 00001: Aside 30! (predicted 1.25x to 2.00x; set aside)"), tried.c_str());
    QVERIFY2(contains(tried, "Aside 21!") && !contains(tried, "Aside 20!") && contains(tried, "Idea 1"), tried.c_str());
}

void ScientistBriefing::heldOutShapesStaySecret() {
    QCOMPARE(withoutHeldOutShapes("m=64 n=72 k=8, held-out, as declared: c: 3 of 9 elements differ"),
             std::string("a shape that is not shown, held-out, as declared: c: some elements differ"));
    QCOMPARE(withoutHeldOutShapes("wrong: m=64, held-out, x: y"),
             std::string("wrong: a shape that is not shown, held-out, x: y"));
    QCOMPARE(withoutHeldOutShapes("wrong: m=64, test, x: y"), std::string("wrong: m=64, test, x: y"));
    QCOMPARE(
        withoutHeldOutShapes("a: m=1, held-out, x: y; b: m=2, held-out cut, x: y"),
        std::string("a: a shape that is not shown, held-out, x: y; b: a shape that is not shown, held-out cut, x: y"));
    // What the planner or the runner says names a shape without its phase.
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
    const auto pack = std::make_shared<const ProblemPack>(loadProblemPack("sum-reduction").value());
    const std::string shown = pack->shapeLabel(pack->shapesOf(ShapeSet::test).front());
    const std::string secret = pack->shapeLabel(pack->shapesOf(ShapeSet::heldOut).front());
    QCOMPARE(withoutHeldOutShapes("crashed: " + secret + ": a fault", pack.get()),
             std::string("crashed: a shape that is not shown: a fault"));
    for (const std::string& text : {"crashed: " + shown + ": a fault", std::string("n=71, benchmark cut, x: y")}) {
        QCOMPARE(withoutHeldOutShapes(text, pack.get()), text);
    }
    Population population;
    Experiment experiment;
    experiment.id = 1;
    experiment.state = ExperimentState::failed;
    experiment.failure = "wrong: m=7919, held-out, as declared: c differs";
    population.experiments = {experiment};
    const std::string tried = triedOf(population);
    QVERIFY2(tried.find("7919") == std::string::npos && tried.find("c differs") != std::string::npos, tried.c_str());
    population.findings.push_back({.id = 1, .text = "Tried it: did not work (crashed: " + secret + ": a fault)"});
    const std::string findings = findingsText({std::make_shared<const Population>(population), pack, {}});
    QVERIFY2(!contains(findings, secret) && contains(findings, "a fault"), findings.c_str());
}

// How many elements there are, and where, gives the extents away.
void ScientistBriefing::numbersOfSecretShapesStaySecret() {
    const std::string reason =
        "m=32 n=96 k=128, held-out, as declared: c: 983 of 3072 elements differ, first at 96: expected 1.5, "
        "got 2; largest error 3; 0 of 12 elements differ";
    QCOMPARE(
        withoutHeldOutShapes("wrong: " + reason),
        std::string(
            "wrong: a shape that is not shown, held-out, as declared: c: some elements differ: expected 1.5, got 2; "
            "largest error 3; some elements differ"));
    const std::string open = "m=64, test, x: c: 983 of 3072 elements differ, first at 96: expected 1";
    QCOMPARE(withoutHeldOutShapes(open), open);
    QCOMPARE(withoutExtents("elements differ"), std::string("elements differ"));
    QCOMPARE(withoutExtents("4 elements differ, first at "), std::string("4 elements differ"));
}

void ScientistBriefing::checkedReportIsPartOfTheHistory() {
    Population population;
    Kernel kernel = kernelOf(1, 100, {99, 101});
    kernel.report = "I did everything";
    population.kernels = {kernel};
    QVERIFY(analysisText(population, kernel).find("I did everything") != std::string::npos);
    kernel.rubric = std::vector<RubricItem>{{"Pad LDS", true, "yes", false, "no line does"}};
    const std::string text = analysisText(population, kernel);
    QVERIFY2(text.find("used: Pad LDS (yes) [doubted: no line does]") != std::string::npos, text.c_str());
}

QTEST_APPLESS_MAIN(ScientistBriefing)
#include "scientist_briefing.moc"
