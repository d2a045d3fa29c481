// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/engine/job_folder.h"
#include "core/judge/folder_batch.h"
#include "core/judge/folder_job.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <algorithm>
#include <functional>
#include <future>

using namespace gks;
using namespace gks::test;

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience(30);
const std::string baseline = "int baseline;\n";

EvaluationRequest requestOf(const std::string& source) {
    EvaluationRequest request;
    request.id = "00007-1";
    request.problem = "sum-reduction";
    request.source = source;
    request.baseline = baseline;
    request.measureSeconds = 1;
    request.timeoutSeconds = 60;
    return request;
}

Verdict verdictOf(const std::string& source) {
    return honestVerdict(source, 100, &baseline, 1.3);
}

bool comesTrue(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

// An evaluation that waits on a thread of its own.
struct Asked {
    Asked() = default;
    Asked(Asked&&) = default;
    Asked& operator=(Asked&&) = default;
    ~Asked() { stop.request_stop(); } // the future waits for its thread
    std::stop_source stop;
    std::future<JobFolder::Outcome> outcome;

    bool isThere() const { return outcome.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
    JobFolder::Outcome get() {
        if (outcome.wait_for(patience) != std::future_status::ready) {
            stop.request_stop();
        }
        return outcome.get();
    }
    JobFolder::Outcome cancelled() {
        stop.request_stop();
        return outcome.get();
    }
};

// This machine's side, and the hands of who carries files.
struct Hands {
    explicit Hands(int capacity = 4) {
        options.folder = folder.path();
        options.label = "folder:there";
        options.capacity = capacity;
        options.look = std::chrono::milliseconds(2);
        options.settle = std::chrono::milliseconds(0);
        options.late = std::chrono::hours(1);
        open();
    }
    void open() {
        jobs.reset();
        jobs = JobFolder::open(options).value();
        jobs->speakTo([this](const EngineEvent& event) {
            const std::lock_guard lock(mutex);
            if (const auto* warning = std::get_if<WarningRaised>(&event)) {
                said += warning->error.message() + "\n";
            } else if (const auto* activity = std::get_if<ActivityChanged>(&event)) {
                shown.push_back(activity->detail);
            }
        });
    }
    Asked ask(const std::string& source) const { return ask(requestOf(source)); }
    Asked ask(const EvaluationRequest& request) const {
        Asked asked;
        asked.outcome = std::async(std::launch::async, [jobsThere = jobs, request, token = asked.stop.get_token()] {
            return jobsThere->evaluate(request, token);
        });
        return asked;
    }
    // Waits until so many jobs lie in `out`; by source.
    std::map<std::string, std::string> sent(std::size_t count) const {
        std::map<std::string, std::string> found;
        comesTrue([&] {
            found.clear();
            for (const auto& entry : fs::directory_iterator(folder.path() / "out")) {
                const auto job = jobOfJobFile(entry.path().filename().string());
                const auto text = job ? readFile(entry.path()) : Result<std::string>();
                const auto parsed = job ? jobFromText(text.value_or(""), "job") : Result<FolderJob>();
                if (job && parsed) {
                    found[parsed->request.source] = *job;
                }
            }
            return found.size() >= count;
        });
        return found;
    }
    void put(const std::string& job, const std::string& text) const { QVERIFY(writeFileAtomically(in(job), text)); }
    void answer(const std::string& job, const std::string& source) const {
        put(job, resultText({job, job, verdictOf(source)}));
    }
    fs::path in(const std::string& job, const char* below = "") const {
        return folder.path() / "in" / below / resultFileName(job);
    }
    std::string heard() const {
        const std::lock_guard lock(mutex);
        return said;
    }
    bool hears(const std::string& words) const {
        return comesTrue([&] { return heard().find(words) != std::string::npos; });
    }

    TemporaryDirectory folder = TemporaryDirectory::create("gks-lane").value();
    JobFolder::Options options;
    std::shared_ptr<JobFolder> jobs;
    mutable std::mutex mutex;
    std::string said;
    std::vector<std::string> shown;
};

std::string edited(const std::string& job, const std::string& source, const std::function<void(Verdict&)>& edit) {
    Verdict verdict = verdictOf(source);
    edit(verdict);
    return resultText({job, job, verdict});
}

using Forge = std::function<std::string(const std::string& job, const std::string& source)>;

} // namespace
Q_DECLARE_METATYPE(Forge)

// A lane that is a folder: jobs out, results in, by hands that lose, double, delay and damage them.
class EngineJobFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jobIsWholeAndNamedByItsContent();
    void anchorsAreCarriedWithTheirPack();
    void resultsComeInAnyOrder();
    void countedOnceAndWantedAgain();
    void restartFindsItsJob();
    void restartFindsItsResult();
    void lateOnesAreNeverCounted();
    void whatMayStillBeAskedForIsNotLate();
    void whatDoesNotFitIsRefused_data();
    void whatDoesNotFitIsRefused();
    void linkIsNotFollowed();
    void halfAFileIsAwaited();
    void missingIsSpokenOfAndHoldsNobodyUp();
    void failureThereIsNoMoreThanThat();
    void oneProgramForEachFolder();
    void linkedFolderIsRefused();
    void awaySaysHowLong();
};

void EngineJobFolder::jobIsWholeAndNamedByItsContent() {
    Hands hands;
    Asked asked = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    const std::string text = readFile(hands.folder.path() / "out" / jobFileName(job)).value();
    QCOMPARE(sha256Hex(text), job);
    const FolderJob parsed = jobFromText(text, "job").value();
    QCOMPARE(parsed.request.problem, std::string("sum-reduction"));
    QCOMPARE(parsed.request.baseline.value(), baseline);
    QCOMPARE(parsed.rules, currentRules);
    QVERIFY(packContentSha256(parsed.pack) == packContentSha256(loadProblemPack("sum-reduction")->folder).value());
    QVERIFY(asked.cancelled().job.empty());
}

// The job names the anchor, the pack beside it has the source, and a verdict of another source does not fit.
void EngineJobFolder::anchorsAreCarriedWithTheirPack() {
    const TemporaryDirectory place = TemporaryDirectory::create("gks-anchors").value();
    const fs::path pack = place.path() / "sum-reduction";
    const std::string source = "// a library\n";
    fs::copy(loadProblemPack("sum-reduction")->folder, pack, fs::copy_options::recursive);
    fs::permissions(pack / "problem.toml", fs::perms::owner_write, fs::perm_options::add);
    QVERIFY(makeDirectories(pack / "anchors") && writeFileAtomically(pack / "anchors/cub.cpp", source) &&
            writeFileAtomically(pack / "problem.toml",
                                readFile(pack / "problem.toml").value() +
                                    "\n[[anchor]]\nname = \"cub\"\ntitle = \"CUB\"\ntarget = \"nvidia\"\nsource = "
                                    "\"anchors/cub.cpp\"\nlibraries = [\"cudart\"]\n"));
    EvaluationRequest request = requestOf("");
    request.problem = pack.string();
    request.anchor = "cub";
    Hands hands;
    Asked asked = hands.ask(request);
    const std::string job = hands.sent(1)[""];
    const auto parsed = jobFromText(readFile(hands.folder.path() / "out" / jobFileName(job)).value(), "job");
    QVERIFY2(parsed, parsed ? "" : parsed.error().message().c_str());
    QCOMPARE(parsed->request.anchor, std::string("cub"));
    QVERIFY(std::any_of(parsed->pack.begin(), parsed->pack.end(), [&](const PackFile& file) {
        return file.name == "anchors/cub.cpp" && file.content == source;
    }));
    hands.answer(job, "int candidate;\n");
    QVERIFY(hands.hears("its verdict is of another kernel"));
    hands.answer(job, source);
    const JobFolder::Outcome outcome = asked.get();
    QVERIFY2(outcome.verdict.kind == VerdictKind::faster, outcome.verdict.reason.c_str());
    QCOMPARE(outcome.verdict.kernelSha256, sha256Hex(source));
}

void EngineJobFolder::resultsComeInAnyOrder() {
    Hands hands;
    const std::vector<std::string> sources = {"int a;\n", "int b;\n", "int c;\n"};
    std::vector<Asked> asked;
    for (const std::string& source : sources) {
        asked.push_back(hands.ask(source));
    }
    auto jobs = hands.sent(3);
    QCOMPARE(jobs.size(), std::size_t{3});
    for (const std::size_t i : {std::size_t{2}, std::size_t{0}, std::size_t{1}}) {
        hands.answer(jobs[sources[i]], sources[i]);
        const JobFolder::Outcome outcome = asked[i].get();
        QVERIFY(outcome.verdict.kind == VerdictKind::faster);
        QCOMPARE(outcome.verdict.kernelSha256, sha256Hex(sources[i]));
        QCOMPARE(outcome.job, jobs[sources[i]]);
    }
    QCOMPARE(hands.heard(), std::string());
}

void EngineJobFolder::countedOnceAndWantedAgain() {
    Hands hands;
    Asked first = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    hands.answer(job, "int a;\n");
    QCOMPARE(first.get().job, job);
    QVERIFY(fs::exists(hands.in(job))); // until it is kept, a kill loses nothing
    hands.jobs->kept(job);
    QVERIFY(fs::exists(hands.in(job, takenFolder)) && !fs::exists(hands.in(job)));
    QVERIFY(!fs::exists(hands.folder.path() / "out" / jobFileName(job)));
    Asked second = hands.ask("int a;\n");
    const std::string again = hands.sent(1)["int a;\n"];
    QVERIFY(again != job);
    hands.answer(job, "int a;\n"); // the old file once more
    QVERIFY(hands.hears("came twice"));
    QVERIFY(fs::exists(hands.in(job, lateFolder)) && !second.isThere());
    hands.answer(again, "int a;\n");
    QCOMPARE(second.get().job, again);
}

void EngineJobFolder::restartFindsItsJob() {
    Hands hands;
    Asked before = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    QCOMPARE(before.cancelled().verdict.reason, std::string("cancelled"));
    hands.open();
    Asked after = hands.ask("int a;\n");
    hands.answer(job, "int a;\n");
    QCOMPARE(after.get().job, job);
    QCOMPARE(hands.sent(1).size(), std::size_t{1});
}

void EngineJobFolder::restartFindsItsResult() {
    Hands hands;
    Asked before = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    static_cast<void>(before.cancelled());
    fs::remove(hands.folder.path() / "out" / jobFileName(job)); // carried away
    hands.answer(job, "int a;\n");
    hands.open();
    QCOMPARE(hands.ask("int a;\n").get().job, job);
    QVERIFY(!fs::exists(hands.folder.path() / "out" / jobFileName(job)));
}

void EngineJobFolder::lateOnesAreNeverCounted() {
    Hands hands;
    hands.options.late = std::chrono::milliseconds(0);
    hands.open();
    Asked given = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    static_cast<void>(given.cancelled());
    Asked other = hands.ask("int b;\n");
    hands.answer(job, "int a;\n");
    QVERIFY(hands.hears("came late: nobody waits for it any more"));
    QVERIFY(fs::exists(hands.in(job, lateFolder)) && !other.isThere());
    Asked again = hands.ask("int a;\n");
    fs::remove(hands.folder.path() / "out" / jobFileName(job));
    QVERIFY(hands.sent(2)["int a;\n"] != job);
    static_cast<void>(again.cancelled());
    static_cast<void>(other.cancelled());
}

// With all slots taken the loop cannot have asked for it yet.
void EngineJobFolder::whatMayStillBeAskedForIsNotLate() {
    Hands hands(2);
    hands.options.late = std::chrono::milliseconds(0);
    hands.open();
    Asked given = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    static_cast<void>(given.cancelled());
    hands.open();
    Asked one = hands.ask("int b;\n");
    Asked two = hands.ask("int c;\n");
    QCOMPARE(hands.sent(3).size(), std::size_t{3});
    hands.answer(job, "int a;\n");
    const std::string garbage = hands.sent(3)["int b;\n"];
    hands.put(garbage, "{}\n"); // looked at after the one that lay there before
    QVERIFY(hands.hears("is not counted"));
    QVERIFY(fs::exists(hands.in(job)));
    QCOMPARE(hands.ask("int a;\n").get().job, job);
    static_cast<void>(one.cancelled());
    static_cast<void>(two.cancelled());
}

void EngineJobFolder::whatDoesNotFitIsRefused_data() {
    QTest::addColumn<Forge>("forge");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* says, Forge forge) {
        QTest::newRow(name) << std::move(forge) << QString::fromLatin1(says);
    };
    const auto verdict = [&](const char* name, const char* says, std::function<void(Verdict&)> edit) {
        row(name, says,
            [edit](const std::string& job, const std::string& source) { return edited(job, source, edit); });
    };
    const auto honest = [](const std::string& job, const std::string& source) {
        return resultText({job, job, verdictOf(source)});
    };
    row("truncated", "is cut off", [=](const std::string& job, const std::string& source) {
        const std::string text = honest(job, source);
        return text.substr(0, text.size() / 2);
    });
    row("altered", "was altered", [=](const std::string& job, const std::string& source) {
        return replaceAll(honest(job, source), "\"verdict\":\"faster\"", "\"verdict\":\"slower\"");
    });
    row("longer", "was altered",
        [=](const std::string& job, const std::string& source) { return honest(job, source) + "\n"; });
    row("no-result", "is no result", [](const std::string&, const std::string&) { return std::string(2000, 'x'); });
    row("no-json", "invalid JSON", [](const std::string&, const std::string&) { return std::string("nonsense\n\n"); });
    row("other-form", "has format 9", [=](const std::string& job, const std::string& source) {
        return replaceAll(honest(job, source), "\"format\":1", "\"format\":9");
    });
    row("other-job", "of another job", [](const std::string&, const std::string& source) {
        const std::string other = sha256Hex("other");
        return resultText({other, other, verdictOf(source)});
    });
    row("damaged-there", "arrived damaged", [](const std::string& job, const std::string& source) {
        return resultText({job, sha256Hex("half of it"), verdictOf(source)});
    });
    row("other-kernel", "of another kernel",
        [](const std::string& job, const std::string&) { return resultText({job, job, verdictOf("int other;\n")}); });
    verdict("other-conditions", "other conditions", [](Verdict& v) { v.conditions.measureSeconds = 2; });
    verdict("other-margin", "another margin", [](Verdict& v) { v.comparison->tieMarginPercent = 0.1; });
    verdict("other-target", "its verdict is of", [](Verdict& v) { v.target = "amd"; });
    verdict("other-rules", "judged by rules 3", [](Verdict& v) { v.rules = 3; });
    verdict("other-baseline", "does not fit its evidence",
            [](Verdict& v) { v.comparison->baselineSha256 = sha256Hex("int other;\n"); });
    verdict("no-comparison", "comparison is missing", [](Verdict& v) { v.comparison.reset(); });
    verdict("faster-than-measured", "does not fit its evidence", [](Verdict& v) { v.measurements[0].medianUs *= 0.5; });
    verdict("ratio", "does not fit its evidence", [](Verdict& v) { v.comparison->ratio *= 1.1; });
    verdict("check-left-out", "does not fit its evidence",
            [](Verdict& v) { v.verification.erase(v.verification.begin()); });
    verdict("no-device", "does not fit its evidence", [](Verdict& v) { v.device.clear(); });
}

void EngineJobFolder::whatDoesNotFitIsRefused() {
    QFETCH(Forge, forge);
    QFETCH(QString, says);
    Hands hands;
    Asked asked = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    hands.put(job, forge(job, "int a;\n"));
    QVERIFY2(hands.hears(says.toStdString()), hands.heard().c_str());
    QVERIFY(comesTrue([&] { return fs::exists(hands.in(job, refusedFolder)); }));
    QVERIFY(!asked.isThere());
    hands.answer(job, "int a;\n"); // a good copy of it
    QVERIFY(asked.get().verdict.kind == VerdictKind::faster);
}

void EngineJobFolder::linkIsNotFollowed() {
    Hands hands;
    Asked asked = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    const fs::path elsewhere = hands.folder.path() / "elsewhere";
    QVERIFY(writeFileAtomically(elsewhere, resultText({job, job, verdictOf("int a;\n")})));
    fs::create_symlink(elsewhere, hands.in(job));
    QVERIFY2(hands.hears("is a symbolic link"), hands.heard().c_str());
    QVERIFY(!asked.isThere() && fs::exists(elsewhere));
    static_cast<void>(asked.cancelled());
}

void EngineJobFolder::halfAFileIsAwaited() {
    Hands hands;
    hands.options.settle = std::chrono::hours(1);
    hands.open();
    Asked asked = hands.ask("int a;\n");
    Asked other = hands.ask("int b;\n");
    auto jobs = hands.sent(2);
    const std::string text = resultText({jobs["int a;\n"], jobs["int a;\n"], verdictOf("int a;\n")});
    hands.put(jobs["int a;\n"], text.substr(0, text.size() / 2));
    hands.answer(jobs["int b;\n"], "int b;\n");
    QVERIFY(other.get().verdict.kind == VerdictKind::faster); // both have been looked at
    QVERIFY(fs::exists(hands.in(jobs["int a;\n"])) && !asked.isThere());
    hands.put(jobs["int a;\n"], text);
    QVERIFY(asked.get().verdict.kind == VerdictKind::faster);
    QCOMPARE(hands.heard(), std::string());
}

void EngineJobFolder::missingIsSpokenOfAndHoldsNobodyUp() {
    Hands hands;
    hands.options.missing = std::chrono::milliseconds(0);
    hands.open();
    Asked lost = hands.ask("int a;\n");
    QVERIFY(hands.hears("(00007-1) has been away for"));
    Asked other = hands.ask("int b;\n");
    auto jobs = hands.sent(2);
    hands.answer(jobs["int b;\n"], "int b;\n");
    QVERIFY(other.get().verdict.kind == VerdictKind::faster);
    QVERIFY(!lost.isThere());
    const std::string said = hands.heard();
    const std::string name = shortJobName(jobs["int a;\n"]);
    QVERIFY(said.find(name) == said.rfind(name)); // once
    static_cast<void>(lost.cancelled());
}

void EngineJobFolder::failureThereIsNoMoreThanThat() {
    Hands hands;
    Asked asked = hands.ask("int a;\n");
    const std::string job = hands.sent(1)["int a;\n"];
    hands.put(job, edited(job, "int other;\n", [](Verdict& v) {
                  v.kind = VerdictKind::infrastructureFailed;
                  v.reason = "no sandbox works there";
              }));
    const Verdict verdict = asked.get().verdict;
    QVERIFY(verdict.kind == VerdictKind::infrastructureFailed);
    QCOMPARE(verdict.reason, std::string("no sandbox works there"));
    QVERIFY(verdict.measurements.empty() && verdict.geomeanUs == 0);
    QCOMPARE(verdict.kernelSha256, sha256Hex("int a;\n"));
}

void EngineJobFolder::oneProgramForEachFolder() {
    Hands hands;
    const auto second = JobFolder::open(hands.options);
    QVERIFY(!second);
    QVERIFY(second.error().message().find("another program uses this folder") != std::string::npos);
}

void EngineJobFolder::linkedFolderIsRefused() {
    const auto folder = TemporaryDirectory::create("gks-lane").value();
    const auto elsewhere = TemporaryDirectory::create("gks-lane").value();
    fs::create_directory_symlink(elsewhere.path(), folder.path() / "out");
    JobFolder::Options options;
    options.folder = folder.path();
    const auto opened = JobFolder::open(options);
    QVERIFY(!opened);
    QVERIFY(opened.error().message().find("symbolic link") != std::string::npos);
}

void EngineJobFolder::awaySaysHowLong() {
    constexpr Timestamp minute = 60'000;
    constexpr Timestamp at = 100 * minute;
    QCOMPARE(awayText({at}, at), std::string("1 job away"));
    QCOMPARE(awayText({at - 4 * minute, at, at - 4 * minute - 1}, at), std::string("3 jobs away, 2 since 4 min"));
    QCOMPARE(awayText({at - 2 * minute, at - 2 * minute}, at), std::string("2 jobs away since 2 min"));
    Hands hands;
    Asked asked = hands.ask("int a;\n");
    static_cast<void>(hands.sent(1));
    static_cast<void>(asked.cancelled());
    QVERIFY(hands.shown == std::vector<std::string>({"1 job away", ""}));
}

QTEST_APPLESS_MAIN(EngineJobFolder)
#include "engine_job_folder.moc"
