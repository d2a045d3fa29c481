// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/plan_rows.h"
#include "core/judge/protocol.h"
#include "tests/support/sample_plans.h"

#include <QTest>
#include <functional>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

namespace {

ProblemPack pack() {
    ProblemPack pack;
    pack.name = "sample";
    pack.dims = {"n"};
    pack.tensors = {{"x", ElementType::f32, {"n"}, TensorRole::input},
                    {"y", ElementType::f32, {"n"}, TensorRole::output}};
    return pack;
}

RecordedPlans plans() {
    return {samplePlans(pack(), {{1024}, {2048}}, {{64}, {1024}}, PlanStyle::streamed),
            samplePlans(pack(), {{1024}, {2048}}, {})};
}

using Change = std::function<void(KernelPlans&)>;

KernelLaunch& launchIn(KernelPlans& plans) {
    return std::get<KernelLaunch>(plans.shapes.front().plan.operations.at(1).action);
}

} // namespace
Q_DECLARE_METATYPE(Change)

class JudgeRecordedPlans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void travelWithVerdictAndRequest() {
        Verdict verdict;
        verdict.kind = VerdictKind::correct;
        verdict.plans = std::make_shared<const RecordedPlans>(plans());
        const auto event = eventFromJson(Json::parse(toJson("1", VerdictEvent{verdict}).dump()));
        QVERIFY2(event, event ? "" : event.error().message().c_str());
        const Verdict& told = std::get<VerdictEvent>(event->event).verdict;
        QVERIFY(told.plans && *told.plans == plans());
        QVERIFY(!toJson(verdict, true).contains("plans")); // a form of their own

        EvaluationRequest request;
        request.id = "1";
        request.problem = "sample";
        request.source = "int kernel;";
        request.recorded = verdict.plans;
        request.shapeSeed = std::string(64, 'a');
        const auto asked = requestFromJson(Json::parse(toJson(request).dump()));
        QVERIFY2(asked, asked ? "" : asked.error().message().c_str());
        QVERIFY(asked->recorded && asked->recorded->kernel.shapes == plans().kernel.shapes);
        QVERIFY(asked->recorded->kernel.deviceCode.empty()); // it is built again
        QCOMPARE(asked->shapeSeed, request.shapeSeed);
    }

    void whatWasTimedComesFirstAndTheRestIsCut() {
        KernelPlans all = samplePlans(pack(), {{1024}}, {{64}, {128}, {256}});
        std::reverse(all.shapes.begin(), all.shapes.end());
        const std::size_t bytes = makeCompact(all, recordedPlansLimitBytes);
        QCOMPARE(all.shapes.front().shape.at("n"), std::int64_t{1024});
        QCOMPARE(all.facts.kernels.size(), std::size_t{1}); // of two, one is launched
        QVERIFY(all.facts.variables.empty());
        QVERIFY(makeCompact(all, bytes / 2) <= bytes / 2);
        QCOMPARE(all.timed().size(), std::size_t{1});
        QCOMPARE(static_cast<std::size_t>(all.leftOut) + all.shapes.size(), std::size_t{4});
        QVERIFY(all.leftOut > 0);
    }

    // A campaign and a bundle come from anybody: what the judge would not have let pass is not read.
    void forgedPlansAreRefused_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const char* why, Change change) {
            QTest::newRow(name) << change << QString::fromUtf8(why);
        };
        row("fill outside", "fills 8192 bytes",
            [](KernelPlans& p) { std::get<DeviceFill>(p.shapes.front().plan.operations.front().action).count *= 2; });
        row("fill of an input", "not inside one output", [](KernelPlans& p) {
            std::get<DeviceFill>(p.shapes.front().plan.operations.front().action).to =
                p.shapes.front().addresses.tensors.front().address;
        });
        row("another kernel", "has no kernel _Z5cheatv", [](KernelPlans& p) { launchIn(p).kernel = "_Z5cheatv"; });
        row("another argument", "the kernel takes 24", [](KernelPlans& p) { launchIn(p).arguments[0].pop_back(); });
        row("a stream that is not there", "stream 7 of 2",
            [](KernelPlans& p) { p.shapes.front().plan.operations.front().stream = 7; });
        row("a launch in setup", "may only write variables", [](KernelPlans& p) {
            p.shapes.front().setup.operations.push_back(p.shapes.front().plan.operations.at(1));
        });
        row("device code of another hash", "not that of its hash", [](KernelPlans& p) { p.deviceCode += "x"; });
    }
    void forgedPlansAreRefused() {
        QFETCH(Change, change);
        QFETCH(QString, why);
        RecordedPlans forged = plans();
        change(forged.kernel);
        const auto read = recordedPlansFromText(toJson(forged, CodeBytes::included).dump(), "plans");
        QVERIFY(!read);
        const QString said = QString::fromStdString(read.error().message());
        QVERIFY2(said.contains(why), qPrintable(said));
    }

    void hostileTextIsRefused() {
        for (const char* text : {"", "[]", "{}", R"({"version": 1})", R"({"version": 2, "kernel": {}})",
                                 R"({"version": 1, "kernel": {}, "baseline": 3})"}) {
            QVERIFY2(!recordedPlansFromText(text, "plans"), text);
        }
    }

    // Padding of no bytes is no reason to stay at one place for ever.
    void emptyPaddingIsNotWalkedForEver() {
        KernelPlans forged = samplePlans(pack(), {{1024}}, {});
        forged.facts.kernels.front().padding = {{0, 0, 0}};
        const ShapePlan& shape = forged.shapes.front();
        QCOMPARE(rowsOf(shape.plan, forged.facts, shape.addresses, shape.shape).size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(JudgeRecordedPlans)
#include "judge_recorded_plans.moc"
