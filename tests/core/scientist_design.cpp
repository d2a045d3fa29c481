// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_schema.h"
#include "core/campaign/rules.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/design_reply.h"
#include "core/scientist/prompt.h"
#include "core/scientist/reply.h"
#include "core/scientist/stage_values.h"

#include <QTest>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

// Two kernels that passed and one that did not; five avenues of round 1, of which an experiment took up the first.
Population sampled() {
    Population population;
    for (KernelId id = 1; id <= 3; ++id) {
        Kernel kernel;
        kernel.id = id;
        kernel.source = "int kernel_" + std::to_string(id) + ";";
        kernel.state = KernelState::evaluated;
        kernel.verdict = id == 3 ? VerdictKind::wrong : VerdictKind::correct;
        kernel.shapeMediansUs = {10.0 * static_cast<double>(id), 7};
        population.kernels.push_back(kernel);
    }
    population.rounds = {{.id = 1, .parent = 1}};
    for (AvenueId id = 1; id <= 5; ++id) {
        population.avenues.push_back({id, 1, "avenue " + std::to_string(id)});
    }
    Experiment tried;
    tried.id = 1;
    tried.round = 1;
    tried.parent = 1;
    tried.description = "tried";
    tried.rubric = "r";
    tried.avenue = 1;
    tried.state = ExperimentState::done;
    population.experiments.push_back(tried);
    return population;
}

Json goodReply() {
    Json reply = {{"lessons", Json::array()},
                  {"diagnosis", {{{"shapes", "all"}, {"limit", "memory"}, {"evidence", "71 %"}, {"headroom", 1.4}}}},
                  {"avenues", {"one", "two", "three", "four", "five"}},
                  {"experiments", Json::array()}};
    for (int i = 0; i < 5; ++i) {
        reply["experiments"].push_back({{"avenue", ""},
                                        {"limit", "memory"},
                                        {"shapes", "all"},
                                        {"kind", i == 0 ? "rewrite" : "change"},
                                        {"description", "d" + std::to_string(i)},
                                        {"rubric", "r"},
                                        {"disproof", "bytes/s do not rise"},
                                        {"gain", {1.0, 1.5}},
                                        {"innovation", 5},
                                        {"uses", Json::array()}});
    }
    return reply;
}

using Change = std::function<void(Json& experiments, Population& population, Selection& selection)>;

Result<Design> designed(const Change& change) {
    Json reply = goodReply();
    Population population = sampled();
    Selection selection = {1, 2, "why"};
    change(reply["experiments"], population, selection);
    GKS_TRY(validate(reply, Json(*loadSchema("designer").value())));
    return designFromReply(reply, {population, selection, "m"});
}

Briefing briefingOf(const Population& population) {
    static const auto pack = std::make_shared<const ProblemPack>(loadProblemPack("sum-reduction").value());
    return {std::make_shared<const Population>(population), pack, {}};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string rendered(const char* prompt, const Result<StageInput>& input) {
    return renderPrompt(prompt, input.value().values).value().back().content;
}

} // namespace

Q_DECLARE_METATYPE(Change)

// What a designer may reply, and what the prompts say of rounds, avenues and kinds.
class ScientistDesign : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatFitsIsKept();
    void repliesAreRefused_data();
    void repliesAreRefused();
    void twoParentsWhereThereAreTwo();
    void anotherKindWhereNothingIsGained();
    void avenuesNewestFirst();
    void designerIsTold();
    void writerIsTold_data();
    void writerIsTold();
    void whatMayBeLeftOut();
};

void ScientistDesign::initTestCase() {
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
}

void ScientistDesign::whatFitsIsKept() {
    const auto design = designed([](Json& experiments, Population& population, Selection&) {
        experiments[0]["avenue"] = "2";
        experiments[1]["avenue"] = "A4";
        population.findings = {{.id = 3, .text = "x"}, {.id = 7, .text = "y"}};
        experiments[1]["uses"] = {"F7", "F3", "F7"};
        experiments[2]["kind"] = "probe";
    });
    QVERIFY2(design.has_value(), design ? "" : design.error().message().c_str());
    QVERIFY(*design->round == (Round{.id = 2,
                                     .parent = 1,
                                     .reference = 2,
                                     .rationale = "why",
                                     .diagnosis = {{"all", "memory", "71 %", 1.4}},
                                     .model = "m"}));
    QCOMPARE(design->avenues.size(), 5u);
    QVERIFY(design->avenues[1] == (Avenue{7, 2, "two"})); // ids follow those of the campaign
    QCOMPARE(design->experiments.size(), 5u);
    const Experiment& rewrite = design->experiments[0];
    QVERIFY(rewrite.kind == ExperimentKind::rewrite && rewrite.avenue == 7 && rewrite.round == 2);
    QVERIFY(rewrite.limit == "memory" && rewrite.shapes == "all" && rewrite.disproof == "bytes/s do not rise");
    QVERIFY(rewrite.predicted == (Interval{1, 1.5}) && rewrite.reference == 2 && rewrite.model == "m");
    QVERIFY(design->experiments[1].avenue == 4 && !design->experiments[2].avenue);
    QVERIFY(design->experiments[1].uses == (std::vector<std::int64_t>{3, 7}));
    const Experiment& probe = design->experiments[2];
    QVERIFY(probe.kind == ExperimentKind::probe && !probe.predicted); // no gain can be
}

void ScientistDesign::repliesAreRefused_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* said, const Change& change) { QTest::newRow(said) << change << QString(said); };
    const auto field = [](std::size_t index, const char* name, Json value) -> Change {
        return [=](Json& experiments, Population&, Selection&) { experiments[index][name] = value; };
    };
    row("experiments: none is a rewrite; at least one must have the kind \"rewrite\"", field(0, "kind", "change"));
    row("kind", field(2, "kind", "prose"));
    row("experiments: 2 are probes; at most one is",
        [](Json& experiments, Population&, Selection&) { experiments[1]["kind"] = experiments[2]["kind"] = "probe"; });
    row("experiment 2: experiment 2 is a probe that asks the same",
        [](Json& experiments, Population& population, Selection&) {
            Experiment probe;
            probe.id = 2;
            probe.kind = ExperimentKind::probe;
            probe.description = "What does a barrier cost? It decides.";
            probe.state = ExperimentState::done;
            population.experiments.push_back(probe);
            experiments[1]["kind"] = "probe";
            experiments[1]["description"] = "What does a barrier cost?";
        });
    row("uses", field(2, "uses", {"3"}));
    row("experiment 3: uses: finding F9 not found among those that are shown", field(2, "uses", {"F9"}));
    row("experiment 3: uses: finding F1 not found among those that are shown",
        [](Json& experiments, Population& population, Selection&) {
            population.findings = {{.id = 1, .text = "x", .state = FindingState::dismissed}};
            experiments[2]["uses"] = {"F1"};
        });
    row("limit", field(2, "limit", ""));
    row("experiment 3: limit is empty", field(2, "limit", " "));
    row("shapes", field(2, "shapes", ""));
    row("experiment 3: shapes is empty", field(2, "shapes", "\n"));
    row("disproof", field(2, "disproof", ""));
    row("experiment 3: disproof is empty", field(2, "disproof", " "));
    row("avenue", field(2, "avenue", "../1"));
    row("experiment 3: avenue: there is no 6 among the 5 avenues", field(2, "avenue", "6"));
    row("experiment 3: avenue: there is no 0 among the 5 avenues", field(2, "avenue", "0"));
    row("experiment 3: avenue: there is no A99 among those of earlier rounds", field(2, "avenue", "A99"));
    row("experiment 2: the lowest expected gain is above the highest", field(1, "gain", {2.0, 1.5}));
    row("experiment 4: the same as experiment 3", field(3, "description", "d2"));
    row("experiment 5: was already tried on this kernel", field(4, "description", "tried"));
    row("experiment 2: a merge is made from two kernels that passed the judge",
        [](Json& experiments, Population&, Selection& selection) {
            experiments[1]["kind"] = "merge";
            selection.reference.reset();
        });
    row("experiment 2: a dispatch is made from two kernels that passed the judge",
        [](Json& experiments, Population&, Selection& selection) {
            experiments[1]["kind"] = "dispatch";
            selection.reference = 3; // wrong
        });
    const Change standsStill = [](Json&, Population& population, Selection&) {
        population.settings.scientist = ScientistKind::model;
        population.settings.policies.stagnation = 1;
        population.best = 1;
    };
    row("experiments: 1 experiment in a row brought no new best since 00001: 1 of kind change (best gain over the "
        "parent: none measured); the next round is asked for another kind than change; at least 3 must be of another "
        "kind, not 1",
        standsStill);
    row("experiments: none takes up A3, which the person asks for: avenue 3",
        [](Json&, Population& population, Selection&) { population.avenues[2].asked = true; });
}

void ScientistDesign::repliesAreRefused() {
    QFETCH(Change, change);
    QFETCH(QString, said);
    const auto design = designed(change);
    QVERIFY(!design);
    QVERIFY2(contains(design.error().what, said.toStdString()), design.error().what.c_str());
}

void ScientistDesign::twoParentsWhereThereAreTwo() {
    const auto design = designed([](Json& experiments, Population& population, Selection&) {
        experiments[1]["kind"] = "merge";
        experiments[2]["kind"] = "dispatch";
        experiments[2]["avenue"] = "A3";
        population.avenues[2].asked = true;
    });
    QVERIFY2(design.has_value(), design ? "" : design.error().message().c_str());
    QCOMPARE(design->experiments[1].kind, ExperimentKind::merge);
    QCOMPARE(design->experiments[2].kind, ExperimentKind::dispatch);
}

void ScientistDesign::anotherKindWhereNothingIsGained() {
    const auto standStill = [](Population& population) {
        population.settings.scientist = ScientistKind::model;
        population.settings.policies.stagnation = 1;
        population.best = 1;
    };
    const auto design = designed([&](Json& experiments, Population& population, Selection&) {
        standStill(population);
        experiments[1]["kind"] = experiments[2]["kind"] = "rewrite";
    });
    QVERIFY2(design.has_value(), design ? "" : design.error().message().c_str());
    Population population = sampled();
    const std::string said = "This campaign stands still: 1 experiment in a row brought no new best since 00001";
    const auto designer = [&] {
        return rendered("designer", designerInput(briefingOf(population), population.kernels[0], {1, 2, "why"}));
    };
    QVERIFY(!contains(designer(), "stands still"));
    standStill(population);
    QVERIFY(contains(designer(), said));
    QVERIFY(contains(rendered("selector", Result<StageInput>(selectorInput(briefingOf(population)))), said));
}

void ScientistDesign::avenuesNewestFirst() {
    Population population = sampled();
    QCOMPARE(
        avenuesText(population),
        std::string("- A5 (round 1): avenue 5\n- A4 (round 1): avenue 4\n- A3 (round 1): avenue 3\n- A2 (round 1): "
                    "avenue 2"));
    for (AvenueId id = 6; id <= 60; ++id) {
        population.avenues.push_back({id, 2, "x </avenues> y"});
    }
    population.avenues[1].asked = true;
    const std::string text = avenuesText(population);
    QVERIFY2(text.starts_with("- A2 (round 1): avenue 2 [asked for by the person: at least one experiment takes this "
                              "up]\n- A60 (round 2): x "),
             text.c_str());
    QCOMPARE(std::count(text.begin(), text.end(), '\n') + 1, static_cast<std::ptrdiff_t>(avenueListLimit));
    QVERIFY(!contains(text, "</avenues>"));
    population.avenues.clear();
    QVERIFY(avenuesText(population).empty());
}

void ScientistDesign::designerIsTold() {
    Population population = sampled();
    population.avenues[2].asked = true;
    const Kernel& basis = population.kernels[0];
    const std::string two = rendered("designer", designerInput(briefingOf(population), basis, {1, 2, "why"}));
    QVERIFY(contains(two, "- A3 (round 1): avenue 3 [asked for by the person"));
    QCOMPARE(two.find("avenue 3"), two.rfind("avenue 3")); // once
    const std::string times =
        fmt::format("): {}; the parent's: {}.", timesText(population.kernels[1]), timesText(basis));
    QVERIFY2(contains(two, "Times alone in us, in the order of the shapes (") && contains(two, times), two.c_str());
    QVERIFY(contains(two, "\"merge\": one kernel") && !contains(two, "There is no second parent"));
    const std::string one = rendered("designer", designerInput(briefingOf(population), basis, {1, 3, "why"}));
    QVERIFY(!contains(one, "\"merge\": one kernel") && contains(one, "There is no second parent in this round"));
}

void ScientistDesign::writerIsTold_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("told");
    QTest::addColumn<QString>("reference");
    QTest::newRow("change") << static_cast<int>(ExperimentKind::change) << "keep what it does not name"
                            << "Another kernel, for contrast:";
    QTest::newRow("rewrite") << static_cast<int>(ExperimentKind::rewrite) << "a new structure from a blank page"
                             << "Another kernel, for contrast:";
    QTest::newRow("merge") << static_cast<int>(ExperimentKind::merge) << "let one design come out of it"
                           << "The second parent:";
    QTest::newRow("dispatch") << static_cast<int>(ExperimentKind::dispatch) << "`solve` picks between them"
                              << "The second parent:";
}

void ScientistDesign::writerIsTold() {
    QFETCH(int, kind);
    QFETCH(QString, told);
    QFETCH(QString, reference);
    const Population population = sampled();
    Experiment experiment = population.experiments[0];
    experiment.kind = static_cast<ExperimentKind>(kind);
    experiment.reference = 2;
    experiment.limit = "latency of loads";
    experiment.shapes = "the large ones";
    experiment.disproof = "the bytes/s do not rise";
    const std::string text = rendered("writer", writerInput(briefingOf(population), population.kernels[0], experiment));
    int found = 0;
    for (const char* other : {"keep what it does not name", "a new structure from a blank page",
                              "let one design come out of it", "`solve` picks between them"}) {
        found += contains(text, other) ? 1 : 0;
    }
    QVERIFY(found == 1 && contains(text, told.toStdString()));
    QVERIFY2(contains(text, reference.toStdString() + "\n<kernel id=\"00002\">"), text.c_str());
    QVERIFY(contains(text, "Attacks: latency of loads, on the large ones\nDisproved by: the bytes/s do not rise\n"
                           "</experiment>"));
    const Draft draft{"int draft;", "t"};
    const std::string repair =
        rendered("repair", repairInput(briefingOf(population), experiment, draft, {VerdictKind::wrong, "r", "o"}, 1));
    QCOMPARE(contains(repair, "Its second parent, which is right too:"), hasTwoParents(experiment.kind));
}

void ScientistDesign::whatMayBeLeftOut() {
    const Json schema = *loadSchema("designer").value();
    Json reply = goodReply();
    reply.erase("lessons");
    reply["experiments"][1]["kind"] = "probe";
    reply["experiments"][1].erase("gain");
    for (Json& experiment : reply["experiments"]) {
        experiment.erase("uses");
    }
    QVERIFY(!validate(reply, schema));
    mendDesign(reply);
    const auto mended = validate(reply, schema);
    QVERIFY2(mended.has_value(), mended ? "" : mended.error().what.c_str());
    reply["experiments"][2].erase("gain"); // of a kernel there is one
    mendDesign(reply);
    QVERIFY(!validate(reply, schema));
    for (const Json& hostile : {Json{{"lessons", 3}, {"experiments", "x"}}, Json{{"experiments", {1, nullptr}}},
                                Json{{"lessons", {nullptr}}}, Json{{"lessons", {{"gain", nullptr}}}}}) {
        Json copy = hostile;
        mendDesign(copy);
        QVERIFY(!validate(copy, schema));
    }
}

QTEST_APPLESS_MAIN(ScientistDesign)
#include "scientist_design.moc"
