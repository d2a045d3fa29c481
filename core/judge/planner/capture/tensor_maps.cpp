// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/tensor_maps.h"

#include <algorithm>
#include <cstring>

namespace gks::capture {
namespace {

constexpr std::array<std::uint8_t, 16> mark = {'g', 'k', 's', ' ', 't', 'e', 'n', 's',
                                               'o', 'r', ' ', 'm', 'a', 'p', 1,   0};
constexpr std::size_t mapAlignmentBytes = 64; // of CUtensorMap

} // namespace

MapBytes markedMap(std::uint32_t number) {
    MapBytes bytes{};
    std::ranges::copy(mark, bytes.begin());
    std::memcpy(bytes.data() + mark.size(), &number, sizeof number);
    return bytes;
}

std::optional<std::uint32_t> markedNumber(const std::uint8_t* bytes) {
    if (!std::equal(mark.begin(), mark.end(), bytes)) {
        return std::nullopt;
    }
    std::uint32_t number = 0;
    std::memcpy(&number, bytes + mark.size(), sizeof number);
    return number;
}

std::vector<PlacedMap> takeMaps(const Recorder& recorder, PlanBytes& bytes) {
    std::vector<PlacedMap> found;
    for (std::size_t at = 0; at + tensorMapBytes <= bytes.size();) {
        const auto number = markedNumber(&bytes[at]);
        const TensorMap* const map = number ? recorder.map(*number) : nullptr;
        if (map == nullptr) {
            at += mapAlignmentBytes;
            continue;
        }
        found.push_back({0, static_cast<std::uint32_t>(at), *map});
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), tensorMapBytes, std::uint8_t{0});
        at += tensorMapBytes;
    }
    return found;
}

} // namespace gks::capture
