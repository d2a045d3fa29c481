// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mcp/message.h"
#include "core/mcp/tool.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// What is said in the Model Context Protocol, for clients of both eras: up to 2025-11-25 a client says `initialize`
// first; from 2026-07-28 on every request carries its version and its client in `_meta`, and `server/discover` tells
// what there is. Nothing here reads, writes or runs anything.
namespace gks::mcp {

inline constexpr std::string_view modernVersion = "2026-07-28";
inline constexpr std::string_view newestLegacyVersion = "2025-11-25";

struct ServerFacts {
    std::string name;
    std::string title;
    std::string version;
    std::string instructions; // for the model, once
};

// A call of a tool with arguments that fit its schema.
struct Call {
    Json id;
    const Tool* tool = nullptr;
    Json arguments;
    std::string client;
    bool isModern = false;
};
struct Cancellation {
    Json id;
};
// What a line leads to. Nothing: it was a notification that needs nothing.
using Step = std::variant<std::monostate, OrderedJson, Call, Cancellation>;

class Session {
public:
    // The tools stay where they are.
    Session(ServerFacts facts, const std::vector<Tool>& tools) : m_facts(std::move(facts)), m_tools(tools) {}

    Step take(std::string_view line);
    static OrderedJson tooLong(); // a line, of which nothing was read
    static OrderedJson reply(const Call& call, const Result<std::string>& text);

private:
    struct Era { // of one request
        bool isModern = false;
        std::string client;
    };
    tl::expected<Era, ProtocolError> eraOf(const Message& message) const;
    Step answer(const Message& message, const Era& era);
    Step initialize(const Message& message);
    OrderedJson discovery() const;
    OrderedJson list() const;
    Step call(const Message& message, const Era& era) const;
    OrderedJson serverInfo() const;
    OrderedJson finished(OrderedJson result, const Era& era) const;

    ServerFacts m_facts;
    const std::vector<Tool>& m_tools;
    bool m_isInitialized = false; // by a client of the legacy era
    std::string m_client;         // that said so
};

// A name that a client gives itself, as it may stand anywhere: small letters, digits, '.', '_' and '-', at most 32.
std::string cleanedClient(std::string_view name);

} // namespace gks::mcp
