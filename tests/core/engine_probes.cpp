// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/probe_pack.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

namespace {

constexpr const char* probeSource = "// probe: without\n// probe: with ops=2 less=without\nint solve; ";

Experiment question(std::string description) {
    Experiment experiment = proposal(0, std::move(description), "probe");
    experiment.kind = ExperimentKind::probe;
    experiment.predicted.reset();
    return experiment;
}

void withoutLimits(CampaignSettings& settings) {
    settings.repairAttempts = 1;
}

} // namespace

// Probes within a campaign: written, mended and judged like kernels, and nothing else.
class EngineProbes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources"); }
    void aQuestionIsAnswered();
    void aDraftWithoutVariantsFails();
    void builtInOnesOpenTheNotebook();
    void theTunerMeasuresNone();
    void theirCodeIsReviewedToo();
    void lessonsAreKept();
};

void EngineProbes::aQuestionIsAnswered() {
    EngineRun run(ScientistKind::model, 1, withoutLimits);
    const std::string mended = std::string(probeSource) + "us 40";
    run.world.rounds = {{question("what does it cost")}, {proposal(0, "a")}};
    run.world.drafts = {{"what does it cost", {std::string(probeSource) + "build-failed", mended}}, {"a", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const PopulationPtr population = run.population();
    QCOMPARE(population->probes.size(), 2u); // it was mended
    const Kernel& probe = population->probes.back();
    QVERIFY(probe.verdict == VerdictKind::correct && probe.parents.empty() && !probe.reference && probe.geomeanUs < 80);
    QVERIFY(probe.author == Author::model && probe.experiment == 1);
    const Experiment& asked = *population->experiment(1);
    QVERIFY(asked.state == ExperimentState::done && asked.kernel == probe.id && !asked.measuredGain);
    const Finding& figures = population->findings.front();
    QVERIFY(figures.probe == probe.id && figures.author == Author::model && figures.evaluations.size() == 1);
    QVERIFY2(figures.text.find("- with: ") != std::string::npos, figures.text.c_str());
    // The kernel that came after it descends from a seed, and is the best though the probe took less time.
    QCOMPARE(population->kernels.size(), 3u);
    QCOMPARE(population->best.value(), population->kernels.back().id);
    QVERIFY(population->kernels.back().parents.front() <= 2);
    const std::lock_guard lock(run.world.mutex);
    int ofTheMachine = 0;
    for (const EvaluationRequest& request : run.world.requests) {
        const bool isProbe = request.source.starts_with("// probe:");
        QCOMPARE(request.problem == probePackName, isProbe);
        QVERIFY(!isProbe || (!request.baseline && !request.counters));
        ofTheMachine += isProbe ? 1 : 0;
    }
    QCOMPARE(ofTheMachine, 2);
    const auto& said = run.world.asked;
    QVERIFY(std::ranges::find(said, "repair what does it cost 1 build-failed") != said.end());
}

void EngineProbes::aDraftWithoutVariantsFails() {
    EngineRun run(ScientistKind::model, 1, withoutLimits);
    run.world.rounds = {{question("q")}};
    run.world.drafts = {{"q", {"int solve; us 40"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const Experiment& asked = *run.population()->experiment(1);
    QCOMPARE(asked.state, ExperimentState::failed);
    QVERIFY2(asked.failure.find("no line declares a variant") != std::string::npos, asked.failure.c_str());
    QVERIFY(run.population()->probes.empty());
}

void EngineProbes::builtInOnesOpenTheNotebook() {
    EngineRun run(ScientistKind::model, 1, [](CampaignSettings& settings) { settings.policies.probes = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const PopulationPtr population = run.population();
    const auto seeds = loadProblemPack(std::string(probePackName)).value().seeds;
    QVERIFY(!seeds.empty());
    QCOMPARE(population->probes.size(), seeds.size());
    QCOMPARE(population->findings.size(), seeds.size());
    QCOMPARE(population->findings.front().subject, seeds.front().title);
    QVERIFY(run.didSteer("open the notebook"));
    {
        const std::lock_guard lock(run.world.mutex);
        QVERIFY(run.world.requests.size() == seeds.size() + 2);
        for (std::size_t i = 0; i < run.world.requests.size(); ++i) { // before the seeds of the problem
            QCOMPARE(run.world.requests[i].problem == probePackName, i < seeds.size());
        }
    }
    QCOMPARE(population->baseline.value(), KernelId{1});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->probes.size(), seeds.size()); // once
}

void EngineProbes::theTunerMeasuresNone() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.policies.probes = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.population()->probes.empty());
}

void EngineProbes::theirCodeIsReviewedToo() {
    EngineRun run(ScientistKind::model, 1, [](CampaignSettings& settings) { settings.policies.checkCode = true; });
    run.world.rounds = {{question("q")}};
    run.world.drafts = {{"q", {std::string(probeSource) + "us 40"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.lastReason(), std::string("1 draft needs approval"));
    const KernelId draft = run.population()->probes.front().id;
    run.engine->send(command::EditCode{draft, std::string(probeSource) + "us 50"});
    QVERIFY(run.quiet());
    const PopulationPtr population = run.population();
    QCOMPARE(population->probes.size(), 2u);
    QVERIFY(population->probes.front().state == KernelState::declined);
    const Kernel& edited = population->probes.back();
    QVERIFY(edited.author == Author::person && edited.verdict == VerdictKind::correct);
    QVERIFY(population->findings.front().probe == edited.id && population->findings.front().author == Author::person);
    QCOMPARE(population->kernels.size(), 2u);
}

void EngineProbes::lessonsAreKept() {
    EngineRun run(ScientistKind::model);
    run.world.rounds = {{proposal(0, "a")}};
    run.world.drafts = {{"a", {"us 80"}}};
    run.world.lessons = {{.text = "Tiles of 64 fit the cache", .kernels = {1, 2}},
                         {.text = "Tiles of 64 fit the cache of this CPU", .kernels = {2}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const PopulationPtr population = run.population();
    const auto lesson = std::ranges::find(population->findings, Author::model, &Finding::author);
    QVERIFY(lesson != population->findings.end());
    QCOMPARE(lesson->text, std::string("Tiles of 64 fit the cache of this CPU")); // two of one subject are one
    QVERIFY(lesson->evaluations == (std::vector<std::int64_t>{1, 2}));
    QCOMPARE(std::ranges::count(population->findings, Author::model, &Finding::author), 1);
}

QTEST_APPLESS_MAIN(EngineProbes)
#include "engine_probes.moc"
