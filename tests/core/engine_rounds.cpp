// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/briefing_text.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

namespace {

Experiment takingUp(Experiment experiment, AvenueId avenue) {
    experiment.avenue = avenue;
    return experiment;
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

// What the loop keeps of a round, and what becomes of its avenues and of experiments with two parents.
class EngineRounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thoughtsOfARoundAreStored();
    void unusedAvenuesAreOfferedAgain();
    void anAvenueThatIsAskedForIsTakenUpOnce();
    void twoParents_data();
    void twoParents();
};

void EngineRounds::thoughtsOfARoundAreStored() {
    EngineRun run;
    run.world.avenues = {"use LDS", "split K"};
    run.world.rounds = {{takingUp(proposal(0, "a"), 1)}, {takingUp(proposal(0, "b"), 4)}};
    run.world.drafts = {{"a", {"us 80"}}, {"b", {"us 70"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.close();
    run.open();
    const auto population = run.population();
    QCOMPARE(population->rounds.size(), 2u);
    const Round& first = population->rounds.front();
    QCOMPARE(first.rationale, std::string("the fastest"));
    QCOMPARE(first.parent, population->experiment(1)->parent);
    QVERIFY(first.diagnosis == (std::vector<ShapeLimit>{{"all", "memory", "71 % of the bytes/s", 1.4}}));
    QCOMPARE(population->avenues.size(), 4u);
    QCOMPARE(population->avenue(4)->round, population->experiment(2)->round);
    QCOMPARE(population->takenUpBy(1)->id, ExperimentId{1});
    QCOMPARE(population->takenUpBy(4)->id, ExperimentId{2});
    QVERIFY(population->takenUpBy(2) == nullptr);
}

void EngineRounds::unusedAvenuesAreOfferedAgain() {
    EngineRun run;
    run.world.avenues = {"use LDS", "split K"};
    run.world.rounds = {{takingUp(proposal(0, "a"), 1)}};
    run.world.drafts = {{"a", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(avenuesText(*run.population()), std::string("- A2 (round 1): split K"));
}

void EngineRounds::anAvenueThatIsAskedForIsTakenUpOnce() {
    EngineRun run;
    run.world.avenues = {"use LDS", "split K"};
    run.world.rounds = {{takingUp(proposal(0, "a"), 1)}};
    run.world.drafts = {{"a", {"us 80"}}, {"b", {"us 70"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::AskForAvenue{2});
    run.engine->send(command::AskForAvenue{1}); // taken up
    QVERIFY(run.quiet());
    QVERIFY(run.didSteer("ask for avenue"));
    QVERIFY(contains(run.warnings().back(), "experiment 1 has taken up avenue 1"));
    QVERIFY(contains(avenuesText(*run.population()),
                     "- A2 (round 1): split K [asked for by the person: at least one experiment takes this up]"));
    run.world.set([](FakeWorld& world) { world.rounds = {{takingUp(proposal(0, "b"), 2)}}; });
    run.engine->send(command::Start{}); // "nothing left to try" is over
    QVERIFY(run.quiet());
    QVERIFY(!contains(avenuesText(*run.population()), "A2"));
}

void EngineRounds::twoParents_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("parents");
    QTest::newRow("change") << static_cast<int>(ExperimentKind::change) << 1;
    QTest::newRow("rewrite") << static_cast<int>(ExperimentKind::rewrite) << 1;
    QTest::newRow("merge") << static_cast<int>(ExperimentKind::merge) << 2;
    QTest::newRow("dispatch") << static_cast<int>(ExperimentKind::dispatch) << 2;
}

// The first of them stays what the kernel is compared with.
void EngineRounds::twoParents() {
    QFETCH(int, kind);
    QFETCH(int, parents);
    EngineRun run;
    Experiment experiment = proposal(2, "join");
    experiment.reference = 1;
    experiment.kind = static_cast<ExperimentKind>(kind);
    run.world.rounds = {{experiment}};
    run.world.drafts = {{"join", {"us 80"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const Kernel& kernel = run.kernel(3);
    std::vector<KernelId> expected = {2, 1};
    expected.resize(static_cast<std::size_t>(parents));
    QCOMPARE(kernel.parents, expected);
    QVERIFY(kernel.reference == KernelId{1} && kernel.versusParent);
    const auto evaluations = run.engine->evaluations(3).value();
    QVERIFY(evaluations.front().baseline == KernelId{2});
    QCOMPARE(run.population()->ancestry(3), (std::vector<KernelId>{2, 3}));
}

QTEST_APPLESS_MAIN(EngineRounds)
#include "engine_rounds.moc"
