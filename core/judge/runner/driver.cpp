// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/driver.h"

#include "core/judge/runner/runner_protocol.h"

#include <algorithm>
#include <dlfcn.h>
#include <string_view>

namespace gks::runner {
namespace {

constexpr unsigned registerReadOnly = 8; // in both interfaces, as the next three
constexpr unsigned nonBlockingStream = 1;
constexpr unsigned untimedEvent = 2;
constexpr int onDevice = 3; // direction of a copy

constexpr int cudaDeviceMemory = 2; // kind of memory in a copy of rows
constexpr int cudaLimitPersistingCache = 6;
// CUfunction_attribute
constexpr int cudaMostDynamicLds = 8;
constexpr int cudaCarveout = 9;
constexpr int cudaLargeClusters = 14;
constexpr unsigned cudaDynamicLdsUnasked = 48 << 10;
constexpr unsigned cudaPortableCluster = 8; // blocks
// CUlaunchAttribute
constexpr int cudaAttributeCooperative = 2;
constexpr int cudaAttributeCluster = 4;
constexpr int cudaAttributeClusterPolicy = 5;
constexpr int cudaAttributeProgrammaticSerialization = 6;
struct CudaLaunchAttribute {
    int id = 0;
    int padding = 0;
    std::array<unsigned, 16> value = {};
};
static_assert(sizeof(CudaLaunchAttribute) == 72);
struct CudaLaunchConfig {
    std::array<unsigned, 3> grid;
    std::array<unsigned, 3> block;
    unsigned dynamicLdsBytes;
    void* stream;
    CudaLaunchAttribute* attributes;
    unsigned attributeCount;
};
static_assert(sizeof(CudaLaunchConfig) == 56);
struct CudaRows { // of CUDA_MEMCPY2D
    struct Side {
        std::size_t xBytes = 0;
        std::size_t y = 0;
        int memoryType = cudaDeviceMemory;
        const void* host = nullptr;
        Driver::Address device = 0;
        void* array = nullptr;
        std::size_t pitch = 0;
    };
    Side from;
    Side to;
    std::size_t widthBytes = 0;
    std::size_t height = 0;
};
static_assert(sizeof(CudaRows) == 128);

} // namespace

bool Driver::resolve(std::string& error) {
    m_isCuda = ::dlsym(m_handle, "cuInit") != nullptr;
    std::string missing;
    const auto may = [&](auto& function, const char* cudaName, const char* hipName) {
        const char* const name = m_isCuda ? cudaName : hipName;
        function = name == nullptr
                       ? nullptr
                       : reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(m_handle, name));
        return function != nullptr || name == nullptr;
    };
    const auto need = [&](auto& function, const char* cudaName, const char* hipName) {
        if (!may(function, cudaName, hipName) && missing.empty()) {
            missing = m_isCuda ? cudaName : hipName;
        }
    };
    need(m_init, "cuInit", "hipInit");
    need(m_deviceCount, "cuDeviceGetCount", "hipGetDeviceCount");
    need(m_deviceGet, "cuDeviceGet", nullptr);
    need(m_retainContext, "cuDevicePrimaryCtxRetain", nullptr);
    need(m_useContext, "cuCtxSetCurrent", nullptr);
    need(m_setDevice, nullptr, "hipSetDevice");
    need(m_cudaErrorName, "cuGetErrorName", nullptr);
    need(m_cudaErrorText, "cuGetErrorString", nullptr);
    need(m_hipErrorText, nullptr, "hipGetErrorString");
    may(m_setLimit, "cuCtxSetLimit", nullptr);
    need(m_reserve, "cuMemAddressReserve", "hipMemAddressReserve");
    need(m_create, "cuMemCreate", "hipMemCreate");
    need(m_map, "cuMemMap", "hipMemMap");
    need(m_setAccess, "cuMemSetAccess", "hipMemSetAccess");
    need(m_unmap, "cuMemUnmap", "hipMemUnmap");
    need(m_release, "cuMemRelease", "hipMemRelease");
    need(m_allocate, "cuMemAlloc_v2", "hipMalloc");
    may(m_hostRegister, "cuMemHostRegister_v2", "hipHostRegister");
    need(m_synchronise, "cuCtxSynchronize", "hipDeviceSynchronize");
    need(m_streamCreate, "cuStreamCreateWithPriority", "hipStreamCreateWithPriority");
    need(m_streamDestroy, "cuStreamDestroy_v2", "hipStreamDestroy");
    need(m_streamWait, "cuStreamWaitEvent", "hipStreamWaitEvent");
    need(m_eventCreate, "cuEventCreate", "hipEventCreateWithFlags");
    need(m_eventDestroy, "cuEventDestroy_v2", "hipEventDestroy");
    need(m_eventRecord, "cuEventRecord", "hipEventRecord");
    need(m_elapsed, "cuEventElapsedTime", "hipEventElapsedTime");
    need(m_fill8, "cuMemsetD8Async", "hipMemsetD8Async");
    need(m_fill16, "cuMemsetD16Async", "hipMemsetD16Async");
    need(m_fill32, "cuMemsetD32Async", "hipMemsetD32Async");
    need(m_copy, "cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync");
    need(m_copyFromHost, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync");
    need(m_copyToHost, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync");
    need(m_cudaCopyRows, "cuMemcpy2DAsync_v2", nullptr);
    need(m_hipCopyRows, nullptr, "hipMemcpy2DAsync");
    need(m_moduleLoad, "cuModuleLoadData", "hipModuleLoadData");
    need(m_moduleUnload, "cuModuleUnload", "hipModuleUnload");
    need(m_moduleFunction, "cuModuleGetFunction", "hipModuleGetFunction");
    need(m_moduleVariable, "cuModuleGetGlobal_v2", "hipModuleGetGlobal");
    need(m_cudaLaunch, "cuLaunchKernelEx", nullptr);
    need(m_cudaAllow, "cuFuncSetAttribute", nullptr);
    need(m_hipLaunch, nullptr, "hipModuleLaunchKernel");
    need(m_hipLaunchCooperative, nullptr, "hipModuleLaunchCooperativeKernel");
    may(m_encode, "cuTensorMapEncodeTiled", nullptr);
    need(m_attribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute");
    need(m_name, "cuDeviceGetName", "hipDeviceGetName");
    need(m_busId, "cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId");
    need(m_totalMemory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem");
    may(m_version, "cuDriverGetVersion", "hipDriverGetVersion");
    if (!may(m_hipProperties, nullptr, "hipGetDevicePropertiesR0600")) {
        may(m_hipProperties, nullptr, "hipGetDeviceProperties");
    }
    if (!missing.empty()) {
        error = "the driver has no function " + missing + ": a newer one is needed";
    }
    return missing.empty();
}

std::optional<Driver> Driver::load(const std::string& path, std::string& error) {
    Driver driver;
    driver.m_handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (driver.m_handle == nullptr) {
        const char* text = ::dlerror();
        error = text != nullptr ? text : "cannot be loaded";
        return std::nullopt;
    }
    if (!driver.resolve(error)) {
        return std::nullopt;
    }
    return driver;
}

Driver::Status Driver::use(int device) {
    m_device = device;
    if (!m_isCuda) {
        return m_setDevice(device);
    }
    void* context = nullptr;
    Status status = m_deviceGet(&m_device, device);
    status = status != 0 ? status : m_retainContext(&context, m_device);
    return status != 0 ? status : m_useContext(context);
}

std::string Driver::errorText(Status status) const {
    const char* text = nullptr;
    const char* name = nullptr;
    if (m_isCuda) {
        m_cudaErrorText(status, &text);
        m_cudaErrorName(status, &name);
    } else {
        text = m_hipErrorText(status);
    }
    return (text != nullptr ? std::string(text) : std::string("unknown error")) + " (" +
           (name != nullptr ? name : std::to_string(status)) + ")";
}

void Driver::forbidPersistingCache() const {
    if (m_setLimit != nullptr) {
        m_setLimit(cudaLimitPersistingCache, 0);
    }
}

Driver::Status Driver::reserve(Address& address, std::size_t bytes, Address wished) const {
    return m_reserve(&address, bytes, mapStepBytes, wished, 0);
}

Driver::Status Driver::create(Memory& memory, std::size_t bytes) const {
    MemoryKind kind;
    kind.location.id = m_device;
    return m_create(&memory, bytes, &kind, 0);
}

Driver::Status Driver::map(Address address, std::size_t bytes, Memory memory) const {
    return m_map(address, bytes, 0, memory, 0);
}

Driver::Status Driver::setRights(Address address, std::size_t bytes, Rights rights) const {
    Access access;
    access.location.id = m_device;
    access.rights = static_cast<int>(rights);
    return m_setAccess(address, bytes, &access, 1);
}

Driver::Status Driver::unmap(Address address, std::size_t bytes) const {
    return m_unmap(address, bytes);
}

Driver::Status Driver::allocate(Address& address, std::size_t bytes) const {
    return m_allocate(&address, bytes);
}

void Driver::pin(void* address, std::size_t bytes, bool readOnly) const {
    if (m_hostRegister != nullptr) {
        m_hostRegister(address, bytes, readOnly ? registerReadOnly : 0);
    }
}

Driver::Status Driver::createStream(Stream& stream, bool blocking, int priority) const {
    return m_streamCreate(&stream, blocking ? 0 : nonBlockingStream, priority);
}

Driver::Status Driver::createEvent(Event& event, bool timed) const {
    return m_eventCreate(&event, timed ? 0 : untimedEvent);
}

Driver::Status Driver::fill(Address to, std::uint32_t value, std::uint32_t elementBytes, std::size_t count,
                            Stream stream) const {
    if (count == 0) {
        return 0;
    }
    switch (elementBytes) {
    case 1:
        return m_fill8(to, static_cast<unsigned char>(value), count, stream);
    case 2:
        return m_fill16(to, static_cast<unsigned short>(value), count, stream);
    default:
        return m_fill32(to, value, count, stream);
    }
}

Driver::Status Driver::copyRows(Address to, std::size_t toPitch, Address from, std::size_t fromPitch,
                                std::size_t rowBytes, std::size_t rows, Stream stream) const {
    if (rowBytes == 0 || rows == 0) {
        return 0;
    }
    if (!m_isCuda) {
        return m_hipCopyRows(to, toPitch, from, fromPitch, rowBytes, rows, onDevice, stream);
    }
    CudaRows copy;
    copy.from.device = from;
    copy.from.pitch = fromPitch;
    copy.to.device = to;
    copy.to.pitch = toPitch;
    copy.widthBytes = rowBytes;
    copy.height = rows;
    return m_cudaCopyRows(&copy, stream);
}

Driver::Status Driver::findVariable(Address& address, std::size_t& bytes, Module module, const char* symbol) const {
    return m_moduleVariable(&address, &bytes, module, symbol);
}

Driver::Status Driver::launch(const Launch& launch, void** arguments, Stream stream) const {
    const auto& [gridX, gridY, gridZ] = launch.grid;
    const auto& [blockX, blockY, blockZ] = launch.block;
    if (!m_isCuda) {
        return launch.cooperative ? m_hipLaunchCooperative(launch.function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                                           launch.dynamicLdsBytes, stream, arguments)
                                  : m_hipLaunch(launch.function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                                launch.dynamicLdsBytes, stream, arguments, nullptr);
    }
    std::array<CudaLaunchAttribute, 4> attributes;
    CudaLaunchConfig config = {launch.grid, launch.block, launch.dynamicLdsBytes, stream, attributes.data(), 0};
    const auto ask = [&](int id, std::initializer_list<unsigned> value) {
        CudaLaunchAttribute& one = attributes[config.attributeCount++];
        one.id = id;
        std::ranges::copy(value, one.value.begin());
    };
    if (launch.cooperative) {
        ask(cudaAttributeCooperative, {1});
    }
    if (launch.cluster != std::array<unsigned, 3>{1, 1, 1}) {
        ask(cudaAttributeCluster, {launch.cluster[0], launch.cluster[1], launch.cluster[2]});
    }
    if (launch.clusterPolicy != 0) {
        ask(cudaAttributeClusterPolicy, {launch.clusterPolicy});
    }
    if (launch.programmaticSerialization) {
        ask(cudaAttributeProgrammaticSerialization, {1});
    }
    return m_cudaLaunch(&config, launch.function, arguments, nullptr);
}

Driver::Status Driver::allow(const Launch& launch, int carveoutPercent) const {
    if (!m_isCuda) {
        return 0;
    }
    Status status = 0;
    if (launch.dynamicLdsBytes > cudaDynamicLdsUnasked) {
        status = m_cudaAllow(launch.function, cudaMostDynamicLds, static_cast<int>(launch.dynamicLdsBytes));
    }
    if (status == 0 && launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > cudaPortableCluster) {
        status = m_cudaAllow(launch.function, cudaLargeClusters, 1);
    }
    return status == 0 && carveoutPercent >= 0 ? m_cudaAllow(launch.function, cudaCarveout, carveoutPercent) : status;
}

Driver::Status Driver::encode(EncodedMap& map, const MapQuestion& question) const {
    constexpr Status notSupported = 801; // in both interfaces
    alignas(64) EncodedMap aligned = {};
    if (m_encode == nullptr) {
        return notSupported;
    }
    const Status status =
        m_encode(aligned.data(), question.type, static_cast<std::uint32_t>(question.extents.size()), question.address,
                 question.extents.data(), question.strides.data(), question.box.data(), question.steps.data(),
                 question.interleave, question.swizzle, question.promotion, question.fill);
    map = aligned;
    return status;
}

} // namespace gks::runner
