// SPDX-License-Identifier: GPL-3.0-or-later
// Contexts of the driver interface: the device has one, which is always there, and handles for it.
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

using namespace gks::hipcpu;

namespace {

struct Context {
    unsigned flags = 0;
};

struct Contexts {
    std::mutex mutex;
    std::vector<std::unique_ptr<Context>> made;
    Context primary;

    static Contexts& instance() {
        static auto* const contexts = new Contexts;
        return *contexts;
    }
    bool isOne(const Context* handle) {
        const std::lock_guard lock(mutex);
        return handle == &primary ||
               std::any_of(made.begin(), made.end(), [&](const auto& one) { return one.get() == handle; });
    }
};

// Of the calling thread; the last is the current one.
std::vector<Context*>& current() {
    static thread_local std::vector<Context*> stack;
    return stack;
}

HipError answer(bool isThere) {
    return isThere ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError onDevice(int device) {
    return device == 0 ? hipSuccess : remember(hipErrorInvalidDevice);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipCtxCreate(Context** context, unsigned flags, int device) {
    if (!context || device != 0) {
        return remember(context ? hipErrorInvalidDevice : hipErrorInvalidValue);
    }
    Contexts& contexts = Contexts::instance();
    const std::lock_guard lock(contexts.mutex);
    *context = contexts.made.emplace_back(std::make_unique<Context>(Context{flags})).get();
    current().push_back(*context);
    return hipSuccess;
}

HipError hipCtxDestroy(Context* context) {
    Contexts& contexts = Contexts::instance();
    const std::lock_guard lock(contexts.mutex);
    std::erase(current(), context);
    return answer(std::erase_if(contexts.made, [&](const auto& one) { return one.get() == context; }) == 1);
}

HipError hipCtxSetCurrent(Context* context) {
    if (context && !Contexts::instance().isOne(context)) {
        return answer(false);
    }
    if (!current().empty()) {
        current().pop_back();
    }
    if (context) {
        current().push_back(context);
    }
    return hipSuccess;
}

HipError hipCtxGetCurrent(Context** context) {
    if (context) {
        *context = current().empty() ? nullptr : current().back();
    }
    return answer(context != nullptr);
}

HipError hipCtxPushCurrent(Context* context) {
    const bool isThere = Contexts::instance().isOne(context);
    if (isThere) {
        current().push_back(context);
    }
    return answer(isThere);
}

HipError hipCtxPopCurrent(Context** context) {
    if (current().empty()) {
        return remember(hipErrorInvalidContext);
    }
    if (context) {
        *context = current().back();
    }
    current().pop_back();
    return hipSuccess;
}

HipError hipCtxGetDevice(int* device) {
    return hipGetDevice(device);
}

HipError hipCtxGetApiVersion(Context*, unsigned* version) {
    if (version) {
        *version = 4; // as HIP says it on AMD's cards
    }
    return answer(version != nullptr);
}

HipError hipCtxGetFlags(unsigned* flags) {
    Context* const own = current().empty() ? nullptr : current().back();
    if (flags) { // another thread may have destroyed it
        *flags = own && Contexts::instance().isOne(own) ? own->flags : 0;
    }
    return answer(flags != nullptr);
}

HipError hipCtxGetCacheConfig(int* config) {
    return hipDeviceGetCacheConfig(config);
}

HipError hipCtxSetCacheConfig(int config) {
    return hipDeviceSetCacheConfig(config);
}

HipError hipCtxGetSharedMemConfig(int* config) {
    return hipDeviceGetSharedMemConfig(config);
}

HipError hipCtxSetSharedMemConfig(int config) {
    return hipDeviceSetSharedMemConfig(config);
}

HipError hipCtxSynchronize() {
    return hipDeviceSynchronize();
}

HipError hipCtxEnablePeerAccess(Context*, unsigned) {
    return remember(hipErrorInvalidDevice);
}

HipError hipCtxDisablePeerAccess(Context*) {
    return remember(hipErrorInvalidDevice);
}

HipError hipDevicePrimaryCtxRetain(Context** context, int device) {
    if (context && device == 0) {
        *context = &Contexts::instance().primary;
    }
    return context ? onDevice(device) : answer(false);
}

HipError hipDevicePrimaryCtxRelease(int device) {
    return onDevice(device);
}

HipError hipDevicePrimaryCtxReset(int device) {
    return device == 0 ? hipDeviceReset() : onDevice(device);
}

HipError hipDevicePrimaryCtxSetFlags(int device, unsigned) {
    return onDevice(device);
}

HipError hipDevicePrimaryCtxGetState(int device, unsigned* flags, int* isActive) {
    if (flags && isActive && device == 0) {
        *flags = 0;
        *isActive = 1;
    }
    return flags && isActive ? onDevice(device) : answer(false);
}
}
#pragma GCC visibility pop
