// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/target/kernel_language.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

namespace fs = std::filesystem;

constexpr const char* source = "#include \"problem.h\"\n#include <hip/hip_runtime.h>\n"
                               "__global__ void scale(float* x) { x[threadIdx.x] *= FACTOR; }\n";

BuildRequest request(const fs::path& folder) {
    return {{TargetKind::cpu, "gfx942"}, source, "#define FACTOR 2.0f\n", folder, true};
}

const BuildStep* stepNamed(const BuildPlan& plan, const std::string& name) {
    for (const BuildStep& step : plan.steps) {
        if (step.name == name) {
            return &step;
        }
    }
    return nullptr;
}

bool cpuDriverIsThere() {
    return !toolchain().hipcpuFingerprint.empty();
}

} // namespace

class TargetBuildPlanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_cache.emplace(*TemporaryDirectory::create("gks-plan-cache"));
        qputenv("GKS_CACHE", m_cache->path().c_str());
    }
    void init() { m_folder.emplace(*TemporaryDirectory::create("gks-plan")); }

    void namesAndEncodings() {
        for (const TargetKind kind : {TargetKind::cpu, TargetKind::amd, TargetKind::nvidia}) {
            QCOMPARE(*targetFromName(name(kind)), kind);
        }
        QVERIFY(!targetFromName("gpu").has_value());
        QCOMPARE((Target{TargetKind::cpu, "gfx942"}).fp8Encoding(), Fp8Encoding::fnuz);
        QCOMPARE((Target{TargetKind::amd, "gfx950"}).fp8Encoding(), Fp8Encoding::ocp);
        QCOMPARE((Target{TargetKind::cpu, "gfx950"}).fp8Encoding(), Fp8Encoding::ocp);
        QCOMPARE((Target{TargetKind::nvidia, "sm_90"}).fp8Encoding(), Fp8Encoding::ocp);
    }

    // Or a source could ask for a file and be another one in the report than in the module.
    void compilersOfAKernelSeeTheSameFiles() {
        if (!cpuDriverIsThere()) {
            QSKIP("the compiler of the cpu target is not built");
        }
        const auto plan = planBuild(request(m_folder->path()));
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
        const BuildStep* const module = stepNamed(*plan, "cpu module");
        const BuildStep* const report = stepNamed(*plan, "gfx942 code object");
        QVERIFY(module != nullptr && report != nullptr);
        QVERIFY(!module->readable.empty());
        QCOMPARE(report->readable, module->readable);
        QCOMPARE(report->writable, module->writable);
    }

    void missingToolsAreNamed() {
        BuildRequest wanted = request(m_folder->path());
        wanted.target = {TargetKind::nvidia, "sm_90"};
        const auto nvidia = planBuild(wanted);
        QCOMPARE(nvidia.has_value(), toolchain().cuda.has_value());
        if (!nvidia) {
            QCOMPARE(nvidia.error().kind, ErrorKind::infrastructure);
            QVERIFY(!nvidia.error().next.empty());
        }
        wanted.target = {TargetKind::amd, "gfx942"}; // the report's compiler does where there is no ROCm
        QCOMPARE(planBuild(wanted).has_value(), deviceCompiler("gfx942").has_value());
        if (!cpuDriverIsThere()) {
            QVERIFY(planBuild(request(m_folder->path())).error().message().find("the cpu target is incomplete") !=
                    std::string::npos);
        }
    }

    void theDeviceLibraryIsCompletedInTheCache() {
        const auto folder = deviceLibraryFolder(toolchain(), "gfx942");
        QVERIFY2(folder.has_value(), folder ? "" : folder.error().message().c_str());
        QVERIFY(fs::exists(*folder / "oclc_isa_version_942.bc"));
        QVERIFY(fs::exists(*folder / "ocml.bc"));
        QCOMPARE(deviceLibraryFolder(toolchain(), "gfx942").value(), *folder);
        QVERIFY(!deviceLibraryFolder(toolchain(), "../../etc").has_value());
        QVERIFY(!deviceLibraryFolder(toolchain(), "gfx9z2").has_value());
    }

    // With it the report compiles in half the time, to the same code; clang refuses one that does not fit.
    void thePrecompiledHeaderFits() {
        const auto prepared = prepareToolchain({TargetKind::amd, "gfx942"});
        QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message().c_str());
        const auto compiler = deviceCompiler("gfx942");
        QVERIFY(fs::exists(compiler->precompiled));
        const fs::path kernel = m_folder->path() / "kernel.hip";
        QVERIFY(writeFileAtomically(kernel,
                                    "#include <hip/hip_runtime.h>\n__global__ void f(float* x) { *x = expf(*x); }\n"));
        std::vector<std::string> objects;
        for (const bool precompiled : {false, true}) {
            Command command;
            command.arguments = {compiler->program.string()};
            command.arguments.insert(command.arguments.end(), compiler->flags.begin(), compiler->flags.end());
            if (precompiled) {
                command.arguments.insert(command.arguments.end(),
                                         {"-Xclang", "-include-pch", "-Xclang", compiler->precompiled.string()});
            }
            const fs::path object = m_folder->path() / (precompiled ? "with.s" : "without.s");
            command.arguments.insert(command.arguments.end(),
                                     {"-fuse-cuid=none", "-S", kernel.string(), "-o", object.string()});
            const auto run = runProcess(command);
            QVERIFY2(run && run->ok() && run->error.empty(), run ? run->error.c_str() : "not started");
            objects.push_back(*readFile(object));
        }
        QCOMPARE(objects[0], objects[1]);
    }

    void aPlanIsCompleteAndItsReportStepsWork() {
        if (!cpuDriverIsThere()) {
            QSKIP("the compiler of the cpu target has not been built");
        }
        QVERIFY(prepareToolchain({TargetKind::cpu, "gfx942"}).has_value());
        const auto plan = planBuild(request(m_folder->path()));
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
        QCOMPARE(plan->steps.back().name, std::string("cpu module"));
        QVERIFY(plan->steps.back().required);
        QCOMPARE(*readFile(m_folder->path() / "problem.h"), std::string("#define FACTOR 2.0f\n"));
        for (const BuildStep& step : plan->steps) {
            QVERIFY(step.after < static_cast<int>(plan->steps.size()));
            for (const fs::path& path : step.readable) {
                QVERIFY2(fs::exists(path), path.c_str());
            }
            Command command;
            command.arguments = step.arguments;
            const auto run = runProcess(command);
            QVERIFY(run.has_value());
            QVERIFY2(run->ok(), run->error.c_str());
            QCOMPARE(run->error, std::string());
            if (step.outputFile) {
                QVERIFY(writeFileAtomically(*step.outputFile, run->output).has_value());
            }
        }
        for (const fs::path& module : plan->modules()) {
            QVERIFY2(fs::exists(module), module.c_str());
        }
        QVERIFY(!fs::exists(m_folder->path() / "module.so")); // nothing that is judged needs a whole one
        const auto report = readStaticReport("gfx942", *readFile(plan->notesText), *readFile(plan->disassembly));
        QVERIFY(report.has_value());
        QCOMPARE(report->kernels.front().name, std::string("scale(float*)"));
        QVERIFY(stepNamed(*plan, "disassembly")->outputFile == plan->disassembly);
    }

    // What is reported is what is executed: of another compilation a source could make other code.
    void theReportOfACardIsOfItsDeviceCode() {
        BuildRequest wanted = request(m_folder->path());
        wanted.target = {TargetKind::amd, "gfx942"};
        const auto plan = planBuild(wanted);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
        QCOMPARE(plan->codeObject, plan->deviceModule);
        QVERIFY(stepNamed(*plan, "gfx942 code object") == nullptr);
        for (const char* name : {"resource notes", "disassembly"}) {
            const BuildStep* const reading = stepNamed(*plan, name);
            QVERIFY2(reading != nullptr, name);
            QCOMPARE(reading->arguments.back(), plan->deviceModule.string());
            QCOMPARE(plan->steps.at(static_cast<std::size_t>(reading->after)).name, std::string("amd device code"));
        }
    }

    void theKeyNamesTheBuildAndNotThePlace() {
        if (!cpuDriverIsThere()) {
            QSKIP("the compiler of the cpu target has not been built");
        }
        const auto elsewhere = TemporaryDirectory::create("gks-elsewhere");
        const std::string key = planBuild(request(m_folder->path()))->key;
        QCOMPARE(planBuild(request(elsewhere->path()))->key, key);
        BuildRequest other = request(elsewhere->path());
        other.source += " ";
        QVERIFY(planBuild(other)->key != key);
        other = request(elsewhere->path());
        other.header += " ";
        QVERIFY(planBuild(other)->key != key);
        other = request(elsewhere->path());
        other.staticReport = false;
        QVERIFY(planBuild(other)->key != key);
    }

    void optionsOfTheKernelReachEveryCompiler() {
        if (!cpuDriverIsThere()) {
            QSKIP("the compiler of the cpu target has not been built");
        }
        BuildRequest wanted = request(m_folder->path());
        const std::string key = planBuild(wanted)->key;
        wanted.compilerOptions = {"-std=c++20", "-DTILE=4", "-mllvm", "-amdgpu-x", "--offload-arch=gfx942"};
        const auto plan = planBuild(wanted);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
        QVERIFY(plan->key != key);
        for (const BuildStep& step : plan->steps) {
            if (step.name == "cpu module" || step.name == "gfx942 code object") {
                const std::string line = join(step.arguments, " ");
                QVERIFY2(line.find("-std=c++20 -DTILE=4 -mllvm -amdgpu-x") != std::string::npos, line.c_str());
                QVERIFY2(line.find("-include-pch") == std::string::npos, "it was made without these options");
            }
        }
        for (const char* hostile : {"-fplugin=x.so", "-I../etc", "-lfoo", "/etc/passwd"}) {
            wanted.compilerOptions = {hostile};
            QVERIFY2(!planBuild(wanted), hostile);
        }
    }

    // C++20, unless the problem says otherwise; what comes with the kernel goes before both. The report of a card's
    // code is of the same language, and a precompiled header of another one would be refused by the compiler.
    void theLanguageIsTheKernelsOrTheProblemsOrTheUsual() {
        if (!cpuDriverIsThere()) {
            QSKIP("the compiler of the cpu target has not been built");
        }
        struct Row {
            const char* ofKernel;
            const char* ofProblem;
            const char* last;
        };
        for (const Row& row :
             {Row{"", "", "-std=c++20"}, {"", "c++17", "-std=c++17"}, {"-std=gnu++23", "c++17", "-std=gnu++23"}}) {
            for (const TargetKind kind : {TargetKind::cpu, TargetKind::amd}) {
                BuildRequest wanted = request(m_folder->path());
                wanted.target = {kind, "gfx942"};
                wanted.language = row.ofProblem;
                if (*row.ofKernel != '\0') {
                    wanted.compilerOptions = {row.ofKernel};
                }
                const auto plan = planBuild(wanted);
                QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
                int compilers = 0;
                for (const BuildStep& step : plan->steps) {
                    const auto at = std::find_if(step.arguments.rbegin(), step.arguments.rend(),
                                                 [](const auto& word) { return word.starts_with("-std="); });
                    if (at != step.arguments.rend()) {
                        ++compilers;
                        QCOMPARE(*at, std::string(row.last));
                        QVERIFY(*row.ofProblem == '\0' ||
                                join(step.arguments, " ").find("-include-pch") == std::string::npos);
                    }
                }
                QCOMPARE(compilers, 2);
            }
        }
        QCOMPARE(usualLanguageOfCuda("11.8.89"), std::string("-std=c++17"));
        QCOMPARE(usualLanguageOfCuda("13.0.88"), std::string("-std=c++20"));
    }

    // The judge's sandbox shows the cache and cannot write there: what was prepared is what a build asks for.
    void thePreparedHeadersAreThoseOfTheUsualLanguage() {
        if (!cpuDriverIsThere()) {
            QSKIP("the compiler of the cpu target has not been built");
        }
        const auto count = [] {
            std::error_code none;
            const fs::directory_iterator files(cacheFolder() / "pch/hip-headers", none);
            return std::distance(fs::begin(files), fs::end(files));
        };
        QVERIFY(prepareToolchain({TargetKind::cpu, "gfx942"}).has_value());
        const auto before = count();
        QVERIFY(before > 0);
        BuildRequest wanted = request(m_folder->path());
        wanted.source =
            "#include <hip/hip_runtime.h>\ntemplate <class T> concept Some = sizeof(T) > 0;\n"
            "template <Some T> __global__ void f(T* x) { *x = 1; }\ntemplate __global__ void f<int>(int*);\n";
        for (const char* language : {"", "c++17"}) {
            wanted.language = language;
            const auto plan = planBuild(wanted);
            Command command;
            command.arguments = stepNamed(*plan, "cpu module")->arguments;
            const auto run = runProcess(command);
            QVERIFY(run.has_value());
            QVERIFY2(run->ok() == (*language == '\0'), run->error.c_str());
            if (*language == '\0') {
                QCOMPARE(count(), before);
            }
        }
    }

    void devicesOrReasons() {
        for (const TargetKind kind : {TargetKind::cpu, TargetKind::amd, TargetKind::nvidia}) {
            const DeviceList list = listDevices(kind);
            QCOMPARE(list.devices.empty(), !list.reason.empty());
            for (const Device& device : list.devices) {
                QVERIFY(!device.name.empty());
                QVERIFY(fs::exists(device.runtime));
            }
        }
    }

    // The processor plays both architectures; what a kernel names has to be the device's.
    void theProcessorPlaysTwoArchitectures() {
        if (!cpuDriverIsThere()) {
            QSKIP("the compiler of the cpu target is not built");
        }
        const DeviceList list = listDevices(TargetKind::cpu);
        QCOMPARE(list.devices.size(), std::size_t{2});
        QCOMPARE(list.devices[0].architecture, std::string("gfx942"));
        QCOMPARE(list.devices[1].architecture, std::string("gfx950"));
        QVERIFY(list.devices[0].name != list.devices[1].name);
        BuildRequest wanted = request(m_folder->path());
        const auto older = planBuild(wanted);
        wanted.target.architecture = "gfx950";
        wanted.compilerOptions = {"--offload-arch=gfx950"};
        const auto plan = planBuild(wanted);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
        QVERIFY(plan->key != older->key);
        const std::vector<std::string> arguments = stepNamed(*plan, "cpu module")->arguments;
        QVERIFY(std::ranges::find(arguments, "--offload-arch=gfx950") != arguments.end());
        QVERIFY(std::ranges::find(arguments, "-DGKS_FP8_OCP=1") != arguments.end());
        wanted.target.architecture = "gfx942";
        const auto refused = planBuild(wanted);
        QVERIFY(!refused);
        QCOMPARE(refused.error().what, std::string("device code is built for gfx942, and the kernel is for gfx950"));
    }

    void findingsSayWhatToInstall() {
        const auto findings = inspectToolchains();
        QVERIFY(findings.size() >= 8);
        for (const ToolchainFinding& finding : findings) {
            QVERIFY(!finding.detail.empty());
            QCOMPARE(finding.install.empty(), finding.found);
        }
    }

private:
    std::optional<TemporaryDirectory> m_cache;
    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(TargetBuildPlanTest)
#include "target_build_plan.moc"
