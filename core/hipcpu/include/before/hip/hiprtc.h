// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hip/hip_version.h>

#include_next <hip/hiprtc.h>

// What HIP 5.2 does not declare of hipRTC.
#if HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR < 3
#define HIPRTC_ERROR_LINKING static_cast<hiprtcResult>(100) // outside of the enumeration, so no constant
typedef struct ihiprtcLinkState* hiprtcLinkState;
typedef enum hiprtcJIT_option {
    HIPRTC_JIT_MAX_REGISTERS = 0,
    HIPRTC_JIT_THREADS_PER_BLOCK,
    HIPRTC_JIT_WALL_TIME,
    HIPRTC_JIT_INFO_LOG_BUFFER,
    HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    HIPRTC_JIT_ERROR_LOG_BUFFER,
    HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    HIPRTC_JIT_OPTIMIZATION_LEVEL,
} hiprtcJIT_option;
typedef enum hiprtcJITInputType {
    HIPRTC_JIT_INPUT_CUBIN = 0,
    HIPRTC_JIT_INPUT_PTX,
    HIPRTC_JIT_INPUT_FATBINARY,
    HIPRTC_JIT_INPUT_OBJECT,
    HIPRTC_JIT_INPUT_LIBRARY,
    HIPRTC_JIT_INPUT_NVVM,
    HIPRTC_JIT_INPUT_LLVM_BITCODE = 100,
    HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE = 101,
    HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE = 102,
} hiprtcJITInputType;

extern "C" {
hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char* bitcode);
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t* sizeBytes);
hiprtcResult hiprtcLinkCreate(unsigned int count, hiprtcJIT_option* options, void** values, hiprtcLinkState* state);
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType kind, const char* path, unsigned int count,
                               hiprtcJIT_option* options, void** values);
hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType kind, void* image, size_t sizeBytes,
                               const char* name, unsigned int count, hiprtcJIT_option* options, void** values);
hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** code, size_t* sizeBytes);
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state);
}
#endif
