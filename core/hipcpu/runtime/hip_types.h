// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The types of the HIP host interface, declared from its binary interface so that the library builds without AMD's
// headers. Values and layouts are the same in HIP 5 and HIP 6 unless a comment says otherwise.

#include <cstddef>
#include <cstdint>

namespace gks::hipcpu {

enum HipError : int {
    hipSuccess = 0,
    hipErrorInvalidValue = 1,
    hipErrorOutOfMemory = 2,
    hipErrorNotInitialized = 3,
    hipErrorInvalidConfiguration = 9,
    hipErrorInvalidSymbol = 13,
    hipErrorInvalidDevicePointer = 17,
    hipErrorInvalidMemcpyDirection = 21,
    hipErrorMissingConfiguration = 52,
    hipErrorInvalidDeviceFunction = 98,
    hipErrorNoDevice = 100,
    hipErrorInvalidDevice = 101,
    hipErrorInvalidImage = 200,
    hipErrorNoBinaryForGpu = 209,
    hipErrorInvalidHandle = 400,
    hipErrorNotFound = 500,
    hipErrorNotReady = 600,
    hipErrorIllegalAddress = 700,
    hipErrorAssert = 710,
    hipErrorHostMemoryAlreadyRegistered = 712,
    hipErrorHostMemoryNotRegistered = 713,
    hipErrorLaunchFailure = 719,
    hipErrorCooperativeLaunchTooLarge = 720,
    hipErrorNotSupported = 801,
    hipErrorUnknown = 999,
};

enum HipMemcpyKind : int {
    hipMemcpyHostToHost = 0,
    hipMemcpyHostToDevice = 1,
    hipMemcpyDeviceToHost = 2,
    hipMemcpyDeviceToDevice = 3,
    hipMemcpyDefault = 4,
};

inline constexpr unsigned hipStreamNonBlocking = 1;
inline constexpr unsigned hipEventDisableTiming = 2;

struct Dim3 {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// HIP 5 calls the first field memoryType and counts from host = 0; HIP 6 calls it type and counts from unregistered =
// 0.
struct HipPointerAttributes {
    int memoryType;
    int device;
    void* devicePointer;
    void* hostPointer;
    int isManaged;
    unsigned allocationFlags;
};

struct HipFunctionAttributes {
    int binaryVersion;
    int cacheModeCA;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxDynamicSharedSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int preferredShmemCarveout;
    int ptxVersion;
    std::size_t sharedSizeBytes;
};

class Stream;
class Event;

using HipStream = Stream*;
using HipEvent = Event*;
using HipStreamCallback = void (*)(HipStream stream, HipError status, void* userData);
using HipHostFunction = void (*)(void* userData);

} // namespace gks::hipcpu
