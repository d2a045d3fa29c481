// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>

namespace gks {

// What host code gets to know about the device while it is planned. Given up front: there is no device where a plan is
// made.
struct DeviceAnswers {
    std::string name;
    std::uint32_t computeUnits = 1;
    std::uint64_t memoryBytes = 0;
    std::int32_t driverVersion = 0;                  // as cuDriverGetVersion() says it: 13000
    std::map<std::int32_t, std::int32_t> attributes; // nvidia: by the number of the CUdevice_attribute
    // nvidia: how many clusters of so many blocks are active at a time when each block has a multiprocessor to itself
    // (cuOccupancyMaxActiveClusters). Where a size is missing it is reckoned from the number of multiprocessors.
    std::map<std::int32_t, std::int32_t> clusters;
    std::string architecture = {}; // cpu: which one it plays

    bool operator==(const DeviceAnswers&) const = default;
};

Json toJson(const DeviceAnswers& device);
Result<DeviceAnswers> deviceAnswersFromJson(const Json& json, const std::string& where);

// What the common card of a target says of itself, for planning where there is none: an MI300X, an H200.
DeviceAnswers commonMi300x();
DeviceAnswers commonH200();

} // namespace gks
