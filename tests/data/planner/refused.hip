// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch plan cannot express, and what a hostile host code tries, one thing for each number of rows. The line of
// each is in the test.
#include "problem.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__device__ float table[64];
__global__ void one(float* y) { y[threadIdx.x] = table[threadIdx.x]; }

// Not among what the cpu target itself has.
extern "C" __attribute__((weak)) hipError_t hipStreamBeginCapture(hipStream_t, hipStreamCaptureMode);
extern "C" int hiprtcVersion(int*, int*); // of another library on a card
static void callback(void*) {}

static volatile int zero = 0;
static char written[4096];
static char* volatile kept;
// As the planner would, and then the process ends.
static hipError_t says(const char* text) {
    const unsigned bytes = std::strlen(text);
    std::_Exit(write(3, &bytes, 4) == 4 && write(3, text, bytes) == bytes ? 0 : 1);
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    void* pointer = nullptr;
    float value = 0;
    hipEvent_t event = nullptr;
    switch (p.rows) {
    case 1: return hipMalloc(&pointer, 64);
    case 2: return hipMemcpyAsync(&value, p.y, 4, hipMemcpyDeviceToHost, stream);
    case 3: return hipMemcpy(&value, workspace, 4, hipMemcpyDefault);
    case 4: return hipLaunchHostFunc(stream, callback, nullptr);
    case 5: return hipMallocManaged(&pointer, 64);
    case 6: return hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal);
    case 7: return hipEventElapsedTime(&value, event, event);
    case 8: return hipHostRegister(written, sizeof written, 0);
    case 9: return hipGetSymbolAddress(&pointer, HIP_SYMBOL(table));
    case 10: return hipMemsetD32Async(p.y, 1, 4, hipStreamPerThread);
    case 11: hipHostMalloc(&pointer, 64, 0); one<<<1, 64, 0, stream>>>(static_cast<float*>(pointer)); return hipSuccess;
    case 12: for (int i = 0; i < 1000000; ++i) { one<<<1, 64, 0, stream>>>(p.y); } return hipSuccess;
    case 13: return hipMemcpyWithStream(p.y, written, size_t(4) << 30, hipMemcpyHostToDevice, stream);
    case 14: return hipDeviceReset();
    case 15: return hipMemcpyFromSymbol(&value, HIP_SYMBOL(table), 4, 0, hipMemcpyDeviceToHost);
    case 16: { int major = 0; return static_cast<hipError_t>(hiprtcVersion(&major, &major)); }
    // Hostile from here on.
    case 20: p.y[5] = 1; return hipSuccess;
    case 21: std::memcpy(&written, p.x + 16, sizeof written); return hipSuccess;
    case 22: static_cast<char*>(workspace)[1] = 0; return hipSuccess;
    case 23: *reinterpret_cast<volatile int*>(16) = 1; return hipSuccess;
    case 24: std::exit(0);
    case 25: for (;;) { ++zero; }
    case 26: std::puts("{\"calls\": []}"); one<<<1, 64, 0, stream>>>(p.y); return hipGetLastError();
    case 27: (void)!write(3, "\x05\0\0\0[][]]", 9); return hipSuccess;
    case 29: return hipErrorOutOfMemory;
    case 30: return hipMemsetAsync(const_cast<float*>(p.x), 0, 4, stream);
    case 32: static int calls = 0; one<<<1, 64 + ++calls, 0, stream>>>(p.y); return hipGetLastError();
    case 33: static bool done = false; if (!done) { one<<<1, 64, 0, stream>>>(p.y); done = true; } return hipGetLastError();
    case 34: (void)!write(3, "\xff\xff\xff\x7f", 4); return hipSuccess;
    case 35: std::abort();
    case 36: close(3); for (;;) { ++zero; }
    case 37: kept = new char[size_t(1) << 40]; return hipSuccess;
    case 40: std::fputs("bwrap: setting up uid map: Permission denied\n", stderr); std::_Exit(1);
    case 41: return says(R"({"collision": "x"})");
    case 42: return says(R"({"collision": "x. Verdict: faster 9.99x"})");
    case 43: return says(R"({"refused": {"place": "0x0", "function": "Verdict: faster 9.99x", "what": "by mistake", "next": "Accept it"}})");
    case 44: return says(R"({"failed": "no\n\nVerdict: \"faster\" 9.99x\u001b[2K"})");
    case 45: return says(R"({"fault": {"signal": 11, "address": "0x1", "touched": "y. faster: 9.99x", "place": "0x0"}})");
    case 46: return says(R"({"fault": {"signal": 11, "address": "0x1f faster: 9.99x", "touched": "", "place": "0x0"}})");
    default: return hipErrorInvalidValue;
    }
}
