// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/plain_request.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/llm/token_estimate.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t markCharacters = 12;

} // namespace

std::string plainRequest(const ChatRequest& request) {
    std::string form;
    if (request.schema != nullptr) {
        form = "Reply with one JSON object that fits this JSON schema, and nothing else:\n" +
               request.schema->dump(2, ' ', false, Json::error_handler_t::replace);
    }
    std::string all = form;
    for (const ChatMessage& message : request.messages) {
        all += sha256Hex(message.content) + message.role;
    }
    const std::string mark = sha256Hex(all).substr(0, markCharacters);
    std::string text = fmt::format("The parts of this request begin with lines marked {}. Reply to the last part that "
                                   "says \"user\".\n",
                                   mark);
    const auto add = [&](std::string_view role, std::string_view content) {
        text += fmt::format("\n=== {} === {}\n{}\n", role, mark, trimmed(content));
    };
    for (const ChatMessage& message : request.messages) {
        add(message.role, sanitizedUtf8(message.content));
    }
    if (!form.empty()) {
        add("form of the reply", form);
    }
    return text;
}

ChatReply plainReply(std::string text, std::string_view request) {
    ChatReply reply;
    reply.tokensIn = estimatedTokens(request);
    reply.tokensOut = estimatedTokens(text);
    reply.tokensEstimated = true;
    reply.finishReason = "stop";
    reply.text = std::move(text);
    return reply;
}

} // namespace gks
