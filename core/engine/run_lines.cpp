// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run_lines.h"

#include "core/campaign/command_json.h"
#include "core/engine/event_json.h"
#include "core/judge/json_fields.h"

#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr const char* linePlace = "a line of a viewer";

OrderedJson askedJson(const SteeringCommand& command) {
    return {{"command", commandJson(command)}};
}
OrderedJson askedJson(const AgentKernel& kernel) {
    return {{"propose",
             {{"agent", kernel.agent}, {"basis", kernel.basis}, {"title", kernel.title}, {"source", kernel.source}}}};
}

Result<AgentKernel> agentKernelFrom(const Json& json) {
    AgentKernel kernel;
    FieldReader fields(json, "propose");
    for (const char* key : {"agent", "basis", "title", "source"}) {
        fields.require(key);
    }
    fields.read("agent", kernel.agent);
    fields.read("basis", kernel.basis);
    fields.read("title", kernel.title);
    fields.read("source", kernel.source);
    GKS_TRY(fields.finish());
    return kernel;
}

Result<RunRequest> requestIn(const Json& json, std::int64_t id) {
    if (json.contains("command")) {
        GKS_TRY_ASSIGN(SteeringCommand command, commandFromJson(json.at("command")));
        return RunRequest{id, std::move(command)};
    }
    if (json.contains("propose")) {
        GKS_TRY_ASSIGN(AgentKernel kernel, agentKernelFrom(json.at("propose")));
        return RunRequest{id, std::move(kernel)};
    }
    return usageError("asks for nothing", linePlace, "Send a command or propose");
}

struct ReplyOut {
    OrderedJson operator()(const RunGreeting& greeting) const {
        return {{"protocol", greeting.protocol}, {"version", greeting.version}};
    }
    OrderedJson operator()(const RunAnswer& answer) const {
        OrderedJson json = {{"id", answer.id}};
        if (answer.result) {
            json["kernel"] = *answer.result;
        } else {
            json["refused"] = errorJson(answer.result.error());
        }
        return json;
    }
    OrderedJson operator()(const RunClosed&) const { return {{"closed", true}}; }
    OrderedJson operator()(const EngineEvent& event) const { return eventJson(event); }
};

} // namespace

std::string requestLine(const RunRequest& request) {
    OrderedJson json = {{"id", request.id}};
    json.update(std::visit([](const auto& asked) { return askedJson(asked); }, request.asked));
    return eventLine(json);
}

tl::expected<RunRequest, RefusedRequest> requestFrom(std::string_view line) {
    const auto json = parseJson(line, linePlace);
    RefusedRequest refused;
    if (json && json->is_object()) {
        FieldReader fields(*json, linePlace);
        fields.read("id", refused.id);
        auto request = requestIn(*json, refused.id);
        if (request) {
            return std::move(*request);
        }
        refused.error = request.error();
    } else {
        refused.error = json ? Error{ErrorKind::usage, "not a JSON object", linePlace, {}} : json.error();
    }
    return tl::unexpected(std::move(refused));
}

std::string replyLine(const RunReply& reply) {
    return eventLine(std::visit(ReplyOut{}, reply));
}

Result<RunReply> replyFrom(std::string_view line) {
    GKS_TRY_ASSIGN(const Json json, parseJson(line, "the run"));
    if (!json.is_object()) {
        return usageError("not a JSON object", "the run");
    }
    FieldReader fields(json, "the run");
    RunReply reply;
    if (json.contains("event")) {
        GKS_TRY_ASSIGN(EngineEvent event, engineEventFromJson(json));
        reply = std::move(event);
    } else if (json.contains("protocol")) {
        RunGreeting greeting;
        fields.read("protocol", greeting.protocol);
        fields.read("version", greeting.version);
        reply = std::move(greeting);
    } else if (json.contains("id")) {
        RunAnswer answer;
        fields.read("id", answer.id);
        if (const Json* refused = fields.object("refused")) {
            GKS_TRY_ASSIGN(Error error, errorFromJson(*refused));
            answer.result = tl::unexpected(std::move(error));
        } else {
            fields.read("kernel", *answer.result);
        }
        reply = std::move(answer);
    } else if (json.contains("closed")) {
        reply = RunClosed{};
    } else {
        return usageError("a line that nobody knows", "the run");
    }
    GKS_TRY(fields.finish());
    return reply;
}

} // namespace gks
