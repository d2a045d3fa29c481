// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/driver.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

// What a card says of itself.
namespace gks::runner {
namespace {

// CUdevice_attribute
constexpr int cudaWarpSize = 10;
constexpr int cudaClockRateKhz = 13;
constexpr int cudaMultiprocessors = 16;
constexpr int cudaMemoryClockRateKhz = 36;
constexpr int cudaMemoryBusWidthBits = 37;
constexpr int cudaComputeCapabilityMajor = 75;
constexpr int cudaComputeCapabilityMinor = 76;
constexpr int cudaPageableMemoryAccess = 88;
constexpr int cudaMostLdsOfBlock = 97;
constexpr int cudaAttributeEnd = 160;
// hipDeviceAttribute_t, the same from HIP 5 on: what was taken out of the enumeration left its number behind.
constexpr int hipClockRateKhz = 5;
constexpr int hipMultiprocessors = 63;
constexpr int hipPageableMemoryAccess = 65;
constexpr int hipMostLdsOfBlock = 74;
constexpr int hipWarpSize = 87;

// The struct of device properties differs between versions of HIP; this is larger than any of them. The architecture is
// found in it by its text.
constexpr std::size_t propertiesBytes = 16384;
constexpr std::size_t nameBytes = 256;

std::string architectureIn(std::string_view bytes) {
    const std::size_t at = bytes.find("gfx");
    if (at == std::string_view::npos) {
        return {};
    }
    std::size_t end = at + 3;
    while (end < bytes.size() && std::isxdigit(static_cast<unsigned char>(bytes[end])) != 0) {
        ++end;
    }
    return std::string(bytes.substr(at, end - at));
}

} // namespace

bool Driver::reachesHostMemory() const {
    return attribute(cudaPageableMemoryAccess, hipPageableMemoryAccess, m_device) != 0;
}

int Driver::attribute(int cudaNumber, int hipNumber, int device) const {
    int value = 0;
    return m_attribute(&value, m_isCuda ? cudaNumber : hipNumber, device) == 0 ? value : 0;
}

Driver::Properties Driver::properties(int device) const {
    Properties properties;
    std::array<char, nameBytes> text{};
    if (m_name(text.data(), static_cast<int>(text.size()) - 1, device) == 0) {
        properties.name = text.data();
    }
    if (m_isCuda) {
        properties.architecture = "sm_" + std::to_string(attribute(cudaComputeCapabilityMajor, 0, device)) +
                                  std::to_string(attribute(cudaComputeCapabilityMinor, 0, device));
        // AMD's cards move four bits a clock and wire, or two: the formula does not hold for them.
        properties.memoryBytesPerSecond =
            2e3 * attribute(cudaMemoryClockRateKhz, 0, device) * attribute(cudaMemoryBusWidthBits, 0, device) / 8;
        for (int number = 1; number < cudaAttributeEnd; ++number) {
            if (int value = 0; m_attribute(&value, number, device) == 0) {
                properties.attributes[number] = value;
            }
        }
    } else if (m_hipProperties != nullptr) {
        std::vector<char> bytes(propertiesBytes, 0);
        if (m_hipProperties(bytes.data(), device) == 0) {
            properties.architecture = architectureIn({bytes.data() + nameBytes, bytes.size() - nameBytes});
        }
    }
    text = {};
    if (m_busId(text.data(), static_cast<int>(text.size()) - 1, device) == 0) {
        properties.busId = text.data();
    }
    if (m_version != nullptr) {
        m_version(&properties.driverVersion);
    }
    std::size_t memoryBytes = 0;
    m_totalMemory(&memoryBytes, device);
    properties.facts.units = std::max(0, attribute(cudaMultiprocessors, hipMultiprocessors, device));
    properties.facts.waveSize = std::max(0, attribute(cudaWarpSize, hipWarpSize, device));
    properties.facts.clockHz = std::max(0, attribute(cudaClockRateKhz, hipClockRateKhz, device)) * 1e3;
    properties.facts.ldsBytes = std::max(0, attribute(cudaMostLdsOfBlock, hipMostLdsOfBlock, device));
    properties.facts.memoryBytes = static_cast<double>(memoryBytes);
    return properties;
}

} // namespace gks::runner
