// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/machine_code_plan.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/hipcpu/options/compiler_options.h"
#include "core/target/cuda_build.h"
#include "core/target/kernel_language.h"
#include "core/target/toolchain.h"

#include <algorithm>

namespace gks {
namespace {

// Beside its compiler, or wherever else the machine has it.
std::optional<std::filesystem::path> cudaDisassembler() {
    const auto& cuda = toolchain().cuda;
    const std::filesystem::path beside = cuda ? cuda->root / "bin/nvdisasm" : std::filesystem::path();
    return cuda && isThere(beside) ? std::optional(beside) : findProgram("nvdisasm", {});
}

// What the device runs, read back; where nothing can read it, what it is made from.
Result<BuildPlan> planNvidiaCode(const BuildRequest& request) {
    const auto& cuda = toolchain().cuda;
    if (!cuda) {
        return infrastructureError("the code of an NVIDIA device is made by nvcc, which was not found in CUDA_PATH, "
                                   "PATH or /usr/local/cuda*",
                                   "toolchain", "Install the CUDA toolkit: https://developer.nvidia.com/cuda-toolkit");
    }
    GKS_TRY(makeDirectories(request.folder));
    GKS_TRY(writeFileAtomically(request.folder / "problem.h", request.header));
    GKS_TRY_ASSIGN(const hipcpu::CompilerOptions given,
                   hipcpu::kernelOptions(withProblemsLanguage(request.language, request.compilerOptions)));
    const auto disassembler = cudaDisassembler();
    BuildPlan plan;
    plan.toolchain = "CUDA " + cuda->version;
    plan.codeObject = request.folder / (disassembler ? "device.cubin" : "device.ptx");
    GKS_TRY_ASSIGN(BuildStep compile, cudaListingStep(request, given.preprocessor, plan.codeObject, !disassembler));
    plan.steps.push_back(std::move(compile));
    if (disassembler) {
        plan.disassembly = request.folder / "disassembly.txt";
        BuildStep step;
        step.name = "disassembly";
        step.arguments = {disassembler->string(), "-g", "-c", plan.codeObject.string()};
        step.readable = {request.folder, cuda->root};
        step.outputFile = plan.disassembly;
        step.after = 0;
        plan.steps.push_back(std::move(step));
    }
    return plan;
}

} // namespace

Result<BuildPlan> planMachineCode(BuildRequest request) {
    if (request.target.kind == TargetKind::nvidia) {
        return planNvidiaCode(request);
    }
    request.module = false;
    request.staticReport = true;
    GKS_TRY_ASSIGN(BuildPlan plan, planBuild(request));
    for (BuildStep& step : plan.steps) {
        std::vector<std::string>& words = step.arguments;
        if (step.outputFile == plan.disassembly) {
            words.insert(words.begin() + 1, "-l");
        } else if (std::find(words.begin(), words.end(), "-c") != words.end()) {
            words.insert(words.begin() + 1, {"-gline-tables-only", "-fno-caret-diagnostics"});
        }
    }
    plan.key = sha256Hex(plan.key + " with line tables");
    return plan;
}

} // namespace gks
