// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/device_library.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <string_view>
#include <type_traits>

namespace gks::runner {
namespace {

// The struct of device properties differs between versions of both libraries; this is larger than any of them. Its
// first 256 bytes are the name everywhere, and the architecture is found in it by its text.
constexpr std::size_t propertiesBytes = 16384;
constexpr std::size_t nameBytes = 256;
constexpr int cudaComputeCapabilityMajor = 75;
constexpr int cudaComputeCapabilityMinor = 76;
constexpr int cudaClockRateKhz = 13;
constexpr int cudaMultiProcessorCount = 16;
constexpr int cudaMemoryClockRateKhz = 36;
constexpr int cudaMemoryBusWidthBits = 37;
constexpr int cudaLimitPersistingL2CacheSize = 6;
constexpr int cudaWarpSize = 10;
constexpr int cudaMaxSharedMemoryPerBlockOptin = 97;
constexpr std::size_t cudaTotalGlobalMemOffset = 288; // behind name, uuid and luid, since CUDA 10
// The same in HIP 5 and 6: what was taken out of the enumeration left its number behind.
constexpr int hipClockRateKhz = 5;
constexpr int hipMultiprocessorCount = 63;
constexpr int hipMaxSharedMemoryPerBlock = 74;
constexpr int hipWarpSize = 87;
constexpr unsigned registerReadOnly = 8; // in both libraries

std::string architectureIn(std::string_view bytes) {
    const std::size_t at = bytes.find("gfx");
    if (at == std::string_view::npos) {
        return {};
    }
    std::size_t end = at + 3;
    while (end < bytes.size() && std::isxdigit(static_cast<unsigned char>(bytes[end])) != 0) {
        ++end;
    }
    return std::string(bytes.substr(at, end - at));
}

// CUDA's runtime opens the driver by its bare name. Containers put it where the loader does not look, and say so in a
// variable that does not reach the sandbox; once it is loaded, the name is enough.
bool loadCudaDriver() {
    for (const char* path :
         {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/local/nvidia/lib/libcuda.so.1",
          "/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
          "/run/opengl-driver/lib/libcuda.so.1", "/usr/local/cuda/compat/libcuda.so.1"}) {
        if (::dlopen(path, RTLD_NOW | RTLD_GLOBAL) != nullptr) {
            return true;
        }
    }
    return false;
}

double clockUs(clockid_t clock) {
    timespec now = {};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

} // namespace

template<class Function>
bool DeviceLibrary::find(Function& function, const char* name) {
    const std::string full = std::string(m_cuda ? "cuda" : "hip") + name;
    function = reinterpret_cast<Function>(::dlsym(m_handle, full.c_str()));
    return function != nullptr;
}

bool DeviceLibrary::resolve(std::string& error) {
    m_cuda = ::dlsym(m_handle, "cudaMalloc") != nullptr;
    const char* missing = nullptr;
    const auto need = [&](auto& function, const char* name) {
        if (!find(function, name)) {
            missing = name;
        }
    };
    need(m_getDeviceCount, "GetDeviceCount");
    need(m_setDevice, "SetDevice");
    need(m_malloc, "Malloc");
    need(m_free, "Free");
    need(m_memcpy, "Memcpy");
    need(m_memset, "Memset");
    need(m_memsetAsync, "MemsetAsync");
    need(m_memcpyAsync, "MemcpyAsync");
    need(m_deviceSynchronize, "DeviceSynchronize");
    need(m_streamCreate, "StreamCreate");
    need(m_eventCreate, "EventCreate");
    need(m_eventRecord, "EventRecord");
    need(m_eventElapsedTime, "EventElapsedTime");
    need(m_getLastError, "GetLastError");
    need(m_getErrorString, "GetErrorString");
    if (!find(m_getDeviceProperties, "GetDevicePropertiesR0600") &&
        !find(m_getDeviceProperties, "GetDeviceProperties_v2")) {
        need(m_getDeviceProperties, "GetDeviceProperties");
    }
    find(m_deviceGetAttribute, "DeviceGetAttribute");
    find(m_deviceGetPCIBusId, "DeviceGetPCIBusId");
    find(m_deviceTotalMem, "DeviceTotalMem");
    find(m_deviceSetLimit, "DeviceSetLimit");
    const auto findOwn = [&](auto& function, const char* name) { // of the cpu target's library alone
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(m_handle, name));
    };
    findOwn(m_timeInRuntime, "__hipTimeInRuntime");
    findOwn(m_nameMemory, "__hipNameMemory");
    findOwn(m_takeReadReports, "__hipTakeReadReports");
    find(m_hostRegister, "HostRegister");
    if (missing != nullptr) {
        error = std::string("the runtime library has no function ") + (m_cuda ? "cuda" : "hip") + missing;
    }
    return missing == nullptr;
}

std::optional<DeviceLibrary> DeviceLibrary::load(const std::string& path, std::string& error) {
    if (path.find("libcudart") != std::string::npos && !loadCudaDriver()) {
        error = "the NVIDIA driver (libcuda.so.1) is not installed";
        return std::nullopt;
    }
    DeviceLibrary library;
    // Global: the candidate's shared object takes its runtime functions from here.
    library.m_handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library.m_handle == nullptr) {
        const char* text = ::dlerror();
        error = text != nullptr ? text : "cannot be loaded";
        return std::nullopt;
    }
    if (!library.resolve(error)) {
        return std::nullopt;
    }
    return library;
}

std::string DeviceLibrary::errorText(Status status) const {
    const char* text = m_getErrorString(status);
    return (text != nullptr ? std::string(text) : std::string("unknown error")) + " (" + std::to_string(status) + ")";
}

double DeviceLibrary::hostCodeUs() const {
    return m_timeInRuntime == nullptr ? 0
                                      : clockUs(CLOCK_THREAD_CPUTIME_ID) - static_cast<double>(m_timeInRuntime()) / 1e3;
}

double DeviceLibrary::processorUs() const {
    return m_timeInRuntime == nullptr ? 0 : clockUs(CLOCK_PROCESS_CPUTIME_ID);
}

void DeviceLibrary::forbidPersistingCache() const {
    if (m_cuda && m_deviceSetLimit != nullptr) {
        m_deviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
        takeLastError();
    }
}

void DeviceLibrary::pin(void* address, std::size_t sizeBytes, bool readOnly) const {
    if (m_hostRegister != nullptr) {
        m_hostRegister(address, sizeBytes, readOnly ? registerReadOnly : 0);
        takeLastError();
    }
}

DeviceLibrary::Properties DeviceLibrary::properties(int device) const {
    Properties properties;
    std::vector<char> bytes(propertiesBytes, 0);
    if (m_getDeviceProperties(bytes.data(), device) == 0) {
        properties.name.assign(bytes.data(), std::find(bytes.data(), bytes.data() + nameBytes, '\0'));
        properties.architecture = architectureIn(std::string_view(bytes.data() + nameBytes, bytes.size() - nameBytes));
    }
    if (m_cuda && m_deviceGetAttribute != nullptr) {
        int major = 0;
        int minor = 0;
        if (m_deviceGetAttribute(&major, cudaComputeCapabilityMajor, device) == 0 &&
            m_deviceGetAttribute(&minor, cudaComputeCapabilityMinor, device) == 0) {
            properties.architecture = "sm_" + std::to_string(major) + std::to_string(minor);
        }
        const auto attribute = [&](int number) {
            int value = 0;
            return m_deviceGetAttribute(&value, number, device) == 0 ? static_cast<double>(value) : 0.0;
        };
        properties.computeUnits = attribute(cudaMultiProcessorCount);
        properties.clockHz = attribute(cudaClockRateKhz) * 1e3;
        properties.memoryBytesPerSecond =
            2 * attribute(cudaMemoryClockRateKhz) * 1e3 * attribute(cudaMemoryBusWidthBits) / 8;
    }
    properties.facts = facts(device, bytes);
    std::array<char, 64> busId{};
    if (m_deviceGetPCIBusId != nullptr &&
        m_deviceGetPCIBusId(busId.data(), static_cast<int>(busId.size()) - 1, device) == 0) {
        properties.busId = busId.data();
    }
    return properties;
}

DeviceLibrary::Properties::Facts DeviceLibrary::facts(int device, const std::vector<char>& properties) const {
    const auto attribute = [&](int cudaNumber, int hipNumber) {
        int value = 0;
        const int number = m_cuda ? cudaNumber : hipNumber;
        const bool told = m_deviceGetAttribute != nullptr && m_deviceGetAttribute(&value, number, device) == 0;
        return told && value > 0 ? static_cast<double>(value) : 0.0;
    };
    Properties::Facts facts;
    facts.units = attribute(cudaMultiProcessorCount, hipMultiprocessorCount);
    facts.waveSize = attribute(cudaWarpSize, hipWarpSize);
    facts.clockHz = attribute(cudaClockRateKhz, hipClockRateKhz) * 1e3;
    facts.ldsBytes = attribute(cudaMaxSharedMemoryPerBlockOptin, hipMaxSharedMemoryPerBlock);
    std::size_t memoryBytes = 0;
    if (m_cuda) {
        std::memcpy(&memoryBytes, properties.data() + cudaTotalGlobalMemOffset, sizeof memoryBytes);
    } else if (m_deviceTotalMem != nullptr && m_deviceTotalMem(&memoryBytes, device) != 0) {
        memoryBytes = 0;
    }
    facts.memoryBytes = static_cast<double>(memoryBytes);
    takeLastError(); // a question that a library does not know is no failure of the candidate
    return facts;
}

} // namespace gks::runner
