// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/machine_code.h"

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/judge/source_listing.h"
#include "core/target/occupancy_step.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

std::string costLine(const MachineCode& code) {
    std::vector<std::string> parts;
    for (const auto& [cost, count] : costsOf(code)) {
        parts.push_back(fmt::format("{} {}", name(cost), count));
    }
    return fmt::format("{}: {} instructions: {}\n", code.architecture, code.instructionTotal(), join(parts, ", "));
}

OrderedJson toJson(const MachineCode& code) {
    OrderedJson costs = OrderedJson::object();
    for (const auto& [cost, count] : costsOf(code)) {
        costs[std::string(name(cost))] = count;
    }
    OrderedJson functions = OrderedJson::array();
    for (const MachineFunction& function : code.functions) {
        OrderedJson instructions = OrderedJson::array();
        for (const MachineInstruction& one : function.instructions) {
            instructions.push_back({{"offset", one.offset},
                                    {"line", one.line > 0 ? OrderedJson(one.line) : OrderedJson()},
                                    {"header", one.place.empty() ? OrderedJson() : OrderedJson(one.place)},
                                    {"cost", name(one.cost)},
                                    {"text", one.text}});
        }
        functions.push_back({{"name", function.name}, {"instructions", std::move(instructions)}});
    }
    return {{"architecture", code.architecture},
            {"cut", code.isCut},
            {"costs", std::move(costs)},
            {"functions", std::move(functions)}};
}

void noteDiagnostics(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& one : diagnostics) {
        note("{}:{}:{}: {}: {}\n", one.file, one.line, one.column, name(one.kind), one.text);
    }
}

void sayOccupancy(const std::optional<StaticReport>& report) { // none: of AMD's code alone
    for (const KernelResources& kernel : report ? report->kernels : std::vector<KernelResources>()) {
        if (const std::string text = occupancyText(report->architecture, kernel); !text.empty()) {
            say("{}: {}\n", kernel.name, text);
        }
    }
}

} // namespace

int showMachineCode(const EvaluationRequest& request, const std::string& architecture, bool asJson) {
    const Interrupts interrupts;
    const auto pack = loadProblemPack(request.problem);
    if (!pack) {
        return failed(pack.error());
    }
    ListingRequest wanted;
    wanted.problem = &*pack;
    wanted.source = request.source;
    wanted.architecture = architecture;
    wanted.compilerOptions = request.compilerOptions;
    wanted.allowNoSandbox = request.allowNoSandbox;
    const auto listing = listSource(wanted, interrupts.token());
    if (!listing) {
        return failed(listing.error());
    }
    if (asJson) {
        OrderedJson json = listing->code ? toJson(*listing->code) : OrderedJson::object();
        json["failure"] = listing->failure;
        json["toolchain"] = listing->toolchain;
        json["diagnostics"] = gks::toJson(listing->diagnostics);
        json["static"] = listing->report ? gks::toJson(*listing->report) : OrderedJson();
        printJson(json);
    } else {
        noteDiagnostics(listing->diagnostics);
        if (listing->code) {
            say("{}\n{}", terminalText(listingText(*listing->code)), costLine(*listing->code));
            sayOccupancy(listing->report);
        }
    }
    if (!listing->code) {
        note("build-failed: {}\n", terminalLine(listing->failure));
    }
    return listing->code ? done : kernelFailed;
}

} // namespace gks::cli
