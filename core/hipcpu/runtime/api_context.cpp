// SPDX-License-Identifier: GPL-3.0-or-later
// Contexts, as host code has them that was written for CUDA's driver interface: in HIP a context is a device. What
// AMD's library does not do is hipErrorNotSupported here, too.
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"

#include <vector>

using namespace gks::hipcpu;

namespace gks::hipcpu {
class Context {};
} // namespace gks::hipcpu

namespace {

Context theDevice;
thread_local std::vector<HipContext> pushed; // by this thread

bool isContext(HipContext context) {
    return context == &theDevice;
}

HipError ofDevice(int device) {
    return remember(device == 0 ? hipSuccess : hipErrorInvalidDevice);
}

} // namespace

HipError hipCtxCreate(HipContext* context, unsigned, int device) {
    if (!context || device != 0) {
        return remember(!context ? hipErrorInvalidValue : hipErrorInvalidDevice);
    }
    *context = &theDevice;
    pushed.push_back(&theDevice);
    return hipSuccess;
}

HipError hipCtxDestroy(HipContext context) {
    if (!isContext(context)) {
        return remember(hipErrorInvalidValue);
    }
    if (!pushed.empty()) {
        pushed.pop_back();
    }
    return hipSuccess;
}

HipError hipCtxSetCurrent(HipContext context) {
    if (context && !isContext(context)) {
        return remember(hipErrorInvalidValue);
    }
    if (!pushed.empty()) {
        pushed.pop_back();
    }
    if (context) {
        pushed.push_back(context);
    }
    return hipSuccess;
}

HipError hipCtxGetCurrent(HipContext* context) {
    if (!context) {
        return remember(hipErrorInvalidValue);
    }
    *context = &theDevice;
    return hipSuccess;
}

HipError hipCtxPushCurrent(HipContext context) {
    if (!isContext(context)) {
        return remember(hipErrorInvalidContext);
    }
    pushed.push_back(context);
    return hipSuccess;
}

HipError hipCtxPopCurrent(HipContext* context) {
    if (!context || pushed.empty()) {
        return remember(hipErrorInvalidContext);
    }
    *context = pushed.back();
    pushed.pop_back();
    return hipSuccess;
}

HipError hipCtxGetDevice(int* device) {
    return hipGetDevice(device);
}

HipError hipCtxSynchronize() {
    return hipDeviceSynchronize();
}

HipError hipCtxGetFlags(unsigned* flags) {
    return hipGetDeviceFlags(flags);
}

HipError hipCtxGetApiVersion(HipContext, int*) {
    return remember(hipErrorNotSupported);
}

HipError hipCtxGetCacheConfig(int*) {
    return remember(hipErrorNotSupported);
}

HipError hipCtxSetCacheConfig(int) {
    return remember(hipErrorNotSupported);
}

HipError hipCtxGetSharedMemConfig(int* config) {
    return hipDeviceGetSharedMemConfig(config);
}

HipError hipCtxSetSharedMemConfig(int) {
    return remember(hipErrorNotSupported);
}

HipError hipCtxEnablePeerAccess(HipContext, unsigned) {
    return remember(hipErrorNotSupported);
}

HipError hipCtxDisablePeerAccess(HipContext) {
    return remember(hipErrorNotSupported);
}

HipError hipDevicePrimaryCtxRetain(HipContext* context, int device) {
    if (!context) {
        return remember(hipErrorInvalidValue);
    }
    if (device == 0) {
        *context = &theDevice;
    }
    return ofDevice(device);
}

HipError hipDevicePrimaryCtxRelease(int device) {
    return ofDevice(device);
}

HipError hipDevicePrimaryCtxReset(int device) {
    return ofDevice(device);
}

HipError hipDevicePrimaryCtxGetState(int device, unsigned* flags, int* isActive) {
    if (!flags || !isActive) {
        return remember(hipErrorInvalidValue);
    }
    if (device == 0) {
        *flags = 0;
        *isActive = 1;
    }
    return ofDevice(device);
}

HipError hipDevicePrimaryCtxSetFlags(int device, unsigned) {
    return remember(device == 0 ? hipErrorContextAlreadyInUse : hipErrorInvalidDevice);
}
