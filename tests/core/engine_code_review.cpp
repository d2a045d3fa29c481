// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "core/campaign/undo.h"
#include "tests/support/engine_fakes.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

namespace {

void checkCode(CampaignSettings& settings) {
    settings.policies.checkCode = true;
}

// One round of two experiments, "a" on the first kernel and "b"; every draft waits for the person.
struct Review {
    EngineRun run{ScientistKind::model, 1, checkCode, 1}; // one call at a time: kernel 3 is of a, 4 of b

    explicit Review(const std::deque<std::string>& draftsOfA = {"us 80", "us 60"}) {
        run.world.rounds = {{proposal(1, "a"), proposal(1, "b")}};
        run.world.drafts = {{"a", draftsOfA}, {"b", {"us 70"}}};
        run.engine->send(command::Start{});
    }
    const Experiment& experiment(ExperimentId id) const { return *run.population()->experiment(id); }
    bool asked(const std::string& question) {
        const std::lock_guard lock(run.world.mutex);
        return std::find(run.world.asked.begin(), run.world.asked.end(), question) != run.world.asked.end();
    }
    std::string line(std::string_view action) const {
        const auto all = run.engine->steering().value();
        for (const Steering& steering : all) {
            if (steering.action == action) {
                return steering.detail;
            }
        }
        return {};
    }
};

} // namespace

// A person approves, rejects, edits or sends back the code of a draft before it is evaluated.
class EngineCodeReview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void draftsWaitAndTheRestGoesOn();
    void approvedIsEvaluated();
    void rejectedEndsItsExperiment();
    void aRejectionIsTakenBack();
    void remarkReachesTheWriter();
    void sentBackIsNoRepairAttempt();
    void repairsWaitToo();
    void editTakesThePlaceOfTheDraft();
    void declinedIsApprovedAfterAll();
    void stateIsInTheFile();
    void whatIsInLineMayBeTakenOut();
    void nobodyIsAskedAnyMore();
    void onlyAModelsDraftsWait();
};

void EngineCodeReview::draftsWaitAndTheRestGoesOn() {
    Review review;
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.engine->state() == EngineState::paused);
    QCOMPARE(review.run.lastReason(), std::string("2 drafts need approval"));
    QCOMPARE(review.run.order(), std::string("00001 00002")); // the seeds, and no draft
    QCOMPARE(draftsToReview(*review.run.population()).size(), 2u);
    QVERIFY(review.experiment(1).state == ExperimentState::evaluating);
}

void EngineCodeReview::approvedIsEvaluated() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::ApproveCode{4});
    QVERIFY(review.run.quiet()); // goes on by itself and waits again
    QVERIFY(review.run.kernel(4).verdict && review.run.kernel(3).state == KernelState::proposed);
    QVERIFY(review.experiment(2).state == ExperimentState::done);
    QCOMPARE(review.run.lastReason(), std::string("1 draft needs approval"));
    QCOMPARE(review.line("approve code").substr(0, 5), std::string("00004"));
    review.run.engine->send(command::ApproveCode{4});
    QVERIFY(review.run.quiet());
    QCOMPARE(review.run.warnings().back(),
             std::string("the code of kernel 00004 does not wait for you: it is evaluated"));
}

void EngineCodeReview::rejectedEndsItsExperiment() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::RejectCode{3, "reads out of bounds"});
    review.run.engine->send(command::RejectCode{4});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).state == KernelState::declined && !review.run.kernel(3).verdict);
    QCOMPARE(review.run.kernel(3).reason, std::string("reads out of bounds"));
    QVERIFY(review.experiment(1).state == ExperimentState::rejected);
    QCOMPARE(review.experiment(1).failure, std::string("reads out of bounds"));
    QCOMPARE(review.run.order(), std::string("00001 00002"));
    QCOMPARE(review.run.lastReason(), std::string("nothing left to try"));
    const std::string line = review.line("reject code");
    QVERIFY2(line == "00003 a: reads out of bounds", line.c_str());
}

// The draft waits again, under the experiment that it had.
void EngineCodeReview::aRejectionIsTakenBack() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::RejectCode{3, "reads out of bounds"});
    QVERIFY(review.run.quiet());
    QVERIFY(review.experiment(1).state == ExperimentState::rejected);
    const auto history = review.run.engine->steering();
    QVERIFY(history.has_value());
    const auto undo = undoCommand(*history, *review.run.population(), 0);
    QVERIFY2(undo.has_value(), undo ? "" : undo.error().message().c_str());
    review.run.engine->send(*undo);
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).state == KernelState::proposed);
    QCOMPARE(review.run.kernel(3).reason, std::string());
    QVERIFY(review.experiment(1).state == ExperimentState::evaluating);
    QVERIFY(review.experiment(1).kernel == KernelId{3} && review.experiment(1).failure.empty());
    QCOMPARE(draftsToReview(*review.run.population()).size(), 2u);
    review.run.engine->send(command::ApproveCode{3});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).verdict.has_value());
}

void EngineCodeReview::remarkReachesTheWriter() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::SendBackCode{3, "use LDS"});
    QVERIFY(review.run.quiet());
    QVERIFY(review.asked("repair a 1 use LDS"));
    const Kernel& second = review.run.kernel(5);
    QVERIFY(second.state == KernelState::proposed && second.source == "us 60");
    QVERIFY(second.experiment == ExperimentId{1} && review.experiment(1).kernel == KernelId{5});
    QVERIFY(review.run.kernel(3).state == KernelState::declined);
    QVERIFY(review.run.didSteer("send code back"));
}

void EngineCodeReview::sentBackIsNoRepairAttempt() {
    EngineRun run(ScientistKind::model, 1, [](CampaignSettings& settings) {
        settings.policies.checkCode = true;
        settings.repairAttempts = 1;
    });
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 80", "wrong", "us 50"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::SendBackCode{3, "use LDS"});
    QVERIFY(run.quiet());
    run.engine->send(command::ApproveCode{4}); // fails, and has its repair
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(5).state == KernelState::proposed);
    const std::lock_guard lock(run.world.mutex);
    QCOMPARE(std::count(run.world.asked.begin(), run.world.asked.end(), "repair a 1 wrong"), 1);
}

void EngineCodeReview::repairsWaitToo() {
    Review review({"build-failed", "us 60"});
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::ApproveCode{3});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).verdict == VerdictKind::buildFailed);
    QVERIFY(review.run.kernel(*review.experiment(1).kernel).state == KernelState::proposed);
}

void EngineCodeReview::editTakesThePlaceOfTheDraft() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::EditCode{3, "us 20"});
    QVERIFY(review.run.quiet());
    const Kernel& mine = review.run.kernel(5);
    QVERIFY(mine.author == Author::person && mine.verdict == VerdictKind::faster && mine.source == "us 20");
    QVERIFY(mine.parents == review.run.kernel(3).parents && mine.experiment == ExperimentId{1});
    QVERIFY(review.experiment(1).kernel == KernelId{5} && review.experiment(1).state == ExperimentState::done);
    QVERIFY(review.run.kernel(3).source == "us 80" && review.run.kernel(3).state == KernelState::declined);
    const std::string line = review.line("edit code");
    QVERIFY2(line == "00005 in the place of 00003 a", line.c_str());
}

void EngineCodeReview::declinedIsApprovedAfterAll() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::RejectCode{3, "no"});
    review.run.engine->send(command::ApproveCode{3});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).verdict == VerdictKind::faster);
    QVERIFY(review.experiment(1).state == ExperimentState::done && review.experiment(1).failure.empty());
}

void EngineCodeReview::stateIsInTheFile() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.close();
    review.run.open();
    QCOMPARE(draftsToReview(*review.run.population()).size(), 2u);
    review.run.engine->send(command::SendBackCode{3, "use LDS"});
    QVERIFY(review.run.quiet()); // nothing runs: it is written when the campaign goes on
    QVERIFY(review.experiment(1).state == ExperimentState::approved);
    review.run.close();
    review.run.open();
    review.run.engine->send(command::Start{});
    QVERIFY(review.run.quiet());
    QVERIFY(review.asked("repair a 1 use LDS"));
    QCOMPARE(review.run.lastReason(), std::string("2 drafts need approval"));
}

// Approved too early, or written before anybody asked for a look: nothing that was not judged is out of reach.
void EngineCodeReview::whatIsInLineMayBeTakenOut() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.close();
    review.run.open(); // nothing runs
    review.run.engine->send(command::ApproveCode{3});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).state == KernelState::waiting);
    review.run.engine->send(command::RejectCode{3, "too early"});
    review.run.engine->send(command::SetPolicies{});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).state == KernelState::declined);
    QVERIFY(review.run.kernel(4).state == KernelState::waiting);
    QVERIFY(review.line("set policies").find(", 1 draft in line without approval, ") != std::string::npos);
    Policies asked;
    asked.checkCode = true;
    review.run.engine->send(command::SetPolicies{asked});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(4).state == KernelState::proposed);
    QVERIFY(review.run.kernel(2).verdict && review.run.kernel(2).state == KernelState::evaluated);
}

void EngineCodeReview::nobodyIsAskedAnyMore() {
    Review review;
    QVERIFY(review.run.quiet());
    review.run.engine->send(command::SetPolicies{});
    QVERIFY(review.run.quiet());
    QVERIFY(review.run.kernel(3).verdict && review.run.kernel(4).verdict);
    QCOMPARE(review.run.lastReason(), std::string("nothing left to try"));
}

void EngineCodeReview::onlyAModelsDraftsWait() {
    EngineRun tuner(ScientistKind::tuner, 1, checkCode);
    tuner.world.rounds = {{proposal(1, "a")}};
    tuner.world.drafts = {{"a", {"us 80"}}};
    tuner.engine->send(command::AddKernel{1, "mine", "us 75"});
    tuner.engine->send(command::Start{});
    QVERIFY(tuner.quiet());
    QVERIFY(tuner.kernel(3).verdict && tuner.kernel(4).verdict);
    QCOMPARE(tuner.lastReason(), std::string("nothing left to try"));
}

QTEST_APPLESS_MAIN(EngineCodeReview)
#include "engine_code_review.moc"
