// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// What the tests of the providers ask, with a key that must not be seen anywhere.
namespace gks {

inline constexpr const char* secret = "sk-secret-7f3a";

inline ChatRequest ask(std::string text, bool structured = false) {
    ChatRequest request;
    request.model = "test-model";
    request.messages = {{"system", "You are a test."}, {"user", std::move(text)}};
    if (structured) {
        request.schemaName = "selection";
        request.schema = std::make_shared<const OrderedJson>(OrderedJson{{"type", "object"}});
    }
    return request;
}

inline ProviderOptions quick(std::string url) {
    ProviderOptions options;
    options.baseUrl = std::move(url);
    options.key = secret;
    options.backoffSeconds = 0.005;
    options.backoffLimitSeconds = 0.02;
    options.limits = {5, 20, 60, 10, false};
    return options;
}

struct Outcome {
    ChatResult reply = ChatReply();
    std::string streamed;
    std::vector<ChatProgress> progress = {};
};

inline Outcome complete(const ProviderOptions& options, const ChatRequest& request,
                        std::string_view provider = "openai", const std::stop_token& stop = {}) {
    Outcome outcome;
    const ChatSinks sinks{[&](std::string_view piece) { outcome.streamed += piece; },
                          [&](const ChatProgress& progress) { outcome.progress.push_back(progress); }};
    outcome.reply = makeHttpProvider(provider, options)->complete(request, sinks, stop);
    return outcome;
}

inline bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace gks
