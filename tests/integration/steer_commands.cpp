// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/campaign/store.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

using namespace gks;
using namespace gks::test;

// `steer`, `findings` and `conversation` on a campaign file, as somebody without a window uses them.
class SteerCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyDecisionIsKept();
    void decisionsAreTakenBack();
    void policiesAndModels();
    void writersAndTheirHints();
    void shapesAreWeighed();
    void kernelsAreMeasuredSideBySide();
    void codeIsApprovedRejectedEditedAndSentBack();
    void experimentOfAPerson();
    void experimentWithoutAModelSaysWhatItNeeds();
    void avenueIsAskedFor();
    void mergeOfAPerson();
    void kernelOfAPerson();
    void findingsInAPersonsWords();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void severalAtOnceAreAllOrNothingWhereOneIsNamedWrongly();
    void heldCampaignIsNotSteered();
    void conversationIsShownWhole();
    void conversationIsChosenFrom();

private:
    CompletedProcess steer(std::vector<std::string> words) {
        words.insert(words.begin(), {"steer", m_file});
        return runCli(std::move(words));
    }
    PopulationPtr population() {
        return CampaignStore::open(m_file, CampaignStore::Access::read).value()->population().value();
    }
    std::optional<TemporaryDirectory> m_folder;
    std::string m_file;
};

// Two seeds and two experiments that wait for a decision.
void SteerCommands::init() {
    m_folder.emplace(TemporaryDirectory::create("gks-steer").value());
    m_file = (m_folder->path() / "campaign.gks").string();
    CampaignSettings settings;
    settings.problem = "row-softmax";
    settings.scientist = ScientistKind::model;
    settings.mode = Mode::approveExperiments;
    settings.models["default"] = {"manual", "", "", "", 0.7, 1000};
    QVERIFY(CampaignStore::create(m_file, settings));
    const auto store = CampaignStore::open(m_file, CampaignStore::Access::write).value();
    QVERIFY(store->addEvaluation(sampleEvaluation(1, 100)));
    for (const char* description : {"wider loads", "unroll by four"}) {
        Experiment experiment = sampleExperiment(1, description);
        experiment.state = ExperimentState::proposed;
        QVERIFY(store->addExperiments({experiment}));
    }
}

void SteerCommands::everyDecisionIsKept() {
    const auto pinned = steer({"pin", "2", "1"});
    QVERIFY2(pinned.ok(), pinned.error.c_str());
    QCOMPARE(pinned.output, std::string("pin parent: 00002 with reference 00001\n"));
    QVERIFY(population()->settings.pinnedParent == KernelId{2} &&
            population()->settings.pinnedReference == KernelId{1});
    QCOMPARE(steer({"unpin"}).output, std::string("unpin parent: the scientist chooses it\n"));
    const auto empty = steer({"hint", ""});
    QVERIFY(!empty.ok() && empty.error.find("an argument is empty") != std::string::npos);
    QVERIFY(!population()->settings.pinnedParent && !population()->settings.pinnedReference);
    QVERIFY(steer({"ban", "2"}).ok() && population()->kernel(2)->banned);
    QVERIFY(steer({"unban", "00002"}).ok() && !population()->kernel(2)->banned);
    QVERIFY(steer({"again", "1"}).ok() && population()->kernel(1)->state == KernelState::waiting);
    QVERIFY(steer({"approve", "2"}).ok() && steer({"reject", "1"}).ok());
    QCOMPARE(population()->experiment(2)->state, ExperimentState::approved);
    QCOMPARE(population()->experiment(1)->state, ExperimentState::rejected);
    QVERIFY(steer({"hint", "mind", "the", "banks"}).ok());
    QCOMPARE(population()->settings.hint, std::string("mind the banks"));
    QVERIFY(steer({"hint"}).ok() && population()->settings.hint.empty());
    QVERIFY(steer({"budget", "evaluations", "24"}).ok() && steer({"budget", "minutes", "30.5"}).ok());
    QVERIFY(steer({"budget", "usd", "5"}).ok() && steer({"budget", "tokens", "3000000000"}).ok());
    const auto budgets = steer({"budget", "device-seconds", "600"});
    QCOMPARE(
        budgets.output,
        std::string("set budgets: evaluations 24, minutes 30.5, $5.00, tokens 3000000000, device time 10 min 00 s\n"));
    const auto free = steer({"budget", "usd", "0"});
    QVERIFY2(free.output.find("minutes 30.5, cost unlimited, tokens") != std::string::npos, free.output.c_str());
    QVERIFY(steer({"budget", "usd", "5"}).ok());
    QVERIFY(steer({"budget", "goal-us", "95.5"}).ok() && steer({"budget", "fruitless", "10"}).ok());
    QCOMPARE(population()->settings.budgets, (Budgets{24, 30.5, 5, 3'000'000'000, 600, 95.5, 10}));
    QVERIFY(steer({"mode", "automatic"}).ok());
    QCOMPARE(population()->settings.mode, Mode::automatic);
    QVERIFY(steer({}).output.find("approve EXPERIMENT...") != std::string::npos);
}

void SteerCommands::decisionsAreTakenBack() {
    QVERIFY(steer({"ban", "2"}).ok() && steer({"reject", "1"}).ok());
    QVERIFY(steer({"edit", "2", "--description", "unroll by eight"}).ok());
    QCOMPARE(steer({"undo"}).output, std::string("restore experiment: 2: unroll by four, proposed\n"));
    QCOMPARE(population()->experiment(2)->description, std::string("unroll by four"));
    QCOMPARE(steer({"undo"}).output, std::string("restore experiment: 1: wider loads, proposed\n"));
    QVERIFY(population()->experiment(1)->state == ExperimentState::proposed);
    QVERIFY(!population()->experiment(1)->editedByPerson && !population()->experiment(2)->editedByPerson);
    const auto history = Json::parse(steer({"history", "--json"}).output);
    QCOMPARE(history.size(), std::size_t{5});
    QCOMPARE(history[4].at("undo").get<std::string>(), std::string("open"));
    QCOMPARE(history[3].at("undo").get<std::string>(), std::string("taken-back"));
    QCOMPARE(history[4].at("detail").get<std::string>(), std::string("00002"));
    QVERIFY(steer({"undo", std::to_string(history[4].at("id").get<int>())}).ok() && !population()->kernel(2)->banned);
    const auto none = steer({"undo"});
    QVERIFY(!none.ok() && none.error.find("no decision that can be taken back") != std::string::npos);
    QVERIFY(steer({"ban", "2"}).ok() && !steer({"pin", "1", "2"}).ok()); // not as a reference either
}

void SteerCommands::policiesAndModels() {
    QVERIFY(steer({"policy", "selector", "upper-confidence"}).ok() && steer({"policy", "pick", "all"}).ok());
    QVERIFY(steer({"policy", "tuning-evaluations", "6"}).ok() && steer({"policy", "check-reports", "no"}).ok());
    QVERIFY(!population()->settings.policies.checkCode && steer({"policy", "check-code", "yes"}).ok() &&
            population()->settings.policies.checkCode);
    QVERIFY(steer({"policy", "calls", "5"}).ok() && steer({"policy", "stagnation", "0"}).ok());
    QVERIFY(steer({"policy", "drafts", "3"}).ok() && !steer({"policy", "drafts", "9"}).ok());
    const auto unscreened = steer({"policy", "screening", "no"});
    QVERIFY(unscreened.output.find("3 drafts, not screened") != std::string::npos);
    const Policies policies = population()->settings.policies;
    QCOMPARE(policies.modelCalls, 5);
    QCOMPARE(policies.stagnation, 0);
    QVERIFY(policies.drafts == 3 && !policies.screening);
    QVERIFY(policies.selector == SelectorPolicy::upperConfidence && policies.pick == PickPolicy::all);
    QVERIFY(policies.tuningEvaluations == 6 && !policies.checkReports && policies.knowledgeTokens == 12000);
    const auto named = steer({"model", "writer", "--provider", "anthropic", "--model", "a-model", "--effort", "low",
                              "--silence-minutes", "2.5", "--resend-after-silence"});
    QVERIFY2(named.ok(), named.error.c_str());
    const auto models = population()->settings.models;
    QVERIFY(models.at("writer").model == "a-model" && models.at("writer").keyVariable == "ANTHROPIC_API_KEY");
    QCOMPARE(models.at("writer").limits, (CallLimits{15, 150, 3600, 21600, true}));
    QCOMPARE(models.at("default").provider, std::string("manual"));
    QVERIFY(steer({"scientist", "tuner"}).ok());
    QVERIFY(population()->settings.scientist == ScientistKind::tuner && population()->settings.models == models);
}

void SteerCommands::writersAndTheirHints() {
    const auto added = steer({"model", "writer/deep", "--provider", "anthropic", "--model", "a-model"});
    QVERIFY2(added.ok() && added.output.find("writer/deep") != std::string::npos, added.error.c_str());
    QVERIFY(!steer({"model", "writer/own", "--model", "m"}).ok() &&
            !steer({"model", "writer/../x", "--model", "m"}).ok());
    const auto named = steer({"edit", "1", "--writer", "deep"});
    QCOMPARE(named.output, std::string("edit experiment: 1: wider loads, writer: deep\n"));
    QVERIFY(population()->experiment(1)->writer == "deep" && !population()->experiment(1)->editedByPerson);
    QVERIFY(steer({"edit", "1", "--any-writer"}).ok() && population()->experiment(1)->writer.empty());
    QVERIFY(steer({"propose", "2", "two stages", "--writer", "own"}).ok());
    QCOMPARE(population()->experiment(3)->writer, std::string("own"));
    const auto nobody = steer({"edit", "1", "--writer", "wide"});
    QVERIFY(nobody.exit.status == 2 && nobody.error.find("there is no writer") != std::string::npos);
    QVERIFY(steer({"hint", "--stage", "writer", "short", "names"}).ok() && steer({"hint", "all"}).ok());
    QVERIFY(population()->settings.hint == "all" && population()->settings.hints.at("writer") == "short names");
    const auto checker = steer({"hint", "--stage", "checker", "x"});
    QVERIFY(checker.exit.status == 2 && checker.error.find("no hint is shown to the checker") != std::string::npos);
    QVERIFY(steer({"hint", "--stage", "writer"}).ok() && population()->settings.hints.empty());
    QVERIFY(steer({"drop-writer", "deep"}).ok() && !population()->settings.models.contains("writer/deep"));
    QVERIFY(!steer({"drop-writer", "deep"}).ok() && !steer({"drop-writer", ""}).ok());
    QVERIFY(population()->settings.models.contains("default"));
}

void SteerCommands::shapesAreWeighed() {
    const auto early = steer({"weights", "n=7,m=2=4"});
    QVERIFY2(early.exit.status == 2 && early.error.find("no paired run has compared") != std::string::npos,
             early.error.c_str());
    {
        const auto store = CampaignStore::open(m_file, CampaignStore::Access::write).value();
        Evaluation paired = sampleEvaluation(2, 50, 1);
        paired.verdict.measurements[1].shape = {{"m", 2}, {"n", 7}};
        for (MeasurementFact& fact : paired.verdict.measurements) {
            fact.ratio = 2;
            fact.ratioCi95 = Interval{1.9, 2.1};
        }
        QVERIFY(store->addEvaluation(paired));
    }
    const auto set = steer({"weights", "n=7,m=2=4"});
    QVERIFY2(set.ok(), set.error.c_str());
    QCOMPARE(set.output, std::string("set shape weights: m=2 n=7: 4.00\n"));
    const ShapeExtents shape = {{"m", 2}, {"n", 7}};
    QVERIFY(population()->settings.shapeWeights == (ShapeWeights{{shape, 4}}));
    const std::string shown = runCli({"show", m_file, "--shapes"}).output;
    QVERIFY2(shown.find("Weight") != std::string::npos && shown.find("weighted geometric mean") != std::string::npos,
             shown.c_str());
    QCOMPARE(cliJson({"show", m_file, "--shapes"}).at("shapes").at(1).at("weight").get<double>(), 4.0);
    QVERIFY(runCli({"show", m_file}).output.find("weighted geometric mean (m=2 n=7: 4.00)") != std::string::npos);
    for (const char* wrong : {"n=7,m=2", "4", "n=7,m=2=much", "n=7,m=2=-1", "n,m=4"}) {
        const auto refused = steer({"weights", wrong});
        QVERIFY2(refused.exit.status == 2, wrong);
    }
    QVERIFY(steer({"weights", "n=1024=0"}).ok()); // those that are not named keep theirs
    QCOMPARE(population()->settings.shapeWeights.size(), std::size_t{2});
    QVERIFY(steer({"weights"}).ok() && population()->settings.shapeWeights.empty());
}

void SteerCommands::kernelsAreMeasuredSideBySide() {
    const auto early = steer({"side-by-side", "2", "1"});
    QVERIFY(early.exit.status == 2 && early.error.find("00002 has not passed the judge") != std::string::npos);
    QVERIFY(CampaignStore::open(m_file).value()->addEvaluation(sampleEvaluation(2, 50, 1)));
    QCOMPARE(steer({"side-by-side", "2", "1"}).output,
             std::string("measure side by side: 00002 and 00001, all shapes\n"));
    QVERIFY(steer({"side-by-side", "2", "1", "--quick"}).ok());
    QCOMPARE(population()->settings.askedComparisons, (std::vector<AskedComparison>{{2, 1, true}, {2, 1, false}}));
    QVERIFY(!steer({"side-by-side", "2", "1"}).ok());
    const auto shown = runCli({"show", m_file}).output;
    QVERIFY(shown.find("Waits to be measured side by side: 00002 and 00001, all shapes\n") != std::string::npos);
    QCOMPARE(cliJson({"show", m_file})["asked_comparisons"].size(), 2u);
    QVERIFY(steer({"drop-side-by-side", "2", "1"}).ok());
    QCOMPARE(population()->settings.askedComparisons, (std::vector<AskedComparison>{{2, 1, false}}));
    // What came of one stands with the kernel.
    Evaluation measured = sampleEvaluation(2, 50, 1);
    measured.purpose = askedOnAllPurpose;
    QVERIFY(CampaignStore::open(m_file).value()->addEvaluation(measured));
    const auto kernel = runCli({"show", m_file, "--kernel", "2"});
    QVERIFY2(kernel.error.find("As asked: faster 2.00x [1.96, 2.04] (side by side with 00001, all shapes)\n") !=
                 std::string::npos,
             kernel.error.c_str());
    const Json json = cliJson({"show", m_file, "--kernel", "2"})["side_by_side"];
    QVERIFY(json.size() == 1 && json[0]["other"] == "00001" && json[0]["all_shapes"] == true);
}

void SteerCommands::codeIsApprovedRejectedEditedAndSentBack() {
    {
        const auto store = CampaignStore::open(m_file, CampaignStore::Access::write).value();
        for (int i = 0; i < 4; ++i) {
            Experiment experiment = sampleExperiment(1, "x");
            experiment.state = ExperimentState::approved;
            Kernel draft = sampleKernel(1, "int draft" + std::to_string(i) + " = 1 +" + std::to_string(i) + ";");
            draft.experiment = store->addExperiments({experiment}).value().front();
            draft.author = Author::model;
            draft.title = "Draft " + std::to_string(i);
            draft.state = KernelState::proposed;
            QVERIFY(store->addKernel(draft));
        }
    }
    const KernelId first = population()->kernels.back().id - 3;
    const std::string waits = "Code that waits for your approval:\n  " + kernelLabel(first) + "  Draft 0";
    for (const std::string& output : {steer({}).output, runCli({"show", m_file}).output}) {
        QVERIFY2(output.find(waits) != std::string::npos, output.c_str());
        QVERIFY(output.find("steer " + m_file + " approve-code " + kernelLabel(first)) != std::string::npos);
    }
    const std::string source = (m_folder->path() / "mine.hip").string();
    QVERIFY(writeFileAtomically(source, "int mine;"));
    const auto label = [first](int i) { return std::to_string(first + i); };
    const auto approved = steer({"approve-code", label(0)});
    QCOMPARE(approved.output, "approve code: " + kernelLabel(first) + " Draft 0\n");
    QCOMPARE(steer({"reject-code", label(1), "no"}).output,
             "reject code: " + kernelLabel(first + 1) + " Draft 1: no\n");
    QCOMPARE(steer({"send-back", label(2), "use", "LDS"}).output,
             "send code back: " + kernelLabel(first + 2) + " Draft 2: use LDS\n");
    QCOMPARE(steer({"edit-code", label(3), source}).output,
             "edit code: " + kernelLabel(first + 4) + " in the place of " + kernelLabel(first + 3) + " Draft 3\n");
    const PopulationPtr after = population();
    QVERIFY(after->kernel(first)->state == KernelState::waiting);
    QVERIFY(after->kernel(first + 1)->state == KernelState::declined);
    QVERIFY(after->experiment(5)->state == ExperimentState::approved && after->kernel(first + 2)->reason == "use LDS");
    QVERIFY(after->kernel(first + 4)->author == Author::person && after->kernel(first + 4)->source == "int mine;");
    QVERIFY(steer({}).output.find("Code that waits") == std::string::npos);
    const auto again = steer({"approve-code", label(0), label(0)});
    QVERIFY2(!again.ok() && again.error.find(" is in line to be evaluated already. Reject it") != std::string::npos,
             again.error.c_str());
    QVERIFY(!steer({"edit-code", label(0), "/bin/true"}).ok()); // no text
    QVERIFY(population()->kernel(first)->state == KernelState::waiting);
    QVERIFY(steer({"policy", "check-code", "yes"}).output.find(", 1 draft to be approved") != std::string::npos);
    QVERIFY(population()->kernel(first)->state == KernelState::proposed);
    QVERIFY(steer({"policy", "check-code", "no"}).output.find(", 1 draft in line without approval") !=
            std::string::npos);
    QVERIFY(population()->kernel(first)->state == KernelState::waiting);
    QVERIFY(steer({"reject-code", label(0)}).ok());
    QVERIFY(population()->kernel(first)->state == KernelState::declined);
}

void SteerCommands::experimentOfAPerson() {
    const auto proposed = steer({"propose", "1", "two", "rows", "per", "wave", "--rubric", "one shuffle", "--low",
                                 "1.05x", "--high", "1.25x", "--innovation", "30"});
    QVERIFY2(proposed.ok(), proposed.error.c_str());
    const Experiment own = *population()->experiment(3);
    QCOMPARE(own.description, std::string("two rows per wave"));
    QCOMPARE(own.author, Author::person);
    QCOMPARE(own.state, ExperimentState::approved);
    QVERIFY(own.predicted == (Interval{1.05, 1.25}) && own.innovation == 30);
    QVERIFY(steer({"edit", "1", "--high", "40"}).ok());
    const Experiment edited = *population()->experiment(1);
    QVERIFY(std::abs(edited.predicted->high - 1 / 0.6) < 1e-9); // a plain number is the time that is saved
    QVERIFY(edited.description == "wider loads" && edited.editedByPerson);
    const auto either = steer({"edit", "1", "--low", "0.9"});
    QVERIFY(!either.ok() && either.error.find("Write 0.9x for a ratio") != std::string::npos);
    QVERIFY(steer({"order", "3", "2", "1"}).ok());
    QVERIFY(population()->experiment(3)->position < population()->experiment(2)->position);
    QVERIFY(population()->experiment(2)->position < population()->experiment(1)->position);
}

void SteerCommands::experimentWithoutAModelSaysWhatItNeeds() {
    QVERIFY(steer({"scientist", "tuner"}).ok());
    const auto added = steer({"propose", "1", "pad the rows"});
    QVERIFY2(added.ok(), added.error.c_str());
    QVERIFY2(added.output.find("needs code") != std::string::npos &&
                 added.output.find("kernel 00001 FILE.hip 'pad the rows'") != std::string::npos,
             added.output.c_str());
    const std::string mine = (m_folder->path() / "mine.hip").string();
    QVERIFY(writeFileAtomically(mine, "int padded;\n"));
    QVERIFY(steer({"kernel", "1", mine, "pad", "the", "rows"}).ok());
    QCOMPARE(population()->kernel(3)->experiment.value_or(0), ExperimentId{3});
    QCOMPARE(population()->experiment(3)->state, ExperimentState::evaluating);
}

void SteerCommands::avenueIsAskedFor() {
    {
        const auto store = CampaignStore::open(m_file, CampaignStore::Access::write).value();
        QVERIFY(store->addRound({.id = 1,
                                 .parent = 1,
                                 .rationale = "the fastest line",
                                 .diagnosis = {{"all", "latency of loads", "12 % of the peak", 4.1}},
                                 .model = "m"},
                                {{1, 1, "Use LDS."}, {2, 1, "Split K."}}));
        Experiment experiment = sampleExperiment(1, "tile it");
        experiment.round = 1;
        experiment.avenue = 1;
        QVERIFY(store->addExperiments({experiment}));
    }
    const auto asked = steer({"avenue", "A2"});
    QVERIFY2(asked.ok(), asked.error.c_str());
    QCOMPARE(asked.output, std::string("ask for avenue: 2: Split K.\n"));
    QVERIFY(population()->avenue(2)->asked);
    const auto taken = steer({"avenue", "1"});
    QCOMPARE(taken.exit.status, std::optional<int>(2));
    QVERIFY2(taken.error.find("experiment 3 has taken up avenue 1") != std::string::npos, taken.error.c_str());
    const auto rounds = runCli({"show", m_file, "--rounds"}).output;
    for (const char* line : {"Round 1 on 00001, by m\n", "Why: the fastest line\n",
                             "Limit on all: latency of loads; 4.10x above the floor; evidence: 12 % of the peak\n",
                             "  A1 (taken up by experiment 3): Use LDS.\n", "  A2 (asked for): Split K.\n"}) {
        QVERIFY2(rounds.find(line) != std::string::npos, rounds.c_str());
    }
    const Json json = Json::parse(runCli({"show", m_file, "--json"}).output);
    QCOMPARE(json["rounds"][0]["diagnosis"][0]["limit"].get<std::string>(), std::string("latency of loads"));
    QCOMPARE(json["rounds"][0]["avenues"][0]["experiment"].get<int>(), 3);
    QCOMPARE(json["experiments"][2]["predicted_gain"][1].get<double>(), 1.4);
    QVERIFY(steer({"drop-avenue", "2"}).ok() && !population()->avenue(2)->asked);
}

void SteerCommands::mergeOfAPerson() {
    const auto refused = steer({"propose", "1", "join them", "--kind", "merge"});
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error.find("a merge is made from two kernels") != std::string::npos, refused.error.c_str());
    const auto merged = steer({"propose", "1", "join them", "--kind", "merge", "--reference", "2"});
    QVERIFY2(merged.ok(), merged.error.c_str());
    QCOMPARE(population()->experiment(3)->kind, ExperimentKind::merge);
    QVERIFY(population()->experiment(3)->reference == KernelId{2});
    const auto shown = runCli({"show", m_file, "--experiment", "3"}).output;
    QVERIFY2(shown.find("Kind: merge\nParent: 00001 and 00002\n") != std::string::npos, shown.c_str());
}

void SteerCommands::kernelOfAPerson() {
    const auto source = m_folder->path() / "mine.hip";
    QVERIFY(writeFileAtomically(source, "int mine;\n"));
    const auto added = steer({"kernel", "1", source.string(), "my", "own"});
    QVERIFY2(added.ok(), added.error.c_str());
    const Kernel kernel = population()->kernels.back();
    QCOMPARE(kernel.title, std::string("my own"));
    QCOMPARE(kernel.source, std::string("int mine;\n"));
    QCOMPARE(kernel.parents, std::vector<KernelId>{1});
    const auto again = steer({"kernel", "1", source.string()});
    QCOMPARE(again.exit.status, std::optional<int>(2));
    QVERIFY2(again.error.find("same as kernel " + kernelLabel(kernel.id)) != std::string::npos, again.error.c_str());
}

void SteerCommands::findingsInAPersonsWords() {
    QVERIFY(runCli({"findings", m_file}).output.starts_with("No findings yet"));
    QVERIFY(steer({"finding", "stride", "32", "conflicts", "--subject", "LDS banks"}).ok());
    QVERIFY(steer({"edit-finding", "1", "stride 32 conflicts, 33 does not"}).ok());
    const Json finding = cliJson({"findings", m_file}).at("findings").at(0);
    QCOMPARE(finding.at("text").get<std::string>(), std::string("stride 32 conflicts, 33 does not"));
    QCOMPARE(finding.at("subject").get<std::string>(), std::string("LDS banks"));
    QVERIFY(finding.at("edited_by_person").get<bool>() && finding.at("state") == "standing");
    QVERIFY(steer({"dismiss-finding", "1"}).ok());
    QVERIFY(runCli({"findings", m_file}).output.find("1  LDS banks (dismissed, edited by you)") == 0);
    QVERIFY(steer({"restore-finding", "1"}).ok());
    QCOMPARE(population()->findings.at(0).state, FindingState::standing);
}

void SteerCommands::nonsenseIsRefused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* words, const char* said) {
        QTest::newRow(name) << QString::fromUtf8(words).split(QLatin1Char(' ')) << QString::fromUtf8(said);
    };
    row("action", "fly", "unknown action 'fly'");
    row("no kernel named", "pin", "pin takes KERNEL [REFERENCE]");
    row("too much", "unpin 1", "unpin takes no arguments");
    row("no such kernel", "pin 77", "kernel \"77\" not found");
    row("no number", "approve two", "\"two\" is not the number of an experiment");
    row("no such experiment", "approve 9", "experiment 9 does not exist");
    row("nothing to edit", "edit 9 --low 1", "experiment 9 not found");
    row("range", "edit 1 --low 50 --high 5", "the gain is predicted from 2.00x to 1.05x");
    row("innovation", "edit 1 --innovation 101", "an innovation of 101");
    row("nothing to change", "edit 1", "nothing of experiment 1 is changed");
    row("reference that is the parent", "pin 1 1", "kernel 00001 is the parent already");
    row("mode", "mode fast", "fast");
    row("policy", "policy speed 9", "unknown policy or value: speed");
    row("policy's value", "policy pick some", "some");
    row("policy's number", "policy knowledge-tokens -5", "\"-5\" must be a whole number from 0");
    row("budget", "budget speed 5", "there is no budget speed");
    row("budget's number", "budget tokens many", "many is no whole number");
    row("budget's range", "budget minutes 1e12", "budget of minutes: 1000000000000 is out of range");
    row("banned already", "unban 1", "kernel 00001 is not banned");
    row("temperature", "model writer --model m --temperature 50", "temperature: 50 is out of range");
    row("stage", "model painter --model m", "unknown stage 'painter'");
    row("limit", "model writer --model m --total-minutes 99999", "too large (limit 10080 min)");
    row("model's name", "model writer", "Add --model, --command or --folder");
    row("no such file", "kernel 1 /no/such/file.hip", "/no/such/file.hip");
    row("no such finding", "dismiss-finding 3", "finding 3 not found");
    row("prompt", "prompt nosuch FOLDER/garbage.md", "unknown prompt 'nosuch'");
    row("prompt's text", "prompt designer FOLDER/garbage.md", "missing line `<!-- user -->`");
    row("lane", "lane cpu:7", "device cpu:7 is not disabled");
}

void SteerCommands::nonsenseIsRefused() {
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    QVERIFY(writeFileAtomically(m_folder->path() / "garbage.md", "garbage\n"));
    std::vector<std::string> all;
    for (const QString& word : words) {
        all.push_back(replaceAll(word.toStdString(), "FOLDER", m_folder->path().string()));
    }
    const auto done = steer(all);
    QCOMPARE(done.exit.status, std::optional<int>(2));
    QVERIFY2(done.error.find(said.toStdString()) != std::string::npos, done.error.c_str());
    QCOMPARE(std::count(done.error.begin(), done.error.end(), '\n'), 1);
    QVERIFY(done.output.empty());
}

void SteerCommands::severalAtOnceAreAllOrNothingWhereOneIsNamedWrongly() {
    QCOMPARE(steer({"ban", "1", "77"}).exit.status, std::optional<int>(2));
    QVERIFY(!population()->kernel(1)->banned);
}

void SteerCommands::heldCampaignIsNotSteered() {
    const auto held = CampaignStore::open(m_file, CampaignStore::Access::write).value();
    const auto done = steer({"pin", "1"});
    QVERIFY(!done.ok());
    QVERIFY2(done.error.find("in use") != std::string::npos || done.error.find("open in") != std::string::npos,
             done.error.c_str());
    QVERIFY(!population()->settings.pinnedParent);
}

void SteerCommands::conversationIsShownWhole() {
    const auto store = CampaignStore::open(m_file, CampaignStore::Access::write).value();
    Exchange exchange;
    exchange.stage = "designer";
    exchange.model = "some-model";
    exchange.prompt = R"([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Task: \u001b[2J"}])";
    exchange.reply = "Use LDS.";
    exchange.kernel = 1;
    exchange.tokensIn = 1200;
    exchange.tokensOut = 34;
    exchange.inclusions = {{"knowledge", "gfx942: LDS", 190}};
    QVERIFY(store->addExchange(exchange));
    const auto shown = runCli({"conversation", m_file, "--exchange", "1"});
    QVERIFY2(shown.ok(), shown.error.c_str());
    for (const char* part : {"designer", "some-model", "1.20k", "Included: knowledge gfx942: LDS, 190 tokens",
                             "----- system\nBe brief.", "----- user\nTask: \\x1b[2J", "----- reply\nUse LDS."}) {
        QVERIFY2(shown.output.find(part) != std::string::npos, (part + ("\n" + shown.output)).c_str());
    }
    const Json json = cliJson({"conversation", m_file}).at("exchanges").at(0);
    QCOMPARE(json.at("messages").at(1).at("content").get<std::string>(), std::string("Task: \x1b[2J"));
    QCOMPARE(json.at("kernel").get<std::string>(), std::string("00001"));
}

void SteerCommands::conversationIsChosenFrom() {
    QVERIFY(runCli({"conversation", m_file}).output.starts_with("No model calls"));
    {
        const auto store = CampaignStore::open(m_file, CampaignStore::Access::write).value();
        for (const char* stage : {"selector", "writer", "writer"}) {
            Exchange exchange;
            exchange.stage = stage;
            exchange.prompt = "[]";
            exchange.reply = stage == std::string_view("writer") ? "Padding of LDS" : "00001";
            exchange.experiment = stage == std::string_view("writer") ? std::optional<ExperimentId>(2) : std::nullopt;
            QVERIFY(store->addExchange(exchange));
        }
    }
    const auto count = [this](std::vector<std::string> words) {
        words.insert(words.begin(), {"conversation", m_file});
        return cliJson(words).at("exchanges").size();
    };
    QCOMPARE(count({}), std::size_t{3});
    QCOMPARE(count({"--stage", "writer"}), std::size_t{2});
    QCOMPARE(count({"--search", "padding"}), std::size_t{2});
    QCOMPARE(count({"--experiment", "2", "--exchange", "3"}), std::size_t{1});
    QCOMPARE(count({"--kernel", "1"}), std::size_t{0});
    const auto missing = runCli({"conversation", m_file, "--exchange", "9"});
    QCOMPARE(missing.exit.status, std::optional<int>(2));
    QVERIFY(missing.error.find("call 9 not found") != std::string::npos);
}

QTEST_APPLESS_MAIN(SteerCommands)
#include "steer_commands.moc"
