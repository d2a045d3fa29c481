// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluation.h"
#include "app/cli/machine_code.h"
#include "app/cli/output.h"
#include "core/base/text.h"
#include "core/hipcpu/architecture.h"
#include "core/target/diagnostics.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

constexpr std::string_view reportArchitecture = "gfx942"; // what the cpu target retargets is what its report is about

// "sm_90", "sm_100", "sm_90a".
bool isNvidias(std::string_view architecture) {
    if (!architecture.starts_with("sm_")) {
        return false;
    }
    const std::string_view rest = architecture.substr(3);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const bool hasFeatures = rest.size() == digits + 1 && (rest.back() == 'a' || rest.back() == 'f');
    return (digits == 2 || digits == 3) && (rest.size() == digits || hasFeatures);
}

Result<EvaluationRequest> staticRequestFrom(const Arguments& arguments) {
    const std::string architecture = arguments.value("--arch", reportArchitecture);
    const bool isListing = arguments.has("--machine-code");
    const bool isListed = isNvidias(architecture) || architecture == hipcpu::nameOf(hipcpu::Architecture::gfx950);
    if (architecture != reportArchitecture && !(isListing && isListed)) {
        return isListing
                   ? usageError(
                         fmt::format("machine code is listed of {}, of {} and of sm_NN (\"sm_90\"), not of \"{}\"",
                                     reportArchitecture, hipcpu::nameOf(hipcpu::Architecture::gfx950), architecture),
                         "--arch")
                   : usageError(
                         fmt::format("static reports support {} only, not \"{}\"", reportArchitecture, architecture),
                         "--arch", isListed ? "Add --machine-code: its code can be listed" : "");
    }
    EvaluationRequest request;
    request.id = "1";
    request.staticOnly = true;
    request.allowNoSandbox = arguments.has("--allow-no-sandbox");
    GKS_TRY_ASSIGN(request.problem, checkedProblem(arguments.value("--problem")));
    GKS_TRY_ASSIGN(request.source, readKernel(arguments.positional()));
    GKS_TRY_ASSIGN(request.compilerOptions, compilerOptions(arguments));
    return request;
}

std::string instructionMix(const StaticReport& report) {
    Table table;
    for (const KernelResources& kernel : report.kernels) {
        std::vector<std::string> parts;
        for (const auto& [className, count] : kernel.instructions) {
            parts.push_back(fmt::format("{} {}", className, count));
        }
        std::vector<std::string> products;
        for (const auto& [type, count] : kernel.multiplies) {
            products.push_back(fmt::format("{} {}", type, count));
        }
        table.add({"  " + kernel.name, join(parts, ", "), products.empty() ? "" : "products: " + join(products, ", ")});
    }
    return "\nInstructions\n" + table.text();
}

int runInspect(const Arguments& arguments) {
    const auto request = staticRequestFrom(arguments);
    if (!request) {
        return failed(request.error());
    }
    if (arguments.has("--machine-code")) {
        return showMachineCode(*request, arguments.value("--arch", reportArchitecture), arguments.has("--json"));
    }
    const Verdict verdict = evaluateInForeground(*request);
    if (!verdict.staticReport) {
        if (arguments.has("--json")) {
            printJson({{"verdict", name(verdict.kind)},
                       {"reason", verdict.reason},
                       {"diagnostics", gks::toJson(readDiagnostics(verdict.build.log))}});
        } else {
            printBuildFailure(verdict);
        }
        note("{}\n", verdictText(verdict.kind, verdict.reason));
        return isAccepted(verdict.kind) ? infrastructureFailed : exitStatus(verdict);
    }
    if (arguments.has("--json")) {
        OrderedJson json = gks::toJson(*verdict.staticReport);
        json["diagnostics"] = gks::toJson(readDiagnostics(verdict.build.log));
        printJson(json);
    } else {
        say("{}{}", staticReportText(*verdict.staticReport), instructionMix(*verdict.staticReport));
        for (const std::string& warning : verdict.warnings) {
            say("Warning: {}\n", warning);
        }
    }
    return done;
}

} // namespace

const Command inspectCommand = {
    "inspect",
    "KERNEL.hip",
    "Print the static report of a kernel: registers, LDS, occupancy, instruction mix",
    {{"--problem", "NAME|DIR", "name of a built-in problem, or folder of a problem pack", true},
     {"--arch", "ARCH",
      "architecture (gfx942); with --machine-code also gfx950, by a clang from 20 on or ROCm, and sm_NN, by nvcc",
      false},
     {"--machine-code", "",
      "every instruction, with the line of the source that it is of; of sm_NN in SASS, or PTX without nvdisasm", false},
     compilerOptionsOption,
     {"--allow-no-sandbox", "", "compile without a sandbox if none works", false},
     {"--json", "", "print JSON", false}},
    runInspect};

} // namespace gks::cli
