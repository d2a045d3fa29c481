// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that are honest and kernels that are not, through the real evaluator: clang, sandbox, runner and the cpu
// target.
// Those that cheat are in tests/cheats.
#include "core/base/files.h"
#include "core/judge/evaluator_client.h"
#include "core/problem/problem.h"

#include <QTest>
#include <algorithm>
#include <filesystem>

using namespace gks;

namespace {

const std::string kernelFolder = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels";

EvaluationRequest requestFor(const std::string& problem, const std::string& source) {
    EvaluationRequest request;
    request.id = "test";
    request.problem = problem;
    request.source = source;
    request.measureSeconds = 0.1;
    request.timeoutSeconds = 100; // a busy machine must not fail an honest kernel
    return request;
}

EvaluationRequest affineRequest(const std::string& kernel) {
    const auto source = readFile(kernelFolder + "/" + kernel);
    return requestFor(kernelFolder + "/affine", source.value_or(""));
}

} // namespace

class JudgeKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache"); }

    void seedsAreCorrect_data() {
        QTest::addColumn<QByteArray>("problem");
        const auto packs = builtinProblems();
        QVERIFY2(packs.has_value(), packs ? "" : packs.error().message().c_str());
        for (const ProblemPack& pack : *packs) {
            QTest::newRow(pack.name.c_str()) << QByteArray::fromStdString(pack.name);
        }
    }
    void seedsAreCorrect() {
        QFETCH(QByteArray, problem);
        const auto pack = loadProblemPack(problem.toStdString());
        QVERIFY(pack.has_value());
        const Verdict verdict = m_client.evaluate(requestFor(pack->name, pack->seeds.front().source), {}, {});
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QCOMPARE(verdict.measurements.size(), pack->shapesOf(ShapeSet::cpu).size());
        QVERIFY(verdict.geomeanUs > 0);
        QVERIFY(verdict.geomeanCi95Us.low <= verdict.geomeanUs && verdict.geomeanUs <= verdict.geomeanCi95Us.high);
        QVERIFY(verdict.staticReport.has_value());
        for (const char* phase : {"test", "reversed thread order", "timed call"}) {
            QVERIFY2(std::any_of(verdict.verification.begin(), verdict.verification.end(),
                                 [&](const VerificationFact& fact) { return fact.phase == phase && fact.passed; }),
                     phase);
        }
    }

    void honestKernelsPass_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::newRow("workspace") << QByteArray("honest/workspace.hip");
        QTest::newRow("default stream") << QByteArray("honest/null_stream.hip");
        QTest::newRow("prints a flood") << QByteArray("honest/floods.hip");
        QTest::newRow("blocks in turn") << QByteArray("honest/blocks_in_turn.hip");
        QTest::newRow("a grid's own barrier") << QByteArray("honest/own_grid_barrier.hip");
        QTest::newRow("steps of a grid") << QByteArray("honest/grid_steps.hip");
    }
    void honestKernelsPass() {
        QFETCH(QByteArray, file);
        std::size_t logBytes = 0;
        const Verdict verdict = m_client.evaluate(affineRequest(file.toStdString()),
                                                  [&](const EvaluationEvent& event) {
                                                      if (const auto* log = std::get_if<LogEvent>(&event)) {
                                                          logBytes += log->text.size();
                                                      }
                                                  },
                                                  {});
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QVERIFY(logBytes < 300000);
    }

    void badKernelsAreCaught_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("reason");
        const auto add = [](const char* file, VerdictKind kind, const char* reason) {
            QTest::newRow(file) << static_cast<int>(kind) << QByteArray(reason);
        };
        add("does_not_compile", VerdictKind::buildFailed, "kernel.hip:8:18: error: use of undeclared identifier");
        add("no_solve", VerdictKind::buildFailed, "missing function extern \"C\" hipError_t solve");
        add("undefined_symbol", VerdictKind::buildFailed, "gks_no_such_function");
        add("hangs_in_kernel", VerdictKind::timedOut, "no answer within");
        add("waits_for_nobody", VerdictKind::timedOut, "no answer within");
        add("hangs_on_host", VerdictKind::timedOut, "the host code of the kernel did not come back within 3 s");
        add("crashes_on_host", VerdictKind::crashed, "the host code of the kernel crashed: signal 11 at address 0x0");
        add("crashes_in_kernel", VerdictKind::crashed, "memory access fault");
        add("throws", VerdictKind::crashed, "thrown by the kernel");
        add("exits", VerdictKind::crashed, "exit status 0");
        add("returns_error", VerdictKind::wrong, "solve() returned an error");
        add("writes_4_past", VerdictKind::wrong, "4 bytes overwritten, the nearest 0 bytes past the end of y");
        add("writes_4_before", VerdictKind::wrong, "before the start of y");
        add("writes_page_past", VerdictKind::crashed, "memory access fault");
        add("writes_past_workspace", VerdictKind::wrong, "past the end of the workspace");
        add("uses_what_is_past", VerdictKind::wrong, "elements differ");
        add("nan", VerdictKind::wrong, "not finite");
        add("races", VerdictKind::wrong, "reversed thread order");
        add("reads_past", VerdictKind::wrong, " bytes past the end of x (64000 bytes); kernel affine");
        add("grid_without_a_barrier", VerdictKind::wrong, "elements differ");
        add("leaves_the_grid", VerdictKind::crashed, "a block of the grid has ended while others wait for it");
        add("reads_nothing", VerdictKind::wrong, "read of 4 bytes of 'tile' that nothing has written");
    }
    void badKernelsAreCaught() {
        QFETCH(int, kind);
        QFETCH(QByteArray, reason);
        EvaluationRequest request = affineRequest("bad/" + std::string(QTest::currentDataTag()) + ".hip");
        QVERIFY(!request.source.empty());
        if (static_cast<VerdictKind>(kind) == VerdictKind::timedOut) {
            request.timeoutSeconds = 3;
        }
        const Verdict verdict = m_client.evaluate(request, {}, {});
        QVERIFY2(static_cast<int>(verdict.kind) == kind,
                 (std::string(name(verdict.kind)) + ": " + verdict.reason).c_str());
        QVERIFY2(verdict.reason.find(reason.toStdString()) != std::string::npos, verdict.reason.c_str());
        QVERIFY(!isAccepted(verdict.kind));
    }

    // Every file has its row above, so that none is forgotten; exits_as_if_killed has its own in judge_killed.
    void everyBadKernelIsTested() {
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(kernelFolder + "/bad")) {
            files += entry.path().extension() == ".hip" ? 1 : 0;
        }
        QCOMPARE(files, std::size_t{23});
    }

    // Its results are right: only who looks at every access notices. The place is that of the source.
    void anAccessOutsideIsNamed() {
        const Verdict verdict = m_client.evaluate(affineRequest("bad/reads_past.hip"), {}, {});
        QVERIFY2(verdict.kind == VerdictKind::wrong, verdict.reason.c_str());
        QCOMPARE(verdict.diagnostics.size(), std::size_t{1});
        const AccessFinding& found = verdict.diagnostics.front();
        QCOMPARE(found.kind, std::string("outside"));
        QCOMPARE(found.file, std::string("kernel.hip"));
        QCOMPARE(found.line, 8);
        QCOMPARE(found.block.size(), std::size_t{3});
        QVERIFY2(found.kernel.starts_with("affine("), found.kernel.c_str());
        QVERIFY2(found.message.find("read of 4 bytes ") == 0, found.message.c_str());
        QVERIFY2(verdict.reason.find(found.message) != std::string::npos, verdict.reason.c_str());
        QVERIFY(m_client.evaluate(affineRequest("affine/seeds/naive.hip"), {}, {}).diagnostics.empty());
    }

    // It is said, and decides nothing: devices read there.
    void aVectorAtAnAddressOfItsElementsIsNoFault() {
        const Verdict verdict = m_client.evaluate(affineRequest("honest/misaligned.hip"), {}, {});
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QCOMPARE(verdict.diagnostics.size(), std::size_t{1});
        QCOMPARE(verdict.diagnostics.front().kind, std::string("misaligned"));
        QVERIFY2(verdict.diagnostics.front().message.find("at an address that is no multiple of 8") !=
                     std::string::npos,
                 verdict.diagnostics.front().message.c_str());
    }

    // Elsewhere it only crashes, or has no end: the run that looks at every access says where.
    void whatFailsElsewhereIsLookedAt() {
        const Verdict crashed = m_client.evaluate(affineRequest("bad/writes_page_past.hip"), {}, {});
        QVERIFY2(crashed.kind == VerdictKind::crashed && !crashed.diagnostics.empty(), crashed.reason.c_str());
        QCOMPARE(crashed.diagnostics.front().kind, std::string("outside"));
        QVERIFY2(crashed.diagnostics.front().line > 0, crashed.reason.c_str());
        EvaluationRequest request = affineRequest("bad/hangs_in_kernel.hip");
        request.timeoutSeconds = 3;
        const Verdict endless = m_client.evaluate(request, {}, {});
        QVERIFY2(endless.kind == VerdictKind::timedOut && !endless.diagnostics.empty(), endless.reason.c_str());
        QCOMPARE(endless.diagnostics.front().kind, std::string("unwritten")); // by which it begins
        QCOMPARE(endless.diagnostics.back().kind, std::string("endless"));
        QVERIFY2(endless.diagnostics.back().message.starts_with("no end after 1 s; kernel affine"),
                 endless.diagnostics.back().message.c_str());
    }

    void compilerOptionsReachEveryCompiler() {
        EvaluationRequest request = affineRequest("needs_options.hip");
        const Verdict without = m_client.evaluate(request, {}, {});
        QVERIFY2(without.kind == VerdictKind::buildFailed, without.reason.c_str());
        request.compilerOptions = {"-std=c++20", "-DFACTOR=1", "-Ofast", "-mllvm", "-amdgpu-early-inline-all=true"};
        const Verdict with = m_client.evaluate(request, {}, {});
        QVERIFY2(with.kind == VerdictKind::correct, with.reason.c_str());
        QVERIFY(with.staticReport.has_value());
        QCOMPARE(with.conditions.compilerOptions, request.compilerOptions);
        QVERIFY(with.build.key != without.build.key);
        request.compilerOptions = {"-std=c++20", "-DFACTOR=1", "-mllvm", "-no-such-option"}; // of the GPU's compiler
        for (const char* build : {"fresh", "cached"}) {
            const Verdict unreported = m_client.evaluate(request, {}, {});
            QVERIFY2(!unreported.staticReport && unreported.warnings.size() == 1, build);
            QVERIFY2(unreported.warnings.front().starts_with("no static report: "),
                     unreported.warnings.front().c_str());
        }
        request.compilerOptions = {"-std=c++20", "-DFACTOR=2"}; // not the build from before
        QVERIFY(m_client.evaluate(request, {}, {}).kind == VerdictKind::wrong);
        request.compilerOptions = {"-std=c++20", "-isystem", "/usr/include/hip", "-I/no/such/folder", "-DFACTOR=1"};
        QVERIFY(m_client.evaluate(request, {}, {}).kind == VerdictKind::correct);
        request.compilerOptions = {"-fplugin=x.so"};
        const Verdict refused = m_client.evaluate(request, {}, {});
        QVERIFY2(refused.reason.find("refused for kernels") != std::string::npos, refused.reason.c_str());
    }

    void slowerAndFasterAreTold() {
        EvaluationRequest request = affineRequest("honest/slow.hip");
        request.baseline = affineRequest("affine/seeds/naive.hip").source;
        request.measureSeconds = 10; // of which a machine that is not busy needs a quarter
        const Verdict slower = m_client.evaluate(request, {}, {});
        QVERIFY2(slower.kind == VerdictKind::slower, slower.reason.c_str());
        QVERIFY(slower.comparison.has_value());
        QVERIFY(slower.comparison->ci95.high < 1);
        std::swap(request.source, *request.baseline);
        const Verdict faster = m_client.evaluate(request, {}, {});
        QVERIFY2(faster.kind == VerdictKind::faster, faster.reason.c_str());
        QVERIFY(faster.comparison->ratio > 2);
    }

    void aBadBaselineIsNotChargedToTheKernel() {
        EvaluationRequest request = affineRequest("affine/seeds/naive.hip");
        for (const char* baseline : {"bad/does_not_compile.hip", "bad/crashes_in_kernel.hip", "bad/nan.hip"}) {
            request.baseline = affineRequest(baseline).source;
            const Verdict verdict = m_client.evaluate(request, {}, {});
            QVERIFY2(verdict.kind == VerdictKind::infrastructureFailed, verdict.reason.c_str());
            QVERIFY2(verdict.reason.find("comparison kernel") != std::string::npos, verdict.reason.c_str());
        }
    }

    void staticOnlyRunsNothing() {
        EvaluationRequest request = affineRequest("bad/hangs_on_host.hip");
        request.staticOnly = true;
        const Verdict verdict = m_client.evaluate(request, {}, {});
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QVERIFY(verdict.staticReport.has_value() && verdict.staticReport->kernels.size() == 1);
        QVERIFY(verdict.measurements.empty());
    }

    void heldOutShapesAreVerified() {
        EvaluationRequest request = affineRequest("affine/seeds/naive.hip");
        request.shapes = ShapeChoice::all;
        const Verdict verdict = m_client.evaluate(request, {}, {});
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QVERIFY(std::any_of(verdict.verification.begin(), verdict.verification.end(), [](const VerificationFact& fact) {
            return fact.phase == "held-out" && fact.checked == 5 * 77;
        }));
    }

    void anUnknownProblemIsInfrastructure() {
        const Verdict verdict = m_client.evaluate(requestFor("no-such-problem", "x"), {}, {});
        QVERIFY(verdict.kind == VerdictKind::infrastructureFailed);
        QVERIFY(!verdict.reason.empty());
    }

private:
    EvaluatorClient m_client;
};

QTEST_APPLESS_MAIN(JudgeKernels)
#include "judge_kernels.moc"
