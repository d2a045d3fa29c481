// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/judge/protocol.h"
#include "core/judge/recorded_plans.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

Json parsed(const std::string& text) {
    return *parseJson(text, "test");
}
Json again(const OrderedJson& json) {
    return parsed(json.dump());
}

EvaluationRequest sampleRequest() {
    EvaluationRequest request;
    request.id = "42";
    request.problem = "fp8-gemm";
    request.source = "__global__ void k() {}\n\"quotes\"";
    request.baseline = "other";
    request.shapes = ShapeChoice::all;
    request.measureSeconds = 1.5;
    request.timeoutSeconds = 7;
    request.tieMarginPercent = 0;
    request.compilerOptions = {"-std=c++20", "-DTILE=4"};
    request.counters = true;
    return request;
}

Verdict sampleVerdict() {
    Verdict verdict;
    verdict.kind = VerdictKind::faster;
    verdict.reason = "1.31x faster";
    verdict.next = "keep it";
    verdict.target = "cpu";
    verdict.device = "some processor";
    verdict.problem = "fp8-gemm";
    verdict.kernelSha256 = "abc";
    verdict.shapeSeed = std::string(64, 'b');
    verdict.build = {"clang 19", "key", true, "log"};
    verdict.verification = {{{{"m", 64}, {"n", 128}},
                             "test",
                             "wide range",
                             "00ff",
                             true,
                             8192,
                             0.25,
                             0.125,
                             {},
                             2,
                             {{"c", 4096, 8192}, {"d", 64, 64}}}};
    verdict.notRun = {"k=7168: 406 GFLOP"};
    verdict.measurements = {{{{"m", 64}},
                             10.5,
                             {10, 11},
                             3,
                             1.25,
                             "host clock",
                             {10, 10.5, 11},
                             14,
                             {14, 13, 15},
                             {1, 2},
                             1.33,
                             Interval{1.3, 1.4}}};
    verdict.geomeanUs = 10.5;
    verdict.geomeanCi95Us = {10, 11};
    verdict.comparison = ComparisonFact{1.33, {1.3, 1.4}, VerdictKind::faster, "def", 0.7, {1.2, 1.5}, 0.5};
    verdict.deviceTrouble = DeviceTrouble::hung;
    verdict.conditions = {"quick", 3, 120, {}, {"-std=c++20", "-DTILE=4"}};
    verdict.warnings = {"m=64: read 4 bytes past the end of a (400 bytes)"};
    verdict.diagnostics = {{"outside", "read of 4 bytes", "k(int)", {1, 0, 0}, {63, 0, 0}, "kernel.hip", 7, 12}};
    verdict.environment = {{"cpu", "a"}, {"load", "0.1 0.2 0.3"}};
    verdict.transcript = {{0.5, "stage", "building"}};
    verdict.counters = CounterReport{"ncu 2025.3.1.0", {}, {{{{"m", 64}}, "k(Problem)", {{"L2 hits", 86.5, "%"}}}}};
    verdict.sandbox = "bubblewrap";
    verdict.buildSeconds = 0.5;
    verdict.verifySeconds = 0.25;
    verdict.measureSeconds = 3;
    verdict.totalSeconds = 4;
    verdict.compilerSeconds = 0.75;
    verdict.kernelSeconds = 2;
    verdict.preparationSeconds = 1;
    verdict.overheadSeconds = 0.125;
    return verdict;
}

} // namespace

class JudgeProtocol : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requestRoundTrip() {
        const auto request = requestFromJson(again(toJson(sampleRequest())));
        QVERIFY2(request.has_value(), request ? "" : request.error().message().c_str());
        QCOMPARE(request->id, sampleRequest().id);
        QCOMPARE(request->source, sampleRequest().source);
        QCOMPARE(*request->baseline, std::string("other"));
        QVERIFY(request->shapes == ShapeChoice::all);
        QVERIFY(request->counters);
        QCOMPARE(request->timeoutSeconds, 7.0);
        QCOMPARE(request->tieMarginPercent, 0.0);
        QCOMPARE(request->compilerOptions, sampleRequest().compilerOptions);
    }

    // An anchor is a name of the pack's. Nobody else's text becomes one.
    void anchorIsANameAlone() {
        EvaluationRequest request = sampleRequest();
        request.source.clear();
        request.anchor = "cublaslt";
        const auto asked = requestFromJson(again(toJson(request)));
        QVERIFY2(asked.has_value(), asked ? "" : asked.error().message().c_str());
        QCOMPARE(asked->anchor, std::string("cublaslt"));
        QCOMPARE(requestFromJson(again(toJson(sampleRequest())))->anchor, std::string());
        for (const char* name : {"../cublaslt", "/tmp/x.so", "anchors/cublaslt.cpp", "-lcublasLt", "Cublaslt", "a b",
                                 "cublaslt\nx", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
            request.anchor = name;
            QVERIFY2(!requestFromJson(again(toJson(request))), name);
        }
        request.anchor = "cublaslt";
        request.source = "extern \"C\" int solve();";
        QVERIFY(!requestFromJson(again(toJson(request))));
        request.source.clear();
        request.recorded = std::make_shared<const RecordedPlans>();
        QVERIFY(!requestFromJson(again(toJson(request))));
    }

    void verdictRoundTrip() {
        const OrderedJson json = toJson(sampleVerdict(), true);
        const auto verdict = verdictFromJson(again(json));
        QVERIFY2(verdict.has_value(), verdict ? "" : verdict.error().message().c_str());
        QCOMPARE(toJson(*verdict, true).dump(), json.dump());
        QVERIFY(*verdict == sampleVerdict());
        QCOMPARE(verdict->warnings, sampleVerdict().warnings);
        QCOMPARE(verdict->conditions.compilerOptions, sampleVerdict().conditions.compilerOptions);
        QVERIFY(verdict->kind == VerdictKind::faster);
        QCOMPARE(verdict->measurements.front().sampleUs.size(), std::size_t{3});
        QVERIFY(!toJson(*verdict).dump().empty() && toJson(*verdict).dump().find("sample_us") == std::string::npos);
    }

    // Verdicts of the first versions say neither by which rules they came about nor how much was compared.
    void verdictsOfTheFirstRulesAreRead() {
        OrderedJson json = toJson(sampleVerdict(), true);
        json.erase("rules");
        json.erase("not_run");
        json["verification"][0].erase("outputs");
        json["verification"][0].erase("calls");
        const auto verdict = verdictFromJson(again(json));
        QVERIFY2(verdict.has_value(), verdict ? "" : verdict.error().message().c_str());
        QCOMPARE(verdict->rules, firstRules);
        QVERIFY(verdict->verification[0].outputs.empty() && verdict->verification[0].calls == 1);
        QCOMPARE(sampleVerdict().rules, currentRules);
    }

    // A time with another cache flush is none, and says so.
    void theCacheFlushIsACondition() {
        EvaluationRequest request = sampleRequest();
        request.flushBytes = 65536;
        request.buildOnly = true;
        request.screen = true;
        const auto asked = requestFromJson(again(toJson(request)));
        QVERIFY(asked.has_value());
        QCOMPARE(asked->flushBytes, std::optional<std::size_t>(65536));
        QVERIFY(asked->buildOnly && asked->screen);
        QVERIFY(!requestFromJson(again(toJson(sampleRequest())))->screen);
        QVERIFY(!requestFromJson(again(toJson(sampleRequest())))->flushBytes);
        Verdict verdict = sampleVerdict();
        QCOMPARE(cacheFlushText(verdict.conditions), std::string());
        verdict.conditions.flushBytes = 65536;
        const auto told = verdictFromJson(again(toJson(verdict)));
        QCOMPARE(told->conditions.flushBytes, std::optional<std::size_t>(65536));
        const std::string text = cacheFlushText(told->conditions);
        QVERIFY2(text.find("64 KiB") != std::string::npos && text.find("say nothing") != std::string::npos,
                 text.c_str());
    }

    void verdictHasTheDocumentedFields() {
        const Json json = again(toJson(sampleVerdict()));
        for (const char* key : {"verdict", "reason", "target", "device", "problem", "kernel_sha256", "build",
                                "verification", "measurements", "geomean_us", "comparison", "sandbox", "seconds"}) {
            QVERIFY2(json.contains(key), key);
        }
        QCOMPARE(json["measurements"][0]["ci95_us"].dump(), std::string("[10.0,11.0]"));
        QCOMPARE(json["comparison"]["verdict"].get<std::string>(), std::string("faster"));
    }

    void verdictKindsRoundTrip() {
        for (int i = 0; i <= static_cast<int>(VerdictKind::infrastructureFailed); ++i) {
            const auto kind = verdictKindFromName(name(static_cast<VerdictKind>(i)));
            QVERIFY(kind.has_value());
            QCOMPARE(static_cast<int>(*kind), i);
        }
        QVERIFY(!verdictKindFromName("best"));
    }

    void eventsRoundTrip() {
        const std::vector<EvaluationEvent> events = {
            StageEvent{Stage::verifying}, ProgressEvent{0.5, "m=64"}, LogEvent{"runner", "two\nlines"},
            SamplesEvent{{{"m", 64}}, {1, 2.5}, true}, VerdictEvent{sampleVerdict()}};
        for (const EvaluationEvent& event : events) {
            const std::string line = toJson("7", event).dump();
            QVERIFY(line.find('\n') == std::string::npos);
            const auto back = eventFromJson(parsed(line));
            QVERIFY2(back.has_value(), line.c_str());
            QCOMPARE(back->id, std::string("7"));
            QCOMPARE(back->event.index(), event.index());
            QCOMPARE(toJson("7", back->event).dump(), line);
        }
    }

    void unknownFieldsAreTolerated() {
        Json json = again(toJson(sampleRequest()));
        json["colour"] = "blue";
        QVERIFY(requestFromJson(json).has_value());
        Json verdict = again(toJson(sampleVerdict()));
        verdict["measurements"][0]["temperature"] = 40;
        QVERIFY(verdictFromJson(verdict).has_value());
    }

    void wrongTypesAreRefused_data() {
        QTest::addColumn<QByteArray>("patch");
        for (const char* patch : {R"({"id": 3})",
                                  R"({"id": ""})",
                                  R"({"source": null})",
                                  R"({"source": []})",
                                  R"({"device": 1.5})",
                                  R"({"device": -1})",
                                  R"({"device": 99999999999})",
                                  R"({"shapes": "some"})",
                                  R"({"target": "tpu"})",
                                  R"({"measure_seconds": "3"})",
                                  R"({"measure_seconds": 0})",
                                  R"({"measure_seconds": 1e300})",
                                  R"({"timeout_seconds": -1})",
                                  R"({"static_only": 1})",
                                  R"({"baseline": {}})",
                                  R"({"tie_margin_percent": -0.5})",
                                  R"({"compiler_options": "-w"})",
                                  R"({"compiler_options": [1]})",
                                  R"({"flush_bytes": 0})",
                                  R"({"flush_bytes": "all"})",
                                  R"({"flush_bytes": 99999999999})",
                                  R"({"build_only": 1})"}) {
            QTest::newRow(patch) << QByteArray(patch);
        }
    }
    void wrongTypesAreRefused() {
        QFETCH(QByteArray, patch);
        Json json = again(toJson(sampleRequest()));
        json.update(parsed(patch.toStdString()));
        const auto request = requestFromJson(json);
        QVERIFY(!request.has_value());
        QVERIFY(request.error().kind == ErrorKind::usage);
    }

    void wrongTypesInsideAVerdictAreRefused_data() {
        QTest::addColumn<QByteArray>("member");
        for (const char* member : {"/build/cached", "/conditions/measure_seconds", "/seconds/total",
                                   "/comparison/ratio", "/verification/0/checked", "/measurements/0/median_us"}) {
            QTest::newRow(member) << QByteArray(member);
        }
    }
    void wrongTypesInsideAVerdictAreRefused() {
        QFETCH(QByteArray, member);
        Json json = again(toJson(sampleVerdict()));
        const Json::json_pointer at(member.toStdString());
        QVERIFY(json.contains(at));
        json[at] = "much";
        QVERIFY(!verdictFromJson(json).has_value());
    }

    void hostileEventsAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        for (
            const char* text :
            {"[]", "3", "null", R"({"id": "1"})", R"({"id": "1", "event": "win"})", R"({"id": "1", "event": "stage"})",
             R"({"id": "1", "event": "stage", "stage": "done"})", R"({"id": "1", "event": "verdict"})",
             R"({"id": "1", "event": "verdict", "verdict": {"verdict": "faster", "geomean_us": "fast"}})",
             R"({"id": "1", "event": "verdict", "verdict": {"verdict": "faster", "measurements": [{"ci95_us": [1]}]}})",
             R"({"id": "1", "event": "samples", "us": [1, "2"]})",
             R"({"id": "1", "event": "samples", "shape": {"m": 0.5}})"}) {
            QTest::newRow(text) << QByteArray(text);
        }
    }
    void hostileEventsAreRefused() {
        QFETCH(QByteArray, text);
        QVERIFY(!eventFromJson(parsed(text.toStdString())).has_value());
    }
};

QTEST_APPLESS_MAIN(JudgeProtocol)
#include "judge_protocol.moc"
