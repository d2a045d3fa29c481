// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/hipcpu/options/compiler_options.h"
#include "core/hipcpu/options/hidden_places.h"
#include "core/hipcpu/options/split_files.h"
#include "core/target/cuda_build.h"
#include "core/target/kernel_language.h"
#include "core/target/rocm_build.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr int planVersion =
    1; // goes into every key: raise it when a command changes in a way that its arguments do not show

struct Places {
    fs::path source;
    fs::path codeObject;
};

// Arguments with the paths of this one build taken out, so that the same build has the same key wherever it is done.
std::string withoutPlaces(const std::vector<std::string>& arguments, const fs::path& folder) {
    std::string text;
    for (const std::string& argument : arguments) {
        text += replaceAll(argument, folder.string(), ".") + "\n";
    }
    return text;
}

void addEncoding(std::vector<std::string>& arguments, const Target& target) {
    if (target.fp8Encoding() == Fp8Encoding::ocp) {
        arguments.emplace_back("-DGKS_FP8_OCP=1");
    }
}

void append(std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), words.begin(), words.end());
}

void hidePlaces(BuildStep& step, const fs::path& folder) {
    append(step.arguments, hipcpu::hiddenPlaceOptions(folder));
    step.hidesPlaces = true;
}

// For a compiler of AMD's machine code. What chooses architecture, language and kind of output the build has chosen.
std::vector<std::string> forAmd(const hipcpu::CompilerOptions& given) {
    std::vector<std::string> words = given.frontEnd;
    append(words, given.deviceBackEnd);
    if (given.optimisationLevel) {
        words.push_back(fmt::format("-O{}", *given.optimisationLevel));
    }
    return words;
}

// A kernel may bring the name of its architecture; the device's counts.
Result<void> checkArchitecture(const Target& target, const hipcpu::CompilerOptions& given) {
    const auto& named = given.architectures;
    const auto own = hipcpu::architectureFrom(target.architecture).value_or(hipcpu::Architecture::gfx942);
    if (named.empty() || std::find(named.begin(), named.end(), own) != named.end()) {
        return {};
    }
    const std::string wanted(hipcpu::nameOf(named.front()));
    return usageError(fmt::format("device code is built for {}, and the kernel is for {}", hipcpu::nameOf(own), wanted),
                      "--offload-arch=" + wanted,
                      fmt::format("Choose the device that doctor lists as {}, or leave the option out", wanted));
}

Result<BuildStep> cpuModules(const BuildRequest& request, const Places& places) {
    const Toolchain& tools = toolchain();
    if (tools.hipcpuFingerprint.empty()) {
        return infrastructureError("the compiler of the cpu target is incomplete",
                                   fmt::format("{} or {}", tools.hipcc.string(), hipcpuFolder().string()),
                                   "Build all targets, or reinstall the program");
    }
    if (!tools.clang) {
        return infrastructureError("clang 19 is not installed", "toolchain", seeDoctor);
    }
    const fs::path cache = cacheFolder() / "pch";
    GKS_TRY(makeDirectories(cache));
    BuildStep step;
    step.name = "cpu module";
    step.arguments = {tools.hipcc.string(),
                      "-shared",
                      "--split",
                      request.folder.string(),
                      "--cache",
                      cache.string(),
                      "-I",
                      request.folder.string(),
                      places.source.string()};
    if (!request.target.architecture.empty()) {
        step.arguments.push_back("--offload-arch=" + request.target.architecture);
    }
    step.readable = {tools.hipcc.parent_path(), hipcpuFolder(), cache};
    if (tools.headers && tools.headers->prefix != "/usr") {
        step.readable.insert(step.readable.end(), {tools.headers->prefix, tools.headers->prefix / "include/hip"});
    }
    step.writable = {request.folder};
    // Inside the wall it has to find the same parts as outside.
    step.environment = {{"GKS_HIPCPU", hipcpuFolder().string()}};
    if (tools.headers && tools.headers->prefix != "/usr") {
        step.environment.emplace_back("ROCM_PATH", tools.headers->prefix.string());
    }
    return step;
}

Result<std::vector<BuildStep>> moduleSteps(const BuildRequest& request, const hipcpu::CompilerOptions& given,
                                           const Places& places, const BuildPlan& plan) {
    if (request.target.kind == TargetKind::nvidia) {
        return cudaModuleSteps(request, given.preprocessor, plan.hostModule, plan.deviceModule);
    }
    if (request.target.kind == TargetKind::cpu) {
        GKS_TRY(checkArchitecture(request.target, given));
        GKS_TRY_ASSIGN(BuildStep step, cpuModules(request, places));
        if (!namesLanguage(request.compilerOptions)) {
            step.arguments.emplace_back(usualLanguageOption);
        }
        append(step.arguments, request.compilerOptions); // its compiler reads them itself
        step.hidesPlaces = true;
        return std::vector<BuildStep>{std::move(step)};
    }
    GKS_TRY_ASSIGN(const DeviceCompiler compiler, amdModuleCompiler(request.target.architecture));
    GKS_TRY(writeFileAtomically(request.folder / carriedCodeFile, carriedCode()));
    std::vector<BuildStep> steps = amdModuleSteps(compiler, request, places.source, plan.hostModule, plan.deviceModule);
    for (BuildStep& step : steps) {
        append(step.arguments, forAmd(given));
        hidePlaces(step, request.folder);
    }
    return steps;
}

// Which files the compilers of host and device code make.
void placeModules(const BuildRequest& request, BuildPlan& plan) {
    plan.hostModule = request.folder / hipcpu::hostModuleFile;
    if (request.target.kind == TargetKind::cpu) {
        plan.deviceModule = request.folder / hipcpu::deviceModuleFile;
        plan.checkedModule = request.folder / hipcpu::checkedModuleFile;
        plan.moduleFacts = request.folder / hipcpu::moduleFactsFile;
    } else {
        plan.deviceModule = request.folder / (request.target.kind == TargetKind::nvidia ? "device.cubin" : "device.co");
    }
}

BuildStep codeObjectStep(const BuildRequest& request, const hipcpu::CompilerOptions& given, const Places& places,
                         const DeviceCompiler& compiler) {
    BuildStep step;
    step.name = "gfx942 code object";
    step.required = false;
    step.arguments = {compiler.program.string()};
    step.arguments.insert(step.arguments.end(), compiler.flags.begin(), compiler.flags.end());
    const std::vector<std::string> options = forAmd(given);
    append(step.arguments, options);
    std::error_code ignored;
    if (options.empty() && fs::exists(compiler.precompiled, ignored)) { // its headers were read without options
        step.arguments.insert(step.arguments.end(),
                              {"-Xclang", "-include-pch", "-Xclang", compiler.precompiled.string()});
        step.readable.push_back(compiler.precompiled.parent_path());
    }
    step.arguments.insert(step.arguments.end(), {"-I", request.folder.string(), "-c", places.source.string(), "-o",
                                                 places.codeObject.string()});
    step.readable.insert(step.readable.end(), compiler.readable.begin(), compiler.readable.end());
    step.writable = {request.folder};
    hidePlaces(step, request.folder);
    return step;
}

BuildStep readingStep(std::string name, std::vector<std::string> arguments, const fs::path& output, int after) {
    BuildStep step;
    step.name = std::move(name);
    step.arguments = std::move(arguments);
    step.readable = {output.parent_path()};
    step.outputFile = output;
    step.required = false;
    step.after = after;
    return step;
}

// The report is always of an AMD architecture, also for kernels that run elsewhere.
std::string reportArchitecture(const Target& target) {
    return target.kind == TargetKind::nvidia || target.architecture.empty() ? "gfx942" : target.architecture;
}

// Where the device code that is executed is AMD's, the report reads that very file: of another compilation a source
// could make other code.
bool reportsDeviceModule(const BuildRequest& request) {
    return request.module && request.target.kind == TargetKind::amd;
}

int stepThatMakes(const std::vector<BuildStep>& steps, const fs::path& file) {
    const auto makes = [&](const BuildStep& step) {
        return std::find(step.arguments.begin(), step.arguments.end(), file.string()) != step.arguments.end();
    };
    return static_cast<int>(std::find_if(steps.begin(), steps.end(), makes) - steps.begin());
}

// Behind the steps of the module when it reads what they make.
Result<void> addReport(const BuildRequest& request, const hipcpu::CompilerOptions& given, const Places& places,
                       BuildPlan& plan, std::string& identity) {
    const std::string architecture = reportArchitecture(request.target);
    const bool isOfModule = reportsDeviceModule(request);
    GKS_TRY_ASSIGN(const DeviceCompiler compiler,
                   isOfModule ? amdModuleCompiler(architecture) : deviceCompiler(architecture));
    if (!compiler.readelf || !compiler.objdump) {
        return infrastructureError("llvm-readelf and llvm-objdump are not installed", "toolchain", seeDoctor);
    }
    if (!isOfModule) {
        plan.steps.push_back(codeObjectStep(request, given, places, compiler));
    }
    plan.codeObject = isOfModule ? plan.deviceModule : places.codeObject;
    const int codeObject = stepThatMakes(plan.steps, plan.codeObject);
    plan.notesText = request.folder / "notes.txt";
    plan.disassembly = request.folder / "disassembly.txt";
    plan.steps.push_back(readingStep("resource notes",
                                     {compiler.readelf->string(), "--notes", plan.codeObject.string()}, plan.notesText,
                                     codeObject));
    plan.steps.push_back(readingStep("disassembly",
                                     {compiler.objdump->string(), "-d", "--no-leading-addr", "--no-show-raw-insn",
                                      "--mcpu=" + architecture, plan.codeObject.string()},
                                     plan.disassembly, codeObject));
    // The compiler of the module comes first; that of the report is named where it is another one.
    const bool isSame = plan.toolchain.find(compiler.description) != std::string::npos;
    plan.toolchain += isSame ? "" : plan.toolchain.empty() ? compiler.description : "; report: " + compiler.description;
    identity += withoutPlaces(compiler.flags, request.folder) + compiler.identity;
    return {};
}

// Compilers of one source see the same files: what only one of them finds a source can ask for, and then be another one
// in the report than in the module.
void shareReadable(std::vector<BuildStep>& steps, const fs::path& source) {
    std::set<fs::path> all;
    const auto compiles = [&](const BuildStep& step) {
        return std::find(step.arguments.begin(), step.arguments.end(), source.string()) != step.arguments.end();
    };
    for (const BuildStep& step : steps) {
        if (compiles(step)) {
            all.insert(step.readable.begin(), step.readable.end());
        }
    }
    for (BuildStep& step : steps) {
        if (compiles(step)) {
            step.readable.assign(all.begin(), all.end());
        }
    }
}

// Who compiles the module: in words, and so that another one under the same name has another key.
struct ModuleCompiler {
    std::string description;
    std::string identity;
};

ModuleCompiler moduleCompiler(const Target& target) {
    const Toolchain& tools = toolchain();
    if (target.kind == TargetKind::amd && tools.rocm) {
        return {fmt::format("{}, HIP headers {}", tools.rocm->description(), tools.rocm->hipVersion),
                tools.rocm->identity()};
    }
    if (target.kind == TargetKind::amd) { // without ROCm: what amdModuleCompiler() chooses
        const auto compiler = amdModuleCompiler(target.architecture);
        return compiler ? ModuleCompiler{compiler->description, compiler->identity} : ModuleCompiler{};
    }
    if (target.kind == TargetKind::nvidia && tools.cuda) {
        return {fmt::format("CUDA {}, headers {}", tools.cuda->version, tools.cudaHeadersFingerprint),
                tools.cuda->identity};
    }
    return {fmt::format("hipcpu {}, {}, HIP headers {}", tools.hipcpuFingerprint, tools.clangFacts.version,
                        tools.headers ? tools.headers->version : ""),
            tools.clangFacts.identity};
}

} // namespace

Result<DeviceCompiler> amdModuleCompiler(const std::string& architecture) {
    Toolchain tools = toolchain();
    if (tools.rocm) {
        tools.clang.reset();
    }
    return deviceCompiler(tools, architecture);
}

Result<BuildPlan> planBuild(BuildRequest request) {
    request.compilerOptions = withProblemsLanguage(request.language, std::move(request.compilerOptions));
    GKS_TRY_ASSIGN(const hipcpu::CompilerOptions given, hipcpu::kernelOptions(request.compilerOptions));
    GKS_TRY(makeDirectories(request.folder));
    BuildPlan plan;
    const Places places = {request.folder / "kernel.hip", request.folder / "kernel.co"};
    std::string identity = fmt::format("{}\n{} {}\n{}\n", planVersion, name(request.target.kind),
                                       request.target.architecture, join(request.compilerOptions, "\n"));
    std::vector<BuildStep> modules;
    if (request.module) {
        placeModules(request, plan);
        GKS_TRY_ASSIGN(modules, moduleSteps(request, given, places, plan));
        const ModuleCompiler compiler = moduleCompiler(request.target);
        for (BuildStep& step : modules) {
            addEncoding(step.arguments, request.target);
            identity += withoutPlaces(step.arguments, request.folder) + compiler.identity + "\n";
        }
        plan.toolchain = compiler.description;
    }
    if (reportsDeviceModule(request)) {
        plan.steps = std::exchange(modules, {});
    }
    if (request.staticReport) {
        const auto added = addReport(request, given, places, plan, identity);
        if (!added && !request.module) {
            return tl::unexpected(added.error()); // otherwise a kernel runs without; doctor says what is missing
        }
    }
    std::ranges::move(modules, std::back_inserter(plan.steps)); // behind the report, which waits for nothing
    shareReadable(plan.steps, places.source);
    GKS_TRY(writeFileAtomically(places.source, request.source));
    GKS_TRY(writeFileAtomically(request.folder / "problem.h", request.header));
    plan.key = sha256Hex(
        fmt::format("{}{}\n{}\n{}", identity, plan.toolchain, sha256Hex(request.header), sha256Hex(request.source)));
    return plan;
}

} // namespace gks
