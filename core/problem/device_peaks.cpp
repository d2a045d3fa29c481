// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <fmt/format.h>
#include <toml++/toml.h>

namespace gks {
namespace {

Result<double> peak(const toml::node& node, const std::filesystem::path& file) {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !(*value > 0)) {
        return usageError("a peak must be a positive number",
                          fmt::format("{}:{}", file.string(), node.source().begin.line));
    }
    return *value;
}

Result<ElementType> elementType(const toml::node& node, const std::filesystem::path& file) {
    const std::optional<ElementType> type = elementTypeFromName(node.value_or(std::string_view()));
    if (!type) {
        return usageError("an exact sum must name an element type",
                          fmt::format("{}:{}", file.string(), node.source().begin.line));
    }
    return *type;
}

// The entry of a card by the name that it is sold under; an empty one for that which the file describes.
toml::table modelOf(const toml::table& root, std::string_view name) {
    if (const toml::array* models = root["model"].as_array()) {
        for (const toml::node& node : *models) {
            const toml::table* model = node.as_table();
            const auto sold = model != nullptr ? (*model)["name"].value<std::string_view>() : std::nullopt;
            if (sold && !sold->empty() && name.find(*sold) != std::string_view::npos) {
                return *model;
            }
        }
    }
    return {};
}

Result<DevicePeaks> readPeaks(const toml::table& root, const std::filesystem::path& file, const DeviceRates& rates) {
    DevicePeaks peaks;
    const toml::table model = modelOf(root, rates.name);
    if (const toml::node* bandwidth = root.at_path("peaks.bytes_per_second").node()) {
        GKS_TRY_ASSIGN(peaks.bytesPerSecond, peak(*bandwidth, file));
    }
    for (int i = 0; i <= static_cast<int>(ElementType::i64); ++i) {
        const auto type = static_cast<ElementType>(i);
        if (const toml::node* flops = root["peaks"]["flops_per_second"][name(type)].node()) {
            GKS_TRY_ASSIGN(peaks.flopsPerSecond[type], peak(*flops, file));
        }
        if (const toml::node* exact = root["exact_sums"][name(type)].node()) {
            GKS_TRY_ASSIGN(peaks.exactSums[type], elementType(*exact, file));
        }
    }
    for (const char* cache : {"memory.l2_bytes", "memory.infinity_cache_bytes"}) {
        if (const toml::node* bytes = root.at_path(cache).node()) {
            GKS_TRY_ASSIGN(const double size, peak(*bytes, file));
            peaks.cacheBytes = std::max(peaks.cacheBytes, size);
        }
    }
    if (const toml::node* bandwidth = model["bytes_per_second"].node()) {
        GKS_TRY_ASSIGN(peaks.bytesPerSecond, peak(*bandwidth, file));
    }
    const double units = root.at_path("occupancy.compute_units").value_or(0.0);
    const double clockHz = root.at_path("occupancy.clock_hz").value_or(0.0);
    const double unitsThere = rates.computeUnits > 0 ? rates.computeUnits : model["compute_units"].value_or(units);
    const double clockHzThere = rates.clockHz > 0 ? rates.clockHz : clockHz;
    if (units * clockHz > 0) {
        for (auto& [type, flops] : peaks.flopsPerSecond) {
            flops *= unitsThere * clockHzThere / (units * clockHz);
        }
    }
    if (rates.memoryBytesPerSecond > 0) {
        peaks.bytesPerSecond = rates.memoryBytesPerSecond;
    }
    return peaks;
}

} // namespace

Result<DevicePeaks> devicePeaks(std::string_view architecture, const DeviceRates& rates) {
    const std::filesystem::path file = resourceFolder() / "devices" / fmt::format("{}.toml", architecture);
    std::error_code ignored;
    if (architecture.find('/') != std::string_view::npos || !std::filesystem::exists(file, ignored)) {
        return DevicePeaks{};
    }
    GKS_TRY_ASSIGN(const std::string content, readFile(file));
    try {
        return readPeaks(toml::parse(content, file.string()), file, rates);
    } catch (const toml::parse_error& error) {
        return usageError(std::string(error.description()),
                          fmt::format("{}:{}", file.string(), error.source().begin.line));
    }
}

} // namespace gks
