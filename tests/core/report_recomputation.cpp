// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/campaign/database.h"
#include "core/campaign/file_check.h"
#include "core/campaign/store_evaluation.h"
#include "core/judge/recorded_plans.h"
#include "core/report/bundle.h"
#include "core/report/recomputation.h"
#include "core/report/replay.h"
#include "core/report/samples_check.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <functional>

using namespace gks;
using namespace gks::test;

// A verdict follows from its samples; one that does not is found out, whatever its hashes say.
class ReportRecomputation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void honestVerdictsAgree();
    void everyEditIsFound_data();
    void everyEditIsFound();
    void timeThatIsNone();
    void samplesBeyondReasonAreNotWorkedThrough();
    void forgedBundleIsFound();
    void anotherPackIsNoneOfTheProgram();
    void theNewMeasurementDecides_data();
    void theNewMeasurementDecides();
    void anotherMachineIsSaid();
    void probesOnACardAreDue_data();
    void probesOnACardAreDue();
    void undecidedSaysHowToGoOn();
    void undecidedIsNoTie();
    void wordsOfAnotherVersionAreNotTested();
    void whatAFileStatesFollowsFromItsSamples();
};

namespace {

const std::string source = "int kernel;\n";
const std::string baseline = "int baseline;\n";
using Edit = std::function<void(Verdict&)>;

Verdict planned(Verdict verdict, const std::function<void(RecordedPlans&)>& edit) {
    RecordedPlans plans = *verdict.plans;
    edit(plans);
    verdict.plans = std::make_shared<const RecordedPlans>(std::move(plans));
    return verdict;
}

Verdict withFact(Verdict verdict, const char* fact) {
    verdict.environment[fact] = "of another machine";
    return verdict;
}

bool differs(const Verdict& verdict) {
    return worst(recompute(verdict, "v")) == Outcome::differs;
}

} // namespace
Q_DECLARE_METATYPE(Edit)
Q_DECLARE_METATYPE(Verdict)
Q_DECLARE_METATYPE(Outcome)

void ReportRecomputation::honestVerdictsAgree() {
    for (const double ratio : {0.7, 1.0, 1.3}) {
        const Verdict verdict = honestVerdict(source, 100, &baseline, ratio);
        QCOMPARE(QString::fromStdString(claimLines(recompute(verdict, "v"))), QString());
        QVERIFY(verdict.kind == (ratio < 1 ? VerdictKind::slower : ratio > 1 ? VerdictKind::faster : VerdictKind::tie));
    }
    QCOMPARE(QString::fromStdString(claimLines(recompute(honestVerdict(source, 100), "v"))), QString());
}

void ReportRecomputation::everyEditIsFound_data() {
    QTest::addColumn<Edit>("edit");
    const auto row = [](const char* name, Edit edit) { QTest::newRow(name) << edit; };
    row("median", [](Verdict& v) { v.measurements[0].medianUs *= 0.99; });
    row("interval", [](Verdict& v) { v.measurements[1].ci95Us.low *= 0.99; });
    row("baseline median", [](Verdict& v) { v.measurements[0].baselineMedianUs *= 1.01; });
    row("ratio of a shape", [](Verdict& v) { v.measurements[0].ratio = 2.0; });
    row("interval of a ratio", [](Verdict& v) { v.measurements[0].ratioCi95 = Interval{1.9, 2.1}; });
    row("geometric mean", [](Verdict& v) { v.geomeanUs *= 0.999; });
    row("its interval", [](Verdict& v) { v.geomeanCi95Us.high *= 1.001; });
    row("ratio", [](Verdict& v) { v.comparison->ratio *= 1.01; });
    row("its interval's end", [](Verdict& v) { v.comparison->ci95.low = 1.2; });
    row("interval that decides", [](Verdict& v) { v.comparison->ci99.low = 1.25; });
    row("share of the error", [](Verdict& v) { v.comparison->errorShare = 0.25; });
    row("no share of the error", [](Verdict& v) { v.comparison->errorShare = 0; });
    row("kind", [](Verdict& v) { v.kind = VerdictKind::tie; });
    row("kind and comparison", [](Verdict& v) { v.kind = v.comparison->verdict = VerdictKind::slower; });
    row("wrong with times", [](Verdict& v) { v.kind = VerdictKind::wrong; });
    row("comparison removed", [](Verdict& v) { v.comparison.reset(); });
    row("a sample", [](Verdict& v) { v.measurements[0].sampleUs[3] *= 0.5; });
    row("a sample of the baseline", [](Verdict& v) { v.measurements[0].baselineSampleUs[3] *= 2; });
    row("a sample less", [](Verdict& v) { v.measurements[0].sampleUs.pop_back(); });
    row("no samples", [](Verdict& v) { v.measurements[0].sampleUs.clear(); });
    row("other rounds", [](Verdict& v) { v.measurements[0].roundBlocks = {20}; });
    row("blocks that do not fit", [](Verdict& v) { v.measurements[0].roundBlocks.back() += 1; });
    row("negative blocks", [](Verdict& v) { v.measurements[0].roundBlocks.assign({-1, 21, 0, 0, 0}); });
    row("a failed check", [](Verdict& v) { v.verification[0].passed = false; });
    row("no checks", [](Verdict& v) { v.verification.clear(); });
    row("no times", [](Verdict& v) { v.measurements.clear(); });
    row("rules of an earlier version", [](Verdict& v) { v.rules = firstRules; });
    row("below the floor", [](Verdict& v) { v.measurements[0].floorUs = 1e6; });
}

void ReportRecomputation::everyEditIsFound() {
    QFETCH(Edit, edit);
    Verdict verdict = honestVerdict(source, 100, &baseline, 1.3);
    QVERIFY(verdict.kind == VerdictKind::faster);
    edit(verdict);
    QVERIFY(differs(verdict));
}

// On a busy machine an empty call may have taken as long as the kernel's.
void ReportRecomputation::timeThatIsNone() {
    const auto saysWhy = [](Verdict verdict, double us) {
        verdict.measurements[0].sampleUs[3] = us;
        concludeAgain(verdict);
        return claimLines(recompute(verdict, "v")).find("no call takes no time") != std::string::npos;
    };
    Verdict verdict = honestVerdict(source, 100, &baseline, 1.3);
    QCOMPARE(verdict.target, std::string("cpu"));
    QVERIFY(!saysWhy(verdict, 0) && saysWhy(verdict, -1));
    verdict.target = "nvidia"; // the device's own clock
    QVERIFY(saysWhy(verdict, 0));
}

void ReportRecomputation::samplesBeyondReasonAreNotWorkedThrough() {
    Verdict verdict = honestVerdict(source, 100);
    verdict.measurements[0].sampleUs.assign(1'000'000, 1.0);
    verdict.measurements[0].samples = 1'000'000;
    QVERIFY(differs(verdict));
    verdict = honestVerdict(source, 100);
    verdict.measurements.resize(100'000, verdict.measurements[0]);
    QVERIFY(differs(verdict));
}

void ReportRecomputation::forgedBundleIsFound() {
    const auto folder = TemporaryDirectory::create("gks-forged").value();
    makeEvidenceCampaign(folder.path() / "a.gks");
    const auto store = CampaignStore::open(folder.path() / "a.gks", CampaignStore::Access::read).value();
    const auto bundle = folder.path() / "bundle";
    QVERIFY(writeBundle(readEvidence(*store).value(), bundle));
    const std::string verdict = "verdicts/00002-2/verdict.json";
    const auto problems = [&] {
        forgeManifest(bundle);
        const Bundle read = readBundle(bundle).value();
        return read.damage.empty() ? claimLines(checkBundle(read).claims) : "the hashes do not fit";
    };
    QCOMPARE(QString::fromStdString(problems()), QString());
    // Everything fits but the samples.
    replaceInFile(bundle / verdict, "\"faster\"", "\"slower\"");
    QVERIFY2(problems().find(verdict + ": verdict: slower | faster") != std::string::npos, problems().c_str());
    replaceInFile(bundle / verdict, "\"slower\"", "\"faster\"");
    // Another source under the verdict.
    const std::string path =
        "sources/" + checkBundle(readBundle(bundle).value()).verdicts[0].evaluation.verdict.kernelSha256 + ".hip";
    QVERIFY(writeFileAtomically(bundle / path, "int other;\n"));
    QVERIFY2(problems().find("the verdict belongs to a different source") != std::string::npos, problems().c_str());
    // Rubbish instead of a verdict.
    QVERIFY(writeFileAtomically(bundle / verdict, "[1, 2"));
    QVERIFY2(problems().find(verdict + ": verdict: a verdict | unreadable") != std::string::npos, problems().c_str());
}

void ReportRecomputation::anotherPackIsNoneOfTheProgram() {
    const auto folder = TemporaryDirectory::create("gks-foreign").value();
    makeEvidenceCampaign(folder.path() / "a.gks");
    const auto store = CampaignStore::open(folder.path() / "a.gks", CampaignStore::Access::read).value();
    const auto bundle = folder.path() / "bundle";
    QVERIFY(writeBundle(readEvidence(*store).value(), bundle));
    Bundle read = readBundle(bundle).value();
    const EvidenceItem recorded = checkBundle(read).verdicts.at(1);
    QCOMPARE(builtinPackOf(read), std::optional<std::string>("sum-reduction"));
    const auto request = requestAgain(read, recorded, folder.path() / "again").value();
    QCOMPARE(request.source, recorded.source);
    QCOMPARE(request.baseline, recorded.baselineSource);
    QCOMPARE(request.measureSeconds, defaultMeasureSeconds(TargetKind::cpu)); // the record says 1
    QVERIFY(loadProblemPack(request.problem));
    for (const char* file : {"problem/reference.cpp", "problem/problem.toml"}) {
        Bundle changed = read;
        changed.files[file] += "\n";
        QCOMPARE(builtinPackOf(changed), std::optional<std::string>());
    }
}

void ReportRecomputation::theNewMeasurementDecides_data() {
    QTest::addColumn<Verdict>("recorded");
    QTest::addColumn<Verdict>("again");
    QTest::addColumn<Outcome>("outcome");
    const auto row = [](const char* name, const Verdict& recorded, const Verdict& again, Outcome outcome) {
        QTest::newRow(name) << recorded << again << outcome;
    };
    const Verdict faster = honestVerdict(source, 100, &baseline, 1.3);
    const Verdict slower = honestVerdict(source, 150, &baseline, 0.7);
    const Verdict tie = honestVerdict(source, 100, &baseline, 1.0);
    const Verdict right = honestVerdict(source, 100);
    Verdict wrong;
    wrong.kind = VerdictKind::wrong;
    wrong.target = faster.target;
    wrong.device = faster.device;
    Verdict crashed = wrong;
    crashed.kind = VerdictKind::crashed;
    const auto elsewhere = [](Verdict verdict) {
        verdict.device = "another processor";
        return verdict;
    };
    row("faster again", faster, faster, Outcome::noted);
    row("faster, now a tie", faster, tie, Outcome::differs);
    row("faster, now slower", faster, slower, Outcome::differs);
    row("faster, now wrong", faster, wrong, Outcome::differs);
    row("faster, now crashed", faster, crashed, Outcome::differs);
    row("slower, now a tie", slower, tie, Outcome::differs);
    row("tie, now faster by far", tie, faster, Outcome::differs);
    row("much faster, now a little", honestVerdict(source, 100, &baseline, 3),
        honestVerdict(source, 100, &baseline, 1.2), Outcome::differs);
    row("faster, now a little less so", faster, honestVerdict(source, 100, &baseline, 1.25), Outcome::noted);
    row("faster, by much less so", honestVerdict(source, 100, &baseline, 1.6),
        honestVerdict(source, 100, &baseline, 1.4), Outcome::notTested);
    row("faster, by much more so", honestVerdict(source, 100, &baseline, 1.4),
        honestVerdict(source, 100, &baseline, 1.6), Outcome::notTested);
    row("wrong, now right", wrong, right, Outcome::differs);
    row("wrong again", wrong, wrong, Outcome::agrees);
    row("wrong, now crashed", wrong, crashed, Outcome::differs);
    row("right again", right, right, Outcome::noted);
    Verdict undecided = tie;
    undecided.kind = undecided.comparison->verdict = VerdictKind::undecided;
    undecided.comparison->ci99 = {0.9, 1.4};
    row("faster, now undecided", faster, undecided, Outcome::differs);
    row("undecided, now faster", undecided, faster, Outcome::noted);
    row("undecided again", undecided, undecided, Outcome::noted);
    row("undecided, now slower by far", undecided, slower, Outcome::differs);
    row("tie, now undecided", tie, undecided, Outcome::noted);
    row("times of another machine", right, honestVerdict(source, 900), Outcome::notTested);
    row("faster, on another device", faster, elsewhere(faster), Outcome::notTested);
    row("faster, a tie on another device", faster, elsewhere(tie), Outcome::notTested);
    row("faster, wrong on another device", faster, elsewhere(wrong), Outcome::differs);
    row("faster, does not run on another device", faster, elsewhere(crashed), Outcome::notTested);
    Verdict toolchain = faster;
    toolchain.build.toolchain = "clang 99";
    row("faster, with another toolchain", toolchain, faster, Outcome::differs);
    toolchain.build.key = "of its own";
    row("faster, with the same code of another toolchain", toolchain, faster, Outcome::noted);
    row("faster, a tie with the same code of another toolchain", toolchain, tie, Outcome::differs);
    toolchain =
        planned(toolchain, [](RecordedPlans& plans) { plans.kernel.deviceCodeSha256 = sha256Hex("other code"); });
    row("faster, with the code of another toolchain", toolchain, faster, Outcome::notTested);
    toolchain.comparison->ratio = 9;
    row("and by far less so here", toolchain, faster, Outcome::notTested);
    for (const char* fact : {"machine", "cpu", "cpu_count", "timed_threads"}) {
        row((std::string("faster, with another ") + fact).c_str(), withFact(faster, fact), faster, Outcome::notTested);
        row((std::string("faster, a tie with another ") + fact).c_str(), withFact(faster, fact), tie,
            Outcome::notTested);
    }
    for (const char* fact : {"os", "kernel", "memory", "governor", "version", "nvidia_driver"}) {
        row((std::string("faster, with another ") + fact).c_str(), withFact(faster, fact), faster, Outcome::noted);
    }
    const Verdict onCard = honestVerdict(source, 100, &baseline, 1.3, TargetKind::nvidia);
    row("faster on a card again", onCard, onCard, Outcome::noted);
    for (const char* fact : {"nvidia_driver", "compute_units", "device_memory_bytes", "clock_hz", "runtime"}) {
        row((std::string("on a card, with another ") + fact).c_str(), withFact(onCard, fact), onCard,
            Outcome::notTested);
    }
    row("on a card in another machine", withFact(onCard, "cpu_count"), onCard, Outcome::noted);
    // What the new evaluation reports beside its verdict.
    Verdict reported = faster;
    KernelResources soft;
    soft.name = "soft(Problem)";
    soft.vgprs = 23;
    reported.staticReport = StaticReport{"gfx942", {soft}, 4096};
    reported.warnings = {"reads past the end of x"};
    reported.verification.front().outputs = {{"y", 1153, 33554432}};
    row("the same report", reported, reported, Outcome::noted);
    Verdict fewer = reported;
    fewer.staticReport->kernels.front().vgprs = 7;
    row("fewer registers", fewer, reported, Outcome::differs);
    Verdict renamed = reported;
    renamed.staticReport->kernels.front().name = "another(Problem)";
    row("another kernel's name", renamed, reported, Outcome::differs);
    Verdict narrow = reported;
    narrow.staticReport->kernels.front().multiplies = {{"f64", 54}};
    row("products of another type", narrow, reported, Outcome::differs);
    Verdict silent = reported;
    silent.warnings.clear();
    row("a warning is left out", silent, reported, Outcome::differs);
    // Times and results fit; the plans that led to them are not those that the sources ask for.
    const auto again = [](KernelPlans& plans) {
        auto& operations = plans.shapes.back().plan.operations;
        operations.push_back(operations.back());
    };
    const Verdict twice = planned(faster, [&](RecordedPlans& plans) { again(*plans.baseline); });
    row("the baseline's source launches once, its plan twice", twice, faster, Outcome::differs);
    Verdict lost = faster;
    lost.kind = VerdictKind::infrastructureFailed;
    row("so it does, and the device is lost", twice, lost, Outcome::differs);
    row("the device is lost", faster, lost, Outcome::notTested);
    row("so it does, on another device", twice, elsewhere(faster), Outcome::notTested);
    Verdict larger = faster;
    larger.environment["timed_threads"] = "64";
    row("so it does, where the device answers otherwise", twice, larger, Outcome::notTested);
    row("the same plans, where the device answers otherwise", faster, larger, Outcome::notTested);
    row("the kernel's setup does more",
        planned(faster,
                [](RecordedPlans& plans) {
                    ShapePlan& shape = plans.kernel.shapes.front();
                    shape.setup.operations.push_back({0, 0, SymbolWrite{"table", 0, {1}}});
                }),
        faster, Outcome::differs);
    row("another grid",
        planned(faster,
                [](RecordedPlans& plans) {
                    std::get<KernelLaunch>(plans.kernel.shapes.front().plan.operations.back().action).grid[0] += 1;
                }),
        faster, Outcome::differs);
    row("another stream",
        planned(faster,
                [](RecordedPlans& plans) {
                    plans.kernel.shapes.front().plan.streams.push_back({StreamKind::nonBlocking, 0});
                }),
        faster, Outcome::differs);
    row("another workspace",
        planned(faster, [](RecordedPlans& plans) { plans.kernel.shapes.front().addresses.workspaceBytes += 4096; }),
        faster, Outcome::differs);
    row("another line of the same source",
        planned(faster, [](RecordedPlans& plans) { plans.kernel.shapes.front().plan.operations.front().place += 64; }),
        faster, Outcome::noted);
    row("a plan that was not asked for",
        planned(faster, [](RecordedPlans& plans) { plans.kernel.shapes.back().shape.begin()->second += 1; }), faster,
        Outcome::notTested);
    // Also of what was refused: by a plan that is not its own anything is wrong.
    Verdict refused = twice;
    refused.plans = planned(faster, [&](RecordedPlans& plans) { again(plans.kernel); }).plans;
    refused.kind = VerdictKind::wrong;
    Verdict refusedAgain = faster;
    refusedAgain.kind = VerdictKind::wrong;
    row("wrong by another plan", refused, refusedAgain, Outcome::differs);
    // Any difference is a tie when the margin is wide enough.
    Verdict wide = slower;
    wide.comparison->tieMarginPercent = 60;
    concludeAgain(wide);
    row("a tie by a margin of its own", wide, slower, Outcome::notTested);
    Verdict close = tie;
    close.comparison->tieMarginPercent = 60;
    row("a tie by any margin", close, tie, Outcome::noted);
    Verdict whole = reported;
    whole.verification.front().outputs = {{"y", 33554432, 33554432}};
    row("all elements instead of some", whole, reported, Outcome::differs);
    Verdict left = reported;
    left.notRun = {"seq=8192: 8.59 GFLOP"};
    row("left out what this machine verifies", left, reported, Outcome::noted);
    row("verified, it says, what this machine leaves out", reported, left, Outcome::notTested);
}

// A card's values come twice, so that what is due of its timed calls is less; none of them without a look is too
// little.
void ReportRecomputation::probesOnACardAreDue_data() {
    QTest::addColumn<double>("share");
    QTest::addColumn<QString>("line");
    QTest::newRow("all") << 1.0 << "";
    QTest::newRow("some") << 0.5 << "";
    QTest::newRow("fewer than rounds") << 0.1 << "checks: ";
    QTest::newRow("none") << 0.0 << "checks: ";
}

void ReportRecomputation::probesOnACardAreDue() {
    QFETCH(const double, share);
    QFETCH(const QString, line);
    const auto folder = TemporaryDirectory::create("gks-probes").value();
    EvaluationRequest request;
    request.problem = "sum-reduction";
    request.source = source;
    request.baseline = baseline;
    request.target = TargetKind::nvidia;
    Verdict verdict = honestVerdict(source, 100, &baseline, 1.3, TargetKind::nvidia);
    std::erase_if(verdict.verification, [&](VerificationFact& fact) {
        const bool isProbed = fact.phase == phase::everyTimedCall;
        fact.calls = isProbed ? static_cast<int>(share * verdict.measurements[0].samples) : fact.calls;
        return isProbed && share == 0;
    });
    QVERIFY(writeBundle(evidenceOf(request, verdict).value(), folder.path() / "bundle"));
    const Claims claims = checkBundle(readBundle(folder.path() / "bundle").value()).claims;
    const QString lines = QString::fromStdString(claimLines(claims));
    QVERIFY2(line.isEmpty() ? lines.isEmpty() : lines.contains(line) && lines.contains("every timed call"),
             qPrintable(lines));
}

// The fact is named.
void ReportRecomputation::anotherMachineIsSaid() {
    const Verdict faster = honestVerdict(source, 100, &baseline, 1.3);
    Verdict other = faster;
    other.environment["cpu_count"] = "64";
    const std::string lines = claimLines(compareAgain(other, faster, "v"));
    QVERIFY2(lines.find("was not tested: cpu_count was 64 and is unknown") != std::string::npos, lines.c_str());
}

void ReportRecomputation::theNewMeasurementDecides() {
    QFETCH(Verdict, recorded);
    QFETCH(Verdict, again);
    QFETCH(Outcome, outcome);
    const Claims claims = compareAgain(recorded, again, "v");
    QVERIFY2(worst(claims) == outcome, claimLines(claims).c_str());
}

// Two rounds in which something else ran: what was called a tie once has to be called undecided, in kind and sentence.
void ReportRecomputation::undecidedIsNoTie() {
    Verdict verdict = honestVerdict(source, 100, &baseline, 1.0);
    for (double& us : verdict.measurements[0].baselineSampleUs) {
        us *= 50;
    }
    for (std::size_t i = 0; i < 8; ++i) {
        verdict.measurements[0].sampleUs[i] *= 100;
    }
    verdict.measureSeconds = 1;
    concludeAgain(verdict);
    QVERIFY2(verdict.kind == VerdictKind::undecided && verdict.comparison->ratio > 2, verdict.reason.c_str());
    QCOMPARE(QString::fromStdString(claimLines(recompute(verdict, "v"))), QString());
    Verdict claimed = verdict;
    claimed.kind = claimed.comparison->verdict = VerdictKind::tie;
    QVERIFY(differs(claimed));
    // As an earlier version recorded it.
    Verdict old = verdict;
    old.rules = firstRules;
    concludeAgain(old);
    QVERIFY(old.kind == VerdictKind::tie);
    QCOMPARE(QString::fromStdString(claimLines(recompute(old, "v"))), QString());
}

// Whoever says that another version wrote it: what this one cannot make again it does not call good.
void ReportRecomputation::wordsOfAnotherVersionAreNotTested() {
    const Verdict honest = honestVerdict(source, 100, &baseline, 1.3);
    Verdict words = honest;
    words.reason += ", as its makers confirm";
    Verdict clock = honest;
    for (MeasurementFact& fact : clock.measurements) {
        fact.clock = "events of a card, clocks locked";
    }
    concludeAgain(clock);
    for (const Verdict& verdict : {words, clock}) {
        QVERIFY(worst(recompute(verdict, "v")) == Outcome::notTested);
        QVERIFY(worst(recompute(verdict, "v", Words::ofThisVersion)) == Outcome::differs);
    }
    QVERIFY(worst(recompute(honest, "v", Words::ofThisVersion)) == Outcome::agrees);
}

// The interval of the new measurement reaches from no gain to more than was claimed.
void ReportRecomputation::undecidedSaysHowToGoOn() {
    const Verdict faster = honestVerdict(source, 100, &baseline, 1.3);
    Verdict tie = honestVerdict(source, 100, &baseline, 1.0);
    tie.measureSeconds = 3.1;
    tie.conditions.measureSeconds = 3;
    tie.comparison->ratio = 1.2;
    tie.comparison->ci95 = {1.0, 1.38};
    tie.comparison->ci99 = {0.97, 1.4};
    tie.kind = tie.comparison->verdict = VerdictKind::undecided;
    const Claims claims = compareAgain(faster, tie, "v");
    QVERIFY(worst(claims) == Outcome::differs);
    const Claim& claim = claims.back();
    for (const char* text : {"undecided 1.20x", "99 % interval [0.970, 1.40]", "calls of either kernel in 3.1"}) {
        QVERIFY2(claim.found.find(text) != std::string::npos, claim.found.c_str());
    }
    for (const char* text : {"holds the claimed ratio", "--measure-seconds 12"}) {
        QVERIFY2(claim.why.find(text) != std::string::npos, claim.why.c_str());
    }
}

// Who can write the file can change every place that states a ratio, and the samples then say otherwise.
void ReportRecomputation::whatAFileStatesFollowsFromItsSamples() {
    const auto folder = TemporaryDirectory::create("proven").value();
    const auto file = folder.path() / "proven.gks";
    makeEvidenceCampaign(file);
    const auto check = [&] {
        return checkFile(*CampaignStore::open(file, CampaignStore::Access::read).value(), contradictsItsSamples);
    };
    QCOMPARE(check().size(), std::size_t{0});
    const auto store = CampaignStore::open(file).value();
    const PopulationPtr population = store->population().value();
    const KernelId best = population->best.value();
    QVERIFY(provenEvaluations(*store, best));
    Evaluation forged = store->evaluations(best).value().back();
    forged.verdict.comparison->ratio *= 1.001;
    QVERIFY(contradictsItsSamples(forged));
    const std::int64_t id = store->addEvaluation(forged).value();
    const auto proven = provenEvaluations(*store, best);
    QVERIFY(!proven);
    QVERIFY2(proven.error().where == evaluationPlace(best, id) &&
                 proven.error().what.find(ratioClaim) != std::string::npos,
             proven.error().message().c_str());
    QCOMPARE(check().size(), std::size_t{1});
    QVERIFY(Database::open(file.string(), Database::Access::readWrite)
                .value()
                .execute("DELETE FROM samples WHERE evaluation = 1"));
    const auto found = check();
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY2(found.front().where.find("evaluation 1") != std::string::npos &&
                 found.front().what.find("samples of ") != std::string::npos,
             found.front().message().c_str());
}

QTEST_APPLESS_MAIN(ReportRecomputation)
#include "report_recomputation.moc"
