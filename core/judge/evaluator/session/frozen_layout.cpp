// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/frozen_layout.h"

#include <utility>

namespace gks {
namespace {

constexpr std::uint64_t framePageBytes = 4096;
constexpr std::uint64_t endAlignment = 256; // as hipMalloc aligns the start of the next buffer

std::uint64_t upTo(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

// Everything lies at the same addresses whatever is mapped behind the data: nothing tells the phases apart.
class Frame {
public:
    explicit Frame(FrozenLayout& into) : m_into(into) {}

    const frozen::Region& add(std::string name, std::uint64_t dataBytes, std::uint64_t bandBehindBytes, bool isOutput) {
        std::uint64_t& segment = isOutput ? m_into.outputBytes : m_into.inputBytes;
        const std::uint64_t withBand = upTo(runner::guardBytes + dataBytes, endAlignment) + runner::guardBytes;
        const std::uint64_t placeBytes = upTo(withBand, framePageBytes);
        frozen::Region region;
        region.name = std::move(name);
        region.bytes = placeBytes - (runner::guardBytes - bandBehindBytes);
        region.address = m_next + frozen::guardBytes;
        region.offset = std::exchange(segment, segment + placeBytes);
        region.dataAddress = region.address + (placeBytes - withBand) + runner::guardBytes;
        region.dataBytes = dataBytes;
        region.isOutput = isOutput;
        m_next = region.address + placeBytes + frozen::readableBytes + frozen::guardBytes;
        m_into.bandOffsets.push_back(region.offset + placeBytes - withBand);
        return m_into.regions.emplace_back(std::move(region));
    }

private:
    FrozenLayout& m_into;
    std::uint64_t m_next = frozen::firstAddress;
};

} // namespace

FrozenLayout frozenLayoutOf(const ProblemPack& pack, const CaseLayout& layout, std::uint64_t workspaceBytes) {
    FrozenLayout frozen;
    Frame frame(frozen);
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        const frozen::Region& region =
            frame.add(pack.tensors[i].name, place.dataBytes, place.bandBehindBytes, place.isOutput != 0);
        frozen.addresses.tensors.push_back({region.name, region.dataAddress, region.dataBytes, region.isOutput});
    }
    if (workspaceBytes > 0) {
        frozen.addresses.workspace = frame.add("the workspace", workspaceBytes, runner::guardBytes, true).dataAddress;
        frozen.addresses.workspaceBytes = workspaceBytes;
    }
    return frozen;
}

} // namespace gks
