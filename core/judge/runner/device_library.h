// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gks::runner {

// The target's runtime library (libhipcpu.so, libamdhip64.so, libcudart.so), loaded at run time. Its about twenty
// functions have the same signatures under both prefixes, so one table serves HIP and CUDA. Every call returns the
// library's own error code, 0 is success.
class DeviceLibrary {
public:
    using Status = int;
    using Stream = void*;
    using Event = void*;
    enum class Direction { toDevice = 1, fromDevice = 2 };

    // The error is a sentence.
    static std::optional<DeviceLibrary> load(const std::string& path, std::string& error);

    Status getDeviceCount(int& count) const { return m_getDeviceCount(&count); }
    Status setDevice(int device) const { return m_setDevice(device); }
    Status allocate(void*& address, std::size_t sizeBytes) const { return m_malloc(&address, sizeBytes); }
    // What the library's own reports call a part of an allocation, and what they said since they were taken last: of
    // reads past the end of a buffer. On the cpu target alone.
    void name(const void* address, std::size_t sizeBytes, const char* name) const {
        if (m_nameMemory != nullptr) {
            m_nameMemory(address, sizeBytes, name);
        }
    }
    void takeReadReports(char* into, std::size_t sizeBytes) const {
        if (m_takeReadReports != nullptr) {
            m_takeReadReports(into, sizeBytes);
        }
    }
    Status release(void* address) const { return m_free(address); }
    Status copy(void* to, const void* from, std::size_t sizeBytes, Direction direction) const {
        return m_memcpy(to, from, sizeBytes, static_cast<int>(direction));
    }
    Status fill(void* address, int byte, std::size_t sizeBytes) const { return m_memset(address, byte, sizeBytes); }
    // In the order of a stream, without waiting.
    Status fill(void* address, int byte, std::size_t sizeBytes, Stream stream) const {
        return m_memsetAsync(address, byte, sizeBytes, stream);
    }
    Status copyOnDevice(void* to, const void* from, std::size_t sizeBytes, Stream stream) const {
        return m_memcpyAsync(to, from, sizeBytes, onDevice, stream);
    }
    // Makes memory of the host known to the device, so that copies go at the speed of the bus. Without effect where the
    // library or the system cannot.
    void pin(void* address, std::size_t sizeBytes, bool readOnly) const;
    Status synchronize() const { return m_deviceSynchronize(); }
    Status createStream(Stream& stream) const { return m_streamCreate(&stream); }
    Status createEvent(Event& event) const { return m_eventCreate(&event); }
    Status record(Event event, Stream stream) const { return m_eventRecord(event, stream); }
    Status elapsed(float& milliseconds, Event start, Event stop) const {
        return m_eventElapsedTime(&milliseconds, start, stop);
    }
    // Where the library knows how much of a thread's time went into it (the cpu target), otherwise 0: processor time of
    // this thread outside the library, and of all threads.
    double hostCodeUs() const;
    double processorUs() const;
    Status takeLastError() const { return m_getLastError(); }
    std::string errorText(Status status) const;
    // No part of a cache stays reserved for data of an earlier call. Where the library has no such limit nothing
    // happens.
    void forbidPersistingCache() const;

    struct Properties {
        std::string name;
        std::string architecture;        // "gfx942", "sm_90"
        std::string busId;               // "0000:1b:00.0"
        double memoryBytesPerSecond = 0; // the memory's own rate; 0 when the library does not say
        double computeUnits = 0;
        double clockHz = 0; // the highest
        // The same and more for people to read: here AMD's library answers too, whose memory rate does not fit the
        // formula that holds for NVIDIA's, so that what the judge scales with stays as it is.
        struct Facts {
            double units = 0;
            double waveSize = 0;
            double clockHz = 0;
            double ldsBytes = 0; // as much as a block may have
            double memoryBytes = 0;
        } facts;
    };
    Properties properties(int device) const;

private:
    template<class Function>
    bool find(Function& function, const char* name);
    bool resolve(std::string& error);
    Properties::Facts facts(int device, const std::vector<char>& properties) const;

    static constexpr int onDevice = 3; // direction of a copy

    void* m_handle = nullptr;
    bool m_cuda = false;
    int (*m_getDeviceCount)(int*) = nullptr;
    int (*m_setDevice)(int) = nullptr;
    int (*m_malloc)(void**, std::size_t) = nullptr;
    int (*m_free)(void*) = nullptr;
    int (*m_memcpy)(void*, const void*, std::size_t, int) = nullptr;
    int (*m_memset)(void*, int, std::size_t) = nullptr;
    int (*m_memsetAsync)(void*, int, std::size_t, Stream) = nullptr;
    int (*m_memcpyAsync)(void*, const void*, std::size_t, int, Stream) = nullptr;
    int (*m_hostRegister)(void*, std::size_t, unsigned) = nullptr;
    int (*m_deviceSynchronize)() = nullptr;
    int (*m_streamCreate)(Stream*) = nullptr;
    int (*m_eventCreate)(Event*) = nullptr;
    int (*m_eventRecord)(Event, Stream) = nullptr;
    int (*m_eventElapsedTime)(float*, Event, Event) = nullptr;
    int (*m_getLastError)() = nullptr;
    const char* (*m_getErrorString)(int) = nullptr;
    int (*m_getDeviceProperties)(void*, int) = nullptr;
    int (*m_deviceGetAttribute)(int*, int, int) = nullptr;
    int (*m_deviceGetPCIBusId)(char*, int, int) = nullptr;
    int (*m_deviceTotalMem)(std::size_t*, int) = nullptr; // HIP's alone
    std::uint64_t (*m_timeInRuntime)() = nullptr;
    void (*m_nameMemory)(const void*, std::size_t, const char*) = nullptr;
    void (*m_takeReadReports)(char*, std::size_t) = nullptr;
    int (*m_deviceSetLimit)(int, std::size_t) = nullptr;
};

} // namespace gks::runner
