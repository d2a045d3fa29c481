// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/model_stages.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace gks;
using namespace gks::test;

namespace {

// A campaign of a model with further writers, whose seeds are measured.
struct WritersRun {
    EngineRun run;

    static ModelChoice official(const std::string& model) { // whom nobody is asked to trust
        return {"openai", "https://api.openai.com/v1", model, "OPENAI_API_KEY"};
    }
    explicit WritersRun(const std::vector<std::string>& further)
        : run(ScientistKind::model, 1, [&](CampaignSettings& settings) {
            settings.models["default"] = official("own-model");
            for (const std::string& writer : further) {
                settings.models[writerSlot(writer)] = official(writer);
            }
        }) {
        run.engine->send(command::Start{});
        run.engine->waitUntilQuiet(20);
    }
    void add(const std::string& description, const std::string& writer, std::deque<std::string> drafts) {
        run.world.set([&](FakeWorld& world) { world.drafts[description] = std::move(drafts); });
        run.engine->send(command::AddExperiment{.parent = 1, .description = description, .writer = writer});
        run.engine->waitUntilQuiet(20);
    }
    bool start() {
        run.world.set([](FakeWorld& world) { world.asked.clear(); });
        run.engine->send(command::Start{});
        return run.quiet();
    }
    bool wasAsked(const std::string& question) {
        const std::lock_guard lock(run.world.mutex);
        return std::count(run.world.asked.begin(), run.world.asked.end(), question) == 1;
    }
    const Experiment& experiment(ExperimentId id) const { return *run.population()->experiment(id); }
};

} // namespace

// Who is asked for a draft, and what is kept of it.
class EngineWriters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNamedWriterIsAsked();
    void callsSideBySideSpreadOverTheWriters();
    void aRepairIsTheWritersOwn();
    void aDraftThatCameToNothingIsItsWriters();
    void whoIsGoneIsAskedNoMore();
    void namingAWriterIsNoEdit();
};

void EngineWriters::theNamedWriterIsAsked() {
    WritersRun writers({"deep", "wide"});
    writers.add("a", "wide", {"us 90"});
    writers.add("b", "wide", {"us 80"});
    writers.run.engine->send(command::EditExperiment{.experiment = 2, .writer = std::string(ownWriter)});
    QVERIFY(writers.start());
    QVERIFY(writers.wasAsked("write a by wide") && writers.wasAsked("write b"));
    const Kernel& kernel = writers.run.kernel(*writers.experiment(1).kernel);
    QCOMPARE(kernel.writer, std::string("wide"));
    QCOMPARE(kernel.draftUsd, 0.01);
    QVERIFY(kernel.draftSeconds > 0);
    QCOMPARE(writers.run.kernel(*writers.experiment(2).kernel).writer, std::string());
    QCOMPARE(writers.experiment(1).writer, std::string("wide"));
    QCOMPARE(writers.experiment(2).writer, std::string("own"));
    writers.run.close();
    writers.run.open();
    QCOMPARE(writers.run.kernel(kernel.id).draftUsd, 0.01);
}

void EngineWriters::callsSideBySideSpreadOverTheWriters() {
    WritersRun writers({"deep", "wide"});
    for (const char* description : {"a", "b", "c"}) {
        writers.add(description, "", {std::string("us ") + std::to_string(90 + description[0] - 'a')});
    }
    writers.run.world.set([](FakeWorld& world) { world.holdScientist = true; });
    writers.run.world.set([](FakeWorld& world) { world.asked.clear(); });
    writers.run.engine->send(command::Start{});
    QVERIFY(writers.run.world.waitFor([](const FakeWorld& world) { return world.answering == 3; }));
    writers.run.world.set([](FakeWorld& world) { world.holdScientist = false; });
    QVERIFY(writers.run.quiet());
    QVERIFY(writers.wasAsked("write a") && writers.wasAsked("write b by deep") && writers.wasAsked("write c by wide"));
    for (const ExperimentId id : {1, 2, 3}) {
        QVERIFY(writers.experiment(id).writer.empty()); // a wish is the person's alone
    }
}

void EngineWriters::aRepairIsTheWritersOwn() {
    WritersRun writers({"deep"});
    writers.add("a", "", {"wrong 1", "us 90"});
    writers.add("b", "", {"wrong 2", "us 80"});
    QVERIFY(writers.start());
    QVERIFY(writers.wasAsked("write a") && writers.wasAsked("repair a 1 wrong"));
    QVERIFY(writers.wasAsked("write b by deep") && writers.wasAsked("repair b 1 wrong by deep"));
    QCOMPARE(writers.run.kernel(*writers.experiment(2).kernel).writer, std::string("deep"));
}

void EngineWriters::aDraftThatCameToNothingIsItsWriters() {
    WritersRun writers({"deep"});
    writers.add("a", "", {"us 90"});
    writers.add("b", "", {});
    QVERIFY(writers.start());
    QCOMPARE(writers.experiment(2).state, ExperimentState::failed);
    QCOMPARE(writers.experiment(2).writer, std::string("deep"));
}

void EngineWriters::whoIsGoneIsAskedNoMore() {
    WritersRun writers({"deep"});
    writers.add("a", "deep", {"us 90"});
    auto models = writers.run.population()->settings.models;
    models.erase("writer/deep");
    writers.run.engine->send(command::SetScientist{ScientistKind::model, models});
    QVERIFY(writers.start());
    QVERIFY(writers.wasAsked("write a"));
    QCOMPARE(writers.experiment(1).writer, std::string()); // the record names nobody who did not write
}

void EngineWriters::namingAWriterIsNoEdit() {
    WritersRun writers({"deep"});
    writers.add("a", "", {"us 90"});
    writers.run.engine->send(command::EditExperiment{.experiment = 1, .writer = "nobody"});
    QVERIFY(writers.run.quiet());
    QVERIFY(writers.run.warnings().back().find("there is no writer") != std::string::npos);
    writers.run.engine->send(command::EditExperiment{.experiment = 1, .writer = "deep"});
    QVERIFY(writers.run.quiet());
    QVERIFY(writers.experiment(1).writer == "deep" && !writers.experiment(1).editedByPerson);
    writers.run.engine->send(command::EditExperiment{.experiment = 1, .innovation = 7});
    QVERIFY(writers.run.quiet());
    QVERIFY(writers.experiment(1).editedByPerson);
    QCOMPARE(writers.experiment(1).writer, std::string("deep"));
}

QTEST_APPLESS_MAIN(EngineWriters)
#include "engine_writers.moc"
