// SPDX-License-Identifier: GPL-3.0-or-later
// Smaller questions of host code: about pointers, streams, errors, the device and functions by their names.
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/stream.h"

#include <cstring>
#include <dlfcn.h>
#include <vector>

using namespace gks::hipcpu;

namespace {

enum PointerAttribute { // hipPointer_attribute
    context = 1,
    memoryType = 2,
    devicePointer = 3,
    hostPointer = 4,
    bufferNumber = 7,
    isManaged = 8,
    deviceOrdinal = 9,
    rangeStart = 11,
    rangeSize = 12,
    isMapped = 13,
};

struct ChannelFormat { // hipChannelFormatDesc: bits of each
    int x, y, z, w, kind;
};

template<class Value>
HipError give(void* place, Value value) {
    std::memcpy(place, &value, sizeof value);
    return hipSuccess;
}

HipError pointerAttribute(void* place, int attribute, void* pointer) {
    HipPointerAttributes all;
    void* begin = nullptr;
    std::size_t sizeBytes = 0;
    if (!place || hipPointerGetAttributes(&all, pointer) != hipSuccess ||
        hipMemGetAddressRange(&begin, &sizeBytes, pointer) != hipSuccess) {
        (void)takeRememberedError();
        return hipErrorInvalidValue;
    }
    switch (attribute) {
    case memoryType:
        return give(place, all.memoryType);
    case devicePointer:
        return give(place, all.devicePointer);
    case hostPointer:
        return all.hostPointer ? give(place, all.hostPointer) : hipErrorInvalidValue;
    case bufferNumber: // no two live ones begin at the same place
        return give(place, reinterpret_cast<std::uintptr_t>(begin));
    case isManaged:
        return give(place, static_cast<unsigned char>(all.isManaged));
    case deviceOrdinal:
        return give(place, 0);
    case rangeStart:
        return give(place, begin);
    case rangeSize:
        return give(place, sizeBytes);
    case isMapped:
        return give(place, static_cast<unsigned char>(1));
    default:
        return hipErrorNotSupported;
    }
}

HipError functionNamed(const char* name, void** function, int* status) {
    enum Status { found = 0, notFound = 1 };
    if (!name || !function) {
        return hipErrorInvalidValue;
    }
    // Programs that ask by name are of HIP 6, where this name stands for the later structure.
    const std::string_view asked = name;
    const char* const symbol = asked == "hipGetDeviceProperties" ? "hipGetDevicePropertiesR0600" : name;
    Dl_info self{};
    void* const library = ::dladdr(reinterpret_cast<const void*>(&hipInit), &self) != 0
                              ? ::dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                              : nullptr;
    *function = library && asked.starts_with("hip") ? ::dlsym(library, symbol) : nullptr;
    if (library) {
        ::dlclose(library);
    }
    if (status) {
        *status = *function ? found : notFound;
    }
    return *function ? hipSuccess : hipErrorNotFound;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipPointerGetAttribute(void* place, int attribute, void* pointer) {
    return remember(pointerAttribute(place, attribute, pointer));
}

// What one of them has no answer to is left out, as it is said.
HipError hipDrvPointerGetAttributes(unsigned count, int* attributes, void** places, void* pointer) {
    if (count == 0 || !attributes || !places) {
        return remember(hipErrorInvalidValue);
    }
    for (unsigned i = 0; i < count; ++i) {
        (void)pointerAttribute(places[i], attributes[i], pointer);
    }
    return hipSuccess;
}

HipError hipPointerSetAttribute(const void* value, int, void* pointer) {
    return value && DeviceMemory::instance().find(pointer) ? hipSuccess : remember(hipErrorInvalidValue);
}

int hipGetStreamDeviceId(HipStream stream) {
    return Stream::find(stream) ? 0 : -1;
}

HipError hipExtGetLinkTypeAndHopCount(int, int, std::uint32_t*, std::uint32_t*) {
    return remember(hipErrorInvalidDevice);
}

// By the names that HIP 6 gives to what HIP 5 has.
HipError hipGetDevicePropertiesR0000(DeviceProperties5* properties, int device) {
    return hipGetDeviceProperties(properties, device);
}

HipError hipChooseDeviceR0000(int* device, const void* properties) {
    return hipChooseDevice(device, properties);
}

HipError hipSetValidDevices(int* devices, int count) {
    return (count == 0 || (devices && devices[0] == 0)) ? hipSuccess : remember(hipErrorInvalidValue);
}

HipError hipDrvGetErrorName(HipError error, const char** name) {
    if (!name) {
        return remember(hipErrorInvalidValue);
    }
    *name = hipGetErrorName(error);
    return hipSuccess;
}

HipError hipDrvGetErrorString(HipError error, const char** text) {
    if (!text) {
        return remember(hipErrorInvalidValue);
    }
    *text = hipGetErrorString(error);
    return hipSuccess;
}

HipError hipGetProcAddress(const char* name, void** function, int, std::uint64_t, int* status) {
    return remember(functionNamed(name, function, status));
}

HipError hipGetDriverEntryPoint(const char* name, void** function, unsigned long long, int* status) {
    return remember(functionNamed(name, function, status));
}

HipError hipGetFuncBySymbol(HipFunction* function, const void* symbol) {
    if (!function || !ModuleRegistry::instance().kernel(symbol)) {
        return remember(function ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue);
    }
    *function = symbol;
    return hipSuccess;
}

const char* hipKernelNameRef(HipFunction function) {
    const auto kernel = ModuleRegistry::instance().kernel(function);
    return kernel ? kernel->entry->name : nullptr;
}

const char* hipKernelNameRefByPtr(const void* function, HipStream) {
    return hipKernelNameRef(function);
}

ChannelFormat hipCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return {x, y, z, w, kind};
}

HipError hipOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, const void* function,
                                                    std::size_t dynamicLdsBytes, int blockSizeLimit, unsigned) {
    return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, function, dynamicLdsBytes, blockSizeLimit);
}

HipError hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, HipFunction function,
                                                          std::size_t dynamicLdsBytes, int blockSizeLimit, unsigned) {
    return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, function, dynamicLdsBytes, blockSizeLimit);
}

HipError hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, HipFunction function, int blockSize,
                                                                     std::size_t dynamicLdsBytes, unsigned) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, dynamicLdsBytes);
}
}
#pragma GCC visibility pop
