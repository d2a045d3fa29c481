// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What libhipcpu.so exports of hipRTC's interface, which is a library by itself on a card.
#include "core/hipcpu/runtime/rtc_program.h"

#pragma GCC visibility push(default)
extern "C" {
const char* hiprtcGetErrorString(gks::hipcpu::RtcResult result);
gks::hipcpu::RtcResult hiprtcVersion(int* major, int* minor);
gks::hipcpu::RtcResult hiprtcCreateProgram(gks::hipcpu::RtcProgram** program, const char* source, const char* name,
                                           int headerCount, const char* const* headers,
                                           const char* const* includeNames);
gks::hipcpu::RtcResult hiprtcDestroyProgram(gks::hipcpu::RtcProgram** program);
gks::hipcpu::RtcResult hiprtcAddNameExpression(gks::hipcpu::RtcProgram* program, const char* expression);
gks::hipcpu::RtcResult hiprtcCompileProgram(gks::hipcpu::RtcProgram* program, int optionCount,
                                            const char* const* options);
gks::hipcpu::RtcResult hiprtcGetLoweredName(gks::hipcpu::RtcProgram* program, const char* expression,
                                            const char** name);
gks::hipcpu::RtcResult hiprtcGetProgramLogSize(gks::hipcpu::RtcProgram* program, std::size_t* sizeBytes);
gks::hipcpu::RtcResult hiprtcGetProgramLog(gks::hipcpu::RtcProgram* program, char* log);
gks::hipcpu::RtcResult hiprtcGetCodeSize(gks::hipcpu::RtcProgram* program, std::size_t* sizeBytes);
gks::hipcpu::RtcResult hiprtcGetCode(gks::hipcpu::RtcProgram* program, char* code);
gks::hipcpu::RtcResult hiprtcGetBitcodeSize(gks::hipcpu::RtcProgram* program, std::size_t* sizeBytes);
gks::hipcpu::RtcResult hiprtcGetBitcode(gks::hipcpu::RtcProgram* program, char* bitcode);
gks::hipcpu::RtcResult hiprtcLinkCreate(unsigned count, int* options, void** values, void** state);
gks::hipcpu::RtcResult hiprtcLinkAddFile(void* state, int kind, const char* path, unsigned count, int* options,
                                         void** values);
gks::hipcpu::RtcResult hiprtcLinkAddData(void* state, int kind, void* image, std::size_t sizeBytes, const char* name,
                                         unsigned count, int* options, void** values);
gks::hipcpu::RtcResult hiprtcLinkComplete(void* state, void** code, std::size_t* sizeBytes);
gks::hipcpu::RtcResult hiprtcLinkDestroy(void* state);
}
#pragma GCC visibility pop
