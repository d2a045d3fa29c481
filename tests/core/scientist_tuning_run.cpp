// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/scientist/static_refusal.h"
#include "core/scientist/tunables.h"
#include "core/scientist/tuning_run.h"

#include <QTest>
#include <cmath>
#include <set>

using namespace gks;

namespace {

const char* const tiled = "#define TILE 8 // @tune TILE 8 16 32 64 128\n"
                          "#define UNROLL 1 // @tune UNROLL 1 2 4 8\n"
                          "// @tune-if TILE * UNROLL <= 512\n"
                          "solve\n";

// A judge that knows the true time of every point, and is mistaken by up to `noise` when it measures briefly.
struct FakeJudge {
    double noise = 0;
    double lastRatio = 0;   // of the comparison at the end; 0: the true one
    bool undecided = false; // that comparison
    std::string failing;    // a source with this in it does not build
    int lost = 0;           // so many evaluations to come are infrastructure failures
    std::vector<EvaluationRequest> requests;
    std::set<std::string> sources;
    std::stop_source stop;
    std::size_t stopAfter = 1000;

    static double truth(const std::string& source) {
        double us = 100;
        for (const Tunable& tunable : findTunables(source)) {
            const double place = std::log2(std::stod(tunable.current));
            us *= tunable.name == "TILE" ? 1 + 0.2 * std::abs(place - 6) : 1 + 0.1 * std::abs(place - 2);
        }
        return us;
    }

    Verdict operator()(const EvaluationRequest& request) {
        Verdict verdict;
        verdict.problem = request.problem;
        verdict.device = "a fake";
        verdict.build.toolchain = "none";
        if (request.staticOnly) {
            verdict.kind = VerdictKind::correct;
            verdict.staticReport = StaticReport{"gfx942", {{}}, 0};
            verdict.staticReport->kernels.front().occupancyWavesPerSimd = 8;
            verdict.staticReport->kernels.front().ldsBytes =
                request.source.find("TILE 128") != std::string::npos ? 70000 : 1000;
            return verdict;
        }
        requests.push_back(request);
        if (requests.size() >= stopAfter) {
            stop.request_stop();
        }
        if (lost > 0) {
            --lost;
            verdict.reason = "lost";
            return verdict;
        }
        sources.insert(request.source);
        if (!failing.empty() && request.source.find(failing) != std::string::npos) {
            verdict.kind = VerdictKind::buildFailed;
            verdict.reason = "does not build";
            return verdict;
        }
        const double error =
            request.measureSeconds < 1 ? noise * std::sin(7.0 * static_cast<double>(requests.size())) : 0;
        verdict.kind = VerdictKind::correct;
        verdict.geomeanUs = truth(request.source) * (1 + error);
        verdict.geomeanCi95Us = {verdict.geomeanUs * 0.99, verdict.geomeanUs * 1.01};
        if (request.baseline) {
            const double ratio = lastRatio > 0 ? lastRatio : truth(*request.baseline) / truth(request.source);
            verdict.kind = ratio > 1.005 ? VerdictKind::faster : ratio < 0.995 ? VerdictKind::slower : VerdictKind::tie;
            verdict.kind = undecided ? VerdictKind::undecided : verdict.kind;
            verdict.comparison = ComparisonFact{ratio, {ratio * 0.99, ratio * 1.01}, verdict.kind, ""};
        }
        return verdict;
    }

    Result<TuningOutcome> tune(const TuningPlan& plan) {
        return gks::tune(
            plan, [this](const EvaluationRequest& request) { return (*this)(request); }, {}, stop.get_token());
    }
};

TuningPlan planOf(const std::string& source, int evaluations) {
    TuningPlan plan;
    plan.request.problem = "sample";
    plan.request.source = source;
    plan.evaluations = evaluations;
    plan.remember = false;
    return plan;
}

} // namespace

class ScientistTuningRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void findsTheBestAndProvesIt();
    void luckIsNotABest();
    void nothingIsClaimedWithoutProof();
    void undecidedIsNoProof();
    void everyPointOnce();
    void refusedBeforeItRuns();
    void failuresAreNotTheEnd();
    void givenKernelMustWork();
    void whatCannotBeTuned();
    void infrastructureEndsItAfterASecondTry();
    void cancelled();
    void goesOnWhereItEnded();
    void reportsThatRefuse();

private:
    std::optional<TemporaryDirectory> m_cache;
};

void ScientistTuningRun::initTestCase() {
    m_cache.emplace(TemporaryDirectory::create("tuning").value());
    qputenv("GKS_CACHE", m_cache->path().c_str());
}

void ScientistTuningRun::findsTheBestAndProvesIt() {
    FakeJudge judge;
    const auto outcome = judge.tune(planOf(tiled, 12));
    QVERIFY(outcome.has_value());
    QCOMPARE(outcome->best, (std::map<std::string, std::string>{{"TILE", "64"}, {"UNROLL", "4"}}));
    QCOMPARE(outcome->source, withTunables(tiled, outcome->best).value());
    QCOMPARE(outcome->comparison->verdict, VerdictKind::faster);
    QVERIFY(judge.requests.back().baseline == tiled);
    QVERIFY(outcome->evaluations <= 12);
    QCOMPARE(outcome->allowedPoints, std::uint64_t{19}); // 128 x 8 is ruled out
    for (const std::string& source : judge.sources) {
        QVERIFY(source.find("TILE 128") == std::string::npos || source.find("UNROLL 8 ") == std::string::npos);
    }
}

void ScientistTuningRun::luckIsNotABest() {
    // With 30 % of noise the fastest brief measurement is a lucky one; the longer ones decide what is compared.
    FakeJudge judge;
    judge.noise = 0.3;
    const auto outcome = judge.tune(planOf(tiled, 18));
    double fastestLong = 1e30;
    for (const EvaluationRequest& request : judge.requests) {
        if (request.measureSeconds >= 1 && !request.baseline) {
            fastestLong = std::min(fastestLong, FakeJudge::truth(request.source));
        }
    }
    QVERIFY(fastestLong < 1e30);
    QCOMPARE(FakeJudge::truth(judge.requests.back().source), fastestLong);
    QVERIFY(outcome->comparison.has_value());
}

void ScientistTuningRun::nothingIsClaimedWithoutProof() {
    for (const double ratio : {1.0, 0.8}) {
        FakeJudge judge;
        judge.lastRatio = ratio;
        const auto outcome = judge.tune(planOf(tiled, 12));
        QVERIFY(outcome->candidate.has_value());
        QVERIFY(outcome->comparison->verdict != VerdictKind::faster);
        QCOMPARE(outcome->source, tiled);
        QCOMPARE(outcome->best, (std::map<std::string, std::string>{{"TILE", "8"}, {"UNROLL", "1"}}));
    }
}

void ScientistTuningRun::undecidedIsNoProof() {
    FakeJudge judge;
    judge.undecided = true;
    const auto outcome = judge.tune(planOf(tiled, 12));
    QVERIFY(outcome && outcome->comparison && outcome->comparison->ratio > 1.5);
    QVERIFY(outcome->comparison->verdict == VerdictKind::undecided);
    QCOMPARE(outcome->source, std::string(tiled));
}

void ScientistTuningRun::everyPointOnce() {
    FakeJudge judge;
    const auto outcome = judge.tune(planOf(tiled, 100));
    QCOMPARE(outcome->ended, "all configurations were tried");
    QCOMPARE(outcome->points.size(), std::size_t{19});
}

void ScientistTuningRun::refusedBeforeItRuns() {
    FakeJudge judge;
    const auto outcome = judge.tune(planOf(tiled, 100));
    for (const std::string& source : judge.sources) {
        QVERIFY(source.find("TILE 128") == std::string::npos);
    }
    int refused = 0;
    for (const TunedPoint& point : outcome->points) {
        refused += point.reason.starts_with("not run: needs 68.4 KiB of LDS") ? 1 : 0;
    }
    QCOMPARE(refused, 3);
}

void ScientistTuningRun::failuresAreNotTheEnd() {
    FakeJudge judge;
    judge.failing = "UNROLL 4";
    const auto outcome = judge.tune(planOf(tiled, 100));
    QCOMPARE(outcome->best.at("TILE"), "64");
    QVERIFY(outcome->best.at("UNROLL") != "4");
    QCOMPARE(outcome->points.size(), std::size_t{19});
}

void ScientistTuningRun::givenKernelMustWork() {
    FakeJudge judge;
    judge.failing = "TILE 8 ";
    const auto outcome = judge.tune(planOf(tiled, 12));
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().kind, ErrorKind::kernel);
    QVERIFY(outcome.error().what.find("does not build") != std::string::npos);
}

void ScientistTuningRun::whatCannotBeTuned() {
    FakeJudge judge;
    const auto plain = judge.tune(planOf("no tunables\n", 12));
    QCOMPARE(plain.error().kind, ErrorKind::usage);
    const auto bad = judge.tune(planOf(std::string(tiled) + "// @tune-if TILE < WIDTH\n", 12));
    QCOMPARE(bad.error().kind, ErrorKind::usage);
    QCOMPARE(bad.error().where, "line 5");
    QVERIFY(judge.requests.empty());
}

void ScientistTuningRun::infrastructureEndsItAfterASecondTry() {
    FakeJudge once;
    once.lost = 1;
    QVERIFY(once.tune(planOf(tiled, 6)).has_value());
    FakeJudge twice;
    twice.lost = 2;
    const auto ended = twice.tune(planOf(tiled, 6));
    QCOMPARE(ended.error().kind, ErrorKind::infrastructure);
    QCOMPARE(twice.requests.size(), std::size_t{2});
}

void ScientistTuningRun::cancelled() {
    FakeJudge judge;
    judge.stopAfter = 4;
    const auto outcome = judge.tune(planOf(tiled, 12));
    QCOMPARE(outcome.error().kind, ErrorKind::cancelled);
    QCOMPARE(judge.requests.size(), std::size_t{4});
}

void ScientistTuningRun::goesOnWhereItEnded() {
    TuningPlan plan = planOf(tiled, 5); // no survivors: every evaluation is a new point
    plan.remember = true;
    FakeJudge first;
    QVERIFY(first.tune(plan).has_value());
    FakeJudge second;
    const auto outcome = second.tune(plan);
    QCOMPARE(outcome->points.size(), std::size_t{9}); // the given one, four of the first run, four of the second
    int earlier = 0;
    for (const TunedPoint& point : outcome->points) {
        earlier += point.earlier ? 1 : 0;
    }
    QCOMPARE(earlier, 4);
    for (const EvaluationRequest& request : second.requests) {
        QVERIFY(request.baseline || request.source == tiled || !first.sources.contains(request.source));
    }
    // Another structure, another problem: nothing is known of it.
    plan.request.problem = "other";
    FakeJudge third;
    QCOMPARE(third.tune(plan)->points.size(), std::size_t{5});
}

void ScientistTuningRun::reportsThatRefuse() {
    StaticReport report{"gfx942", {{}}, 0};
    KernelResources& kernel = report.kernels.front();
    kernel.occupancyWavesPerSimd = 4;
    kernel.ldsBytes = 65536;
    QVERIFY(!staticRefusal(report, TargetKind::amd));
    kernel.vgprSpills = 12;
    QVERIFY(staticRefusal(report, TargetKind::amd).has_value());
    QVERIFY(!staticRefusal(report, TargetKind::cpu)); // memory is memory there
    kernel.vgprSpills = 0;
    kernel.occupancyWavesPerSimd = 0;
    QVERIFY(staticRefusal(report, TargetKind::cpu).has_value());
    QVERIFY(!staticRefusal(report, TargetKind::nvidia)); // the report is of another machine
    QVERIFY(notLookedAt(report, TargetKind::amd).empty());
    QVERIFY(notLookedAt(report, TargetKind::nvidia).empty());
    // Of an architecture without a description nothing is known that could refuse: RDNA 3 has no file.
    report.architecture = "gfx1100";
    kernel.ldsBytes = 70000;
    QVERIFY(!staticRefusal(report, TargetKind::amd));
    QCOMPARE(notLookedAt(report, TargetKind::amd), std::string("LDS and occupancy: not enough is known of gfx1100"));
    kernel.vgprSpills = 12; // what the compiler says of every one
    QVERIFY(staticRefusal(report, TargetKind::amd).has_value());
}

QTEST_APPLESS_MAIN(ScientistTuningRun)
#include "scientist_tuning_run.moc"
