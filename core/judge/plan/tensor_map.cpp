// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/tensor_map.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gks {
namespace {

constexpr std::size_t mostDimensions = 5;
constexpr std::uint64_t extentLimit = std::uint64_t{1} << 32;
constexpr std::uint64_t strideLimit = std::uint64_t{1} << 40;
constexpr std::uint32_t boxLimit = 256;
constexpr std::uint32_t stepLimit = 8;
constexpr std::uint64_t unitBytes = 16; // of addresses, strides and the inner edge of a box

// CUtensorMapDataType. The packed types of four and six bits say their box in elements of half a byte or a byte.
constexpr std::array<std::uint64_t, 13> elementBits = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32};

// Of the inner edge of a box: CUtensorMapSwizzle from 32 B to 128 B, and its forms with other atoms.
std::uint64_t widthOf(std::uint32_t swizzle) {
    constexpr std::array<std::uint64_t, 7> widths = {
        std::numeric_limits<std::uint64_t>::max(), 32, 64, 128, 128, 128, 128};
    return swizzle < widths.size() ? widths[swizzle] : 0;
}

} // namespace

bool isSoundTensorMap(const TensorMap& map) {
    const std::size_t dimensions = map.extents.size();
    if (dimensions == 0 || dimensions > mostDimensions || map.strides.size() + 1 != dimensions ||
        map.box.size() != dimensions || map.steps.size() != dimensions || map.type >= elementBits.size() ||
        map.interleave > 2 || map.promotion > 3 || map.fill > 1 || map.address == 0) {
        return false;
    }
    const bool isInterleaved = map.interleave != 0;
    const std::uint64_t unit = map.interleave == 2 ? 2 * unitBytes : unitBytes;
    const auto within = [](const auto& values, std::uint64_t most) {
        return std::all_of(values.begin(), values.end(), [most](std::uint64_t v) { return v != 0 && v <= most; });
    };
    const bool hasStrides = std::all_of(map.strides.begin(), map.strides.end(), [unit](std::uint64_t stride) {
        return stride % unit == 0 && stride < strideLimit;
    });
    if (map.address % unit != 0 || !hasStrides || !within(map.extents, extentLimit) || !within(map.box, boxLimit) ||
        !within(map.steps, stepLimit)) {
        return false;
    }
    if (isInterleaved) {
        return dimensions >= 3 && (map.interleave != 2 || map.swizzle == 1);
    }
    const std::uint64_t inner = map.box.front() * elementBits[map.type] / 8;
    return inner % unitBytes == 0 && inner <= widthOf(map.swizzle);
}

std::optional<std::uint64_t> spanOf(const TensorMap& map) {
    // Extents have 33 bits and strides 40: four products and the rest fit into 80, so each step is asked.
    std::uint64_t bytes = map.extents.front() * elementBits[map.type] / 8;
    for (std::size_t i = 1; i < map.extents.size(); ++i) {
        const std::uint64_t steps = map.extents[i] - 1;
        const std::uint64_t stride = map.strides[i - 1];
        if (stride != 0 && steps > (std::numeric_limits<std::uint64_t>::max() - bytes) / stride) {
            return std::nullopt;
        }
        bytes += steps * stride;
    }
    return bytes;
}

} // namespace gks
