// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt.h"
#include "core/scientist/stage_values.h"

#include <QTest>

using namespace gks;

namespace {

Population sampled() {
    Population population;
    Kernel kernel;
    kernel.id = 1;
    kernel.source = "int kernel_1;";
    kernel.state = KernelState::evaluated;
    kernel.verdict = VerdictKind::correct;
    population.kernels.push_back(kernel);
    Experiment tried;
    tried.id = 1;
    tried.parent = 1;
    tried.description = "tried";
    tried.rubric = "r";
    tried.state = ExperimentState::done;
    population.experiments.push_back(tried);
    return population;
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

// What prompts say of probes, and the prompt of a probe.
class ScientistProbes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void writerOfAProbeIsToldOfTheMachineAlone();
    void figuresOfProbesStandApart();
};

void ScientistProbes::initTestCase() {
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
}

void ScientistProbes::writerOfAProbeIsToldOfTheMachineAlone() {
    const Population population = sampled();
    const Briefing briefing = briefingOf(population);
    Experiment experiment;
    experiment.id = 9;
    experiment.parent = 1;
    experiment.kind = ExperimentKind::probe;
    experiment.description = "What does a barrier among 1024 threads cost?";
    experiment.rubric = "with and without";
    const std::string text = rendered("probe", probeInput(briefing, experiment));
    for (const char* part :
         {"What does a barrier among 1024 threads cost?", "with and without", "// probe: NAME bytes=N",
          "// probe: with_barriers ops=256 less=without", "Every variant sets", "variant;"}) {
        QVERIFY2(contains(text, part), part);
    }
    const Draft draft{"int draft;", "t"};
    const std::string repair =
        rendered("repair", repairInput(briefing, experiment, draft, {VerdictKind::buildFailed, "r", "o"}, 1));
    QVERIFY(contains(repair, "It is a probe") && contains(repair, "Every variant sets"));
    for (const std::string& prompt : {text, repair}) { // neither kernels nor shapes of the problem
        QVERIFY2(!contains(prompt, "kernel_1") && !contains(prompt, "@tune") && !contains(prompt, "<shapes>"),
                 prompt.c_str());
        for (const ShapeSet set : {ShapeSet::heldOut, ShapeSet::test, ShapeSet::benchmark}) {
            for (const Shape& shape : briefing.problem->shapesOf(set)) {
                QVERIFY(!contains(prompt, briefing.problem->shapeLabel(shape)));
            }
        }
    }
}

// What probes measured is in every prompt that chooses, under its label and apart from the lessons; nothing that names
// a held-out shape is.
void ScientistProbes::figuresOfProbesStandApart() {
    Population population = sampled();
    const Kernel& basis = population.kernels[0];
    const auto prompts = [&] {
        const Briefing briefing = briefingOf(population);
        return std::vector<std::string>{rendered("selector", Result<StageInput>(selectorInput(briefing))),
                                        rendered("designer", designerInput(briefing, basis, {1, 2, "why"})),
                                        rendered("writer", writerInput(briefing, basis, population.experiments[0])),
                                        rendered("probe", probeInput(briefing, population.experiments[0]))};
    };
    for (const std::string& prompt : prompts()) {
        QVERIFY(!contains(prompt, "Measured on this machine"));
    }
    const ProblemPack& pack = *briefingOf(population).problem;
    const std::string secret = pack.shapeLabel(pack.shapesOf(ShapeSet::heldOut).front());
    population.findings = {{.id = 1, .subject = "rows", .text = "Pad rows; not at " + secret},
                           {.id = 2, .subject = "barrier", .text = "a barrier: 40 ns each; " + secret, .probe = 4},
                           {.id = 3, .text = "gone: 50 ns each", .state = FindingState::dismissed, .probe = 5}};
    for (const std::string& prompt : prompts()) {
        QVERIFY2(contains(prompt, "<measured>\nF2: a barrier: 40 ns each; a shape that is not shown\n</measured>"),
                 prompt.c_str());
        QCOMPARE(prompt.find("40 ns each"), prompt.rfind("40 ns each")); // and nowhere else
        QVERIFY(!contains(prompt, "50 ns each") && !contains(prompt, secret));
    }
    QVERIFY(contains(prompts()[1], "- F1: Pad rows; not at a shape that is not shown"));
}

QTEST_APPLESS_MAIN(ScientistProbes)
#include "scientist_probes.moc"
