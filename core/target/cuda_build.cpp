// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/cuda_build.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/target/kernel_language.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

bool isBelowUsr(const fs::path& path) {
    return path.string().starts_with("/usr/");
}

// "#pragma unroll FACTOR" -> "FACTOR"; empty where there is nothing to expand.
std::string_view unrollArgument(std::string_view line) {
    std::string_view rest = trimmed(line);
    for (const std::string_view word : {"#", "pragma", "unroll"}) {
        if (!rest.starts_with(word)) {
            return {};
        }
        rest = trimmed(rest.substr(word.size()));
    }
    rest = trimmed(rest.substr(0, rest.find("//")));
    const bool isNumber =
        std::all_of(rest.begin(), rest.end(), [](char c) { return (c >= '0' && c <= '9') || c == '(' || c == ')'; });
    return isNumber ? std::string_view() : rest;
}

} // namespace

std::string withExpandedUnrolls(std::string_view source) {
    std::string text;
    text.reserve(source.size() + 256);
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size() - 1);
        const std::string_view line = source.substr(0, end + 1);
        if (const std::string_view argument = unrollArgument(line); !argument.empty()) {
            text += fmt::format("GKS_UNROLL({})\n", argument);
        } else {
            text += line;
        }
        source.remove_prefix(end + 1);
    }
    return text;
}

namespace {

// What every compilation has; the source is written. In messages it has the name `shownAs`.
Result<BuildStep> compilation(const BuildRequest& request, const std::vector<std::string>& given,
                              const std::vector<std::string>& kind, const fs::path& output, std::string_view shownAs) {
    const auto& cuda = toolchain().cuda;
    if (!cuda) {
        return infrastructureError("nvcc was not found in CUDA_PATH, PATH or /usr/local/cuda*", "toolchain", seeDoctor);
    }
    const fs::path headers = cudaHeaderFolder();
    if (!isThere(headers / "hip/hip_runtime.h")) {
        return infrastructureError("the HIP headers for nvcc are missing", headers.string(),
                                   "Install the whole program again");
    }
    const fs::path source = request.folder / "kernel.cu";
    GKS_TRY(
        writeFileAtomically(source, fmt::format("#line 1 \"{}\"\n{}", shownAs, withExpandedUnrolls(request.source))));
    BuildStep step;
    // As clang has it for HIP: a constexpr function is the device's too.
    step.arguments = {cuda->nvcc.string(), "-x", "cu", "-O3", "--expt-relaxed-constexpr"};
    step.arguments.insert(step.arguments.end(), kind.begin(), kind.end());
    step.arguments.insert(step.arguments.end(), {"-I", headers.string(), "-I", request.folder.string(), source.string(),
                                                 "-o", output.string()});
    if (!namesLanguage(given)) { // nvcc takes it once only
        step.arguments.emplace_back(usualLanguageOfCuda(cuda->version));
    }
    step.arguments.insert(step.arguments.end(), given.begin(), given.end());
    for (const fs::path& folder : {cuda->root, headers}) {
        if (!isBelowUsr(folder)) {
            step.readable.push_back(folder);
        }
    }
    step.writable = {request.folder};
    return step;
}

// Of a kernel, who chooses many of the compiler's words. Its messages begin with the build's folder, whose name is
// drawn by chance, and nothing in the source has that name: neither a macro, which the host compiler expands for nvcc,
// nor what debuggers read.
Result<BuildStep> kernelCompilation(const BuildRequest& request, const std::vector<std::string>& given,
                                    std::vector<std::string> kind, const fs::path& output) {
    kind.insert(kind.end(), {"-Xcompiler", "-ffile-prefix-map=" + request.folder.string() + "/="});
    GKS_TRY_ASSIGN(BuildStep step, compilation(request, given, kind, output, (request.folder / "kernel.hip").string()));
    step.hidesPlaces = true;
    return step;
}

} // namespace

std::string withItsFeatures(std::string_view architecture) {
    constexpr std::string_view prefix = "sm_";
    const std::string_view number = architecture.substr(std::min(prefix.size(), architecture.size()));
    const bool hasFeatures = number.size() >= 3 || number >= "90";
    const bool isBare = !number.empty() && std::isdigit(static_cast<unsigned char>(number.back())) != 0;
    return std::string(number) + (hasFeatures && isBare ? "a" : "");
}

Result<std::vector<BuildStep>> cudaModuleSteps(const BuildRequest& request, const std::vector<std::string>& given,
                                               const fs::path& hostModule, const fs::path& cubin) {
    const std::string architecture = withItsFeatures(request.target.architecture);
    const std::string kind = "-gencode=arch=compute_" + architecture + ",code=";
    GKS_TRY_ASSIGN(BuildStep device,
                   kernelCompilation(request, given, {kind + "sm_" + architecture, "-cubin", "-Xptxas", "-v"}, cubin));
    device.name = "nvidia device code"; // what ptxas says of its registers is read by ptxas_report.h
    // What it carries of device code nobody reads: not more than the first half of a compilation. Warnings are the
    // other step's, line numbers are for what cannot be planned.
    GKS_TRY_ASSIGN(BuildStep host, kernelCompilation(request, given,
                                                     {kind + "compute_" + architecture, "-w", "-shared", "-Xcompiler",
                                                      "-fPIC,-g1", "-cudart", "none"},
                                                     hostModule));
    host.name = "nvidia host code";
    return std::vector<BuildStep>{std::move(device), std::move(host)};
}

Result<BuildStep> cudaListingStep(const BuildRequest& request, const std::vector<std::string>& given,
                                  const fs::path& output, bool asPtx) {
    const std::string architecture = withItsFeatures(request.target.architecture);
    std::vector<std::string> kind = {
        fmt::format("-gencode=arch=compute_{0},code={1}{0}", architecture, asPtx ? "compute_" : "sm_"), "-lineinfo",
        asPtx ? "-ptx" : "-cubin"};
    if (request.target.fp8Encoding() == Fp8Encoding::ocp) {
        kind.emplace_back("-DGKS_FP8_OCP=1");
    }
    GKS_TRY_ASSIGN(BuildStep step, kernelCompilation(request, given, kind, output));
    step.name = asPtx ? "PTX" : "nvidia device code";
    return step;
}

Result<BuildStep> cudaAnchorStep(const BuildRequest& request, std::string_view shownAs,
                                 const std::vector<std::string>& linking, const fs::path& library) {
    const std::string architecture = withItsFeatures(request.target.architecture);
    std::vector<std::string> kind = {"-gencode=arch=compute_" + architecture + ",code=sm_" + architecture,
                                     "-shared",
                                     "-Xcompiler",
                                     "-fPIC",
                                     "-cudart",
                                     "static"};
    GKS_TRY_ASSIGN(BuildStep step, compilation(request, {}, kind, library, shownAs));
    step.arguments.insert(step.arguments.end(), linking.begin(), linking.end());
    step.name = "nvidia anchor";
    return step;
}

} // namespace gks
