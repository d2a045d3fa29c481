// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "core/engine/run_link.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>
#include <future>

using namespace gks;
using namespace gks::test;

namespace {

AgentKernel agentKernel(std::string source, KernelId basis = 1) {
    return {"claude-code", basis, "wider loads", std::move(source)};
}

Result<KernelId> proposeTo(EngineRun& run, AgentKernel kernel) {
    std::promise<Result<KernelId>> answer;
    auto came = answer.get_future();
    run.engine->propose(std::move(kernel), [&](const Result<KernelId>& said) { answer.set_value(said); });
    return came.get();
}

void openAsAServer(EngineRun& run) {
    run.close();
    run.world.measuresWhenAsked = true;
    run.open();
}

std::string whatOf(const Result<KernelId>& refused) {
    return refused ? "" : refused.error().what;
}

} // namespace

// Kernels that agents propose: in line like a model's draft, under every budget and rule.
class EngineAgents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void entersUnderItsNameAndIsEvaluated();
    void waitsInARun();
    void aBudgetThatIsSpentRefusesIt();
    void noBudgetIsPassedOverForIt();
    void thePersonReadsItFirst();
    void onlySoManyAreInLine();
    void nonsenseIsRefused();
    void aReaderRefuses();
    void reachesWhoHasTheCampaignOpen();
};

void EngineAgents::entersUnderItsNameAndIsEvaluated() {
    EngineRun run;
    openAsAServer(run);
    const auto id = proposeTo(run, agentKernel("us 70"));
    QVERIFY2(id.has_value(), whatOf(id).c_str());
    QVERIFY(run.quiet());
    const Kernel& kernel = run.kernel(*id);
    QVERIFY(kernel.author == Author::model && kernel.writer == "agent:claude-code" && isOfAgent(kernel));
    QVERIFY(!kernel.experiment && kernel.parents == std::vector<KernelId>{1});
    QCOMPARE(run.order(), std::string("00001 00003")); // what it is compared with, then it, and nothing else
    QVERIFY(kernel.verdict == VerdictKind::faster);
    QVERIFY(run.engine->state() == EngineState::idle);
    const auto history = run.engine->steering().value();
    const auto line = std::ranges::find(history, std::string("add kernel"), &Steering::action);
    QVERIFY(line != history.end() && line->who == Author::model);
    QCOMPARE(line->detail, std::string("00003 from 00001, by agent:claude-code"));
}

// Where the campaign is only run when somebody says so, it waits for that.
void EngineAgents::waitsInARun() {
    EngineRun run;
    const auto id = proposeTo(run, agentKernel("us 70"));
    QVERIFY(id && run.quiet());
    QVERIFY(run.kernel(*id).state == KernelState::waiting);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(*id).verdict == VerdictKind::faster);
    QCOMPARE(run.population()->best.value_or(0), *id);
}

void EngineAgents::aBudgetThatIsSpentRefusesIt() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.budgets.evaluations = 2; });
    openAsAServer(run);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto refused = proposeTo(run, agentKernel("us 70"));
    QCOMPARE(whatOf(refused), std::string("evaluation budget reached (2)"));
    QVERIFY(!refused.error().next.empty());
    QCOMPARE(run.population()->kernels.size(), std::size_t{2});
}

// The only evaluation goes to the baseline, which it is compared with.
void EngineAgents::noBudgetIsPassedOverForIt() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.budgets.evaluations = 1; });
    openAsAServer(run);
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    const auto first = proposeTo(run, agentKernel("us 70"));
    QVERIFY2(first.has_value(), whatOf(first).c_str());
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    QCOMPARE(whatOf(proposeTo(run, agentKernel("us 60"))),
             std::string("the kernels in line use up the budget of evaluations"));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QCOMPARE(run.order(), std::string("00001"));
    QVERIFY(run.kernel(3).state == KernelState::waiting && run.engine->state() == EngineState::idle);
    run.engine->send(command::AddKernel{1, "mine", "us 85"}); // it does not hold up a person's
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(4).verdict.has_value() && run.kernel(3).state == KernelState::waiting);
    run.engine->send(command::SetBudgets{Budgets{.evaluations = 9}});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
}

void EngineAgents::thePersonReadsItFirst() {
    EngineRun run(ScientistKind::model, 1, [](CampaignSettings& settings) { settings.policies.checkCode = true; });
    openAsAServer(run);
    const KernelId read = proposeTo(run, agentKernel("us 70")).value();
    const KernelId declined = proposeTo(run, agentKernel("us 75")).value();
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(read).state == KernelState::proposed);
    QCOMPARE(draftsToReview(*run.population()).size(), std::size_t{2});
    QCOMPARE(run.order(), std::string());
    run.engine->send(command::SendBackCode{declined, "mind the banks"});
    run.engine->send(command::ApproveCode{read});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(declined).state == KernelState::declined);
    QCOMPARE(run.kernel(declined).reason, std::string("mind the banks"));
    QVERIFY(run.kernel(read).state == KernelState::waiting);
    QCOMPARE(agentKernelsInLine(*run.population()), std::int64_t{1});
}

void EngineAgents::onlySoManyAreInLine() {
    EngineRun run;
    for (int i = 0; i < limits::agentKernels; ++i) {
        QVERIFY(proposeTo(run, agentKernel("us " + std::to_string(50 + i))));
    }
    QCOMPARE(whatOf(proposeTo(run, agentKernel("us 20"))), std::string("8 kernels of agents are in line already"));
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(proposeTo(run, agentKernel("us 20")));
}

void EngineAgents::nonsenseIsRefused() {
    EngineRun run;
    AgentKernel kernel = agentKernel("us 70");
    for (const char* name : {"", "Claude", "../x", "a b", "abcdefghijklmnopqrstuvwxyzabcdefghi"}) {
        kernel.agent = name;
        QCOMPARE(whatOf(proposeTo(run, kernel)), std::string("this is no name of an agent"));
    }
    QVERIFY(!proposeTo(run, agentKernel("us 70", 99)));
    QCOMPARE(whatOf(proposeTo(run, agentKernel(" \n"))), std::string("the source is empty"));
    kernel = agentKernel("us 70");
    kernel.title = "  ";
    QCOMPARE(whatOf(proposeTo(run, kernel)), std::string("the title is empty"));
    QVERIFY(proposeTo(run, agentKernel("us 70")));
    QVERIFY(whatOf(proposeTo(run, agentKernel("us 70 // again"))).starts_with("same as kernel 00003"));
    run.engine->send(command::SetBanned{2});
    QVERIFY(run.quiet());
    QVERIFY(whatOf(proposeTo(run, agentKernel("us 60", 2))).starts_with("kernel 00002 cannot be built on"));
    QCOMPARE(run.population()->kernels.size(), std::size_t{3});
}

void EngineAgents::aReaderRefuses() {
    EngineRun run;
    EngineOptions options;
    options.access = CampaignStore::Access::read;
    options.sink = [](const EngineEvent&) {};
    const auto reader = Engine::open(run.engine->file(), std::move(options)).value();
    std::promise<Result<KernelId>> answer;
    reader->propose(agentKernel("us 70"), [&](const Result<KernelId>& said) { answer.set_value(said); });
    QCOMPARE(whatOf(answer.get_future().get()), std::string("the campaign is read-only"));
}

// Another program of the same user: it says what the engine says.
void EngineAgents::reachesWhoHasTheCampaignOpen() {
    EngineRun run;
    openAsAServer(run);
    const auto patience = std::chrono::seconds(20);
    const auto link = RunLink::to(run.engine->file(), {}, patience, {}).value();
    const auto id = link->ask(agentKernel("us 70 // \xe2\x82\xac"), patience, {});
    QVERIFY2(id.has_value(), whatOf(id).c_str());
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(*id).verdict == VerdictKind::faster && isOfAgent(run.kernel(*id)));
    QCOMPARE(run.engine->source(*id).value(), std::string("us 70 // \xe2\x82\xac"));
    const auto refused = link->ask(agentKernel("us 60", 99), patience, {});
    QVERIFY(!refused && refused.error().what.find("99") != std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(link->ask(agentKernel("us 50"), patience, stop.get_token()).error().kind == ErrorKind::cancelled);
}

QTEST_APPLESS_MAIN(EngineAgents)
#include "engine_agents.moc"
