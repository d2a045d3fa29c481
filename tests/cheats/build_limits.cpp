// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that go for the compiler: each ends at a limit, with a sentence that says which, and leaves nothing behind.
#include "core/base/sanitized.h"
#include "core/judge/evaluator/build/kernel_build.h"
#include "tests/support/process_table.h"

#include <QTest>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace gks;

namespace {

const std::string problem = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels/affine";
constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::string kernelWith(const std::string& text) {
    return "#include \"problem.h\"\n" + text +
           "\nextern \"C\" hipError_t solve(const Problem&, void*, hipStream_t) { return hipSuccess; }\n";
}

std::size_t buildFolders() {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
        count += entry.path().filename().string().starts_with("gks-build") ? 1 : 0;
    }
    return count;
}

} // namespace

class BuildLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        auto folder = TemporaryDirectory::create("gks-limits");
        QVERIFY(folder.has_value());
        m_folder.emplace(std::move(*folder));
        qputenv("TMPDIR", m_folder->path().c_str()); // others build on this machine too
        qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache");
        auto pack = loadProblemPack(problem);
        QVERIFY(pack.has_value());
        m_pack.emplace(std::move(*pack));
        QVERIFY(prepareToolchain({TargetKind::cpu, "gfx942"}).has_value());
    }

    void hostileSources_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<int>("seconds");
        QTest::newRow("never ends")
            << QByteArray("template<int A, int B> struct Tree { static constexpr int value = Tree<A - 1, 2 * B>::value "
                          "+ Tree<A - 1, 2 * B + 1>::value; };\ntemplate<int B> struct Tree<0, B> { static constexpr "
                          "int value = 1; };\nstatic_assert(Tree<28, 1>::value > 0, \"\");\n")
            << QByteArray("the compiler took more than 4 s of processor time") << 4;
        if (!isSanitized) { // no limit of addresses there
            QTest::newRow("takes all memory")
                << QByteArray(
                       "template<class T, T... I> struct Sequence { static constexpr int sum = (0 + ... + int(I)); "
                       "};\nstatic_assert(__make_integer_seq<Sequence, int, 60000000>::sum != 1, \"\");\n")
                << QByteArray("the compiler needed more than 1536 MiB of memory") << 60;
        }
        QTest::newRow("fills the disk") << QByteArray("extern \"C\" { char filled[400u << 20] = {1}; }\n")
                                        << QByteArray("the compiler wrote a file of more than 64 MiB") << 60;
        QTest::newRow("complains without end")
            << QByteArray("#warning \"" + QByteArray(200, 'x') + "\"\n").repeated(1000) + "#error \"the last word\"\n"
            << QByteArray("the last word") << 60;
        // What a source says itself tells neither of a limit nor of the sandbox.
        QTest::newRow("speaks of memory") << QByteArray("#warning out of memory, bad_alloc\n#error the last word\n")
                                          << QByteArray("the last word") << 60;
        QTest::newRow("names a function so") << QByteArray("extern \"C\" __device__ void out_bad_alloc();\n"
                                                           "__global__ void calls() { out_bad_alloc(); }\n")
                                             << QByteArray("out_bad_alloc is not supported on the cpu target") << 60;
        QTest::newRow("speaks as the sandbox")
            << QByteArray("#line 1 \"bwrap: x\"\n#error the last word\n") << QByteArray("the last word") << 60;
        QTest::newRow("names a function as the sandbox")
            << QByteArray("__device__ void named() __asm(\"bwrap: x\");\n__global__ void calls() { named(); }\n")
            << QByteArray("bwrap: x is not supported on the cpu target") << 60;
    }
    void hostileSources() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, reason);
        QFETCH(int, seconds);
        const auto refusal = refusalOf(kernelWith(text.toStdString()), seconds);
        QVERIFY(refusal.has_value());
        QVERIFY2(refusal->kind == VerdictKind::buildFailed, refusal->reason.c_str());
        QVERIFY2(refusal->reason.find(reason.toStdString()) != std::string::npos, refusal->reason.c_str());
        QCOMPARE(buildFolders(), std::size_t{0});
    }

    // A compiler that gets nothing of the processor says nothing about the kernel.
    void aMachineWithoutTimeBlamesNoKernel() {
        // Its build must not come from the cache, and no other compiler has this folder.
        const std::string fresh = m_pack->seeds.front().source + "// " + m_folder->path().string() + "\n";
        const std::string mark = (m_folder->path() / "gks-build").string();
        std::jthread halting([&](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                for (const test::Process& one : test::processesWith(mark)) {
                    if (one.commandLine.find("clang") != std::string::npos) {
                        ::kill(one.pid, SIGSTOP);
                    }
                }
                std::this_thread::yield();
            }
        });
        const auto refusal = refusalOf(fresh, 60, std::chrono::seconds(5));
        halting.request_stop();
        QVERIFY(refusal.has_value());
        QVERIFY2(refusal->kind == VerdictKind::infrastructureFailed, refusal->reason.c_str());
        QVERIFY2(refusal->isStarved, refusal->reason.c_str());
        QVERIFY(!refusal->isKilled); // the engine tries it again
        QCOMPARE(buildFolders(), std::size_t{0});
    }

    // The limits are not what an honest kernel meets.
    void anHonestKernelFits() { QVERIFY(!refusalOf(m_pack->seeds.front().source, 60).has_value()); }

private:
    std::optional<Refusal> refusalOf(const std::string& source, int seconds,
                                     std::chrono::seconds wallTime = KernelBuild::Limits().wallTime) const {
        KernelBuild::Options options;
        options.target = {TargetKind::cpu, "gfx942"};
        options.sandbox = availableSandbox().level;
        options.limits.time = std::chrono::seconds(seconds);
        options.limits.wallTime = wallTime;
        options.limits.memoryBytes = 1536 * mebibyte;
        options.limits.fileBytes = 64 * mebibyte;
        std::size_t logged = 0;
        auto build = KernelBuild::start(*m_pack, source, options,
                                        [&](const EvaluationEvent& event) {
                                            if (const auto* log = std::get_if<LogEvent>(&event)) {
                                                logged = std::max(logged, log->text.size());
                                            }
                                        },
                                        {});
        if (!build) {
            return build.error();
        }
        const auto ready = (*build)->waitForModule();
        if (const auto report = (*build)->waitForReport(); !report && ready) {
            return report.error();
        }
        if ((*build)->facts().log.size() > 70000 || logged > 70000) {
            return Refusal{VerdictKind::infrastructureFailed, "the log is not bounded"};
        }
        return ready ? std::nullopt : std::optional(ready.error());
    }

    std::optional<ProblemPack> m_pack;
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(BuildLimits)
#include "build_limits.moc"
