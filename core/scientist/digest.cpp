// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/digest.h"

#include "core/base/text.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/conversation.h"
#include "core/scientist/knowledge.h"
#include "core/scientist/stage_provider.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

// Those with the most words of the question, as many as fit, in their order.
std::vector<const Passage*> shownPassages(const std::vector<Passage>& passages, const std::vector<std::string>& words) {
    std::vector<std::pair<std::ptrdiff_t, const Passage*>> ranked;
    for (const Passage& passage : passages) {
        const std::string text = lowered(passage.heading + "\n" + passage.text);
        ranked.emplace_back(
            std::count_if(words.begin(), words.end(),
                          [&](const std::string& word) { return text.find(word) != std::string::npos; }),
            &passage);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const Passage*> shown;
    std::int64_t left = digestInputTokens;
    for (const auto& [having, passage] : ranked) {
        left -= estimatedTokens(passage->heading + passage->text);
        if (left < 0 && !shown.empty()) {
            break;
        }
        shown.push_back(passage);
    }
    std::sort(shown.begin(), shown.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
    return shown;
}

} // namespace

StageInput digestInput(const ProblemPack* problem, const Document& document, const std::vector<Passage>& passages) {
    const std::string mission = problem != nullptr ? problem->title + "\n" + problem->notes : std::string();
    const auto shown = shownPassages(passages, tellingWords(mission));
    std::string text;
    std::int64_t tokens = 0;
    for (const Passage* passage : shown) {
        text += (passage->heading.empty() ? "" : "[" + passage->heading + "]\n") + passage->text + "\n\n";
        tokens += estimatedTokens(passage->text);
    }
    const std::string title = labelText(document.title);
    return {{{"mission", mission.empty() ? "unknown" : quoted(mission, shownNotesLimitBytes)},
             {"title", title},
             {"shown", fmt::format("{} of {} passages", shown.size(), passages.size())},
             {"document", quoted(trimmed(text), 2 * digestInputTokens * bytesPerToken)}},
            {{"document", title, tokens}}};
}

Result<std::string> digestDocument(const CampaignSettings& settings, const ScientistSinks& sinks,
                                   const ProblemPack* problem, const Document& document,
                                   const std::vector<Passage>& passages, const std::stop_token& stop) {
    if (passages.empty()) {
        return usageError(fmt::format("the document '{}' has no passages", labelText(document.title)), "digest");
    }
    GKS_TRY_ASSIGN(const ModelChoice choice, modelFor(settings, ModelStage::digest));
    ScientistSinks own = sinks;
    own.keyVariables = keyVariablesOf(settings.models);
    GKS_TRY_ASSIGN(auto catalogue, ModelCatalogue::load());
    GKS_TRY_ASSIGN(const auto conversation,
                   Conversation::open(ModelStage::digest, choice,
                                      std::make_shared<const ModelCatalogue>(std::move(catalogue)), std::move(own),
                                      settings.prompts));
    std::string digest;
    const auto accept = [&](Json& reply) -> Result<void> {
        digest = std::string(trimmed(sanitizedUtf8(reply.at("digest").get<std::string>())));
        if (digest.empty()) {
            return usageError("digest: empty. If nothing in the document matters, say so in one sentence");
        }
        if (digest.size() > digestTextLimitBytes) {
            return usageError(
                fmt::format("digest: {} bytes; at most {} are kept", digest.size(), digestTextLimitBytes));
        }
        return {};
    };
    StageInput input = digestInput(problem, document, passages);
    GKS_TRY(conversation->ask(input.values, accept, {{}, {}, std::move(input.inclusions)}, stop));
    return digest;
}

} // namespace gks
