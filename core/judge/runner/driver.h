// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gks::runner {

// The vendor's driver interface (libcuda.so.1, libamdhip64.so), loaded at run time: one table of operations with two
// sets of names. Nothing here is compiled against a vendor's header. Every call returns the driver's own error code, 0
// is success.
class Driver {
public:
    using Status = int;
    using Address = std::uint64_t;
    using Stream = void*;
    using Event = void*;
    using Module = void*;
    using Function = void*;
    using Memory = std::uint64_t; // physical; it has no address of its own

    // The error is a sentence.
    static std::optional<Driver> load(const std::string& path, std::string& error);
    Status initialise() const { return m_init(0); }
    Status countDevices(int& count) const { return m_deviceCount(&count); }
    // Everything below concerns this device, from this thread.
    Status use(int device);
    std::string errorText(Status status) const;
    // Whether device code reaches all memory of its process, as some systems have it.
    bool reachesHostMemory() const;
    // No part of a cache stays reserved for data of an earlier call. Without effect where there is no such limit.
    void forbidPersistingCache() const;

    enum class Rights { none = 0, read = 1, readAndWrite = 3 };
    Status reserve(Address& address, std::size_t bytes, Address wished) const;
    Status create(Memory& memory, std::size_t bytes) const;
    Status map(Address address, std::size_t bytes, Memory memory) const;
    Status setRights(Address address, std::size_t bytes, Rights rights) const;
    // Whether one call may be about what was mapped by several.
    bool setsRightsAcrossMappings() const { return m_isCuda; }
    Status unmap(Address address, std::size_t bytes) const;
    Status release(Memory memory) const { return m_release(memory); }
    // Anywhere.
    Status allocate(Address& address, std::size_t bytes) const;
    // Makes memory of the host known to the device, so that copies go at the speed of the bus. Without effect where the
    // system cannot.
    void pin(void* address, std::size_t bytes, bool readOnly) const;

    Status synchronise() const { return m_synchronise(); }
    Status createStream(Stream& stream, bool blocking, int priority) const;
    void destroyStream(Stream stream) const { m_streamDestroy(stream); }
    Status createEvent(Event& event, bool timed) const;
    void destroyEvent(Event event) const { m_eventDestroy(event); }
    Status record(Event event, Stream stream) const { return m_eventRecord(event, stream); }
    Status wait(Stream stream, Event event) const { return m_streamWait(stream, event, 0); }
    Status elapsed(float& milliseconds, Event start, Event stop) const { return m_elapsed(&milliseconds, start, stop); }

    // In the order of a stream. A copy from the host has taken its bytes when it returns, unless they are pinned.
    Status fill(Address to, std::uint32_t value, std::uint32_t elementBytes, std::size_t count, Stream stream) const;
    Status copy(Address to, Address from, std::size_t bytes, Stream stream) const {
        return bytes == 0 ? 0 : m_copy(to, from, bytes, stream);
    }
    Status copyRows(Address to, std::size_t toPitch, Address from, std::size_t fromPitch, std::size_t rowBytes,
                    std::size_t rows, Stream stream) const;
    Status copyFromHost(Address to, const void* from, std::size_t bytes, Stream stream) const {
        return bytes == 0 ? 0 : m_copyFromHost(to, from, bytes, stream);
    }
    Status copyToHost(void* to, Address from, std::size_t bytes, Stream stream) const {
        return bytes == 0 ? 0 : m_copyToHost(to, from, bytes, stream);
    }

    Status loadModule(Module& module, const void* image) const { return m_moduleLoad(&module, image); }
    void unloadModule(Module module) const { m_moduleUnload(module); }
    Status find(Function& function, Module module, const char* symbol) const {
        return m_moduleFunction(&function, module, symbol);
    }
    Status findVariable(Address& address, std::size_t& bytes, Module module, const char* symbol) const;

    // What a launch is, apart from its arguments.
    struct Launch {
        Function function = nullptr;
        std::array<unsigned, 3> grid = {1, 1, 1};
        std::array<unsigned, 3> block = {1, 1, 1};
        unsigned dynamicLdsBytes = 0;
        bool cooperative = false;
        std::array<unsigned, 3> cluster = {1, 1, 1};
        unsigned clusterPolicy = 0;
        bool programmaticSerialization = false;
    };
    // One pointer for each argument.
    Status launch(const Launch& launch, void** arguments, Stream stream) const;
    // What kernels have to be allowed before they are launched so; nothing where devices need no permission.
    Status allow(const Launch& launch, int carveoutPercent) const;

    using EncodedMap = std::array<std::uint8_t, 128>;
    struct MapQuestion { // the numbers of cuTensorMapEncodeTiled()
        std::uint32_t type = 0;
        Address address = 0;
        const std::vector<std::uint64_t>& extents;
        const std::vector<std::uint64_t>& strides;
        const std::vector<std::uint32_t>& box;
        const std::vector<std::uint32_t>& steps;
        std::uint32_t interleave = 0;
        std::uint32_t swizzle = 0;
        std::uint32_t promotion = 0;
        std::uint32_t fill = 0;
    };
    Status encode(EncodedMap& map, const MapQuestion& question) const;

    struct Properties {
        std::string name;
        std::string architecture;        // "gfx942", "sm_90"
        std::string busId;               // "0000:1b:00.0"
        double memoryBytesPerSecond = 0; // the memory's own rate; 0 when the driver does not say
        struct Facts {
            double units = 0;
            double waveSize = 0;
            double clockHz = 0;  // the highest
            double ldsBytes = 0; // as much as a block may have
            double memoryBytes = 0;
        } facts;
        int driverVersion = 0;
        std::map<int, int> attributes; // NVIDIA: by the number of the CUdevice_attribute
    };
    Properties properties(int device) const;

private:
    struct Location {
        int type = 1; // a device
        int id = 0;
    };
    // Both vendors' descriptions of physical memory, which are the same up to the reserved end.
    struct MemoryKind {
        int type = 1; // stays where it is
        int handles = 0;
        Location location;
        void* reserved = nullptr;
        std::array<std::uint8_t, 8> flags = {};
    };
    struct Access {
        Location location;
        int rights = 0;
    };

    bool resolve(std::string& error);
    int attribute(int cudaNumber, int hipNumber, int device) const;

    void* m_handle = nullptr;
    bool m_isCuda = false;
    int m_device = 0;
    int (*m_init)(unsigned) = nullptr;
    int (*m_deviceCount)(int*) = nullptr;
    int (*m_deviceGet)(int*, int) = nullptr; // CUDA, as the next two
    int (*m_retainContext)(void**, int) = nullptr;
    int (*m_useContext)(void*) = nullptr;
    int (*m_setDevice)(int) = nullptr; // HIP
    int (*m_cudaErrorName)(int, const char**) = nullptr;
    int (*m_cudaErrorText)(int, const char**) = nullptr;
    const char* (*m_hipErrorText)(int) = nullptr;
    int (*m_setLimit)(int, std::size_t) = nullptr;
    int (*m_reserve)(Address*, std::size_t, std::size_t, Address, unsigned long long) = nullptr;
    int (*m_create)(Memory*, std::size_t, const MemoryKind*, unsigned long long) = nullptr;
    int (*m_map)(Address, std::size_t, std::size_t, Memory, unsigned long long) = nullptr;
    int (*m_setAccess)(Address, std::size_t, const Access*, std::size_t) = nullptr;
    int (*m_unmap)(Address, std::size_t) = nullptr;
    int (*m_release)(Memory) = nullptr;
    int (*m_allocate)(Address*, std::size_t) = nullptr;
    int (*m_hostRegister)(void*, std::size_t, unsigned) = nullptr;
    int (*m_synchronise)() = nullptr;
    int (*m_streamCreate)(Stream*, unsigned, int) = nullptr;
    int (*m_streamDestroy)(Stream) = nullptr;
    int (*m_streamWait)(Stream, Event, unsigned) = nullptr;
    int (*m_eventCreate)(Event*, unsigned) = nullptr;
    int (*m_eventDestroy)(Event) = nullptr;
    int (*m_eventRecord)(Event, Stream) = nullptr;
    int (*m_elapsed)(float*, Event, Event) = nullptr;
    int (*m_fill8)(Address, unsigned char, std::size_t, Stream) = nullptr;
    int (*m_fill16)(Address, unsigned short, std::size_t, Stream) = nullptr;
    int (*m_fill32)(Address, unsigned, std::size_t, Stream) = nullptr;
    int (*m_copy)(Address, Address, std::size_t, Stream) = nullptr;
    int (*m_copyFromHost)(Address, const void*, std::size_t, Stream) = nullptr;
    int (*m_copyToHost)(void*, Address, std::size_t, Stream) = nullptr;
    int (*m_cudaCopyRows)(const void*, Stream) = nullptr;
    int (*m_hipCopyRows)(Address, std::size_t, Address, std::size_t, std::size_t, std::size_t, int, Stream) = nullptr;
    int (*m_moduleLoad)(Module*, const void*) = nullptr;
    int (*m_moduleUnload)(Module) = nullptr;
    int (*m_moduleFunction)(Function*, Module, const char*) = nullptr;
    int (*m_moduleVariable)(Address*, std::size_t*, Module, const char*) = nullptr;
    int (*m_cudaLaunch)(const void*, Function, void**, void**) = nullptr;
    int (*m_cudaAllow)(Function, int, int) = nullptr;
    using HipLaunch = int (*)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,
                              void**, void**);
    HipLaunch m_hipLaunch = nullptr;
    int (*m_hipLaunchCooperative)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  Stream, void**) = nullptr;
    int (*m_encode)(void*, std::uint32_t, std::uint32_t, Address, const std::uint64_t*, const std::uint64_t*,
                    const std::uint32_t*, const std::uint32_t*, std::uint32_t, std::uint32_t, std::uint32_t,
                    std::uint32_t) = nullptr;
    int (*m_attribute)(int*, int, int) = nullptr;
    int (*m_name)(char*, int, int) = nullptr;
    int (*m_busId)(char*, int, int) = nullptr;
    int (*m_totalMemory)(std::size_t*, int) = nullptr;
    int (*m_version)(int*) = nullptr;
    int (*m_hipProperties)(void*, int) = nullptr;
};

} // namespace gks::runner
