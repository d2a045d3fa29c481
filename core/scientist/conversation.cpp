// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/conversation.h"

#include "core/base/json_schema.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/llm/http_stream.h"
#include "core/scientist/design_reply.h"
#include "core/scientist/knowledge.h"
#include "core/scientist/reply.h"
#include "core/scientist/stage_provider.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t shownProblemLimitBytes = 1500;

// Models write a number where the identifier is asked for; it is clear what they mean.
void mendIdentifiers(Json& reply) {
    for (const char* field : {"basis_code", "basis_reference"}) {
        const auto found = reply.find(field);
        if (found != reply.end() && found->is_number_unsigned()) {
            *found = fmt::format("{:05}", found->get<std::uint64_t>());
        } else if (found != reply.end() && found->is_null()) {
            *found = "";
        }
    }
}

// Source or edits: the one that was not sent is empty.
void mendDraft(Json& reply) {
    const bool source = reply.contains("source") && !reply["source"].is_null();
    const bool edits = reply.contains("edits") && !reply["edits"].is_null();
    if (source && !edits) {
        reply["edits"] = Json::array();
    } else if (edits && !source) {
        reply["source"] = "";
    }
}

std::string tokensText(std::int64_t tokens) {
    return formatTokens(static_cast<std::uint64_t>(std::max<std::int64_t>(0, tokens)));
}

int outputLimit(const ChatRequest& request) {
    return request.maxOutputTokens + request.reasoningTokens.value_or(0);
}

bool isOnlyReasoning(const ChatReply& reply) {
    return trimmed(reply.text).empty() && (reply.finishReason == "length" || reply.reasoningTokens > 0);
}

// Asking once more in the same words would end in the same place, and be billed again.
Error onlyReasoning(const ChatReply& reply, const ChatRequest& request, const std::string& stage) {
    const std::string limit = reply.finishReason == "length"
                                  ? fmt::format(" and reached the output limit of {} tokens", outputLimit(request))
                                  : std::string();
    return {
        ErrorKind::infrastructure,
        fmt::format("the model was thinking only ({} tokens){}: there is no reply", tokensText(reply.tokensOut), limit),
        stage,
        "Raise the longest reply (--max-output-tokens) or reasoning_tokens of the model in models.toml, or lower "
        "the reasoning effort (--effort)"};
}

// A reply that was cut is not read, whatever its beginning looks like.
Result<void> check(const ChatReply& reply, const ChatRequest& request, const Json& schema,
                   const Conversation::Accept& accept) {
    if (reply.finishReason == "length") {
        return usageError(
            fmt::format("the reply was cut off by the output limit of {} tokens. Shorten it", outputLimit(request)), {},
            "Raise the longest reply (--max-output-tokens)");
    }
    auto object = objectInReply(reply.text);
    if (!object) {
        return tl::unexpected(object.error());
    }
    mendIdentifiers(*object);
    mendDraft(*object);
    if (schema["properties"].contains("experiments")) {
        mendDesign(*object);
    }
    if (schema["properties"].contains("source") && !object->contains("source") && !object->contains("edits")) {
        return usageError("it holds no code: send one block ```hip with the whole file, or one block ```edit for each "
                          "change, with the lines <<<<<<< SEARCH, ======= and >>>>>>> REPLACE");
    }
    GKS_TRY(validate(*object, schema));
    return accept(*object);
}

} // namespace

Result<ModelChoice> modelFor(const CampaignSettings& settings, ModelStage stage) {
    if (const ModelChoice* choice = modelOf(settings.models, stage)) {
        return *choice;
    }
    return usageError(fmt::format("no model is configured for the {}", name(stage)), "models",
                      "Set a model for this stage or a default model (base URL and name)");
}

double draftTemperature(double own, int draftTurn) {
    constexpr double spread = 0.15;
    const double highest = std::max(own, 1.0);
    const double away = spread * ((draftTurn + 1) / 2);
    double asked = draftTurn % 2 == 1 ? own + away : own - away;
    if (asked > highest || asked < 0) { // on the other side, between those that are asked there
        asked = draftTurn % 2 == 1 ? own - away + spread / 2 : own + away - spread / 2;
    }
    return std::clamp(asked, 0.0, highest);
}

Result<std::unique_ptr<Conversation>> Conversation::open(ModelStage stage, ModelChoice choice,
                                                         std::shared_ptr<const ModelCatalogue> catalogue,
                                                         ScientistSinks sinks, PromptOverrides prompts) {
    GKS_TRY_ASSIGN(auto provider, makeStageProvider(choice, std::string(name(stage)), sinks));
    return std::unique_ptr<Conversation>(new Conversation(stage, std::move(choice), std::move(provider),
                                                          std::move(catalogue), std::move(sinks), std::move(prompts)));
}

Conversation::Conversation(ModelStage stage, ModelChoice choice, std::unique_ptr<ChatProvider> provider,
                           std::shared_ptr<const ModelCatalogue> catalogue, ScientistSinks sinks,
                           PromptOverrides prompts)
    : m_stage(name(stage))
    , m_schemaName(name(stage == ModelStage::repair ? ModelStage::writer : stage)) // it returns a kernel too
    , m_choice(std::move(choice))
    , m_provider(std::move(provider))
    , m_catalogue(std::move(catalogue))
    , m_sinks(std::move(sinks))
    , m_prompts(std::move(prompts)) {}

Result<void> Conversation::ask(const PromptValues& values, const Accept& accept, const About& about,
                               const std::stop_token& stop) {
    m_refused = false;
    ChatRequest request;
    request.model = m_choice.model;
    request.temperature = draftTemperature(m_choice.temperature, about.draftTurn);
    request.reasoningEffort = m_choice.reasoningEffort;
    request.schemaName = m_schemaName;
    GKS_TRY_ASSIGN(const auto ordered, loadSchema(m_schemaName));
    const Json schema = *ordered;
    if (m_schemaName != name(ModelStage::writer)) { // code comes in blocks of its own, which no JSON may be round
        request.schema = ordered;
    }
    GKS_TRY_ASSIGN(request.messages, renderPrompt(about.prompt.empty() ? m_stage : about.prompt, values, m_prompts));
    for (int corrections = 0;; ++corrections) {
        GKS_TRY(fit(request));
        GKS_TRY_ASSIGN(const ChatReply reply, answer(request, about, stop));
        if (isOnlyReasoning(reply)) {
            m_refused = true;
            const Error error = onlyReasoning(reply, request, m_stage);
            report(request, reply, error.message(), about);
            return tl::unexpected(error);
        }
        const Result<void> checked = check(reply, request, schema, accept);
        if (checked) {
            report(request, reply, {}, about);
            return {};
        }
        const std::string& next = checked.error().next;
        report(request, reply, "invalid reply: " + checked.error().what + (next.empty() ? "" : ". " + next), about);
        // A person mends the reply or declines; their text is not thrown away for a comma.
        if (corrections >= correctionLimit && m_choice.provider != manualProviderName) {
            m_refused = true;
            return infrastructureError(
                fmt::format("{} replies in a row were invalid; the last: {}", corrections + 1,
                            abbreviated(checked.error().what, shownProblemLimitBytes)),
                m_stage,
                !next.empty()
                    ? next
                    : "Read the call in the conversation; choose a stronger model or raise max output tokens");
        }
        GKS_TRY_ASSIGN(
            const std::vector<ChatMessage> correction,
            renderPrompt("correction",
                         {{"problem", abbreviated(sanitizedUtf8(checked.error().what), shownProblemLimitBytes)}},
                         m_prompts));
        request.messages.push_back({"assistant", reply.text});
        request.messages.insert(request.messages.end(), correction.begin(), correction.end());
    }
}

// The reply, or the error with what its request may have cost; then the exchange is reported.
Result<ChatReply> Conversation::answer(const ChatRequest& request, const About& about,
                                       const std::stop_token& stop) const {
    ChatSinks sinks;
    sinks.text = [this](std::string_view piece) {
        if (m_sinks.text) {
            m_sinks.text(m_stage, piece);
        }
    };
    sinks.progress = [this](const ChatProgress& progress) {
        if (m_sinks.progress) {
            m_sinks.progress(m_stage, progress);
        }
    };
    ChatResult reply = m_provider->complete(request, sinks, stop);
    if (reply) {
        return std::move(*reply);
    }
    Error error = reply.error();
    const ChatReply& partial = reply.error().partial;
    if (partial.tokensIn + partial.tokensOut > 0) {
        const auto usd = costOf(partial);
        error.what += fmt::format("; spent so far about {} tokens in and {} out{} ({})", tokensText(partial.tokensIn),
                                  tokensText(partial.tokensOut), usd ? ", " + formatUsd(*usd) : std::string(),
                                  partial.tokensEstimated ? "estimated" : "as the service counted");
    }
    report(request, partial, error.message(), about);
    return tl::unexpected(std::move(error));
}

Result<void> Conversation::fit(ChatRequest& request) const {
    const ModelFacts* known = m_catalogue->facts(request.model);
    request.maxOutputTokens = m_choice.maxOutputTokens;
    prepare(request, known);
    if (known == nullptr || known->contextTokens == 0) {
        return {};
    }
    std::int64_t prompt = 0;
    for (const ChatMessage& message : request.messages) {
        prompt += estimatedTokens(message.content);
    }
    const std::int64_t left = known->contextTokens - prompt - request.maxOutputTokens;
    if (left >= 0) {
        const std::int64_t sure = std::max<std::int64_t>(0, left - prompt / 8); // tokens of the prompt are an estimate
        request.reasoningTokens = static_cast<int>(std::min<std::int64_t>(request.reasoningTokens.value_or(0), sure));
        return {};
    }
    return usageError(fmt::format("prompt (about {} tokens) plus reply (up to {}) exceed the context of {} ({} tokens)",
                                  prompt, request.maxOutputTokens, request.model, known->contextTokens),
                      m_stage,
                      "Lower the tokens for knowledge and documents or the output tokens, or choose a model with a "
                      "longer context");
}

bool isFree(const ModelChoice& choice) {
    const ProviderFacts* facts = providerFacts(choice.provider);
    return (facts != nullptr && facts->kind != ProviderKind::http) || isLoopbackUrl(choice.baseUrl);
}

std::vector<ChatMessage> messagesOf(const std::string& prompt) {
    std::vector<ChatMessage> messages;
    const auto json = parseJson(prompt, "prompt");
    if (!json || !json->is_array()) {
        return {{"prompt", prompt}};
    }
    for (const Json& message : *json) {
        const auto field = [&](const char* name) {
            const auto found = message.find(name);
            return found != message.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        if (message.is_object()) {
            messages.push_back({field("role"), field("content")});
        }
    }
    return messages;
}

std::optional<double> Conversation::costOf(const ChatReply& reply) const {
    const auto usd = m_catalogue->usd(m_choice.model, reply.tokensIn, reply.tokensOut);
    return !usd && isFree(m_choice) ? std::optional(0.0) : usd;
}

void Conversation::report(const ChatRequest& request, const ChatReply& reply, const std::string& problem,
                          const About& about) const {
    if (!m_sinks.exchange) {
        return;
    }
    OrderedJson messages = OrderedJson::array();
    for (const ChatMessage& message : request.messages) {
        messages.push_back({{"role", message.role}, {"content", message.content}});
    }
    Exchange exchange;
    exchange.stage = m_stage;
    exchange.provider = m_provider->name();
    exchange.model = m_choice.model;
    exchange.prompt = messages.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    exchange.reply = reply.text;
    exchange.error = problem;
    exchange.kernel = about.kernel;
    exchange.experiment = about.experiment;
    exchange.inclusions = about.inclusions;
    exchange.at = now();
    exchange.tokensIn = reply.tokensIn;
    exchange.tokensOut = reply.tokensOut;
    exchange.tokensEstimated = reply.tokensEstimated;
    exchange.seconds = reply.seconds;
    exchange.firstTokenSeconds = reply.firstTokenSeconds;
    exchange.attempts = reply.attempts;
    // What was never accepted costs nothing, whatever the price is.
    exchange.usd = reply.tokensIn + reply.tokensOut > 0 ? costOf(reply) : std::optional(0.0);
    m_sinks.exchange(std::move(exchange));
}

} // namespace gks
