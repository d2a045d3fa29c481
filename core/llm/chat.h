// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/llm/call_limits.h"

#include <chrono>
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
    std::optional<int> reasoningTokens; // room for thinking beside those of the reply; empty: what the effort needs
    std::string outputField;            // that limits both together, where a dialect has several; "": its usual one
    std::string thinking;               // how thinking is asked for: "budget", "adaptive", "level"; "": not known
    std::string reasoningEffort;        // one of reasoningEfforts, where the service has it; "": as it likes
    std::string schemaName;             // with `schema`: asks for structured output
    std::shared_ptr<const OrderedJson> schema; // null: free text; models answer in the order of its fields
};

struct ChatReply {
    std::string text;
    std::string finishReason;         // "stop", "length", ...
    std::int64_t tokensIn = 0;        // as the provider counted, else an estimate
    std::int64_t tokensOut = 0;       // thinking included
    std::int64_t reasoningTokens = 0; // of those, as far as the service tells
    bool tokensEstimated = false;
    double seconds = 0;
    double firstTokenSeconds = 0;
    int attempts = 1;
};

// Why there is no reply, and what of it had come: the tokens of a request that was accepted are spent.
struct ChatFailure : Error {
    ChatFailure() = default;
    ChatFailure(Error error, ChatReply came = {}) : Error(std::move(error)), partial(std::move(came)) {}
    ChatReply partial;
};
using ChatResult = tl::expected<ChatReply, ChatFailure>;

// Pieces of the reply as they arrive, valid UTF-8. When a stream is cut and asked for again, a line "[asked again:
// why]" comes between.
using ChatSink = std::function<void(std::string_view piece)>;

enum class ChatPhase {
    connecting, // until the whole request has been sent
    waiting,    // nothing of the reply yet
    thinking,   // the service says so
    writing,    // text comes
    retrying,   // nobody has accepted the request; it will be sent again
};
struct ChatProgress {
    ChatPhase phase = ChatPhase::connecting;
    double elapsedSeconds = 0; // since the request was sent; before that since it was first tried
    double waitSeconds = 0;    // retrying: until the next try
    std::string why = {};      // retrying: what the server said
};
std::string progressText(const ChatProgress& progress); // "no text yet"

// What a call lets the outside see, on the caller's thread. Both may be empty.
struct ChatSinks {
    ChatSink text = {};
    std::function<void(const ChatProgress&)> progress = {}; // at every change of phase
};

// A reply longer than this is cut off and refused.
inline constexpr std::size_t replyLimitBytes = std::size_t{1} << 20;

class ChatProvider {
public:
    virtual ~ChatProvider() = default;
    virtual std::string name() const = 0;
    // Blocks the calling thread; a stop request ends it within a tenth of a second with ErrorKind::cancelled. Errors
    // say what the server answered, whether trying again can help, and what to change (key, address, model name).
    virtual ChatResult complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) = 0;
};

struct ProviderOptions {
    std::string baseUrl; // "https://api.openai.com/v1", "https://api.anthropic.com", ".../v1beta"
    std::string key;     // from the environment or the keyring; never stored, never logged
    CallLimits limits;
    double backoffSeconds = 1; // before a request that was not accepted is sent again; doubled each time
    double backoffLimitSeconds = 120;
};
enum class ProviderKind { http, person, recording, command, folder };
struct ProviderFacts {
    std::string_view name;
    ProviderKind kind;
    std::string_view title;
    std::string_view baseUrl;     // where the service usually is; empty for those that are not asked over HTTP
    std::string_view keyVariable; // the environment variable that usually holds the key
};
// "openai" (chat completions, and every service that speaks them), "anthropic" (messages), "gemini" (generateContent),
// "command" (a program of the person's), "folder" (files that are exchanged), "manual" (a person) and "replay" (a
// recording).
inline constexpr std::string_view commandProviderName = "command";
inline constexpr std::string_view folderProviderName = "folder";
inline constexpr std::string_view manualProviderName = "manual";
inline constexpr std::string_view replayProviderName = "replay";
std::span<const ProviderFacts> knownProviders();
const ProviderFacts* providerFacts(std::string_view name);
bool isOfKind(std::string_view provider, ProviderKind kind);
// One that is asked over HTTP; null for any other name.
std::unique_ptr<ChatProvider> makeHttpProvider(std::string_view name, ProviderOptions options);
// A command that gets the request as one text on standard input and prints the reply. Fails when the line is none or
// its program is not found.
struct CommandOptions {
    std::string line;     // see commandWords()
    std::string variable; // that it gets beside those that are not named like a key; "": none
    std::string key;      // the value of it; "": the variable is not passed
    double totalSeconds = CallLimits().totalSeconds;
    std::vector<std::string> withheld = {}; // variables that hold keys for others, whatever they are called
};
Result<std::unique_ptr<ChatProvider>> makeCommandProvider(CommandOptions options);
// Files that are exchanged in a folder: 0001.request.md, 0001.reply.md. Fails when it is no folder with a full path.
struct FolderOptions {
    std::string folder;
    std::chrono::milliseconds unchanged = std::chrono::seconds(2);    // for so long, until a reply counts as whole
    std::chrono::milliseconds pause = std::chrono::milliseconds(250); // between two looks
};
Result<std::unique_ptr<ChatProvider>> makeFolderProvider(FolderOptions options);
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
