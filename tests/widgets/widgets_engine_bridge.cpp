// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/sample_campaign.h"

#include <QSignalSpy>
#include <QTest>
#include <memory>
#include <semaphore>
#include <thread>

using namespace gks;

namespace {

// Answers only when it is allowed to.
class GatedQueries final : public CampaignQueries {
public:
    Result<std::vector<Evaluation>> evaluations(KernelId kernel) const override {
        gate.acquire();
        Evaluation evaluation;
        evaluation.kernel = kernel;
        return std::vector<Evaluation>{evaluation};
    }
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
        return std::vector<Exchange>{};
    }
    mutable std::counting_semaphore<8> gate{0};
};

} // namespace

class EngineBridgeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void aBurstBecomesOneDelivery() {
        EngineBridge bridge;
        QSignalSpy populations(&bridge, &EngineBridge::populationChanged);
        QSignalSpy activities(&bridge, &EngineBridge::activityChanged);
        QSignalSpy texts(&bridge, &EngineBridge::textArrived);
        const PopulationPtr newest = makeSampleCampaign().population;
        std::jthread engine([&] {
            for (int i = 0; i < 200; ++i) {
                bridge.post(PopulationChanged{i == 199 ? newest : std::make_shared<const Population>()});
                bridge.post(ActivityChanged{"cpu:0", Activity::measuring, 1, {}, i / 200.0, "", 0});
                bridge.post(TextArrived{"compiler", std::to_string(i), {}, {}});
            }
        });
        engine.join();
        QVERIFY(bridge.hasPending());
        QTRY_VERIFY(!bridge.hasPending());
        QCOMPARE(populations.count(), 1);
        QCOMPARE(activities.count(), 1);
        QCOMPARE(texts.count(), 200);
        QCOMPARE(texts.last()[0].value<TextArrived>().text, std::string("199"));
        QCOMPARE(bridge.population(), newest);
        QCOMPARE(bridge.lanes().at("cpu:0").fraction, 199 / 200.0);
    }

    void shapesAreThoseThatAreMeasured() {
        const SampleCampaign sample = makeSampleCampaign();
        auto population = std::make_shared<Population>(*sample.population);
        for (const ShapeChoice choice : {ShapeChoice::quick, ShapeChoice::test, ShapeChoice::all}) {
            population->settings.target = TargetKind::cpu;
            population->settings.shapes = choice;
            const EngineBridge bridge(population, sample.problem);
            QCOMPARE(bridge.shapes(), sample.problem->shapesOf(ShapeSet::cpu));
        }
    }

    void eventsAfterTheEndAreLeftAside() {
        auto bridge = std::make_unique<EngineBridge>();
        bridge->post(StateChanged{EngineState::running, ""});
        bridge.reset();
        QCoreApplication::processEvents();
    }

    void theNewestQuestionWins() {
        const auto queries = std::make_shared<GatedQueries>();
        EngineBridge bridge;
        bridge.setQueries(queries);
        QObject receiver;
        QList<KernelId> answers;
        for (const KernelId kernel : {1, 2, 3}) {
            bridge.askEvaluations(&receiver, kernel, [&](const Result<std::vector<Evaluation>>& result) {
                answers.append(result->front().kernel);
            });
        }
        queries->gate.release(3);
        QTRY_VERIFY(!bridge.hasPending());
        QCOMPARE(answers, QList<KernelId>{3});
    }

    void nobodyIsAnsweredWhenGone() {
        const auto queries = std::make_shared<GatedQueries>();
        EngineBridge bridge;
        bridge.setQueries(queries);
        bool answered = false;
        {
            QObject receiver;
            bridge.askEvaluations(&receiver, 1, [&](const Result<std::vector<Evaluation>>&) { answered = true; });
        }
        queries->gate.release(1);
        QTRY_VERIFY(!bridge.hasPending());
        QVERIFY(!answered);
    }

    void theBridgeMayGoWhileAQuestionIsOpen() {
        const auto queries = std::make_shared<GatedQueries>();
        QObject receiver;
        bool answered = false;
        {
            EngineBridge bridge;
            bridge.setQueries(queries);
            bridge.askEvaluations(&receiver, 1, [&](const Result<std::vector<Evaluation>>&) { answered = true; });
            queries->gate.release(1);
        }
        QCoreApplication::processEvents();
        QVERIFY(!answered);
    }

private:
    std::unique_ptr<GuiTest> m_gui;
};

QTEST_MAIN(EngineBridgeTest)
#include "widgets_engine_bridge.moc"
