// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/protocol.h"

#include "core/judge/carried_packs.h"
#include "core/judge/json_fields.h"
#include "core/judge/recorded_plans.h"
#include "core/problem/anchor_spec.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::array<std::string_view, 4> shapeChoiceNames = {"quick", "test", "benchmark", "all"};
constexpr std::array<std::string_view, 4> stageNames = {"queued", "building", "verifying", "measuring"};

// A request beyond these is refused: nobody wants it, and a wrong unit is likelier.
constexpr double secondsLimit = 24 * 3600;
constexpr double tieMarginLimitPercent = 100;
constexpr std::size_t idLimitBytes = 200;
constexpr std::size_t flushLimitBytes = std::size_t{4} << 30;

template<class Names>
std::optional<std::size_t> indexOf(const Names& names, std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) {
            return i;
        }
    }
    return std::nullopt;
}

struct EventToJson {
    OrderedJson& json;

    void operator()(const StageEvent& event) const {
        json["event"] = "stage";
        json["stage"] = name(event.stage);
    }
    void operator()(const ProgressEvent& event) const {
        json["event"] = "progress";
        json["fraction"] = event.fraction;
        json["detail"] = event.detail;
    }
    void operator()(const LogEvent& event) const {
        json["event"] = "log";
        json["stream"] = event.stream;
        json["text"] = event.text;
    }
    void operator()(const SamplesEvent& event) const {
        json["event"] = "samples";
        json["shape"] = event.shape;
        json["us"] = event.us;
        json["baseline"] = event.ofBaseline;
    }
    void operator()(const StaticEvent& event) const {
        json["event"] = "static";
        json["report"] = toJson(event.report);
    }
    void operator()(const VerdictEvent& event) const {
        json["event"] = "verdict";
        json["verdict"] = toJson(event.verdict, true);
        if (event.verdict.plans) {
            json["plans"] = OrderedJson(toJson(*event.verdict.plans, CodeBytes::included));
        }
    }
    void operator()(const HelloEvent& event) const {
        json["event"] = "hello";
        json["version"] = event.version;
        json["rules"] = event.rules;
        json["machine"] = event.machine;
        json["devices"] = OrderedJson::array();
        for (const HelloEvent::Device& device : event.devices) {
            json["devices"].push_back(
                {{"index", device.index}, {"name", device.name}, {"architecture", device.architecture}});
        }
        json["reason"] = event.reason;
    }
};

Result<EvaluationEvent> stageEvent(FieldReader& fields) {
    std::string stage;
    fields.require("stage");
    fields.read("stage", stage);
    GKS_TRY(fields.finish());
    const auto index = indexOf(stageNames, stage);
    if (!index) {
        return usageError(fmt::format("\"{}\" is not a stage", stage.substr(0, 40)), "event");
    }
    return StageEvent{static_cast<Stage>(*index)};
}

// Null where the field is not there.
Result<std::shared_ptr<const RecordedPlans>> plansAt(const Json* json, const char* where) {
    if (json == nullptr) {
        return nullptr;
    }
    GKS_TRY_ASSIGN(RecordedPlans plans, recordedPlansFromJson(*json, where));
    return std::make_shared<const RecordedPlans>(std::move(plans));
}

Result<EvaluationEvent> verdictEvent(FieldReader& fields) {
    fields.require("verdict");
    const Json* verdict = fields.object("verdict");
    const Json* plans = fields.object("plans");
    GKS_TRY(fields.finish());
    VerdictEvent event;
    GKS_TRY_ASSIGN(event.verdict, verdictFromJson(*verdict));
    GKS_TRY_ASSIGN(event.verdict.plans, plansAt(plans, "plans of the verdict"));
    return event;
}

Result<EvaluationEvent> staticEvent(FieldReader& fields) {
    fields.require("report");
    const Json* report = fields.object("report");
    GKS_TRY(fields.finish());
    StaticEvent event;
    GKS_TRY_ASSIGN(event.report, staticReportFromJson(*report));
    return event;
}

Result<HelloEvent::Device> helloDevice(const Json& json) {
    HelloEvent::Device device;
    FieldReader fields(json, "device of an evaluator");
    fields.read("index", device.index);
    fields.read("name", device.name);
    fields.read("architecture", device.architecture);
    GKS_TRY(fields.finish());
    return device;
}

Result<EvaluationEvent> helloEvent(FieldReader& fields) {
    HelloEvent event;
    fields.require("version");
    fields.require("rules");
    fields.read("version", event.version);
    fields.read("rules", event.rules);
    fields.read("machine", event.machine);
    fields.read("reason", event.reason);
    const Json* devices = fields.array("devices");
    GKS_TRY(fields.finish());
    for (const Json& one : devices != nullptr ? *devices : Json::array()) {
        GKS_TRY_ASSIGN(auto device, helloDevice(one));
        event.devices.push_back(std::move(device));
    }
    return event;
}

Result<EvaluationEvent> eventOfKind(const std::string& kind, FieldReader& fields) {
    if (kind == "hello") {
        return helloEvent(fields);
    }
    if (kind == "stage") {
        return stageEvent(fields);
    }
    if (kind == "verdict") {
        return verdictEvent(fields);
    }
    if (kind == "static") {
        return staticEvent(fields);
    }
    if (kind == "progress") {
        ProgressEvent event;
        fields.read("fraction", event.fraction);
        fields.read("detail", event.detail);
        GKS_TRY(fields.finish());
        return event;
    }
    if (kind == "log") {
        LogEvent event;
        fields.read("stream", event.stream);
        fields.read("text", event.text);
        GKS_TRY(fields.finish());
        return event;
    }
    if (kind == "samples") {
        SamplesEvent event;
        fields.read("shape", event.shape);
        fields.read("us", event.us);
        fields.read("baseline", event.ofBaseline);
        GKS_TRY(fields.finish());
        return event;
    }
    return usageError(fmt::format("\"{}\" is not an event", kind.substr(0, 40)), "event");
}

void checkRange(FieldReader& fields, const char* key, double value, double limit) {
    if (!(value > 0) || value > limit) {
        fields.fail(key, fmt::format("must be above 0 and at most {}", limit));
    }
}

} // namespace

double defaultMeasureSeconds(TargetKind target) {
    constexpr double onGpu = 1.2;
    return target == TargetKind::cpu ? EvaluationRequest().measureSeconds : onGpu;
}

std::string_view name(Stage stage) {
    return stageNames[static_cast<std::size_t>(stage)];
}
std::string_view name(ShapeChoice choice) {
    return shapeChoiceNames[static_cast<std::size_t>(choice)];
}

Result<ShapeChoice> shapeChoiceFromName(std::string_view name) {
    const auto index = indexOf(shapeChoiceNames, name);
    if (!index) {
        return usageError(fmt::format("unknown shape set \"{}\"", name.substr(0, 40)), {},
                          "Use quick, test, benchmark or all");
    }
    return static_cast<ShapeChoice>(*index);
}

OrderedJson toJson(const EvaluationRequest& request) {
    OrderedJson json = {
        {"request", "evaluate"}, {"id", request.id}, {"problem", request.problem}, {"source", request.source}};
    if (request.baseline) {
        json["baseline"] = *request.baseline;
    }
    if (!request.pack.empty()) {
        json["pack"] = packJson(request.pack);
    }
    json["target"] = name(request.target);
    json["device"] = request.device;
    json["shapes"] = name(request.shapes);
    json["static_only"] = request.staticOnly;
    json["build_only"] = request.buildOnly;
    json["screen"] = request.screen;
    json["checked"] = request.checked;
    json["allow_no_sandbox"] = request.allowNoSandbox;
    json["counters"] = request.counters;
    json["measure_seconds"] = request.measureSeconds;
    json["timeout_seconds"] = request.timeoutSeconds;
    json["tie_margin_percent"] = request.tieMarginPercent;
    if (request.flushBytes) {
        json["flush_bytes"] = *request.flushBytes;
    }
    if (!request.compilerOptions.empty()) {
        json["compiler_options"] = request.compilerOptions;
    }
    if (request.recorded) {
        json["recorded"] = OrderedJson(toJson(*request.recorded, CodeBytes::left));
        json["shape_seed"] = request.shapeSeed;
    }
    if (!request.anchor.empty()) {
        json["anchor"] = request.anchor;
    }
    return json;
}

Result<EvaluationRequest> requestFromJson(const Json& json) {
    EvaluationRequest request;
    std::string target(name(request.target));
    std::string shapes(name(request.shapes));
    FieldReader fields(json, "request");
    fields.require("id");
    fields.require("problem");
    fields.require("source");
    fields.read("id", request.id);
    fields.read("problem", request.problem);
    fields.read("source", request.source);
    fields.read("baseline", request.baseline);
    fields.read("target", target);
    fields.read("device", request.device);
    fields.read("shapes", shapes);
    fields.read("static_only", request.staticOnly);
    fields.read("build_only", request.buildOnly);
    fields.read("screen", request.screen);
    fields.read("checked", request.checked);
    fields.read("allow_no_sandbox", request.allowNoSandbox);
    fields.read("counters", request.counters);
    fields.read("measure_seconds", request.measureSeconds);
    fields.read("timeout_seconds", request.timeoutSeconds);
    fields.read("tie_margin_percent", request.tieMarginPercent);
    fields.read("flush_bytes", request.flushBytes);
    fields.read("compiler_options", request.compilerOptions);
    fields.read("shape_seed", request.shapeSeed);
    fields.read("anchor", request.anchor);
    const Json* recorded = fields.object("recorded");
    const Json* pack = fields.object("pack");
    checkRange(fields, "measure_seconds", request.measureSeconds, secondsLimit);
    checkRange(fields, "timeout_seconds", request.timeoutSeconds, secondsLimit);
    if (request.tieMarginPercent < 0 || request.tieMarginPercent > tieMarginLimitPercent) {
        fields.fail("tie_margin_percent", "must be from 0 to 100");
    }
    if (request.flushBytes && (*request.flushBytes == 0 || *request.flushBytes > flushLimitBytes)) {
        fields.fail("flush_bytes", fmt::format("must be from 1 to {}", flushLimitBytes));
    }
    if (request.id.empty() || request.id.size() > idLimitBytes) {
        fields.fail("id", "must have 1 to 200 bytes");
    }
    if (request.device < 0) {
        fields.fail("device", "must not be negative");
    }
    if (!request.anchor.empty() && (!isAnchorName(request.anchor) || !request.source.empty() || recorded != nullptr)) {
        fields.fail("anchor", "must be the plain name of an anchor of the pack, without a source or recorded plans");
    }
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(request.target, targetFromName(target));
    GKS_TRY_ASSIGN(request.shapes, shapeChoiceFromName(shapes));
    GKS_TRY_ASSIGN(request.recorded, plansAt(recorded, "recorded plans"));
    if (pack != nullptr) {
        GKS_TRY_ASSIGN(request.pack, packFromJson(*pack, "request"));
    }
    return request;
}

OrderedJson toJson(const std::string& id, const EvaluationEvent& event) {
    OrderedJson json = {{"id", id}};
    std::visit(EventToJson{json}, event);
    return json;
}

Result<IdentifiedEvent> eventFromJson(const Json& json) {
    IdentifiedEvent identified;
    std::string kind;
    FieldReader fields(json, "event");
    fields.require("id");
    fields.require("event");
    fields.read("id", identified.id);
    fields.read("event", kind);
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(identified.event, eventOfKind(kind, fields));
    return identified;
}

} // namespace gks
