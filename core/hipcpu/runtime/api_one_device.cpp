// SPDX-License-Identifier: GPL-3.0-or-later
// What host code asks and says of a device besides its properties, where there is one device and nothing of it can be
// chosen: answers are those of a card that leaves no choice either.
#include "core/hipcpu/runtime/device_answers.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"

#include <algorithm>
#include <cstring>
#include <iterator>

using namespace gks::hipcpu;

namespace {

constexpr const char busAddress[] = "0000:00:00.0";
constexpr std::size_t stackLimitBytes = 1024;
constexpr std::size_t printLimitBytes = std::size_t{1} << 20;
constexpr std::size_t heapLimitBytes = std::size_t{4} << 20;

HipError answer(int device, bool isAsked) {
    return remember(device != 0 ? hipErrorInvalidDevice : isAsked ? hipSuccess : hipErrorInvalidValue);
}

} // namespace

HipError hipDeviceGet(int* device, int ordinal) {
    if (device && ordinal == 0) {
        *device = 0;
    }
    return answer(ordinal, device != nullptr);
}

HipError hipDeviceTotalMem(std::size_t* sizeBytes, int device) {
    std::size_t freeBytes = 0;
    if (sizeBytes && device == 0) {
        (void)hipMemGetInfo(&freeBytes, sizeBytes);
    }
    return answer(device, sizeBytes != nullptr);
}

HipError hipDeviceComputeCapability(int* major, int* minor, int device) {
    if (major && minor && device == 0) {
        DeviceProperties6 properties{};
        (void)hipGetDevicePropertiesR0600(&properties, 0);
        *major = properties.major;
        *minor = properties.minor;
    }
    return answer(device, major && minor);
}

HipError hipDeviceGetUuid(void* uuid, int device) {
    if (uuid && device == 0) {
        DeviceProperties6 properties{};
        (void)hipGetDevicePropertiesR0600(&properties, 0);
        std::memcpy(uuid, properties.uuid, sizeof properties.uuid);
    }
    return answer(device, uuid != nullptr);
}

HipError hipDeviceGetPCIBusId(char* address, int capacity, int device) {
    const bool isAsked = address && capacity >= static_cast<int>(std::size(busAddress));
    if (isAsked && device == 0) {
        std::memcpy(address, busAddress, sizeof busAddress);
    }
    return answer(device, isAsked);
}

HipError hipDeviceGetByPCIBusId(int* device, const char* address) {
    const bool isThere = device && address && std::strcmp(address, busAddress) == 0;
    if (isThere) {
        *device = 0;
    }
    return answer(0, isThere);
}

HipError hipDeviceGetP2PAttribute(int*, int, int, int) {
    return remember(hipErrorInvalidDevice); // of two that are different
}

HipError hipDeviceCanAccessPeer(int* canAccess, int device, int) {
    if (canAccess) {
        *canAccess = 0; // a device is no peer of its own
    }
    return answer(device, canAccess != nullptr);
}

HipError hipDeviceEnablePeerAccess(int, unsigned) {
    return remember(hipErrorInvalidDevice);
}

HipError hipDeviceDisablePeerAccess(int) {
    return remember(hipErrorInvalidDevice);
}

HipError hipDeviceGetLimit(std::size_t* value, int limit) {
    const std::size_t limits[] = {stackLimitBytes, printLimitBytes, heapLimitBytes};
    const bool isKnown = value && limit >= 0 && limit < static_cast<int>(std::size(limits));
    if (isKnown) {
        *value = limits[limit];
    }
    return answer(0, isKnown);
}

HipError hipDeviceSetLimit(int limit, std::size_t) {
    return answer(0, limit >= 0 && limit <= 2); // stacks and heap grow here as they are used
}

HipError hipDeviceGetCacheConfig(int* config) {
    if (config) {
        *config = 0; // no preference
    }
    return answer(0, config != nullptr);
}

HipError hipDeviceSetCacheConfig(int) {
    return hipSuccess;
}

HipError hipDeviceGetSharedMemConfig(int* config) {
    if (config) {
        *config = 1; // banks of four bytes
    }
    return answer(0, config != nullptr);
}

HipError hipDeviceSetSharedMemConfig(int) {
    return hipSuccess;
}

HipError hipFuncSetSharedMemConfig(const void*, int) {
    return hipSuccess;
}

HipError hipGetDeviceFlags(unsigned* flags) {
    if (flags) {
        *flags = 0;
    }
    return answer(0, flags != nullptr);
}

HipError hipChooseDevice(int* device, const void* properties) {
    if (device && properties) {
        *device = 0;
    }
    return answer(0, device && properties);
}

// As ROCm has them, without a tool that listens.
HipError hipProfilerStart() {
    return remember(hipErrorNotSupported);
}

HipError hipProfilerStop() {
    return remember(hipErrorNotSupported);
}
