// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner/driver.h"

#include <array>

namespace gks::runner {

// The areas of runner_protocol.h: addresses that never change, with fresh memory behind them for every shape. Device
// code reads inputs, and reads and writes outputs. The staging area it reaches while that is open, which it is never
// when a plan runs: what inputs are drawn from, and behind that the memory of the inputs once more, to be written. So
// a call changes rights twice, with nothing mapped there that has to stay readable, and the rights of inputs never.
class DeviceMemory {
public:
    enum class Area { inputs, outputs, sources };
    using Sizes = std::array<std::uint64_t, 3>;

    explicit DeviceMemory(const Driver& driver) : m_driver(driver) {}
    // Once in a process. False with a sentence when the addresses are not to be had.
    bool reserve(std::string& error);
    // Everything before is gone. Staging is closed.
    Driver::Status map(const Sizes& bytes);
    Driver::Status openStaging() const { return setStaging(Driver::Rights::readAndWrite); }
    Driver::Status closeStaging() const { return setStaging(Driver::Rights::none); }
    // Where an address of an input is written.
    Driver::Address staged(Driver::Address input) const { return m_staged.begin + (input - of(Area::inputs).begin); }
    void unmapAll();
    // Whether these bytes lie within what is mapped there.
    bool contains(Area area, std::uint64_t address, std::uint64_t bytes) const;

private:
    struct Mapping {
        Driver::Address begin = 0;
        std::uint64_t bytes = 0;
        Driver::Memory memory = 0;
    };
    Driver::Status create(Area area, std::uint64_t bytes);
    Driver::Status setStaging(Driver::Rights rights) const;
    const Mapping& of(Area area) const { return m_mappings[static_cast<std::size_t>(area)]; }
    Mapping& of(Area area) { return m_mappings[static_cast<std::size_t>(area)]; }

    const Driver& m_driver;
    std::array<Mapping, 3> m_mappings;
    Mapping m_staged; // the memory of the inputs, behind the sources
};

} // namespace gks::runner
