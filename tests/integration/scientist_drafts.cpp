// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/campaign/normalized_source.h"
#include "core/scientist/scientist.h"
#include "tests/support/scripted_server.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

const char* const original = "#include \"problem.h\"\n"
                             "#define TILE 16\n"
                             "__global__ void scale(const float* a, float* b, int n) {\n"
                             "    int i = blockIdx.x * TILE + threadIdx.x;\n"
                             "    if (i < n) {\n"
                             "        b[i] = 2 * a[i];\n"
                             "    }\n"
                             "}\n"
                             "extern \"C\" hipError_t solve(const Problem& p, void*, hipStream_t s);\n";

ScriptedServer::Script says(const Json& content) {
    Json body;
    body["choices"][0] = {{"message", {{"content", content.dump()}}}, {"finish_reason", "stop"}};
    body["usage"] = {{"prompt_tokens", 10}, {"completion_tokens", 5}};
    return ScriptedServer::answer(200, body.dump());
}

Json edit(const std::string& search, const std::string& replace) {
    return {{"search", search}, {"replace", replace}};
}

Json draftWith(const Json& edit) {
    Json draft = {{"title", "Wider tile"}};
    draft["report"][0] = {{"item", "Set TILE to 64"}, {"used", true}, {"note", "as asked"}};
    draft["edits"][0] = edit;
    return draft;
}

Json verdictOn(int number, const char* verdict) {
    Json reply;
    reply["items"][0] = {{"number", number}, {"verdict", verdict}, {"evidence", "TILE is 64 now."}};
    return reply;
}

struct Bench {
    ScriptedServer server;
    Population population;
    std::vector<Exchange> exchanges;
    std::unique_ptr<Scientist> scientist;
    Experiment experiment;

    explicit Bench(std::vector<ScriptedServer::Script> scripts, const Policies& policies = {})
        : server(std::move(scripts)) {
        population.settings.problem = "sum-reduction";
        population.settings.models["default"] = {"openai", server.url(), "test-model", "", 0.7, 1000};
        population.settings.policies = policies;
        for (int i = 0; i < 3; ++i) {
            Kernel kernel;
            kernel.id = i + 1;
            kernel.source = replaceAll(original, "2 *", std::to_string(i + 2) + " *");
            kernel.normalizedSha256 = sha256Hex(normalizedSource(kernel.source.orNothing()));
            kernel.state = KernelState::evaluated;
            kernel.verdict = VerdictKind::correct;
            kernel.geomeanUs = 100 - 10 * i;
            population.kernels.push_back(kernel);
        }
        experiment.id = 1;
        experiment.parent = 1;
        experiment.description = "A wider tile.";
        experiment.rubric = "Set TILE to 64";
        scientist = makeModelScientist(population.settings,
                                       {{}, [this](Exchange exchange) { exchanges.push_back(std::move(exchange)); }})
                        .value();
    }
    Briefing briefing() const {
        static const auto pack = std::make_shared<const ProblemPack>(loadProblemPack("sum-reduction").value());
        return {std::make_shared<const Population>(population), pack, {}};
    }
    Result<Draft> write() { return scientist->write(briefing(), experiment, {}); }
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class ScientistDrafts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void editsAreAppliedToTheParent();
    void repairEditsTheFailedDraft();
    void remarkOfThePersonIsInThePrompt();
    void wrongEditsGoBackWithThePlace();
    void sourceAndEditsTogetherAreRefused();
    void duplicatesWithOtherNamesFailTheExperimentOnly();
    void reportIsCheckedBySomebodyElse();
    void failingCheckerKeepsTheDraft();
    void checkerIsAskedOnlyWhenWanted();
    void rulesAskNoModel();
};

void ScientistDrafts::initTestCase() {
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
    qputenv("GKS_RESOURCES", GKS_SOURCE_DIR "/resources");
    qputenv("GKS_CONFIG", "/nonexistent");
}

void ScientistDrafts::editsAreAppliedToTheParent() {
    Bench bench({says(draftWith(edit("#define TILE 16\n", "#define TILE 64\n"))), says(verdictOn(1, "done"))});
    const auto draft = bench.write();
    QVERIFY2(draft.has_value(), draft ? "" : draft.error().message().c_str());
    QCOMPARE(draft->source, replaceAll(original, "TILE 16", "TILE 64"));
    QCOMPARE(draft->model, std::string("test-model"));
}

void ScientistDrafts::repairEditsTheFailedDraft() {
    Bench bench({says(draftWith(edit("i < n + 1", "i < n"))), says(verdictOn(1, "done"))});
    const Draft failed{replaceAll(replaceAll(original, "i < n", "i < n + 1"), "TILE 16", "TILE 64"), "t", ""};
    const auto draft =
        bench.scientist->repair(bench.briefing(), bench.experiment, failed, {VerdictKind::wrong, "r", "o"}, 1, {});
    QVERIFY2(draft.has_value(), draft ? "" : draft.error().message().c_str());
    QCOMPARE(draft->source, replaceAll(original, "TILE 16", "TILE 64"));
    // The rubric is of the experiment, so the check compares with the parent.
    QVERIFY(contains(bench.exchanges[1].prompt, "- #define TILE 16"));
}

// However many repairs there were.
void ScientistDrafts::remarkOfThePersonIsInThePrompt() {
    Bench bench({says(draftWith(edit("TILE 16", "TILE 64"))), says(verdictOn(1, "done"))});
    Kernel declined;
    declined.id = 4;
    declined.experiment = bench.experiment.id;
    declined.state = KernelState::declined;
    declined.reason = "No LDS here, please.";
    bench.population.kernels.push_back(declined);
    const auto draft = bench.scientist->repair(bench.briefing(), bench.experiment, {original, "t", ""},
                                               {std::nullopt, "Keep the loads aligned.", ""}, 7, {});
    QVERIFY2(draft.has_value(), draft ? "" : draft.error().message().c_str());
    for (const char* said : {"sent back by the person who leads this work\\\": Keep the loads aligned.",
                             "repair attempt 7, asked for by that person", "No LDS here, please."}) {
        QVERIFY2(contains(bench.exchanges[0].prompt, said), bench.exchanges[0].prompt.c_str());
    }
}

void ScientistDrafts::wrongEditsGoBackWithThePlace() {
    Bench bench({says(draftWith(edit("b[i] = 2 * a[j];", "b[i] = 0;"))),
                 says(draftWith(edit("b[i] = 2 * a[i];", "b[i] = a[i] + a[i];")))},
                {.checkReports = false});
    const auto draft = bench.write();
    QVERIFY2(draft.has_value(), draft ? "" : draft.error().message().c_str());
    QVERIFY(
        contains(bench.exchanges[0].error, "edit 1: the search text was not found; the nearest place is at line 6"));
    QVERIFY(contains(bench.exchanges[1].prompt, "the nearest place is at line 6"));
}

void ScientistDrafts::sourceAndEditsTogetherAreRefused() {
    Json both = draftWith(edit("TILE 16", "TILE 64"));
    both["source"] = original;
    Bench bench({says(both)});
    const auto draft = bench.write();
    QVERIFY(!draft && contains(draft.error().what, "send one and leave the other empty"));
    QVERIFY(draft.error().kind == ErrorKind::kernel);
}

void ScientistDrafts::duplicatesWithOtherNamesFailTheExperimentOnly() {
    Json copy = {{"title", "New"}, {"report", Json::array()}};
    copy["source"] = "// all mine\n" + replaceAll(replaceAll(original, "int i ", "int index "), "[i]", "[index]");
    copy["source"] = replaceAll(copy["source"].get<std::string>(), "(i <", "(index <");
    Bench bench({says(copy)});
    const auto draft = bench.write();
    QVERIFY(!draft);
    QVERIFY2(contains(draft.error().what, "same as kernel 00001"), draft.error().what.c_str());
    QVERIFY(draft.error().kind == ErrorKind::kernel); // the campaign goes on with the next experiment
    QCOMPARE(bench.exchanges.size(), std::size_t{3});
}

void ScientistDrafts::reportIsCheckedBySomebodyElse() {
    Json reply = draftWith(edit("#define TILE 16\n", "#define TILE 64\n"));
    reply["report"].push_back({{"item", "Add __launch_bounds__(256)"}, {"used", true}, {"note", "yes"}});
    Bench bench({says(reply), says(verdictOn(1, "not done"))});
    const auto draft = bench.write();
    QVERIFY2(draft.has_value(), draft ? "" : draft.error().message().c_str());
    QCOMPARE(draft->rubric.size(), std::size_t{2});
    QVERIFY(draft->rubric[0].confirmed == false && draft->rubric[0].evidence == "TILE is 64 now.");
    QVERIFY(draft->rubric[1].confirmed == false && contains(draft->rubric[1].evidence, "or elsewhere in the source"));
    QVERIFY(contains(draft->report, "[doubted: TILE is 64 now.]"));
    const Exchange& check = bench.exchanges.back();
    QCOMPARE(check.stage, std::string("checker"));
    QVERIFY(contains(check.prompt, "2. Add __launch_bounds__(256) -- claimed: done; yes"));
    QVERIFY(contains(check.prompt, "+ #define TILE 64"));
    QVERIFY(!contains(check.prompt, "hipError_t solve")); // the change alone
}

void ScientistDrafts::failingCheckerKeepsTheDraft() {
    const auto change = says(draftWith(edit("#define TILE 16\n", "#define TILE 64\n")));
    for (const auto& answer :
         {ScriptedServer::answer(401, "{}"), says({{"items", "no"}}), says(verdictOn(99, "done"))}) {
        Bench bench({change, answer});
        const auto draft = bench.write();
        QVERIFY2(draft.has_value(), draft ? "" : draft.error().message().c_str());
        QVERIFY(!draft->rubric.front().confirmed);
        QVERIFY(!bench.exchanges.back().error.empty());
    }
}

void ScientistDrafts::checkerIsAskedOnlyWhenWanted() {
    Bench bench({says(draftWith(edit("#define TILE 16\n", "#define TILE 64\n")))}, {.checkReports = false});
    QVERIFY(bench.write());
    QCOMPARE(bench.exchanges.size(), std::size_t{1});
}

void ScientistDrafts::rulesAskNoModel() {
    Bench bench({says({})}, {.selector = SelectorPolicy::best});
    const auto best = bench.scientist->select(bench.briefing(), {});
    QCOMPARE(best->basis, KernelId{3});
    QCOMPARE(best->reference.value_or(0), KernelId{2});
    bench.population.settings.policies.selector = SelectorPolicy::leastExplored;
    bench.population.experiments.push_back(bench.experiment);
    bench.population.experiments.editBack().parent = 3;
    bench.population.experiments.editBack().state = ExperimentState::failed;
    QCOMPARE(bench.scientist->select(bench.briefing(), {})->basis, KernelId{2});
    bench.population.settings.pinnedParent = 1; // a person's pin wins
    QCOMPARE(bench.scientist->select(bench.briefing(), {})->basis, KernelId{1});
    QVERIFY(bench.exchanges.empty() && bench.server.requests().empty());
}

QTEST_APPLESS_MAIN(ScientistDrafts)
#include "scientist_drafts.moc"
