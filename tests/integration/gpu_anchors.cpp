// SPDX-License-Identifier: GPL-3.0-or-later
// A library of the problem pack in the place of a kernel: real compiler, evaluator, runner and wall. The device is
// memory of the host (tests/support/fake_driver.cpp), so the anchors of these packs compute on the host.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/evaluator_client.h"
#include "core/target/toolchain.h"

#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

using namespace gks;

namespace {

namespace fs = std::filesystem;

const std::string affine = std::string(GKS_SOURCE_DIR) + "/tests/data/kernels/affine";

constexpr const char* anchorSource = R"cpp(// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"
#include <math.h>
extern "C" const char* anchor_version() { return "host math 1.0"; }
extern "C" size_t workspace_bytes(const Problem& p) { return sizeof(float) * p.rows; }
extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t) {
    float* const scale = static_cast<float*>(workspace);
    for (int row = 0; row < p.rows; ++row) {
        scale[row] = p.scale[row];
        for (int col = 0; col < p.cols; ++col) {
            const size_t at = size_t(row) * p.cols + col;
            p.y[at] = float(fma(double(p.x[at]), double(scale[row]), 1.0))@ERROR@;
        }
    }
    return hipSuccess;
}
)cpp";

bool ran(const Verdict& verdict, const char* what) {
    return std::any_of(verdict.transcript.begin(), verdict.transcript.end(), [&](const TranscriptLine& line) {
        return line.event == "process" && line.text.starts_with(what);
    });
}

} // namespace

class GpuAnchors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!toolchain().cuda) {
            QSKIP("no CUDA toolkit");
        }
        m_folder.emplace(TemporaryDirectory::create("gks-gpu-anchors").value());
        QVERIFY(makeDirectories(m_folder->path() / "driver"));
        fs::copy_file(GKS_FAKE_CUDA, m_folder->path() / "driver/libcuda.so.1");
        qputenv("LD_LIBRARY_PATH", (m_folder->path() / "driver").c_str());
        qputenv("GKS_CACHE", (m_folder->path() / "cache").c_str());
        qputenv("GKS_LOCKS", (m_folder->path() / "locks").c_str());
        QVERIFY(makeDirectories(m_folder->path() / "locks"));
    }

    void isMeasuredLikeAKernel() {
        const EvaluationRequest request = requestOn(packWith("", "m"));
        const Verdict verdict = m_client.evaluate(request, {}, {});
        QVERIFY2(isAccepted(verdict.kind) && verdict.comparison, verdict.reason.c_str());
        QCOMPARE(verdict.environment.at("anchor"), std::string("host"));
        QCOMPARE(verdict.environment.at("anchor_version"), std::string("host math 1.0"));
        QCOMPARE(verdict.kernelSha256, sha256Hex(readFile(fs::path(request.problem) / "anchors/host.cpp").value()));
        QCOMPARE(verdict.measurements.size(), std::size_t{1});
        QVERIFY(verdict.geomeanUs > 0 && verdict.measurements.front().baselineMedianUs > 0);
        QVERIFY(verdict.measurements.front().roundBlocks.size() >= 5); // A B B A with a kernel as the other side
        // Checked as a kernel is: test shapes, secret places of every timed call.
        for (const std::string_view phase : {phase::test, phase::everyTimedCall, phase::timedCall, phase::heldOut}) {
            QVERIFY2(std::any_of(verdict.verification.begin(), verdict.verification.end(),
                                 [&](const VerificationFact& fact) { return fact.phase == phase && fact.passed; }),
                     std::string(phase).c_str());
        }
        QVERIFY(ran(verdict, "runner (") && ran(verdict, "planner (")); // the planner is the baseline's
        QVERIFY(!verdict.plans && !verdict.staticReport);
        QVERIFY(!verdict.build.toolchain.empty() && !verdict.build.cached);
        QVERIFY(m_client.evaluate(request, {}, {}).build.cached);
    }

    void aMissOfTheToleranceIsReportedAndTimed() {
        const Verdict verdict = m_client.evaluate(requestOn(packWith(" + 0.125f", "m")), {}, {});
        QVERIFY2(verdict.kind == VerdictKind::wrong, verdict.reason.c_str());
        QVERIFY2(verdict.reason.starts_with("outside the tolerance: 0.125 where "), verdict.reason.c_str());
        QVERIFY(verdict.geomeanUs > 0 && verdict.comparison);
        QVERIFY(std::any_of(verdict.verification.begin(), verdict.verification.end(), [](const VerificationFact& fact) {
            return fact.phase == phase::everyTimedCall && !fact.passed && fact.calls > 0;
        }));
        // A kernel with the same fault ends at its first miss.
        EvaluationRequest kernel = requestOn(packWith("", "m"));
        kernel.anchor.clear();
        kernel.source = replaceAll(*kernel.baseline, "affine<<<", "// affine<<<");
        const Verdict ended = m_client.evaluate(kernel, {}, {});
        QVERIFY2(ended.kind == VerdictKind::wrong && ended.measurements.empty(), ended.reason.c_str());
    }

    // What its memory may not have it does not get, tolerance or not.
    void damageIsRefused() {
        const Verdict verdict = m_client.evaluate(requestOn(packWith("; p.y[-1] = 3", "m")), {}, {});
        QVERIFY2(verdict.kind == VerdictKind::wrong && verdict.measurements.empty(), verdict.reason.c_str());
        QVERIFY2(verdict.reason.find("outside the tolerance") == std::string::npos, verdict.reason.c_str());
    }

    void whatIsMissingIsNamed() {
        const Verdict library = m_client.evaluate(requestOn(packWith("", "nobodyhasthis")), {}, {});
        QVERIFY(library.kind == VerdictKind::infrastructureFailed);
        QCOMPARE(library.reason.find("libnobodyhasthis.so is not installed here") != std::string::npos, true);
        QVERIFY(library.deviceTrouble == DeviceTrouble::none);
        EvaluationRequest other = requestOn(packWith("", "m"));
        other.anchor = "cublaslt";
        const Verdict absent = m_client.evaluate(other, {}, {});
        QVERIFY2(absent.reason.find("has no anchor") != std::string::npos, absent.reason.c_str());
        QCOMPARE(absent.next, std::string("It has host (nvidia)"));
        const Verdict broken = m_client.evaluate(requestOn(packWith(" + nothing", "m")), {}, {});
        QVERIFY2(broken.kind == VerdictKind::buildFailed, broken.reason.c_str());
        QVERIFY2(broken.reason.find("anchors/host.cpp") != std::string::npos, broken.reason.c_str());
    }

    // The source of a request goes nowhere: with an anchor it may have none, and without one it is a candidate whose
    // host code runs in the planner alone.
    void noSourceBecomesAnAnchor() {
        EvaluationRequest request = requestOn(packWith("", "m"));
        request.source = readFile(fs::path(request.problem) / "anchors/host.cpp").value();
        const Verdict both = m_client.evaluate(request, {}, {});
        QVERIFY2(both.kind == VerdictKind::infrastructureFailed && both.measurements.empty(), both.reason.c_str());
        request.anchor.clear();
        const Verdict candidate = m_client.evaluate(request, {}, {});
        QVERIFY2(!isAccepted(candidate.kind) && candidate.measurements.empty(), candidate.reason.c_str());
        QVERIFY(!ran(candidate, "compiler (") || !candidate.environment.contains("anchor"));
    }

private:
    fs::path packWith(const std::string& error, const std::string& library) {
        const fs::path pack = m_folder->path() / fmt::format("pack{}", ++m_packs);
        fs::copy(affine, pack, fs::copy_options::recursive);
        const std::string manifest = readFile(pack / "problem.toml").value() +
                                     fmt::format("\n[[anchor]]\nname = \"host\"\ntitle = \"host math\"\ntarget = "
                                                 "\"nvidia\"\nsource = \"anchors/host.cpp\"\nlibraries = [\"{}\"]\n",
                                                 library);
        const bool isWritten =
            writeFileAtomically(pack / "problem.toml", manifest) && makeDirectories(pack / "anchors") &&
            writeFileAtomically(pack / "anchors/host.cpp", replaceAll(anchorSource, "@ERROR@", error));
        return isWritten ? pack : fs::path();
    }

    static EvaluationRequest requestOn(const fs::path& pack) {
        EvaluationRequest request;
        request.id = "1";
        request.problem = pack.string();
        request.anchor = "host";
        request.baseline = readFile(affine + "/seeds/naive.hip").value();
        request.target = TargetKind::nvidia;
        request.measureSeconds = 1;
        request.allowNoSandbox = true;
        request.flushBytes = std::size_t{1} << 20;
        return request;
    }

    std::optional<TemporaryDirectory> m_folder;
    EvaluatorClient m_client;
    int m_packs = 0;
};

QTEST_APPLESS_MAIN(GpuAnchors)
#include "gpu_anchors.moc"
