// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/new_campaign.h"

#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/source_check.h"
#include "core/engine/trust.h"
#include "core/problem/seed_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

Result<SeedKernel> readOwnSeed(const std::filesystem::path& file) {
    GKS_TRY_ASSIGN(SeedKernel seed, readSeedKernel(file, limits::kernelSourceBytes));
    if (const auto good = checkKernelSource(seed.source); !good) {
        Error error = good.error();
        error.where = file.string();
        return tl::unexpected(std::move(error));
    }
    seed.title = abbreviated(seed.title.empty() ? seed.name : seed.title, limits::kernelTitleCharacters);
    seed.name = file.string(); // by which it can be the baseline; a seed of the pack may have the short one
    return seed;
}

// The same kernel twice would be compared with itself.
Result<void> checkDistinct(const std::vector<SeedKernel>& seeds, const SeedKernel& own) {
    const std::string source = normalizedSource(own.source);
    const auto same =
        std::ranges::find_if(seeds, [&](const SeedKernel& seed) { return normalizedSource(seed.source) == source; });
    return same == seeds.end()
               ? Result<void>()
               : usageError(fmt::format("is the same kernel as {} except for comments, formatting and local names",
                                        same->name),
                            own.path.string(), "Leave one of them out");
}

Result<void> putFirst(std::vector<SeedKernel>& seeds, const std::string& baseline) {
    const auto found = std::ranges::find(seeds, baseline, &SeedKernel::name);
    if (found == seeds.end()) {
        return usageError(fmt::format("no seed is called {}", baseline), "baseline",
                          "Name a seed of the problem that is kept, or one of your own kernels as you named it");
    }
    std::rotate(seeds.begin(), found, found + 1);
    return {};
}

} // namespace

std::string problemReference(const ProblemPack& pack) {
    std::error_code ignored;
    return isBuiltin(pack) ? pack.name : std::filesystem::absolute(pack.folder, ignored).lexically_normal().string();
}

Result<std::unique_ptr<CampaignStore>> makeCampaign(const NewCampaign& wanted) {
    GKS_TRY_ASSIGN(ProblemPack pack, loadCampaignProblem(wanted.settings.problem));
    if (!wanted.packSeeds) {
        pack.seeds.clear();
    } else if (!wanted.seeds.empty()) {
        GKS_TRY(keepSeeds(pack, wanted.seeds));
    }
    if (wanted.kernels.size() > ownSeedLimit) {
        return usageError(
            fmt::format("{} kernels are too many to begin with (limit {})", wanted.kernels.size(), ownSeedLimit));
    }
    for (const std::filesystem::path& file : wanted.kernels) {
        GKS_TRY(checkKernelFile(pack, file));
        GKS_TRY_ASSIGN(SeedKernel own, readOwnSeed(file));
        GKS_TRY(checkDistinct(pack.seeds, own));
        pack.seeds.push_back(std::move(own));
    }
    if (pack.seeds.empty()) {
        return usageError("a campaign begins with at least one kernel", {},
                          "Keep a seed of the problem, or add a kernel of your own");
    }
    if (!wanted.baseline.empty()) {
        GKS_TRY(putFirst(pack.seeds, wanted.baseline));
    }
    GKS_TRY_ASSIGN(auto store, CampaignStore::create(wanted.file, wanted.settings, pack));
    GKS_TRY(trustOwn(*store));
    return store;
}

} // namespace gks
