// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/judge/confine/sandbox.h"
#include "tests/support/process_table.h"

#include <QTest>
#include <csignal>
#include <fmt/format.h>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gks;
using namespace std::chrono_literals;

// Whatever of it is killed, and at whatever moment of its start, nothing of a sandbox may stay behind. The judge of
// these tests is a process that starts a sandbox and waits for it, as the evaluator does; the program inside sleeps for
// ever.
class SandboxOrphans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void judgeKilledDuringTheStart_data();
    void judgeKilledDuringTheStart();
    void oneOfItKilledDuringTheStart_data();
    void oneOfItKilledDuringTheStart();

private:
    std::mt19937 m_random{std::random_device{}()};
};

namespace {

constexpr int kills = 60;
constexpr auto patience = 20s;

void addWalls() {
    QTest::addColumn<int>("level");
    QTest::addColumn<bool>("processes");
    for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
        if (whyLevelFails(level).empty()) {
            const std::string text(name(level));
            QTest::addRow("%s, one process", text.c_str()) << static_cast<int>(level) << false;
            QTest::addRow("%s, several processes", text.c_str()) << static_cast<int>(level) << true;
        }
    }
}

// A command whose every process has `mark` among its arguments, from the launcher to the innermost program.
Command marked(const std::string& mark) {
    QFETCH(int, level);
    QFETCH(bool, processes);
    SandboxPolicy policy;
    policy.mayStartProcesses = processes;
    Command command;
    if (processes) {
        command.arguments = {"/bin/sh", "-c", fmt::format("sleep {0} & sleep {0}; wait", mark)};
    } else {
        command.arguments = {"/bin/sleep", mark};
    }
    auto wall = sandboxed(command, policy, static_cast<SandboxLevel>(level));
    if (!wall) {
        qFatal("%s", wall.error().message().c_str());
    }
    return *wall;
}

// A judge in a process of its own, ended with the sandbox that it waits for.
class Judge {
public:
    explicit Judge(const Command& command) : m_pid(::fork()) {
        if (m_pid == 0) {
            (void)runProcess(command, {.timeout = 10min});
            ::_exit(0);
        }
    }
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;
    ~Judge() { kill(); }

    void kill() {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
            m_pid = -1;
        }
    }
    bool hasEnded() {
        if (m_pid > 0 && ::waitpid(m_pid, nullptr, WNOHANG) == m_pid) {
            m_pid = -1;
        }
        return m_pid < 0;
    }

private:
    pid_t m_pid;
};

// Arguments of `sleep` that nobody else uses: about a day, and digits.
std::string newMark() {
    static int last = 0;
    return fmt::format("86400.{}{:06}", ::getpid(), ++last);
}

bool waitUntil(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

// Empty when all are gone; kills what is left so that no later round sees it.
std::string survivors(const std::string& mark) {
    if (waitUntil([&] { return test::processesWith(mark).empty(); })) {
        return {};
    }
    std::string text;
    for (const test::Process& process : test::processesWith(mark)) {
        text += fmt::format("{} (of {}) {}\n", process.pid, process.parent, abbreviated(process.commandLine, 80));
        ::kill(process.pid, SIGKILL);
    }
    return text;
}

} // namespace

void SandboxOrphans::judgeKilledDuringTheStart_data() {
    addWalls();
}

void SandboxOrphans::judgeKilledDuringTheStart() {
    for (int round = 0; round < kills; ++round) {
        const std::string mark = newMark();
        const Command command = marked(mark);
        Judge judge(command);
        const auto delay = std::chrono::microseconds(m_random() % 40'000); // the random input of this test
        std::this_thread::sleep_for(delay);
        judge.kill();
        const std::string left = survivors(mark);
        QVERIFY2(left.empty(), fmt::format("killed after {} us: {}", delay.count(), left).c_str());
    }
}

void SandboxOrphans::oneOfItKilledDuringTheStart_data() {
    addWalls();
}

void SandboxOrphans::oneOfItKilledDuringTheStart() {
    for (int round = 0; round < kills; ++round) {
        const std::string mark = newMark();
        const Command command = marked(mark);
        Judge judge(command);
        const auto delay = std::chrono::microseconds(m_random() % 20'000);
        std::this_thread::sleep_for(delay);
        std::vector<test::Process> there;
        QVERIFY(waitUntil([&] { return !(there = test::processesWith(mark)).empty(); }));
        const test::Process victim = there.at(m_random() % there.size());
        ::kill(victim.pid, SIGKILL);
        // A child of the shell, perhaps before its exec: the others of its sandbox go on.
        const bool oneOfSeveral = std::any_of(there.begin(), there.end(), [&](const test::Process& process) {
            return process.pid == victim.parent && process.commandLine.starts_with("/bin/sh");
        });
        if (oneOfSeveral) {
            judge.kill();
        }
        const std::string what =
            fmt::format("{} of {} processes killed after {} us: {}", abbreviated(victim.commandLine, 60), there.size(),
                        delay.count(), survivors(mark));
        QVERIFY2(what.ends_with(": "), what.c_str());
        QVERIFY2(waitUntil([&] { return judge.hasEnded(); }), what.c_str());
    }
}

QTEST_APPLESS_MAIN(SandboxOrphans)
#include "sandbox_orphans.moc"
