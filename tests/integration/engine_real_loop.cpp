// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/engine/engine.h"

#include <QTest>
#include <algorithm>
#include <mutex>

using namespace gks;

// The whole loop with the real tuner, evaluator, compiler and sandbox.
class EngineRealLoop : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fourEvaluationsOfSumReduction();
};

void EngineRealLoop::fourEvaluationsOfSumReduction() {
    const auto folder = TemporaryDirectory::create("real-loop").value();
    const auto file = folder.path() / "sum.gks";
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.measureSeconds = 0.2;
    settings.budgets.evaluations = 4;
    QVERIFY(CampaignStore::create(file, settings));

    std::mutex mutex;
    std::vector<std::string> warnings;
    std::size_t samples = 0;
    std::string reason;
    EngineOptions options;
    options.lanes = {LaneSpec{TargetKind::cpu, 0, {std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-evaluator"}}};
    options.sink = [&](const EngineEvent& event) {
        const std::lock_guard lock(mutex);
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            warnings.push_back(warning->error.message());
        } else if (const auto* arrived = std::get_if<SamplesArrived>(&event)) {
            samples += arrived->us.size();
        } else if (const auto* changed = std::get_if<StateChanged>(&event)) {
            reason = changed->reason;
        }
    };
    const auto engine = Engine::open(file, options).value();
    engine->send(command::Start{});
    QVERIFY(engine->waitUntilQuiet(600));
    QVERIFY2(warnings.empty(), warnings.empty() ? "" : warnings.front().c_str());
    QCOMPARE(reason, std::string("evaluation budget reached (4)"));
    const auto population = engine->population();
    QCOMPARE(population->spend.evaluations, 4);
    QVERIFY(population->kernels.size() >= 4);
    QVERIFY(population->best);
    QVERIFY(population->kernel(1)->verdict == VerdictKind::correct);
    const bool tuned = std::any_of(population->kernels.begin(), population->kernels.end(),
                                   [](const Kernel& kernel) { return kernel.author == Author::tuner; });
    QVERIFY(tuned);
    QVERIFY(samples > 0);
    const auto evaluations = engine->evaluations(*population->best).value();
    if (population->best != population->baseline) {
        QCOMPARE(evaluations.back().purpose, std::string(confirmationPurpose));
    }
    QVERIFY(!evaluations.front().verdict.measurements.empty());
    QVERIFY(!evaluations.front().verdict.measurements.front().sampleUs.empty());
    qInfo("best %s, %.3f times the baseline", kernelLabel(*population->best).c_str(),
          population->speed(*population->kernel(*population->best))->ratio);
}

QTEST_APPLESS_MAIN(EngineRealLoop)
#include "engine_real_loop.moc"
