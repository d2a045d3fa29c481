// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/target/device_lock.h"

#include <QTest>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

using namespace gks;

namespace {

namespace fs = std::filesystem;

Device card(const std::string& identity) {
    Device device;
    device.target = TargetKind::nvidia;
    device.name = "card";
    device.identity = identity;
    return device;
}

// The other process: takes the lock, says so, and keeps it until its input ends.
int hold(const std::string& identity) {
    const auto lock = DeviceLock::take(card(identity), {});
    std::cout << (lock ? "held" : lock.error().message()) << std::endl;
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) {
    }
    return 0;
}

ChildProcess startHolder(const std::string& identity) {
    Command command;
    command.arguments = {"/proc/self/exe", "--hold", identity};
    command.arguments[0] = fs::read_symlink("/proc/self/exe").string();
    auto child = ChildProcess::start(command);
    LineReader lines(child->outputDescriptor());
    std::string line;
    if (lines.next(line, std::chrono::seconds(20)) != LineReader::Status::line || line != "held") {
        qFatal("the holder said: %s", line.c_str());
    }
    return std::move(*child);
}

} // namespace

class TargetDeviceLockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_folder.emplace(*TemporaryDirectory::create("gks-locks"));
        qputenv("GKS_LOCKS", m_folder->path().c_str());
    }

    void theSecondProcessWaitsForTheFirst() {
        ChildProcess holder = startHolder("0000:1B:00.0");
        std::string told;
        DeviceLock::Waiting waiting;
        waiting.bound = std::chrono::seconds(60);
        waiting.tell = [&](const std::string& text) {
            told = text;
            holder.closeInput(); // it ends only now: the lock cannot have been free before
        };
        const auto lock = DeviceLock::take(card("0000:1b:00.0"), waiting);
        QVERIFY2(lock.has_value(), lock ? "" : lock.error().message().c_str());
        QCOMPARE(told, "waiting for card: in use by process " + std::to_string(holder.pid()));
    }

    void aBoundEndsTheWait() {
        const ChildProcess holder = startHolder("bounded");
        DeviceLock::Waiting waiting;
        waiting.bound = std::chrono::milliseconds(250);
        const auto lock = DeviceLock::take(card("bounded"), waiting);
        QVERIFY(!lock.has_value());
        QCOMPARE(lock.error().kind, ErrorKind::infrastructure);
        QVERIFY2(lock.error().message().find("in use by process " + std::to_string(holder.pid())) != std::string::npos,
                 lock.error().message().c_str());
        QVERIFY(!lock.error().next.empty());
    }

    void aStopEndsTheWait() {
        const ChildProcess holder = startHolder("stopped");
        std::stop_source stop;
        DeviceLock::Waiting waiting;
        waiting.stop = stop.get_token();
        waiting.tell = [&](const std::string&) { stop.request_stop(); };
        QVERIFY(!DeviceLock::take(card("stopped"), waiting).has_value());
    }

    void aKilledHolderFreesIt() {
        ChildProcess holder = startHolder("killed");
        holder.kill();
        DeviceLock::Waiting waiting;
        waiting.bound = {};
        QVERIFY(DeviceLock::take(card("killed"), waiting).has_value());
    }

    void othersAreNotInTheWay() {
        const ChildProcess holder = startHolder("one");
        DeviceLock::Waiting waiting;
        waiting.bound = {};
        QVERIFY(DeviceLock::take(card("another"), waiting).has_value());
        QVERIFY(DeviceLock::take(card(""), waiting).has_value()); // no card
        Device amd = card("one");
        amd.target = TargetKind::amd;
        QVERIFY(DeviceLock::take(amd, waiting).has_value());
    }

    // The folder is everybody's: a name there may be somebody else's trap.
    void aLinkIsNotFollowed() {
        const fs::path path = DeviceLock::pathFor(card("../trap"));
        QCOMPARE(path.parent_path(), m_folder->path());
        const fs::path victim = m_folder->path() / "victim";
        QVERIFY(writeFileAtomically(victim, "precious").has_value());
        fs::create_symlink(victim, path);
        QVERIFY(!DeviceLock::take(card("../trap"), {}).has_value());
        QCOMPARE(*readFile(victim), std::string("precious"));
    }

private:
    std::optional<TemporaryDirectory> m_folder;
};

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--hold") {
        return hold(argv[2]);
    }
    TargetDeviceLockTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "target_device_lock.moc"
