// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/answers.h"
#include "core/judge/planner/capture/api_names.h"
#include "core/judge/planner/capture/recorder.h"

using namespace gks;
using namespace gks::hipcpu;
using namespace gks::capture;

#pragma GCC visibility push(default)
extern "C" {

HipError GKS_API(GetDeviceCount)(int* count) {
    return answer(count, 1);
}

HipError GKS_API(SetDevice)(int device) {
    return remember(asked(device, true));
}

HipError GKS_API(GetDevice)(int* device) {
    return answer(device, 0);
}

HipError GKS_API(SetDeviceFlags)(unsigned) {
    return hipSuccess;
}

HipError GKS_API(GetDeviceFlags)(unsigned* flags) {
    return answer(flags, 0U);
}

HipError GKS_API(DeviceReset)() {
    GKS_CAPTURE_CALL(GKS_API_TEXT(DeviceReset));
    call.refuse("takes the device's memory away", "Leave the call out");
}

HipError GKS_API(DeviceSynchronize)() {
    GKS_CAPTURE_CALL(GKS_API_TEXT(DeviceSynchronize));
    call->hostWaitsForAll();
    return hipSuccess;
}

HipError GKS_API(DeviceCanAccessPeer)(int* can, int, int) {
    return answer(can, 0);
}

HipError GKS_API(DeviceSetCacheConfig)(int) {
    return hipSuccess;
}

HipError GKS_API(DeviceSetSharedMemConfig)(int) {
    return hipSuccess;
}
}
#pragma GCC visibility pop
