// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/address.h"
#include "core/campaign/running.h"
#include "core/engine/remote_run.h"
#include "tests/support/away_run.h"
#include "tests/support/cli_run.h"
#include "tests/support/ssh_server.h"

#include <QTest>
#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// One who looks at a campaign of the other machine, as the window does.
class FarView {
public:
    explicit FarView(const std::string& address) {
        const RemoteCampaign campaign = remoteCampaignFrom(address).value();
        mirror = Mirror::open(campaign.text(), campaign.name()).value();
        RemoteSinks sinks;
        sinks.mirrored = [this] { ++moments; };
        sinks.run = [this](const std::optional<Error>& noRun) { isRun = !noRun; };
        watched = std::make_unique<WatchedRun>(
            remoteRun(campaign, mirror, std::move(sinks)), WatchedRun::Rests{50ms, 500ms},
            [this](const EngineEvent& event) {
                if (const auto* state = std::get_if<StateChanged>(&event)) {
                    isRunning = state->state == EngineState::running;
                }
            },
            [this](const std::optional<Error>& why) {
                const std::lock_guard lock(m_mutex);
                m_why = why;
                links += why ? 0 : 1;
                m_hasTried = true;
            });
    }
    std::optional<Error> why() {
        const std::lock_guard lock(m_mutex);
        return m_hasTried ? m_why : std::nullopt;
    }
    std::string whatWentWrong() {
        if (!QTest::qWaitFor([&] { return why().has_value(); }, patienceMs)) {
            return "nothing";
        }
        return why()->message();
    }
    PopulationPtr population() const {
        return CampaignStore::open(mirror->file(), CampaignStore::Access::read).value()->population().value();
    }
    Result<KernelId> ask(const SteeringCommand& command) {
        std::promise<Result<KernelId>> answer;
        auto came = answer.get_future();
        watched->send(command, [&](const Result<KernelId>& result) { answer.set_value(result); });
        return came.get();
    }

    std::shared_ptr<Mirror> mirror;
    std::atomic<int> moments = 0;
    std::atomic<int> links = 0; // that were made
    std::atomic<bool> isRun = false;
    std::atomic<bool> isRunning = false;

private:
    std::mutex m_mutex;
    std::optional<Error> m_why;
    bool m_hasTried = false;

public:
    std::unique_ptr<WatchedRun> watched; // last, so that it goes first: its threads write to the rest
};

} // namespace

// A campaign on another machine: a real sshd on loopback.
class RemoteCampaigns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void addresses();
    void attachesThere();
    void theMirrorFollowsAndSteeringLands();
    void aCutConnectionComesBack();
    void nobodyWaitsForWhatIsSaid();
    void aCampaignThatNobodyRunsIsLookedAt();
    void whatIsWrongIsSaid();
    void aHostileRelayIsRefused();

private:
    bool putProgramThere(const std::string& first);
    std::string address(const fs::path& file) const { return "ssh://node0" + file.string(); }

    std::optional<TemporaryDirectory> m_folder;
    std::unique_ptr<SshServer> m_ssh;
};

void RemoteCampaigns::initTestCase() {
    m_ssh = SshServer::start();
    if (!m_ssh) {
        QSKIP("openssh-server is not installed: packaging/setup.sh --servers");
    }
}

void RemoteCampaigns::init() {
    m_folder.emplace(TemporaryDirectory::create("far").value());
    qputenv("GKS_STATE", (m_folder->path() / "state").c_str());
    qputenv("GKS_CACHE", (m_folder->path() / "cache").c_str());
    QVERIFY(putProgramThere(""));
}

// The program there, which knows of the same runs, behind what the other side says first.
bool RemoteCampaigns::putProgramThere(const std::string& first) {
    const fs::path program = m_folder->path() / "the program";
    const auto written = writeFileAtomically(
        program, fmt::format("#!/bin/sh\n{}GKS_STATE='{}' exec {}/bin/kernel-scientist-cli \"$@\"\n", first,
                             (m_folder->path() / "state").string(), GKS_BINARY_DIR));
    fs::permissions(program, fs::perms::owner_all);
    return written.has_value() && qputenv("GKS_REMOTE_CLI", program.c_str());
}

void RemoteCampaigns::addresses() {
    const auto campaign = remoteCampaignFrom("ssh://me@node1/a folder/x.gks").value();
    QVERIFY(campaign.host == "me@node1" && campaign.path == "/a folder/x.gks" && campaign.name() == "x.gks");
    QCOMPARE(campaign.text(), std::string("ssh://me@node1/a folder/x.gks"));
    QCOMPARE(remoteCampaignFrom("ssh://node1/~/x.gks")->path, std::string("~/x.gks"));
    QCOMPARE(remoteCampaignFrom("ssh://node1:2222/x.gks")->host, std::string("ssh://node1:2222"));
    for (const char* wrong :
         {"ssh://", "ssh://node1", "ssh://node1/", "ssh://-oProxyCommand=x/x.gks", "ssh:///x.gks", "ssh://no de/x.gks",
          "ssh://n;x/x.gks", "ssh://n$(x)/x.gks", "ssh://n/a\nb.gks", "/x.gks", "SSH://n/x.gks"}) {
        QVERIFY2(!remoteCampaignFrom(wrong), wrong);
    }
    for (const char* meant : {"ssh://n/x.gks", "SSH://n/x.gks", "ssh:/n/x.gks", "sftp://n/x.gks", "https://n/x.gks"}) {
        QVERIFY2(isRemoteAddress(meant), meant);
    }
    for (const char* local : {"x.gks", "/a/x.gks", "a:/x.gks", "a/ssh://x.gks", "ssh:x.gks", "file:///x.gks", ""}) {
        QVERIFY2(!isRemoteAddress(local), local);
    }
    // Whatever a path is called, it is one word there.
    const auto odd = remoteCampaignFrom("ssh://n/$(touch x)'; rm -rf \"`.gks").value();
    QVERIFY(remoteScript(odd, "attach").find("attach '/$(touch x)'\\''; rm -rf \"`.gks'") != std::string::npos);
}

void RemoteCampaigns::attachesThere() {
    AwayRun run(m_folder->path() / "a run");
    Attached attached({address(run.file), "--events"});
    QCOMPARE(attached.field("state", "state"), std::string("running"));
    QVERIFY(runCli({"steer", run.file.string(), "pin", "2"}).ok());
    QCOMPARE(attached.field("next-parent", "parent"), std::string("00002"));
    run.stop();
    QCOMPARE(attached.field("end", "event"), std::string("end"));
    const auto exit = attached.wait();
    QVERIFY(exit && exit->status == 0);
}

void RemoteCampaigns::theMirrorFollowsAndSteeringLands() {
    AwayRun run(m_folder->path() / "it's a run");
    FarView view(address(run.file));
    QTRY_VERIFY_WITH_TIMEOUT(view.moments > 0 && view.isRun && view.isRunning, patienceMs);
    const auto there = CampaignStore::open(run.file, CampaignStore::Access::read).value();
    QCOMPARE(view.population()->kernels.size(), there->population().value()->kernels.size());
    const auto banned = view.ask(command::SetBanned{2});
    QVERIFY2(banned, banned ? "" : banned.error().message().c_str());
    QVERIFY(there->population().value()->kernel(2)->banned);
    QTRY_VERIFY_WITH_TIMEOUT(view.population()->kernel(2)->banned, patienceMs);
    const auto reader = CampaignStore::open(view.mirror->file(), CampaignStore::Access::read).value();
    const std::size_t before = reader->population().value()->kernels.size();
    const std::string source = reader->source(1).value() + "\n__device__ int another = 3;\n";
    QVERIFY(view.ask(command::AddKernel{1, "from afar", source}).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(reader->population().value()->kernels.size(), before + 1, patienceMs); // one that is open
    QCOMPARE(reader->source(static_cast<KernelId>(before) + 1).value(), source);
    const auto refused = view.ask(command::SetBanned{999});
    QVERIFY(!refused && refused.error().what.find("999") != std::string::npos);
    // Nobody runs it here.
    const auto own = CampaignStore::open(view.mirror->file());
    QVERIFY(!own && own.error().what.find("mirror") != std::string::npos);
    QVERIFY2(own.error().next.find(address(run.file)) != std::string::npos, own.error().next.c_str());
    QVERIFY(!Mirror::open(address(run.file), "x.gks")); // another window of the same
    run.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!view.isRun, patienceMs);
}

void RemoteCampaigns::aCutConnectionComesBack() {
    AwayRun run(m_folder->path());
    FarView view(address(run.file));
    QTRY_VERIFY_WITH_TIMEOUT(view.moments > 0 && view.isRun, patienceMs);
    for (int cut = 0; cut < 3; ++cut) {
        const int before = view.links;
        m_ssh->cut();
        QTRY_VERIFY_WITH_TIMEOUT(view.links > before && view.watched->isLinked() && view.isRun, patienceMs);
        QVERIFY(view.ask(command::SetBanned{2, cut % 2 == 0}).has_value());
    }
    QTRY_VERIFY_WITH_TIMEOUT(view.population()->kernel(2)->banned, patienceMs);
    m_ssh->stop();
    QTRY_VERIFY_WITH_TIMEOUT(!view.watched->isLinked(), patienceMs);
    QVERIFY(view.population()->kernel(2)->banned); // as it was last seen
    QVERIFY(!view.ask(command::SetBanned{2, false}));
    m_ssh->listen();
    QTRY_VERIFY_WITH_TIMEOUT(view.watched->isLinked(), patienceMs);
    run.stop();
}

// More than ssh keeps for a reader that does not come.
void RemoteCampaigns::nobodyWaitsForWhatIsSaid() {
    QVERIFY(putProgramThere("yes a line of a log | head -c 9000000 >&2\n"));
    AwayRun run(m_folder->path());
    FarView view(address(run.file));
    QTRY_VERIFY_WITH_TIMEOUT(view.moments > 0 && view.isRun, patienceMs);
    QVERIFY(putProgramThere("yes | tr -d '\\n' | head -c 9000000 >&2\necho >&2\n")); // one line
    Attached attached({address(run.file), "--events"});
    QCOMPARE(attached.field("state", "state"), std::string("running"));
    run.stop();
    QCOMPARE(attached.field("end", "event"), std::string("end"));
}

void RemoteCampaigns::aCampaignThatNobodyRunsIsLookedAt() {
    const fs::path file = m_folder->path() / "idle.gks";
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    QVERIFY(CampaignStore::create(file, settings));
    FarView view(address(file));
    QTRY_VERIFY_WITH_TIMEOUT(view.moments == 1, patienceMs);
    QVERIFY(!view.isRun);
    const auto refused = view.ask(command::Start{});
    QVERIFY2(!refused && refused.error().what == "nobody runs it there", refused ? "" : refused.error().what.c_str());
    QVERIFY(runCli({"steer", file.string(), "ban", "2"}).ok()); // somebody there changes it
    QTRY_VERIFY_WITH_TIMEOUT(view.moments > 1 && view.population()->kernel(2)->banned, patienceMs);
}

void RemoteCampaigns::whatIsWrongIsSaid() {
    QVERIFY(FarView(address("/nowhere/x.gks")).whatWentWrong().find("file not found") != std::string::npos);
    const fs::path text = m_folder->path() / "text.gks";
    QVERIFY(writeFileAtomically(text, "no campaign"));
    {
        FarView none(address(text));
        QVERIFY2(none.whatWentWrong().find("not a campaign") != std::string::npos, none.whatWentWrong().c_str());
        QVERIFY(!none.mirror->isThere());
    }
    m_ssh->knowItsKey(false);
    const std::string unknown = FarView(address(text)).whatWentWrong();
    m_ssh->knowItsKey(true);
    QVERIFY2(unknown.find("the key of node0 is not known here") != std::string::npos, unknown.c_str());
    m_ssh->stop();
    const std::string silent = FarView(address(text)).whatWentWrong();
    m_ssh->listen();
    QVERIFY2(silent.find("nobody listens at node0") != std::string::npos, silent.c_str());
    qputenv("GKS_REMOTE_CLI", "/nowhere/kernel-scientist-cli");
    const std::string missing = FarView(address(text)).whatWentWrong();
    QVERIFY2(missing.find("node0 has no kernel-scientist-cli") != std::string::npos, missing.c_str());
    QVERIFY(missing.find("GKS_REMOTE_CLI") != std::string::npos);
    const auto attached = runCli({"attach", address(text)});
    QVERIFY2(attached.exit.status == 3 && attached.error.find("has no kernel-scientist-cli") != std::string::npos,
             attached.error.c_str());
}

// A program there that is another one than it says.
void RemoteCampaigns::aHostileRelayIsRefused() {
    const fs::path program = m_folder->path() / "hostile";
    const std::string hello = R"({\"protocol\":1,\"version\":\"x\"})";
    for (const char* line :
         {R"({\"mirror\":{\"bytes\":99999999999999}})", R"({\"mirror\":{\"at\":4096,\"data\":\"\"}})",
          R"({\"mirror\":{\"at\":0,\"data\":\"%%%%\"}})", R"({\"mirror\":{\"whole\":true}})", R"({\"mirror\":[]})",
          R"({\"event\":\"format\"})", "no JSON"}) {
        QVERIFY(
            writeFileAtomically(program, fmt::format("#!/bin/sh\necho \"{}\"\necho \"{}\"\nexec cat\n", hello, line)));
        fs::permissions(program, fs::perms::owner_all);
        qputenv("GKS_REMOTE_CLI", program.c_str());
        FarView view("ssh://node0/x.gks");
        QVERIFY2(view.whatWentWrong() != "nothing", line);
        QVERIFY2(!view.mirror->isThere() && view.moments == 0, line);
    }
}

QTEST_GUILESS_MAIN(RemoteCampaigns)
#include "remote_campaign.moc"
