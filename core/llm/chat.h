// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

// One request to a language model and its streamed reply.
namespace gks {

struct ChatMessage {
    std::string role; // "system", "user", "assistant"
    std::string content;
};

struct ChatRequest {
    std::string model;
    std::vector<ChatMessage> messages;
    double temperature = 0.7;
    int maxOutputTokens = 16384;        // of the reply, thinking not counted
    std::string reasoningEffort;        // "", "low", "medium" or "high", where the service has it
    std::string schemaName;             // with `schema`: asks for structured output
    std::shared_ptr<const Json> schema; // null: free text
};

struct ChatReply {
    std::string text;
    std::string finishReason;  // "stop", "length", ...
    std::int64_t tokensIn = 0; // as the provider counted, else an estimate
    std::int64_t tokensOut = 0;
    bool tokensEstimated = false;
    double seconds = 0;
    double firstTokenSeconds = 0;
    int attempts = 1;
};

// Pieces of the reply as they arrive, valid UTF-8. When a stream is cut and asked for again, a line "[asked again:
// why]" comes between.
using ChatSink = std::function<void(std::string_view piece)>;

// A reply longer than this is cut off and refused.
inline constexpr std::size_t replyLimitBytes = std::size_t{1} << 20;

class ChatProvider {
public:
    virtual ~ChatProvider() = default;
    virtual std::string name() const = 0;
    // Blocks the calling thread; a stop request ends it within a tenth of a second with ErrorKind::cancelled. Errors
    // say what the server answered, whether trying again can help, and what to change (key, address, model name).
    virtual Result<ChatReply> complete(const ChatRequest& request, const ChatSink& sink,
                                       const std::stop_token& stop) = 0;
};

struct ProviderOptions {
    std::string baseUrl; // "https://api.openai.com/v1", "https://api.anthropic.com", ".../v1beta"
    std::string key;     // from the environment or the keyring; never stored, never logged
    double connectTimeoutSeconds = 10;
    double idleTimeoutSeconds = 60; // no byte for so long
    int attempts = 4;               // on refusal to connect, 429, 5xx and cut streams, with back-off and Retry-After
    double backoffSeconds = 0.5;    // first pause, doubled each time
    double backoffLimitSeconds = 30;
};
struct ProviderFacts {
    std::string_view name;
    std::string_view title;
    std::string_view baseUrl;     // where the service usually is; empty for those that are not asked over HTTP
    std::string_view keyVariable; // the environment variable that usually holds the key
};
// "openai" (chat completions, and every service that speaks them), "anthropic" (messages), "gemini" (generateContent),
// "manual" (a person) and "replay" (a recording).
std::span<const ProviderFacts> knownProviders();
const ProviderFacts* providerFacts(std::string_view name);
// One that is asked over HTTP; null for any other name.
std::unique_ptr<ChatProvider> makeHttpProvider(std::string_view name, ProviderOptions options);
// A person is the model: `answer` shows the request and blocks until a reply was given, the wait was cancelled or the
// person declined.
using ManualAnswer = std::function<Result<std::string>(const ChatRequest& request, const std::stop_token& stop)>;
std::unique_ptr<ChatProvider> makeManualProvider(ManualAnswer answer);
// Writes every request and reply of `inner` as one JSON line to `file`.
std::unique_ptr<ChatProvider> makeRecordingProvider(std::unique_ptr<ChatProvider> inner, std::string file);
// Answers from such a file, in order per prompt; a request that was not recorded is an error that shows the nearest
// one.
Result<std::unique_ptr<ChatProvider>> makeReplayProvider(const std::string& file);

} // namespace gks
