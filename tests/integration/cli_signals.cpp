// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/process.h"
#include "core/campaign/running.h"
#include "core/campaign/store.h"
#include "core/judge/protocol.h"
#include "tests/support/cli_run.h"
#include "tests/support/process_table.h"
#include "tests/support/scripted_server.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <functional>
#include <unistd.h>

using namespace gks;
using namespace gks::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Asked to end, a program ends: within two seconds whatever it does, with everything stored that was finished, its
// kernel left waiting, and no process of it left. The seconds are printed; on a busy machine the test waits longer.
class CliSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void commandsEnd_data();
    void commandsEnd();
    void runEnds_data();
    void runEnds();
    void runEndsWhileAModelThinks();
    void runEndsWhileACommandThinks();
    void runEndsWhileAJobIsAway();
    void runEndsWhileThePersonIsAsked();
    void runEndsThoughNobodyReads();
    void aLogThatSomebodyElseLeftIsNotSpokenOf();
    void evaluatorEnds_data();
    void evaluatorEnds();
    void ignoredHangUpStaysIgnored();

private:
    std::string place(const char* name) const { return (m_folder->path() / name).string(); }
    std::string campaign(std::vector<std::string> options = {});
    ChildProcess start(std::vector<std::string> words) const;
    void endsSoon(ChildProcess& process, int signal, const QByteArray& what) const;
    QString leftOf(const std::string& file, std::size_t finished) const;

    std::optional<TemporaryDirectory> m_folder;
    int m_campaigns = 0;
};

namespace {

constexpr auto generous = 60s; // the promise is two
constexpr auto patience = 200s;
const std::string cli = std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-cli";

constexpr const char* neverEnds = R"(// Never ends on the device
#include "problem.h"
__device__ int never = 0;
__global__ void hang() {
    while (*static_cast<volatile int*>(&never) == 0) {
    }
}
extern "C" hipError_t solve(const Problem&, void*, hipStream_t stream) {
    hang<<<dim3(1), dim3(1), 0, stream>>>();
    return hipGetLastError();
}
)";

bool waitUntil(const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > std::chrono::milliseconds(patience).count()) {
            return false;
        }
        ::usleep(5'000);
    }
    return true;
}

// Reads its progress until a line holds these words. Else: what it said, and how it ended.
std::optional<std::string> endsWithout(std::string_view words, ChildProcess& process) {
    LineReader reader(process.errorDescriptor());
    std::string said;
    std::string line;
    while (reader.next(line, patience) == LineReader::Status::line) {
        if (line.find(words) != std::string::npos) {
            return std::nullopt;
        }
        said += line + "; ";
    }
    const auto exit = process.wait(generous);
    return fmt::format("said \"{}\" and then: {}", said, exit ? exit->text() : "it goes on");
}

// A copy of the file alone would lack what lies there.
bool isInLog(const std::string& file) {
    std::error_code ignored;
    const auto bytes = fs::file_size(file + "-wal", ignored);
    return !ignored && bytes > 0;
}

bool runs(const ChildProcess& process, std::string_view program) {
    return waitUntil([&] { return !descendants(process.pid(), program).empty(); });
}

// Nothing is compiled any more and the kernel is called. Runners are there before that.
bool hangs(const ChildProcess& process) {
    return runs(process, "kernel-scientist-hipcc") && waitUntil([&] {
               return descendants(process.pid(), "kernel-scientist-hipcc").empty() &&
                      descendants(process.pid(), "clang++-19").empty() &&
                      !descendants(process.pid(), "kernel-scientist-cpu-runner").empty();
           });
}

} // namespace

void CliSignals::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("cli-signals").value());
    // Folders of builds and runners lie in it, so that their processes are known by their arguments.
    fs::create_directory(place("tmp"));
    qputenv("TMPDIR", place("tmp").c_str());
    qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache");
    qputenv("GKS_CONFIG", place("config").c_str());
    qputenv("GKS_STATE", place("state").c_str());
    QVERIFY(writeFileAtomically(place("hangs.hip"), neverEnds));
    const fs::path seed = fs::path(GKS_SOURCE_DIR) / "resources/problems/rms-norm/seeds/naive.hip";
    fs::copy_file(seed, place("good.hip"));
    QVERIFY(writeFileAtomically(place("other.hip"), readFile(seed).value() + "static const int other = 1;\n"));
    const CompletedProcess bundle = runCli({"evaluate", place("good.hip"), "--problem", "rms-norm", "--measure-seconds",
                                            "0.05", "--evidence", place("bundle")});
    QVERIFY2(bundle.ok(), bundle.error.c_str());
    fs::copy_file(seed.parent_path() / "tunable.hip", place("tuned.hip"));
}

void CliSignals::cleanup() {
    std::vector<Process> left;
    QVERIFY2(waitUntil([&] { return (left = processesWith(place("tmp"))).empty(); }),
             left.empty() ? "" : left.front().commandLine.c_str());
}

ChildProcess CliSignals::start(std::vector<std::string> words) const {
    Command command;
    command.arguments = std::move(words);
    command.arguments.insert(command.arguments.begin(), cli);
    return ChildProcess::start(command).value();
}

void CliSignals::endsSoon(ChildProcess& process, int signal, const QByteArray& what) const {
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(::kill(process.pid(), signal), 0);
    const auto exit = process.wait(generous);
    QVERIFY2(exit.has_value(), "it goes on");
    qInfo("%s: ended after %.2f s (%s)", what.constData(), static_cast<double>(timer.elapsed()) / 1000,
          exit->text().c_str());
}

void CliSignals::commandsEnd_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QByteArray>("stage");
    QTest::addColumn<int>("signal");
    const auto row = [](const char* name, const char* words, const char* stage, int signal) {
        QTest::newRow(name) << QString::fromLatin1(words) << QByteArray(stage) << signal;
    };
    const char* evaluate = "evaluate FOLDER/good.hip --problem rms-norm --measure-seconds 600";
    row("evaluate, building", "evaluate FOLDER/fresh.hip --problem rms-norm", "building", SIGTERM);
    row("evaluate, verifying a kernel that hangs", "evaluate FOLDER/hangs.hip --problem rms-norm", "verifying",
        SIGTERM);
    row("evaluate, measuring", evaluate, "measuring", SIGTERM);
    row("evaluate, interrupted", evaluate, "measuring", SIGINT);
    row("evaluate, terminal gone", evaluate, "measuring", SIGHUP);
    row("tune", "tune FOLDER/tuned.hip --problem rms-norm --fresh", "verifying", SIGTERM);
    row("replay", "replay FOLDER/bundle", "verifying", SIGTERM);
}

void CliSignals::commandsEnd() {
    QFETCH(QString, words);
    QFETCH(QByteArray, stage);
    QFETCH(int, signal);
    QVERIFY(writeFileAtomically(place("fresh.hip"), readFile(place("good.hip")).value() +
                                                        fmt::format("// {}\n", QDateTime::currentMSecsSinceEpoch())));
    words.replace(QLatin1String("FOLDER"), QString::fromStdString(m_folder->path().string()));
    std::vector<std::string> list;
    for (const QString& word : words.split(QLatin1Char(' '))) {
        list.push_back(word.toStdString());
    }
    auto process = start(list);
    const auto otherwise = endsWithout(stage.toStdString(), process);
    QVERIFY2(!otherwise, otherwise.value_or("").c_str());
    endsSoon(process, signal, QTest::currentDataTag());
}

// A new one whose seeds have a verdict, so that what follows is the scientist's.
std::string CliSignals::campaign(std::vector<std::string> options) {
    const std::string file = place(fmt::format("{}.gks", ++m_campaigns).c_str());
    std::vector<std::string> words = {"new", file, "--problem", "rms-norm", "--measure-seconds", "0.05"};
    words.insert(words.end(), options.begin(), options.end());
    const CompletedProcess made = runCli(words);
    if (!made.ok()) {
        qFatal("%s", made.error.c_str());
    }
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    const std::size_t seeds = store->population().value()->kernels.size();
    const CompletedProcess run = runCli({"run", file, "--evaluations", std::to_string(seeds)});
    if (run.exit.status.value_or(-1) != 0) {
        qFatal("%s", run.error.c_str());
    }
    return file;
}

// What is wrong with a campaign after its run was asked to end; empty when all is well.
QString CliSignals::leftOf(const std::string& file, std::size_t finished) const {
    const auto store = CampaignStore::open(file);
    if (!store) {
        return QString::fromStdString(store.error().message());
    }
    std::size_t evaluated = 0;
    for (const Kernel& kernel : (*store)->population().value()->kernels) {
        evaluated += kernel.verdict ? 1 : 0;
        if (kernel.state == KernelState::evaluating) {
            return QStringLiteral("kernel %1 is still evaluated").arg(kernel.id);
        }
    }
    return evaluated >= finished ? QString() : QStringLiteral("%1 kernels have a verdict").arg(evaluated);
}

void CliSignals::runEnds_data() {
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<int>("signal");
    QTest::newRow("opening the file") << QByteArray("opening") << SIGTERM;
    QTest::newRow("compiling") << QByteArray("compiling") << SIGTERM;
    QTest::newRow("a kernel hangs") << QByteArray("hanging") << SIGTERM;
    QTest::newRow("a kernel hangs, interrupted once") << QByteArray("hanging") << SIGINT;
    QTest::newRow("a kernel hangs, terminal gone") << QByteArray("hanging") << SIGHUP;
}

void CliSignals::runEnds() {
    QFETCH(QByteArray, state);
    QFETCH(int, signal);
    const std::string file = campaign();
    const auto before = CampaignStore::open(file, CampaignStore::Access::read).value()->population().value();
    const std::string source = place("fresh.hip");
    QVERIFY(writeFileAtomically(source, neverEnds + fmt::format("// {}\n", QDateTime::currentMSecsSinceEpoch())));
    QVERIFY(runCli({"steer", file, "kernel", "1", source}).ok());
    auto process = start({"run", file});
    QVERIFY(state == "opening" || (state == "hanging" ? hangs(process) : runs(process, "kernel-scientist-hipcc")));
    endsSoon(process, signal, QTest::currentDataTag());
    QCOMPARE(leftOf(file, before->kernels.size()), QString());
    const auto after = CampaignStore::open(file).value()->population().value();
    QCOMPARE(after->kernels.size(), before->kernels.size() + 1);
    QVERIFY(after->kernels.back().state == KernelState::waiting);
    QVERIFY(!after->kernels.back().verdict);
}

void CliSignals::runEndsWhileAModelThinks() {
    ScriptedServer server({[](const ScriptedServer::Connection& connection) { connection.waitForHangUp(); }});
    qputenv("GKS_TEST_KEY", "none");
    const std::string file = campaign();
    QVERIFY(runCli({"steer", file, "model", "default", "--model", "m", "--base-url", server.url(), "--key-variable",
                    "GKS_TEST_KEY"})
                .ok());
    const auto before = CampaignStore::open(file, CampaignStore::Access::read).value()->population().value();
    auto process = start({"run", file});
    QVERIFY(waitUntil([&] { return !server.requests().empty(); }));
    endsSoon(process, SIGTERM, "a model call is open");
    QCOMPARE(leftOf(file, before->kernels.size()), QString());
}

void CliSignals::runEndsWhileThePersonIsAsked() {
    const std::string file = campaign();
    QVERIFY(runCli({"steer", file, "model", "default", "--provider", "manual"}).ok());
    auto process = start({"run", file});
    const auto otherwise = endsWithout("paste the reply", process);
    QVERIFY2(!otherwise, otherwise.value_or("").c_str());
    endsSoon(process, SIGTERM, "a reply is to be pasted");
    QCOMPARE(leftOf(file, 1), QString());
}

void CliSignals::runEndsWhileACommandThinks() {
    const std::string file = campaign();
    const std::string asked = place("asked");
    QVERIFY(writeFileAtomically(place("slow.sh"), "cat >/dev/null; : >\"$1\"; sleep 600\n"));
    QVERIFY(runCli({"steer", file, "model", "default", "--provider", "command", "--command",
                    "sh " + place("slow.sh") + " " + asked})
                .ok());
    const auto before = CampaignStore::open(file, CampaignStore::Access::read).value()->population().value();
    auto process = start({"run", file, "--trust", "command"});
    QVERIFY(waitUntil([&] { return fs::exists(asked); }));
    endsSoon(process, SIGTERM, "a command is asked");
    QVERIFY(!isInLog(file));
    QCOMPARE(leftOf(file, before->kernels.size()), QString());
}

void CliSignals::runEndsWhileAJobIsAway() {
    const std::string file = campaign();
    const std::string jobs = place("jobs");
    fs::create_directory(jobs);
    QVERIFY(runCli({"steer", file, "kernel", "1", place("other.hip")}).ok());
    const auto before = CampaignStore::open(file, CampaignStore::Access::read).value()->population().value();
    auto process = start({"run", file, "--lanes", "folder:" + jobs, "--trust", "folder"});
    QVERIFY(waitUntil([&] { return fs::exists(jobs + "/out") && !fs::is_empty(jobs + "/out"); }));
    endsSoon(process, SIGTERM, "a job is away");
    QVERIFY(!isInLog(file));
    QCOMPARE(leftOf(file, before->kernels.size() - 1), QString());
}

// A pager that was stopped, a connection that hangs: the pipe is full, and every line that is written waits. Nothing
// but the last resort ends such a run, and what it has found lies in the file alone.
void CliSignals::runEndsThoughNobodyReads() {
    const std::string file = campaign();
    const auto evaluated = [](const std::string& campaign) {
        const auto store = CampaignStore::open(campaign, CampaignStore::Access::read);
        const auto population = store ? (*store)->population() : tl::unexpected(store.error());
        return population ? std::count_if((*population)->kernels.begin(), (*population)->kernels.end(),
                                          [](const Kernel& kernel) { return kernel.verdict.has_value(); })
                          : 0;
    };
    QVERIFY(runCli({"steer", file, "kernel", "1", place("other.hip")}).ok());
    const auto before = evaluated(file);
    Command command;
    command.arguments = {"/bin/sh", "-c", "head -c 1000000 /dev/zero >&2 & exec \"$0\" run \"$1\"", cli, file};
    auto process = ChildProcess::start(command).value();
    QVERIFY(waitUntil([&] { return evaluated(file) > before; }));
    endsSoon(process, SIGTERM, "nobody reads");
    QVERIFY(!isInLog(file));
    fs::copy_file(file, place("alone.gks"), fs::copy_options::overwrite_existing);
    QVERIFY(evaluated(place("alone.gks")) > before);
    QVERIFY(CampaignStore::open(file, CampaignStore::Access::write).has_value());
}

// It was killed, and this command has not opened the campaign: there is nothing to say of it.
void CliSignals::aLogThatSomebodyElseLeftIsNotSpokenOf() {
    const std::string file = campaign();
    auto process = start({"run", file});
    QVERIFY(waitUntil([&] { return isInLog(file); }));
    QCOMPARE(::kill(process.pid(), SIGKILL), 0);
    QVERIFY(process.wait(generous).has_value());
    QVERIFY(isInLog(file));
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--lanes", "folder:"}, {"--trust", "server,,pack"}}) {
        std::vector<std::string> words = {"run", file};
        words.insert(words.end(), wrong.begin(), wrong.end());
        const CompletedProcess done = runCli(words);
        QVERIFY(!done.ok());
        QVERIFY2(done.error.find("not whole") == std::string::npos, done.error.c_str());
        QVERIFY(isInLog(file));
    }
}

void CliSignals::evaluatorEnds_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void CliSignals::evaluatorEnds() {
    QFETCH(int, signal);
    EvaluationRequest request;
    request.id = "1";
    request.problem = "rms-norm";
    request.source = neverEnds;
    Command command;
    command.arguments = {std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-evaluator"};
    auto evaluator = ChildProcess::start(command).value();
    QVERIFY(evaluator.write(toJson(request).dump() + "\n"));
    QVERIFY(runs(evaluator, "kernel-scientist-cpu-runner"));
    const int runner = descendants(evaluator.pid(), "kernel-scientist-cpu-runner").front();
    endsSoon(evaluator, signal, QTest::currentDataTag());
    QVERIFY(waitUntil([&] { return isGone(runner); }));
}

void CliSignals::ignoredHangUpStaysIgnored() {
    Command command;
    command.arguments = {"nohup", cli, "evaluate", place("hangs.hip"), "--problem", "rms-norm"};
    auto process = ChildProcess::start(command).value();
    const auto otherwise = endsWithout("verifying", process);
    QVERIFY2(!otherwise, otherwise.value_or("").c_str());
    QCOMPARE(::kill(process.pid(), SIGHUP), 0);
    QVERIFY(!process.wait(1s)); // the time in which it would end
    endsSoon(process, SIGTERM, "after nohup");
}

QTEST_GUILESS_MAIN(CliSignals)
#include "cli_signals.moc"
