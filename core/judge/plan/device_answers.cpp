// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/device_answers.h"

#include "core/judge/plan/strict_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t deviceNameLimitBytes = 255;
constexpr std::size_t attributeLimit = 1024;

using Pairs = std::map<std::int32_t, std::int32_t>;

Json write(const Pairs& pairs) {
    Json list = Json::array();
    for (const auto& [key, value] : pairs) {
        list.push_back({key, value});
    }
    return list;
}

void read(StrictFields& fields, const char* key, Pairs& into) {
    const Json* const list = fields.list(key, attributeLimit);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const Json& pair = (*list)[i];
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_number_integer()) {
            return fields.fail(key, "does not hold pairs of whole numbers");
        }
        into[pair[0].get<std::int32_t>()] = pair[1].get<std::int32_t>();
    }
}

} // namespace

Json toJson(const DeviceAnswers& device) {
    return {{"name", device.name},
            {"compute_units", device.computeUnits},
            {"memory_bytes", device.memoryBytes},
            {"driver_version", device.driverVersion},
            {"attributes", write(device.attributes)},
            {"clusters", write(device.clusters)},
            {"architecture", device.architecture}};
}

Result<DeviceAnswers> deviceAnswersFromJson(const Json& json, const std::string& where) {
    DeviceAnswers device;
    StrictFields fields(json, where);
    fields.text("name", device.name, deviceNameLimitBytes);
    fields.number("compute_units", device.computeUnits);
    fields.number("memory_bytes", device.memoryBytes);
    fields.number("driver_version", device.driverVersion);
    read(fields, "attributes", device.attributes);
    read(fields, "clusters", device.clusters);
    fields.text("architecture", device.architecture, deviceNameLimitBytes);
    GKS_TRY(fields.finish());
    return device;
}

DeviceAnswers commonMi300x() {
    constexpr std::uint32_t computeUnits = 304;
    constexpr std::uint64_t memoryBytes = std::uint64_t{192} << 30;
    return {"AMD Instinct MI300X", computeUnits, memoryBytes, 0, {}, {}};
}

DeviceAnswers commonH200() {
    constexpr std::uint32_t multiprocessors = 132;
    constexpr std::uint64_t memoryBytes = 150'000'000'000;
    constexpr std::int32_t driver = 13000;
    constexpr std::int32_t most = 2147483647;
    return {"NVIDIA H200",
            multiprocessors,
            memoryBytes,
            driver,
            // By CUdevice_attribute: threads of a block, its edges, the grid's edges, LDS of a block, constants, warp,
            // pitch, registers of a block, clock, ...
            {{1, 1024},    {2, 1024},       {3, 1024},        {4, 64},    {5, most},     {6, 65535},    {7, 65535},
             {8, 49152},   {9, 65536},      {10, 32},         {11, most}, {12, 65536},   {13, 1980000}, {14, 512},
             {15, 1},      {16, 132},       {17, 0},          {18, 0},    {19, 1},       {20, 0},       {31, 1},
             {32, 1},      {33, 0},         {34, 0},          {35, 0},    {36, 3201000}, {37, 6144},    {38, 62914560},
             {39, 2048},   {40, 3},         {41, 1},          {75, 9},    {76, 0},       {78, 1},       {79, 1},
             {80, 1},      {81, 233472},    {82, 65536},      {83, 1},    {84, 0},       {85, 0},       {86, 1},
             {87, 2},      {88, 1},         {89, 1},          {90, 1},    {91, 1},       {95, 1},       {96, 0},
             {97, 232448}, {98, 1},         {99, 1},          {100, 0},   {101, 0},      {102, 1},      {103, 1},
             {106, 32},    {108, 39321600}, {109, 134213632}, {110, 0},   {111, 1024},   {115, 1},      {116, 1},
             {119, 9},     {120, 1},        {121, 1},         {122, 0},   {123, 1},      {127, 1},      {128, 1}},
            {{1, 132}, {2, 66}, {4, 32}, {8, 16}, {16, 8}}};
}

} // namespace gks
