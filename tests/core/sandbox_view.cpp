// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/judge/confine/sandbox.h"

#include <QTest>
#include <array>

using namespace gks;

namespace {

namespace fs = std::filesystem;

void addLevels() {
    QTest::addColumn<int>("level");
    for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock, SandboxLevel::none}) {
        if (whyLevelFails(level).empty()) {
            QTest::newRow(std::string(name(level)).c_str()) << static_cast<int>(level);
        }
    }
}

SandboxLevel currentLevel() {
    QFETCH(int, level);
    return static_cast<SandboxLevel>(level);
}

Command wrapped(Command command, SandboxPolicy policy) {
    policy.allowNone = true;
    auto wall = sandboxed(std::move(command), policy, currentLevel());
    if (!wall) {
        qFatal("%s", wall.error().message().c_str());
    }
    return std::move(*wall);
}

CompletedProcess run(Command command, const SandboxPolicy& policy) {
    auto done = runProcess(wrapped(std::move(command), policy));
    if (!done) {
        qFatal("%s", done.error().message().c_str());
    }
    return *done;
}

void putScript(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    QVERIFY(writeFileAtomically(file, "#!/bin/sh\n" + text).has_value());
    fs::permissions(file, fs::perms(0755));
}

} // namespace

// What a sandboxed program sees where links are on the way to it.
class SandboxViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder.emplace(*TemporaryDirectory::create("gks-view"));
        // As ROCm may be installed: /opt/rocm -> rocm-6, and in it a compiler that is a link out of it.
        const fs::path opt = m_folder->path();
        putScript(opt / "llvm-21/bin/clang", "echo compiled $1");
        fs::create_directories(opt / "rocm-6/bin");
        fs::create_symlink(opt / "llvm-21/bin/clang", opt / "rocm-6/bin/clang++");
        fs::create_directory_symlink("rocm-6", opt / "rocm");
        QVERIFY(writeFileAtomically(opt / "rocm-6/version", "6.4.3\n").has_value());
    }

    void aCompilerThatIsALinkOutOfItsFolderRuns_data() { addLevels(); }
    void aCompilerThatIsALinkOutOfItsFolderRuns() {
        const fs::path opt = m_folder->path();
        SandboxPolicy policy;
        policy.readable = {opt / "rocm-6"};
        Command command;
        command.arguments = {(opt / "rocm-6/bin/clang++").string(), "it"};
        const auto done = run(command, policy);
        QVERIFY2(done.ok(), done.error.c_str());
        QCOMPARE(done.output, std::string("compiled it\n"));
    }

    void aFolderBehindALinkIsSeenUnderBothNames_data() { addLevels(); }
    void aFolderBehindALinkIsSeenUnderBothNames() {
        const fs::path opt = m_folder->path();
        SandboxPolicy policy;
        policy.readable = {opt / "rocm", opt / "rocm/version"};
        policy.mayStartProcesses = true;
        Command command;
        command.arguments = {"/bin/cat", (opt / "rocm/version").string(), (opt / "rocm-6/version").string()};
        const auto done = run(command, policy);
        QVERIFY2(done.ok(), done.error.c_str());
        QCOMPARE(done.output, std::string("6.4.3\n6.4.3\n"));
    }

    void aPartMayBeWrittenToAndAnotherOnlyRead_data() { addLevels(); }
    void aPartMayBeWrittenToAndAnotherOnlyRead() {
        if (currentLevel() == SandboxLevel::none) {
            QSKIP("without a wall everything may be written to");
        }
        const fs::path opt = m_folder->path();
        fs::create_directory(opt / "rocm-6/work");
        SandboxPolicy policy;
        policy.readable = {opt / "rocm"};
        policy.writable = {opt / "rocm/work"};
        Command command;
        command.arguments = {"/bin/sh", "-c",
                             "cd '" + (opt / "rocm").string() + "'; echo a > work/new; echo b > new; cat work/new"};
        policy.mayStartProcesses = true;
        const auto done = run(command, policy);
        QCOMPARE(done.output, std::string("a\n"));
        QVERIFY(!fs::exists(opt / "rocm-6/new"));
    }

    // Since 0.11.2 bubblewrap says "Can't mount on symlink destination".
    void noBindNamesALink() {
        const fs::path opt = m_folder->path();
        SandboxPolicy policy;
        policy.readable = {opt / "rocm", opt / "rocm-6/bin/clang++"};
        policy.writable = {opt / "rocm/bin"};
        Command command;
        command.arguments = {"/bin/sh", "-c", "true"};
        const auto wall = sandboxed(command, policy, SandboxLevel::bubblewrap);
        QVERIFY(wall.has_value());
        constexpr std::array binds = {"--ro-bind", "--bind", "--dev-bind", "--ro-bind-try"};
        int seen = 0;
        for (std::size_t i = 0; i + 2 < wall->arguments.size(); ++i) {
            if (std::find(binds.begin(), binds.end(), wall->arguments[i]) == binds.end()) {
                continue;
            }
            ++seen;
            const fs::path place = wall->arguments[i + 2];
            QCOMPARE(wall->arguments[i + 1], place.string());
            QVERIFY2(fs::canonical(place) == place, place.c_str());
        }
        QVERIFY(seen >= 3);
    }

    void temporaryFilesCanBeWrittenAtEveryLevel_data() { addLevels(); }
    void temporaryFilesCanBeWrittenAtEveryLevel() {
        const fs::path own = m_folder->path() / "tmp";
        fs::create_directory(own);
        SandboxPolicy policy;
        policy.temporary = own;
        Command command;
        command.arguments = {"/bin/sh", "-c", "echo kept > \"$TMPDIR/file\" && read x < \"$TMPDIR/file\" && echo $x"};
        const auto done = run(command, policy);
        QVERIFY2(done.ok(), done.error.c_str());
        QCOMPARE(done.output, std::string("kept\n"));
        // Bubblewrap has a folder in memory of its own.
        QCOMPARE(fs::exists(own / "file"), currentLevel() != SandboxLevel::bubblewrap);
    }

private:
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(SandboxViewTest)
#include "sandbox_view.moc"
