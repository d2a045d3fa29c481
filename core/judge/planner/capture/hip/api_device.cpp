// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/judge/planner/capture/answers.h"
#include "core/judge/planner/capture/recorder.h"

#include <cstdio>

// What the device says of itself. The cpu target's stands for an MI300X, so a card differs in its name, its size and in
// what a processor has not.

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

namespace {

bool isCard(const Call& call) {
    return call->facts().code != DeviceCode::cpu;
}

void nameTheDevice(const Call& call, char* name, std::size_t capacity) {
    if (isCard(call)) {
        std::snprintf(name, capacity, "%s", call->device().name.c_str());
    } else {
        nameDevice(name, capacity, call->size());
    }
}

template<class Properties>
HipError answerProperties(const Call& call, Properties* properties, int device) {
    const HipError error = asked(device, properties != nullptr);
    if (error == hipSuccess) {
        fillProperties(*properties, call->size());
        nameTheDevice(call, properties->name, sizeof properties->name);
        properties->integrated = isCard(call) ? 0 : 1;
    }
    return remember(error);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipInit(unsigned) {
    return hipSuccess;
}

HipError hipDeviceGetAttribute(int* value, int attribute, int device) {
    GKS_CAPTURE_CALL("hipDeviceGetAttribute");
    if (device != 0) {
        return remember(hipErrorInvalidDevice);
    }
    if (value == nullptr || !answerAttribute(attribute, call->size(), *value)) {
        return remember(hipErrorInvalidValue);
    }
    constexpr int integrated = 16;
    constexpr int memoryPools = 88;
    constexpr int hostRegister = 90;
    if ((isCard(call) && attribute == integrated) || attribute == memoryPools || attribute == hostRegister) {
        *value = 0;
    }
    return hipSuccess;
}

HipError hipDeviceGetName(char* name, int capacity, int device) {
    GKS_CAPTURE_CALL("hipDeviceGetName");
    const HipError error = asked(device, name != nullptr && capacity > 0);
    if (error == hipSuccess) {
        nameTheDevice(call, name, static_cast<std::size_t>(capacity));
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

HipError hipDeviceGet(int* handle, int device) {
    return device == 0 ? answer(handle, 0) : remember(hipErrorInvalidDevice);
}

HipError hipDeviceTotalMem(std::size_t* bytes, int device) {
    GKS_CAPTURE_CALL("hipDeviceTotalMem");
    return device == 0 ? answer(bytes, call->size().memoryBytes) : remember(hipErrorInvalidDevice);
}
}
#pragma GCC visibility pop
