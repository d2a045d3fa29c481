// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/problem/problem.h"

#include <fmt/format.h>
#include <toml++/toml.h>

namespace gks {
namespace {

Result<double> peak(const toml::node& node, const std::filesystem::path& file) {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !(*value > 0)) {
        return usageError("a peak must be a positive number", fmt::format("{}:{}", file.string(), node.source().begin.line));
    }
    return *value;
}

Result<DevicePeaks> readPeaks(const toml::table& root, const std::filesystem::path& file) {
    DevicePeaks peaks;
    if (const toml::node* bandwidth = root.at_path("peaks.bytes_per_second").node()) {
        GKS_TRY_ASSIGN(peaks.bytesPerSecond, peak(*bandwidth, file));
    }
    for (int i = 0; i <= static_cast<int>(ElementType::i64); ++i) {
        const auto type = static_cast<ElementType>(i);
        if (const toml::node* flops = root["peaks"]["flops_per_second"][name(type)].node()) {
            GKS_TRY_ASSIGN(peaks.flopsPerSecond[type], peak(*flops, file));
        }
    }
    return peaks;
}

} // namespace

Result<DevicePeaks> devicePeaks(std::string_view architecture) {
    const std::filesystem::path file = resourceFolder() / "devices" / fmt::format("{}.toml", architecture);
    std::error_code ignored;
    if (architecture.find('/') != std::string_view::npos || !std::filesystem::exists(file, ignored)) {
        return DevicePeaks{};
    }
    GKS_TRY_ASSIGN(const std::string content, readFile(file));
    try {
        return readPeaks(toml::parse(content, file.string()), file);
    } catch (const toml::parse_error& error) {
        return usageError(std::string(error.description()), fmt::format("{}:{}", file.string(), error.source().begin.line));
    }
}

} // namespace gks
