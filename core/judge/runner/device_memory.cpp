// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/device_memory.h"

#include "core/judge/runner/runner_protocol.h"

#include <utility>

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
    of(Area::inputs).begin = inputArea;
    of(Area::outputs).begin = outputArea;
    of(Area::sources).begin = sourceArea;
    return true;
}

void DeviceMemory::unmapAll() {
    if (m_staged.bytes > 0) {
        m_driver.unmap(m_staged.begin, std::exchange(m_staged.bytes, 0));
    }
    for (Mapping& mapping : m_mappings) {
        if (mapping.bytes > 0) {
            m_driver.unmap(mapping.begin, mapping.bytes);
            m_driver.release(mapping.memory);
            mapping.bytes = 0;
        }
    }
}

Driver::Status DeviceMemory::create(Area area, std::uint64_t bytes) {
    Mapping& mapping = of(area);
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
    return 0;
}

Driver::Status DeviceMemory::map(const Sizes& bytes) {
    unmapAll();
    for (const Area area : {Area::inputs, Area::outputs, Area::sources}) {
        if (const Driver::Status status = create(area, bytes[static_cast<std::size_t>(area)]); status != 0) {
            return status;
        }
    }
    const Mapping& inputs = of(Area::inputs);
    const Mapping& outputs = of(Area::outputs);
    Driver::Status status = 0;
    if (inputs.bytes > 0) {
        m_staged.begin = sourceArea + of(Area::sources).bytes;
        status = m_driver.map(m_staged.begin, inputs.bytes, inputs.memory);
        m_staged.bytes = status == 0 ? inputs.bytes : 0;
        status = status != 0 ? status : m_driver.setRights(inputs.begin, inputs.bytes, Driver::Rights::read);
    }
    if (status == 0 && outputs.bytes > 0) {
        status = m_driver.setRights(outputs.begin, outputs.bytes, Driver::Rights::readAndWrite);
    }
    return status != 0 ? status : closeStaging();
}

Driver::Status DeviceMemory::setStaging(Driver::Rights rights) const {
    const Mapping& sources = of(Area::sources);
    if (m_driver.setsRightsAcrossMappings() && sources.bytes > 0) {
        return m_driver.setRights(sources.begin, sources.bytes + m_staged.bytes, rights);
    }
    const Driver::Status status = sources.bytes == 0 ? 0 : m_driver.setRights(sources.begin, sources.bytes, rights);
    return status != 0 || m_staged.bytes == 0 ? status : m_driver.setRights(m_staged.begin, m_staged.bytes, rights);
}

bool DeviceMemory::contains(Area area, std::uint64_t address, std::uint64_t bytes) const {
    const Mapping& mapping = of(area);
    return address >= mapping.begin && bytes <= mapping.bytes && address - mapping.begin <= mapping.bytes - bytes;
}

} // namespace gks::runner
