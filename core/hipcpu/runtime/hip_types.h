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
    hipErrorInvalidContext = 201,
    hipErrorNoBinaryForGpu = 209,
    hipErrorContextAlreadyInUse = 216,
    hipErrorFileNotFound = 301,
    hipErrorOperatingSystem = 304,
    hipErrorInvalidHandle = 400,
    hipErrorIllegalState = 401,
    hipErrorNotFound = 500,
    hipErrorNotReady = 600,
    hipErrorIllegalAddress = 700,
    hipErrorAssert = 710,
    hipErrorHostMemoryAlreadyRegistered = 712,
    hipErrorHostMemoryNotRegistered = 713,
    hipErrorLaunchFailure = 719,
    hipErrorCooperativeLaunchTooLarge = 720,
    hipErrorNotSupported = 801,
    hipErrorStreamCaptureUnsupported = 900,
    hipErrorStreamCaptureInvalidated = 901,
    hipErrorStreamCaptureMerge = 902,
    hipErrorStreamCaptureUnmatched = 903,
    hipErrorStreamCaptureUnjoined = 904,
    hipErrorStreamCaptureIsolation = 905,
    hipErrorStreamCaptureImplicit = 906,
    hipErrorCapturedEvent = 907,
    hipErrorStreamCaptureWrongThread = 908,
    hipErrorGraphExecUpdateFailure = 910,
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
class Graph;
class ExecutableGraph;
struct GraphNode;
class CodeObject;
class Context;

using HipStream = Stream*;
using HipEvent = Event*;
using HipGraph = Graph*;
using HipGraphNode = GraphNode*;
using HipGraphExec = ExecutableGraph*;
using HipModule = CodeObject*;
using HipContext = Context*;
using HipFunction = const void*; // of a kernel, as host code has for its own
using HipStreamCallback = void (*)(HipStream stream, HipError status, void* userData);
using HipHostFunction = void (*)(void* userData);

// hipStreamCaptureMode: whose calls are refused that might get in the way of a capture.
enum class CaptureMode : int { global = 0, threadLocal = 1, relaxed = 2 };
enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };

struct HipKernelNodeParams {
    Dim3 block;
    void** extra;
    void* function;
    Dim3 grid;
    void** arguments;
    unsigned dynamicLdsBytes;
};

struct HipMemsetParams {
    void* to;
    unsigned elementBytes;
    std::size_t height;
    std::size_t pitch;
    unsigned value;
    std::size_t width; // elements
};

struct HipHostNodeParams {
    HipHostFunction function;
    void* userData;
};

struct HipMemAllocNodeParams {
    int allocationType;
    int handleTypes;
    int locationType;
    int location;
    void* security;
    unsigned char reserved[64];
    const void* accesses;
    std::size_t accessCount;
    std::size_t sizeBytes;
    void* data; // the answer
};

// Linear memory in rows and slices.
struct HipPitchedPointer {
    void* data;
    std::size_t pitch;
    std::size_t width;
    std::size_t height; // rows of a slice
};
struct HipExtent {
    std::size_t width; // bytes
    std::size_t height;
    std::size_t depth;
};
struct HipMemcpy3DParams {
    void* fromArray;
    std::size_t fromPlace[3];
    HipPitchedPointer from;
    void* toArray;
    std::size_t toPlace[3];
    HipPitchedPointer to;
    HipExtent extent;
    HipMemcpyKind kind;
};

} // namespace gks::hipcpu
