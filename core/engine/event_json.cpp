// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/event_json.h"

#include "core/campaign/names.h"
#include "core/judge/json_fields.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

OrderedJson labelOfKernel(const std::optional<KernelId>& id) {
    return id ? OrderedJson(kernelLabel(*id)) : OrderedJson();
}
OrderedJson numberOrNull(const std::optional<ExperimentId>& id) {
    return id ? OrderedJson(*id) : OrderedJson();
}

struct EventOut {
    OrderedJson operator()(const StateChanged& event) const {
        return {{"event", "state"}, {"state", name(event.state)}, {"reason", event.reason}};
    }
    OrderedJson operator()(const PopulationChanged&) const { return {{"event", "population"}}; }
    OrderedJson operator()(const ActivityChanged& event) const {
        OrderedJson json = {{"event", "activity"},
                            {"lane", event.lane},
                            {"activity", name(event.activity)},
                            {"kernel", labelOfKernel(event.kernel)},
                            {"experiment", numberOrNull(event.experiment)}};
        if (event.fraction >= 0) {
            json["fraction"] = event.fraction;
        }
        json["detail"] = event.detail;
        json["since_ms"] = event.since;
        return json;
    }
    OrderedJson operator()(const SamplesArrived& event) const {
        return {{"event", "samples"},
                {"kernel", labelOfKernel(event.kernel > 0 ? std::optional(event.kernel) : std::nullopt)},
                {"shape", event.shape},
                {"us", event.us},
                {"baseline", event.ofBaseline}};
    }
    OrderedJson operator()(const TextArrived& event) const {
        return {{"event", "text"},
                {"source", event.source},
                {"kernel", labelOfKernel(event.kernel)},
                {"experiment", numberOrNull(event.experiment)},
                {"text", event.text}};
    }
    OrderedJson operator()(const NextParentChanged& event) const {
        return {{"event", "next-parent"},
                {"parent", labelOfKernel(event.parent)},
                {"reference", labelOfKernel(event.reference)},
                {"rationale", event.rationale},
                {"pinned", event.pinned}};
    }
    OrderedJson operator()(const WarningRaised& event) const {
        OrderedJson json = {{"event", "warning"}};
        json.update(errorJson(event.error));
        json["stage"] = event.stage;
        json["kernel"] = labelOfKernel(event.kernel);
        json["experiment"] = numberOrNull(event.experiment);
        return json;
    }
    OrderedJson operator()(const TrustAsked& event) const {
        OrderedJson asked = OrderedJson::array();
        for (const TrustQuestion& question : event.questions) {
            asked.push_back({{"kind", name(question.kind)},
                             {"server", question.server},
                             {"variable", question.variable},
                             {"folder", question.folder},
                             {"content", question.content},
                             {"command", question.command}});
        }
        return {{"event", "trust"},
                {"questions", event.questions.size()},
                {"asked", std::move(asked)},
                {"start_refused", event.startRefused}};
    }
};

std::string_view errorKindName(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::usage:
        return "usage";
    case ErrorKind::kernel:
        return "kernel";
    case ErrorKind::infrastructure:
        return "infrastructure";
    case ErrorKind::cancelled:
        return "cancelled";
    }
    return "";
}

std::optional<KernelId> kernelField(FieldReader& fields, const char* key) {
    std::optional<std::string> label;
    fields.read(key, label);
    KernelId id = 0;
    if (label) {
        const auto [end, failure] = std::from_chars(label->data(), label->data() + label->size(), id);
        if (failure != std::errc() || end != label->data() + label->size() || id < 1) {
            fields.fail(key, "is no kernel");
        }
    }
    return label ? std::optional(id) : std::nullopt;
}
std::optional<ExperimentId> experimentField(FieldReader& fields, const Json& json) {
    if (!json.contains("experiment") || json.at("experiment").is_null()) {
        return std::nullopt;
    }
    ExperimentId id = 0;
    fields.read("experiment", id);
    return id;
}

template<class E>
E enumField(FieldReader& fields, const char* key, std::initializer_list<E> all) {
    std::string text;
    fields.read(key, text);
    const auto found = enumFromName(text, all, key);
    if (!found) {
        fields.fail(found.error());
    }
    return found.value_or(*all.begin());
}

StateChanged stateIn(FieldReader& fields) {
    StateChanged event;
    event.state = enumField(fields, "state",
                            {EngineState::idle, EngineState::running, EngineState::paused, EngineState::stopping});
    fields.read("reason", event.reason);
    return event;
}

ActivityChanged activityIn(FieldReader& fields, const Json& json) {
    ActivityChanged event;
    fields.read("lane", event.lane);
    event.activity =
        enumField(fields, "activity",
                  {Activity::idle, Activity::selecting, Activity::designing, Activity::writing, Activity::repairing,
                   Activity::building, Activity::verifying, Activity::measuring, Activity::away});
    event.kernel = kernelField(fields, "kernel");
    event.experiment = experimentField(fields, json);
    fields.read("fraction", event.fraction);
    fields.read("detail", event.detail);
    fields.read("since_ms", event.since);
    return event;
}

SamplesArrived samplesIn(FieldReader& fields) {
    SamplesArrived event;
    event.kernel = kernelField(fields, "kernel").value_or(0);
    fields.read("shape", event.shape);
    fields.read("us", event.us);
    fields.read("baseline", event.ofBaseline);
    return event;
}

TextArrived textIn(FieldReader& fields, const Json& json) {
    TextArrived event;
    fields.read("source", event.source);
    fields.read("text", event.text);
    event.kernel = kernelField(fields, "kernel");
    event.experiment = experimentField(fields, json);
    return event;
}

NextParentChanged nextParentIn(FieldReader& fields) {
    NextParentChanged event;
    event.parent = kernelField(fields, "parent");
    event.reference = kernelField(fields, "reference");
    fields.read("rationale", event.rationale);
    fields.read("pinned", event.pinned);
    return event;
}

WarningRaised warningIn(FieldReader& fields, const Json& json) {
    WarningRaised event;
    if (auto error = errorFromJson(json)) {
        event.error = std::move(*error);
    } else {
        fields.fail(error.error());
    }
    fields.read("stage", event.stage);
    event.kernel = kernelField(fields, "kernel");
    event.experiment = experimentField(fields, json);
    return event;
}

TrustAsked trustIn(FieldReader& fields) {
    TrustAsked event;
    fields.read("start_refused", event.startRefused);
    if (const Json* asked = fields.array("asked")) {
        for (const Json& row : *asked) {
            FieldReader one(row, "trust");
            TrustQuestion& question = event.questions.emplace_back();
            question.kind =
                enumField(one, "kind", {TrustKind::server, TrustKind::command, TrustKind::folder, TrustKind::pack});
            one.read("server", question.server);
            one.read("variable", question.variable);
            one.read("folder", question.folder);
            one.read("content", question.content);
            one.read("command", question.command);
            if (const auto read = one.finish(); !read) {
                fields.fail(read.error());
            }
        }
    }
    return event;
}

} // namespace

OrderedJson errorJson(const Error& error) {
    return {{"what", error.what}, {"where", error.where}, {"next", error.next}, {"kind", errorKindName(error.kind)}};
}

Result<Error> errorFromJson(const Json& json) {
    FieldReader fields(json, "error");
    Error error;
    std::string kind;
    fields.read("kind", kind);
    for (const ErrorKind one : {ErrorKind::usage, ErrorKind::kernel, ErrorKind::infrastructure, ErrorKind::cancelled}) {
        error.kind = errorKindName(one) == kind ? one : error.kind;
    }
    fields.require("what");
    fields.read("what", error.what);
    fields.read("where", error.where);
    fields.read("next", error.next);
    GKS_TRY(fields.finish());
    return error;
}

OrderedJson eventJson(const EngineEvent& event) {
    return std::visit(EventOut{}, event);
}

std::string eventLine(const OrderedJson& json) {
    return json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
}

Result<EngineEvent> engineEventFromJson(const Json& json) {
    const auto kind = json.is_object() ? json.find("event") : json.end();
    if (kind == json.end() || !kind->is_string()) {
        return usageError("is no event");
    }
    const std::string called = kind->get<std::string>();
    FieldReader fields(json, "event " + called);
    EngineEvent event;
    if (called == "state") {
        event = stateIn(fields);
    } else if (called == "population") {
        event = PopulationChanged{};
    } else if (called == "activity") {
        event = activityIn(fields, json);
    } else if (called == "samples") {
        event = samplesIn(fields);
    } else if (called == "text") {
        event = textIn(fields, json);
    } else if (called == "next-parent") {
        event = nextParentIn(fields);
    } else if (called == "warning") {
        event = warningIn(fields, json);
    } else if (called == "trust") {
        event = trustIn(fields);
    } else {
        return usageError("is an event that nobody knows");
    }
    GKS_TRY(fields.finish());
    return event;
}

bool isProgress(const EngineEvent& event) {
    const auto* activity = std::get_if<ActivityChanged>(&event);
    return std::holds_alternative<SamplesArrived>(event) || (activity != nullptr && activity->fraction >= 0);
}

} // namespace gks
