// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/engine/engine.h"
#include "core/engine/seams.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

using namespace gks;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// One experiment on the first seed: a draft that does not build, a repair that is wrong, one whose host code asks for
// what cannot be launched, and one that is right.
class WritesFour final : public Scientist {
public:
    explicit WritesFour(std::atomic<int>& designs) : m_designs(designs) {}
    ScientistKind kind() const override { return ScientistKind::model; }
    Author author() const override { return Author::model; }

    Result<Selection> select(const Briefing& briefing, const std::stop_token&) override {
        return Selection{*briefing.population->baseline, {}, "the first seed"};
    }
    Result<Design> design(const Briefing&, const Selection& selection, const std::stop_token&) override {
        Design design;
        if (m_designs++ == 0) {
            Experiment experiment;
            experiment.parent = selection.basis;
            experiment.description = "fewer blocks";
            experiment.rubric = "half as many";
            experiment.pick = "most certain";
            design.experiments = {experiment};
        }
        return design;
    }
    Result<Draft> write(const Briefing& briefing, const Experiment& experiment, const std::stop_token&) override {
        return Draft{replaced(sourceOf(briefing, experiment), "float sum = 0;", "float sum = nothing_here;"), "new"};
    }
    Result<Draft> repair(const Briefing& briefing, const Experiment& experiment, const Draft&, const Failure&,
                         int attempt, const std::stop_token&) override {
        const std::string seed = sourceOf(briefing, experiment);
        return Draft{attempt == 1   ? replaced(seed, "float sum = 0;", "float sum = 1;")
                     : attempt == 2 ? replaced(seed, "<<<64, 256, 0, stream>>>", "<<<64, 4096, 0, stream>>>")
                                    : replaced(seed, "<<<64, 256, 0, stream>>>", "<<<32, 256, 0, stream>>>"),
                     "mended"};
    }

private:
    static std::string sourceOf(const Briefing& briefing, const Experiment& experiment) {
        return briefing.population->kernel(experiment.parent)->source.orNothing();
    }

    std::atomic<int>& m_designs;
};

} // namespace

// With the real evaluator, compiler and sandbox on the cpu target: what fails before a device is needed never gets one.
class ScreenedDrafts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFailsOnTheBenchTakesNoLane();
};

void ScreenedDrafts::whatFailsOnTheBenchTakesNoLane() {
    const auto folder = TemporaryDirectory::create("screened-drafts").value();
    const auto file = folder.path() / "sum.gks";
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.scientist = ScientistKind::model;
    settings.measureSeconds = 0.2;
    settings.repairAttempts = 3;
    QVERIFY(CampaignStore::create(file, settings));

    std::mutex mutex;
    std::vector<std::string> warnings;
    std::map<KernelId, std::set<std::string>> workedOn; // lanes, by kernel
    EngineOptions options;
    options.lanes = {LaneSpec{TargetKind::cpu, 0, {std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-evaluator"}}};
    options.sink = [&](const EngineEvent& event) {
        const std::lock_guard lock(mutex);
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            warnings.push_back(warning->error.message());
        } else if (const auto* activity = std::get_if<ActivityChanged>(&event); activity && activity->kernel) {
            workedOn[*activity->kernel].insert(activity->lane);
        }
    };
    std::atomic<int> designs = 0;
    EngineSeams seams = realSeams();
    seams.scientist = [&](const CampaignSettings&, ScientistSinks) -> Result<std::unique_ptr<Scientist>> {
        return std::make_unique<WritesFour>(designs);
    };
    const auto engine = Engine::open(file, options, std::move(seams)).value();
    engine->send(command::Start{});
    QVERIFY(engine->waitUntilQuiet(800));
    const auto population = engine->population();
    QVERIFY2(warnings.empty(), warnings.empty() ? "" : warnings.front().c_str());
    QCOMPARE(population->kernels.size(), 6u); // two seeds and four drafts
    const std::vector<VerdictKind> expected = {VerdictKind::buildFailed, VerdictKind::wrong, VerdictKind::wrong};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Kernel& draft = population->kernels[2 + i];
        const auto evaluations = engine->evaluations(draft.id).value();
        QVERIFY2(draft.verdict == expected[i], draft.reason.c_str());
        QCOMPARE(evaluations.size(), 1u);
        QCOMPARE(evaluations.front().purpose, std::string(screeningPurpose));
        QCOMPARE(workedOn[draft.id], std::set<std::string>{"bench"});
        QVERIFY(evaluations.front().verdict.measurements.empty());
    }
    const Kernel& right = population->kernels[5];
    QVERIFY2(isAccepted(*right.verdict), right.reason.c_str());
    QCOMPARE(workedOn[right.id], (std::set<std::string>{"bench", "cpu:0"}));
    QVERIFY(engine->evaluations(right.id).value().front().verdict.build.cached); // the bench has built it
    QCOMPARE(population->spend.evaluations, 3);
    QVERIFY(population->experiment(1)->state == ExperimentState::done);
}

QTEST_APPLESS_MAIN(ScreenedDrafts)
#include "screened_drafts.moc"
