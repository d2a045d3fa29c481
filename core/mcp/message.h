// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// JSON-RPC 2.0, one message a line, as the Model Context Protocol uses it. Whoever sends is a stranger.
namespace gks::mcp {

inline constexpr std::size_t lineLimitBytes = std::size_t{4} << 20;

// Codes of JSON-RPC, and of the protocol.
enum ErrorCode {
    parseFailed = -32700,
    invalidRequest = -32600,
    methodNotFound = -32601,
    invalidParams = -32602,
    unsupportedVersion = -32022,
};

struct Message {
    Json id = {}; // a text or a whole number; null: a notification
    std::string method;
    Json params = Json::object();

    bool isNotification() const { return id.is_null(); }
};

struct ProtocolError {
    int code = invalidRequest;
    std::string message;
    Json id = {}; // of the request, where it could be read
    Json data = {};
};

// A reply of the client's has no method: this server asks nothing, so it is an error as well.
tl::expected<Message, ProtocolError> readMessage(std::string_view line);

OrderedJson replyOf(const Json& id, OrderedJson result);
OrderedJson replyOf(const ProtocolError& error);

} // namespace gks::mcp
