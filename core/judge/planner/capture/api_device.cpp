// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/recorder.h"

using namespace gks::hipcpu;

namespace {

// The error of a question about a device and the place for its answer.
HipError asked(int device, bool hasPlace) {
    return device != 0 ? hipErrorInvalidDevice : hasPlace ? hipSuccess : hipErrorInvalidValue;
}

template<class T>
HipError answer(T* into, T value) {
    if (into == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    *into = value;
    return hipSuccess;
}

template<class Properties>
HipError answerProperties(const gks::capture::Call& call, Properties* properties, int device) {
    const HipError error = asked(device, properties != nullptr);
    if (error == hipSuccess) {
        fillProperties(*properties, call->size());
    }
    return remember(error);
}

} // namespace

HipError hipInit(unsigned) {
    return hipSuccess;
}

HipError hipGetDeviceCount(int* count) {
    return answer(count, 1);
}

HipError hipSetDevice(int device) {
    return remember(asked(device, true));
}

HipError hipGetDevice(int* device) {
    return answer(device, 0);
}

HipError hipSetDeviceFlags(unsigned) {
    return hipSuccess;
}

HipError hipDeviceReset() {
    GKS_CAPTURE_CALL("hipDeviceReset");
    call.refuse("takes the device's memory away", "Leave the call out");
}

HipError hipDeviceSynchronize() {
    GKS_CAPTURE_CALL("hipDeviceSynchronize");
    call->hostWaitsForAll();
    return hipSuccess;
}

HipError hipDeviceGetAttribute(int* value, int attribute, int device) {
    GKS_CAPTURE_CALL("hipDeviceGetAttribute");
    if (device != 0) {
        return remember(hipErrorInvalidDevice);
    }
    return value != nullptr && answerAttribute(attribute, call->size(), *value) ? hipSuccess
                                                                                : remember(hipErrorInvalidValue);
}

HipError hipDeviceGetName(char* name, int capacity, int device) {
    GKS_CAPTURE_CALL("hipDeviceGetName");
    const HipError error = asked(device, name != nullptr && capacity > 0);
    if (error == hipSuccess) {
        nameDevice(name, static_cast<std::size_t>(capacity), call->size());
    }
    return remember(error);
}

HipError hipGetDeviceProperties(DeviceProperties5* properties, int device) {
    GKS_CAPTURE_CALL("hipGetDeviceProperties");
    return answerProperties(call, properties, device);
}

HipError hipGetDevicePropertiesR0600(DeviceProperties6* properties, int device) {
    GKS_CAPTURE_CALL("hipGetDevicePropertiesR0600");
    return answerProperties(call, properties, device);
}

HipError hipRuntimeGetVersion(int* version) {
    return answer(version, runtimeVersion);
}

HipError hipDriverGetVersion(int* version) {
    return answer(version, runtimeVersion);
}

// What HIP has beside what the cpu target's own runtime exports.
#pragma GCC visibility push(default)
extern "C" {

HipError hipGetDeviceFlags(unsigned* flags) {
    return answer(flags, 0U);
}

HipError hipDeviceGet(int* handle, int device) {
    return device == 0 ? answer(handle, 0) : remember(hipErrorInvalidDevice);
}

HipError hipDeviceTotalMem(std::size_t* bytes, int device) {
    GKS_CAPTURE_CALL("hipDeviceTotalMem");
    return device == 0 ? answer(bytes, call->size().memoryBytes) : remember(hipErrorInvalidDevice);
}

HipError hipDeviceCanAccessPeer(int* can, int, int) {
    return answer(can, 0);
}

HipError hipDeviceSetCacheConfig(int) {
    return hipSuccess;
}

HipError hipDeviceSetSharedMemConfig(int) {
    return hipSuccess;
}
}
#pragma GCC visibility pop
