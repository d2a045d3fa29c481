// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/campaign_samples.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

namespace {

// An experiment on the first seed with drafts that wait.
struct Drafted {
    Campaign campaign;
    ExperimentId experiment = 0;

    explicit Drafted(const std::vector<std::string>& sources) {
        experiment = campaign.store->addExperiments({sampleExperiment(1, "x")}).value()[0];
        for (const std::string& source : sources) {
            Kernel draft = sampleKernel(1, source);
            draft.experiment = experiment;
            static_cast<void>(campaign.store->addKernel(draft));
        }
    }
    Experiment now() const { return *campaign.store->population().value()->experiment(experiment); }
    bool judge(const Evaluation& evaluation, std::optional<ExperimentState> itsExperiment = {}) const {
        return campaign.store->addEvaluation(evaluation, itsExperiment).has_value();
    }
};

Evaluation failedOf(KernelId kernel, std::string_view purpose = "new kernel") {
    Evaluation evaluation;
    evaluation.kernel = kernel;
    evaluation.purpose = purpose;
    evaluation.verdict = failedVerdict(VerdictKind::buildFailed, "expected ;");
    evaluation.verdict.verifySeconds = 2;
    return evaluation;
}

} // namespace

// Several drafts of one experiment, and what no lane had a part in, in the file.
class CampaignDrafts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBestDraftIsTheExperiments();
    void aDraftThatIsSentBackStaysItsKernel();
    void aRejectedDraftLeavesItToTheOthers();
    void screeningIsNoEvaluationOfTheBudget();
    void screeningIsTakenBack();
};

void CampaignDrafts::theBestDraftIsTheExperiments() {
    Drafted drafted({"int a;", "int b;", "int c;"});
    QVERIFY(drafted.now().kernel == KernelId{5});
    QVERIFY(drafted.judge(sampleEvaluation(3, 50, 1), ExperimentState::evaluating));
    QVERIFY(drafted.now().state == ExperimentState::evaluating && drafted.now().kernel == KernelId{3});
    QVERIFY(drafted.judge(sampleEvaluation(4, 80, 1), ExperimentState::evaluating));
    QVERIFY(drafted.now().kernel == KernelId{3});
    QVERIFY(drafted.judge(failedOf(5), ExperimentState::done));
    QVERIFY(drafted.now().state == ExperimentState::done && drafted.now().failure.empty());
    QVERIFY(drafted.now().kernel == KernelId{3});
    QCOMPARE(drafted.now().measuredGain.value(), 2.0);
}

void CampaignDrafts::aDraftThatIsSentBackStaysItsKernel() {
    Drafted drafted({"int a;", "int b;"});
    const Steering why = {0, Author::person, "send code back", "", 0};
    QVERIFY(drafted.campaign.store->decideDraft(3, CampaignStore::DraftDecision::sendBack, "shorter",
                                                ExperimentState::approved, why));
    QVERIFY(drafted.now().kernel == KernelId{3});
    QVERIFY(drafted.judge(sampleEvaluation(4, 50, 1), ExperimentState::approved));
    QVERIFY(drafted.now().kernel == KernelId{3} && drafted.now().state == ExperimentState::approved);
    Kernel other = sampleKernel(1, "int c;");
    other.experiment = drafted.experiment;
    QVERIFY(drafted.campaign.store->addKernel(other, ExperimentState::approved, false));
    QVERIFY(drafted.now().kernel == KernelId{3});
    other.source = "int d;";
    QVERIFY(drafted.campaign.store->addKernel(other));
    QVERIFY(drafted.now().kernel == KernelId{6} && drafted.now().state == ExperimentState::evaluating);
}

void CampaignDrafts::aRejectedDraftLeavesItToTheOthers() {
    Drafted drafted({"int a;", "int b;"});
    const Steering why = {0, Author::person, "reject code", "", 0};
    const auto reject = [&](KernelId draft, ExperimentState state) {
        return drafted.campaign.store->decideDraft(draft, CampaignStore::DraftDecision::reject, "no", state, why)
            .has_value();
    };
    QVERIFY(reject(4, ExperimentState::evaluating));
    QVERIFY(drafted.now().kernel == KernelId{3} && drafted.now().failure.empty());
    QVERIFY(reject(3, ExperimentState::rejected));
    QVERIFY(drafted.now().state == ExperimentState::rejected && drafted.now().failure == "no");
    QVERIFY(drafted.campaign.store->decideDraft(4, CampaignStore::DraftDecision::approve, "",
                                                ExperimentState::evaluating, why));
    QVERIFY(drafted.now().state == ExperimentState::evaluating && drafted.now().kernel == KernelId{4});
}

void CampaignDrafts::screeningIsNoEvaluationOfTheBudget() {
    Drafted drafted({"int a;"});
    QVERIFY(drafted.campaign.store->setKernelState(3, KernelState::screening));
    QVERIFY(drafted.judge(failedOf(3, screeningPurpose), ExperimentState::approved));
    const auto population = drafted.campaign.store->population().value();
    QCOMPARE(population->spend.evaluations, 0);
    QCOMPARE(population->spend.gpuSeconds, 0.0);
    QVERIFY(population->kernel(3)->state == KernelState::evaluated);
    QVERIFY(population->kernel(3)->verdict == VerdictKind::buildFailed);
    QVERIFY(drafted.now().state == ExperimentState::approved);
    QCOMPARE(drafted.now().failure, std::string("build-failed: expected ;"));
    QVERIFY(drafted.judge(failedOf(1)));
    QCOMPARE(drafted.campaign.store->population().value()->spend.evaluations, 1);
}

void CampaignDrafts::screeningIsTakenBack() {
    Drafted drafted({"int a;"});
    QVERIFY(drafted.campaign.store->setKernelState(3, KernelState::screening));
    drafted.campaign.reopen();
    QVERIFY(drafted.campaign.store->population().value()->kernel(3)->state == KernelState::screening);
    QCOMPARE(drafted.campaign.store->recover().value(), 1);
    QVERIFY(drafted.campaign.store->population().value()->kernel(3)->state == KernelState::waiting);
}

QTEST_APPLESS_MAIN(CampaignDrafts)
#include "campaign_drafts.moc"
