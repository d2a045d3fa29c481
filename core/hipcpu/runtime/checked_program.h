// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/kernel_run.h"

#include <cstddef>

namespace gks::hipcpu {

// A whole program with device code that tells its accesses: each is checked, and the first fault ends the process with
// a line that says what it is. Without such device code all of this does nothing more than what it stands for.
class CheckedProgram {
public:
    static void turnOn(const ModuleTable& module);
    static void forget(const ModuleTable& module); // before its object is unloaded: others may get its addresses

    // As runKernel().
    static void run(WorkerPool& workers, RunnableKernel& kernel, Dim3 grid, Dim3 block, std::size_t dynamicLdsBytes,
                    void** arguments, bool isCooperative);
    // A launch that asks for what the kernel does not take: said, as most programs do not look.
    static void refused(const KernelEntry& kernel, Dim3 block, std::size_t dynamicLdsBytes);
    // By the host, or by an operation of a stream.
    static void written(const void* to, std::size_t bytes);
    static void copied(const void* to, const void* from, std::size_t bytes);
};

} // namespace gks::hipcpu
