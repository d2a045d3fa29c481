// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/killed.h"
#include "core/base/process.h"

#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gks;
using namespace std::chrono_literals;

class BaseProcess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void collectsBothStreamsAndStatus();
    void inputLargerThanAPipeIsDelivered();
    void floodIsBounded();
    void timeoutKillsTheWholeGroup();
    void stopCancels();
    void missingProgramIsNamed();
    void onlyGivenDescriptorsReachTheChild();
    void signalsAreNamed();
    void aKillFromOutsideIsTold_data();
    void aKillFromOutsideIsTold();
    void aQuotedKillIsNone();
    void processorTimeEndsBySigxcpu();
    void linesAreSplitWhereverTheBytesAre();
    void overlongLineIsRefused();
};

void BaseProcess::collectsBothStreamsAndStatus() {
    const auto done = runProcess({.arguments = {"sh", "-c", "echo out; echo err >&2; exit 7"}});
    QVERIFY(done);
    QCOMPARE(done->output, std::string("out\n"));
    QCOMPARE(done->error, std::string("err\n"));
    QCOMPARE(done->exit.status.value_or(-1), 7);
    QVERIFY(!done->ok());
}

void BaseProcess::inputLargerThanAPipeIsDelivered() {
    const std::string input(1 << 20, 'x');
    const auto done = runProcess({.arguments = {"wc", "-c"}}, {.input = input});
    QVERIFY(done);
    QCOMPARE(std::stoi(done->output), 1 << 20);
}

void BaseProcess::floodIsBounded() {
    const auto done = runProcess({.arguments = {"head", "-c", "3000000", "/dev/zero"}}, {.outputLimitBytes = 1000});
    QVERIFY(done && done->ok());
    QCOMPARE(done->output.size(), std::size_t{1000});
    QVERIFY(done->outputTruncated);
}

void BaseProcess::timeoutKillsTheWholeGroup() {
    const auto done = runProcess({.arguments = {"sh", "-c", "sleep 1000 & echo $!; wait"}}, {.timeout = 300ms});
    QVERIFY(done);
    QVERIFY(done->timedOut);
    const pid_t grandchild = std::stoi(done->output);
    // Killed, though perhaps not yet reaped by whoever adopted it: a zombie has no command line any more.
    const auto gone = [&] {
        const auto cmdline = runProcess({.arguments = {"cat", "/proc/" + std::to_string(grandchild) + "/cmdline"}});
        return !cmdline || cmdline->output.empty();
    };
    QTRY_VERIFY(gone());
}

void BaseProcess::stopCancels() {
    std::stop_source source;
    std::jthread canceller([&] { source.request_stop(); });
    const auto done = runProcess({.arguments = {"sleep", "1000"}}, {.stop = source.get_token()});
    QVERIFY(done);
    QVERIFY(done->cancelled);
    QVERIFY(!done->timedOut);
}

void BaseProcess::missingProgramIsNamed() {
    const auto done = runProcess({.arguments = {"no-such-program-here"}});
    QVERIFY(!done);
    QCOMPARE(done.error().where, std::string("no-such-program-here"));
    QVERIFY(done.error().kind == ErrorKind::infrastructure);
}

void BaseProcess::onlyGivenDescriptorsReachTheChild() {
    const int leaked = ::open("/dev/null", O_RDONLY); // on purpose without O_CLOEXEC
    const auto done = runProcess({.arguments = {"ls", "/proc/self/fd"}, .descriptors = {{5, leaked}}});
    ::close(leaked);
    QVERIFY(done && done->ok());
    // ls itself opens the folder as 3
    QCOMPARE(QString::fromStdString(done->output).split(QLatin1Char('\n'), Qt::SkipEmptyParts),
             QStringList({QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3"),
                          QStringLiteral("5")}));
}

void BaseProcess::signalsAreNamed() {
    const auto done = runProcess({.arguments = {"sh", "-c", "kill -SEGV $$"}});
    QVERIFY(done);
    QCOMPARE(done->exit.signal.value_or(0), SIGSEGV);
    QVERIFY(done->exit.text().find("Segmentation fault") != std::string::npos);
}

void BaseProcess::aKillFromOutsideIsTold_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<bool>("killed");
    const auto row = [](const char* name, const char* script, bool killed) {
        QTest::newRow(name) << QByteArray(script) << killed;
    };
    row("itself", "kill -9 $$", true);
    row("a child of a shell", "sh -c 'kill -9 $$'; exit $?", true);
    row("a child of clang", "echo 'clang++-19: error: unable to execute command: Killed' >&2; exit 254", true);
    row("the source says it", "echo 'kernel.hip:1:2: error: unable to execute command: Killed' >&2; exit 1", false);
    row("a child of nvcc", "echo \"nvcc error   : 'cicc' died due to signal 9\" >&2; exit 9", true);
    row("a source that imitates nvcc", "echo \"nvcc error   : 'cicc' died due to signal 9:1:2: error: x\" >&2; exit 1",
        false);
    row("another end of clang's child", "echo 'clang: error: unable to execute command: Aborted' >&2; exit 254", false);
    row("a crash", "kill -11 $$", false);
    row("a time-out", "sleep 1000", false);
}

void BaseProcess::aKillFromOutsideIsTold() {
    QFETCH(QByteArray, script);
    QFETCH(bool, killed);
    const auto done = runProcess({.arguments = {"sh", "-c", script.toStdString()}}, {.timeout = 2s});
    QVERIFY(done);
    QCOMPARE(wasKilled(*done), killed);
}

void BaseProcess::aQuotedKillIsNone() {
    QVERIFY(tellsOfKill(killedError("the linker", "link")));
    for (const std::string& quoted :
         std::vector<std::string>{fmt::format("ld.lld: error: x.hip: the linker {}", killedFromOutside),
                                  fmt::format("\"{}", killedError("the linker", {}).what),
                                  std::string("kernel.hip: killed by signal 9 (Killed)"),
                                  fmt::format("no\n{}", killedError("the linker", {}).what)}) {
        QVERIFY2(!tellsOfKill({ErrorKind::infrastructure, quoted}), quoted.c_str());
    }
    QVERIFY(!tellsOfKill({ErrorKind::kernel, killedError("the linker", {}).what}));
}

// Not by SIGKILL, which would look like a kill from outside.
void BaseProcess::processorTimeEndsBySigxcpu() {
    Command command;
    command.arguments = {"sh", "-c", "while :; do :; done"};
    command.limits.cpuSeconds = 1;
    const auto done = runProcess(command);
    QVERIFY(done);
    QCOMPARE(done->exit.signal.value_or(0), SIGXCPU);
}

void BaseProcess::linesAreSplitWhereverTheBytesAre() {
    const std::string text = "{\"a\":1}\n\n{\"b\":2}\n";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        LineReader reader(ends[0]);
        std::string line;
        std::vector<std::string> got;
        for (const std::string& piece : {text.substr(0, cut), text.substr(cut)}) {
            QCOMPARE(::write(ends[1], piece.data(), piece.size()), static_cast<ssize_t>(piece.size()));
            while (reader.next(line, 0ms) == LineReader::Status::line) {
                got.push_back(line);
            }
        }
        ::close(ends[1]);
        QVERIFY(reader.next(line, 100ms) == LineReader::Status::end);
        ::close(ends[0]);
        QVERIFY((got == std::vector<std::string>{"{\"a\":1}", "", "{\"b\":2}"}));
    }
}

void BaseProcess::overlongLineIsRefused() {
    int ends[2];
    QCOMPARE(::pipe(ends), 0);
    const std::string text = std::string(100'000, 'x') + "\nnext\n" + std::string(5000, 'y');
    std::jthread writer([&] { // more than a pipe holds
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t count = ::write(ends[1], text.data() + at, text.size() - at);
            at += count > 0 ? static_cast<std::size_t>(count) : text.size();
        }
    });
    LineReader reader(ends[0], 1000);
    std::string line;
    QVERIFY(reader.next(line, 10s) == LineReader::Status::tooLong);
    QVERIFY(reader.next(line, 10s) == LineReader::Status::line); // what comes behind it is whole
    QCOMPARE(line, std::string("next"));
    QVERIFY(reader.next(line, 10s) == LineReader::Status::tooLong); // as soon as it is known
    writer.join();
    ::close(ends[0]);
    ::close(ends[1]);
}

QTEST_APPLESS_MAIN(BaseProcess)
#include "base_process.moc"
