// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/judge/source_listing.h"
#include "core/target/toolchain.h"

#include <QTest>

using namespace gks;

// The compiler of reports, behind the wall, with the kernels that the report's own test has.
class JudgeSourceListing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lineTablesChangeNoInstruction();
    void whatDoesNotCompileHasDiagnostics();
    void placesAreBytesOfTheTrueLine();
    void aSourceWritesNoDiagnostic();
    void whatNeverEndsIsEnded();
    void aStopEndsIt();
    void whatIsMissingIsNamed();
    void nvidiaKernelsAreListedToo();
};

void JudgeSourceListing::lineTablesChangeNoInstruction() {
    const auto source = readFile(GKS_SOURCE_DIR "/tests/data/report_kernels.hip");
    QVERIFY(source);
    ListingRequest request;
    request.source = *source;
    const auto listing = listSource(request);
    QVERIFY2(listing && listing->failure.empty(),
             listing ? listing->failure.c_str() : listing.error().message().c_str());
    int counted = 0;
    for (const KernelResources& kernel : listing->report->kernels) {
        for (const auto& [className, count] : kernel.instructions) {
            counted += count;
        }
    }
    QCOMPARE(static_cast<int>(listing->code->instructionTotal()), counted);
    QCOMPARE(listing->code->functions.size(), listing->report->kernels.size());
    int ofSource = 0;
    for (int line = 1; line < 1000; ++line) {
        ofSource += static_cast<int>(instructionsOf(*listing->code, line).size());
    }
    QVERIFY(ofSource > counted / 4);
}

void JudgeSourceListing::whatDoesNotCompileHasDiagnostics() {
    ListingRequest request;
    request.source = "#include <hip/hip_runtime.h>\n__global__ void f(float* x) {\n    x[0] = nothing;\n}\n";
    const auto listing = listSource(request);
    QVERIFY2(listing, listing ? "" : listing.error().message().c_str());
    QCOMPARE(listing->failure, std::string("1 error"));
    QVERIFY(!listing->code && !listing->report);
    QCOMPARE(listing->diagnostics.size(), std::size_t{1});
    QCOMPARE(listing->diagnostics[0].line, 3);
    QCOMPARE(listing->diagnostics[0].column, 12);
    QVERIFY(listing->diagnostics[0].isOfKernel);
}

// Letters of several bytes before the place, `#line` before it, and a comment that looks like what a compiler says.
void JudgeSourceListing::placesAreBytesOfTheTrueLine() {
    ListingRequest request;
    request.source = "// \u00e4\u00f6 \u20ac\n"
                     "#line 77 \"other.hip\"\n"
                     "/* \u00e4\u20ac */ int x = nothing; // /kernel.hip:1:1: error: fake\n";
    const auto listing = listSource(request);
    QVERIFY2(listing, listing ? "" : listing.error().message().c_str());
    QCOMPARE(listing->diagnostics.size(), std::size_t{1});
    QVERIFY(listing->diagnostics[0].isOfKernel);
    QCOMPARE(listing->diagnostics[0].line, 3);
    QCOMPARE(listing->diagnostics[0].column, 21); // the letters before it have two and three bytes
}

// Whatever a source makes the compiler print, and wherever it says that it lies.
void JudgeSourceListing::aSourceWritesNoDiagnostic() {
    ListingRequest request;
    request.source = "#pragma message \"hello\\nkernel.hip:7:1: error: forged\"\n"
                     "#pragma message \"\\n\" __FILE__ \":8:1: error: forged\"\n"
                     "#line 10000000 \"x.hip: error: forged\"\n"
                     "struct [[deprecated(\"old\\nproblem.h:2:1: error: forged\")]] Old {};\n"
                     "Old old;\n"
                     "int x = nothing;\n";
    const auto listing = listSource(request);
    QVERIFY2(listing, listing ? "" : listing.error().message().c_str());
    QCOMPARE(listing->failure, std::string("1 error"));
    std::vector<int> lines;
    for (const Diagnostic& one : listing->diagnostics) {
        lines.push_back(one.line);
        QVERIFY2(one.isOfKernel && one.file == "kernel.hip", one.file.c_str());
    }
    QCOMPARE(lines, (std::vector<int>{1, 2, 5, 4, 6}));
    QCOMPARE(listing->diagnostics.back().text, std::string("use of undeclared identifier 'nothing'"));
}

void JudgeSourceListing::whatNeverEndsIsEnded() {
    ListingRequest request;
    request.timeLimit = std::chrono::seconds(1);
    request.source = "template<int D, long P> struct Tree {\n"
                     "    static constexpr int value = Tree<D - 1, 2 * P>::value + Tree<D - 1, 2 * P + 1>::value;\n"
                     "};\n"
                     "template<long P> struct Tree<0, P> { static constexpr int value = 1; };\n"
                     "int total = Tree<60, 0>::value;\n";
    const auto listing = listSource(request);
    QVERIFY2(listing, listing ? "" : listing.error().message().c_str());
    QVERIFY(!listing->report);
    QVERIFY2(listing->failure == "the compiler had not ended after 1 s" ||
                 listing->failure.find("signal") != std::string::npos,
             listing->failure.c_str());
}

void JudgeSourceListing::aStopEndsIt() {
    std::stop_source stop;
    stop.request_stop();
    ListingRequest request;
    request.source = "__global__ void f() {}\n";
    const auto listing = listSource(request, stop.get_token());
    QVERIFY(!listing);
    QVERIFY(QString::fromStdString(listing.error().message()).contains(QStringLiteral("cancelled")));
}

void JudgeSourceListing::whatIsMissingIsNamed() {
    const std::vector<ToolchainFinding> findings = {{"CUDA", false, "nvcc not found", "CUDA"},
                                                    {"clang", false, "clang++-19 not found", "apt install clang-19"},
                                                    {"llvm-as", false, "llvm-as-19 not found", "other"}};
    const Error missing{ErrorKind::infrastructure, "clang 19 is not installed", "toolchain", seeDoctor};
    QCOMPARE(withInstallAdvice(missing, findings).message(),
             std::string("toolchain: clang 19 is not installed. clang++-19 not found: apt install clang-19"));
    QCOMPARE(withInstallAdvice(missing, {}).next, std::string(seeDoctor));
    QCOMPARE(withInstallAdvice({ErrorKind::infrastructure, "a", "b", "c"}, findings).next, std::string("c"));
}

// Where nvcc is: SASS with nvdisasm, PTX without.
void JudgeSourceListing::nvidiaKernelsAreListedToo() {
    ListingRequest request;
    request.architecture = "sm_90";
    request.source = "#include <hip/hip_runtime.h>\n__global__ void twice(float* x) {\n    x[threadIdx.x] *= 2;\n}\n";
    const auto listing = listSource(request);
    if (!toolchain().cuda) {
        QVERIFY(!listing);
        QVERIFY2(listing.error().message().find("CUDA toolkit") != std::string::npos,
                 listing.error().message().c_str());
        return;
    }
    QVERIFY2(listing && listing->code, listing ? listing->failure.c_str() : listing.error().message().c_str());
    QVERIFY2(listing->code->architecture.ends_with("sm_90a"), listing->code->architecture.c_str());
    QVERIFY(!listing->report); // which is of AMD's code
    QCOMPARE(listing->code->functions.size(), std::size_t{1});
    QCOMPARE(listing->code->functions[0].name, std::string("twice(float*)"));
    QCOMPARE(costsOf(*listing->code).at(InstructionCost::globalMemory), 2);
    QVERIFY(!instructionsOf(*listing->code, 3).empty());
    request.source += "broken\n";
    const auto broken = listSource(request);
    QVERIFY(broken && !broken->code);
    QCOMPARE(broken->diagnostics.at(0).line, 5);
}

QTEST_APPLESS_MAIN(JudgeSourceListing)
#include "judge_source_listing.moc"
