// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/fork.h"

#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "core/campaign/store_state.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t nameBytes = 80;
constexpr std::size_t leftOutBytes = 64; // of the words that abbreviated() puts in the place of what is left out

struct Origin {
    std::string name; // of the campaign's file
    KernelId kernel = 0;
};

Result<SeedKernel> seedFrom(const Population& population, KernelId id) {
    const Kernel* kernel = population.kernel(id);
    if (kernel == nullptr) {
        return usageError(fmt::format("kernel {} not found", kernelLabel(id)), {}, "See show");
    }
    if (kernel->probe) {
        return usageError(
            fmt::format("{} is a probe: it measures the machine, and no campaign begins with it", kernelLabel(id)), {},
            "Fork at a kernel of the problem");
    }
    if (!mayBecomeSeed(*kernel)) {
        return usageError(fmt::format("kernel {} is {}: no campaign begins with it", kernelLabel(id),
                                      kernel->verdict ? name(*kernel->verdict) : name(kernel->state)),
                          {}, "Fork at a kernel that has passed the judge");
    }
    GKS_TRY_ASSIGN(std::string source, kernel->source.read());
    return SeedKernel{kernelLabel(id), kernel->title, std::move(source), {}};
}

Result<std::vector<SeedKernel>> seedsFrom(const Population& population, const ForkPoint& at) {
    std::vector<KernelId> wanted = {at.kernel};
    for (const KernelId id : at.with) {
        if (std::find(wanted.begin(), wanted.end(), id) == wanted.end()) {
            wanted.push_back(id);
        }
    }
    std::vector<SeedKernel> seeds;
    for (const KernelId id : wanted) {
        GKS_TRY_ASSIGN(SeedKernel seed, seedFrom(population, id));
        seeds.push_back(std::move(seed));
    }
    return seeds;
}

CampaignSettings settingsOfFork(CampaignSettings settings) {
    settings.budgets = {};
    settings.pinnedParent.reset();
    settings.pinnedReference.reset();
    settings.askedComparisons.clear();
    settings.lanesOut.clear();
    return settings;
}

// Its kernels and evaluations are those of the other campaign: numbers mean something else here.
Finding findingOfFork(Finding finding, const Origin& origin) {
    finding.text = abbreviated(fmt::format("In campaign {} (its kernels' numbers; forked at {}): {}", origin.name,
                                           kernelLabel(origin.kernel), finding.text),
                               limits::findingBytes - leftOutBytes);
    finding.evaluations.clear();
    finding.contradicting.clear();
    finding.probe.reset();
    return finding;
}

Result<void> fill(CampaignStore& fork, const CampaignStore& from, const Population& population, const Origin& origin) {
    GKS_TRY(fork.addSteering({0, Author::person, "fork campaign",
                              fmt::format("forked from {} at {}", origin.name, kernelLabel(origin.kernel)), 0}));
    for (const Finding& finding : population.findings) {
        if (finding.state == FindingState::standing) {
            GKS_TRY(fork.addFinding(findingOfFork(finding, origin)));
        }
    }
    for (const Document& document : population.documents) {
        GKS_TRY_ASSIGN(const auto passages, from.passages(document.id));
        GKS_TRY(fork.addDocument(
            document, passages,
            {0, Author::person, "add document", fmt::format("{}, from {}", document.title, origin.name), 0}));
    }
    return {};
}

} // namespace

Result<std::unique_ptr<CampaignStore>> forkCampaign(const CampaignStore& from, const ForkPoint& at,
                                                    const std::filesystem::path& file) {
    GKS_TRY_ASSIGN(const PopulationPtr population, from.population());
    GKS_TRY_ASSIGN(ProblemPack pack, packOfCampaign(population->settings));
    GKS_TRY_ASSIGN(pack.seeds, seedsFrom(*population, at));
    const Origin origin = {replaceAll(abbreviated(sanitizedUtf8(from.file().stem().string()), nameBytes), "\n", " "),
                           at.kernel};
    GKS_TRY_ASSIGN(auto fork, CampaignStore::create(file, settingsOfFork(population->settings), pack));
    if (auto filled = fill(*fork, from, *population, origin); !filled) {
        const std::filesystem::path made = fork->file();
        fork.reset();
        removeCampaign(made); // half a campaign is none
        return tl::unexpected(std::move(filled).error());
    }
    return fork;
}

} // namespace gks
