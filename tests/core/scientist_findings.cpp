// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "core/scientist/findings.h"

#include <QTest>
#include <cmath>

using namespace gks;

namespace {

// A population to which tried experiments are added one after the other, as the engine does it.
struct Lessons {
    Population population;
    std::int64_t evaluations = 0;
    FindingContext context;

    Lessons() {
        for (KernelId id = 1; id <= 9; ++id) {
            Kernel kernel;
            kernel.id = id;
            kernel.source = "#define TILE 8 // @tune TILE 8 16\n#define VEC 1 // @tune VEC 1 2\n";
            population.kernels.push_back(kernel);
        }
    }

    Evaluation evaluation(KernelId parent, double low, double high) {
        Evaluation evaluation;
        evaluation.id = ++evaluations;
        evaluation.baseline = parent;
        evaluation.purpose = "new kernel";
        evaluation.verdict.kind = VerdictKind::tie; // what decides is the interval
        evaluation.verdict.comparison = ComparisonFact{std::sqrt(low * high), {low, high}, VerdictKind::tie, ""};
        return evaluation;
    }

    std::optional<FindingChange> learn(const Experiment& experiment, const Evaluation& evaluation,
                                       const Kernel& kernel = {}) {
        auto change = updateFindings(population, experiment, kernel, evaluation, context);
        if (change && change->isNew) {
            change->finding.id = static_cast<std::int64_t>(population.findings.size()) + 1;
            population.findings.push_back(change->finding);
        } else if (change) {
            population.findings[static_cast<std::size_t>(change->finding.id) - 1] = change->finding;
        }
        return change;
    }

    std::optional<FindingChange> tried(const std::string& what, KernelId parent, double low, double high) {
        return learn(experiment(what, parent), evaluation(parent, low, high));
    }

    static Experiment experiment(const std::string& what, KernelId parent) {
        Experiment experiment;
        experiment.description = what;
        experiment.parent = parent;
        experiment.state = ExperimentState::done;
        return experiment;
    }
};

bool near(double a, double b, double tolerance = 0.0005) {
    return std::abs(a - b) <= tolerance;
}

} // namespace

class ScientistFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drafted();
    void subjects_data();
    void subjects();
    void repeatedTriesAreCombined();
    void intervalsThatDisagreeAreJoined();
    void contradicted();
    void undecidedContradictsNothing();
    void personsWordsStay();
    void dismissedStaysDismissed();
    void failures();
    void heldOutShapesAreNotTold();
    void whatTeachesNothing();
    void tunersSingleValues();
    void whatChangedWithIt();
    void tunedReplacesTheFirstDraft();
    void hostileText();
};

void ScientistFindings::drafted() {
    Lessons lessons;
    Kernel kernel;
    kernel.author = Author::model;
    kernel.report = "Rows are padded by one bank.";
    kernel.rubric = std::vector<RubricItem>{{"pad rows", true, "", true, ""},
                                            {"swizzle", true, "", false, "not there"},
                                            {"unroll", false, "no registers", std::nullopt, ""}};
    lessons.context.lesson = "Bank conflicts were the limit.";
    const auto change = lessons.learn(Lessons::experiment("Pad the LDS rows. This avoids conflicts.", 7),
                                      lessons.evaluation(7, 1.02, 1.04), kernel);
    QVERIFY(change && change->isNew && !change->contradicts);
    const Finding& finding = change->finding;
    QCOMPARE(finding.subject, std::string("Pad the LDS rows"));
    QCOMPARE(finding.author, Author::engine);
    QCOMPARE(finding.evaluations, std::vector<std::int64_t>{1});
    QVERIFY(near(finding.gain->low, 1.02) && near(finding.gain->high, 1.04));
    QCOMPARE(finding.text, std::string("Pad the LDS rows, tried on 00007: 1.03x [1.02, 1.04] faster; not done: "
                                       "unroll; reported but not found in the code: swizzle\n"
                                       "Bank conflicts were the limit."));
    kernel.title = "Rows of 33 words"; // shorter and clearer than the first clause of a description
    const auto named = updateFindings(lessons.population, Lessons::experiment("Do it: now", 7), kernel,
                                      lessons.evaluation(7, 1.02, 1.04), lessons.context);
    QVERIFY2(named && named->finding.subject == "Rows of 33 words", named ? named->finding.subject.c_str() : "");
    kernel.title.clear();
    kernel.rubric = {}; // nobody was asked item by item: the writer's own words
    const auto unchecked =
        Lessons().learn(Lessons::experiment("Pad the LDS rows.", 7), lessons.evaluation(7, 1.02, 1.04), kernel);
    QVERIFY(unchecked && unchecked->finding.text.ends_with("; Writer's report: Rows are padded by one bank."));
}

void ScientistFindings::subjects_data() {
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<bool>("same");
    const auto row = [](const char* a, const char* b, bool same) {
        QTest::newRow(a) << QByteArray(a) << QByteArray(b) << same;
    };
    row("Pad the LDS rows", "padding LDS rows", true);
    row("Unroll the k loop by 4", "unrolling of the k loop by 4", true);
    row("Unroll the k loop by 2", "Unroll the k loop by 8", false);
    row("Vectorised loads of a and b", "vectorised load of b, a", true);
    row("Use matrix cores", "Pad the LDS", false);
    row("Set TILE to 8", "Set TILE to 16", false);
    row("Double buffer the tiles of a", "Double buffering tiles", true);
    row("the", "a", false);
}

void ScientistFindings::subjects() {
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(bool, same);
    QCOMPARE(sameSubject(a.toStdString(), b.toStdString()), same);
    QCOMPARE(sameSubject(b.toStdString(), a.toStdString()), same);
}

void ScientistFindings::repeatedTriesAreCombined() {
    Lessons lessons;
    lessons.tried("Pad the LDS rows", 7, 1.02, 1.06);
    const auto change = lessons.tried("padding LDS rows", 8, 1.03, 1.07);
    QVERIFY(change && !change->isNew && !change->contradicts);
    QCOMPARE(lessons.population.findings.size(), 1u);
    const Finding& finding = lessons.population.findings.front();
    QCOMPARE(finding.evaluations, (std::vector<std::int64_t>{1, 2}));
    // Two intervals of nearly equal width: the middle between them, and narrower by the root of two.
    QVERIFY(near((finding.gain->low + finding.gain->high) / 2, 1.045, 0.001));
    QVERIFY(near(finding.gain->high - finding.gain->low, 0.04 / std::sqrt(2.0), 0.001));
    QVERIFY2(finding.text.starts_with("Pad the LDS rows, tried 2 times, last on 00008: 1.04x ["), finding.text.c_str());
    // In any order the same.
    const Interval once = combined(combined({1.02, 1.06}, {1.03, 1.07}), {1.01, 1.05});
    const Interval other = combined(combined({1.01, 1.05}, {1.03, 1.07}), {1.02, 1.06});
    QVERIFY(near(once.low, other.low, 1e-9) && near(once.high, other.high, 1e-9));
}

void ScientistFindings::intervalsThatDisagreeAreJoined() {
    QVERIFY(combined({1.01, 1.02}, {1.1, 1.12}) == (Interval{1.01, 1.12}));
    Lessons lessons;
    lessons.tried("Pad the LDS rows", 7, 1.01, 1.02);
    QVERIFY(!lessons.tried("Pad the LDS rows", 8, 1.11, 1.14)->contradicts); // both help
    QVERIFY(near(lessons.population.findings.front().gain->high, 1.14));
}

void ScientistFindings::contradicted() {
    Lessons lessons;
    lessons.tried("Pad the LDS rows", 7, 1.02, 1.06);
    const auto change = lessons.tried("Pad the LDS rows", 8, 0.92, 0.95);
    QVERIFY(change->contradicts);
    const Finding& finding = lessons.population.findings.front();
    QCOMPARE(finding.state, FindingState::contradicted);
    QCOMPARE(finding.evaluations, std::vector<std::int64_t>{1});
    QCOMPARE(finding.contradicting, std::vector<std::int64_t>{2});
    QVERIFY(near(finding.gain->low, 1.02)); // of the evaluations that support it
    QVERIFY2(finding.text.find("\nContradicted on 00008: 0.935x [0.920, 0.950] slower") != std::string::npos,
             finding.text.c_str());
    // No difference at all contradicts it too, a second supporter does not make the contradiction undone.
    QVERIFY(lessons.tried("Pad the LDS rows", 9, 0.997, 1.004)->contradicts);
    QVERIFY(!lessons.tried("Pad the LDS rows", 9, 1.03, 1.05)->contradicts);
    QCOMPARE(finding.state, FindingState::contradicted);
    QCOMPARE(finding.contradicting.size(), 2u);
    QCOMPARE(finding.evaluations.size(), 2u);
}

void ScientistFindings::undecidedContradictsNothing() {
    Lessons lessons;
    lessons.tried("Pad the LDS rows", 7, 1.02, 1.06);
    QVERIFY(!lessons.tried("Pad the LDS rows", 8, 0.93, 1.01)->contradicts);
    QCOMPARE(lessons.population.findings.front().state, FindingState::standing);
}

void ScientistFindings::personsWordsStay() {
    Lessons lessons;
    lessons.tried("Pad the LDS rows", 7, 1.02, 1.06);
    Finding& finding = lessons.population.findings.front();
    finding.text = "Padding pays, says who measured it.";
    finding.editedByPerson = true;
    lessons.tried("Pad the LDS rows", 8, 1.03, 1.07);
    lessons.tried("Pad the LDS rows", 8, 0.92, 0.95);
    QCOMPARE(finding.text, std::string("Padding pays, says who measured it."));
    QCOMPARE(finding.state, FindingState::contradicted);
    QCOMPARE(finding.evaluations.size(), 2u);
    QVERIFY(finding.gain->low > 1.022);
}

void ScientistFindings::dismissedStaysDismissed() {
    Lessons lessons;
    lessons.tried("Pad the LDS rows", 7, 1.02, 1.06);
    lessons.population.findings.front().state = FindingState::dismissed;
    lessons.tried("Pad the LDS rows", 8, 0.92, 0.95);
    QCOMPARE(lessons.population.findings.front().state, FindingState::dismissed);
}

void ScientistFindings::failures() {
    Lessons lessons;
    Experiment experiment = Lessons::experiment("Split k over the waves", 7);
    Evaluation evaluation;
    evaluation.id = ++lessons.evaluations;
    evaluation.verdict.kind = VerdictKind::wrong;
    evaluation.verdict.reason = "12 of 4096 elements differ";
    experiment.state = ExperimentState::approved; // a repair follows
    QVERIFY(!lessons.learn(experiment, evaluation));
    experiment.state = ExperimentState::failed;
    const auto change = lessons.learn(experiment, evaluation);
    QVERIFY(change && !change->finding.gain);
    QCOMPARE(change->finding.text,
             std::string("Split k over the waves, tried on 00007: failed (wrong: 12 of 4096 elements differ)"));
    lessons.tried("Split k over the waves", 8, 1.05, 1.07);
    const Finding& finding = lessons.population.findings.front();
    QCOMPARE(finding.evaluations, std::vector<std::int64_t>{2});
    QVERIFY2(finding.text.starts_with("Split k over the waves, tried on 00008: 1.06x ["), finding.text.c_str());
}

// Every prompt shows findings.
void ScientistFindings::heldOutShapesAreNotTold() {
    Lessons lessons;
    Experiment experiment = Lessons::experiment("Split k over the waves", 7);
    experiment.state = ExperimentState::failed;
    Evaluation evaluation;
    evaluation.id = ++lessons.evaluations;
    evaluation.verdict.kind = VerdictKind::wrong;
    evaluation.verdict.reason = "m=7919 n=64, held-out, normal: c: 3 of 9 elements differ";
    const auto change = lessons.learn(experiment, evaluation);
    QVERIFY(change.has_value());
    QVERIFY2(change->finding.text.find("7919") == std::string::npos, change->finding.text.c_str());
    QVERIFY2(change->finding.text.find("c: some elements differ") != std::string::npos, change->finding.text.c_str());
}

void ScientistFindings::whatTeachesNothing() {
    Lessons lessons;
    const Experiment experiment = Lessons::experiment("Pad the LDS rows", 7);
    Evaluation evaluation = lessons.evaluation(7, 1.02, 1.06);
    evaluation.purpose = confirmationPurpose;
    QVERIFY(!lessons.learn(experiment, evaluation));
    evaluation = lessons.evaluation(3, 1.02, 1.06); // against another kernel
    QVERIFY(!lessons.learn(experiment, evaluation));
    evaluation = lessons.evaluation(7, 1.02, 1.06);
    evaluation.verdict.kind = VerdictKind::infrastructureFailed;
    QVERIFY(!lessons.learn(experiment, evaluation));
    evaluation = lessons.evaluation(7, 1.02, 1.06);
    QVERIFY(lessons.learn(experiment, evaluation));
    QVERIFY(!lessons.learn(experiment, evaluation)); // known already
}

void ScientistFindings::tunersSingleValues() {
    Lessons lessons;
    Experiment experiment = Lessons::experiment("Set TILE to 16", 7);
    experiment.author = Author::tuner;
    experiment.tunables = {{"TILE", "16"}, {"VEC", "1"}};
    QVERIFY(lessons.learn(experiment, lessons.evaluation(7, 1.02, 1.06)));
    experiment.description = "Set TILE to 16 and VEC to 2";
    experiment.tunables["VEC"] = "2";
    QVERIFY(!lessons.learn(experiment, lessons.evaluation(7, 1.02, 1.06)));
}

void ScientistFindings::whatChangedWithIt() {
    StaticReport before{"gfx942", {{}}, 0};
    before.kernels[0].vgprs = 84;
    before.kernels[0].occupancyWavesPerSimd = 5;
    before.kernels[0].instructions = {{"valu", 1000}, {"vmem_load", 8}};
    StaticReport after = before;
    QCOMPARE(staticChanges(before, after), std::string());
    after.kernels[0].vgprs = 64;
    after.kernels[0].occupancyWavesPerSimd = 8;
    after.kernels[0].ldsBytes = 16384;
    after.kernels[0].instructions["valu"] = 1020; // two per cent are not noticed
    QCOMPARE(staticChanges(before, after), std::string("LDS 0 B to 16 KiB, waves per SIMD 5 to 8, VGPR 84 to 64"));
    Lessons lessons;
    lessons.context.parentReport = before;
    Evaluation evaluation = lessons.evaluation(7, 1.02, 1.06);
    evaluation.verdict.staticReport = after;
    evaluation.verdict.target = "amd";
    const auto change = lessons.learn(Lessons::experiment("Stage in LDS", 7), evaluation);
    QVERIFY(change->finding.text.ends_with("; changed: LDS 0 B to 16 KiB, waves per SIMD 5 to 8, VGPR 84 to 64"));
    // On another target the report is of a card that nothing was measured on.
    Lessons elsewhere;
    elsewhere.context = lessons.context;
    evaluation.verdict.target = "cpu";
    const auto other = elsewhere.learn(Lessons::experiment("Stage in LDS", 7), evaluation);
    QVERIFY2(other->finding.text.find("VGPR") == std::string::npos, other->finding.text.c_str());
}

void ScientistFindings::tunedReplacesTheFirstDraft() {
    Lessons lessons;
    const Experiment experiment = Lessons::experiment("Pad the LDS rows", 7);
    lessons.learn(experiment, lessons.evaluation(7, 0.92, 0.95));
    Evaluation duel = lessons.evaluation(5, 1.11, 1.16); // against the best of the parent's structure
    duel.purpose = tunedPurpose;
    lessons.context.superseded = {1};
    const auto change = lessons.learn(experiment, duel);
    QVERIFY(change && !change->contradicts);
    QCOMPARE(change->finding.evaluations, std::vector<std::int64_t>{2});
    QVERIFY(near(change->finding.gain->low, 1.11));
    QCOMPARE(change->finding.state, FindingState::standing);
}

void ScientistFindings::hostileText() {
    Lessons lessons;
    Kernel kernel;
    kernel.author = Author::model;
    kernel.report = std::string(100000, 'x') + "\xff\xfe";
    lessons.context.lesson = std::string(100000, 'y');
    const std::string what = std::string(5000, 'w') + " " + std::string(300, 'v') + " pad \xff LDS";
    const auto change = lessons.learn(Lessons::experiment(what, 7), lessons.evaluation(7, 1.02, 1.06), kernel);
    QVERIFY(change && change->finding.text.size() < 2000 && change->finding.subject.size() <= 96);
    QVERIFY(!lessons.tried("", 7, 1.02, 1.06));
    QVERIFY(!lessons.tried("\n \n", 7, 1.02, 1.06));
}

QTEST_APPLESS_MAIN(ScientistFindings)
#include "scientist_findings.moc"
