// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mcp/message.h"

namespace gks::mcp {
namespace {

constexpr std::size_t idLimitBytes = 256;
constexpr std::size_t methodLimitBytes = 256;

bool isId(const Json& id) {
    return id.is_number_integer() || (id.is_string() && id.get_ref<const std::string&>().size() <= idLimitBytes);
}

} // namespace

tl::expected<Message, ProtocolError> readMessage(std::string_view line) {
    const auto json = parseJson(line, "message");
    if (!json) {
        return tl::unexpected(ProtocolError{parseFailed, json.error().message()});
    }
    if (json->is_array()) {
        return tl::unexpected(ProtocolError{invalidRequest, "batches are not taken. Send one message a line"});
    }
    if (!json->is_object()) {
        return tl::unexpected(ProtocolError{invalidRequest, "a message is an object"});
    }
    Message message;
    const auto id = json->find("id");
    if (id != json->end()) {
        if (!isId(*id)) {
            return tl::unexpected(ProtocolError{invalidRequest, "the id is no short text and no whole number"});
        }
        message.id = *id;
    }
    const auto refused = [&](int code, std::string why) {
        return tl::unexpected(ProtocolError{code, std::move(why), message.id});
    };
    if (const auto version = json->find("jsonrpc"); version == json->end() || *version != "2.0") {
        return refused(invalidRequest, "jsonrpc is not \"2.0\"");
    }
    const auto method = json->find("method");
    if (method == json->end() || !method->is_string() ||
        method->get_ref<const std::string&>().size() > methodLimitBytes) {
        return refused(invalidRequest, "the method is missing or no short text");
    }
    message.method = method->get<std::string>();
    if (const auto params = json->find("params"); params != json->end()) {
        if (!params->is_object()) {
            return refused(invalidParams, "params is no object");
        }
        message.params = *params;
    }
    return message;
}

OrderedJson replyOf(const Json& id, OrderedJson result) {
    return {{"jsonrpc", "2.0"}, {"id", OrderedJson(id)}, {"result", std::move(result)}};
}

OrderedJson replyOf(const ProtocolError& error) {
    OrderedJson body = {{"code", error.code}, {"message", error.message}};
    if (!error.data.is_null()) {
        body["data"] = OrderedJson(error.data);
    }
    return {{"jsonrpc", "2.0"}, {"id", OrderedJson(error.id)}, {"error", std::move(body)}};
}

} // namespace gks::mcp
