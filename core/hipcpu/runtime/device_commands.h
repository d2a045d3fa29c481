// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/device_queue.h"
#include "core/hipcpu/runtime/hip_types.h"
#include "core/hipcpu/runtime/kernel_run.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gks::hipcpu {

// What the host asks the device to do, as commands of the queue that may be executed any number of times.

// A launch with its arguments, which outlive the caller's frame.
class DeviceLaunch {
public:
    struct Request {
        const void* function = nullptr; // by which host code knows it, or a handle of a loaded module's
        Dim3 grid;
        Dim3 block;
        void** arguments = nullptr;
        std::size_t dynamicLdsBytes = 0;
        bool isCooperative = false;
    };
    // Whether the device takes it; `made` is then what runs it.
    static HipError make(const Request& request, std::shared_ptr<DeviceLaunch>& made);

    DeviceLaunch(std::shared_ptr<RunnableKernel> kernel, const Request& request);
    DeviceLaunch(const DeviceLaunch&) = delete;
    DeviceLaunch& operator=(const DeviceLaunch&) = delete;

    void run(WorkerPool& workers);
    // Its arguments are the copies.
    const Request& request() const { return m_request; }
    const char* kernelName() const { return m_kernel->entry->name; }

private:
    std::shared_ptr<RunnableKernel> m_kernel;
    Request m_request;
    ArgumentCopy m_copy;
    std::vector<void*> m_arguments; // into m_copy
};
DeviceQueue::Command commandOf(std::shared_ptr<DeviceLaunch> launch);

// Rows of bytes in slices, each so far from the one before. A pitch means nothing where there is one.
struct CopiedBox {
    std::size_t widthBytes = 0;
    std::size_t height = 1;
    std::size_t toPitch = 0;
    std::size_t fromPitch = 0;
    std::size_t depth = 1;
    std::size_t toSlice = 0;
    std::size_t fromSlice = 0;
};
HipError checkCopy(const void* to, const void* from, const CopiedBox& box, int kind);
void copyBox(void* to, const void* from, const CopiedBox& box);
// Of linear memory: arrays are there for textures, which are absent.
HipError boxOf(const HipMemcpy3DParams* asked, void*& to, const void*& from, CopiedBox& box);
DeviceQueue::Command copyCommand(void* to, const void* from, const CopiedBox& box);

// Rows of elements of 1, 2 or 4 bytes, to which a value is written.
struct FilledRows {
    std::uint32_t value = 0;
    std::size_t elementBytes = 1;
    std::size_t count = 0; // elements of a row
    std::size_t height = 1;
    std::size_t pitch = 0;
};
DeviceQueue::Command fillCommand(void* to, const FilledRows& rows);

} // namespace gks::hipcpu
