// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gks::hipcpu {
namespace {

thread_local HipError lastError = hipSuccess;

struct ErrorText {
    int error;
    const char* name;
    const char* text;
};
constexpr std::array errorTexts = {
    ErrorText{0, "cudaSuccess", "no error"},
    ErrorText{1, "cudaErrorInvalidValue", "invalid argument"},
    ErrorText{2, "cudaErrorMemoryAllocation", "out of memory"},
    ErrorText{3, "cudaErrorInitializationError", "initialization error"},
    ErrorText{9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    ErrorText{13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    ErrorText{17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    ErrorText{21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    ErrorText{52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    ErrorText{98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    ErrorText{100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    ErrorText{101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    ErrorText{200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    ErrorText{209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    ErrorText{400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    ErrorText{500, "cudaErrorSymbolNotFound", "named symbol not found"},
    ErrorText{600, "cudaErrorNotReady", "device not ready"},
    ErrorText{700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    ErrorText{701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    ErrorText{710, "cudaErrorAssert", "device-side assert triggered"},
    ErrorText{712, "cudaErrorHostMemoryAlreadyRegistered",
              "part or all of the requested memory range is already mapped"},
    ErrorText{713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    ErrorText{719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    ErrorText{720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    ErrorText{801, "cudaErrorNotSupported", "operation not supported"},
    ErrorText{912, "cudaErrorInvalidClusterSize", "invalid cluster size"},
    ErrorText{999, "cudaErrorUnknown", "unknown error"},
};

const ErrorText& textOf(HipError error) {
    const auto found = std::find_if(errorTexts.begin(), errorTexts.end(),
                                    [error](const ErrorText& entry) { return entry.error == static_cast<int>(error); });
    return found != errorTexts.end() ? *found : errorTexts.back();
}

} // namespace

HipError remember(HipError error) {
    if (error != hipSuccess) {
        lastError = error;
    }
    return error;
}

} // namespace gks::hipcpu

using namespace gks::hipcpu;

#pragma GCC visibility push(default)
extern "C" {

HipError cudaGetLastError() {
    return std::exchange(lastError, hipSuccess);
}

HipError cudaPeekAtLastError() {
    return lastError;
}

const char* cudaGetErrorName(HipError error) {
    return textOf(error).name;
}

const char* cudaGetErrorString(HipError error) {
    return textOf(error).text;
}
}
#pragma GCC visibility pop
