// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/judge/recorded_plans.h"
#include "core/report/bundle.h"
#include "core/report/replay.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <algorithm>
#include <functional>

using namespace gks;
using namespace gks::test;

using Edit = std::function<void(Verdict&)>;
using PlanEdit = std::function<void(RecordedPlans&)>;

// A forger has the bundle, this program and its source: all hashes are made again after every change here.
class ReportForged : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void forgedVerdict_data();
    void forgedVerdict();
    void alteredCircumstances_data();
    void alteredCircumstances();
    void forgedFile_data();
    void forgedFile();
    void forgedPlans_data();
    void forgedPlans();
    void deviceCodeLeftOut_data();
    void deviceCodeLeftOut();
    void aBundleWithoutPlansIsAskedAgain();
    void theMarginOfATieIsTheJudges();
    void claimMovedToAnotherVerdict();
    void timesWithWarmCachesAreNoClaim();

private:
    // Of the verdict of the claim; hashes and pages are made again.
    void editPlans(const PlanEdit& edit);

    std::optional<TemporaryDirectory> m_folder;
    std::filesystem::path m_bundle;
    BundleFiles m_pristine;
};

namespace {

bool agrees(const std::filesystem::path& bundle) {
    return worst(checkBundle(readBundle(bundle).value()).claims) != Outcome::differs;
}

// Every claim of a bundle that does not agree, as lines.
std::string problemsOf(const std::filesystem::path& bundle) {
    return claimLines(checkBundle(readBundle(bundle).value()).claims);
}

std::string subjectOf(const std::filesystem::path& bundle) {
    return manifestFromText(readFile(bundle / manifestName).value()).value().subject;
}

void dropRound(Verdict& verdict) {
    for (MeasurementFact& fact : verdict.measurements) {
        const auto count = static_cast<std::size_t>(2 * fact.roundBlocks.back());
        fact.roundBlocks.pop_back();
        fact.sampleUs.resize(fact.sampleUs.size() - count);
        fact.baselineSampleUs.resize(fact.baselineSampleUs.size() - count);
    }
    concludeAgain(verdict);
}

void dropBlocks(Verdict& verdict) {
    for (MeasurementFact& fact : verdict.measurements) {
        for (int& blocks : fact.roundBlocks) {
            --blocks;
        }
        const std::size_t count = fact.sampleUs.size() - 2 * fact.roundBlocks.size();
        fact.sampleUs.resize(count);
        fact.baselineSampleUs.resize(count);
    }
    const std::string sentence = verdict.reason;
    concludeAgain(verdict);
    verdict.reason = sentence;
}

} // namespace
Q_DECLARE_METATYPE(Edit)
Q_DECLARE_METATYPE(PlanEdit)

void ReportForged::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("gks-forged").value());
    const auto file = m_folder->path() / "a.gks";
    makeEvidenceCampaign(file);
    m_bundle = m_folder->path() / "bundle";
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    QVERIFY(writeBundle(readEvidence(*store).value(), m_bundle));
    m_pristine = readAll(m_bundle);
    QCOMPARE(QString::fromStdString(problemsOf(m_bundle)), QString());
    editVerdict(m_bundle / subjectOf(m_bundle), [](Verdict&) {});
    forgeManifest(m_bundle);
    QCOMPARE(QString::fromStdString(problemsOf(m_bundle)), QString());
}

void ReportForged::cleanup() {
    std::filesystem::remove_all(m_bundle);
    for (const auto& [path, content] : m_pristine) {
        QVERIFY(makeDirectories((m_bundle / path).parent_path()));
        QVERIFY(writeFileAtomically(m_bundle / path, content));
    }
}

void ReportForged::forgedVerdict_data() {
    QTest::addColumn<Edit>("edit");
    const auto row = [](const char* name, Edit edit) { QTest::newRow(name) << edit; };
    row("no samples", [](Verdict& v) {
        for (MeasurementFact& fact : v.measurements) {
            fact.sampleUs.clear();
            fact.baselineSampleUs.clear();
        }
    });
    row("no samples of the baseline", [](Verdict& v) {
        for (MeasurementFact& fact : v.measurements) {
            fact.baselineSampleUs.clear();
        }
    });
    row("no samples of the baseline on one shape", [](Verdict& v) { v.measurements[0].baselineSampleUs.clear(); });
    row("fewer samples than claimed", [](Verdict& v) { v.measurements[0].sampleUs.pop_back(); });
    row("a round less, all computed again", dropRound);
    row("a block less in every round, all computed again but the sentence", dropBlocks);
    row("one shape less, all computed again", [](Verdict& v) {
        v.measurements.pop_back();
        concludeAgain(v);
    });
    row("samples that give another interval", [](Verdict& v) { v.measurements[0].sampleUs[3] *= 0.5; });
    row("samples that are no times, all computed again", [](Verdict& v) {
        v.measurements[0].sampleUs[3] = -1;
        concludeAgain(v);
    });
    row("edited interval", [](Verdict& v) { v.comparison->ci95.low *= 1.01; });
    row("edited sentence", [](Verdict& v) { v.reason = "faster: 9.87x the speed of the baseline"; });
    row("words in the sentence", [](Verdict& v) { v.reason += ", as its makers confirm"; });
    row("clock", [](Verdict& v) {
        for (MeasurementFact& fact : v.measurements) {
            fact.clock = "GPU events, clocks locked, 1 card";
        }
        concludeAgain(v);
    });
    row("device", [](Verdict& v) { v.device = "another processor"; });
    row("timed threads that the device does not have", [](Verdict& v) {
        v.device = "some processor (4 threads)";
        v.environment["timed_threads"] = "8";
    });
    row("fewer processors than the device has", [](Verdict& v) {
        v.device = "some processor (4 threads)";
        v.environment["timed_threads"] = "2";
        v.environment["cpu_count"] = "2";
    });
    row("measured shapes", [](Verdict& v) { v.measurements[0].shape = {{"n", 123456789}}; });
    row("choice of shapes", [](Verdict& v) { v.conditions.shapes = "all"; });
    row("checks left out", [](Verdict& v) { v.verification.resize(1); });
    row("held-out shapes left out, by rules that nobody had", [](Verdict& v) {
        std::erase_if(v.verification, [](const VerificationFact& fact) { return fact.isSecret(); });
        v.rules = 0;
    });
    row("large shapes left out, by the rules before they were drawn", [](Verdict& v) {
        std::erase_if(v.verification, [](const VerificationFact& fact) {
            return fact.phase.starts_with(phase::largest) || fact.phase == phase::heldOutDrawn;
        });
        v.rules = largeShapesRules;
    });
    for (const std::string_view phase :
         {phase::reversed, phase::heldOutDrawn, phase::everyTimedCall, phase::betweenTimedCalls, phase::timedCall}) {
        row(("left out: " + std::string(phase)).c_str(), [phase](Verdict& v) {
            std::erase_if(v.verification, [&](const VerificationFact& fact) { return fact.phase == phase; });
        });
    }
    row("a drawn shape left out", [](Verdict& v) {
        const auto drawn = std::find_if(v.verification.begin(), v.verification.end(),
                                        [](const auto& fact) { return fact.phase == phase::heldOutDrawn; });
        std::erase_if(v.verification, [shape = drawn->shape](const auto& fact) { return fact.shape == shape; });
    });
    row("another shape called a drawn one", [](Verdict& v) {
        VerificationFact more = v.verification.front();
        more.phase = phase::heldOutDrawn;
        v.verification.push_back(more);
    });
    row("a drawn shape with other extents", [](Verdict& v) {
        for (VerificationFact& fact : v.verification) {
            if (fact.phase == phase::heldOutDrawn) {
                fact.shape.begin()->second += 1;
            }
        }
    });
    row("another seed of the drawn shapes",
        [](Verdict& v) { v.shapeSeed.front() = v.shapeSeed[0] == '0' ? '1' : '0'; });
    row("no seed of the drawn shapes", [](Verdict& v) { v.shapeSeed.clear(); });
    row("a seed that is none", [](Verdict& v) { v.shapeSeed = "of my own"; });
    row("fewer calls probed than timed", [](Verdict& v) {
        for (VerificationFact& fact : v.verification) {
            fact.calls = fact.phase == phase::everyTimedCall ? fact.calls - 1 : fact.calls;
        }
    });
    row("problem", [](Verdict& v) { v.problem = "fp8-gemm"; });
    row("share of the error for looking", [](Verdict& v) {
        v.conditions.measureSeconds = 10;
        concludeAgain(v);
    });
}

void ReportForged::forgedVerdict() {
    QFETCH(Edit, edit);
    editVerdict(m_bundle / subjectOf(m_bundle), edit);
    for (const bool withPages : {false, true}) { // they alone would betray most
        withPages ? forgeEverything(m_bundle) : forgeManifest(m_bundle);
        QVERIFY(readBundle(m_bundle).value().damage.empty()); // every hash fits
        QVERIFY2(!agrees(m_bundle), withPages ? "it agrees, with its pages" : "it agrees");
    }
}

void ReportForged::alteredCircumstances_data() {
    QTest::addColumn<Edit>("edit");
    const auto row = [](const char* name, Edit edit) { QTest::newRow(name) << edit; };
    row("toolchain", [](Verdict& v) { v.build.toolchain = "clang 99"; });
    row("environment", [](Verdict& v) { v.environment["governor"] = "performance"; });
    row("sandbox", [](Verdict& v) { v.sandbox = "landlock"; });
    row("device everywhere", [](Verdict& v) { v.device = v.environment["cpu"] = "another processor"; });
    row("all times halved", [](Verdict& v) {
        for (MeasurementFact& fact : v.measurements) {
            for (auto* series : {&fact.sampleUs, &fact.baselineSampleUs}) {
                std::transform(series->begin(), series->end(), series->begin(), [](double us) { return us / 2; });
            }
        }
        concludeAgain(v);
    });
}

// What only the pages still tell; who makes those again too is left to the new measurement.
void ReportForged::alteredCircumstances() {
    QFETCH(Edit, edit);
    editVerdict(m_bundle / subjectOf(m_bundle), edit);
    forgeManifest(m_bundle);
    QVERIFY(readBundle(m_bundle).value().damage.empty());
    QVERIFY2(!agrees(m_bundle), "it agrees");
    forgeEverything(m_bundle);
    QCOMPARE(QString::fromStdString(problemsOf(m_bundle)), QString());
}

// What replay would execute, beside a verdict that fits itself.
void ReportForged::forgedPlans_data() {
    QTest::addColumn<PlanEdit>("edit");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const char* why, PlanEdit edit) {
        QTest::newRow(name) << edit << QString::fromUtf8(why);
    };
    row("a fill outside", "not inside one output", [](RecordedPlans& p) {
        std::get<DeviceFill>(p.kernel.shapes.front().plan.operations.front().action).to += 64;
    });
    row("another kernel", "the module has no kernel", [](RecordedPlans& p) {
        std::get<KernelLaunch>(p.kernel.shapes.front().plan.operations.back().action).kernel = "_Z6fasterv";
    });
    row("tensors that are larger", "other tensors than the problem pack's",
        [](RecordedPlans& p) { p.kernel.shapes.front().addresses.tensors.front().bytes *= 2; });
    row("an input that may be written", "other tensors than the problem pack's",
        [](RecordedPlans& p) { p.kernel.shapes.front().addresses.tensors.front().isOutput = true; });
    row("a shape left out", "a plan was left out", [](RecordedPlans& p) { p.kernel.shapes.pop_back(); });
    row("a timed shape left out of the baseline's", "a plan was left out",
        [](RecordedPlans& p) { p.baseline->shapes.pop_back(); });
    row("no baseline", "a plan was left out", [](RecordedPlans& p) { p.baseline.reset(); });
    row("a shape left out, and called too large", "were too large to be kept", [](RecordedPlans& p) {
        p.kernel.shapes.pop_back();
        p.kernel.leftOut = 1;
    });
}

void ReportForged::editPlans(const PlanEdit& edit) {
    std::string plans = subjectOf(m_bundle);
    plans.replace(plans.rfind('/') + 1, std::string::npos, "plans.json");
    RecordedPlans forged = recordedPlansFromText(readFile(m_bundle / plans).value(), plans).value();
    edit(forged);
    QVERIFY(writeFileAtomically(m_bundle / plans, toJson(forged, CodeBytes::left).dump()));
    forgeEverything(m_bundle);
}

void ReportForged::forgedPlans() {
    QFETCH(PlanEdit, edit);
    QFETCH(QString, why);
    editPlans(edit);
    QVERIFY(readBundle(m_bundle).value().damage.empty());
    const QString problems = QString::fromStdString(problemsOf(m_bundle));
    QVERIFY2(problems.contains(why), qPrintable(problems));
}

void ReportForged::deviceCodeLeftOut_data() {
    QTest::addColumn<qulonglong>("bytes");
    QTest::addColumn<QString>("line");
    QTest::newRow("small enough") << qulonglong{11}
                                  << "device code: * | not in the bundle (differs, it was small enough";
    QTest::newRow("the largest that is kept")
        << qulonglong{deviceCodeLimitBytes} << "device code: * | not in the bundle (differs, it was small enough";
    QTest::newRow("of an earlier version") << qulonglong{0} << "device code: * | not in the bundle (not tested, ";
    QTest::newRow("too large") << qulonglong{deviceCodeLimitBytes + 1} << "";
}

void ReportForged::deviceCodeLeftOut() {
    QFETCH(qulonglong, bytes);
    QFETCH(QString, line);
    for (const auto& [path, content] : m_pristine) {
        if (path.starts_with("device/")) {
            std::filesystem::remove(m_bundle / path);
        }
    }
    for (const auto& [path, content] : m_pristine) {
        if (path.ends_with("/plans.json")) {
            RecordedPlans plans = recordedPlansFromText(content, path).value();
            plans.kernel.deviceCodeBytes = bytes;
            if (plans.baseline) {
                plans.baseline->deviceCodeBytes = bytes;
            }
            QVERIFY(writeFileAtomically(m_bundle / path, toJson(plans, CodeBytes::left).dump()));
        }
    }
    forgeEverything(m_bundle);
    QVERIFY(readBundle(m_bundle).value().damage.empty());
    const QString problems = QString::fromStdString(problemsOf(m_bundle));
    const QStringList parts = line.split(QStringLiteral("*"));
    QVERIFY2(line.isEmpty() ? problems.isEmpty() : problems.contains(parts.front()) && problems.contains(parts.back()),
             qPrintable(problems));
}

// A forged one would make a tie of any difference.
void ReportForged::theMarginOfATieIsTheJudges() {
    for (const double margin : {100.0, 0.5, 0.1}) {
        editVerdict(m_bundle / subjectOf(m_bundle), [&](Verdict& v) {
            v.comparison->tieMarginPercent = margin;
            concludeAgain(v);
        });
        forgeEverything(m_bundle);
        const Bundle bundle = readBundle(m_bundle).value();
        const BundleCheck check = checkBundle(bundle);
        const auto request = requestAgain(bundle, check.verdicts[*check.subject], m_folder->path() / "margin").value();
        QCOMPARE(request.tieMarginPercent, std::min(margin, EvaluationRequest().tieMarginPercent));
    }
}

// That is what earlier versions wrote. It says so, and the planner is asked instead.
void ReportForged::aBundleWithoutPlansIsAskedAgain() {
    for (const auto& [path, content] : m_pristine) {
        if (path.ends_with("/plans.json") || path.starts_with("device/")) {
            std::filesystem::remove(m_bundle / path);
        }
    }
    forgeEverything(m_bundle);
    QCOMPARE(QString::fromStdString(problemsOf(m_bundle)), QString());
    const BundleCheck check = checkBundle(readBundle(m_bundle).value());
    QVERIFY(std::any_of(check.claims.begin(), check.claims.end(), [](const Claim& claim) {
        return claim.outcome == Outcome::noted && claim.why.find("solve() is asked again") != std::string::npos;
    }));
    QVERIFY(!requestAgain(readBundle(m_bundle).value(), check.verdicts[*check.subject], m_folder->path() / "again")
                 .value()
                 .recorded);
}

void ReportForged::forgedFile_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    const auto row = [](const char* name, const char* file, const char* from, const char* to) {
        QTest::newRow(name) << file << from << to;
    };
    row("ratio in the page", "report.html", "2.00x", "3.00x");
    row("times in the page", "report.html", " us ", " ns ");
    row("device in the page", "report.html", "some processor", "better processor");
    row("more in the page", "report.html", "</body>", "<p>All of it is true.</p></body>");
    row("ratio in Markdown", "report.md", "2.00x", "3.00x");
    row("toolchain in Markdown", "report.md", "clang 19", "clang 99");
    row("title of a kernel", "campaign.json", "wide loads", "proven loads");
    row("hash of a kernel in the campaign", "campaign.json", "\"sha256\": \"", "\"sha256\": \"0");
    row("header of the problem", "problem/problem.h", "#pragma once", "#pragma once\n#define FASTER 1");
    row("shapes of the problem", "problem/problem.toml", "[4194304]]", "[4194305]]");
}

void ReportForged::forgedFile() {
    QFETCH(QString, file);
    QFETCH(QString, from);
    QFETCH(QString, to);
    replaceInFile(m_bundle / file.toStdString(), from.toStdString(), to.toStdString());
    forgeManifest(m_bundle);
    QVERIFY(readBundle(m_bundle).value().damage.empty());
    QVERIFY2(!agrees(m_bundle), "it agrees");
}

void ReportForged::timesWithWarmCachesAreNoClaim() {
    editVerdict(m_bundle / subjectOf(m_bundle), [](Verdict& v) { v.conditions.flushBytes = 4096; });
    forgeEverything(m_bundle);
    const Claims claims = checkBundle(readBundle(m_bundle).value()).claims;
    QVERIFY2(worst(claims) == Outcome::notTested, claimLines(claims).c_str());
    QVERIFY(claimLines(claims).find("cache flush") != std::string::npos);
}

void ReportForged::claimMovedToAnotherVerdict() {
    for (const char* subject : {"", "verdicts/00002-2/verdict.json"}) {
        Manifest manifest = manifestFromText(readFile(m_bundle / manifestName).value()).value();
        manifest.subject = subject;
        QVERIFY(writeFileAtomically(m_bundle / manifestName, manifest.text()));
        forgeManifest(m_bundle);
        QVERIFY2(!agrees(m_bundle), "it agrees");
    }
}

QTEST_APPLESS_MAIN(ReportForged)
#include "report_forged.moc"
