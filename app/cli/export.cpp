// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "core/base/terminal_text.h"
#include "core/export/export_check.h"
#include "core/export/export_forms.h"
#include "core/report/bundle.h"

#include <fmt/format.h>

namespace gks::cli {
namespace {

Result<ExportedKernel> wantedKernel(const Arguments& arguments) {
    if (arguments.rest().size() > 1) {
        return usageError("one kernel at a time", "export", "Use: export FILE.gks [KERNEL] --as FORM --to DIR");
    }
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr population, store->population());
    if (arguments.rest().empty() && !population->best) {
        return usageError("the campaign has no best kernel yet", "export", "Name a kernel");
    }
    KernelId id = population->best.value_or(0);
    if (!arguments.rest().empty()) {
        GKS_TRY_ASSIGN(id, kernelFromText(arguments.rest().front(), *population));
    }
    return readExportedKernel(*store, id);
}

Result<ExportOptions> exportOptions(const Arguments& arguments) {
    ExportOptions options;
    GKS_TRY_ASSIGN(options.form, exportFormFromName(arguments.value("--as")));
    options.between = arguments.has("--between");
    options.into = arguments.value("--into");
    options.path = arguments.value("--path");
    options.definition = arguments.value("--definition");
    options.hardware = arguments.value("--hardware");
    if ((arguments.has("--into") || arguments.has("--path")) && options.form != ExportForm::patch) {
        return usageError("--into and --path are of a patch", "export", "Add --as patch");
    }
    if ((arguments.has("--definition") || arguments.has("--hardware")) && options.form != ExportForm::flashinfer) {
        return usageError("--definition and --hardware are of a Solution", "export", "Add --as flashinfer");
    }
    return options;
}

void sayWon(const ExportedKernel& kernel) {
    if (kernel.pack.harness) {
        say("{}: {}\nCommand pack: {}, SHA-256 of its files {}\n", kernel.name, terminalLine(kernel.claim),
            terminalLine(kernel.pack.name), terminalLine(kernel.harnessSha256));
        return;
    }
    say("{}: {}\nGoes to the kernel: {} of {} measured shapes; everything else to the baseline {} {}\nEvidence: {}\n",
        kernel.name, terminalLine(kernel.claim), kernel.wonShapes(), kernel.shapes.size(), kernelLabel(kernel.fallback),
        terminalLine(kernel.fallbackTitle), kernel.evidenceSha256);
}

Result<void> exportKernel(const Arguments& arguments) {
    const std::filesystem::path folder = arguments.value("--to");
    GKS_TRY_ASSIGN(const ExportOptions options, exportOptions(arguments));
    GKS_TRY(checkBundleFolder(folder)); // before anything is read
    GKS_TRY_ASSIGN(const ExportedKernel kernel, wantedKernel(arguments));
    if (arguments.has("--check") && kernel.pack.harness) {
        return usageError("--check builds by our own tools, and a command pack's kernel is built by its harness",
                          "export", "Leave --check out");
    }
    GKS_TRY_ASSIGN(const BundleFiles files, exportFiles(kernel, options));
    GKS_TRY(writeExport(files, folder));
    sayWon(kernel);
    say("Written: {} files in {}\n", files.size(), folder.string());
    if (arguments.has("--check")) {
        GKS_TRY_ASSIGN(const ExportCheck check, checkExport(kernel, options.form, folder));
        sayText(check.output);
        say("Checked: {} by {}\n", check.hasRun ? "compiled and run" : "compiled, not run,", check.compiler);
        for (const std::string& sentence : check.open) {
            say("Open: {}\n", sentence);
        }
        return {};
    }
    for (const std::string& sentence : openOf(kernel, options.form)) {
        say("Open: {}\n", sentence);
    }
    return {};
}

int runExport(const Arguments& arguments) {
    const auto exported = exportKernel(arguments);
    return exported ? done : failed(exported.error());
}

} // namespace

const Command exportCommand = {
    "export",
    "FILE.gks",
    "Take a kernel (the best) into your own code, with its evidence",
    {{"--as", exportFormNames, "what to make of it", true},
     {"--to", "DIR", "output folder, new or empty", true},
     {"--between", "", "shapes between measured ones go to the kernel too; no claim covers them", false},
     {"--check", "", "compile it and run its test, as far as it can be done here, in the sandbox", false},
     {"--into", "TREE", "patch: the git tree that it is for, which is not changed", false},
     {"--path", "FOLDER", "patch: the folder in the tree", false},
     {"--definition", "FILE.json", "flashinfer: the Definition that the problem is (default: the one it was made from)",
      false},
     {"--hardware", "CARD", "flashinfer: the card that it is for, as NVIDIA_H100 (default: the one that measured it)",
      false}},
    runExport,
    "[KERNEL]"};

} // namespace gks::cli
