// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/campaign/lane_spec.h"
#include "core/campaign/store.h"
#include "core/engine/engine.h"
#include "core/remote/remote_way.h"
#include "core/remote/slurm.h"
#include "tests/support/process_table.h"
#include "tests/support/slurm_cluster.h"
#include "tests/support/ssh_server.h"

#include <QTest>
#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <mutex>
#include <random>

using namespace gks;
namespace fs = std::filesystem;

// Evaluators on other machines: a real sshd on loopback and a real Slurm of two nodes, which are this machine.
class RemoteLanes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void anUnknownKeyIsNotTaken();
    void theEvaluatorCopiesItselfOnce();
    void nobodyListens();
    void aSilentEvaluatorIsGivenUp();
    void aKilledEngineLosesNothing();
    void slurmHoldsADeviceForALane();
    void aBatchJobHoldsADeviceForALane();
    void aBatchJobThatNobodyUsesEnds();
    void jobsOfAKilledEngineAreEnded();
    void oneCampaignOverBothIsCutAgainAndAgain();
    void cleanupTestCase();

private:
    EvaluatorClient clientOf(const std::string& lane);
    fs::path campaign(const std::string& name, int evaluations) const;
    std::string whatRunsThere() const; // empty: nothing of ours
    std::string lanes() const {
        return m_slurm ? "ssh:node0 ssh:node1 slurm:partition=gpu,gpus=2" : "ssh:node0 ssh:node1";
    }

    std::optional<TemporaryDirectory> m_folder;
    std::unique_ptr<test::SshServer> m_ssh;
    std::unique_ptr<test::SlurmCluster> m_slurm;
    std::string m_whyNoSlurm;
    std::vector<std::string> m_told;
};

namespace {

const std::string cli = std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-cli";
constexpr int endPatienceMs = 120'000; // on a machine that is as busy as it may be
constexpr int cuts = 4;
constexpr const char* ways[] = {"all connections of ssh", "all jobs of Slurm", "one evaluator"};
constexpr std::chrono::hours old(24);

unsigned seedOf(const char* variable) {
    const int asked = qEnvironmentVariableIntValue(variable);
    const unsigned seed = asked > 0 ? static_cast<unsigned>(asked) : std::random_device{}();
    fmt::print("seed {}\n", seed);
    return seed;
}

// What is stored of each evaluation, by its number.
std::map<std::int64_t, std::string> evaluationsOf(const CampaignStore& store) {
    std::map<std::int64_t, std::string> all;
    const PopulationPtr population = store.population().value();
    for (const Kernel& kernel : population->kernels) {
        const std::vector<Evaluation> evaluations = store.evaluations(kernel.id).value();
        for (const Evaluation& one : evaluations) {
            all[one.id] = fmt::format("{} on {}: {} {}", kernelLabel(kernel.id), one.lane, name(one.verdict.kind),
                                      one.verdict.geomeanUs);
        }
    }
    return all;
}

} // namespace

void RemoteLanes::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("gks-remote").value());
    qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache");
    m_ssh = test::SshServer::start();
    if (!m_ssh) {
        QSKIP("openssh-server is not installed: packaging/setup.sh --servers");
    }
    qputenv("XDG_CACHE_HOME", (m_folder->path() / "slurm cache").c_str()); // of jobs, which inherit it
    m_slurm = test::SlurmCluster::start(m_whyNoSlurm);
}

void RemoteLanes::cleanupTestCase() {
    m_slurm.reset();
    m_ssh.reset();
}

EvaluatorClient RemoteLanes::clientOf(const std::string& lane) {
    CampaignSettings settings;
    settings.target = TargetKind::cpu;
    EvaluatorClient::Options options;
    options.way = wayTo(lanesOf(settings, parseLanes(lane).value()).front(), "test",
                        [this](const std::string& text) { m_told.push_back(text); });
    return EvaluatorClient(std::move(options));
}

fs::path RemoteLanes::campaign(const std::string& name, int evaluations) const {
    fs::path file = m_folder->path() / (name + ".gks");
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.measureSeconds = 0.05;
    settings.budgets.evaluations = evaluations;
    if (!CampaignStore::create(file, settings)) {
        qFatal("no campaign");
    }
    return file;
}

std::string RemoteLanes::whatRunsThere() const {
    std::string all;
    for (const std::string& place : {m_ssh->cache().string() + "/", (m_folder->path() / "slurm cache").string()}) {
        for (const test::Process& process : test::processesWith(place)) {
            all += fmt::format("{} {}\n", process.pid, process.commandLine);
        }
    }
    return all;
}

void RemoteLanes::anUnknownKeyIsNotTaken() {
    m_ssh->knowItsKey(false);
    const auto hello = clientOf("ssh:node0").greet({});
    m_ssh->knowItsKey(true);
    QVERIFY(!hello);
    QVERIFY2(hello.error().what.find("the key of node0 is not known here") == 0, hello.error().what.c_str());
    QVERIFY(hello.error().next.find("ssh node0") != std::string::npos);
    QVERIFY(fs::is_empty(m_ssh->cache()));
}

void RemoteLanes::theEvaluatorCopiesItselfOnce() {
    const fs::path there = m_ssh->cache() / "kernel-scientist" / "evaluators";
    for (int time = 0; time < 2; ++time) {
        const auto hello = clientOf("ssh:node0").greet({});
        QVERIFY2(hello, hello ? "" : hello.error().message().c_str());
        QVERIFY(!hello->devices.empty()); // the processor, for each architecture that it plays
        QCOMPARE(hello->rules, currentRules);
        const fs::path folder = fs::directory_iterator(there)->path();
        QCOMPARE(std::distance(fs::directory_iterator(there), {}), 1);
        if (time == 0) {
            fs::last_write_time(folder, fs::file_time_type::clock::now() - old);
        } else {
            QVERIFY(fs::file_time_type::clock::now() - fs::last_write_time(folder) > old / 2); // the same as before
        }
        QCOMPARE(fs::status(there).permissions() & fs::perms::others_all, fs::perms::none);
    }
    QTRY_COMPARE_WITH_TIMEOUT(whatRunsThere(), std::string(), endPatienceMs);
}

void RemoteLanes::nobodyListens() {
    m_ssh->stop();
    const auto hello = clientOf("ssh:node0").greet({});
    EvaluationRequest request;
    request.id = "one";
    request.problem = "sum-reduction";
    const Verdict verdict = clientOf("ssh:node0").evaluate(request, {}, {});
    m_ssh->listen();
    QVERIFY(!hello);
    QVERIFY2(hello.error().what.find("nobody listens at node0") == 0, hello.error().what.c_str());
    QCOMPARE(verdict.kind, VerdictKind::infrastructureFailed);
    QCOMPARE(verdict.deviceTrouble, DeviceTrouble::unreachable);
}

// As one whose machine is gone, or stands still, and nobody says so.
void RemoteLanes::aSilentEvaluatorIsGivenUp() {
    EvaluationRequest request;
    request.id = "one";
    request.source = std::string(1 << 20, ' '); // more than any pipe holds
    for (const char* afterwards : {"while read asked; do :; done", "exec sleep 600"}) {
        EvaluatorClient::Way way;
        way.silence = std::chrono::seconds(1);
        way.command = [=](const std::stop_token&) -> Result<std::vector<std::string>> {
            const std::string hello =
                fmt::format(R"({{"id": "hello", "event": "hello", "version": "x", "rules": {}}})", currentRules);
            return std::vector<std::string>{"sh", "-c", "read asked; echo '" + hello + "'; " + afterwards};
        };
        way.explained = [](const std::string& end) { return Error{ErrorKind::infrastructure, end}; };
        EvaluatorClient::Options options;
        options.way = std::move(way);
        const bool isRead = std::string_view(afterwards).starts_with("while");
        const Verdict verdict = EvaluatorClient(std::move(options)).evaluate(request, {}, {});
        QCOMPARE(verdict.deviceTrouble, DeviceTrouble::unreachable);
        QVERIFY2(verdict.reason.find(isRead ? "stopped responding" : "does not read") != std::string::npos,
                 verdict.reason.c_str());
        QVERIFY(verdict.totalSeconds >= 1 || !isRead); // it had begun
    }
}

// At moments that nobody chose, GKS_KILLS times; the seed is printed.
void RemoteLanes::aKilledEngineLosesNothing() {
    std::mt19937 random(seedOf("GKS_SEED"));
    const int asked = qEnvironmentVariableIntValue("GKS_KILLS");
    const int kills = asked > 0 ? asked : 3;
    const fs::path file = campaign("killed", 2 * kills + 4);
    Command run;
    run.arguments = {cli, "run", file.string(), "--lanes"};
    for (const std::string& lane : split(lanes(), ' ')) {
        run.arguments.push_back(lane);
    }
    Command first = run; // how long one takes on this machine as busy as it is
    first.arguments.insert(first.arguments.end(), {"--evaluations", "1"});
    const auto begin = std::chrono::steady_clock::now();
    const auto one = runProcess(first, {.timeout = std::chrono::minutes(4)}).value();
    QVERIFY2(one.ok(), one.error.c_str());
    const auto usual = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    std::map<std::int64_t, std::string> stored;
    for (int round = 0; round < kills; ++round) {
        auto engine = ChildProcess::start(run).value();
        const std::chrono::milliseconds moment(random() % static_cast<unsigned>(2 * usual.count() + 1));
        const auto ended = engine.wait(moment); // or it is done before
        if (!ended) {
            QCOMPARE(::kill(engine.pid(), SIGKILL), 0);
            engine.wait(std::chrono::seconds(10));
        }
        QTRY_COMPARE_WITH_TIMEOUT(whatRunsThere(), std::string(), endPatienceMs);
        const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
        std::map<std::int64_t, std::string> now = evaluationsOf(*store);
        for (const auto& [id, verdict] : stored) {
            const std::string found = now.contains(id) ? now[id] : "nothing";
            QVERIFY2(found == verdict, fmt::format("{}: {} was kept, {} is there", id, verdict, found).c_str());
        }
        stored = std::move(now);
        fmt::print("kill {}: {} after {:.1f} s, {} evaluations are kept\n", round + 1,
                   ended ? ended->text() : std::string("killed"), std::chrono::duration<double>(moment).count(),
                   stored.size());
        std::fflush(stdout);
    }
    const auto done = runProcess(first, {.timeout = std::chrono::minutes(4)}).value(); // it goes on
    QVERIFY2(done.ok(), done.error.c_str());
    QTRY_COMPARE_WITH_TIMEOUT(whatRunsThere(), std::string(), endPatienceMs);
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    QVERIFY(evaluationsOf(*store).size() > stored.size());
    if (m_slurm) { // a job that ends is shown until its node has cleaned up
        QTRY_COMPARE_WITH_TIMEOUT(m_slurm->output({"squeue", "--noheader"}), std::string(), endPatienceMs);
    }
}

void RemoteLanes::slurmHoldsADeviceForALane() {
    if (!m_slurm) {
        QSKIP(m_whyNoSlurm.c_str());
    }
    {
        EvaluatorClient client = clientOf("slurm:partition=gpu,gpus=1");
        const auto hello = client.greet({});
        QVERIFY2(hello, hello ? "" : hello.error().message().c_str());
        const auto jobs = slurmJobs(RemoteShell(""), slurmComment("test", "slurm:gpu:0"), {});
        QVERIFY2(jobs, jobs ? "" : jobs.error().message().c_str());
        QCOMPARE(jobs->size(), std::size_t{1});
        QCOMPARE(jobs->front().state, std::string("RUNNING"));
    }
    QTRY_VERIFY_WITH_TIMEOUT(slurmJobs(RemoteShell(""), slurmComment("test", "slurm:gpu:0"), {}).value().empty(),
                             endPatienceMs);
    const auto wrong = clientOf("slurm:partition=nowhere,gpus=1").greet({});
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().what.find("Slurm knows no such partition") == 0, wrong.error().what.c_str());
}

void RemoteLanes::aBatchJobHoldsADeviceForALane() {
    if (!m_slurm) {
        QSKIP(m_whyNoSlurm.c_str());
    }
    const std::string comment = slurmComment("test", "slurm:gpu:0");
    {
        EvaluatorClient client = clientOf("slurm:partition=gpu,gpus=1,by=sbatch");
        const auto hello = client.greet({});
        QVERIFY2(hello, hello ? "" : hello.error().message().c_str());
        const auto jobs = slurmJobs(RemoteShell(""), comment, {});
        QVERIFY2(jobs && jobs->size() == 1, jobs ? "" : jobs.error().message().c_str());
        const std::string shown = m_slurm->output({"scontrol", "show", "job", jobs->front().number});
        QVERIFY2(shown.find("BatchFlag=1") != std::string::npos, shown.c_str());
    }
    QTRY_VERIFY_WITH_TIMEOUT(slurmJobs(RemoteShell(""), comment, {}).value().empty(), endPatienceMs);
    const auto wrong = clientOf("slurm:partition=nowhere,gpus=1,by=sbatch").greet({});
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().what.find("Slurm knows no such partition") == 0, wrong.error().what.c_str());
}

// Its shell was killed before it could end the job.
void RemoteLanes::aBatchJobThatNobodyUsesEnds() {
    if (!m_slurm) {
        QSKIP(m_whyNoSlurm.c_str());
    }
    const std::string comment = slurmComment("test", "slurm:gpu:0");
    SlurmSpec spec;
    spec.partition = "gpu";
    spec.isBatch = true;
    Command shell;
    shell.arguments = RemoteShell("").command(slurmScript(spec, comment, "sleep 5"));
    {
        auto lane = ChildProcess::start(shell).value();
        const auto isHeld = [&] {
            return m_slurm->output({"squeue", "--steps", "--noheader"}).find("sleep") != std::string::npos;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), endPatienceMs);
        QCOMPARE(::kill(lane.pid(), SIGKILL), 0);
    }
    QTRY_VERIFY_WITH_TIMEOUT(slurmJobs(RemoteShell(""), comment, {}).value().empty(), 4 * endPatienceMs);
}

void RemoteLanes::jobsOfAKilledEngineAreEnded() {
    if (!m_slurm) {
        QSKIP(m_whyNoSlurm.c_str());
    }
    const std::string comment = slurmComment("test", "slurm:gpu:0");
    m_slurm->output({"sbatch", "--comment=" + comment, "--output=/dev/null", "--wrap", "sleep 600"});
    m_slurm->output({"sbatch", "--comment=other", "--output=/dev/null", "--wrap", "sleep 600"});
    QCOMPARE(slurmJobs(RemoteShell(""), comment, {}).value().size(), std::size_t{1});
    m_slurm->restartController();
    const auto hello = clientOf("slurm:partition=gpu,tasks=1").greet({});
    QVERIFY2(hello, hello ? "" : hello.error().message().c_str());
    QVERIFY(!m_told.empty());
    QVERIFY(std::find(m_told.begin(), m_told.end(), "1 earlier job ended, waiting for Slurm") != m_told.end());
    QCOMPARE(slurmJobs(RemoteShell(""), "other", {}).value().size(), std::size_t{1});
    m_slurm->output({"scancel", "--me"});
}

// Each cut at a moment that nobody chose; the seed is printed.
void RemoteLanes::oneCampaignOverBothIsCutAgainAndAgain() {
    std::mt19937 random(seedOf("GKS_SEED"));
    constexpr int evaluations = 6;
    const fs::path file = campaign("cut", evaluations);
    std::mutex mutex;
    const auto begin = std::chrono::steady_clock::now();
    const auto tell = [&](const std::string& line) { // of a test that is stopped it says how far it came
        const std::lock_guard lock(mutex);
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
        fmt::print("{:6.1f} s  {}\n", since.count(), line);
        std::fflush(stdout);
    };
    std::atomic<int> measured = 0;
    EngineOptions options;
    options.lanes = parseLanes(lanes()).value();
    options.sink = [&](const EngineEvent& event) {
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            tell("warning " + warning->error.message());
        } else if (const auto* activity = std::get_if<ActivityChanged>(&event)) {
            measured += activity->activity == Activity::measuring && activity->fraction < 0 ? 1 : 0;
        }
    };
    auto engine = Engine::open(file, std::move(options)).value();
    engine->send(command::Start{});
    QTRY_COMPARE_WITH_TIMEOUT(engine->state(), EngineState::running, 20'000);
    int done = 0;
    for (int cut = 0; cut < cuts && engine->state() == EngineState::running; ++cut) {
        const int before = measured;
        for (int waited = 0; measured == before && waited < 3000 && engine->state() == EngineState::running; ++waited) {
            QTest::qWait(10);
        }
        QTest::qWait(static_cast<int>(random() % 700));
        const auto way = random() % std::size(ways);
        tell(fmt::format("cut {}: {}", ++done, ways[m_slurm ? way : 0]));
        if (way == 0 || !m_slurm) {
            m_ssh->cut();
        } else if (way == 1) {
            m_slurm->output({"scancel", "--me"});
        } else if (way == 2) {
            for (const test::Process& one : test::processesWith(m_ssh->cache().string())) {
                if (one.commandLine.find("kernel-scientist-evaluator") != std::string::npos) {
                    ::kill(one.pid, SIGKILL);
                    break;
                }
            }
        }
    }
    QVERIFY(engine->waitUntilQuiet(240));
    QVERIFY(done >= cuts / 2);
    const PopulationPtr population = engine->population();
    QCOMPARE(population->spend.evaluations, evaluations);
    std::set<std::string> lanes;
    std::set<std::int64_t> ids;
    for (const Kernel& kernel : population->kernels) {
        QVERIFY(kernel.verdict != VerdictKind::infrastructureFailed);
        int asNew = 0; // once, wherever it was tried
        for (const Evaluation& evaluation : engine->evaluations(kernel.id).value()) {
            QVERIFY(ids.insert(evaluation.id).second);
            lanes.insert(evaluation.lane);
            const bool isJudged = evaluation.verdict.kind != VerdictKind::infrastructureFailed;
            asNew += isJudged && evaluation.purpose == "new kernel" ? 1 : 0;
        }
        QVERIFY(asNew <= 1);
    }
    QVERIFY(lanes.size() >= 2);
    QVERIFY(population->settings.lanesOut.empty());
    engine.reset();
    QTRY_COMPARE_WITH_TIMEOUT(whatRunsThere(), std::string(), endPatienceMs);
}

QTEST_GUILESS_MAIN(RemoteLanes)
#include "remote_lanes.moc"
