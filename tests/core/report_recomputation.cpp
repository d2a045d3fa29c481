// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/report/bundle.h"
#include "core/report/recomputation.h"
#include "core/report/replay.h"
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
    void samplesBeyondReasonAreNotWorkedThrough();
    void withoutTheBaselinesSamplesTheRestIsChecked();
    void forgedBundleIsFound();
    void foreignReferenceRunsOnlyWhenTrusted();
    void correctnessDecidesTimesAreNoted();
};

namespace {

const std::string source = "int kernel;\n";
const std::string baseline = "int baseline;\n";
using Edit = std::function<void(Verdict&)>;

} // namespace
Q_DECLARE_METATYPE(Edit)

void ReportRecomputation::honestVerdictsAgree() {
    for (const double ratio : {0.7, 1.0, 1.3}) {
        const Verdict verdict = honestVerdict(source, 100, &baseline, ratio);
        const Recomputation again = recompute(verdict);
        QVERIFY2(again.differences.empty(), join(again.differences, "\n").c_str());
        QVERIFY(again.unchecked.empty());
        QVERIFY(verdict.kind == (ratio < 1 ? VerdictKind::slower : ratio > 1 ? VerdictKind::faster : VerdictKind::tie));
    }
    QVERIFY(recompute(honestVerdict(source, 100)).differences.empty());
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
    row("below the floor", [](Verdict& v) { v.measurements[0].floorUs = 1e6; });
}

void ReportRecomputation::everyEditIsFound() {
    QFETCH(Edit, edit);
    Verdict verdict = honestVerdict(source, 100, &baseline, 1.3);
    QVERIFY(verdict.kind == VerdictKind::faster);
    edit(verdict);
    QVERIFY(!recompute(verdict).differences.empty());
}

void ReportRecomputation::samplesBeyondReasonAreNotWorkedThrough() {
    Verdict verdict = honestVerdict(source, 100);
    verdict.measurements[0].sampleUs.assign(1'000'000, 1.0);
    QVERIFY(!recompute(verdict).differences.empty());
    verdict = honestVerdict(source, 100);
    verdict.measurements.resize(100'000, verdict.measurements[0]);
    QVERIFY(!recompute(verdict).differences.empty());
}

void ReportRecomputation::withoutTheBaselinesSamplesTheRestIsChecked() {
    Verdict verdict = honestVerdict(source, 100, &baseline, 1.3);
    for (MeasurementFact& fact : verdict.measurements) {
        fact.baselineSampleUs.clear();
    }
    QVERIFY(recompute(verdict).differences.empty());
    QCOMPARE(recompute(verdict).unchecked.size(), 2u);
    verdict.kind = VerdictKind::tie;
    QVERIFY(!recompute(verdict).differences.empty());
}

void ReportRecomputation::forgedBundleIsFound() {
    const auto folder = TemporaryDirectory::create("gks-forged").value();
    makeEvidenceCampaign(folder.path() / "a.gks");
    const auto store = CampaignStore::open(folder.path() / "a.gks", CampaignStore::Access::read).value();
    const auto bundle = folder.path() / "bundle";
    QVERIFY(writeBundle(readEvidence(*store).value(), bundle));
    QVERIFY(checkBundle(readBundle(bundle).value()).differences.empty());
    // Everything fits but the samples.
    replaceInFile(bundle / "verdicts/00002-2/verdict.json", "\"faster\"", "\"slower\"");
    forgeManifest(bundle);
    Bundle read = readBundle(bundle).value();
    QVERIFY2(read.damage.empty(), join(read.damage, "\n").c_str());
    const BundleCheck check = checkBundle(read);
    QVERIFY(!check.differences.empty());
    QVERIFY(check.differences[0].find("verdicts/00002-2/verdict.json") != std::string::npos);
    replaceInFile(bundle / "verdicts/00002-2/verdict.json", "\"slower\"", "\"faster\"");
    // Another source under the verdict.
    const std::string path = "sources/" + check.verdicts[0].verdict.kernelSha256 + ".hip";
    QVERIFY(writeFileAtomically(bundle / path, "int other;\n"));
    forgeManifest(bundle);
    read = readBundle(bundle).value();
    QVERIFY(read.damage.empty());
    QVERIFY(!checkBundle(read).differences.empty());
    // Rubbish instead of a verdict.
    QVERIFY(writeFileAtomically(bundle / "verdicts/00002-2/verdict.json", "[1, 2"));
    forgeManifest(bundle);
    QVERIFY(!checkBundle(readBundle(bundle).value()).differences.empty());
}

void ReportRecomputation::foreignReferenceRunsOnlyWhenTrusted() {
    const auto folder = TemporaryDirectory::create("gks-foreign").value();
    makeEvidenceCampaign(folder.path() / "a.gks");
    const auto store = CampaignStore::open(folder.path() / "a.gks", CampaignStore::Access::read).value();
    const auto bundle = folder.path() / "bundle";
    QVERIFY(writeBundle(readEvidence(*store).value(), bundle));
    Bundle read = readBundle(bundle).value();
    const RecordedVerdict recorded = checkBundle(read).verdicts.at(1);
    QCOMPARE(builtinPackOf(read), std::optional<std::string>("sum-reduction"));
    const auto request = requestAgain(read, recorded, folder.path() / "again", false).value();
    QCOMPARE(request.source, recorded.source);
    QCOMPARE(request.baseline, recorded.baselineSource);
    QCOMPARE(request.measureSeconds, 1.0);
    QVERIFY(loadProblemPack(request.problem));
    QVERIFY(checkHeader(read, folder.path() / "again").empty());
    Bundle otherHeader = read;
    otherHeader.files["problem/problem.h"] += "// more\n";
    QCOMPARE(checkHeader(otherHeader, folder.path() / "again").size(), 1u);
    for (const char* file : {"problem/reference.cpp", "problem/problem.toml"}) {
        Bundle changed = read;
        changed.files[file] += "\n";
        const auto refused = requestAgain(changed, recorded, folder.path() / "refused", false);
        QVERIFY(!refused && refused.error().kind == ErrorKind::usage);
        QVERIFY(!std::filesystem::exists(folder.path() / "refused"));
        QVERIFY(requestAgain(changed, recorded, folder.path() / file, true));
    }
}

void ReportRecomputation::correctnessDecidesTimesAreNoted() {
    const Verdict faster = honestVerdict(source, 100, &baseline, 1.3);
    Verdict slower = honestVerdict(source, 150, &baseline, 0.7);
    QVERIFY(compareAgain(faster, faster).differences.empty());
    QVERIFY(!compareAgain(faster, slower).differences.empty()); // the opposite, on the same device
    slower.device = "another processor";
    QVERIFY(compareAgain(faster, slower).differences.empty());
    QVERIFY(compareAgain(faster, slower).notes.back().find("not compared") != std::string::npos);
    Verdict wrong;
    wrong.kind = VerdictKind::wrong;
    QVERIFY(!compareAgain(faster, wrong).differences.empty());
    QVERIFY(!compareAgain(wrong, faster).differences.empty());
    QVERIFY(compareAgain(wrong, wrong).differences.empty());
}

QTEST_APPLESS_MAIN(ReportRecomputation)
#include "report_recomputation.moc"
