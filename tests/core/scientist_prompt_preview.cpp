// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt_preview.h"
#include "core/scientist/stage_values.h"

#include <QTest>
#include <algorithm>

using namespace gks;

namespace {

Population sampled() {
    Population population;
    population.settings.problem = "sum-reduction";
    for (const double us : {900.0, 400.0, 0.0}) {
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.source = "int line;\nint kernel_" + std::to_string(kernel.id) + ";\n";
        kernel.state = KernelState::evaluated;
        kernel.verdict = us > 0 ? VerdictKind::correct : VerdictKind::wrong;
        kernel.reason = us > 0 ? "" : "element 3 differs";
        kernel.geomeanUs = us;
        population.kernels.push_back(kernel);
    }
    Experiment experiment;
    experiment.id = 1;
    experiment.parent = 2;
    experiment.description = "Use wider loads.";
    experiment.rubric = "Load float4";
    experiment.kernel = 3;
    population.experiments.push_back(experiment);
    population.kernels.edit(2).experiment = 1;
    population.kernels.edit(2).parents = {2};
    population.kernels.edit(2).rubric = std::vector<RubricItem>{{"Load float4", true, "everywhere"}};
    population.findings.push_back({.id = 1, .text = "Padding helps."});
    population.findings.push_back({.id = 2, .text = "Unrolling helps.", .state = FindingState::contradicted});
    population.findings.push_back({.id = 3, .text = "Nonsense.", .state = FindingState::dismissed});
    return population;
}

Briefing briefingOf(const Population& population) {
    static const auto pack = std::make_shared<const ProblemPack>(loadProblemPack("sum-reduction").value());
    return {std::make_shared<const Population>(population), pack, {}};
}

std::string previewed(const std::string& name, const Population& population) {
    const auto messages = previewPrompt(name, defaultPrompt(name).value(), briefingOf(population));
    if (!messages) {
        qWarning("%s", messages.error().message().c_str());
        return {};
    }
    return messages->back().content;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class ScientistPromptPreview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyPromptOfEveryCampaign();
    void showsWhatTheStageWouldSend();
    void saysWhatIsWrongWithAnEdit();
    void hintsOfAStageStandBehindTheCommonOne();
    void designerSeesWhatKindsHaveBrought();
};

void ScientistPromptPreview::initTestCase() {
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
}

// Also for a campaign in which nothing has happened yet.
void ScientistPromptPreview::everyPromptOfEveryCampaign() {
    Population young = sampled();
    young.experiments.clear();
    young.kernels.resize(1);
    young.kernels.edit(0).verdict.reset();
    for (const Population& population : {Population(), young, sampled()}) {
        for (const std::string& name : promptNames()) {
            QVERIFY2(!previewed(name, population).empty(), name.c_str());
        }
    }
}

void ScientistPromptPreview::showsWhatTheStageWouldSend() {
    const Population population = sampled();
    const Briefing briefing = briefingOf(population);
    // The fastest eligible kernel is what the designer gets, and the values are the stage's own.
    const StageInput input =
        designerInput(briefing, population.kernels[1], {2, {}, "(the selector's reason stands here)"}).value();
    QVERIFY(contains(previewed("designer", population), input.values.at("basisSource")));
    QVERIFY(contains(previewed("designer", population), "the selector's reason stands here"));
    QVERIFY(
        contains(input.values.at("findings"), "Padding helps.") &&
        contains(input.values.at("findings"), "[contradicted by a later measurement; do not rely on it] Unrolling") &&
        !contains(input.values.at("findings"), "Nonsense"));
    const auto included = std::count_if(input.inclusions.begin(), input.inclusions.end(),
                                        [](const Inclusion& one) { return one.kind == "finding"; });
    QCOMPARE(included, 2);
    QVERIFY(contains(previewed("writer", population), "Use wider loads."));
    const std::string repair = previewed("repair", population);
    QVERIFY(contains(repair, "kernel_3") && contains(repair, "element 3 differs"));
    const std::string checker = previewed("checker", population);
    QVERIFY2(contains(checker, "1. Load float4 -- claimed: done; everywhere"), checker.c_str());
    QVERIFY2(contains(checker, "@@ line 1\n  int line;\n- int kernel_2;\n+ int kernel_3;\n"), checker.c_str());
}

void ScientistPromptPreview::saysWhatIsWrongWithAnEdit() {
    const Briefing briefing = briefingOf(sampled());
    const auto unknown = previewPrompt("selector", "<!-- user -->\n{{population}}\n{{source}}", briefing);
    QVERIFY(!unknown && contains(unknown.error().what, "{{source}}"));
    QCOMPARE(unknown.error().where, std::string("edited prompt selector, line 3"));
    const auto lacking = previewPrompt("writer", "<!-- user -->\n{{header}}{{basisSource}}{{rubric}}", briefing);
    QVERIFY(!lacking && contains(lacking.error().what, "{{description}}"));
    QVERIFY(!previewPrompt("nobody", "<!-- user -->\nx", briefing));
}

void ScientistPromptPreview::hintsOfAStageStandBehindTheCommonOne() {
    Population population = sampled();
    population.settings.hint = "Mind the tails.";
    population.settings.hints = {{"writer", "Use </hint> short names."},
                                 {"designer", "Think of split-K."},
                                 {"checker", "Never shown."},
                                 {"../digest", "Never shown."}};
    const std::string writer = previewed("writer", population);
    QVERIFY(contains(writer, "<hint>\nMind the tails.\n\nUse ") && contains(writer, "short names.\n</hint>"));
    QVERIFY(!contains(writer, "Use </hint>")); // nothing in it ends the tag
    QVERIFY(contains(previewed("designer", population), "<hint>\nMind the tails.\n\nThink of split-K.\n</hint>"));
    for (const char* stage : {"selector", "repair"}) {
        QVERIFY(contains(previewed(stage, population), "<hint>\nMind the tails.\n</hint>"));
    }
    population.settings.hint.clear();
    population.settings.hints["repair"] = "Read the log.";
    QVERIFY(contains(previewed("repair", population), "<hint>\nRead the log.\n</hint>"));
    QVERIFY(contains(previewed("designer", population), "<hint>\nThink of split-K.\n</hint>"));
    QVERIFY(!contains(previewed("selector", population), "<hint>"));
    for (const char* stage : {"selector", "designer", "writer", "repair", "checker", "digest"}) {
        QVERIFY(!contains(previewed(stage, population), "Never shown."));
    }
}

void ScientistPromptPreview::designerSeesWhatKindsHaveBrought() {
    Population population = sampled();
    QVERIFY(!contains(previewed("designer", population), "<kinds>"));
    Kernel& written = population.kernels.edit(1);
    written.experiment = 1;
    written.author = Author::model;
    QVERIFY(contains(previewed("designer", population), "\nchange | 1 | 1 | - | 1.00x | 1.0 | 0 %\n</kinds>"));
}

QTEST_APPLESS_MAIN(ScientistPromptPreview)
#include "scientist_prompt_preview.moc"
