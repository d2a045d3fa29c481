// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/plan_json.h"

#include "core/base/text.h"
#include "core/judge/plan/strict_fields.h"

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

Json write(const std::vector<PlacedMap>& maps) {
    Json list = Json::array();
    for (const PlacedMap& placed : maps) {
        const TensorMap& map = placed.map;
        list.push_back({{"argument", placed.argument},
                        {"offset", placed.offset},
                        {"type", map.type},
                        {"address", addressText(map.address)},
                        {"extents", map.extents},
                        {"strides", map.strides},
                        {"box", map.box},
                        {"steps", map.steps},
                        {"interleave", map.interleave},
                        {"swizzle", map.swizzle},
                        {"promotion", map.promotion},
                        {"fill", map.fill}});
    }
    return list;
}

constexpr std::uint64_t anyNumber = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t anyShortNumber = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t dimensionLimit = 5;

Result<PlacedMap> readMap(const Json& json, const std::string& where) {
    PlacedMap placed;
    TensorMap& map = placed.map;
    StrictFields fields(json, where);
    fields.number("argument", placed.argument, planArgumentLimit - 1);
    fields.number("offset", placed.offset, planHostBytesLimit);
    fields.number("type", map.type);
    fields.address("address", map.address);
    fields.numbers("extents", map.extents, dimensionLimit, anyNumber);
    fields.numbers("strides", map.strides, dimensionLimit, anyNumber);
    fields.numbers("box", map.box, dimensionLimit, anyShortNumber);
    fields.numbers("steps", map.steps, dimensionLimit, anyShortNumber);
    fields.number("interleave", map.interleave);
    fields.number("swizzle", map.swizzle);
    fields.number("promotion", map.promotion);
    fields.number("fill", map.fill);
    GKS_TRY(fields.finish());
    return placed;
}

void readMaps(StrictFields& fields, std::vector<PlacedMap>& into) {
    const Json* const list = fields.list("maps", planTensorMapLimit);
    if (const auto read = readEach(list, "launch plan", "tensor map", into, readMap); !read) {
        fields.fail(read.error());
    }
}

Json write(const KernelLaunch& launch) {
    Json arguments = Json::array();
    for (const PlanBytes& argument : launch.arguments) {
        arguments.push_back(hexText(argument));
    }
    return {{"kernel", launch.kernel},
            {"grid", launch.grid},
            {"block", launch.block},
            {"dynamic_lds_bytes", launch.dynamicLdsBytes},
            {"cooperative", launch.attributes.cooperative},
            {"cluster", launch.attributes.cluster},
            {"cluster_policy", launch.attributes.clusterPolicy},
            {"programmatic_serialization", launch.attributes.programmaticSerialization},
            {"carveout_percent", launch.attributes.carveoutPercent},
            {"arguments", std::move(arguments)},
            {"maps", write(launch.maps)}};
}

void read(StrictFields& fields, KernelLaunch& launch) {
    fields.text("kernel", launch.kernel, planSymbolLimitBytes);
    fields.extent("grid", launch.grid);
    fields.extent("block", launch.block);
    fields.number("dynamic_lds_bytes", launch.dynamicLdsBytes);
    fields.flag("cooperative", launch.attributes.cooperative);
    fields.extent("cluster", launch.attributes.cluster);
    fields.number("cluster_policy", launch.attributes.clusterPolicy);
    fields.flag("programmatic_serialization", launch.attributes.programmaticSerialization);
    fields.number("carveout_percent", launch.attributes.carveoutPercent);
    readMaps(fields, launch.maps);
    const Json* const arguments = fields.list("arguments", planArgumentLimit);
    std::size_t bytes = 0;
    for (std::size_t i = 0; arguments != nullptr && i < arguments->size(); ++i) {
        const Json& argument = (*arguments)[i];
        PlanBytes value;
        if (!argument.is_string() || !bytesFromHex(argument.get_ref<const std::string&>(), value)) {
            return fields.fail("arguments", "does not hold bytes as pairs of hexadecimal digits");
        }
        bytes += value.size();
        launch.arguments.push_back(std::move(value));
    }
    if (bytes > planArgumentLimitBytes) {
        fields.fail("arguments", fmt::format("holds too much ({} bytes, limit {})", bytes, planArgumentLimitBytes));
    }
}

Json write(const DeviceFill& fill) {
    return {{"to", addressText(fill.to)},
            {"value", fill.value},
            {"element_bytes", fill.elementBytes},
            {"count", fill.count}};
}

void read(StrictFields& fields, DeviceFill& fill) {
    fields.address("to", fill.to);
    fields.number("value", fill.value);
    fields.number("element_bytes", fill.elementBytes);
    fields.number("count", fill.count);
}

Json write(const DeviceCopy& copy) {
    return {{"to", addressText(copy.to)},          {"from", addressText(copy.from)},
            {"row_bytes", copy.rowBytes},          {"rows", copy.rows},
            {"to_pitch_bytes", copy.toPitchBytes}, {"from_pitch_bytes", copy.fromPitchBytes}};
}

void read(StrictFields& fields, DeviceCopy& copy) {
    fields.address("to", copy.to);
    fields.address("from", copy.from);
    fields.number("row_bytes", copy.rowBytes);
    fields.number("rows", copy.rows);
    fields.number("to_pitch_bytes", copy.toPitchBytes);
    fields.number("from_pitch_bytes", copy.fromPitchBytes);
}

Json write(const HostWrite& one) {
    return {{"to", addressText(one.to)}, {"bytes", hexText(one.bytes)}, {"maps", write(one.maps)}};
}

void read(StrictFields& fields, HostWrite& write) {
    fields.address("to", write.to);
    fields.bytes("bytes", write.bytes, planHostBytesLimit);
    readMaps(fields, write.maps);
}

Json write(const SymbolCopy& copy) {
    return {{"symbol", copy.symbol},
            {"offset", copy.offset},
            {"address", addressText(copy.address)},
            {"size_bytes", copy.bytes},
            {"to_symbol", copy.toSymbol}};
}

void read(StrictFields& fields, SymbolCopy& copy) {
    fields.text("symbol", copy.symbol, planSymbolLimitBytes);
    fields.number("offset", copy.offset);
    fields.address("address", copy.address);
    fields.number("size_bytes", copy.bytes);
    fields.flag("to_symbol", copy.toSymbol);
}

Json write(const SymbolWrite& one) {
    return {{"symbol", one.symbol}, {"offset", one.offset}, {"bytes", hexText(one.bytes)}, {"maps", write(one.maps)}};
}

void read(StrictFields& fields, SymbolWrite& write) {
    fields.text("symbol", write.symbol, planSymbolLimitBytes);
    fields.number("offset", write.offset);
    fields.bytes("bytes", write.bytes, planHostBytesLimit);
    readMaps(fields, write.maps);
}

Json write(const EventRecord& record) {
    return {{"event", record.event}};
}

void read(StrictFields& fields, EventRecord& record) {
    fields.number("event", record.event, planEventLimit - 1);
}

Json write(const EventWait& wait) {
    return {{"event", wait.event}};
}

void read(StrictFields& fields, EventWait& wait) {
    fields.number("event", wait.event, planEventLimit - 1);
}

template<std::size_t kind = 0>
bool chooseAction(std::string_view called, PlanAction& action) {
    if constexpr (kind == std::variant_size_v<PlanAction>) {
        return false;
    } else {
        PlanAction candidate(std::in_place_index<kind>);
        if (name(candidate) != called) {
            return chooseAction<kind + 1>(called, action);
        }
        action = std::move(candidate);
        return true;
    }
}

Result<PlanOperation> readOperation(const Json& json, const std::string& where) {
    PlanOperation operation;
    StrictFields fields(json, where);
    std::string called;
    fields.text("op", called, 32);
    fields.number("stream", operation.stream, planStreamLimit - 1);
    fields.address("at", operation.place);
    if (chooseAction(called, operation.action)) {
        std::visit([&](auto& action) { read(fields, action); }, operation.action);
    } else {
        fields.fail("op", "names no operation");
    }
    GKS_TRY(fields.finish());
    return operation;
}

Result<PlanStream> readStream(const Json& json, const std::string& where) {
    PlanStream stream;
    StrictFields fields(json, where);
    fields.number("priority", stream.priority);
    fields.choice("kind", stream.kind,
                  {StreamKind::solve, StreamKind::legacy, StreamKind::blocking, StreamKind::nonBlocking},
                  "kind of stream");
    GKS_TRY(fields.finish());
    return stream;
}

} // namespace

Json toJson(const LaunchPlan& plan) {
    Json streams = Json::array();
    for (const PlanStream& stream : plan.streams) {
        streams.push_back({{"kind", name(stream.kind)}, {"priority", stream.priority}});
    }
    Json operations = Json::array();
    for (const PlanOperation& operation : plan.operations) {
        Json json = std::visit([](const auto& action) { return write(action); }, operation.action);
        json["op"] = name(operation.action);
        json["stream"] = operation.stream;
        json["at"] = addressText(operation.place);
        operations.push_back(std::move(json));
    }
    return {{"version", planVersion}, {"streams", std::move(streams)}, {"operations", std::move(operations)}};
}

Result<LaunchPlan> planFromJson(const Json& json, const std::string& where) {
    LaunchPlan plan;
    plan.streams.clear();
    StrictFields fields(json, where);
    fields.version(planVersion);
    const Json* const streams = fields.list("streams", planStreamLimit);
    const Json* const operations = fields.list("operations", planStreamLimit * planStreamOperationLimit);
    GKS_TRY(fields.finish());
    GKS_TRY(readEach(streams, where, "stream", plan.streams, readStream));
    GKS_TRY(readEach(operations, where, "operation", plan.operations, readOperation));
    return plan;
}

Result<LaunchPlan> planFromText(std::string_view text, const std::string& where) {
    GKS_TRY_ASSIGN(const Json json, parseHostileJson(text, planTextLimitBytes, where));
    return planFromJson(json, where);
}

} // namespace gks
