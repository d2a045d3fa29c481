// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/dialect.h"

#include "core/base/text.h"

#include <array>
#include <nlohmann/json.hpp>

// Chat completions as OpenAI defined them and OpenRouter, vLLM, llama.cpp and Ollama speak them. They differ in what
// they refuse.
namespace gks {
namespace {

constexpr std::array<std::string_view, 6> chatOptionalFields = {
    "response_format", "max_tokens", "max_completion_tokens", "stream_options", "temperature", "reasoning_effort"};

// The older name is known to every server but OpenAI's own newest models. A server that takes neither, or not so many,
// has a limit of its own.
std::string limitField(const ChatRequest& request, const std::set<std::string>& refused) {
    for (const std::string& field :
         {request.outputField, std::string("max_tokens"), std::string("max_completion_tokens")}) {
        if (!field.empty() && !refused.contains(field)) {
            return field;
        }
    }
    return {};
}

class OpenAi final : public Dialect {
public:
    std::string_view name() const override { return "openai"; }

    std::string url(const std::string& baseUrl, const std::string&) const override {
        return joinedUrl(baseUrl, "chat/completions");
    }

    std::vector<std::string> headers(const std::string& key) const override {
        return key.empty() ? std::vector<std::string>() : std::vector{"Authorization: Bearer " + key};
    }

    OrderedJson body(const ChatRequest& request, const std::set<std::string>& refused) const override {
        OrderedJson body = {{"model", request.model}, {"stream", true}, {"messages", OrderedJson::array()}};
        for (const ChatMessage& message : request.messages) {
            body["messages"].push_back({{"role", message.role}, {"content", sanitizedUtf8(message.content)}});
        }
        if (!refused.contains("stream_options")) {
            body["stream_options"] = {{"include_usage", true}};
        }
        if (!refused.contains("temperature")) {
            body["temperature"] = request.temperature;
        }
        if (!request.reasoningEffort.empty() && !refused.contains("reasoning_effort")) {
            body["reasoning_effort"] = request.reasoningEffort;
        }
        if (const std::string field = limitField(request, refused); !field.empty()) {
            body[field] = outputTokens(request, 0);
        }
        if (request.schema != nullptr && !refused.contains("response_format")) {
            body["response_format"] = {
                {"type", "json_schema"},
                {"json_schema", {{"name", request.schemaName}, {"strict", true}, {"schema", *request.schema}}}};
        }
        return body;
    }

    std::string refusedField(const std::string& complaint, const std::set<std::string>& refused) const override {
        if (complaint.find("json_schema") != std::string::npos && !refused.contains("response_format")) {
            return "response_format";
        }
        return firstNamed(complaint, chatOptionalFields, refused);
    }

    // A chunk of a stream has `delta`, an answer in one piece has `message`; everything else is the same.
    ReplyPiece read(const Json& event, bool whole) const override {
        ReplyPiece piece;
        if (const Json* usage = member(event, "usage"); usage != nullptr) {
            piece.tokensIn = countMember(*usage, "prompt_tokens");
            piece.tokensOut = countMember(*usage, "completion_tokens");
            if (const Json* details = member(*usage, "completion_tokens_details"); details != nullptr) {
                piece.reasoningTokens = countMember(*details, "reasoning_tokens");
            }
        }
        const Json* choices = member(event, "choices");
        if (choices == nullptr || !choices->is_array()) {
            piece.malformed = whole;
            return piece;
        }
        if (choices->empty()) {
            return piece;
        }
        const Json& choice = choices->front();
        for (const char* holder : {"delta", "message"}) {
            if (const Json* content = member(choice, holder); content != nullptr) {
                piece.text += textMember(*content, "content");
                // DeepSeek, vLLM and llama.cpp call it one way, OpenRouter and Ollama the other; some send both.
                const std::string thought = textMember(*content, "reasoning_content");
                piece.reasoning += thought.empty() ? textMember(*content, "reasoning") : thought;
            }
        }
        piece.finishReason = textMember(choice, "finish_reason");
        return piece;
    }
};

} // namespace

std::unique_ptr<Dialect> openAiDialect() {
    return std::make_unique<OpenAi>();
}

} // namespace gks
