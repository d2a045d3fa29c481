// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/build/module_symbols.h"
#include "core/target/cuda_build.h"
#include "core/target/diagnostics.h"
#include "core/target/ptxas_report.h"
#include "core/target/toolchain.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

namespace fs = std::filesystem;

struct Build {
    bool ok = true;
    std::string said;
    fs::path hostModule;
};

// As the judge does it: in the sandbox, with the limits of a compiler.
Result<Build> built(const std::string& source, const std::string& header, const fs::path& folder) {
    BuildRequest request; // member by member: GCC 12 at -O3 takes a braced one for uninitialised
    request.target.kind = TargetKind::nvidia;
    request.target.architecture = "sm_90";
    request.source = source;
    request.header = header;
    request.folder = folder;
    request.staticReport = false;
    GKS_TRY_ASSIGN(const BuildPlan plan, planBuild(request));
    Build build;
    build.hostModule = plan.hostModule;
    for (const BuildStep& step : plan.steps) {
        SandboxPolicy policy;
        policy.readable = step.readable;
        policy.writable = step.writable;
        policy.limits = {std::size_t{8} << 30, 120, std::size_t{256} << 20, 256};
        policy.mayStartProcesses = true;
        Command command;
        command.arguments = step.arguments;
        GKS_TRY_ASSIGN(const Command wall, sandboxed(std::move(command), policy, availableSandbox().level));
        GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(wall));
        build.ok = build.ok && run.ok();
        build.said += run.output + run.error;
    }
    return build;
}

std::string kernel(const std::string& body) {
    return "#include \"problem.h\"\n__global__ void k(float* x) {\n" + body +
           "\n}\nextern \"C\" hipError_t solve(float* x, void*, hipStream_t stream) {\n"
           "    hipLaunchKernelGGL(k, dim3(1), dim3(64), 0, stream, x);\n    return hipGetLastError();\n}\n";
}

// What is said besides the report of ptxas, which every build asks for.
std::string complaints(const std::string& said) {
    std::string rest;
    for (const std::string& line : split(said, '\n')) {
        const bool isReport = line.starts_with("ptxas info") || line.find("bytes stack frame") != std::string::npos;
        rest += isReport || line.empty() ? "" : line + "\n";
    }
    return rest;
}

constexpr const char* runtimeHeader = "#include <hip/hip_runtime.h>\n";

} // namespace

class TargetCudaBuildTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(*TemporaryDirectory::create("gks-cuda")); }

    void unrollFactorsAreExpanded() {
        QCOMPARE(withExpandedUnrolls("a\n  #pragma unroll N // why\nb"), std::string("a\nGKS_UNROLL(N)\nb"));
        QCOMPARE(withExpandedUnrolls("# pragma unroll (N / 2)\n"), std::string("GKS_UNROLL((N / 2))\n"));
        const std::string same = "#pragma unroll\n#pragma unroll 4\n#pragma once\nx\n";
        QCOMPARE(withExpandedUnrolls(same), same);
        QCOMPARE(withExpandedUnrolls(""), std::string());
    }

    // Prompts show what a kernel needs.
    void registersAreReported() {
        if (!toolchain().cuda) {
            QSKIP("nvcc is not installed");
        }
        const auto build =
            built(kernel("    __shared__ float s[64];\n    s[threadIdx.x] = x[0];\n    __syncthreads();\n"
                         "    x[threadIdx.x] = s[63 - threadIdx.x];"),
                  runtimeHeader, m_folder->path());
        QVERIFY2(build.has_value(), build ? "" : build.error().message().c_str());
        const std::vector<PtxasKernel> kernels = readPtxasReport(build->said);
        QVERIFY2(kernels.size() == 1 && kernels.front().registers > 0, build->said.c_str());
        QCOMPARE(kernels.front().sharedBytes, 256);
        QCOMPARE(kernels.front().barriers, 1);
        QCOMPARE(kernels.front().spillBytes, 0);
    }

    // A text with line breaks, a file name of its own and the compiler's name of the file: none of it is the
    // compiler's.
    void aSourceWritesNoDiagnostic() {
        if (!toolchain().cuda) {
            QSKIP("nvcc is not installed");
        }
        const auto build = built(kernel("    static_assert(sizeof(int) == 5, \"no\\nkernel.hip(9): error: forged\\n\" "
                                        "__FILE__ \"(8): error: forged\");\n"
                                        "#line 70 \"/kernel.hip\"\n    forged();"),
                                 runtimeHeader, m_folder->path());
        QVERIFY2(build.has_value(), build ? "" : build.error().message().c_str());
        QVERIFY(!build->ok);
        const auto found = readDiagnostics(ownWords(build->said, m_folder->path()));
        QVERIFY2(found.size() == 1 && found[0].line == 3 && found[0].isOfKernel, build->said.c_str());
    }

    void everySeedCompiles_data() {
        QTest::addColumn<QString>("problem");
        QTest::addColumn<QString>("seed");
        const auto packs = builtinProblems();
        QVERIFY(packs && !packs->empty());
        for (const ProblemPack& pack : *packs) {
            std::vector<fs::path> seeds;
            for (const auto& entry : fs::directory_iterator(pack.folder / "seeds")) {
                seeds.push_back(entry.path());
            }
            std::sort(seeds.begin(), seeds.end());
            for (const fs::path& seed : seeds) {
                QTest::addRow("%s/%s", pack.name.c_str(), seed.stem().c_str())
                    << QString::fromStdString(pack.name) << QString::fromStdString(seed.string());
            }
        }
    }
    void everySeedCompiles() {
        if (!toolchain().cuda) {
            QSKIP("nvcc is not installed");
        }
        QFETCH(QString, problem);
        QFETCH(QString, seed);
        const auto pack = loadProblemPack(problem.toStdString());
        const auto build = built(*readFile(seed.toStdString()), generateProblemHeader(*pack), m_folder->path());
        QVERIFY2(build.has_value(), build ? "" : build.error().message().c_str());
        QVERIFY2(build->ok, build->said.c_str());
        QCOMPARE(QString::fromStdString(complaints(build->said)), QString());
        QVERIFY(!readPtxasReport(build->said).empty());
        const auto symbols = readModuleSymbols(*readFile(build->hostModule, std::size_t{64} << 20));
        QVERIFY(symbols.has_value());
        QVERIFY(std::find(symbols->exported.begin(), symbols->exported.end(), "solve") != symbols->exported.end());
    }

    // The small types and the names of the runtime, as the AMD headers offer them.
    void typesAndFunctionsOfHipAreThere() {
        if (!toolchain().cuda) {
            QSKIP("nvcc is not installed");
        }
        const auto build = built("#include <hip/hip_fp8.h>\n#include <hip/hip_cooperative_groups.h>\n" + kernel(R"(
    extern __shared__ float lds[];
    const unsigned lane = __lane_id();
    __hip_bfloat16 b = __float2bfloat16(x[lane]);
    __hip_fp8_e4m3 f(__bfloat162float(b));
    __hip_fp8_storage_t s = __hip_cvt_float_to_fp8(x[lane], __HIP_SATFINITE, __HIP_E5M2);
    __half h = __float2half(float(f) + s);
    float v = __shfl(__half2float(h), 3) + __shfl_xor(x[lane], 16) + __shfl_down(x[lane], 1, 16);
    v += __popcll(__ballot(v > 0)) + __any(v > 1) + __all(v > 2) + warpSize;
    cooperative_groups::this_thread_block().sync();
    lds[lane] = v;
    unsafeAtomicAdd(x, lds[lane ^ 1] + __builtin_nontemporal_load(x + 64));)") +
                                     R"(
extern "C" hipError_t more(float* x, float* y, hipStream_t stream) {
    int units = 0;
    hipError_t error = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0);
    if (error == hipSuccess) error = hipMemcpyAsync(x, y, 4, hipMemcpyDeviceToDevice, stream);
    return error == hipSuccess ? hipFuncSetAttribute(k, hipFuncAttributeMaxDynamicSharedMemorySize, 100000) : hipErrorInvalidValue;
})",
                                 runtimeHeader, m_folder->path());
        QVERIFY2(build.has_value(), build ? "" : build.error().message().c_str());
        QVERIFY2(build->ok, build->said.c_str());
    }

    // A kernel for 64 lanes would give other numbers here: it is refused, and the reason is in the name.
    void exchangesAcross64LanesAreRefused_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("xor inside of 32") << "__shfl_xor(*x, 16, 64)" << true;
        QTest::newRow("xor across") << "__shfl_xor(*x, 32, 64)" << false;
        QTest::newRow("down across") << "__shfl_down(*x, 1, 64)" << false;
        QTest::newRow("down in 32") << "__shfl_down(*x, 1, 32)" << true;
        QTest::newRow("lane of 64") << "__shfl(*x, 0, 64)" << false;
        QTest::newRow("matrix core") << "__builtin_amdgcn_mfma_f32_4x4x1f32(*x, *x, {}, 0, 0, 0)[0]" << false;
    }
    void exchangesAcross64LanesAreRefused() {
        if (!toolchain().cuda) {
            QSKIP("nvcc is not installed");
        }
        QFETCH(QString, call);
        QFETCH(bool, accepted);
        const auto build = built(kernel("    *x += " + call.toStdString() + ";"), runtimeHeader, m_folder->path());
        QVERIFY2(build.has_value(), build ? "" : build.error().message().c_str());
        QVERIFY2(build->ok == accepted, build->said.c_str());
        if (!accepted) {
            const bool saysWhy =
                build->said.find("32_lanes") != std::string::npos ||
                build->said.find("kernel.hip(3): error: identifier \"__builtin_amdgcn_mfma") != std::string::npos;
            QVERIFY2(saysWhy, build->said.c_str());
        }
    }

private:
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(TargetCudaBuildTest)
#include "target_cuda_build.moc"
