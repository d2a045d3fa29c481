// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/architecture.h"
#include "core/hipcpu/runtime/device_properties.h"

// What the cpu target's device says of itself. The runtime asks here, and so does the capture library, which runs where
// no device is: a candidate's host code must get the same answers in both.
namespace gks::hipcpu {

struct DeviceSize {
    unsigned workers = 1; // its compute units
    std::size_t memoryBytes = 0;
    Architecture architecture = Architecture::gfx942;
};

inline constexpr int runtimeVersion = 5'02'21153;

void nameDevice(char* name, std::size_t capacity, const DeviceSize& size);
// False for a number that is no attribute.
bool answerAttribute(int attribute, const DeviceSize& size, int& value);
void fillProperties(DeviceProperties5& properties, const DeviceSize& size);
void fillProperties(DeviceProperties6& properties, const DeviceSize& size);

} // namespace gks::hipcpu
