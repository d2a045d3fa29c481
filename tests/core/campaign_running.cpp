// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/running.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <array>
#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace gks;
using namespace gks::test;

// Who has which campaign open can be found, and a run can be ended from outside.
class CampaignRunning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void writersAreListed();
    void newCampaignIsHeldToo();
    void renamedMeanwhileIsRefused();
    void killedProcessIsForgotten();
    void recordFromElsewhereIsNotSignalled();
    void nobodySignalsItself();
    void headlessRunIsEnded();
    void windowStopsAndStaysOpen();
    void deafProcessIsReported();

private:
    std::optional<TemporaryDirectory> m_state;
};

namespace {

constexpr std::chrono::seconds patience(20);

// A process that has the campaign open, and then does what it is told.
class Holder {
public:
    Holder(const std::filesystem::path& file, const std::function<void()>& then, bool create = false) {
        std::array<int, 2> ready{};
        if (::pipe(ready.data()) != 0) {
            qFatal("no pipe");
        }
        m_process = ::fork();
        if (m_process == 0) {
            sigset_t terminate;
            sigemptyset(&terminate);
            sigaddset(&terminate, SIGTERM);
            ::sigprocmask(SIG_BLOCK, &terminate, nullptr);
            auto store = create ? CampaignStore::create(file, {}, samplePack()) : CampaignStore::open(file);
            announceRunState(file, EngineState::running);
            [[maybe_unused]] const ssize_t put = ::write(ready[1], store ? "y" : "n", 1);
            int signal = 0;
            sigwait(&terminate, &signal);
            then();
            if (store) {
                store->reset();
            }
            ::_exit(0);
        }
        char answer = 0;
        if (::read(ready[0], &answer, 1) != 1 || answer != 'y') {
            qFatal("not opened");
        }
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~Holder() { kill(); }
    void kill() {
        if (m_process > 0) {
            ::kill(m_process, SIGKILL);
            ::waitpid(m_process, nullptr, 0);
            m_process = 0;
        }
    }
    int process() const { return m_process; }

private:
    pid_t m_process = 0;
};

[[noreturn]] void waitForever() {
    for (;;) {
        ::pause();
    }
}

} // namespace

void CampaignRunning::init() {
    m_state.emplace(TemporaryDirectory::create("state").value());
    qputenv("GKS_STATE", m_state->path().c_str());
}
void CampaignRunning::cleanup() {
    m_state.reset();
}

void CampaignRunning::writersAreListed() {
    QVERIFY(runningCampaigns().empty());
    Campaign campaign;
    const auto link = campaign.folder.path() / "link.gks";
    std::filesystem::create_symlink(campaign.file, link);
    const auto runs = runningCampaigns();
    QCOMPARE(runs.size(), 1u);
    QVERIFY(runs[0].file == std::filesystem::canonical(campaign.file) && runs[0].here && runs[0].since > 0);
    QCOMPARE(runs[0].process, ::getpid());
    QVERIFY(runs[0].state == std::nullopt && runs[0].place == RunPlace::headless);
    announceRunState(campaign.file, EngineState::running);
    announceRunPlace(link, RunPlace::background);
    const auto changed = runOf(link);
    QVERIFY(changed && changed->state == EngineState::running && changed->place == RunPlace::background);
    QVERIFY(takeStopRequests().empty());
    const auto reader = CampaignStore::open(campaign.file, CampaignStore::Access::read).value();
    campaign.store.reset();
    QVERIFY(runningCampaigns().empty()); // who only reads holds nothing
    QVERIFY(!runOf(campaign.file));
}

// While a campaign is made SQLite frees the whole file again and again, and with it, once, the right to write.
void CampaignRunning::newCampaignIsHeldToo() {
    const auto folder = TemporaryDirectory::create("new").value();
    const auto file = folder.path() / "new.gks";
    const Holder holder(file, [] {}, true);
    QVERIFY(isWriterByteHeld(file));
    QVERIFY(!CampaignStore::open(file));
    const auto reader = CampaignStore::open(file, CampaignStore::Access::read);
    QVERIFY(reader && reader.value()->population().value()->kernels.size() == 2);
}

// SQLite's log keeps the old name: under the new one the newest work would be missing, without a word.
void CampaignRunning::renamedMeanwhileIsRefused() {
    Campaign campaign;
    campaign.store.reset();
    const Holder holder(campaign.file, [] {});
    const auto moved = campaign.folder.path() / "moved.gks";
    std::filesystem::rename(campaign.file, moved);
    const auto read = CampaignStore::open(moved, CampaignStore::Access::read);
    QVERIFY(!read);
    QVERIFY2(read.error().message().find(campaign.file.filename().string()) != std::string::npos,
             read.error().message().c_str());
    std::filesystem::rename(moved, campaign.file);
    QVERIFY(CampaignStore::open(campaign.file, CampaignStore::Access::read).has_value());
}

void CampaignRunning::killedProcessIsForgotten() {
    Campaign campaign;
    campaign.store.reset();
    Holder holder(campaign.file, [] {});
    QCOMPARE(runOf(campaign.file).value().process, holder.process());
    const auto opened = CampaignStore::open(campaign.file);
    QVERIFY(!opened);
    const std::string who = "in use by process " + std::to_string(holder.process());
    QVERIFY2(opened.error().what.find(who) != std::string::npos, opened.error().what.c_str());
    holder.kill();
    QVERIFY(runningCampaigns().empty());
    QVERIFY(std::filesystem::is_empty(m_state->path() / "runs"));
}

void CampaignRunning::recordFromElsewhereIsNotSignalled() {
    Campaign campaign;
    const auto record = std::filesystem::directory_iterator(m_state->path() / "runs")->path();
    std::string text = readFile(record).value();
    const std::string key = R"("space":")";
    text.replace(text.find(key) + key.size(), 4, "zzzz");
    QVERIFY(writeFileAtomically(record, text));
    const auto run = runOf(campaign.file);
    QVERIFY(run && !run->here); // still listed: somebody holds the file
    const auto stopped = stopRun(*run, patience);
    QVERIFY(!stopped);
    QVERIFY2(stopped.error().what.find("runs elsewhere") != std::string::npos, stopped.error().what.c_str());
    campaign.store.reset();
    QVERIFY(!runOf(campaign.file));
}

void CampaignRunning::nobodySignalsItself() {
    Campaign campaign;
    const auto run = runOf(campaign.file).value();
    QVERIFY(isOwnRun(run));
    const auto stopped = stopRun(run, patience);
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::usage);
    QVERIFY(takeStopRequests().empty());
}

void CampaignRunning::headlessRunIsEnded() {
    Campaign campaign;
    campaign.store.reset();
    const Holder holder(campaign.file, [] {});
    const auto run = runOf(campaign.file).value();
    QVERIFY(run.state == EngineState::running);
    QVERIFY(stopRun(run, patience) == StopOutcome::ended);
    QVERIFY(stopRun(run, patience) == StopOutcome::ended); // nothing is left to end
    QVERIFY(CampaignStore::open(campaign.file));
}

void CampaignRunning::windowStopsAndStaysOpen() {
    Campaign campaign;
    campaign.store.reset();
    const Holder holder(campaign.file, [&] {
        announceRunPlace(campaign.file, RunPlace::window);
        for (const auto& wanted : takeStopRequests()) {
            announceRunState(wanted, EngineState::idle);
        }
        waitForever();
    });
    QVERIFY(stopRun(runOf(campaign.file).value(), patience) == StopOutcome::stopped);
    QVERIFY(runOf(campaign.file).value().state == EngineState::idle);
}

void CampaignRunning::deafProcessIsReported() {
    Campaign campaign;
    campaign.store.reset();
    const Holder holder(campaign.file, [] { waitForever(); });
    QVERIFY(stopRun(runOf(campaign.file).value(), std::chrono::milliseconds(200)) == StopOutcome::stillRunning);
    QVERIFY(runOf(campaign.file));
}

QTEST_APPLESS_MAIN(CampaignRunning)
#include "campaign_running.moc"
