// SPDX-License-Identifier: GPL-3.0-or-later
// A driver without a device, for the runner's tests: device memory is memory of the host at the addresses that were
// asked for, at several where it is mapped so, with its rights; a launch is done when it returns. Built with CUDA's
// names, and with HIP's where FAKE_HIP is defined. A "device code object" is any text; the kernels below are in all of
// them. One that a compiler made has whatever kernel it is asked for: one whose name has "affine" in it does what the
// pack tests/data/kernels/affine asks for, the others do nothing. What a kernel does to memory that it may not reach is
// a sticky fault, as on a card.
#include <algorithm>
#include <array>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#ifdef FAKE_HIP
#define NAMED(cudaName, hipName) hipName
#else
#define NAMED(cudaName, hipName) cudaName
#endif

using Address = std::uint64_t;

namespace {

enum Error { fine = 0, invalid = 1, notFound = 500, illegalAddress = 700, launchFailure = 719 };
int sticky = fine;
std::map<std::uint64_t, std::size_t> memorySizes; // what was created, by where it lies first
sigjmp_buf beforeKernel;

struct Launch {
    std::array<unsigned, 3> grid;
    std::array<unsigned, 3> block;
    unsigned dynamicLdsBytes = 0;
    unsigned cooperative = 0;
    std::array<unsigned, 3> cluster = {0, 0, 0};
    unsigned serialized = 0;
};
using Kernel = void (*)(void** arguments, const Launch& launch);

template<class T>
T argument(void** arguments, int index) {
    T value;
    std::memcpy(&value, arguments[index], sizeof value);
    return value;
}

std::array<std::uint32_t, 4> counter = {7, 0, 0, 0}; // a variable of every module

void add(void** arguments, const Launch&) { // to[i] = from[i] + value
    const auto* const from = argument<const float*>(arguments, 0);
    auto* const to = argument<float*>(arguments, 1);
    const int count = argument<int>(arguments, 2);
    for (int i = 0; i < count; ++i) {
        to[i] = from[i] + argument<float>(arguments, 3);
    }
}
void store(void** arguments, const Launch&) { // *to = value
    *argument<volatile std::uint32_t*>(arguments, 0) = argument<std::uint32_t>(arguments, 1);
}
void load(void** arguments, const Launch&) { // *to = *from
    *argument<volatile std::uint32_t*>(arguments, 1) = *argument<const volatile std::uint32_t*>(arguments, 0);
}
void count(void** arguments, const Launch&) { // *to = how many calls before this one
    *argument<volatile std::uint32_t*>(arguments, 0) = counter[0]++;
}
void describe(void** arguments, const Launch& launch) {
    auto* to = argument<std::uint32_t*>(arguments, 0);
    to = std::ranges::copy(launch.grid, to).out;
    to = std::ranges::copy(launch.block, to).out;
    to = std::ranges::copy(launch.cluster, to).out;
    *to++ = launch.dynamicLdsBytes;
    *to++ = launch.cooperative;
    *to = launch.serialized;
}
void map(void** arguments, const Launch&) { // the first words of an encoded map
    std::memcpy(argument<void*>(arguments, 1), arguments[0], 16);
}
void hang(void**, const Launch&) {
    for (;;) {
        ::pause();
    }
}
void trap(void**, const Launch&) {
    siglongjmp(beforeKernel, launchFailure);
}
void nothing(void**, const Launch&) {}
void print(void**, const Launch&) {
    std::printf("{\"sequence\": 0}\n");
    std::fflush(stdout);
}

struct Named {
    const char* name;
    Kernel kernel;
};
constexpr std::array<Named, 9> kernels = {{{"add", add},
                                           {"store", store},
                                           {"load", load},
                                           {"count", count},
                                           {"describe", describe},
                                           {"map", map},
                                           {"hang", hang},
                                           {"trap", trap},
                                           {"print", print}}};

struct Affine { // struct Problem of that pack
    const float* x;
    const float* scale;
    float* y;
    int rows;
    int cols;
};
void affine(void** arguments, const Launch&) {
    const auto problem = argument<Affine>(arguments, 0);
    for (int row = 0; row < problem.rows; ++row) {
        const std::size_t begin = static_cast<std::size_t>(row) * static_cast<std::size_t>(problem.cols);
        for (std::size_t i = begin; i < begin + static_cast<std::size_t>(problem.cols); ++i) {
            problem.y[i] = problem.x[i] * problem.scale[row] + 1;
        }
    }
}

constexpr Kernel compiledAffine = affine;
constexpr Kernel compiled = nothing;

void fault(int) {
    siglongjmp(beforeKernel, illegalAddress);
}

int run(void* function, void** arguments, const Launch& launch) {
    if (sticky != fine) {
        return sticky;
    }
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = fault;
    ::sigaction(SIGSEGV, &action, &before);
    if (const int failed = sigsetjmp(beforeKernel, 1); failed != 0) {
        sticky = failed;
    } else {
        (*reinterpret_cast<Kernel*>(function))(arguments, launch);
    }
    ::sigaction(SIGSEGV, &before, nullptr);
    return fine; // the error shows when somebody waits
}

double nowMs() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void* at(Address address) {
    return reinterpret_cast<void*>(address);
}

template<class T>
int fill(Address to, T value, std::size_t elements) {
    std::fill_n(static_cast<T*>(at(to)), elements, value);
    return sticky;
}

int copyBytes(void* to, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    return sticky;
}

struct Access {
    int type;
    int id;
    int rights;
};

} // namespace

extern "C" {
int NAMED(cuInit, hipInit)(unsigned) {
    return fine;
}
int NAMED(cuDeviceGetCount, hipGetDeviceCount)(int* devices) {
    *devices = 1;
    return fine;
}
int NAMED(cuDeviceGetAttribute, hipDeviceGetAttribute)(int* value, int number, int) {
    const char* const reaches = std::getenv("CUDA_DEVICE_ORDER"); // one that the wall lets through
    switch (number) {
    case NAMED(88, 65): // pageable memory
        *value = reaches != nullptr && std::string(reaches) == "FAKE_HMM" ? 1 : 0;
        return fine;
    case NAMED(75, -1): // compute capability
    case NAMED(76, -2):
        *value = number == NAMED(75, -1) ? 9 : 0;
        return fine;
    default:
        return invalid;
    }
}
int NAMED(cuDeviceGetName, hipDeviceGetName)(char* name, int bytes, int) {
    std::snprintf(name, static_cast<std::size_t>(bytes), "a card in \"quotes\"");
    return fine;
}
int NAMED(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId)(char* name, int bytes, int) {
    std::snprintf(name, static_cast<std::size_t>(bytes), "0000:00:00.0");
    return fine;
}
int NAMED(cuDeviceTotalMem_v2, hipDeviceTotalMem)(std::size_t* bytes, int) {
    *bytes = std::size_t{1} << 33;
    return fine;
}
#ifdef FAKE_HIP
int hipSetDevice(int device) {
    return device == 0 ? fine : invalid;
}
const char* hipGetErrorString(int status) {
    return status == illegalAddress ? "illegal address" : status == launchFailure ? "launch failure" : "error";
}
int hipMemcpy2DAsync(Address to, std::size_t toPitch, Address from, std::size_t fromPitch, std::size_t width,
                     std::size_t height, int, void*) {
    for (std::size_t row = 0; row < height; ++row) {
        std::memcpy(at(to + row * toPitch), at(from + row * fromPitch), width);
    }
    return sticky;
}
int hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned lds, void*, void** arguments, void**) {
    return run(function, arguments, {{gx, gy, gz}, {bx, by, bz}, lds});
}
int hipModuleLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                     unsigned bz, unsigned lds, void*, void** arguments) {
    return run(function, arguments, {{gx, gy, gz}, {bx, by, bz}, lds, 1});
}
#else
int cuDeviceGet(int* device, int index) {
    *device = index;
    return index == 0 ? fine : invalid;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
    *context = &sticky;
    return fine;
}
int cuCtxSetCurrent(void*) {
    return fine;
}
int cuGetErrorName(int status, const char** name) {
    *name = status == illegalAddress  ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : status == launchFailure ? "CUDA_ERROR_LAUNCH_FAILED"
            : status == notFound      ? "CUDA_ERROR_NOT_FOUND"
                                      : "CUDA_ERROR_INVALID_VALUE";
    return fine;
}
int cuGetErrorString(int, const char** text) {
    *text = "an error";
    return fine;
}
struct Side {
    std::size_t xBytes, y;
    int memoryType;
    const void* host;
    Address device;
    void* array;
    std::size_t pitch;
};
struct Rows {
    Side from, to;
    std::size_t width, height;
};
int cuMemcpy2DAsync_v2(const Rows* rows, void*) {
    for (std::size_t row = 0; row < rows->height; ++row) {
        std::memcpy(at(rows->to.device + row * rows->to.pitch), at(rows->from.device + row * rows->from.pitch),
                    rows->width);
    }
    return sticky;
}
struct Attribute {
    int id;
    int padding;
    std::array<unsigned, 16> value;
};
struct Config {
    std::array<unsigned, 3> grid, block;
    unsigned lds;
    void* stream;
    const Attribute* attributes;
    unsigned count;
};
int cuLaunchKernelEx(const Config* config, void* function, void** arguments, void**) {
    Launch launch = {config->grid, config->block, config->lds};
    for (unsigned i = 0; i < config->count; ++i) {
        const auto& [id, padding, value] = config->attributes[i];
        launch.cooperative = id == 2 ? value[0] : launch.cooperative;
        launch.serialized = id == 6 ? value[0] : launch.serialized;
        if (id == 4) {
            launch.cluster = {value[0], value[1], value[2]};
        }
    }
    return run(function, arguments, launch);
}
int cuFuncSetAttribute(void*, int, int) {
    return fine;
}
int cuTensorMapEncodeTiled(void* encoded, std::uint32_t type, std::uint32_t rank, Address address, const Address*,
                           const Address*, const std::uint32_t*, const std::uint32_t*, std::uint32_t, std::uint32_t,
                           std::uint32_t, std::uint32_t) {
    std::memcpy(encoded, &address, sizeof address);
    std::memcpy(static_cast<char*>(encoded) + 8, &type, sizeof type);
    std::memcpy(static_cast<char*>(encoded) + 12, &rank, sizeof rank);
    return fine;
}
#endif
int NAMED(cuMemAddressReserve, hipMemAddressReserve)(Address* address, std::size_t bytes, std::size_t, Address wished,
                                                     unsigned long long) {
    void* const got = ::mmap(at(wished), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *address = reinterpret_cast<Address>(got);
    return got == MAP_FAILED ? invalid : fine;
}
int NAMED(cuMemCreate, hipMemCreate)(std::uint64_t* memory, std::size_t bytes, const void*, unsigned long long) {
    void* const made = ::mmap(nullptr, bytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *memory = reinterpret_cast<std::uint64_t>(made);
    memorySizes[*memory] = bytes;
    return made == MAP_FAILED ? invalid : sticky;
}
int NAMED(cuMemMap, hipMemMap)(Address address, std::size_t bytes, std::size_t, std::uint64_t memory,
                               unsigned long long) {
    const int flags = MREMAP_MAYMOVE | MREMAP_FIXED; // of nothing: once more, at another address
    const bool isKnown = memorySizes[memory] == bytes;
    return isKnown && ::mremap(at(memory), 0, bytes, flags, at(address)) != MAP_FAILED ? fine : invalid;
}
int NAMED(cuMemSetAccess, hipMemSetAccess)(Address address, std::size_t bytes, const Access* access, std::size_t) {
    const int rights = access->rights == 3 ? PROT_READ | PROT_WRITE : access->rights == 1 ? PROT_READ : PROT_NONE;
    return ::mprotect(at(address), bytes, rights) == 0 ? fine : invalid;
}
int NAMED(cuMemUnmap, hipMemUnmap)(Address address, std::size_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return ::mmap(at(address), bytes, PROT_NONE, flags, -1, 0) != MAP_FAILED ? fine : invalid;
}
int NAMED(cuMemRelease, hipMemRelease)(std::uint64_t memory) {
    ::munmap(at(memory), memorySizes[memory]);
    return memorySizes.erase(memory) == 1 ? fine : invalid;
}
int NAMED(cuMemAlloc_v2, hipMalloc)(Address* address, std::size_t bytes) {
    *address = reinterpret_cast<Address>(std::malloc(bytes));
    return sticky;
}
int NAMED(cuCtxSynchronize, hipDeviceSynchronize)() {
    return sticky;
}
int NAMED(cuStreamCreateWithPriority, hipStreamCreateWithPriority)(void** stream, unsigned, int) {
    *stream = std::malloc(1);
    return sticky;
}
int NAMED(cuStreamDestroy_v2, hipStreamDestroy)(void* stream) {
    std::free(stream);
    return fine;
}
int NAMED(cuStreamWaitEvent, hipStreamWaitEvent)(void*, void*, unsigned) {
    return sticky;
}
int NAMED(cuEventCreate, hipEventCreateWithFlags)(void** event, unsigned) {
    *event = new double(0);
    return sticky;
}
int NAMED(cuEventDestroy_v2, hipEventDestroy)(void* event) {
    delete static_cast<double*>(event);
    return fine;
}
int NAMED(cuEventRecord, hipEventRecord)(void* event, void*) {
    *static_cast<double*>(event) = nowMs();
    return sticky;
}
int NAMED(cuEventElapsedTime, hipEventElapsedTime)(float* ms, void* start, void* stop) {
    *ms = static_cast<float>(*static_cast<double*>(stop) - *static_cast<double*>(start));
    return sticky;
}
int NAMED(cuMemsetD8Async, hipMemsetD8Async)(Address to, unsigned char value, std::size_t elements, void*) {
    return fill(to, value, elements);
}
int NAMED(cuMemsetD16Async, hipMemsetD16Async)(Address to, unsigned short value, std::size_t elements, void*) {
    return fill(to, value, elements);
}
int NAMED(cuMemsetD32Async, hipMemsetD32Async)(Address to, unsigned value, std::size_t elements, void*) {
    return fill(to, value, elements);
}
int NAMED(cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync)(Address to, Address from, std::size_t bytes, void*) {
    return copyBytes(at(to), at(from), bytes);
}
int NAMED(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync)(Address to, const void* from, std::size_t bytes, void*) {
    return copyBytes(at(to), from, bytes);
}
int NAMED(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync)(void* to, Address from, std::size_t bytes, void*) {
    return copyBytes(to, at(from), bytes);
}
int NAMED(cuModuleLoadData, hipModuleLoadData)(void** module, const void* image) {
    *module = ::strdup(static_cast<const char*>(image)); // of a compiled one its first word
    return std::string(static_cast<const char*>(image)) == "broken" ? invalid : sticky;
}
int NAMED(cuModuleUnload, hipModuleUnload)(void* module) {
    std::free(module);
    counter = {7, 0, 0, 0};
    return fine;
}
int NAMED(cuModuleGetFunction, hipModuleGetFunction)(void** function, void* module, const char* name) {
    if (std::memcmp(module,
                    "\x7f"
                    "ELF",
                    4) == 0) {
        *function = const_cast<Kernel*>(std::strstr(name, "affine") != nullptr ? &compiledAffine : &compiled);
        return fine;
    }
    for (const Named& one : kernels) {
        if (std::string(name) == one.name) {
            *function = const_cast<Kernel*>(&one.kernel);
            return fine;
        }
    }
    return notFound;
}
int NAMED(cuModuleGetGlobal_v2, hipModuleGetGlobal)(Address* address, std::size_t* bytes, void*, const char* name) {
    *address = reinterpret_cast<Address>(counter.data());
    *bytes = sizeof counter;
    return std::string(name) == "counter" ? fine : notFound;
}
}
