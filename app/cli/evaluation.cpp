// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation.h"

#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/engine/new_campaign.h"
#include "core/hipcpu/options/compiler_options.h"
#include "core/judge/evaluator_client.h"

#include <fmt/format.h>

namespace gks::cli {
namespace {

constexpr std::size_t shownLogBytes = 16000;
} // namespace

Result<std::string> readKernel(const std::string& path) {
    GKS_TRY_ASSIGN(std::string source, readFile(path, limits::kernelSourceBytes));
    if (trimmed(source).empty()) {
        return usageError("empty file", path);
    }
    if (sanitizedUtf8(source) != source) {
        return usageError("not UTF-8 text", path);
    }
    return source;
}

Result<std::string> checkedProblem(const std::string& nameOrFolder) {
    GKS_TRY_ASSIGN(const ProblemPack pack, loadProblemPack(nameOrFolder));
    return problemReference(pack);
}

Result<std::string> campaignProblem(const std::string& nameOrFolder) {
    GKS_TRY_ASSIGN(const ProblemPack pack, loadCampaignProblem(nameOrFolder));
    return problemReference(pack);
}

constinit const Option compilerOptionsOption = {
    "--flags", "OPTIONS", "hipcc's options for the kernel, in quotes: \"-std=c++20 -DTILE=4\"", false};

Result<std::vector<std::string>> compilerOptions(const Arguments& arguments) {
    std::vector<std::string> words = split(replaceAll(arguments.value(compilerOptionsOption.name), "\t", " "), ' ');
    std::erase(words, "");
    GKS_TRY(hipcpu::kernelOptions(words));
    return words;
}

struct Foreground::State {
    Interrupts interrupts; // before the client's threads
    EvaluatorClient client;
};

Foreground::Foreground() : m_state(std::make_unique<State>()) {}

Foreground::~Foreground() = default;

std::stop_token Foreground::stop() const {
    return m_state->interrupts.token();
}

Verdict Foreground::evaluate(const EvaluationRequest& request) {
    ProgressLine progress;
    const auto show = [&](const EvaluationEvent& event) {
        if (const auto* stage = std::get_if<StageEvent>(&event)) {
            progress.step(name(stage->stage));
        } else if (const auto* update = std::get_if<ProgressEvent>(&event)) {
            progress.update(update->fraction, update->detail);
        }
    };
    return m_state->client.evaluate(request, show, stop());
}

Verdict evaluateInForeground(const EvaluationRequest& request) {
    return Foreground().evaluate(request);
}

int exitStatus(const Verdict& verdict) {
    if (verdict.kind == VerdictKind::infrastructureFailed) {
        return infrastructureFailed;
    }
    return isAccepted(verdict.kind) ? done : kernelFailed;
}

std::string staticReportText(const StaticReport& report) {
    Table table;
    table.add({"  Function", "VGPR", "AGPR", "SGPR", "spills", "scratch", "LDS", "waves/SIMD", "MFMA", "code"});
    for (const KernelResources& kernel : report.kernels) {
        const auto mfma = kernel.instructions.find("mfma");
        table.add({"  " + kernel.name, std::to_string(kernel.vgprs), std::to_string(kernel.agprs),
                   std::to_string(kernel.sgprs), std::to_string(kernel.vgprSpills + kernel.sgprSpills),
                   formatBytes(static_cast<std::uint64_t>(kernel.scratchBytes)),
                   formatBytes(static_cast<std::uint64_t>(kernel.ldsBytes)),
                   std::to_string(kernel.occupancyWavesPerSimd),
                   std::to_string(mfma == kernel.instructions.end() ? 0 : mfma->second),
                   formatBytes(static_cast<std::uint64_t>(kernel.codeBytes))});
    }
    return fmt::format("Static report for {} (from the compiled code, not measured)\n{}", report.architecture,
                       table.text());
}

void printBuildFailure(const Verdict& verdict) {
    if (verdict.kind == VerdictKind::buildFailed && !verdict.build.log.empty()) {
        say("{}", attributed(verdict.build.log, compilerSpeaker, shownLogBytes));
    }
}

} // namespace gks::cli
