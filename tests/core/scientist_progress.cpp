// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "core/campaign/summary.h"
#include "tests/benchmarks/campaign_progress.h"
#include "tests/benchmarks/recorded_campaign.h"
#include "tests/support/campaign_samples.h"

#include <QTest>

using namespace gks;
using namespace gks::progress;
using namespace gks::test;

namespace {

Verdict judged(RecordedJudge& judge, const std::string& source, std::optional<std::string> baseline = {}) {
    EvaluationRequest request;
    request.source = source;
    request.baseline = std::move(baseline);
    return judge.verdictOf(request);
}

} // namespace

// What the comparison of scientists counts, and how it judges from a record.
class ScientistProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void experimentsInTheOrderOfVerdicts();
    void atEqualBudget();
    void recordedVerdicts();

private:
    void add(KernelId parent, const char* source, double us, std::optional<ExperimentId> experiment, Timestamp endedAt,
             bool fails = false);
    std::optional<Campaign> m_campaign;
};

void ScientistProgress::init() {
    m_campaign.emplace();
    QVERIFY(m_campaign->store->addEvaluation(sampleEvaluation(1, 100)));
    for (const char* description : {"a", "b", "c"}) {
        Experiment experiment = sampleExperiment(1, description);
        experiment.state = ExperimentState::approved;
        QVERIFY(m_campaign->store->addExperiments({experiment}));
    }
    add(1, "int wrong;", 0, 2, 3'601'000, true); // the second is the first to be judged, and fails
    add(1, "int a;", 50, 1, 7'201'000);
    add(1, "int b;", 80, 2, 7'202'000); // its repair, which is no new experiment
    add(1, "int mine;", 25, {}, 10'801'000);
    Exchange exchange;
    exchange.stage = "writer";
    exchange.tokensIn = 100;
    exchange.tokensOut = 20;
    for (const Timestamp at : {2'000, 7'000'000, 20'000'000}) {
        exchange.at = at;
        QVERIFY(m_campaign->store->addExchange(exchange));
    }
}

void ScientistProgress::add(KernelId parent, const char* source, double us, std::optional<ExperimentId> experiment,
                            Timestamp endedAt, bool fails) {
    Kernel kernel = sampleKernel(parent, source);
    kernel.experiment = experiment;
    kernel.author = experiment ? Author::model : Author::person;
    const KernelId id = m_campaign->store->addKernel(kernel).value();
    Evaluation evaluation = sampleEvaluation(id, us, parent);
    if (fails) {
        evaluation.verdict = failedVerdict(VerdictKind::wrong, "no");
    }
    evaluation.endedAt = endedAt;
    QVERIFY(m_campaign->store->addEvaluation(evaluation, ExperimentState::approved));
}

void ScientistProgress::experimentsInTheOrderOfVerdicts() {
    const Course course = readCourse(m_campaign->file.string()).value();
    QCOMPARE(course.steps.size(), std::size_t{4}); // the seeds, b, a with the repair of b, and a person's kernel
    const auto step = [&](std::size_t at) { return course.steps.at(at); };
    QCOMPARE(step(0).experiments, 0);
    QCOMPARE(step(0).best, 1);
    QCOMPARE(step(1).failed, 1);
    QCOMPARE(step(1).best, 1);
    QCOMPARE(step(1).calls, 1);
    QCOMPARE(step(1).tokens, 120);
    QCOMPARE(step(1).hours, 1.0);
    QCOMPARE(step(2).best, 4);
    QCOMPARE(step(2).speedup, 2.0);
    QVERIFY(step(2).ci95.low < 2 && step(2).ci95.high > 2);
    QCOMPARE(step(2).calls, 2);
    QCOMPARE(step(2).failed, 1);
    QCOMPARE(step(3).experiments, 3);
    QCOMPARE(step(3).best, 6);
    QCOMPARE(step(3).speedup, 4.0);
    QCOMPARE(step(3).hours, 3.0);
    QVERIFY(courseTable({course}).find("4.00x") != std::string::npos);
}

// A measurement beside the verdict is no experiment; a campaign that ended before the number counts with its last.
void ScientistProgress::atEqualBudget() {
    Evaluation confirmation = sampleEvaluation(6, 25, 1);
    confirmation.purpose = confirmationPurpose;
    QVERIFY(m_campaign->store->addEvaluation(confirmation));
    const Course course = readCourse(m_campaign->file.string()).value();
    QCOMPARE(course.steps.size(), std::size_t{4});
    QCOMPARE(course.at(1).best, 1);
    QCOMPARE(course.at(2).best, 4);
    QCOMPARE(course.at(12).best, 6);
    QCOMPARE(course.at(12).experiments, 3);
}

void ScientistProgress::recordedVerdicts() {
    const Recorded recorded = readRecorded(m_campaign->file.string()).value();
    RecordedJudge judge(recorded);
    const std::string seed = recorded.population->kernel(1)->source.orNothing();
    QCOMPARE(judged(judge, seed).kind, VerdictKind::correct);
    const Verdict beside = judged(judge, "int  a; // the same", seed);
    QVERIFY(beside.kind == VerdictKind::faster && beside.comparison && beside.comparison->ratio == 2.0);
    const Verdict byScale = judged(judge, "int mine;", "int a;"); // never in one run
    QVERIFY(byScale.kind == VerdictKind::faster && byScale.comparison);
    QVERIFY(std::abs(byScale.comparison->ratio - 2) < 1e-9);
    QVERIFY(!judged(judge, "int a;").comparison);
    QCOMPARE(judged(judge, "int wrong;", seed).kind, VerdictKind::wrong);
    QCOMPARE(judge.unknown(), 0);
    QCOMPARE(judged(judge, "int other;", seed).kind, VerdictKind::buildFailed);
    QCOMPARE(judge.unknown(), 1);
}

QTEST_APPLESS_MAIN(ScientistProgress)
#include "scientist_progress.moc"
