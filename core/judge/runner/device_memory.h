// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner/driver.h"

#include <array>

namespace gks::runner {

// The areas of runner_protocol.h: addresses that never change, with fresh memory behind them for every shape.
class DeviceMemory {
public:
    enum class Area { inputs, outputs, sources };

    explicit DeviceMemory(const Driver& driver) : m_driver(driver) {}
    // Once in a process. False with a sentence when the addresses are not to be had.
    bool reserve(std::string& error);
    // Everything before is gone. The memory can be read and written.
    Driver::Status map(Area area, std::uint64_t bytes);
    Driver::Status setRights(Area area, Driver::Rights rights) const;
    void unmapAll();
    // Whether these bytes lie within what is mapped there.
    bool contains(Area area, std::uint64_t address, std::uint64_t bytes) const;

private:
    struct Mapping {
        Driver::Address begin = 0;
        std::uint64_t bytes = 0;
        Driver::Memory memory = 0;
    };
    void unmap(Mapping& mapping);
    const Mapping& of(Area area) const { return m_mappings[static_cast<std::size_t>(area)]; }

    const Driver& m_driver;
    std::array<Mapping, 3> m_mappings;
};

} // namespace gks::runner
