// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stage_preview.h"

#include "core/campaign/campaign_pack.h"
#include "core/campaign/store.h"
#include "core/scientist/machine.h"
#include "core/scientist/prompt_preview.h"

#include <fmt/format.h>

namespace gks::cli {

Result<std::string> stagePreview(const std::string& campaign, const std::string& stage) {
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(campaign, CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr population, store->population());
    GKS_TRY_ASSIGN(ProblemPack pack, packOfCampaign(population->settings));
    const auto verdictOf = [&](KernelId kernel) {
        return store->newestVerdict(kernel).value_or(std::optional<Verdict>());
    };
    const auto search = [&](const std::string& words, int limit) {
        return store->searchPassages(words, limit).value_or(std::vector<Passage>());
    };
    const Briefing briefing = {population, std::make_shared<const ProblemPack>(std::move(pack)), verdictOf, search,
                               deviceFinder(population, verdictOf)};
    const auto& prompts = population->settings.prompts;
    const auto edited = prompts.find(stage);
    GKS_TRY_ASSIGN(const std::string text,
                   edited != prompts.end() ? Result<std::string>(edited->second) : defaultPrompt(stage));
    GKS_TRY_ASSIGN(const std::vector<ChatMessage> messages, previewPrompt(stage, text, briefing));
    std::string shown;
    for (const ChatMessage& message : messages) {
        shown += fmt::format("----- {}\n{}\n\n", message.role, message.content);
    }
    return shown;
}

} // namespace gks::cli
