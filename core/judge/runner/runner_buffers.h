// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner/device_library.h"
#include "core/judge/runner/runner_protocol.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gks::runner {

void fail(Reply& reply, Failure failure, const std::string& text);
// False, with the library's words in the reply, when `status` is an error or the reply already tells of one.
bool check(const DeviceLibrary& library, Reply& reply, DeviceLibrary::Status status, const char* what);

// A segment of memory that the evaluator sees as well.
struct Segment {
    std::byte* data = nullptr;
    std::size_t sizeBytes = 0;

    bool map(int descriptor, int protection);
    bool contains(std::uint64_t offset, std::uint64_t bytes) const {
        return offset <= sizeBytes && bytes <= sizeBytes - offset;
    }
};

// The memory of one shape: what it holds before a call and what is read of it afterwards.
class Buffers {
public:
    explicit Buffers(const DeviceLibrary& library) : m_library(library) {}

    bool open(DeviceLibrary::Stream stream);
    void pinSegments();
    void setShape(const Command& command, Reply& reply);
    void allocateWorkspace(std::size_t sizeBytes, Reply& reply);
    void bringValues(Reply& reply);
    void prepare(const Command& command, Reply& reply);
    // In the stream of the call and without waiting, so that the device goes from the flush straight to the kernel:
    // neither a pause nor the time that the host takes to submit it is in the measured time.
    void flushInStream(const Command& command, Reply& reply);
    void download(Reply& reply);
    void snapshot(Reply& reply);

    // struct Problem of the generated header: one pointer per tensor, then one int per dim.
    const void* problem();
    void* workspace() const;
    const Command& shape() const { return m_shape; }

private:
    // A piece of an input that is put in its place by the call itself.
    struct Withheld {
        std::byte* real;
        const std::byte* staging;
        std::size_t bytes;
    };

    void release();
    bool isInside(const Command& command) const;
    bool allocate(Reply& reply, std::byte*& into, std::size_t sizeBytes);
    bool fromSegment(Reply& reply, std::byte* to, std::uint64_t offset, std::size_t sizeBytes);
    bool put(Reply& reply, std::byte* to, const std::byte* from, std::size_t sizeBytes);
    bool fill(Reply& reply, std::byte* at, int byte, std::size_t sizeBytes);
    bool surround(Reply& reply, std::byte* buffer, std::size_t dataBytes, std::size_t bandBehindBytes);
    bool poison(Reply& reply, std::size_t tensor);
    bool putInput(const Window& window, std::size_t tensor, Reply& reply);
    void readBack(Reply& reply, std::uint64_t offset, const std::byte* from, std::size_t sizeBytes);
    void sweepByHost(std::size_t bytes);

    const DeviceLibrary& m_library;
    DeviceLibrary::Stream m_stream = nullptr;
    Segment m_inputs;
    Segment m_outputs;
    Command m_shape;
    bool m_isDevice = false; // its memory is not the host's
    std::array<std::byte*, tensorLimit> m_buffers = {};
    std::array<std::byte*, tensorLimit> m_ownSources = {}; // on the device
    std::array<const std::byte*, tensorLimit> m_sources = {};
    std::array<std::optional<int>, tensorLimit> m_poisonByte = {}; // where the pattern is one byte over and over
    std::byte* m_ownGuard = nullptr;                               // on the device
    const std::byte* m_guard = nullptr;
    std::byte* m_workspace = nullptr;
    std::size_t m_workspaceBytes = 0;
    std::array<std::byte*, tensorLimit> m_staging = {};
    std::vector<Withheld> m_withheld;
    std::byte* m_deviceSweep = nullptr;
    std::size_t m_deviceSweptBytes = 0;
    std::unique_ptr<std::uint64_t[]> m_hostSweep;
    std::size_t m_hostSweptBytes = 0;
    alignas(16) std::array<std::byte, tensorLimit * sizeof(void*) + dimLimit * sizeof(std::int32_t)> m_problem = {};
};

} // namespace gks::runner
