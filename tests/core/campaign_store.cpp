// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/campaign/compression.h"
#include "core/campaign/database.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "core/campaign/schema.h"
#include "core/campaign/settings_json.h"
#include "core/campaign/store.h"
#include "core/campaign/summary.h"
#include "core/problem/problem.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/sample_plans.h"

#include <QTest>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sys/mount.h>
#include <sys/resource.h>

using namespace gks;
using namespace gks::test;

class CampaignStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newCampaignHoldsSeedsAndSettings();
    void nameWithoutFolderLiesInTheCurrentOne();
    void settingsRoundTrip();
    void hostileNamesInSettings();
    void kernelRoundTrip();
    void draftsOfAPersonsReviewRoundTrip();
    void experimentRoundTrip();
    void evaluationUpdatesKernelExperimentAndSpend();
    void undecidedMeasuresNoGain();
    void plansAreKeptWithTheVerdict();
    void anOlderProgramSaysWhoWroteTheFile();
    void infrastructureFailureIsNotCharged();
    void anotherJudgesVerdictIsRefused();
    void confirmationKeepsTheSummary();
    void failureMayLeadToARepair();
    void aVerdictChangesAnExperimentByTheRules();
    void statesFollowFromTheDrafts();
    void exchangesAndSteering();
    void exchangesOfAnOlderFileAreRead();
    void limitsOfAStrangersFileStayInRange();
    void settingsThatLackAFieldAreNamed_data();
    void settingsThatLackAFieldAreNamed();
    void settingsOfAnEarlierFileAreCompleted();
    void reorderPutsTheNamedFirst();
    void recoverSendsWorkBack();
    void readerSeesTheWriter();
    void bestIsTheFastestAccepted();
    void fullDiskLosesNothingElse();
    void aDiskThatWasFullBeforeIsNamed();
    void fileSizeLimitIsAFullDisk();
};

void CampaignStoreTest::newCampaignHoldsSeedsAndSettings() {
    const Campaign campaign;
    const auto population = campaign.store->population().value();
    QCOMPARE(population->kernels.size(), 2u);
    QCOMPARE(population->kernels[0].id, KernelId{1});
    QCOMPARE(population->kernels[0].title, std::string("naive"));
    QCOMPARE(population->kernels[0].sourceSha256, sha256Hex(population->kernels[0].source.orNothing()));
    QVERIFY(population->baseline == KernelId{1});
    QVERIFY(!population->best);
    QCOMPARE(population->problemTitle, std::string("Sample"));
    const auto again = CampaignStore::create(campaign.file, campaign.settings, samplePack());
    QVERIFY(!again);
    QVERIFY(again.error().what.find("already exists") != std::string::npos);
}

void CampaignStoreTest::nameWithoutFolderLiesInTheCurrentOne() {
    const Campaign campaign;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(campaign.folder.path());
    const auto made = CampaignStore::create("plain.gks", campaign.settings, samplePack());
    std::filesystem::current_path(before);
    QVERIFY2(made.has_value(), made ? "" : made.error().message().c_str());
    QVERIFY(!(*made)->readOnly());
    QCOMPARE((*made)->file(), std::filesystem::canonical(campaign.folder.path()) / "plain.gks");
}

void CampaignStoreTest::settingsRoundTrip() {
    Campaign campaign;
    CampaignSettings settings = campaign.settings;
    settings.scientist = ScientistKind::model;
    settings.policies = {SelectorPolicy::leastExplored, PickPolicy::all, 6, 500, false, true, 5, 9};
    settings.prompts["designer"] = "Be brief.";
    settings.mode = Mode::approveExperiments;
    settings.shapes = ShapeChoice::all;
    settings.budgets = {24, 1.5, 2.25, 1000, 30};
    settings.models["writer"] = {"openai", "http://127.0.0.1:1/v1", "m", "SOME_KEY", 0.1, 99};
    settings.models["writer"].limits = {1, 2, 3, 4, true};
    settings.hint = "try \"wider\" loads";
    settings.pinnedParent = 2;
    QVERIFY(campaign.store->saveSettings(settings, {0, Author::person, "pin parent", "00002", 0}));
    campaign.reopen();
    const CampaignSettings read = campaign.store->settings().value();
    QVERIFY(read.scientist == settings.scientist && read.mode == settings.mode && read.shapes == settings.shapes);
    QVERIFY(read.budgets == settings.budgets);
    QVERIFY(read.models == settings.models);
    QVERIFY(read.policies == settings.policies && read.prompts == settings.prompts);
    QCOMPARE(read.hint, settings.hint);
    QVERIFY(read.pinnedParent == settings.pinnedParent && !read.pinnedReference);
    settings.hint = "not UTF-8: \xff";
    QVERIFY(campaign.store->saveSettings(settings, {0, Author::person, "set hint", settings.hint, 0}));
    QCOMPARE(campaign.store->settings().value().hint, std::string("not UTF-8: \xef\xbf\xbd"));
    const auto steering = campaign.store->steering().value();
    QCOMPARE(steering.size(), 2u);
    QCOMPARE(steering[0].action, std::string("pin parent"));
    QVERIFY(steering[0].at > 0);
}

// Models that a file names so are kept and mean nothing; hints that no stage shows are left out.
void CampaignStoreTest::hostileNamesInSettings() {
    Campaign campaign;
    CampaignSettings settings = campaign.settings;
    for (const char* slot : {"writer/deep", "writer/../../etc/passwd", "writer/own", "writer/\n\033[2J", "__proto__"}) {
        settings.models[slot] = {"openai", "http://127.0.0.1:1/v1", slot, "SOME_KEY", 0.1, 99};
    }
    settings.hints = {{"writer", "short names"}, {"checker", "x"}, {"../../etc", "\"}]"}, {"", "nobody's"}};
    QVERIFY(campaign.store->saveSettings(settings, {0, Author::person, "set scientist", "", 0}));
    campaign.reopen();
    const CampaignSettings read = campaign.store->settings().value();
    QVERIFY(read.models == settings.models);
    QCOMPARE(read.hints, (std::map<std::string, std::string>{{"writer", "short names"}}));
    QCOMPARE(writersOf(read.models), std::vector<std::string>{"deep"});
}

void CampaignStoreTest::kernelRoundTrip() {
    Campaign campaign;
    Kernel kernel = sampleKernel(1, "int a; // ä\n");
    kernel.reference = 2;
    kernel.report = "used LDS";
    kernel.author = Author::model;
    QCOMPARE(campaign.store->addKernel(kernel).value(), KernelId{3});
    QVERIFY(campaign.store->setBanned(3, true, {0, Author::person, "ban", "00003", 0}));
    campaign.reopen();
    const auto population = campaign.store->population().value();
    const Kernel& read = *population->kernel(3);
    QCOMPARE(read.source, kernel.source);
    QCOMPARE(read.parents, kernel.parents);
    QVERIFY(read.reference == KernelId{2} && read.banned && read.author == Author::model &&
            read.state == KernelState::waiting);
    QCOMPARE(read.report, kernel.report);
    const Kernel* same = duplicateOf("int   a;", *population);
    QVERIFY(same != nullptr && same->id == KernelId{3});
    QVERIFY(duplicateOf("int other;", *population) == nullptr);
    Kernel orphan = sampleKernel(1, "int b;");
    orphan.reference = 99; // foreign keys are on
    QVERIFY(!campaign.store->addKernel(orphan));
    QCOMPARE(campaign.store->population().value()->kernels.size(), 3u);
}

void CampaignStoreTest::draftsOfAPersonsReviewRoundTrip() {
    Campaign campaign;
    QVERIFY(campaign.store->addExperiments({sampleExperiment(1, "x")}));
    Kernel draft = sampleKernel(1, "int a;");
    draft.experiment = 1;
    draft.state = KernelState::proposed;
    QCOMPARE(campaign.store->addKernel(draft).value(), KernelId{3});
    QVERIFY(!campaign.store->setKernelState(3, KernelState::evaluating)); // nobody has approved it
    campaign.reopen();
    QVERIFY(campaign.store->recover());
    QVERIFY(campaign.store->population().value()->kernel(3)->state == KernelState::proposed);
    const Steering why = {0, Author::person, "reject code", "00003", 0};
    QVERIFY(campaign.store->decideDraft(3, CampaignStore::DraftDecision::reject, "too long", ExperimentState::rejected,
                                        why));
    campaign.reopen();
    auto population = campaign.store->population().value();
    QVERIFY(population->kernel(3)->state == KernelState::declined && population->kernel(3)->reason == "too long");
    QVERIFY(population->experiment(1)->state == ExperimentState::rejected);
    QCOMPARE(population->experiment(1)->failure, std::string("too long"));
    QVERIFY(
        campaign.store->decideDraft(3, CampaignStore::DraftDecision::approve, "", ExperimentState::evaluating, why));
    population = campaign.store->population().value();
    QVERIFY(population->kernel(3)->reason.empty() && population->experiment(1)->failure.empty());

    draft.source = "int b;";
    QCOMPARE(campaign.store->addKernel(draft).value(), KernelId{4});
    Kernel edited = sampleKernel(1, "int c;");
    edited.experiment = 1;
    const auto line = [](KernelId made) { return Steering{0, Author::person, "edit code", kernelLabel(made), 0}; };
    QCOMPARE(campaign.store->replaceDraft(4, edited, "edited", line).value(), KernelId{5});
    campaign.reopen();
    population = campaign.store->population().value();
    QVERIFY(population->kernel(4)->state == KernelState::declined && population->kernel(4)->source == "int b;");
    QVERIFY(population->kernel(5)->state == KernelState::waiting && population->experiment(1)->kernel == KernelId{5});
    QCOMPARE(campaign.store->steering().value().back().detail, std::string("00005"));
    QVERIFY(!campaign.store->replaceDraft(4, edited, "edited", line)); // it is declined already
    QCOMPARE(campaign.store->population().value()->kernels.size(), 5u);
}

void CampaignStoreTest::experimentRoundTrip() {
    Campaign campaign;
    Experiment first = sampleExperiment(1, "unroll");
    first.tunables = {{"TILE", "64"}};
    first.pick = "most certain";
    Experiment second = sampleExperiment(2, "vector loads");
    const auto ids = campaign.store->addExperiments({first, second}).value();
    QCOMPARE(ids, (std::vector<ExperimentId>{1, 2}));
    Experiment edited = *campaign.store->population().value()->experiment(2);
    edited.state = ExperimentState::rejected;
    edited.editedByPerson = true;
    edited.failure = "no";
    QVERIFY(campaign.store->updateExperiment(edited, {0, Author::person, "reject experiment", "2", 0}));
    campaign.reopen();
    const auto population = campaign.store->population().value();
    QCOMPARE(population->experiment(1)->tunables, first.tunables);
    QCOMPARE(population->experiment(1)->pick, first.pick);
    QVERIFY(population->experiment(1)->predicted == first.predicted);
    QVERIFY(population->experiment(2)->state == ExperimentState::rejected && population->experiment(2)->editedByPerson);
    QVERIFY(population->experiment(1)->position < population->experiment(2)->position);
    edited.id = 77;
    QVERIFY(!campaign.store->updateExperiment(edited));
}

// Correct, measured, and no gain: what cannot be told from noise is neither.
void CampaignStoreTest::undecidedMeasuresNoGain() {
    Campaign campaign;
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    const auto experiment = campaign.store->addExperiments({sampleExperiment(1, "perhaps faster")}).value()[0];
    Kernel kernel = sampleKernel(1, "int perhaps;");
    kernel.experiment = experiment;
    const KernelId id = campaign.store->addKernel(kernel).value();
    Evaluation evaluation = sampleEvaluation(id, 50, 1);
    evaluation.verdict.kind = evaluation.verdict.comparison->verdict = VerdictKind::undecided;
    evaluation.verdict.comparison->ci99 = {0.4, 8};
    QVERIFY(campaign.store->addEvaluation(evaluation));
    campaign.reopen();
    const auto population = campaign.store->population().value();
    const Kernel& read = *population->kernel(id);
    QVERIFY(read.verdict == VerdictKind::undecided && read.versusParent);
    QCOMPARE(comparisonText(*read.versusParent), std::string("undecided 2.00x [0.4000, 8.000] at 99 %"));
    QVERIFY(population->experiment(experiment)->state == ExperimentState::done);
    QVERIFY(!population->experiment(experiment)->measuredGain);
}

void CampaignStoreTest::evaluationUpdatesKernelExperimentAndSpend() {
    Campaign campaign;
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    const auto experiment = campaign.store->addExperiments({sampleExperiment(1, "faster")}).value()[0];
    Kernel kernel = sampleKernel(1, "int faster;");
    kernel.experiment = experiment;
    const KernelId id = campaign.store->addKernel(kernel).value();
    QVERIFY(campaign.store->population().value()->experiment(experiment)->state == ExperimentState::evaluating);
    const Evaluation evaluation = sampleEvaluation(id, 50, 1);
    QVERIFY(campaign.store->addEvaluation(evaluation));
    campaign.reopen();
    const auto population = campaign.store->population().value();
    const Kernel& read = *population->kernel(id);
    QVERIFY(read.state == KernelState::evaluated && read.verdict == VerdictKind::faster);
    QCOMPARE(read.geomeanUs, 50.0);
    QCOMPARE(population->speed(read)->ratio, 2.0);
    QCOMPARE(read.shapeMediansUs, (std::vector<double>{40, 62.5}));
    QVERIFY(read.versusParent);
    QCOMPARE(read.versusParent->ratio, 2.0);
    QVERIFY(population->experiment(experiment)->state == ExperimentState::done);
    QCOMPARE(population->experiment(experiment)->measuredGain.value(), 2.0);
    QCOMPARE(population->spend.evaluations, 2);
    QCOMPARE(population->spend.gpuSeconds, 6.0);
    const auto stored = campaign.store->evaluations(id).value();
    QCOMPARE(stored.size(), 1u);
    QCOMPARE(stored[0].verdict.measurements.at(1).sampleUs, evaluation.verdict.measurements[1].sampleUs);
    QVERIFY(stored[0].baseline == KernelId{1});
    QCOMPARE(campaign.store->newestVerdict(id).value()->geomeanUs, 50.0);
}

// Beside the verdict, which is read far more often; device code that two kernels share is kept once.
void CampaignStoreTest::plansAreKeptWithTheVerdict() {
    Campaign campaign;
    ProblemPack pack = samplePack();
    pack.tensors = {{"x", ElementType::f32, {"n"}, TensorRole::input},
                    {"y", ElementType::f32, {"n"}, TensorRole::output}};
    RecordedPlans plans;
    plans.kernel = samplePlans(pack, {{1024}}, {{4096}}, PlanStyle::streamed);
    plans.baseline = samplePlans(pack, {{1024}}, {});
    Evaluation evaluation = sampleEvaluation(2, 50, 1);
    evaluation.verdict.plans = std::make_shared<const RecordedPlans>(plans);
    const auto id = campaign.store->addEvaluation(evaluation);
    QVERIFY2(id, id ? "" : id.error().message().c_str());
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(2, 51)));
    campaign.reopen();
    const auto found = campaign.store->plans(*id);
    QVERIFY2(found && *found, found ? "none" : found.error().message().c_str());
    QVERIFY(**found == plans);
    QVERIFY(!campaign.store->plans(*id + 1).value());
    const auto newest = campaign.store->newestPlans(2).value(); // that evaluation is the newest with plans
    QVERIFY(newest && newest->kernel.deviceCode.empty() && newest->kernel.shapes == plans.kernel.shapes);
    QVERIFY(!campaign.store->newestPlans(1).value());
    QVERIFY(!campaign.store->evaluations(2).value().front().verdict.plans);
    campaign.store.reset();
    auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
    QCOMPARE(database.integer("SELECT count(*) FROM device_code").value().value(), 1);
    QVERIFY(database.run("UPDATE device_code SET sha256 = ?", {std::string_view("feed")}));
    QVERIFY(database.execute("UPDATE launch_plan SET plans = x'00'"));
    campaign.store = CampaignStore::open(campaign.file).value();
    const auto damaged = campaign.store->newestPlans(2);
    QVERIFY(!damaged && damaged.error().what.find("damaged") != std::string::npos);
}

// Gains are ratios from the schema with rounds on: an older program refuses the file with a sentence.
void CampaignStoreTest::anOlderProgramSaysWhoWroteTheFile() {
    const Campaign campaign;
    const auto database = Database::open(campaign.file.string(), Database::Access::read).value();
    const auto older = campaignMigrations().first(static_cast<std::size_t>(roundsVersion - 1));
    const auto refused = refuseNewer(database, older, "a.gks");
    QVERIFY(!refused);
    QCOMPARE(refused.error().message(),
             fmt::format("a.gks: written by version {} (schema {}); this version supports schema 6. Open it with "
                         "that version or later",
                         programVersion(), newestVersion(campaignMigrations())));
}

void CampaignStoreTest::infrastructureFailureIsNotCharged() {
    Campaign campaign;
    QVERIFY(campaign.store->setKernelState(1, KernelState::evaluating));
    Evaluation evaluation;
    evaluation.kernel = 1;
    evaluation.verdict.reason = "evaluator lost";
    QVERIFY(campaign.store->addEvaluation(evaluation));
    const auto population = campaign.store->population().value();
    QVERIFY(population->kernel(1)->state == KernelState::waiting && !population->kernel(1)->verdict);
    QCOMPARE(population->spend.evaluations, 0);
    QCOMPARE(campaign.store->evaluations(1).value().size(), 1u);
    QVERIFY(!campaign.store->newestVerdict(1).value());
}

void CampaignStoreTest::anotherJudgesVerdictIsRefused() {
    Campaign ours;
    ProblemPack pack = samplePack();
    pack.harness.emplace();
    const auto file = ours.folder.path() / "harness.gks";
    const auto theirs = CampaignStore::create(file, ours.settings, pack).value();
    QVERIFY(theirs->settings()->judgedByHarness && !ours.store->settings()->judgedByHarness);
    Evaluation byUs = sampleEvaluation(1, 10);
    Evaluation byHarness = byUs;
    byHarness.verdict.environment[judgeFact] = harnessLabel;
    Evaluation byNobody = byUs;
    byNobody.verdict = Verdict();
    byNobody.verdict.reason = "no evaluator";
    const auto refused = [](CampaignStore& store, const Evaluation& evaluation) {
        const auto kept = store.addEvaluation(evaluation);
        return kept ? std::string() : kept.error().message();
    };
    QCOMPARE(refused(*ours.store, byNobody), std::string());
    QCOMPARE(refused(*theirs, byNobody), std::string());
    QVERIFY(refused(*ours.store, byHarness).find("here our own judge judges") != std::string::npos);
    QVERIFY(ours.store->evaluations(1)->size() == 1);
    QVERIFY(refused(*theirs, byUs).find("here the user's harness judges") != std::string::npos);
    byHarness.verdict.environment[judgeFact] = "somebody";
    QVERIFY(refused(*theirs, byHarness).find("\"somebody\"") != std::string::npos);
    byHarness.verdict.environment[judgeFact] = harnessLabel;
    QCOMPARE(refused(*theirs, byHarness), std::string());
}

void CampaignStoreTest::confirmationKeepsTheSummary() {
    Campaign campaign;
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(2, 80, 1)));
    Evaluation confirmation = sampleEvaluation(2, 90, 1);
    confirmation.purpose = confirmationPurpose;
    QVERIFY(campaign.store->addEvaluation(confirmation));
    auto population = campaign.store->population().value();
    QCOMPARE(population->kernel(2)->geomeanUs, 80.0);
    QCOMPARE(population->spend.evaluations, 2);
    QCOMPARE(campaign.store->newestVerdict(2).value()->geomeanUs, 80.0); // as the summary has it
    QCOMPARE(ownRun(campaign.store->evaluations(2).value())->verdict.geomeanUs, 80.0);
    confirmation.verdict = failedVerdict(VerdictKind::cheatingSuspected, "output copied");
    QVERIFY(campaign.store->addEvaluation(confirmation));
    population = campaign.store->population().value();
    QVERIFY(population->kernel(2)->verdict == VerdictKind::cheatingSuspected);
    QVERIFY(population->best == KernelId{1});
}

void CampaignStoreTest::failureMayLeadToARepair() {
    Campaign campaign;
    const auto experiment = campaign.store->addExperiments({sampleExperiment(1, "x")}).value()[0];
    Kernel draft = sampleKernel(1, "int broken");
    draft.experiment = experiment;
    const KernelId first = campaign.store->addKernel(draft).value();
    Evaluation failed;
    failed.kernel = first;
    failed.verdict = failedVerdict(VerdictKind::buildFailed, "expected ;");
    QVERIFY(campaign.store->addEvaluation(failed, ExperimentState::approved));
    QVERIFY(campaign.store->population().value()->experiment(experiment)->state == ExperimentState::approved);
    draft.source = "int still broken";
    failed.kernel = campaign.store->addKernel(draft).value();
    QVERIFY(campaign.store->population().value()->experiment(experiment)->kernel == failed.kernel);
    QVERIFY(campaign.store->addEvaluation(failed));
    const Experiment& read = *campaign.store->population().value()->experiment(experiment);
    QVERIFY(read.state == ExperimentState::failed);
    QCOMPARE(read.failure, std::string("build-failed: expected ;"));
    failed.kernel = first; // the older draft once more: no longer the experiment's
    failed.verdict = sampleEvaluation(first, 10, 1).verdict;
    QVERIFY(campaign.store->addEvaluation(failed));
    QVERIFY(campaign.store->population().value()->experiment(experiment)->state == ExperimentState::failed);
}

// An evaluation once more must not undo what a person decided, nor take a draft from a writer.
void CampaignStoreTest::aVerdictChangesAnExperimentByTheRules() {
    Campaign campaign;
    const auto id = campaign.store->addExperiments({sampleExperiment(1, "x")}).value()[0];
    Kernel draft = sampleKernel(1, "int broken");
    draft.experiment = id;
    Evaluation failed;
    failed.kernel = campaign.store->addKernel(draft).value();
    failed.verdict = failedVerdict(VerdictKind::buildFailed, "expected ;");
    QVERIFY(campaign.store->addEvaluation(failed, ExperimentState::approved));
    const auto current = [&] { return *campaign.store->population().value()->experiment(id); };
    Experiment rejected = current();
    rejected.state = ExperimentState::rejected;
    QVERIFY(campaign.store->updateExperiment(rejected));
    QVERIFY(campaign.store->addEvaluation(failed, ExperimentState::approved));
    QCOMPARE(current().state, ExperimentState::rejected);
    draft.source = "int late";
    QVERIFY(!campaign.store->addKernel(draft)); // nobody is to write for it
    QCOMPARE(current().state, ExperimentState::rejected);
    Experiment writing = current();
    for (const ExperimentState state : {ExperimentState::approved, ExperimentState::writing}) {
        writing.state = state;
        QVERIFY(campaign.store->updateExperiment(writing));
    }
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(failed.kernel, 50, 1)));
    QCOMPARE(current().state, ExperimentState::writing);
    Finding finding;
    finding.text = "x";
    finding.id = campaign.store->addFinding(finding).value();
    finding.state = FindingState::dismissed;
    QVERIFY(campaign.store->updateFinding(finding));
    finding.state = FindingState::contradicted;
    QVERIFY(!campaign.store->updateFinding(finding));
}

// Where a run ended before it wrote them.
void CampaignStoreTest::statesFollowFromTheDrafts() {
    Campaign campaign;
    QVERIFY(campaign.store->addExperiments({sampleExperiment(1, "good"), sampleExperiment(1, "bad"),
                                            sampleExperiment(1, "open"), sampleExperiment(1, "to be repaired")}));
    for (ExperimentId id = 1; id <= 4; ++id) {
        Kernel kernel = sampleKernel(1, "int of" + std::to_string(id) + ";");
        kernel.experiment = id;
        const KernelId made = campaign.store->addKernel(kernel).value();
        Evaluation evaluation = sampleEvaluation(made, 50, 1);
        if (id == 2 || id == 4) {
            evaluation.verdict = failedVerdict(VerdictKind::wrong, "y differs");
        }
        if (id != 3) {
            QVERIFY(campaign.store->addEvaluation(evaluation, ExperimentState::approved));
        }
    }
    campaign.store.reset();
    QVERIFY(Database::open(campaign.file.string(), Database::Access::readWrite)
                .value()
                .execute("UPDATE experiment SET state = 'evaluating' WHERE id IN (1, 2)"));
    const auto population =
        CampaignStore::open(campaign.file, CampaignStore::Access::read).value()->population().value();
    const auto state = [&](ExperimentId id) { return population->experiment(id)->state; };
    QVERIFY(state(1) == ExperimentState::done);
    QVERIFY(state(2) == ExperimentState::failed);
    QVERIFY(state(3) == ExperimentState::evaluating);
    QVERIFY(state(4) == ExperimentState::approved);
    QVERIFY(stateInLine(*population->experiment(3), *population) == KernelState::waiting); // nobody evaluates it
    QVERIFY(!stateInLine(*population->experiment(1), *population));
    Population atTheJudge = *population;
    atTheJudge.kernels.editEach([](Kernel& kernel) {
        kernel.state = kernel.experiment == ExperimentId(3) ? KernelState::evaluating : kernel.state;
    });
    QVERIFY(!stateInLine(*atTheJudge.experiment(3), atTheJudge));
    QCOMPARE(draftToRepair(*population->experiment(4), *population)->experiment, std::optional<ExperimentId>(4));
    QVERIFY(draftToRepair(*population->experiment(3), *population) == nullptr);
}

void CampaignStoreTest::exchangesAndSteering() {
    Campaign campaign;
    const auto experiment = campaign.store->addExperiments({sampleExperiment(1, "x")}).value()[0];
    Exchange exchange;
    exchange.stage = "writer";
    exchange.prompt = std::string(100'000, 'p');
    exchange.reply = "reply ä";
    exchange.experiment = experiment;
    exchange.tokensIn = 10;
    exchange.tokensOut = 5;
    exchange.tokensEstimated = true;
    exchange.usd = 0.25;
    QVERIFY(campaign.store->addExchange(exchange));
    Kernel kernel = sampleKernel(1, "int k;");
    kernel.experiment = experiment;
    const KernelId id = campaign.store->addKernel(kernel).value();
    exchange.experiment.reset();
    exchange.stage = "selector";
    exchange.usd.reset(); // nobody knows what that model costs
    QVERIFY(campaign.store->addExchange(exchange));
    QVERIFY(campaign.store->addFinding({.text = "LDS is small", .author = Author::person}));
    campaign.reopen();
    QCOMPARE(campaign.store->exchanges().value().size(), 2u);
    const auto ofKernel = campaign.store->exchanges(id).value();
    QCOMPARE(ofKernel.size(), 1u);
    QCOMPARE(ofKernel[0].prompt, exchange.prompt);
    QCOMPARE(ofKernel[0].reply, exchange.reply);
    QCOMPARE(campaign.store->exchanges({}, experiment).value().size(), 1u);
    const auto population = campaign.store->population().value();
    QCOMPARE(population->spend.tokens, 30);
    QCOMPARE(population->spend.usd, 0.25);
    QCOMPARE(population->spend.unpricedTokens, 15);
    const auto all = campaign.store->exchanges().value();
    QVERIFY(all[0].usd == 0.25 && !all[1].usd);
    QVERIFY(all[0].tokensEstimated);
    QCOMPARE(population->findings.at(0).text, std::string("LDS is small"));
}

// Where it may only be read, a file keeps the schema that it has.
void CampaignStoreTest::exchangesOfAnOlderFileAreRead() {
    const auto folder = TemporaryDirectory::create("older").value();
    const auto file = folder.path() / "old.gks";
    {
        auto database = Database::open(file.string(), Database::Access::create).value();
        QVERIFY(migrate(database, campaignMigrations().first(exchangeEstimatesVersion - 1)));
        QVERIFY(database.execute("INSERT INTO campaign (one, written_by, problem_title, settings, created_at) VALUES "
                                 "(1, '0.1', 'Old', '{}', 1)"));
        const std::string nothing = compressed("");
        QVERIFY(database.run("INSERT INTO exchange (stage, provider, model, prompt, reply, error, tokens_in, "
                             "tokens_out, usd, seconds, at) VALUES ('writer', '', '', ?, ?, '', 1, 1, 0, 0, 1)",
                             {Blob{nothing}, Blob{nothing}}));
    }
    const auto reading = CampaignStore::open(file, CampaignStore::Access::read).value();
    const auto plans = reading->newestPlans(1);
    QVERIFY2(plans && !*plans, plans ? "" : plans.error().message().c_str());
    const auto read = reading->exchanges();
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QVERIFY(read->size() == 1 && !read->front().tokensEstimated);
}

void CampaignStoreTest::limitsOfAStrangersFileStayInRange() {
    const auto settings = settingsFromJson(
        Json::parse(R"({"models": {"writer": {"limits": {"silence_seconds": 1e300, "total_seconds": -5}}}})"));
    QVERIFY2(settings.has_value(), settings ? "" : settings.error().message().c_str());
    const CallLimits limits = settings->models.at("writer").limits;
    QCOMPARE(limits.silenceSeconds, 86400.0);
    QCOMPARE(limits.totalSeconds, 0.01);
    QCOMPARE(limits.connectSeconds, 15.0);
    QVERIFY(!limits.resendAfterSilence);
    const auto odd = settingsFromJson(Json::parse(
        R"({"device": -7, "measure_seconds": 1e300, "tie_margin_percent": -300, "policies": {"model_calls": 0, "drafts": 99},
            "hints": {"writer": "short", "checker": "never shown", "../x": "y"}})"));
    QVERIFY2(odd.has_value(), odd ? "" : odd.error().message().c_str());
    QCOMPARE(odd->device, 0);
    QCOMPARE(odd->measureSeconds, 86400.0);
    QCOMPARE(odd->tieMarginPercent, 0.0);
    QVERIFY(odd->policies.modelCalls == 1 && odd->policies.drafts == 8);
    QCOMPARE(odd->hints, (std::map<std::string, std::string>{{"writer", "short"}}));
}

void CampaignStoreTest::settingsThatLackAFieldAreNamed_data() {
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("expected");
    QTest::newRow("one") << "/measure_seconds" << "measure_seconds";
    QTest::newRow("policy") << "/policies/drafts" << "policies.drafts";
    QTest::newRow("budget") << "/budgets/usd" << "budgets.usd";
    QTest::newRow("of a model") << "/models/writer/limits/silence_seconds" << "models.writer.limits.silence_seconds";
}

void CampaignStoreTest::settingsThatLackAFieldAreNamed() {
    QFETCH(QString, pointer);
    QFETCH(QString, expected);
    CampaignSettings settings;
    settings.models["writer"].model = "m";
    settings.hints["writer"] = "short";
    Json json(toJson(settings));
    QVERIFY(wholeSettingsFromJson(json).value() == settings);
    const Json::json_pointer at(pointer.toStdString());
    json.at(at.parent_pointer()).erase(at.back());
    QVERIFY(settingsFromJson(json).value() == settings); // an earlier schema: what stood for it then
    const auto whole = wholeSettingsFromJson(json);
    QVERIFY(!whole);
    QVERIFY2(whole.error().what.find("lack " + expected.toStdString() + ")") != std::string::npos,
             whole.error().message().c_str());
}

void CampaignStoreTest::settingsOfAnEarlierFileAreCompleted() {
    Campaign campaign;
    const auto file = campaign.folder.path() / "old.gks";
    {
        auto database = Database::open(file.string(), Database::Access::create).value();
        QVERIFY(migrate(database, campaignMigrations().first(framesVersion)));
        QVERIFY(database.execute("INSERT INTO campaign (one, written_by, problem_title, settings, created_at) VALUES "
                                 "(1, '0.1', 'Old', '{\"problem\": \"sample\"}', 1)"));
    }
    QCOMPARE(CampaignStore::open(file, CampaignStore::Access::read).value()->settings()->problem,
             std::string("sample"));
    QVERIFY(CampaignStore::open(file).value()->settings());
    std::string text;
    const auto database = Database::open(file.string(), Database::Access::read).value();
    QVERIFY(database.each("SELECT settings FROM campaign", {}, [&](const Row& row) -> Result<void> {
        text = row.text(0);
        return {};
    }));
    QVERIFY2(wholeSettingsFromJson(Json::parse(text)), text.c_str());
    // A file of the present schema that lacks one is damaged.
    campaign.store.reset();
    QVERIFY(Database::open(campaign.file.string(), Database::Access::readWrite)
                .value()
                .execute("UPDATE campaign SET settings = json_remove(settings, '$.policies.drafts')"));
    const auto damaged = CampaignStore::open(campaign.file, CampaignStore::Access::read).value()->settings();
    QCOMPARE(damaged.has_value(), newestVersion(campaignMigrations()) < wholeSettingsVersion);
}

void CampaignStoreTest::reorderPutsTheNamedFirst() {
    Campaign campaign;
    QVERIFY(
        campaign.store->addExperiments({sampleExperiment(1, "a"), sampleExperiment(1, "b"), sampleExperiment(1, "c")}));
    QVERIFY(campaign.store->reorderExperiments({3, 1}, {0, Author::person, "reorder", "3, 1", 0}));
    const auto population = campaign.store->population().value();
    QVERIFY(population->experiment(3)->position < population->experiment(1)->position);
    QVERIFY(population->experiment(1)->position < population->experiment(2)->position);
    QVERIFY(!campaign.store->reorderExperiments({2, 9}, {0, Author::person, "reorder", "2, 9", 0}));
    QCOMPARE(campaign.store->population().value()->experiment(2)->position, population->experiment(2)->position);
}

void CampaignStoreTest::recoverSendsWorkBack() {
    Campaign campaign;
    Experiment experiment = sampleExperiment(1, "a");
    experiment.state = ExperimentState::writing;
    QVERIFY(campaign.store->addExperiments({experiment}));
    QVERIFY(campaign.store->setKernelState(2, KernelState::evaluating));
    QCOMPARE(campaign.store->recover().value(), 2);
    const auto population = campaign.store->population().value();
    QVERIFY(population->kernel(2)->state == KernelState::waiting);
    QVERIFY(population->experiment(1)->state == ExperimentState::approved);
}

void CampaignStoreTest::readerSeesTheWriter() {
    Campaign campaign;
    const auto reader = CampaignStore::open(campaign.file, CampaignStore::Access::read).value();
    QVERIFY(reader->readOnly());
    QCOMPARE(reader->population().value()->kernels.size(), 2u);
    const auto before = reader->population().value();
    QCOMPARE(reader->population().value().get(), before.get()); // nothing happened: the same value
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int z;")));
    QCOMPARE(reader->population().value()->kernels.size(), 3u);
    QCOMPARE(before->kernels.size(), 2u);
    const auto refused = reader->addKernel(sampleKernel(1, "int y;"));
    QVERIFY(!refused);
    QVERIFY(refused.error().what.find("read-only") != std::string::npos);
}

void CampaignStoreTest::bestIsTheFastestAccepted() {
    Campaign campaign;
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(2, 70, 1)));
    Evaluation wrong = sampleEvaluation(campaign.store->addKernel(sampleKernel(1, "int w;")).value(), 10);
    wrong.verdict.kind = VerdictKind::wrong;
    QVERIFY(campaign.store->addEvaluation(wrong));
    const auto population = campaign.store->population().value();
    QVERIFY(population->best == KernelId{2});
    QVERIFY(population->speed(*population->kernel(3)) == nullptr);
    QCOMPARE(population->ancestry(3), (std::vector<KernelId>{1, 3}));
}

// Fills the store until it refuses, then gives room again.
static void checkFullDisk(Campaign& campaign, const std::function<void()>& limit,
                          const std::function<void()>& giveRoom) {
    QVERIFY(campaign.store->addEvaluation(sampleEvaluation(1, 100)));
    limit();
    const auto failed = campaign.store->addKernel(sampleKernel(1, randomText(1'500'000)));
    giveRoom();
    QVERIFY(!failed);
    QVERIFY2(failed.error().what.find("disk is full") != std::string::npos, failed.error().message().c_str());
    QVERIFY(failed.error().next.find("Free disk space and run again") != std::string::npos);
    QCOMPARE(campaign.store->population().value()->kernels.size(), 2u);
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int after;")));
    campaign.reopen();
    const auto population = campaign.store->population().value();
    QCOMPARE(population->kernels.size(), 3u);
    QVERIFY(population->kernel(1)->verdict == VerdictKind::correct);
}

void CampaignStoreTest::fullDiskLosesNothingElse() {
    const auto disk = TemporaryDirectory::create("tiny-disk").value();
    if (::mount("none", disk.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
        QSKIP("mounting a tiny disk needs root");
    }
    {
        Campaign campaign(disk.path());
        checkFullDisk(campaign, [] {}, [] {});
    }
    ::umount(disk.path().c_str());
}

// There is no room for the index of the log, which SQLite calls an error of the disk.
void CampaignStoreTest::aDiskThatWasFullBeforeIsNamed() {
    const auto disk = TemporaryDirectory::create("tiny-disk").value();
    if (::mount("none", disk.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
        QSKIP("mounting a tiny disk needs root");
    }
    {
        Campaign campaign(disk.path());
        campaign.store.reset();
        const auto rest = disk.path() / "rest";
        std::ofstream(rest) << std::string(2'000'000, 'x');
        const auto full = CampaignStore::open(campaign.file);
        std::filesystem::remove(rest);
        QVERIFY(!full);
        QVERIFY2(full.error().what == "the disk is full" &&
                     full.error().next.find("Free disk space") != std::string::npos,
                 full.error().message().c_str());
        QCOMPARE(CampaignStore::open(campaign.file).value()->population().value()->kernels.size(), 2u);
    }
    ::umount(disk.path().c_str());
}

void CampaignStoreTest::fileSizeLimitIsAFullDisk() {
    Campaign campaign;
    rlimit old = {};
    ::getrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, SIG_IGN);
    const auto limit = [&] {
        const rlimit limited = {std::filesystem::file_size(campaign.file.string() + "-wal"), old.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limited);
    };
    checkFullDisk(campaign, limit, [&] { ::setrlimit(RLIMIT_FSIZE, &old); });
}

QTEST_APPLESS_MAIN(CampaignStoreTest)
#include "campaign_store.moc"
