// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/fork.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "core/base/counted.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks::cli {
namespace {

bool looksLikeKernel(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Result<ForkPoint> pointFrom(const Arguments& arguments, const Population& population) {
    ForkPoint at;
    GKS_TRY_ASSIGN(at.kernel, kernelFromText(arguments.rest().front(), population));
    const std::string with = arguments.value("--with");
    for (const std::string& word : with.empty() ? std::vector<std::string>() : split(with, ' ')) {
        GKS_TRY_ASSIGN(const KernelId id, kernelFromText(word, population));
        at.with.push_back(id);
    }
    return at;
}

Result<void> fork(const Arguments& arguments) {
    if (arguments.rest().size() != 2) {
        return usageError("a kernel and one name for the new campaign are needed", "fork",
                          "Use: fork FILE.gks KERNEL NEW.gks");
    }
    GKS_TRY_ASSIGN(const auto from, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr before, from->population());
    GKS_TRY_ASSIGN(const ForkPoint at, pointFrom(arguments, *before));
    GKS_TRY_ASSIGN(const auto made, forkCampaign(*from, at, arguments.rest().back()));
    GKS_TRY_ASSIGN(const PopulationPtr population, made->population());
    say("{}: {} on {}, baseline {} {}, {}, {}, {}\n", made->file().string(), terminalLine(population->problemTitle),
        name(population->settings.target), kernelLabel(at.kernel), terminalLine(population->kernels.front().title),
        counted(population->kernels.size(), "seed"), counted(population->findings.size(), "finding"),
        counted(population->documents.size(), "document"));
    return {};
}

int runFork(const Arguments& arguments) {
    const auto forked = fork(arguments);
    return forked ? done : failed(forked.error());
}

} // namespace

const Command forkCommand = {"fork",
                             "FILE.gks",
                             "Start a campaign that begins at a kernel of another one, with its findings and documents",
                             {{"--with", "KERNEL", "further kernels that are seeds of the new one, several with spaces",
                               false, looksLikeKernel}},
                             runFork,
                             "KERNEL NEW.gks"};

} // namespace gks::cli
