// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "core/report/bundle.h"

#include <fmt/format.h>

namespace gks::cli {
namespace {

Result<WrittenBundle> writeReport(const Arguments& arguments) {
    GKS_TRY(checkBundleFolder(arguments.value("--out"))); // before anything is read
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    std::optional<KernelId> only;
    if (arguments.has("--kernel")) {
        GKS_TRY_ASSIGN(const PopulationPtr population, store->population());
        GKS_TRY_ASSIGN(only, kernelFromText(arguments.value("--kernel"), *population, "--kernel"));
    }
    GKS_TRY_ASSIGN(const Evidence evidence, readEvidence(*store, only));
    return writeBundle(evidence, arguments.value("--out"));
}

int runReport(const Arguments& arguments) {
    const auto written = writeReport(arguments);
    if (!written) {
        return failed(written.error());
    }
    say("Report: {}\nVerdicts: {}\n{}\n", (written->folder / "report.html").string(), written->verdicts,
        written->root.empty() ? fmt::format("No evidence bundle: {}", judgedByHarness())
                              : "Root hash: " + written->root);
    return done;
}

} // namespace

const Command reportCommand = {"report",
                               "FILE.gks",
                               "Write an evidence bundle and an HTML report",
                               {{"--out", "DIR", "output folder, new or empty", true},
                                {"--kernel", "ID", "only this kernel (default: all kernels)", false}},
                               runReport};

} // namespace gks::cli
