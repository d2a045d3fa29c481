// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/briefing_text.h"
#include "core/scientist/lessons.h"
#include "core/scientist/pick.h"
#include "core/scientist/probe_findings.h"
#include "core/scientist/selection_policy.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

// 00001 is a seed; 00002 was measured as 1.2x of it; 00003 is not judged; 00004 is a probe that ran.
Population judged() {
    Population population;
    for (KernelId id = 1; id <= 3; ++id) {
        Kernel kernel;
        kernel.id = id;
        kernel.state = KernelState::evaluated;
        if (id != 3) {
            kernel.verdict = VerdictKind::correct;
        }
        population.kernels.push_back(kernel);
    }
    population.kernels.edit(1).versusParent = ComparisonFact{1.2, {1.15, 1.25}, VerdictKind::faster, ""};
    Kernel probe;
    probe.id = 4;
    probe.probe = true;
    probe.title = "Cost of a barrier\nx";
    probe.source = "// probe: without\n// probe: with ops=256 less=without\n";
    probe.author = Author::model;
    probe.verdict = VerdictKind::correct;
    population.probes.push_back(probe);
    return population;
}

const std::vector<EvaluationOwner> owners = {{10, 1}, {11, 2}, {12, 2}, {13, 4}};

Json lesson(const char* text, Json from, Json gain = Json::array()) {
    return Json::array({{{"text", text}, {"from", std::move(from)}, {"gain", std::move(gain)}}});
}

Evaluation probeEvaluation(double withUs) {
    Evaluation evaluation;
    evaluation.id = 13;
    evaluation.kernel = 4;
    evaluation.verdict.kind = VerdictKind::correct;
    evaluation.verdict.target = "cpu";
    evaluation.verdict.device = "Some CPU";
    for (const auto& [variant, us] : {std::pair{1, 2.0}, std::pair{2, withUs}}) {
        MeasurementFact fact;
        fact.shape = {{"variant", variant}};
        fact.medianUs = us;
        fact.ci95Us = {us - 0.1, us + 0.1};
        fact.samples = 9;
        evaluation.verdict.measurements.push_back(fact);
    }
    return evaluation;
}

void add(Population& population, const FindingChange& change) {
    if (change.isNew) {
        population.findings.push_back(change.finding);
        population.findings.back().id = static_cast<std::int64_t>(population.findings.size());
    } else {
        population.findings[static_cast<std::size_t>(change.finding.id) - 1] = change.finding;
    }
}

// What a lesson becomes in this population.
std::optional<FindingChange> learnt(const Population& population, const Json& rows) {
    const auto lessons = lessonsFromReply(rows, population);
    return lessons ? lessonFinding(population, lessons->front(), owners) : std::nullopt;
}

} // namespace

class ScientistLessons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refused_data();
    void refused();
    void restOnEvaluations();
    void mergedBySubject();
    void laterResultsContradict();
    void figuresOfAProbe();
    void figuresAreNoLessons();
    void aProbeIsPickedBesideTheOthers();
};

void ScientistLessons::refused_data() {
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<QString>("said");
    const auto row = [](const Json& rows, const char* said) {
        QTest::newRow((rows.dump() + " " + said).c_str()) << QByteArray::fromStdString(rows.dump()) << QString(said);
    };
    row(lesson(" ", {"00001"}), "lesson 1: text is empty");
    row(lesson("t", {"00009"}), "lesson 1: from: kernel 00009 not found");
    row(lesson("t", {"99999999999999999999"}), "lesson 1: from: kernel 99999999999999999999 not found");
    row(lesson("t", {"00003"}), "lesson 1: from: kernel 00003 is not judged yet, so it teaches nothing");
    row(lesson("t", {"F7"}), "lesson 1: from: finding F7 not found among those that are shown");
    row(lesson("t", {"00002"}, {1.1}), "lesson 1: gain: it is [lowest, highest], or empty");
    row(lesson("t", {"00002"}, {1.3, 1.1}), "lesson 1: gain: the lowest is above the highest");
    row(lesson("t", {"00002"}, {1.3, 1.4}), "lesson 1: gain: no kernel of `from` was measured with a gain of");
    row(lesson("t", {"00001"}, {1.1, 1.2}), "lesson 1: gain: no kernel of `from` was measured with a gain of");
}

void ScientistLessons::refused() {
    QFETCH(QByteArray, rows);
    QFETCH(QString, said);
    const auto lessons = lessonsFromReply(Json::parse(rows.toStdString()), judged());
    QVERIFY(!lessons);
    QVERIFY2(lessons.error().what.starts_with(said.toStdString()), lessons.error().what.c_str());
}

void ScientistLessons::restOnEvaluations() {
    Population population = judged();
    population.findings = {{.id = 1, .subject = "s", .text = "x", .evaluations = {7}}};
    const auto change = learnt(population, lesson("Padding pays where rows are read by columns. Not elsewhere.",
                                                  {"00002", "4", "F1"}, {1.1, 1.2}));
    QVERIFY(change && change->isNew);
    const Finding& finding = change->finding;
    QCOMPARE(finding.subject, std::string("Padding pays where rows are read by columns"));
    QVERIFY(finding.text.ends_with("Not elsewhere.") && finding.author == Author::model && !finding.probe);
    QVERIFY(finding.evaluations == (std::vector<std::int64_t>{12, 13, 7})); // the newest of each kernel
    QVERIFY(finding.gain == (Interval{1.1, 1.2}));
    add(population, *change);
    const Briefing briefing = {std::make_shared<const Population>(population), nullptr, {}};
    const std::string text = findingsText(briefing);
    QVERIFY2(text.find("- F2: Padding pays") != std::string::npos && text.find("[measured: ") != std::string::npos,
             text.c_str());
}

void ScientistLessons::mergedBySubject() {
    Population population = judged();
    population.findings = {{.id = 1,
                            .subject = "Pad the LDS rows",
                            .text = "Tried it",
                            .gain = Interval{1.15, 1.25},
                            .evaluations = {11},
                            .contradicting = {12},
                            .author = Author::engine}};
    const Json rows = lesson("Pad LDS rows: the banks were the limit", {"00002", "00001"}, {1.2, 1.3});
    auto change = learnt(population, rows);
    QVERIFY(change && !change->isNew);
    QVERIFY(change->finding.id == 1 && change->finding.text.starts_with("Pad LDS rows: the banks"));
    QVERIFY(change->finding.evaluations == (std::vector<std::int64_t>{11, 10})); // 12 disagrees, and stays so
    QVERIFY(change->finding.gain == (Interval{1.15, 1.25}));                     // what was measured stays
    population.findings[0].editedByPerson = true;
    change = learnt(population, rows);
    QVERIFY(change && change->finding.text == "Tried it" && change->finding.author == Author::engine);
    population.findings[0].state = FindingState::dismissed;
    QVERIFY(!learnt(population, rows)); // the person's word
    population.findings[0] = {.id = 1, .subject = "Pad the LDS rows", .text = "figures", .probe = 4};
    change = learnt(population, rows);
    QVERIFY(change && change->isNew); // figures are no lesson
}

void ScientistLessons::laterResultsContradict() {
    Population population = judged();
    add(population, *learnt(population, lesson("Pad the LDS rows", {"00002"}, {1.15, 1.25})));
    Experiment experiment;
    experiment.description = "Pad the LDS rows.";
    experiment.parent = 2;
    experiment.state = ExperimentState::done;
    Evaluation evaluation;
    evaluation.id = 20;
    evaluation.baseline = 2;
    evaluation.verdict.kind = VerdictKind::slower;
    evaluation.verdict.comparison = ComparisonFact{0.8, {0.75, 0.85}, VerdictKind::slower, ""};
    auto change = updateFindings(population, experiment, {}, evaluation);
    QVERIFY(change && !change->isNew && change->contradicts);
    QVERIFY(change->finding.state == FindingState::contradicted);
    QVERIFY(change->finding.text.starts_with("Pad the LDS rows\nContradicted on 00002: "));
    evaluation.verdict.comparison = ComparisonFact{1.2, {1.18, 1.22}, VerdictKind::faster, ""};
    change = updateFindings(population, experiment, {}, evaluation);
    QVERIFY(change && !change->isNew && !change->contradicts);
    QCOMPARE(change->finding.text, std::string("Pad the LDS rows")); // the model's words, not the engine's
    population.findings[0].gain.reset();                             // without a gain there is nothing to measure again
    change = updateFindings(population, experiment, {}, evaluation);
    QVERIFY(change && change->isNew);
}

void ScientistLessons::figuresOfAProbe() {
    Population population = judged();
    const Kernel& probe = population.probes.front();
    auto change = probeFinding(population, probe, probeEvaluation(12.24));
    QVERIFY(change && change->isNew);
    QCOMPARE(change->finding.subject, std::string("Cost of a barrier x"));
    QVERIFY(change->finding.probe == 4 && change->finding.author == Author::model);
    QVERIFY(change->finding.evaluations == std::vector<std::int64_t>{13});
    QCOMPARE(change->finding.text,
             std::string("Cost of a barrier x (cpu, Some CPU; 95 % intervals):\n"
                         "- without: 2.00 us [1.90, 2.10] a call\n"
                         "- with: 40.0 ns each [39.2, 40.8], less without; 12.2 us [12.1, 12.3] a call"));
    add(population, *change);
    QVERIFY(findingOfProbe(population, 4) == &population.findings[0] && findingOfProbe(population, 1) == nullptr);
    Evaluation again = probeEvaluation(14.8);
    again.id = 21;
    change = probeFinding(population, probe, again); // measured again: the figures are of the newest
    QVERIFY(change && !change->isNew && change->finding.evaluations == std::vector<std::int64_t>{21});
    QVERIFY(change->finding.text.find("50.0 ns each") != std::string::npos);
    population.findings[0].editedByPerson = true;
    change = probeFinding(population, probe, again);
    QVERIFY(change && change->finding.text == population.findings[0].text);
    again.verdict.kind = VerdictKind::wrong;
    QVERIFY(!probeFinding(population, probe, again));
    QVERIFY(!probeFinding(population, population.kernels[0], probeEvaluation(3)));
}

void ScientistLessons::figuresAreNoLessons() {
    Population population = judged();
    population.findings = {
        {.id = 1, .subject = "Pad the LDS rows", .text = "figures", .gain = Interval{1, 1}, .probe = 4}};
    Experiment experiment;
    experiment.description = "Pad the LDS rows.";
    experiment.parent = 1;
    experiment.state = ExperimentState::done;
    Evaluation evaluation;
    evaluation.id = 20;
    evaluation.baseline = 1;
    evaluation.verdict.kind = VerdictKind::faster;
    evaluation.verdict.comparison = ComparisonFact{1.2, {1.18, 1.22}, VerdictKind::faster, ""};
    const auto change = updateFindings(population, experiment, {}, evaluation);
    QVERIFY(change && change->isNew);
    QVERIFY(shownFindings(population).empty() && shownMeasurements(population).size() == 1);
    experiment.kind = ExperimentKind::probe; // and no try of its parent
    population.experiments = {experiment};
    QVERIFY(triesByParent(population).empty());
}

void ScientistLessons::aProbeIsPickedBesideTheOthers() {
    std::vector<Experiment> experiments(5);
    for (Experiment& experiment : experiments) {
        experiment.predicted = Interval{1, 1.1};
    }
    experiments[1].kind = ExperimentKind::probe;
    experiments[1].innovation = 100;
    experiments[1].predicted.reset();
    pickExperiments(experiments, PickPolicy::threeOfFive, judged());
    QCOMPARE(experiments[1].pick, std::string("probe"));
    QCOMPARE(std::ranges::count_if(experiments, [](const Experiment& e) { return !e.pick.empty(); }), 4);
}

QTEST_APPLESS_MAIN(ScientistLessons)
#include "scientist_lessons.moc"
