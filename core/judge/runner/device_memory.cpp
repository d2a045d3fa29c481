// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/device_memory.h"

#include "core/judge/runner/runner_protocol.h"

namespace gks::runner {

// One reservation for all: a driver keeps the wished address of a large one, not of a small one.
bool DeviceMemory::reserve(std::string& error) {
    Driver::Address address = 0;
    if (const Driver::Status status = m_driver.reserve(address, reservedBytes, inputArea); status != 0) {
        error = "addresses cannot be reserved on the device: " + m_driver.errorText(status);
        return false;
    }
    if (address != inputArea) {
        error = "the driver does not give the addresses that plans are made for";
        return false;
    }
    m_mappings[static_cast<std::size_t>(Area::inputs)].begin = inputArea;
    m_mappings[static_cast<std::size_t>(Area::outputs)].begin = outputArea;
    m_mappings[static_cast<std::size_t>(Area::sources)].begin = sourceArea;
    return true;
}

void DeviceMemory::unmap(Mapping& mapping) {
    if (mapping.bytes > 0) {
        m_driver.unmap(mapping.begin, mapping.bytes);
        m_driver.release(mapping.memory);
        mapping.bytes = 0;
    }
}

void DeviceMemory::unmapAll() {
    for (Mapping& mapping : m_mappings) {
        unmap(mapping);
    }
}

Driver::Status DeviceMemory::map(Area area, std::uint64_t bytes) {
    Mapping& mapping = m_mappings[static_cast<std::size_t>(area)];
    unmap(mapping);
    const std::uint64_t whole = (bytes + mapStepBytes - 1) / mapStepBytes * mapStepBytes;
    if (whole == 0) {
        return 0;
    }
    if (const Driver::Status status = m_driver.create(mapping.memory, whole); status != 0) {
        return status;
    }
    if (const Driver::Status status = m_driver.map(mapping.begin, whole, mapping.memory); status != 0) {
        m_driver.release(mapping.memory);
        return status;
    }
    mapping.bytes = whole;
    return setRights(area, Driver::Rights::readAndWrite);
}

Driver::Status DeviceMemory::setRights(Area area, Driver::Rights rights) const {
    return of(area).bytes == 0 ? 0 : m_driver.setRights(of(area).begin, of(area).bytes, rights);
}

bool DeviceMemory::contains(Area area, std::uint64_t address, std::uint64_t bytes) const {
    const Mapping& mapping = of(area);
    return address >= mapping.begin && bytes <= mapping.bytes && address - mapping.begin <= mapping.bytes - bytes;
}

} // namespace gks::runner
