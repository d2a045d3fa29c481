// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/judge/confine/sandbox.h"
#include "core/target/target.h"

#include <QTest>
#include <cstdlib>

using namespace gks;

namespace {

namespace fs = std::filesystem;

constexpr const char* source = "#include \"problem.h\"\n"
                               "__global__ void scale(float* x) { x[threadIdx.x] *= FACTOR; }\n"
                               "extern \"C\" hipError_t solve(float* x, hipStream_t stream) {\n"
                               "    scale<<<1, 64, 0, stream>>>(x);\n"
                               "    return hipGetLastError();\n"
                               "}\n";
constexpr const char* header = "#pragma once\n#include <hip/hip_runtime.h>\n#define FACTOR 2.0f\n";

} // namespace

// A whole build behind each wall: the compilers find everything they need there, and nothing else.
class TargetSandboxedBuildTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_cache.emplace(*TemporaryDirectory::create("gks-build-cache"));
        qputenv("GKS_CACHE", m_cache->path().c_str());
        const auto prepared = prepareToolchain(m_target);
        QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message().c_str());
    }
    void init() { m_folder.emplace(*TemporaryDirectory::create("gks-build")); }

    void buildsBehindTheWall_data() { addLevels(); }
    void buildsBehindTheWall() {
        const BuildPlan plan = planned(source);
        for (const BuildStep& step : plan.steps) {
            const CompletedProcess run = execute(step);
            QVERIFY2(run.ok(), (step.name + ": " + run.error).c_str());
            QCOMPARE(run.error, std::string());
            if (step.outputFile) {
                QVERIFY(writeFileAtomically(*step.outputFile, run.output).has_value());
            }
        }
        for (const fs::path& module : plan.modules()) {
            QVERIFY2(fs::exists(module), module.c_str());
        }
        const auto report = readStaticReport("gfx942", *readFile(plan.notesText), *readFile(plan.disassembly));
        QVERIFY(report.has_value());
        QCOMPARE(report->kernels.front().name, std::string("scale(float*)"));
    }

    void theCompilerCannotReadWhatItWasNotGiven_data() { addLevels(); }
    void theCompilerCannotReadWhatItWasNotGiven() {
        const auto secret = TemporaryDirectory::create("gks-secret");
        QVERIFY(writeFileAtomically(secret->path() / "key", "sk-secret-key is not C++\n").has_value());
        for (const char* directive : {"#include \"%1\"\n", "asm(\".incbin \\\"%1\\\"\");\n"}) {
            const QByteArray line = QByteArray(directive).replace("%1", (secret->path() / "key").c_str());
            const BuildPlan plan = planned(std::string(source) + line.toStdString());
            const CompletedProcess run = execute(plan.steps.back());
            QVERIFY(!run.ok());
            QVERIFY2(run.error.find("sk-secret-key") == std::string::npos, run.error.c_str());
        }
    }

    void thePrecompiledHeadersAreOutOfReach_data() { addLevels(); }
    void thePrecompiledHeadersAreOutOfReach() {
        const BuildPlan plan = planned(source);
        Command command;
        command.arguments = {"/bin/sh", "-c",
                             "for f in $(find " + (m_cache->path() / "pch").string() +
                                 " -name '*.pch'); do echo seen; true > $f; done"};
        const CompletedProcess run = execute(plan.steps.back(), command);
        QVERIFY2(run.output.starts_with("seen\nseen\n"), (run.output + run.error).c_str());
        for (const auto& entry : fs::recursive_directory_iterator(m_cache->path() / "pch")) {
            QVERIFY(entry.path().extension() != ".pch" || entry.file_size() > 0);
        }
    }

private:
    static void addLevels() {
        QTest::addColumn<int>("level");
        QTest::newRow("bubblewrap") << static_cast<int>(SandboxLevel::bubblewrap);
        QTest::newRow("landlock") << static_cast<int>(SandboxLevel::landlock);
    }

    BuildPlan planned(const std::string& text) const {
        const auto plan = planBuild({m_target, text, header, m_folder->path(), true});
        if (!plan) {
            qFatal("%s", plan.error().message().c_str());
        }
        return *plan;
    }

    // The step itself, or another command with the same rights.
    static CompletedProcess execute(const BuildStep& step, Command command = {}) {
        QFETCH(int, level);
        SandboxPolicy policy;
        policy.readable = step.readable;
        policy.writable = step.writable;
        policy.environment = step.environment;
        policy.mayStartProcesses = true;
        policy.limits = {std::size_t{8} << 30, 120, std::size_t{256} << 20, 256};
        if (command.arguments.empty()) {
            command.arguments = step.arguments;
        }
        const auto wall = sandboxed(command, policy, static_cast<SandboxLevel>(level));
        const auto run = wall ? runProcess(*wall) : Result<CompletedProcess>(tl::unexpected(wall.error()));
        if (!run) {
            qFatal("%s", run.error().message().c_str());
        }
        return *run;
    }

    const Target m_target = {TargetKind::cpu, "gfx942"};
    std::optional<TemporaryDirectory> m_cache;
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(TargetSandboxedBuildTest)
#include "target_sandboxed_build.moc"
