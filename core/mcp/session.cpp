// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mcp/session.h"

#include "core/base/json_schema.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks::mcp {
namespace {

constexpr std::array<std::string_view, 4> legacyVersions = {newestLegacyVersion, "2025-06-18", "2025-03-26",
                                                            "2024-11-05"};
constexpr const char* versionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* clientKey = "io.modelcontextprotocol/clientInfo";
constexpr const char* capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* serverKey = "io.modelcontextprotocol/serverInfo";
constexpr std::size_t clientLimitBytes = 32;
// The tools of a program do not change while it runs.
constexpr int listLifeMs = 3'600'000;

const Json& member(const Json& object, const char* key) {
    static const Json none;
    const auto at = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && at != object.end() ? *at : none;
}

std::string text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}

ProtocolError refused(const Message& message, int code, std::string why, Json data = {}) {
    return {code, std::move(why), message.id, std::move(data)};
}

OrderedJson capabilities() {
    return {{"tools", {{"listChanged", false}}}};
}

void addCacheHints(OrderedJson& result) {
    result["ttlMs"] = listLifeMs;
    result["cacheScope"] = "private";
}

OrderedJson toJson(const Tool& tool) {
    return {{"name", tool.name},
            {"title", tool.title},
            {"description", tool.description},
            {"inputSchema", OrderedJson(tool.input)},
            {"annotations", {{"readOnlyHint", !tool.changes}, {"destructiveHint", false}, {"openWorldHint", false}}}};
}

} // namespace

std::string cleanedClient(std::string_view name) {
    std::string clean;
    for (const char c : lowered(name)) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
        if (isPlain) {
            clean += c;
        } else if (!clean.empty() && clean.back() != '-') {
            clean += '-';
        }
        if (clean.size() == clientLimitBytes) {
            break;
        }
    }
    while (clean.ends_with('-')) {
        clean.pop_back();
    }
    return clean.empty() ? "unknown" : clean;
}

OrderedJson Session::serverInfo() const {
    return {{"name", m_facts.name}, {"title", m_facts.title}, {"version", m_facts.version}};
}

// From the modern era on a result says what it is and who made it.
OrderedJson Session::finished(OrderedJson result, const Era& era) const {
    if (era.isModern) {
        result["resultType"] = "complete";
        result["_meta"] = {{serverKey, serverInfo()}};
    }
    return result;
}

tl::expected<Session::Era, ProtocolError> Session::eraOf(const Message& message) const {
    const Json& meta = member(message.params, "_meta");
    const Json& version = member(meta, versionKey);
    if (version.is_null()) {
        if (message.method == "server/discover") {
            return tl::unexpected(refused(message, invalidParams, fmt::format("_meta lacks \"{}\"", versionKey)));
        }
        return Era{false, m_client};
    }
    if (text(version) != modernVersion) {
        return tl::unexpected(
            refused(message, unsupportedVersion, "this version of the protocol is not spoken here",
                    {{"supported", {modernVersion}}, {"requested", abbreviated(text(version), 100)}}));
    }
    if (!member(meta, capabilitiesKey).is_object()) {
        return tl::unexpected(refused(message, invalidParams, fmt::format("_meta lacks \"{}\"", capabilitiesKey)));
    }
    return Era{true, cleanedClient(text(member(member(meta, clientKey), "name")))};
}

OrderedJson Session::tooLong() {
    return replyOf(
        ProtocolError{invalidRequest, fmt::format("a line has at most {} bytes. Send less at once", lineLimitBytes)});
}

Step Session::take(std::string_view line) {
    if (trimmed(line).empty()) {
        return {};
    }
    const auto message = readMessage(line);
    if (!message) {
        return replyOf(message.error());
    }
    if (message->isNotification()) { // it is never answered
        const Json& id = member(message->params, "requestId");
        return message->method == "notifications/cancelled" && !id.is_null() ? Step(Cancellation{id}) : Step();
    }
    const auto era = eraOf(*message);
    return era ? answer(*message, *era) : Step(replyOf(era.error()));
}

Step Session::answer(const Message& message, const Era& era) {
    const std::string& method = message.method;
    if (method == "server/discover") {
        return replyOf(message.id, discovery());
    }
    if (!era.isModern) {
        if (method == "initialize") {
            return initialize(message);
        }
        if (method == "ping") {
            return replyOf(message.id, OrderedJson::object());
        }
        if (!m_isInitialized) {
            return replyOf(
                refused(message, invalidRequest, fmt::format("say initialize first, or send {} in _meta", versionKey)));
        }
    }
    if (method == "tools/list") {
        if (!member(message.params, "cursor").is_null()) {
            return replyOf(refused(message, invalidParams, "the list has one page: no cursor leads on"));
        }
        return replyOf(message.id, finished(list(), era));
    }
    if (method == "tools/call") {
        return call(message, era);
    }
    return replyOf(refused(message, methodNotFound,
                           fmt::format("there is no method \"{}\"", abbreviated(sanitizedUtf8(method), 100))));
}

Step Session::initialize(const Message& message) {
    const std::string asked = text(member(message.params, "protocolVersion"));
    if (asked.empty()) {
        return replyOf(refused(message, invalidParams, "protocolVersion is missing"));
    }
    const bool isKnown = std::ranges::find(legacyVersions, asked) != legacyVersions.end();
    m_isInitialized = true;
    m_client = cleanedClient(text(member(member(message.params, "clientInfo"), "name")));
    return replyOf(message.id, {{"protocolVersion", isKnown ? asked : std::string(newestLegacyVersion)},
                                {"capabilities", capabilities()},
                                {"serverInfo", serverInfo()},
                                {"instructions", m_facts.instructions}});
}

OrderedJson Session::discovery() const {
    OrderedJson result = {{"supportedVersions", {modernVersion}},
                          {"capabilities", capabilities()},
                          {"instructions", m_facts.instructions}};
    addCacheHints(result);
    return finished(std::move(result), {true, {}});
}

OrderedJson Session::list() const {
    OrderedJson tools = OrderedJson::array();
    for (const Tool& tool : m_tools) {
        tools.push_back(toJson(tool));
    }
    OrderedJson result = {{"tools", std::move(tools)}};
    addCacheHints(result);
    return result;
}

Step Session::call(const Message& message, const Era& era) const {
    const std::string name = text(member(message.params, "name"));
    const auto tool = std::ranges::find(m_tools, name, &Tool::name);
    if (tool == m_tools.end()) {
        return replyOf(refused(
            message, invalidParams,
            fmt::format("there is no tool \"{}\". tools/list names them", abbreviated(sanitizedUtf8(name), 100))));
    }
    Call call = {message.id, &*tool, member(message.params, "arguments"), era.client, era.isModern};
    if (call.arguments.is_null()) {
        call.arguments = Json::object();
    }
    if (!call.arguments.is_object()) {
        return replyOf(refused(message, invalidParams, "arguments is no object"));
    }
    if (const auto fits = validate(call.arguments, tool->input, "the call"); !fits) { // the model is to mend it
        return reply(call, usageError(fits.error().what, name, "Call it again with arguments that fit its schema"));
    }
    return call;
}

OrderedJson Session::reply(const Call& call, const Result<std::string>& text) {
    OrderedJson result = {
        {"content", {{{"type", "text"}, {"text", sanitizedUtf8(text ? *text : text.error().message())}}}},
        {"isError", !text.has_value()}};
    if (call.isModern) {
        result["resultType"] = "complete";
    }
    return replyOf(call.id, std::move(result));
}

} // namespace gks::mcp
