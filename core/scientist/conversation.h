// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/model_stages.h"
#include "core/llm/chat.h"
#include "core/llm/model_catalogue.h"
#include "core/scientist/prompt.h"
#include "core/scientist/scientist.h"

#include <functional>
#include <memory>
#include <string>

namespace gks {

// How often a reply that does not fit goes back to the model with the reason.
inline constexpr int correctionLimit = 2; // of a model; a person is asked until they decline

// As modelOf(); an error when nobody was named.
Result<ModelChoice> modelFor(const CampaignSettings& settings, ModelStage stage);

// Drafts of one experiment by one model differ by more than luck: the first is asked for with the model's own
// temperature, the others with 0.15, 0.3, ... more and less in turn, from 0 to 1 or to what the model has. A provider
// that takes no temperature ignores it.
double draftTemperature(double own, int draftTurn);

// Only a server of somebody else takes money, as far as the catalogue says nothing else of the model.
bool isFree(const ModelChoice& choice);

// What was sent, of the text that an Exchange keeps: a JSON array of {role, content}. Text that is not one is a single
// message.
std::vector<ChatMessage> messagesOf(const std::string& prompt);

// One stage's line to its model: prompt, reply, validation, correction. Every call becomes one Exchange, also when it
// failed.
class Conversation {
public:
    // Fails when the provider is unknown or its key is missing. `prompts` are the edited ones.
    static Result<std::unique_ptr<Conversation>> open(ModelStage stage, ModelChoice choice,
                                                      std::shared_ptr<const ModelCatalogue> catalogue,
                                                      ScientistSinks sinks, PromptOverrides prompts = {});

    struct About {
        std::optional<KernelId> kernel = {};
        std::optional<ExperimentId> experiment = {};
        std::vector<Inclusion> inclusions = {}; // what was put into the prompt beside the task
        std::string prompt = {};                // another one than the stage's
        int draftTurn = 0;                      // Briefing::draftTurn
    };
    // Looks at a reply that fits the schema; its error is told to the model.
    using Accept = std::function<Result<void>(Json& reply)>;

    // The model's name, that of the provider where there is none.
    const std::string& model() const { return m_choice.label(); }

    // The last ask() failed because its replies were refused, not because there were none.
    bool wasRefused() const { return m_refused; }

    // With the prompt that has the stage's name, or `about` names, and the schema of the stage's replies.
    Result<void> ask(const PromptValues& values, const Accept& accept, const About& about, const std::stop_token& stop);

private:
    Conversation(ModelStage stage, ModelChoice choice, std::unique_ptr<ChatProvider> provider,
                 std::shared_ptr<const ModelCatalogue> catalogue, ScientistSinks sinks, PromptOverrides prompts);
    // Gives the request as much room for thinking as the model is known to need and has. An error when the prompt and
    // the longest reply alone are longer than the model's context, as far as that is known.
    Result<void> fit(ChatRequest& request) const;
    Result<ChatReply> answer(const ChatRequest& request, const About& about, const std::stop_token& stop) const;
    void report(const ChatRequest& request, const ChatReply& reply, const std::string& problem,
                const About& about) const;
    std::optional<double> costOf(const ChatReply& reply) const;

    std::string m_stage;
    std::string m_schemaName;
    ModelChoice m_choice;
    std::unique_ptr<ChatProvider> m_provider;
    std::shared_ptr<const ModelCatalogue> m_catalogue;
    ScientistSinks m_sinks;
    PromptOverrides m_prompts;
    bool m_refused = false;
};

} // namespace gks
