// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/sanitized.h"
#include "core/judge/confine/sandbox.h"

#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace gks;

namespace {

// The strong levels that this machine lets us build; a machine with neither cannot run this project's kernels at all.
std::vector<SandboxLevel> workingLevels() {
    std::vector<SandboxLevel> levels;
    for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
        Command command;
        command.arguments = {"/usr/bin/true"};
        const auto wall = sandboxed(command, {}, level);
        const auto run = wall ? runProcess(*wall) : Result<CompletedProcess>(tl::unexpected(wall.error()));
        if (run && run->ok()) {
            levels.push_back(level);
        }
    }
    return levels;
}

void addLevels() {
    QTest::addColumn<int>("level");
    for (const SandboxLevel level : workingLevels()) {
        QTest::newRow(std::string(name(level)).c_str()) << static_cast<int>(level);
    }
}

SandboxLevel currentLevel() {
    QFETCH(int, level);
    return static_cast<SandboxLevel>(level);
}

Command shell(std::string script) {
    Command command;
    command.arguments = {"/bin/sh", "-c", std::move(script)};
    return command;
}

CompletedProcess run(const Command& command, const SandboxPolicy& policy, SandboxLevel level,
                     const RunOptions& options = {}) {
    const auto wall = sandboxed(command, policy, level);
    if (!wall) {
        qFatal("%s", wall.error().message().c_str());
    }
    auto done = runProcess(*wall, options);
    if (!done) {
        qFatal("%s", done.error().message().c_str());
    }
    done->exit = programExit(done->exit, level);
    return *done;
}

} // namespace

class SandboxTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStrongLevelWorksHere() {
        QVERIFY(!workingLevels().empty());
        QCOMPARE(availableSandbox().level, workingLevels().front());
    }

    void escapesAreStopped_data() { addLevels(); }
    void escapesAreStopped() {
        const auto attempts = tryToEscape(currentLevel());
        QVERIFY(attempts.size() >= 20);
        for (const EscapeAttempt& attempt : attempts) {
            QVERIFY2(attempt.stopped, (attempt.what + ": " + attempt.detail).c_str());
        }
    }

    // The attempts are real: without a wall they get through.
    void attemptsSucceedWithoutWall() {
        std::map<std::string, bool> stopped;
        for (const EscapeAttempt& attempt : tryToEscape(SandboxLevel::none)) {
            stopped[attempt.what] = attempt.stopped;
        }
        for (const char* what : {"read a file of the user", "read about another process", "open a socket",
                                 "start a process", "signal another process", "keep or regain privileges"}) {
            QVERIFY2(!stopped.at(what), what);
        }
        for (const char* what : {"fill the disk", "open descriptors without end", "find a descriptor of its parent"}) {
            QVERIFY2(stopped.at(what), what);
        }
        QVERIFY(isSanitized || stopped.at("fill the memory"));
    }

    void namedPathsAreSeenAndNoOthers_data() { addLevels(); }
    void namedPathsAreSeenAndNoOthers() {
        const auto readable = TemporaryDirectory::create("gks-sandbox-r");
        const auto writable = TemporaryDirectory::create("gks-sandbox-w");
        const auto hidden = TemporaryDirectory::create("gks-sandbox-h");
        QVERIFY(writeFileAtomically(readable->path() / "in", "seen") &&
                writeFileAtomically(hidden->path() / "in", "hidden"));
        SandboxPolicy policy;
        policy.readable = {readable->path()};
        policy.writable = {writable->path()};
        Command command = shell("read a < '" + (readable->path() / "in").string() + "'; echo $a > out; read b < '" +
                                (hidden->path() / "in").string() + "'; echo [$b]; echo no > '" +
                                (readable->path() / "new").string() + "'; true");
        command.folder = writable->path();
        const auto done = run(command, policy, currentLevel());
        QVERIFY2(done.ok(), done.error.c_str());
        QCOMPARE(done.output, std::string("[]\n"));
        QCOMPARE(readFile(writable->path() / "out").value_or(""), std::string("seen\n"));
        QVERIFY(!std::filesystem::exists(readable->path() / "new"));
    }

    void environmentIsCleared_data() { addLevels(); }
    void environmentIsCleared() {
        qputenv("GKS_SECRET", "sk-something");
        SandboxPolicy policy;
        policy.environment = {{"GKS_GIVEN", "yes"}};
        const auto done = run(shell("echo [$GKS_SECRET] [$GKS_GIVEN] [$HOME] [$LC_ALL]"), policy, currentLevel());
        QCOMPARE(done.output, std::string("[] [yes] [] [C.UTF-8]\n"));
    }

    void processesOnlyWhenAllowed_data() { addLevels(); }
    void processesOnlyWhenAllowed() {
        SandboxPolicy policy;
        QVERIFY(!run(shell("/usr/bin/true; /usr/bin/true"), policy, currentLevel()).ok());
        policy.mayStartProcesses = true;
        QVERIFY(run(shell("/usr/bin/true; /usr/bin/true"), policy, currentLevel()).ok());
    }

    // A profiler's processes talk to each other, and to nobody else.
    void socketsLeadNowhereButInside() {
        const std::vector<SandboxLevel> levels = workingLevels();
        if (std::find(levels.begin(), levels.end(), SandboxLevel::bubblewrap) == levels.end()) {
            QSKIP("bubblewrap does not work here");
        }
        const auto said = [](const std::string& address, bool mayTalkInside) {
            SandboxPolicy policy;
            policy.mayStartProcesses = true;
            policy.mayTalkInside = mayTalkInside;
            Command command;
            command.arguments = {"/bin/bash", "-c", "exec 3<>/dev/tcp/" + address};
            return run(command, policy, SandboxLevel::bubblewrap).error;
        };
        const std::string inside = said("127.0.0.1/9", true); // nobody listens there
        QVERIFY2(inside.find("Connection refused") != std::string::npos, inside.c_str());
        const std::string outside = said("192.0.2.1/9", true);
        QVERIFY2(outside.find("unreachable") != std::string::npos, outside.c_str());
        const std::string without = said("127.0.0.1/9", false);
        QVERIFY2(without.find("not permitted") != std::string::npos, without.c_str());
    }

    void threadsAreAlwaysAllowed_data() { addLevels(); }
    void threadsAreAlwaysAllowed() {
        Command command;
        command.arguments = {GKS_BINARY_DIR "/tests/start_thread"};
        const auto done = run(command, {}, currentLevel());
        QCOMPARE(done.output, std::string("thread ran\n"));
    }

    void signalsOfTheProgramAreKept_data() { addLevels(); }
    void signalsOfTheProgramAreKept() {
        const auto killed = run(shell("kill -SEGV $$"), {}, currentLevel());
        QCOMPARE(killed.exit.signal, std::optional<int>(SIGSEGV));
        const auto exited = run(shell("exit 3"), {}, currentLevel());
        QCOMPARE(exited.exit.status, std::optional<int>(3));
    }

    // What it prints and how it ends is the program's own choice.
    void aProgramCannotSayThatItsWallHasFailed_data() { addLevels(); }
    void aProgramCannotSayThatItsWallHasFailed() {
        for (const char* end : {"echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1", "exit 126",
                                "echo 'kernel-scientist-confine: Landlock: Permission denied' >&2; exit 126"}) {
            const auto done = run(shell(end), {}, currentLevel());
            QVERIFY2(!wallFailed(done.exit, currentLevel()), end);
            QVERIFY(!done.ok());
        }
        QVERIFY(!wallFailed({126, {}}, SandboxLevel::none));
    }

    void aWallThatDoesNotStandIsTold_data() { addLevels(); }
    void aWallThatDoesNotStandIsTold() {
        const auto folder = TemporaryDirectory::create("gks-sandbox-wall");
        const auto program = folder->path() / "program";
        QVERIFY(writeFileAtomically(program, "#!/no/such/interpreter\n"));
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        Command command;
        command.arguments = {program.string()};
        QVERIFY(wallFailed(run(command, {}, currentLevel()).exit, currentLevel()));
    }

    void endlessLoopIsEndedByItsCpuLimit_data() { addLevels(); }
    void endlessLoopIsEndedByItsCpuLimit() {
        SandboxPolicy policy;
        policy.limits.cpuSeconds = 1;
        const auto done = run(shell("while :; do :; done"), policy, currentLevel());
        QVERIFY(done.exit.signal.has_value());
        QVERIFY(!done.timedOut);
    }

    void endlessOutputIsBounded_data() { addLevels(); }
    void endlessOutputIsBounded() {
        RunOptions options;
        options.timeout = std::chrono::milliseconds(500);
        options.outputLimitBytes = 1000;
        const auto done = run(shell("while :; do echo 0123456789; done"), {}, currentLevel(), options);
        QVERIFY(done.timedOut);
        QVERIFY(done.outputTruncated);
        QCOMPARE(done.output.size(), std::size_t{1000});
    }

    // A pipe whose writing end every survivor would hold open: its end of file says that all are gone.
    void nothingSurvivesAKill_data() { addLevels(); }
    void nothingSurvivesAKill() {
        int ends[2] = {-1, -1};
        QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
        SandboxPolicy policy;
        policy.mayStartProcesses = true;
        Command command = shell("(setsid sleep 1000 || sleep 1000) & sleep 1000 & echo x >&7; wait");
        command.descriptors = {{7, ends[1]}};
        const auto wall = sandboxed(command, policy, currentLevel());
        QVERIFY(wall.has_value());
        auto child = ChildProcess::start(*wall);
        QVERIFY(child.has_value());
        ::close(ends[1]);
        LineReader reader(ends[0]);
        std::string line;
        QCOMPARE(reader.next(line, std::chrono::seconds(20)), LineReader::Status::line);
        child->kill();
        QCOMPARE(reader.next(line, std::chrono::seconds(20)), LineReader::Status::end);
        ::close(ends[0]);
    }

    void aWrappedCommandRunsAnyNumberOfTimes_data() { addLevels(); }
    void aWrappedCommandRunsAnyNumberOfTimes() {
        const auto wall = sandboxed(shell("echo again"), {}, currentLevel());
        QVERIFY(wall.has_value());
        for (int i = 0; i < 3; ++i) {
            const auto done = runProcess(*wall);
            QVERIFY(done.has_value());
            QCOMPARE(done->output, std::string("again\n"));
        }
    }

    void memoryFoldersAreBounded() {
        if (availableSandbox().level != SandboxLevel::bubblewrap) {
            QSKIP("only bubblewrap has folders in memory");
        }
        SandboxPolicy policy;
        const auto done =
            run(shell("echo x > /new; echo x > /dev/new; echo x > /tmp/new && echo x > /dev/shm/new && echo both"),
                policy, SandboxLevel::bubblewrap);
        QCOMPARE(done.output, std::string("both\n"));
        QVERIFY(done.error.find("/new: Read-only") != std::string::npos);
        QVERIFY(done.error.find("/dev/new: Read-only") != std::string::npos);
    }

    void mistakesAreErrors() {
        SandboxPolicy policy;
        const auto refused = sandboxed(shell("true"), policy, SandboxLevel::none);
        QVERIFY(!refused.has_value());
        policy.allowNone = true;
        QVERIFY(sandboxed(shell("true"), policy, SandboxLevel::none).has_value());
        Command missing;
        missing.arguments = {"/no/such/program"};
        QVERIFY(!sandboxed(missing, {}, SandboxLevel::landlock).has_value());
        QVERIFY(!sandboxed(Command{}, {}, SandboxLevel::landlock).has_value());
        policy.readable = {"/no/such/folder"};
        const auto path = sandboxed(shell("true"), policy, SandboxLevel::landlock);
        QVERIFY(!path.has_value());
        QCOMPARE(path.error().where, std::string("/no/such/folder"));
    }
};

QTEST_APPLESS_MAIN(SandboxTest)
#include "sandbox_wall.moc"
