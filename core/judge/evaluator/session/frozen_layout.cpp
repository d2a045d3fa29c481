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

class Frame {
public:
    explicit Frame(FrozenLayout& into) : m_into(into) {}

    const frozen::Region& add(std::string name, std::uint64_t dataBytes, std::uint64_t bandBehindBytes, bool isOutput) {
        std::uint64_t& segment = isOutput ? m_into.outputBytes : m_into.inputBytes;
        const std::uint64_t whole = upTo(runner::guardBytes + dataBytes + bandBehindBytes, endAlignment);
        frozen::Region region;
        region.name = std::move(name);
        region.bytes = upTo(whole, framePageBytes);
        region.address = m_next + frozen::guardBytes;
        region.offset = std::exchange(segment, segment + region.bytes);
        region.dataAddress = region.address + (region.bytes - whole) + runner::guardBytes;
        region.dataBytes = dataBytes;
        region.isOutput = isOutput;
        m_next = region.address + region.bytes + frozen::readableBytes + frozen::guardBytes;
        m_into.bandOffsets.push_back(region.offset + region.bytes - whole);
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
