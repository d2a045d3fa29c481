// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// What a capture library exports beside the host interface that it stands in for. It shares the planner's process with
// the candidate's host code: nothing that comes out of it is evidence, the judge checks the plan.
namespace gks::capture {

// What a plan cannot express: the call, why, and what to do instead. `place` is the call's address in the module, from
// the module's start, 0 when it did not come from there.
struct Refusal {
    const char* function;
    const char* what;
    const char* next;
    std::uint64_t place;
};

struct Setup {
    const char* facts;                       // ModuleFacts as JSON
    const char* device;                      // DeviceAnswers as JSON
    void (*refused)(const Refusal& refusal); // does not return
};

struct Interface {
    // Before the module is loaded. False when facts or device cannot be read.
    bool (*begin)(const Setup& setup);
    // A call of solve() with a set's addresses (SetAddresses as JSON). False when they cannot be read.
    bool (*beginCall)(const char* addresses);
    // The plan of that call as JSON, until the next one ends; `waits` is how often the host waited for the device.
    const char* (*endCall)(std::uint64_t* waits);
    // The error that is left for hipGetLastError() or cudaGetLastError(), which it forgets.
    int (*takeLastError)();
    const char* (*errorName)(int error);
    void* stream; // what solve() is called with
};

} // namespace gks::capture

extern "C" __attribute__((visibility("default"))) const gks::capture::Interface gksCapture;
