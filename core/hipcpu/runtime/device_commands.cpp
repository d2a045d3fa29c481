// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_commands.h"

#include "core/hipcpu/runtime/checked_program.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/resident_blocks.h"
#include "core/hipcpu/runtime/settings.h"

#include <cstring>

namespace gks::hipcpu {
namespace {

template<class Value>
void fillRow(char* to, Value value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(to + i * sizeof value, &value, sizeof value);
    }
}

} // namespace

HipError DeviceLaunch::make(const Request& request, std::shared_ptr<DeviceLaunch>& made) {
    auto kernel = ModuleRegistry::instance().kernel(request.function);
    if (!kernel) {
        return hipErrorInvalidDeviceFunction;
    }
    const LaunchLimits limits = limitsOf(*kernel->entry);
    if (const HipError error = checkLaunch(limits, request.grid, request.block, request.dynamicLdsBytes);
        error != hipSuccess) {
        CheckedProgram::refused(*kernel->entry, request.block, request.dynamicLdsBytes);
        return error;
    }
    if (request.isCooperative) {
        if (request.grid.count() > residentBlocks(limits, static_cast<int>(request.block.count()),
                                                  request.dynamicLdsBytes, ModuleRegistry::instance().architecture(),
                                                  Settings::instance().workers)) {
            return hipErrorCooperativeLaunchTooLarge;
        }
        if (!ResidentBlocks::instance().reserve(request.grid.count())) {
            return hipErrorOutOfMemory;
        }
    }
    if (!request.arguments && kernel->entry->argumentCount != 0) {
        return hipErrorInvalidValue;
    }
    made = std::make_shared<DeviceLaunch>(std::move(kernel), request);
    return hipSuccess;
}

DeviceLaunch::DeviceLaunch(std::shared_ptr<RunnableKernel> kernel, const Request& request)
    : m_kernel(std::move(kernel))
    , m_request(request)
    , m_copy(*m_kernel->entry, request.arguments)
    , m_arguments(m_copy.pointers()) {
    m_request.arguments = m_arguments.data();
}

void DeviceLaunch::run(WorkerPool& workers) {
    CheckedProgram::run(workers, *m_kernel, m_request.grid, m_request.block, m_request.dynamicLdsBytes,
                        m_request.arguments, m_request.isCooperative);
}

DeviceQueue::Command commandOf(std::shared_ptr<DeviceLaunch> launch) {
    return [launch = std::move(launch)](WorkerPool& workers) { launch->run(workers); };
}

HipError checkCopy(const void* to, const void* from, const CopiedBox& box, int kind) {
    if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) {
        return hipErrorInvalidMemcpyDirection;
    }
    const bool isEmpty = box.widthBytes == 0 || box.height == 0 || box.depth == 0;
    return !isEmpty && (!to || !from) ? hipErrorInvalidValue : hipSuccess;
}

void copyBox(void* to, const void* from, const CopiedBox& box) {
    for (std::size_t slice = 0; slice < box.depth; ++slice) {
        for (std::size_t row = 0; row < box.height; ++row) {
            char* const target = static_cast<char*>(to) + slice * box.toSlice + row * box.toPitch;
            const char* const source = static_cast<const char*>(from) + slice * box.fromSlice + row * box.fromPitch;
            std::memmove(target, source, box.widthBytes);
            CheckedProgram::copied(target, source, box.widthBytes);
        }
    }
}

HipError boxOf(const HipMemcpy3DParams* asked, void*& to, const void*& from, CopiedBox& box) {
    if (!asked || asked->toArray || asked->fromArray) {
        return asked ? hipErrorNotSupported : hipErrorInvalidValue;
    }
    const auto sliceOf = [](const HipPitchedPointer& memory) { return memory.pitch * memory.height; };
    const auto beginOf = [&](const HipPitchedPointer& memory, const std::size_t(&place)[3]) {
        return static_cast<char*>(memory.data) + place[2] * sliceOf(memory) + place[1] * memory.pitch + place[0];
    };
    const auto fits = [&](const HipPitchedPointer& memory, const std::size_t(&place)[3]) {
        return place[0] + asked->extent.width <= memory.pitch &&
               (asked->extent.depth <= 1 || place[1] + asked->extent.height <= memory.height);
    };
    to = beginOf(asked->to, asked->toPlace);
    from = beginOf(asked->from, asked->fromPlace);
    box = {asked->extent.width, asked->extent.height, asked->to.pitch,     asked->from.pitch,
           asked->extent.depth, sliceOf(asked->to),   sliceOf(asked->from)};
    return fits(asked->to, asked->toPlace) && fits(asked->from, asked->fromPlace) ? hipSuccess : hipErrorInvalidValue;
}

DeviceQueue::Command copyCommand(void* to, const void* from, const CopiedBox& box) {
    return [to, from, box](WorkerPool&) { copyBox(to, from, box); };
}

DeviceQueue::Command fillCommand(void* to, const FilledRows& rows) {
    return [to, rows](WorkerPool&) {
        for (std::size_t row = 0; row < rows.height; ++row) {
            char* const target = static_cast<char*>(to) + row * rows.pitch;
            switch (rows.elementBytes) {
            case 2:
                fillRow(target, static_cast<std::uint16_t>(rows.value), rows.count);
                break;
            case 4:
                fillRow(target, rows.value, rows.count);
                break;
            default:
                std::memset(target, static_cast<int>(rows.value), rows.count);
            }
            CheckedProgram::written(target, rows.count * rows.elementBytes);
        }
    };
}

} // namespace gks::hipcpu
