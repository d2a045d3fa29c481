// SPDX-License-Identifier: GPL-3.0-or-later
// A precompiled header that the compiler refuses costs a build twice its time, and nobody sees it: the source is then
// compiled without. So each language that people write kernels in is tried here, with every header of HIP.
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/hipcpu/options/compiler_options.h"
#include "core/hipcpu/retarget/precompiled_headers.h"

#include <QTest>

using namespace gks;

namespace {

namespace fs = std::filesystem;

constexpr const char* source = R"(
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_cooperative_groups.h>
#include <vector>
__global__ void k(float* x) { x[0] = max(1, 2) + fminf(x[1], __half2float(__float2half(3))) + expf(x[2]); }
int main() {
    std::vector<int>* all = new std::vector<int>(static_cast<unsigned>(max(1, 2)));
    delete all;
}
)";

} // namespace

class HipcpuPrecompiledHeadersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCompilerTakesThem_data() {
        QTest::addColumn<std::string>("language");
        for (const char* language : {"", "-std=c++17", "-std=c++20", "-std=gnu++20", "-std=c++23"}) {
            QTest::newRow(*language == '\0' ? "none" : language) << std::string(language);
        }
    }
    void theCompilerTakesThem() {
        QFETCH(const std::string, language);
        const auto toolchain = hipcpu::findToolchain();
        QVERIFY2(toolchain.has_value(), toolchain ? "" : toolchain.error().message().c_str());
        const auto folder = TemporaryDirectory::create("gks-pch");
        const fs::path file = folder->path() / "k.hip";
        QVERIFY(writeFileAtomically(file, source));
        const auto headers = hipcpu::leadingHipHeaders(file, {});
        QCOMPARE(headers.size(), std::size_t{5});
        for (const hipcpu::Side side : {hipcpu::Side::device, hipcpu::Side::host}) {
            std::vector<std::string> options = hipcpu::sideOptions(*toolchain, side, 3, hipcpu::Architecture::gfx942);
            if (!language.empty()) {
                options.push_back(language);
            }
            const fs::path header = hipcpu::precompiledHeader(*toolchain, side, options, headers, folder->path());
            QVERIFY(!header.empty());
            Command command;
            command.arguments = {toolchain->clang.string()};
            command.arguments.insert(command.arguments.end(), options.begin(), options.end());
            command.arguments.insert(command.arguments.end(), {"-Xclang", "-include-pch", "-Xclang", header.string(),
                                                               file.string(), "-o", (folder->path() / "k.o").string()});
            const auto run = runProcess(command);
            QVERIFY(run.has_value());
            QVERIFY2(run->ok(), run->error.c_str());
        }
    }

    void nothingOfThemIsInstantiatedAgain() {
        const auto toolchain = hipcpu::findToolchain();
        QVERIFY2(toolchain.has_value(), toolchain ? "" : toolchain.error().message().c_str());
        const auto folder = TemporaryDirectory::create("gks-pch");
        const fs::path file = folder->path() / "k.hip";
        QVERIFY(writeFileAtomically(file, "#include <hip/hip_runtime.h>\n"));
        for (const hipcpu::Side side : {hipcpu::Side::device, hipcpu::Side::host}) {
            const auto options = hipcpu::sideOptions(*toolchain, side, 3, hipcpu::Architecture::gfx942);
            const fs::path header = hipcpu::precompiledHeader(*toolchain, side, options,
                                                              hipcpu::leadingHipHeaders(file, {}), folder->path());
            const fs::path trace = folder->path() / "trace.json";
            Command command;
            command.arguments = {toolchain->clang.string()};
            command.arguments.insert(command.arguments.end(), options.begin(), options.end());
            command.arguments.insert(command.arguments.end(),
                                     {"-Xclang", "-include-pch", "-Xclang", header.string(), "-Xclang",
                                      "-ftime-trace=" + trace.string(), "-Xclang", "-ftime-trace-granularity=0",
                                      file.string(), "-o", (folder->path() / "k.o").string()});
            const auto run = runProcess(command);
            QVERIFY(run.has_value());
            QVERIFY2(run->ok(), run->error.c_str());
            const auto events = readFile(trace);
            QVERIFY(events.has_value());
            QVERIFY(events->find("Frontend") != std::string::npos);
            QVERIFY(events->find("InstantiateFunction") == std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(HipcpuPrecompiledHeadersTest)
#include "hipcpu_precompiled_headers.moc"
