// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_answers.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/hipcpu/runtime/stream.h"

#include <unistd.h>

using namespace gks::hipcpu;

namespace {

DeviceSize deviceSize() {
    return {Settings::instance().workers,
            static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
            ModuleRegistry::instance().architecture()};
}

} // namespace

HipError hipInit(unsigned) {
    installFaultHandler();
    return hipSuccess;
}

HipError hipGetDeviceCount(int* count) {
    if (!count) {
        return remember(hipErrorInvalidValue);
    }
    *count = 1;
    return hipSuccess;
}

HipError hipSetDevice(int device) {
    installFaultHandler();
    return device == 0 ? hipSuccess : remember(hipErrorInvalidDevice);
}

HipError hipGetDevice(int* device) {
    if (!device) {
        return remember(hipErrorInvalidValue);
    }
    *device = 0;
    return hipSuccess;
}

HipError hipSetDeviceFlags(unsigned) {
    return hipSuccess;
}

HipError hipDeviceReset() {
    return hipDeviceSynchronize();
}

HipError hipDeviceSynchronize() {
    if (const HipError error = enterToWaitForAll(); error != hipSuccess) {
        return remember(error);
    }
    DeviceQueue& queue = DeviceQueue::instance();
    queue.waitFor(queue.last());
    return hipSuccess;
}

HipError hipDeviceGetAttribute(int* value, int attribute, int device) {
    if (device != 0) {
        return remember(hipErrorInvalidDevice);
    }
    return value && answerAttribute(attribute, deviceSize(), *value) ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipDeviceGetName(char* name, int capacity, int device) {
    if (device != 0 || !name || capacity <= 0) {
        return remember(device != 0 ? hipErrorInvalidDevice : hipErrorInvalidValue);
    }
    nameDevice(name, static_cast<std::size_t>(capacity), deviceSize());
    return hipSuccess;
}

HipError hipGetDeviceProperties(DeviceProperties5* properties, int device) {
    if (device != 0 || !properties) {
        return remember(device != 0 ? hipErrorInvalidDevice : hipErrorInvalidValue);
    }
    fillProperties(*properties, deviceSize());
    return hipSuccess;
}

HipError hipGetDevicePropertiesR0600(DeviceProperties6* properties, int device) {
    if (device != 0 || !properties) {
        return remember(device != 0 ? hipErrorInvalidDevice : hipErrorInvalidValue);
    }
    fillProperties(*properties, deviceSize());
    return hipSuccess;
}

HipError hipRuntimeGetVersion(int* version) {
    if (!version) {
        return remember(hipErrorInvalidValue);
    }
    *version = runtimeVersion;
    return hipSuccess;
}

HipError hipDriverGetVersion(int* version) {
    return hipRuntimeGetVersion(version);
}
