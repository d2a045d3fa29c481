// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/decisions.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/limits.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/store.h"
#include "core/engine/new_campaign.h"
#include "core/import/problem_import.h"
#include "core/problem/seed_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks::cli {
namespace {

namespace fs = std::filesystem;

// A problem of our own judge needs no pack here, which may have gone away; of a harness the pack says what a kernel is.
Result<ProblemPack> packOfFile(const std::string& file) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(file, CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const CampaignSettings settings, store->settings());
    return settings.judgedByHarness ? packOfCampaign(settings) : Result<ProblemPack>(ProblemPack());
}

// The file, or every kernel in the folder, by name.
Result<std::vector<fs::path>> sourcesAt(const fs::path& place, const std::string& extension) {
    std::error_code code;
    if (!fs::is_directory(place, code)) {
        return std::vector<fs::path>{place};
    }
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(place, code)) {
        if (entry.path().extension() == extension && entry.is_regular_file(code)) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    if (files.empty() || files.size() > ownSeedLimit) {
        return usageError(files.empty() ? "holds no *" + extension
                                        : fmt::format("holds more than {} kernels", ownSeedLimit),
                          place.string(), "Name a kernel or a folder of them");
    }
    return files;
}

// A kernel has the function that the judge calls; whether it is right, the judge says.
Result<void> hasEntryPoint(const SeedKernel& seed) {
    const std::string source = normalizedSource(seed.source);
    const auto found = words(source);
    return std::ranges::find(found, "solve") != found.end()
               ? Result<void>()
               : usageError("has no function solve()", seed.path.string(),
                            "Add extern \"C\" hipError_t solve(const Problem&, void*, hipStream_t); see Problem packs "
                            "in the manual");
}

Result<void> importKernels(const Arguments& arguments) {
    if (arguments.rest().size() != 1) {
        return usageError("a HIP file or a folder is needed", "import", "Use: import FILE.gks SOURCE.hip");
    }
    GKS_TRY_ASSIGN(const ProblemPack pack, packOfFile(arguments.positional()));
    GKS_TRY_ASSIGN(const std::vector<fs::path> files, sourcesAt(arguments.rest().front(), kernelExtension(pack)));
    if (arguments.has("--title") && files.size() > 1) {
        return usageError("--title is of one kernel", "import",
                          "Leave it out: the first comment line of each file is its title");
    }
    std::vector<SeedKernel> seeds;
    for (const fs::path& file : files) {
        GKS_TRY(checkKernelFile(pack, file));
        GKS_TRY_ASSIGN(SeedKernel seed, readSeedKernel(file, limits::kernelSourceBytes));
        if (!pack.harness) {
            GKS_TRY(hasEntryPoint(seed));
        }
        seeds.push_back(std::move(seed));
    }
    GKS_TRY_ASSIGN(const auto decisions, Decisions::open(arguments.positional(), false));
    const PopulationPtr population = decisions->engine().population();
    if (!population->baseline && !arguments.has("--basis")) {
        return usageError("the campaign has no baseline", "import",
                          "Name what the kernels are compared with: --basis KERNEL");
    }
    KernelId basis = population->baseline.value_or(0);
    if (arguments.has("--basis")) {
        GKS_TRY_ASSIGN(basis, kernelFromText(arguments.value("--basis"), *population, "--basis"));
    }
    std::vector<SteeringCommand> commands;
    for (const SeedKernel& seed : seeds) {
        const std::string title = arguments.value("--title", seed.title.empty() ? seed.name : seed.title);
        commands.emplace_back(
            command::AddKernel{basis, abbreviated(title, limits::kernelTitleCharacters), seed.source});
    }
    GKS_TRY_ASSIGN(const Decisions::Outcome outcome, decisions->carryOut(commands));
    for (const Steering& line : outcome.written) {
        say("{}: {}\n", terminalLine(line.action), terminalLine(line.detail));
    }
    GKS_TRY(outcome.refused);
    say("They are compared with {} and evaluated before anything else: kernel-scientist-cli run {}\n",
        kernelLabel(basis), arguments.positional());
    return {};
}

int runImport(const Arguments& arguments) {
    const auto imported = importKernels(arguments);
    return imported ? done : failed(imported.error());
}

Result<void> importProblem(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const ImportedProblem problem, readForeignProblem(arguments.positional()));
    GKS_TRY(writeProblem(problem, arguments.value("--to")));
    say("{}: {} files in {}\n", terminalLine(problem.name), problem.files.size(), arguments.value("--to"));
    for (const std::string& note : problem.notes) {
        say("Look at: {}\n", terminalLine(note));
    }
    const std::string pack = arguments.value("--to");
    if (problem.files.contains("seeds/naive.hip")) {
        say("Try it: kernel-scientist-cli evaluate {0}/seeds/naive.hip --problem {0}\n", pack);
    } else {
        say("Try a kernel of your own: kernel-scientist-cli evaluate my.hip --problem {0}\n"
            "A campaign: kernel-scientist-cli new my.gks --problem {0} --kernels my.hip\n",
            pack);
    }
    return {};
}

int runImportProblem(const Arguments& arguments) {
    const auto imported = importProblem(arguments);
    return imported ? done : failed(imported.error());
}

} // namespace

const Command importCommand = {
    "import",
    "FILE.gks",
    "Take kernels of your own, a HIP file or a folder of them, into a campaign",
    {{"--title", "TEXT", "of one kernel (default: the first comment line of the file)", false},
     {"--basis", "KERNEL", "what they are compared with (default: the baseline)", false}},
    runImport,
    "SOURCE"};

const Command importProblemCommand = {"import-problem",
                                      "PROBLEM",
                                      "Make a problem pack of a Definition of FlashInfer-Bench (a file), or of a "
                                      "problem of SOL-ExecBench or GPU MODE (its folder)",
                                      {{"--to", "DIR", "folder of the pack, new or empty", true}},
                                      runImportProblem};

} // namespace gks::cli
