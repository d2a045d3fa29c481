// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/source_listing.h"

#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/killed.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/confine/sandbox.h"
#include "core/target/cuda_build.h"
#include "core/target/machine_code_plan.h"
#include "core/target/nvidia_code.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t listingMemoryBytes = std::size_t{8} << 30; // address space
constexpr std::size_t listingFileBytes = std::size_t{64} << 20;
constexpr std::size_t listingLogBytes = 65536;
constexpr std::size_t listingOpenFiles = 256;

SandboxPolicy policyOf(const BuildStep& step, const ListingRequest& request) {
    SandboxPolicy policy;
    policy.readable = step.readable;
    policy.writable = step.writable;
    policy.environment = step.environment;
    policy.limits = {listingMemoryBytes, static_cast<std::size_t>(request.timeLimit.count()), listingFileBytes,
                     listingOpenFiles};
    policy.mayStartProcesses = true;
    policy.allowNone = request.allowNoSandbox;
    return policy;
}

Result<CompletedProcess> ranStep(const BuildStep& step, const ListingRequest& request, const std::stop_token& stop) {
    const SandboxFinding& sandbox = availableSandbox();
    Command command;
    command.arguments = step.arguments;
    RunOptions options;
    options.timeout = request.timeLimit;
    options.stop = stop;
    options.outputLimitBytes = step.outputFile ? listingFileBytes : listingLogBytes;
    GKS_TRY_ASSIGN(const Command wall, sandboxed(std::move(command), policyOf(step, request), sandbox.level));
    GKS_TRY_ASSIGN(CompletedProcess run, runProcess(wall, options));
    if (run.cancelled) {
        return infrastructureError("cancelled", step.name);
    }
    if (wasKilled(run) && !run.timedOut) {
        return tl::unexpected(killedError(step.name, "its process", "Try again"));
    }
    if (wallFailed(run.exit, sandbox.level)) {
        return infrastructureError("the sandbox failed", step.name, "Run kernel-scientist-cli doctor");
    }
    return run;
}

std::string failureOf(const CompletedProcess& run, const ListingRequest& request,
                      const std::vector<Diagnostic>& diagnostics) {
    if (run.timedOut) {
        return fmt::format("the compiler had not ended after {} s", request.timeLimit.count());
    }
    const auto isError = [](const Diagnostic& one) { return one.kind == DiagnosticKind::error; };
    const auto errors = std::count_if(diagnostics.begin(), diagnostics.end(), isError);
    return errors == 0 ? "the compiler ended with " + run.exit.text() : counted(errors, "error");
}

Result<SourceListing> withNvidiaCode(SourceListing listing, const BuildPlan& plan, const std::string& features) {
    const bool isPtx = plan.disassembly.empty();
    GKS_TRY_ASSIGN(const std::string text, readFile(isPtx ? plan.codeObject : plan.disassembly));
    auto code = isPtx ? readPtx(text, "PTX for sm_" + features) : readSass(text, "sm_" + features);
    if (!code) {
        listing.failure = code.error().message();
        return listing;
    }
    listing.code = std::move(*code);
    return listing;
}

Result<SourceListing> listed(const ListingRequest& request, const std::stop_token& stop) {
    if (request.problem != nullptr && request.problem->harness) {
        return usageError(fmt::format("only its own harness knows how a kernel of {} is built", request.problem->name),
                          {}, "Look at what build prints, in the kernel's facts");
    }
    const bool isNvidias = request.architecture.starts_with("sm_");
    const Target target = {isNvidias ? TargetKind::nvidia : TargetKind::amd, request.architecture};
    if (!isNvidias) { // nvcc brings all of its own
        GKS_TRY(prepareToolchain(target));
    }
    GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("gks-listing"));
    BuildRequest build;
    build.target = target;
    build.source = request.source;
    build.header = request.problem != nullptr ? generateProblemHeader(*request.problem) : std::string();
    build.folder = folder.path();
    build.compilerOptions = request.compilerOptions;
    build.language = request.problem != nullptr ? request.problem->language : std::string();
    GKS_TRY_ASSIGN(const BuildPlan plan, planMachineCode(build));
    SourceListing listing;
    listing.toolchain = plan.toolchain;
    for (const BuildStep& step : plan.steps) {
        GKS_TRY_ASSIGN(const CompletedProcess run, ranStep(step, request, stop));
        if (step.outputFile) {
            if (!run.ok() || run.outputTruncated) {
                return infrastructureError("it could not read the code object", step.name);
            }
            GKS_TRY(writeFileAtomically(*step.outputFile, run.output));
            continue;
        }
        listing.diagnostics = readDiagnostics(ownWords(step, run.error + run.output, folder.path()));
        if (!run.ok()) {
            listing.failure = failureOf(run, request, listing.diagnostics);
            return listing;
        }
    }
    if (isNvidias) {
        return withNvidiaCode(std::move(listing), plan, withItsFeatures(request.architecture));
    }
    GKS_TRY_ASSIGN(const std::string notes, readFile(plan.notesText));
    GKS_TRY_ASSIGN(const std::string disassembly, readFile(plan.disassembly));
    auto report = readStaticReport(request.architecture, notes, disassembly);
    auto code = readMachineCode(disassembly, request.architecture);
    if (!report || !code) {
        listing.failure = (report ? code.error() : report.error()).message();
        return listing;
    }
    listing.report = std::move(*report);
    listing.code = std::move(*code);
    return listing;
}

} // namespace

Result<SourceListing> listSource(const ListingRequest& request, const std::stop_token& stop) {
    auto listing = listed(request, stop);
    return listing ? std::move(listing) : tl::unexpected(withInstallAdvice(listing.error(), inspectToolchains()));
}

Error withInstallAdvice(Error error, const std::vector<ToolchainFinding>& findings) {
    static constexpr std::array<std::string_view, 6> needed = {"clang",   "llvm-readelf", "llvm-objdump",
                                                               "llvm-as", "HIP headers",  "AMD device libraries"};
    const auto missing = std::find_if(findings.begin(), findings.end(), [](const ToolchainFinding& one) {
        return !one.found && std::find(needed.begin(), needed.end(), one.part) != needed.end();
    });
    if (error.next == seeDoctor && missing != findings.end()) {
        error.next = fmt::format("{}: {}", missing->detail, missing->install);
    }
    return error;
}

} // namespace gks
