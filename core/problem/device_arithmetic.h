// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <map>
#include <string>
#include <string_view>

// What stands behind the peaks of a device: that of f32 inputs may be of matrix cores which round them to tf32.
namespace gks {

struct DeviceArithmetic {
    std::map<ElementType, std::string> names;          // where it is not the type's own: f32 -> "tf32"
    std::map<ElementType, double> plainFlopsPerSecond; // of the type's own, there
    std::string nameOf(ElementType type) const;        // "tf32", else the type's name
    bool operator==(const DeviceArithmetic&) const = default;
};
// From resources/devices/<architecture>.toml, for a card with these peaks: it scales as they do. Nothing where there is
// no file.
DeviceArithmetic deviceArithmetic(std::string_view architecture, const DevicePeaks& peaks);

// The peaks that kernels of this pack can reach: where products may not be narrower than the inputs, the plain ones.
// For people; the judge's floor stays below what any trick can reach.
DevicePeaks reachablePeaks(const ProblemPack& pack, DevicePeaks peaks, const DeviceArithmetic& arithmetic);

} // namespace gks
