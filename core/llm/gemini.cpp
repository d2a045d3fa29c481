// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/dialect.h"

#include "core/base/text.h"

#include <array>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

// Google's generateContent. The model stands in the address, so its name is escaped like everything that comes from
// outside.
namespace gks {
namespace {

// The names by which a complaint may call them, and the fields of the request.
constexpr std::array<std::string_view, 5> geminiOptionalFields = {"responseJsonSchema", "responseMimeType",
                                                                  "thinkingConfig", "temperature", "maxOutputTokens"};

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        result += std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' ? std::string(1, c)
                                                                              : fmt::format("%{:02X}", byte);
    }
    return result;
}

std::string finishReason(const std::string& reason) {
    if (reason == "STOP") {
        return "stop";
    }
    return reason == "MAX_TOKENS" ? "length" : reason;
}

class Gemini final : public Dialect {
public:
    std::string_view name() const override { return "gemini"; }

    std::string url(const std::string& baseUrl, const std::string& model) const override {
        return joinedUrl(baseUrl, "models/" + escaped(model) + ":streamGenerateContent?alt=sse");
    }

    std::vector<std::string> headers(const std::string& key) const override {
        return key.empty() ? std::vector<std::string>() : std::vector{"x-goog-api-key: " + key};
    }

    OrderedJson body(const ChatRequest& request, const std::set<std::string>& refused) const override {
        OrderedJson body = {{"contents", OrderedJson::array()}};
        for (const ChatMessage& message : request.messages) {
            OrderedJson parts = OrderedJson::array({{{"text", sanitizedUtf8(message.content)}}});
            if (message.role == "system") {
                body["systemInstruction"]["parts"].push_back(parts.front());
            } else {
                body["contents"].push_back(
                    {{"role", message.role == "assistant" ? "model" : "user"}, {"parts", parts}});
            }
        }
        OrderedJson& generation = body["generationConfig"];
        const bool byLevel = request.thinking == "level";
        const bool mayThink = !refused.contains("thinkingConfig");
        const int budget = mayThink && !byLevel ? thinkingBudget(request) : 0;
        if (!refused.contains("maxOutputTokens")) { // else the model's own limit holds
            generation["maxOutputTokens"] = outputTokens(request, budget);
        }
        if (budget > 0) {
            generation["thinkingConfig"]["thinkingBudget"] = budget;
        } else if (mayThink && byLevel && !request.reasoningEffort.empty()) {
            generation["thinkingConfig"]["thinkingLevel"] = request.reasoningEffort;
        }
        if (mayThink && !request.thinking.empty()) { // a summary of the thoughts shows that the model is at work
            generation["thinkingConfig"]["includeThoughts"] = true;
        }
        if (!refused.contains("temperature")) {
            generation["temperature"] = request.temperature;
        }
        if (request.schema != nullptr && !refused.contains("responseMimeType")) {
            generation["responseMimeType"] = "application/json";
            if (!refused.contains("responseJsonSchema")) {
                generation["responseJsonSchema"] = *request.schema;
            }
        }
        return body;
    }

    std::string refusedField(const std::string& complaint, const std::set<std::string>& refused) const override {
        return firstNamed(complaint, geminiOptionalFields, refused);
    }

    // Events of the stream and an answer in one piece have the same form.
    ReplyPiece read(const Json& event, bool whole) const override {
        ReplyPiece piece;
        if (const Json* usage = member(event, "usageMetadata"); usage != nullptr) {
            piece.tokensIn = countMember(*usage, "promptTokenCount");
            const auto answer = countMember(*usage, "candidatesTokenCount");
            const auto thoughts = countMember(*usage, "thoughtsTokenCount");
            if (answer || thoughts) {
                piece.tokensOut = answer.value_or(0) + thoughts.value_or(0);
                piece.reasoningTokens = thoughts;
            }
        }
        if (const Json* feedback = member(event, "promptFeedback"); feedback != nullptr) {
            if (const std::string reason = textMember(*feedback, "blockReason"); !reason.empty()) {
                piece.error = "the prompt was blocked: " + reason;
                return piece;
            }
        }
        const Json* candidates = member(event, "candidates");
        if (candidates == nullptr || !candidates->is_array() || candidates->empty()) {
            piece.malformed = whole;
            return piece;
        }
        const Json& candidate = candidates->front();
        piece.finishReason = finishReason(textMember(candidate, "finishReason"));
        const Json* content = member(candidate, "content");
        const Json* parts = content != nullptr ? member(*content, "parts") : nullptr;
        if (parts != nullptr && parts->is_array()) {
            for (const Json& part : *parts) {
                const Json* thought = member(part, "thought");
                const bool isThought = thought != nullptr && thought->is_boolean() && thought->get<bool>();
                (isThought ? piece.reasoning : piece.text) += textMember(part, "text");
            }
        }
        return piece;
    }
};

} // namespace

std::unique_ptr<Dialect> geminiDialect() {
    return std::make_unique<Gemini>();
}

} // namespace gks
