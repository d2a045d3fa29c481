// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/gpu_layout.h"

#include <algorithm>

namespace gks {

SetAddresses gpuAddressesOf(const ProblemPack& pack, const CaseLayout& layout, std::uint64_t workspaceBytes) {
    SetAddresses addresses;
    std::uint64_t end = runner::outputArea;
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        addresses.tensors.push_back({pack.tensors[i].name, place.address, place.dataBytes, place.isOutput != 0});
        if (place.isOutput != 0) {
            end = std::max(end, runner::nextOnDevice(place.address, place.dataBytes));
        }
    }
    if (workspaceBytes > 0) {
        addresses.workspace = end + runner::guardBytes;
        addresses.workspaceBytes = workspaceBytes;
    }
    return addresses;
}

std::uint64_t gpuReservedBytes() {
    return 2 * runner::areaBytes;
}

} // namespace gks
