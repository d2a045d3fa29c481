// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/judge/folder_batch.h"
#include "core/judge/folder_job.h"
#include "core/problem/problem.h"

#include <QTest>
#include <algorithm>
#include <fcntl.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace gks;

namespace {

namespace fs = std::filesystem;

// The other machine, with an evaluator that writes down what it is asked and always gives the same verdict.
struct Machine {
    Machine() {
        fs::create_directories(options.in);
        Verdict verdict;
        verdict.kind = VerdictKind::correct;
        verdict.reason = "as always";
        answerWith(verdict);
        options.settle = std::chrono::milliseconds(0);
        options.evaluator.command = {"/bin/sh", "-c",
                                     "while read -r line; do printf '%s\\n' \"$line\" >> '" + asked().string() +
                                         "'; cat '" + answer().string() + "'; done"};
    }
    void answerWith(const Verdict& verdict) const {
        QVERIFY(writeFileAtomically(answer(), toJson("job", VerdictEvent{verdict}).dump() + "\n"));
    }
    fs::path asked() const { return folder.path() / "asked"; }
    fs::path answer() const { return folder.path() / "answer"; }

    // A job on a built-in pack, edited; its name.
    std::string put(const std::string& source, const std::function<void(FolderJob&)>& edit = {}) const {
        FolderJob job;
        job.request.problem = "sum-reduction";
        job.request.source = source;
        job.pack = readPackFiles(loadProblemPack("sum-reduction")->folder).value();
        if (edit) {
            edit(job);
        }
        return putText(jobText(job));
    }
    std::string putText(const std::string& text) const {
        const std::string name = sha256Hex(text);
        return writeFileAtomically(options.in / jobFileName(name), text) ? name : std::string();
    }
    BatchSummary work() {
        said.clear();
        return workOffJobs(options, [this](const std::string& line) { said += line + "\n"; }, stop.get_token()).value();
    }
    bool says(const std::string& words) const { return said.find(words) != std::string::npos; }
    Result<FolderResult> result(const std::string& job) const {
        const auto text = readFile(options.out / resultFileName(job));
        return text ? resultFromText(*text, "result") : Result<FolderResult>(tl::unexpected(text.error()));
    }
    // What the evaluator was asked, one request a line.
    std::vector<Json> requests() const {
        std::vector<Json> found;
        const std::string text = readFile(asked()).value_or("");
        std::size_t at = 0;
        for (std::size_t end = text.find('\n'); end != std::string::npos; at = end + 1, end = text.find('\n', at)) {
            found.push_back(parseJson(text.substr(at, end - at), "request").value());
        }
        return found;
    }

    TemporaryDirectory folder = TemporaryDirectory::create("gks-batch").value();
    BatchOptions options = {folder.path() / "jobs", folder.path() / "results"};
    std::stop_source stop;
    std::string said;
};

} // namespace

// What the machine does that no program may reach: every job once, whatever was carried there.
class JudgeFolderBatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyJobOnce();
    void takenResultIsDone();
    void otherProgramsJobIsLeftAlone();
    void badJobsSayWhy_data();
    void badJobsSayWhy();
    void damagedJobIsDoneWhenItArrivesWhole();
    void packFromElsewhereWaitsForAnAnswer();
    void probesAreBuiltIn();
    void whatTheJobMayNotDecide();
    void otherTargetsAreLeft();
    void stoppedJobIsBegunAgain();
    void brokenMachineEnds();
    void minutesAreOver();
};

void JudgeFolderBatch::everyJobOnce() {
    Machine machine;
    const std::string a = machine.put("int a;\n");
    const std::string b = machine.put("int b;\n");
    QVERIFY(writeFileAtomically(machine.options.in / "README", "no job"));
    QCOMPARE(machine.work().evaluated, 2);
    QVERIFY(machine.says(shortJobName(a) + "  as always") || machine.says(shortJobName(a) + "  correct: as always"));
    QCOMPARE(std::count(machine.said.begin(), machine.said.end(), '\n'), std::ptrdiff_t{2});
    for (const std::string& job : {a, b}) {
        QCOMPARE(machine.result(job)->job, job);
        QVERIFY(machine.result(job)->verdict.kind == VerdictKind::correct);
    }
    QCOMPARE(machine.work().evaluated, 0);
    QCOMPARE(machine.requests().size(), std::size_t{2});
    QCOMPARE(machine.requests().front()["problem"].get<std::string>(), std::string("sum-reduction"));
}

// The folders may be the same ones on a disk that both machines see.
void JudgeFolderBatch::takenResultIsDone() {
    Machine machine;
    const std::string job = machine.put("int a;\n");
    machine.work();
    for (const char* where : {takenFolder, lateFolder}) {
        const fs::path away = machine.options.out / where;
        fs::create_directories(away);
        fs::rename(machine.options.out / resultFileName(job), away / resultFileName(job));
        QCOMPARE(machine.work().evaluated, 0);
        fs::rename(away / resultFileName(job), machine.options.out / resultFileName(job));
    }
    fs::create_directories(machine.options.out / refusedFolder); // it did not arrive: once more
    fs::rename(machine.options.out / resultFileName(job), machine.options.out / refusedFolder / resultFileName(job));
    QCOMPARE(machine.work().evaluated, 1);
}

void JudgeFolderBatch::otherProgramsJobIsLeftAlone() {
    Machine machine;
    const std::string job = machine.put("int a;\n");
    const int held = ::open((machine.options.in / jobFileName(job)).c_str(), O_RDONLY | O_CLOEXEC);
    QCOMPARE(::flock(held, LOCK_EX), 0);
    machine.options.minutes = 0.002;
    QCOMPARE(machine.work().evaluated, 0);
    ::close(held); // as when it is killed
    machine.options.minutes.reset();
    QCOMPARE(machine.work().evaluated, 1);
}

void JudgeFolderBatch::badJobsSayWhy_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("nonsense") << QStringLiteral("nonsense") << QStringLiteral("invalid JSON");
    QTest::newRow("no-job") << QStringLiteral("{}") << QStringLiteral("is missing");
    QTest::newRow("other-kind") << QStringLiteral(R"({"kernel_scientist": "result", "format": 1})")
                                << QStringLiteral("is no job");
    QTest::newRow("other-format") << QStringLiteral(R"({"kernel_scientist": "job", "format": 2})")
                                  << QStringLiteral("has format 2");
    const QString begin = QStringLiteral(R"({"kernel_scientist": "job", "format": 1, "rules": 4, "request": {"request":
        "evaluate", "id": "job", "problem": "x", "source": "s", "target": ")");
    QTest::newRow("no-target") << begin + QStringLiteral("moon\"}, \"pack\": {\"problem.toml\": \"\"}}")
                               << QStringLiteral("unknown target");
    QTest::newRow("name-leads-out") << begin + QStringLiteral("cpu\"}, \"pack\": {\"../problem.toml\": \"\"}}")
                                    << QStringLiteral("a problem pack has a file called");
    QTest::newRow("absolute") << begin + QStringLiteral("cpu\"}, \"pack\": {\"/etc/problem.toml\": \"\"}}")
                              << QStringLiteral("a problem pack has a file called");
    QTest::newRow("hidden") << begin + QStringLiteral("cpu\"}, \"pack\": {\"seeds/.profile\": \"\"}}")
                            << QStringLiteral("a problem pack has a file called");
    QTest::newRow("no-pack") << begin + QStringLiteral("cpu\"}, \"pack\": {}}") << QStringLiteral("no files");
}

void JudgeFolderBatch::badJobsSayWhy() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    Machine machine;
    const std::string bad = machine.putText(text.toStdString());
    const std::string good = machine.put("int a;\n");
    const BatchSummary summary = machine.work();
    QCOMPARE(summary.refused, 1);
    QCOMPARE(summary.evaluated, 1);
    const auto result = machine.result(bad);
    QVERIFY(result && result->verdict.kind == VerdictKind::infrastructureFailed);
    QVERIFY2(result->verdict.reason.find(says.toStdString()) != std::string::npos, result->verdict.reason.c_str());
    QVERIFY(machine.result(good));
    QCOMPARE(machine.work().refused, 0); // said once
}

void JudgeFolderBatch::damagedJobIsDoneWhenItArrivesWhole() {
    Machine machine;
    const std::string job = machine.put("int a;\n");
    const fs::path file = machine.options.in / jobFileName(job);
    const std::string whole = readFile(file).value();
    QVERIFY(writeFileAtomically(file, whole.substr(0, whole.size() / 2)));
    QCOMPARE(machine.work().refused, 1);
    QVERIFY(machine.result(job)->content != job);
    QVERIFY(machine.result(job)->verdict.reason.find("arrived damaged") != std::string::npos);
    QCOMPARE(machine.work().refused, 0);
    QVERIFY(writeFileAtomically(file, whole));
    QCOMPARE(machine.work().evaluated, 1);
    QCOMPARE(machine.result(job)->content, job);
}

void JudgeFolderBatch::packFromElsewhereWaitsForAnAnswer() {
    Machine machine;
    const std::string job = machine.put("int a;\n", [](FolderJob& changed) { changed.pack.front().content += "\n"; });
    QCOMPARE(machine.work().untrusted, 1);
    QVERIFY(machine.says("--trust pack"));
    QVERIFY(!machine.result(job) && machine.requests().empty());
    machine.options.trustPacks = true;
    QCOMPARE(machine.work().evaluated, 1);
    const std::string folder = machine.requests().front()["problem"].get<std::string>();
    QVERIFY2(folder.starts_with("/") && folder.find("gks-pack") != std::string::npos, folder.c_str());
    QVERIFY(!fs::exists(folder)); // gone with the program
}

void JudgeFolderBatch::probesAreBuiltIn() {
    Machine machine;
    machine.put("// probe: a\n", [](FolderJob& job) {
        job.request.problem = "probe";
        job.pack = readPackFiles(loadProblemPack("probe")->folder).value();
    });
    QCOMPARE(machine.work().evaluated, 1);
    QCOMPARE(machine.requests().front()["problem"].get<std::string>(), std::string("probe"));
}

void JudgeFolderBatch::whatTheJobMayNotDecide() {
    Machine machine;
    FolderJob job;
    job.request.problem = "sum-reduction";
    job.request.source = "int a;\n";
    job.pack = readPackFiles(loadProblemPack("sum-reduction")->folder).value();
    const std::string text = replaceAll(jobText(job), "\"allow_no_sandbox\":false", "\"allow_no_sandbox\":true");
    QVERIFY(text != jobText(job));
    machine.putText(text);
    machine.options.device = 5;
    QCOMPARE(machine.work().evaluated, 1);
    QCOMPARE(machine.requests().front()["allow_no_sandbox"].get<bool>(), false);
    QCOMPARE(machine.requests().front()["device"].get<int>(), 5);
}

void JudgeFolderBatch::otherTargetsAreLeft() {
    Machine machine;
    const std::string amd = machine.put("int a;\n", [](FolderJob& job) { job.request.target = TargetKind::amd; });
    const std::string cpu = machine.put("int b;\n");
    machine.options.target = TargetKind::amd;
    QCOMPARE(machine.work().evaluated, 1);
    QVERIFY(machine.result(amd) && !machine.result(cpu));
}

void JudgeFolderBatch::stoppedJobIsBegunAgain() {
    Machine machine;
    const std::string job = machine.put("int a;\n");
    const auto command = machine.options.evaluator.command;
    machine.options.evaluator.command = {"/bin/sh", "-c",
                                         "read -r line; echo asked > '" + machine.asked().string() + "'; read -r line"};
    std::jthread person([&] {
        while (!fs::exists(machine.asked())) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        machine.stop.request_stop();
    });
    QCOMPARE(machine.work().evaluated, 0);
    QVERIFY(!machine.result(job));
    machine.stop = std::stop_source();
    machine.options.evaluator.command = command;
    QCOMPARE(machine.work().evaluated, 1);
    QVERIFY(machine.result(job));
}

void JudgeFolderBatch::brokenMachineEnds() {
    Machine machine;
    Verdict hung;
    hung.reason = "the device did not answer";
    hung.next = "Reset the device";
    hung.deviceTrouble = DeviceTrouble::hung;
    machine.answerWith(hung);
    machine.put("int a;\n");
    machine.put("int b;\n");
    const BatchSummary summary = machine.work();
    QCOMPARE(summary.evaluated, 1);
    QVERIFY(summary.end && summary.end->message().find("Reset the device") != std::string::npos);
}

void JudgeFolderBatch::minutesAreOver() {
    Machine machine;
    machine.put("int a;\n");
    machine.options.minutes = 0;
    QCOMPARE(machine.work().evaluated, 0);
}

QTEST_APPLESS_MAIN(JudgeFolderBatch)
#include "judge_folder_batch.moc"
