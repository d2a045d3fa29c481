// SPDX-License-Identifier: GPL-3.0-or-later
// Host and device code of a kernel, each as a module by itself: every seed, every honest kernel, and what may not be.
#include "core/base/files.h"
#include "core/hipcpu/abi.h"
#include "core/hipcpu/device_image.h"
#include "core/hipcpu/options/split_files.h"
#include "core/judge/evaluator/build/module_symbols.h"
#include "core/problem/problem.h"
#include "tests/cheats/cheat_sample.h"
#include "tests/support/split_build.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace fs = std::filesystem;
using namespace gks;

class HipcpuSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(*TemporaryDirectory::create("hipcpu-split")); }

    void halvesStandByThemselves_data() {
        QTest::addColumn<QString>("problem");
        QTest::addColumn<QString>("source");
        const auto packs = builtinProblems();
        QVERIFY(packs.has_value());
        for (const ProblemPack& pack : *packs) {
            for (const SeedKernel& seed : pack.seeds) {
                QTest::newRow((pack.name + "/" + seed.name).c_str())
                    << QString::fromStdString(pack.name) << QString::fromStdString(seed.source);
            }
        }
        const std::string tests = std::string(GKS_SOURCE_DIR) + "/tests/";
        for (const char* folder : {"cheats/honest", "data/kernels/honest"}) {
            for (const CheatSample& sample : readSamples(tests + folder)) {
                const std::string own = tests + "data/kernels/" + sample.problem;
                QTest::newRow(sample.name.c_str()) << QString::fromStdString(fs::exists(own) ? own : sample.problem)
                                                   << QString::fromStdString(sample.source);
            }
        }
    }
    void halvesStandByThemselves() {
        QFETCH(QString, problem);
        QFETCH(QString, source);
        const auto pack = loadProblemPack(problem.toStdString());
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().message().c_str());
        QVERIFY(writeFileAtomically(m_folder->path() / "problem.h", generateProblemHeader(*pack)).has_value());
        const CompletedProcess built = build(source.toStdString());
        QVERIFY2(built.ok(), built.error.c_str());

        for (const char* const file : {hipcpu::deviceModuleFile, hipcpu::checkedModuleFile}) {
            const ModuleSymbols device = symbolsOf(file);
            QCOMPARE(device.libraries, std::vector<std::string>{});
            QCOMPARE(device.imported, std::vector<std::string>{});
            QCOMPARE(device.exported, std::vector<std::string>{hipcpu::deviceModuleName});
            const auto image = readFile(m_folder->path() / file);
            QCOMPARE(hipcpu::DeviceImage(*image).fault(), nullptr);
        }

        const ModuleSymbols host = symbolsOf(hipcpu::hostModuleFile);
        const auto has = [](const std::vector<std::string>& names, std::string_view name) {
            return std::any_of(names.begin(), names.end(),
                               [&](const std::string& one) { return one.find(name) != std::string::npos; });
        };
        QVERIFY(has(host.exported, "solve"));
        QVERIFY(has(host.imported, "hipLaunchKernel"));
        QVERIFY(!has(host.imported, "__hipHostAccess"));
        QVERIFY(!has(host.libraries, "hip"));

        const auto facts = nlohmann::json::parse(*readFile(m_folder->path() / hipcpu::moduleFactsFile));
        QVERIFY(!facts.at("kernels").empty());
    }

    void factsAreTheBuilds() {
        const CompletedProcess built = build(R"(#include <hip/hip_runtime.h>
struct Mixed { char c; double d; int i; };
__constant__ float table[4];
__device__ int counter;
extern "C" __global__ void __launch_bounds__(128) k(float* p, Mixed m, bool b) {
    __shared__ float s[64];
    s[threadIdx.x & 63] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[63] + table[0] + float(m.d) + float(b) + float(counter);
}
)");
        QVERIFY2(built.ok(), built.error.c_str());
        const auto facts = nlohmann::json::parse(*readFile(m_folder->path() / hipcpu::moduleFactsFile));
        const auto expected = nlohmann::json::parse(R"({"version": 2, "device_code": "cpu",
            "kernels": [{"symbol": "k", "argument_bytes": [8, 24, 1], "padding": [[1, 1, 7], [1, 20, 4]],
                         "greatest_block": 128, "static_lds_bytes": 256, "most_dynamic_lds_bytes": 65280,
                         "registers": 0}],
            "variables": [{"symbol": "table", "bytes": 16, "constant": true},
                          {"symbol": "counter", "bytes": 4, "constant": false}]})");
        QCOMPARE(facts.dump(1), expected.dump(1));
    }

    // Sections, alignment and length of a kernel's own choice.
    void onlyTextIsExecuted() {
        const CompletedProcess built = build(R"(#include <hip/hip_runtime.h>
#ifdef __HIP_DEVICE_COMPILE__
#define AT(SECTION) __attribute__((section(SECTION), noinline))
#else
#define AT(SECTION)
#endif
__device__ AT(".data.code") int among_data(int n) { return n < 2 ? 1 : among_data(n - 1) + among_data(n - 2); }
__device__ AT(".init_array") int early(int n) { return n < 2 ? 1 : early(n - 1) * early(n - 2); }
__device__ AT(".gks.services") int service(int n) { return n < 2 ? 2 : service(n - 1) * service(n - 3); }
#ifdef __HIP_DEVICE_COMPILE__
__device__ AT(".text") const unsigned char bytes[64] = {0x0f, 0x05};
#else
__device__ const unsigned char bytes[64] = {};
#endif
__device__ int (*volatile all[])(int) = {among_data, early, service};
__global__ AT(".data.code") void k(int* p) { *p = all[*p & 1](p[1]) + bytes[p[2]]; }
)");
        QVERIFY2(built.ok(), built.error.c_str());
        const auto image = readFile(m_folder->path() / hipcpu::deviceModuleFile);
        QCOMPARE(hipcpu::DeviceImage(*image).fault(), nullptr);
        const ModuleSymbols device = symbolsOf(hipcpu::deviceModuleFile);
        QVERIFY(!device.runsWhenLoaded);
    }

    void deviceCodeReachesNothingOfTheHost_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("message");
        QTest::newRow("function") << "extern \"C\" __device__ int getpid();\n"
                                     "__global__ void k(int* p) { *p = getpid(); }\n"
                                  << "getpid is not supported on the cpu target (used by k(int*))";
        QTest::newRow("its address") << "extern \"C\" __device__ int getpid();\n"
                                        "__global__ void k(int (**p)()) { *p = getpid; }\n"
                                     << "getpid is not supported on the cpu target (used by k(int (**)()))";
        QTest::newRow("variable") << "extern \"C\" { extern __device__ char** environ; }\n"
                                     "__global__ void k(char** p) { *p = environ[0]; }\n"
                                  << "environ is not provided to device code by the cpu target";
        QTest::newRow("weak variable") << "extern \"C\" { extern __device__ __attribute__((weak)) char** environ; }\n"
                                          "__global__ void k(char** p) { *p = environ[0]; }\n"
                                       << "environ is not provided to device code by the cpu target";
    }
    void deviceCodeReachesNothingOfTheHost() {
        QFETCH(QString, code);
        QFETCH(QString, message);
        const CompletedProcess built = build("#include <hip/hip_runtime.h>\n" + code.toStdString());
        QCOMPARE(built.exit.status, std::optional<int>(1));
        QVERIFY2(built.error.find(message.toStdString()) != std::string::npos, built.error.c_str());
    }

private:
    CompletedProcess build(const std::string& source) {
        const fs::path kernel = m_folder->path() / "kernel.hip";
        if (!writeFileAtomically(kernel, source)) {
            qFatal("cannot write %s", kernel.c_str());
        }
        return test::splitBuild(kernel, m_folder->path());
    }

    ModuleSymbols symbolsOf(const char* file) const {
        auto symbols = readModuleSymbols(*readFile(m_folder->path() / file));
        if (!symbols) {
            qFatal("%s: %s", file, symbols.error().message().c_str());
        }
        return *symbols;
    }

    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(HipcpuSplit)
#include "hipcpu_split.moc"
