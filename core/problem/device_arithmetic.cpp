// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/device_arithmetic.h"

#include "core/base/files.h"
#include "core/base/locations.h"

#include <fmt/format.h>
#include <toml++/toml.h>

namespace gks {

std::string DeviceArithmetic::nameOf(ElementType type) const {
    const auto other = names.find(type);
    return other == names.end() ? std::string(name(type)) : other->second;
}

DeviceArithmetic deviceArithmetic(std::string_view architecture, const DevicePeaks& peaks) {
    DeviceArithmetic arithmetic;
    const auto described = devicePeaks(architecture);
    const auto content = architecture.find('/') == std::string_view::npos
                             ? readFile(resourceFolder() / "devices" / fmt::format("{}.toml", architecture))
                             : usageError("is no architecture", std::string(architecture));
    if (!content || !described) {
        return arithmetic;
    }
    const toml::table root = toml::parse(*content); // devicePeaks() has read it
    for (const auto& [type, rate] : peaks.flopsPerSecond) {
        if (const auto other = root["peaks"]["arithmetic"][name(type)].value<std::string>()) {
            arithmetic.names[type] = *other;
        }
        const double plain = root["peaks"]["plain_flops_per_second"][name(type)].value_or(0.0);
        const auto whole = described->flopsPerSecond.find(type);
        if (plain > 0 && whole != described->flopsPerSecond.end() && whole->second > 0) {
            arithmetic.plainFlopsPerSecond[type] = plain * rate / whole->second;
        }
    }
    return arithmetic;
}

DevicePeaks reachablePeaks(const ProblemPack& pack, DevicePeaks peaks, const DeviceArithmetic& arithmetic) {
    const std::optional<ElementType> input = pack.firstInputType();
    const auto plain = input ? arithmetic.plainFlopsPerSecond.find(*input) : arithmetic.plainFlopsPerSecond.end();
    if (plain != arithmetic.plainFlopsPerSecond.end() && pack.multiplyType() == input) {
        peaks.flopsPerSecond[*input] = plain->second;
    }
    return peaks;
}

} // namespace gks
