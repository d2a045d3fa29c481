// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/graph_memory.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/memory_advice.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/stream.h"

#include <unistd.h>

using namespace gks::hipcpu;

namespace {

constexpr std::size_t pitchBytes = 128; // a row begins with a cache line

HipError allocate(void** pointer, std::size_t sizeBytes, MemoryKind kind, unsigned flags) {
    installFaultHandler();
    if (!pointer) {
        return remember(hipErrorInvalidValue);
    }
    *pointer = nullptr;
    if (const HipError error = enterUnsafe(); error != hipSuccess) {
        return remember(error);
    }
    if (sizeBytes == 0) {
        return hipSuccess;
    }
    *pointer = DeviceMemory::instance().allocate(sizeBytes, kind, flags);
    return *pointer ? hipSuccess : remember(hipErrorOutOfMemory);
}

void synchronizeDevice() {
    DeviceQueue& queue = DeviceQueue::instance();
    queue.waitFor(queue.last());
}

HipError release(void* pointer) {
    if (!pointer) {
        return hipSuccess;
    }
    if (const HipError error = enterUnsafe(); error != hipSuccess) {
        return remember(error);
    }
    synchronizeDevice(); // as hipFree does: kernels in flight may use the buffer
    if (const auto found = DeviceMemory::instance().find(pointer)) {
        MemoryAdvice::instance().forget(found->data, found->sizeBytes);
    }
    GraphMemory::forget(pointer);
    return DeviceMemory::instance().release(pointer) ? hipSuccess : remember(hipErrorInvalidValue);
}

} // namespace

HipError hipMalloc(void** pointer, std::size_t sizeBytes) {
    return allocate(pointer, sizeBytes, MemoryKind::device, 0);
}

HipError hipExtMallocWithFlags(void** pointer, std::size_t sizeBytes, unsigned flags) {
    return allocate(pointer, sizeBytes, MemoryKind::device, flags);
}

HipError hipMallocAsync(void** pointer, std::size_t sizeBytes, HipStream stream) {
    Stream* found = nullptr;
    const HipError error = enterNow(stream, found);
    return error == hipSuccess ? allocate(pointer, sizeBytes, MemoryKind::device, 0) : remember(error);
}

HipError hipHostMalloc(void** pointer, std::size_t sizeBytes, unsigned flags) {
    return allocate(pointer, sizeBytes, MemoryKind::pinnedHost, flags);
}

HipError hipMallocHost(void** pointer, std::size_t sizeBytes) {
    return allocate(pointer, sizeBytes, MemoryKind::pinnedHost, 0);
}

HipError hipMallocManaged(void** pointer, std::size_t sizeBytes, unsigned flags) {
    return allocate(pointer, sizeBytes, MemoryKind::managed, flags);
}

HipError hipFree(void* pointer) {
    return release(pointer);
}

HipError hipHostFree(void* pointer) {
    return release(pointer);
}

HipError hipFreeHost(void* pointer) {
    return release(pointer);
}

HipError hipFreeAsync(void* pointer, HipStream handle) {
    Stream* stream = nullptr;
    if (const HipError error = enterNow(handle, stream); error != hipSuccess) {
        return remember(error);
    }
    if (pointer && !DeviceMemory::instance().find(pointer)) {
        return remember(hipErrorInvalidValue);
    }
    if (pointer) {
        stream->submit([pointer](WorkerPool&) { DeviceMemory::instance().release(pointer); });
    }
    return hipSuccess;
}

HipError hipHostRegister(void* pointer, std::size_t sizeBytes, unsigned flags) {
    if (!pointer || sizeBytes == 0) {
        return remember(hipErrorInvalidValue);
    }
    const bool added = DeviceMemory::instance().registerHost(pointer, sizeBytes, flags);
    return added ? hipSuccess : remember(hipErrorHostMemoryAlreadyRegistered);
}

HipError hipHostUnregister(void* pointer) {
    synchronizeDevice();
    return DeviceMemory::instance().unregisterHost(pointer) ? hipSuccess : remember(hipErrorHostMemoryNotRegistered);
}

HipError hipHostGetDevicePointer(void** devicePointer, void* hostPointer, unsigned) {
    if (!devicePointer || !DeviceMemory::instance().find(hostPointer)) {
        return remember(hipErrorInvalidValue);
    }
    *devicePointer = hostPointer;
    return hipSuccess;
}

HipError hipHostAlloc(void** pointer, std::size_t sizeBytes, unsigned flags) {
    return hipHostMalloc(pointer, sizeBytes, flags);
}

HipError hipMemAllocHost(void** pointer, std::size_t sizeBytes) {
    return hipMallocHost(pointer, sizeBytes);
}

HipError hipHostGetFlags(unsigned* flags, void* pointer) {
    const auto found = DeviceMemory::instance().find(pointer);
    if (!flags || !found || found->kind == MemoryKind::device) {
        return remember(hipErrorInvalidValue);
    }
    *flags = found->flags;
    return hipSuccess;
}

HipError hipMallocPitch(void** pointer, std::size_t* pitch, std::size_t widthBytes, std::size_t height) {
    if (!pitch) {
        return remember(hipErrorInvalidValue);
    }
    *pitch = (widthBytes + pitchBytes - 1) / pitchBytes * pitchBytes;
    std::size_t sizeBytes = 0;
    if (*pitch < widthBytes || __builtin_mul_overflow(*pitch, height, &sizeBytes)) {
        return remember(hipErrorOutOfMemory);
    }
    return allocate(pointer, sizeBytes, MemoryKind::device, 0);
}

HipError hipMemAllocPitch(void** pointer, std::size_t* pitch, std::size_t widthBytes, std::size_t height, unsigned) {
    return hipMallocPitch(pointer, pitch, widthBytes, height);
}

HipError hipMemGetAddressRange(void** begin, std::size_t* sizeBytes, void* pointer) {
    const auto found = DeviceMemory::instance().find(pointer);
    if (!found) {
        return remember(hipErrorInvalidValue);
    }
    if (begin) {
        *begin = found->data;
    }
    if (sizeBytes) {
        *sizeBytes = found->sizeBytes;
    }
    return hipSuccess;
}

HipError hipMemPtrGetInfo(void* pointer, std::size_t* sizeBytes) {
    return sizeBytes ? hipMemGetAddressRange(nullptr, sizeBytes, pointer) : remember(hipErrorInvalidValue);
}

HipError hipMemGetInfo(std::size_t* freeBytes, std::size_t* totalBytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (freeBytes) {
        *freeBytes = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * page;
    }
    if (totalBytes) {
        *totalBytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page;
    }
    return hipSuccess;
}

HipError hipPointerGetAttributes(HipPointerAttributes* attributes, const void* pointer) {
    const auto found = DeviceMemory::instance().find(pointer);
    if (!attributes || !found) {
        return remember(hipErrorInvalidValue);
    }
    const bool onHost = found->kind == MemoryKind::pinnedHost || found->kind == MemoryKind::registeredHost;
    auto* address = const_cast<void*>(pointer); // the interface hands it back as the device's
    *attributes = {onHost ? 0 : 1,
                   0,
                   address,
                   found->kind == MemoryKind::device ? nullptr : address,
                   found->kind == MemoryKind::managed ? 1 : 0,
                   found->flags};
    return hipSuccess;
}

HipError hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t sizeBytes, std::size_t offsetBytes,
                           HipMemcpyKind kind) {
    char* address = nullptr;
    const HipError error = symbolRange(symbol, sizeBytes, offsetBytes, &address);
    return error == hipSuccess ? hipMemcpy(address, from, sizeBytes, kind) : remember(error);
}

HipError hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t sizeBytes, std::size_t offsetBytes,
                                HipMemcpyKind kind, HipStream stream) {
    char* address = nullptr;
    const HipError error = symbolRange(symbol, sizeBytes, offsetBytes, &address);
    return error == hipSuccess ? hipMemcpyAsync(address, from, sizeBytes, kind, stream) : remember(error);
}

HipError hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                             HipMemcpyKind kind) {
    char* address = nullptr;
    const HipError error = symbolRange(symbol, sizeBytes, offsetBytes, &address);
    return error == hipSuccess ? hipMemcpy(to, address, sizeBytes, kind) : remember(error);
}

HipError hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t sizeBytes, std::size_t offsetBytes,
                                  HipMemcpyKind kind, HipStream stream) {
    char* address = nullptr;
    const HipError error = symbolRange(symbol, sizeBytes, offsetBytes, &address);
    return error == hipSuccess ? hipMemcpyAsync(to, address, sizeBytes, kind, stream) : remember(error);
}

HipError hipGetSymbolAddress(void** pointer, const void* symbol) {
    char* address = nullptr;
    const HipError error = pointer ? symbolRange(symbol, 0, 0, &address) : hipErrorInvalidValue;
    if (error == hipSuccess) {
        *pointer = address;
    }
    return remember(error);
}

HipError hipGetSymbolSize(std::size_t* sizeBytes, const void* symbol) {
    const VariableEntry* variable = ModuleRegistry::instance().variable(symbol);
    if (!sizeBytes || !variable) {
        return remember(sizeBytes ? hipErrorInvalidSymbol : hipErrorInvalidValue);
    }
    *sizeBytes = variable->sizeBytes;
    return hipSuccess;
}
