// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/command_json.h"

#include "core/base/foreign_text.h"
#include "core/campaign/command_fields.h"
#include "core/campaign/names.h"
#include "core/campaign/settings_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

// A writer and a reader that walk the fields of a command in the same way: neither can know one that the other does
// not.
namespace gks {
namespace {

using command_fields::Is;

template<class T>
OrderedJson objectOf(const T& value);

OrderedJson writtenField(const std::string& value) {
    return value;
}
template<class T>
    requires std::is_arithmetic_v<T>
OrderedJson writtenField(T value) {
    return value;
}
template<class E>
    requires std::is_enum_v<E>
OrderedJson writtenField(E value) {
    return name(value);
}
OrderedJson writtenField(const Interval& value) {
    return {value.low, value.high};
}
template<class T>
    requires Is<T, Budgets> || Is<T, Policies> || Is<T, ModelChoice>
OrderedJson writtenField(const T& value) {
    return toJson(value);
}
template<class T>
    requires Is<T, command::PinParent> || Is<T, Document> || Is<T, Passage>
OrderedJson writtenField(const T& value) {
    return objectOf(value);
}
OrderedJson writtenField(const ShapeWeights& weights) {
    OrderedJson rows = OrderedJson::array();
    for (const auto& [shape, weight] : weights) {
        rows.push_back({{"shape", shape}, {"weight", weight}});
    }
    return rows;
}
template<class T>
OrderedJson writtenField(const std::vector<T>& values) {
    OrderedJson list = OrderedJson::array();
    for (const T& value : values) {
        list.push_back(writtenField(value));
    }
    return list;
}
template<class T>
OrderedJson writtenField(const std::map<std::string, T>& values) {
    OrderedJson object = OrderedJson::object();
    for (const auto& [key, value] : values) {
        object[key] = writtenField(value);
    }
    return object;
}

struct FieldsOut {
    OrderedJson& json;
    template<class T>
    void operator()(const char* key, const T& value) {
        json[key] = writtenField(value);
    }
    template<class T>
    void operator()(const char* key, const std::optional<T>& value) {
        if (value) {
            json[key] = writtenField(*value);
        }
    }
};

template<class T>
OrderedJson objectOf(const T& value) {
    OrderedJson json = OrderedJson::object();
    command_fields::fields(value, FieldsOut{json});
    return json;
}

Result<Mode> fieldNamed(std::string_view text, Mode /*kind*/) {
    return modeFromName(text);
}
Result<ScientistKind> fieldNamed(std::string_view text, ScientistKind /*kind*/) {
    return scientistKindFromName(text);
}
Result<ExperimentKind> fieldNamed(std::string_view text, ExperimentKind /*kind*/) {
    return experimentKindFromName(text);
}
Result<ExperimentState> fieldNamed(std::string_view text, ExperimentState /*kind*/) {
    return experimentStateFromName(text);
}
Result<FindingState> fieldNamed(std::string_view text, FindingState /*kind*/) {
    return findingStateFromName(text);
}

template<class T>
Result<T> objectFrom(const Json& json);

tl::unexpected<Error> ofAnotherType(std::string_view wanted) {
    return usageError(fmt::format("is no {}", wanted));
}

Result<void> readField(const Json& json, bool& into) {
    if (!json.is_boolean()) {
        return ofAnotherType("truth value");
    }
    into = json.get<bool>();
    return {};
}
template<class T>
    requires Is<T, int> || Is<T, std::int64_t>
Result<void> readField(const Json& json, T& into) {
    if (!json.is_number_integer() || (json.is_number_unsigned() && !std::in_range<T>(json.get<std::uint64_t>())) ||
        (!json.is_number_unsigned() && !std::in_range<T>(json.get<std::int64_t>()))) {
        return ofAnotherType("whole number of this size");
    }
    into = json.get<T>();
    return {};
}
Result<void> readField(const Json& json, double& into) {
    if (!json.is_number()) {
        return ofAnotherType("number");
    }
    into = json.get<double>();
    return {};
}
Result<void> readField(const Json& json, std::string& into) {
    if (!json.is_string()) {
        return ofAnotherType("text");
    }
    into = json.get<std::string>();
    return {};
}
template<class E>
    requires std::is_enum_v<E>
Result<void> readField(const Json& json, E& into) {
    std::string text;
    GKS_TRY(readField(json, text));
    GKS_TRY_ASSIGN(into, fieldNamed(text, into));
    return {};
}
Result<void> readField(const Json& json, Interval& into) {
    if (!json.is_array() || json.size() != 2) {
        return ofAnotherType("interval");
    }
    GKS_TRY(readField(json[0], into.low));
    return readField(json[1], into.high);
}
// In a file these are read with patience: what is missing or unknown there is of another version. Here it is a mistake.
template<class T>
Result<void> isWritten(const Json& json, const T& value) {
    return Json(writtenField(value)) == json ? Result<void>() : Result<void>(ofAnotherType("full set of its settings"));
}
Result<void> readField(const Json& json, Budgets& into) {
    into = budgetsFromJson(json);
    return isWritten(json, into);
}
Result<void> readField(const Json& json, Policies& into) {
    GKS_TRY_ASSIGN(into, policiesFromJson(json));
    return isWritten(json, into);
}
Result<void> readField(const Json& json, ModelChoice& into) {
    into = modelFromJson(json);
    return isWritten(json, into);
}
template<class T>
    requires Is<T, command::PinParent> || Is<T, Document> || Is<T, Passage>
Result<void> readField(const Json& json, T& into) {
    GKS_TRY_ASSIGN(into, objectFrom<T>(json));
    return {};
}
Result<void> readField(const Json& json, ShapeWeights& into) {
    for (const Json& row : json) {
        GKS_TRY(readField(row.at("weight"), into[row.at("shape").get<ShapeExtents>()]));
    }
    return {};
}
template<class T>
Result<void> readField(const Json& json, std::vector<T>& into) {
    if (!json.is_array()) {
        return ofAnotherType("list");
    }
    for (const Json& value : json) {
        GKS_TRY(readField(value, into.emplace_back()));
    }
    return {};
}
template<class T>
Result<void> readField(const Json& json, std::map<std::string, T>& into) {
    if (!json.is_object()) {
        return ofAnotherType("object");
    }
    for (const auto& [key, value] : json.items()) {
        GKS_TRY(readField(value, into[key]));
    }
    return {};
}

// The first error is kept.
struct FieldsIn {
    const Json& json;
    Result<void>& whole;
    std::set<std::string>& known;

    template<class T>
    void operator()(const char* key, T& into) {
        known.insert(key);
        const auto found = json.find(key);
        if (found == json.end()) {
            note(key, usageError("is missing"));
        } else {
            note(key, readField(*found, into));
        }
    }
    template<class T>
    void operator()(const char* key, std::optional<T>& into) {
        known.insert(key);
        if (const auto found = json.find(key); found != json.end()) {
            note(key, readField(*found, into.emplace()));
        }
    }
    void note(const char* key, const Result<void>& got) {
        if (whole && !got) {
            whole = usageError(fmt::format("{} {}", key, got.error().what), {}, got.error().next);
        }
    }
};

template<class T>
Result<T> objectFrom(const Json& json) {
    if (!json.is_object()) {
        return ofAnotherType("object");
    }
    T value;
    Result<void> whole;
    std::set<std::string> known = {"name"};
    command_fields::fields(value, FieldsIn{json, whole, known});
    GKS_TRY(whole);
    for (const auto& [key, ignored] : json.items()) {
        if (!known.contains(key)) {
            return usageError(fmt::format("nobody knows the field {}", quotation(key)));
        }
    }
    return value;
}

template<std::size_t at = 0>
Result<SteeringCommand> namedFrom(std::string_view wanted, const Json& json) {
    if constexpr (at == std::variant_size_v<SteeringCommand>) {
        return usageError(fmt::format("there is no command {}", quotation(wanted)));
    } else {
        using Command = std::variant_alternative_t<at, SteeringCommand>;
        if (wanted != command_fields::names[at]) {
            return namedFrom<at + 1>(wanted, json);
        }
        GKS_TRY_ASSIGN(Command command, objectFrom<Command>(json));
        return SteeringCommand(std::move(command));
    }
}

} // namespace

std::string_view commandName(const SteeringCommand& command) {
    return command_fields::names[command.index()];
}

OrderedJson commandJson(const SteeringCommand& command) {
    OrderedJson json = {{"name", commandName(command)}};
    json.update(std::visit([](const auto& one) { return objectOf(one); }, command));
    return json;
}

Result<SteeringCommand> commandFromJson(const Json& json) {
    const auto wanted = json.is_object() ? json.find("name") : json.end();
    if (wanted == json.end() || !wanted->is_string()) {
        return usageError("is no command", "steering");
    }
    const std::string called = wanted->get<std::string>();
    try {
        auto command = namedFrom(called, json);
        if (!command) {
            return usageError(command.error().what, "steering", command.error().next);
        }
        return command;
    } catch (const Json::exception&) { // within the parts of settings
        return usageError(fmt::format("a field of {} is of another type", quotation(called)), "steering");
    }
}

} // namespace gks
