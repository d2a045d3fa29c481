// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/dialect.h"

#include "core/base/text.h"

#include <array>
#include <nlohmann/json.hpp>

// Anthropic's messages. A structured reply is asked for as the input of a tool that does nothing but take it.
namespace gks {
namespace {

// max_tokens must be there: refused, it is sent without the room for thinking, for a model with a lower limit.
constexpr std::array<std::string_view, 6> messagesOptionalFields = {"output_config", "thinking",    "tool_choice",
                                                                    "tools",         "temperature", "max_tokens"};

std::string finishReasonFrom(const std::string& reason) {
    if (reason == "end_turn" || reason == "tool_use" || reason == "stop_sequence") {
        return "stop";
    }
    return reason == "max_tokens" ? "length" : reason;
}

class Anthropic final : public Dialect {
public:
    std::string_view name() const override { return "anthropic"; }

    std::string url(const std::string& baseUrl, const std::string&) const override {
        return joinedUrl(baseUrl, baseUrl.find("/v1") == std::string::npos ? "v1/messages" : "messages");
    }

    std::vector<std::string> headers(const std::string& key) const override {
        std::vector<std::string> headers = {"anthropic-version: 2023-06-01"};
        if (!key.empty()) {
            headers.push_back("x-api-key: " + key);
        }
        return headers;
    }

    OrderedJson body(const ChatRequest& request, const std::set<std::string>& refused) const override {
        OrderedJson body = {{"model", request.model}, {"stream", true}, {"messages", OrderedJson::array()}};
        std::string system;
        for (const ChatMessage& message : request.messages) {
            const std::string text = sanitizedUtf8(message.content);
            if (message.role == "system") {
                system += (system.empty() ? "" : "\n\n") + text;
            } else {
                body["messages"].push_back({{"role", message.role}, {"content", text}});
            }
        }
        if (!system.empty()) {
            body["system"] = system;
        }
        const bool noRoom = refused.contains("max_tokens");
        const bool adaptive = request.thinking == "adaptive"; // thinks as it likes, and the effort says how much
        const bool mayThink = !noRoom && !refused.contains("thinking");
        const int budget = mayThink && !adaptive ? thinkingBudget(request) : 0;
        body["max_tokens"] = noRoom ? request.maxOutputTokens : outputTokens(request, budget);
        // Thinking goes with neither a temperature nor a forced tool.
        if (adaptive && mayThink) {
            body["thinking"] = {{"type", "adaptive"}};
            if (!request.reasoningEffort.empty() && !refused.contains("output_config")) {
                body["output_config"] = {{"effort", request.reasoningEffort}};
            }
        } else if (budget > 0) {
            body["thinking"] = {{"type", "enabled"}, {"budget_tokens", budget}};
        } else if (!adaptive && !refused.contains("temperature")) {
            body["temperature"] = request.temperature;
        }
        if (request.schema != nullptr && !refused.contains("tools")) {
            body["tools"] = OrderedJson::array({{{"name", request.schemaName},
                                                 {"description", "Takes the answer."},
                                                 {"input_schema", *request.schema}}});
            if (budget == 0 && !adaptive && !refused.contains("tool_choice")) {
                body["tool_choice"] = {{"type", "tool"}, {"name", request.schemaName}};
            }
        }
        return body;
    }

    std::string refusedField(const std::string& complaint, const std::set<std::string>& refused) const override {
        return firstNamed(complaint, messagesOptionalFields, refused);
    }

    ReplyPiece read(const Json& event, bool whole) const override {
        if (whole) {
            return readWhole(event);
        }
        ReplyPiece piece;
        const std::string type = textMember(event, "type");
        if (type == "message_start") {
            if (const Json* message = member(event, "message"); message != nullptr) {
                readUsage(*message, piece);
            }
        } else if (type == "content_block_delta") {
            if (const Json* delta = member(event, "delta"); delta != nullptr) {
                piece.text = textMember(*delta, "text") + textMember(*delta, "partial_json");
                piece.reasoning = textMember(*delta, "thinking");
            }
        } else if (type == "message_delta") {
            readUsage(event, piece);
            if (const Json* delta = member(event, "delta"); delta != nullptr) {
                piece.finishReason = finishReasonFrom(textMember(*delta, "stop_reason"));
            }
        } else if (type == "message_stop") {
            piece.finishReason = "stop"; // said before with more detail, unless that event was lost
            piece.farewell = true;
        }
        return piece;
    }

private:
    static void readUsage(const Json& holder, ReplyPiece& piece) {
        if (const Json* usage = member(holder, "usage"); usage != nullptr) {
            piece.tokensIn = countMember(*usage, "input_tokens");
            piece.tokensOut = countMember(*usage, "output_tokens");
        }
    }

    static ReplyPiece readWhole(const Json& message) {
        ReplyPiece piece;
        const Json* content = member(message, "content");
        if (content == nullptr || !content->is_array()) {
            piece.malformed = true;
            return piece;
        }
        for (const Json& block : *content) {
            piece.text += textMember(block, "text");
            piece.reasoning += textMember(block, "thinking");
            if (const Json* input = member(block, "input"); input != nullptr) {
                piece.text += input->dump(-1, ' ', false, Json::error_handler_t::replace);
            }
        }
        readUsage(message, piece);
        piece.finishReason = finishReasonFrom(textMember(message, "stop_reason"));
        return piece;
    }
};

} // namespace

std::unique_ptr<Dialect> anthropicDialect() {
    return std::make_unique<Anthropic>();
}

} // namespace gks
