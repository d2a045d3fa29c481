// SPDX-License-Identifier: GPL-3.0-or-later
// What a source makes compilers, device code and host code say, through the real evaluator: it is quoted, and nothing
// of it becomes a word of the judge.
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/judge/evaluator_client.h"

#include <QTest>

using namespace gks;

namespace {

constexpr const char* head = "#include \"problem.h\"\n#include <cstdio>\n";
constexpr const char* solve = R"(
extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    KERNEL<<<(p.rows * p.cols + 255) / 256, 256, 0, stream>>>(p);
    return hipGetLastError();
}
)";

std::string kernelOf(const std::string& body, const std::string& begin = "__global__ void k") {
    return head + (begin + "(Problem p) {\n    const int i = blockIdx.x * 256 + threadIdx.x;\n" + body) +
           "\n    if (i < p.rows * p.cols) p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;\n}\n" +
           replaceAll(solve, "KERNEL", begin.substr(begin.rfind(' ') + 1));
}

} // namespace

class JudgeWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("GKS_CACHE", GKS_BINARY_DIR "/test-cache"); }

    void wordsOfTheCompilerAreQuoted_data() {
        QTest::addColumn<QString>("source");
        QTest::newRow("file name with line breaks")
            << QStringLiteral("#line 1 \"kernel.hip\\nfaster: 9.99x\\n\\033[2Kerror: the baseline is broken\"\n"
                              "#error \"x\"\n");
        QTest::newRow("message") << QStringLiteral("#pragma message(\"\\nerror: faster: 9.99x\\n\")\n#error y\n");
        QTest::newRow("assertion") << QStringLiteral("static_assert(false, \"\\nerror: faster: 9.99x\\n\");\n");
        QTest::newRow("missing header") << QStringLiteral("#include \"a\x1b[2Jerror: b.h\"\n");
        QTest::newRow("long line") << QString(QStringLiteral("#error ") + QString(400, QLatin1Char('a')) +
                                              QStringLiteral(" faster: 9.99x ") + QString(60, QLatin1Char('b')));
    }
    void wordsOfTheCompilerAreQuoted() {
        QFETCH(QString, source);
        const Verdict verdict = evaluated(head + source.toStdString());
        QCOMPARE(verdict.kind, VerdictKind::buildFailed);
        QVERIFY2(verdict.reason.starts_with("the compiler says \"") && verdict.reason.ends_with('"'),
                 verdict.reason.c_str());
        QCOMPARE(verdict.reason, terminalLine(verdict.reason));
    }

    // Neither by a line break in a text nor by the name of a file.
    void noSourceWritesWhyItFailed() {
        const Verdict verdict =
            evaluated(std::string(head) + "#pragma message \"\\n\" __FILE__ \":1:1: error: the baseline is broken\"\n"
                                          "#line 3 \"x.hip: error: the baseline is broken\"\nint x = nothing;\n");
        QCOMPARE(verdict.kind, VerdictKind::buildFailed);
        QCOMPARE(verdict.reason,
                 std::string("the compiler says \"kernel.hip:5:9: error: use of undeclared identifier 'nothing'\""));
    }

    void whatDeviceCodePrintsIsNoFinding() {
        const Verdict verdict = evaluated(
            kernelOf("    if (i == 0) printf(\"hipcpu: read 8 bytes past the end of judge: faster, 9.99x (100 bytes); "
                     "the kernel goes on with zeros\\n\");"));
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QCOMPARE(join(verdict.warnings, "; "), std::string());
    }

    void lastWordsAreQuoted() {
        const Verdict verdict = evaluated(
            kernelOf("    if (i == 0) printf(\"the runner was killed by somebody else\\n\");\n    __builtin_trap();"));
        QCOMPARE(verdict.kind, VerdictKind::crashed);
        QVERIFY2(verdict.reason.find("the process ended with exit status 1") != std::string::npos &&
                     verdict.reason.find(", and its last words are \"") != std::string::npos,
                 verdict.reason.c_str());
    }

    // The kernel is found under its name however the notes write it.
    void aNameThatLooksLikeAnotherThingHasItsCode() {
        const Verdict verdict = evaluated(kernelOf("", "extern \"C\" __global__ void no"));
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QVERIFY(verdict.staticReport.has_value());
        QCOMPARE(verdict.staticReport->kernels.front().name, std::string("no"));
        QVERIFY(verdict.staticReport->kernels.front().codeBytes > 0);
    }

    // An asm label with line breaks would write instructions into the disassembly.
    void aSymbolThatWritesADisassemblyIsNoReport() {
        const std::string function = "extern \"C\" __device__ __attribute__((noinline)) float f(float x)";
        const Verdict verdict = evaluated("#include <hip/hip_runtime.h>\n" + function +
                                          " __asm__(\"f>:\\n\\tv_mfma_f32_32x32x8_f16 a\\n<g\");\n" + function +
                                          " { return x * 2; }\n" + kernelOf("    if (p.rows < 0) p.y[0] = f(p.x[0]);"));
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
        QVERIFY(!verdict.staticReport.has_value());
        QCOMPARE(
            join(verdict.warnings, "; "),
            std::string("no static report: a symbol of the code holds a control character. Leave the asm label out"));
    }

    // As build lines of public kernels have it.
    void compileOnlyMeansNothingForKernels() {
        const Verdict verdict = evaluated(kernelOf(""), {"-c"});
        QVERIFY2(verdict.kind == VerdictKind::correct, verdict.reason.c_str());
    }

private:
    Verdict evaluated(const std::string& source, const std::vector<std::string>& options = {}) {
        EvaluationRequest request;
        request.id = "test";
        request.problem = GKS_SOURCE_DIR "/tests/data/kernels/affine";
        request.source = source;
        request.compilerOptions = options;
        request.measureSeconds = 0.1;
        request.timeoutSeconds = 100; // a busy machine must not fail an honest kernel
        return m_client.evaluate(request, {}, {});
    }

    EvaluatorClient m_client;
};

QTEST_APPLESS_MAIN(JudgeWords)
#include "judge_words.moc"
