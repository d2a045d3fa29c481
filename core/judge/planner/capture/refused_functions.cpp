// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/capture/recorder.h"

#include <array>
#include <string_view>

// A function that the library lacks would keep a module from being loaded although it may never be called. So every
// function of the interface is there, and those that no other file defines are refused when they are called.
namespace gks::capture {
namespace {

struct Family {
    std::string_view part; // of the function's name
    const char* what;
    const char* next;
};
constexpr std::array families = {
    Family{"hiprtc", "compiles device code while it runs", "Write the kernel in this file"},
    Family{"Graph", "makes a graph", "Launch the kernels one by one"},
    Family{"Capture", "captures a stream", "Launch the kernels one by one"},
    Family{"_ptsz", "uses the stream of the calling thread", "Use the stream that solve() is called with"},
    Family{"_ptds", "uses the stream of the calling thread", "Use the stream that solve() is called with"},
    Family{"_spt", "uses the stream of the calling thread", "Use the stream that solve() is called with"},
    Family{"ModuleLoad", "loads device code that is not in its source", "Write the kernel in this file"},
    Family{"ModuleGet", "looks for device code that is not in its source", "Write the kernel in this file"},
    Family{"Link", "links device code that is not in its source", "Write the kernel in this file"},
    Family{"Tex", "uses a texture", "Read the memory through a pointer"},
    Family{"Surface", "uses a surface", "Write the memory through a pointer"},
    Family{"Array", "uses an array of the device", "Use the workspace"},
    Family{"Mipmap", "uses an array of the device", "Use the workspace"},
    Family{"Peer", "uses a second device", "There is one"},
    Family{"MultiDevice", "uses a second device", "There is one"},
    Family{"Ipc", "shares memory with another process", "Use the workspace"},
    Family{"MemPool", "allocates memory of the device", "Use the workspace: workspace_bytes() says how much of it"},
    Family{"Malloc", "allocates memory of the device", "Use the workspace: workspace_bytes() says how much of it"},
    Family{"MemAlloc", "allocates memory of the device", "Use the workspace: workspace_bytes() says how much of it"},
    Family{"MemCreate", "allocates memory of the device", "Use the workspace: workspace_bytes() says how much of it"},
    Family{"MemMap", "changes what memory the device sees", "Use the workspace"},
    Family{"MemAddress", "changes what memory the device sees", "Use the workspace"},
    Family{"MemSetAccess", "changes what memory the device sees", "Use the workspace"},
    Family{"MemAdvise", "shares memory between host and device", "Use the workspace"},
    Family{"MemPrefetch", "shares memory between host and device", "Use the workspace"},
    Family{"MemRange", "shares memory between host and device", "Use the workspace"},
    Family{"ManagedVar", "shares memory between host and device", "Use the workspace"},
    Family{"Value", "waits for or writes a value in memory", "Use events to order streams"},
    Family{"External", "uses memory or signals of another interface", "Use the workspace and events"},
    Family{"Ctx", "changes the device's context", "Leave the call out"},
};
constexpr Family other = {"", "is no operation of a launch plan", "Leave the call out"};

[[noreturn]] void refuseFunction(const char* function, void* caller) {
    const std::string_view called = function;
    const Family* reason = &other;
    for (const Family& family : families) {
        if (called.find(family.part) != std::string_view::npos) {
            reason = &family;
            break;
        }
    }
    const Call call(function, caller);
    call.refuse(reason->what, reason->next);
}

} // namespace
} // namespace gks::capture

#pragma GCC visibility push(default)
// Weak: the same name elsewhere goes before it.
#define GKS_FUNCTION(name)                                                                                             \
    extern "C" __attribute__((weak)) void name() {                                                                     \
        gks::capture::refuseFunction(#name, __builtin_return_address(0));                                              \
    }
#include GKS_CAPTURED_FUNCTIONS
#pragma GCC visibility pop
