// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// What one event of a stream, or an answer in one piece, says, in words that all services share.
struct ReplyPiece {
    std::string text;
    std::string reasoning;    // what the model thinks before it answers, where the service shows it
    std::string finishReason; // "stop", "length", or the service's own word; empty while the reply goes on
    std::optional<std::int64_t> tokensIn;
    std::optional<std::int64_t> tokensOut;
    std::optional<std::int64_t> reasoningTokens; // of those
    std::string error;                           // what the service reported instead of a reply
    bool malformed = false;                      // not what the interface promises
    bool farewell = false;                       // nothing follows
};

// How one family of services wants to be asked and how it answers. Immutable, shared by threads.
class Dialect {
public:
    virtual ~Dialect() = default;
    virtual std::string_view name() const = 0;
    virtual std::string url(const std::string& baseUrl, const std::string& model) const = 0;
    // What the service wants beside the usual ones; the key, unless it is empty, is in them.
    virtual std::vector<std::string> headers(const std::string& key) const = 0;
    // Without the optional fields in `refused`.
    virtual OrderedJson body(const ChatRequest& request, const std::set<std::string>& refused) const = 0;
    // The optional field that the text of a 400 complains of; empty when it is about something else.
    virtual std::string refusedField(const std::string& complaint, const std::set<std::string>& refused) const = 0;
    virtual ReplyPiece read(const Json& event, bool whole) const = 0;
};

std::unique_ptr<Dialect> openAiDialect();
std::unique_ptr<Dialect> anthropicDialect();
std::unique_ptr<Dialect> geminiDialect();

// For the dialects.
const Json* member(const Json& object, const char* key);     // null when it is not an object or has no such member
std::string textMember(const Json& object, const char* key); // empty when it is not a string
std::optional<std::int64_t> countMember(const Json& object, const char* key); // not negative
// The first of `fields` that the complaint names and that was not refused before.
std::string firstNamed(const std::string& complaint, std::span<const std::string_view> fields,
                       const std::set<std::string>& refused);
// Tokens that a model is told to spend on thinking at most; 0 when no effort was chosen or there is no room for it.
int thinkingBudget(const ChatRequest& request);
// What is asked for as the most that a model may put out, thinking and reply together.
int outputTokens(const ChatRequest& request, int thinkingBudget);
// "https://host/v1" and "messages": without a doubled slash, and the path only once when the address has it already.
std::string joinedUrl(const std::string& baseUrl, const std::string& path);

} // namespace gks
