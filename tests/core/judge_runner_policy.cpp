// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/judge/evaluator/session/runner_policy.h"
#include "core/target/runtime_files.h"

#include <QTest>
#include <algorithm>

using namespace gks;

namespace {

namespace fs = std::filesystem;

void buildLibrary(const fs::path& file, const std::vector<std::string>& options) {
    fs::create_directories(file.parent_path());
    Command command;
    command.arguments = {"c++", "-shared", "-fPIC", "-x", "c++", "/dev/null", "-o", file.string()};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    const auto run = runProcess(command);
    if (!run || !run->ok()) {
        qFatal("%s", run ? run->error.c_str() : "no compiler");
    }
}

bool holds(const std::vector<fs::path>& paths, const fs::path& wanted) {
    return std::find(paths.begin(), paths.end(), wanted) != paths.end();
}

RunnerSession::Setup setupFor(TargetKind target) {
    RunnerSession::Setup setup;
    setup.device.target = target;
    setup.device.runtime = "/usr/lib/libruntime.so";
    return setup;
}

} // namespace

// What the wall shows of a card's runtime.
class RunnerPolicyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(*TemporaryDirectory::create("gks-runtime")); }

    // As AMD installs it: the runtime in /opt/rocm, what it is linked with in /opt/amdgpu.
    void whatTheRuntimeIsLinkedWithIsVisible() {
        const fs::path driver = m_folder->path() / "amdgpu/lib";
        const fs::path rocm = m_folder->path() / "rocm";
        buildLibrary(driver / "libdrm_of_test.so", {});
        buildLibrary(rocm / "lib/libamdhip64.so",
                     {"-Wl,--no-as-needed", "-L" + driver.string(), "-ldrm_of_test", "-Wl,-rpath," + driver.string()});
        QVERIFY(holds(neededLibraries(rocm / "lib/libamdhip64.so"), driver / "libdrm_of_test.so"));
        const auto plain = runtimeFiles(rocm / "lib/libamdhip64.so");
        QVERIFY(holds(plain, driver));
        QVERIFY(holds(plain, rocm / "lib"));
        QVERIFY(!holds(plain, rocm)); // it might be somebody's home
        fs::create_directories(rocm / ".info");
        QVERIFY(writeFileAtomically(rocm / ".info/version", "6.4.3\n").has_value());
        QVERIFY(holds(runtimeFiles(rocm / "lib/libamdhip64.so"), rocm));
        RunnerSession::Setup setup = setupFor(TargetKind::amd);
        setup.device.runtimeFiles = plain;
        QVERIFY(holds(runnerPolicy(setup, {}).readable, driver));
        for (const fs::path& path : plain) {
            QVERIFY2(!path.string().starts_with("/usr/") && !path.string().starts_with("/lib"), path.c_str());
        }
    }

    void aCardsRuntimeHasAFolderAndDescriptors() {
        const fs::path own = m_folder->path() / "tmp";
        const SandboxPolicy card = runnerPolicy(setupFor(TargetKind::amd), own);
        QCOMPARE(card.temporary, own);
        QCOMPARE(card.limits.openFiles, std::optional<std::size_t>(4096));
    }

private:
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(RunnerPolicyTest)
#include "judge_runner_policy.moc"
