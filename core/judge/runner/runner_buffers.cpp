// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/runner_buffers.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

// On a device with memory of its own the values are brought there once, and every call's inputs are put together on the
// device: fresh inputs cost a copy at the speed of its memory, not of the bus. Where the device is the host itself they
// are taken from the segment.
namespace gks::runner {
namespace {

constexpr std::size_t cacheLineBytes = 64;
constexpr int notANumberByte = 0xff;

std::size_t wholeBytes(const Place& place) {
    return guardBytes + place.dataBytes + place.bandBehindBytes;
}

} // namespace

void fail(Reply& reply, Failure failure, const std::string& text) {
    reply.failure = failure;
    text.copy(reply.text.data(), reply.text.size() - 1);
}

bool check(const DeviceLibrary& library, Reply& reply, DeviceLibrary::Status status, const char* what) {
    if (status != 0 && reply.failure == Failure::none) {
        reply.status = status;
        fail(reply, Failure::runtime, std::string(what) + ": " + library.errorText(status));
    }
    return reply.failure == Failure::none;
}

bool Segment::map(int descriptor, int protection) {
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0 || info.st_size <= 0) {
        return false;
    }
    sizeBytes = static_cast<std::size_t>(info.st_size);
    void* at = ::mmap(nullptr, sizeBytes, protection, MAP_SHARED, descriptor, 0);
    data = at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
    return data != nullptr;
}

bool Buffers::open(DeviceLibrary::Stream stream) {
    m_stream = stream;
    return m_inputs.map(inputDescriptor, PROT_READ) && m_outputs.map(outputDescriptor, PROT_READ | PROT_WRITE);
}

void Buffers::pinSegments() {
    m_library.pin(m_inputs.data, m_inputs.sizeBytes, true);
    m_library.pin(m_outputs.data, m_outputs.sizeBytes, false);
}

void Buffers::release() {
    m_withheld.clear();
    const auto free = [this](std::byte*& memory) {
        if (memory != nullptr) {
            m_library.release(std::exchange(memory, nullptr));
        }
    };
    std::for_each(m_buffers.begin(), m_buffers.end(), free);
    std::for_each(m_ownSources.begin(), m_ownSources.end(), free);
    free(m_workspace);
    m_workspaceBytes = 0;
}

bool Buffers::allocate(Reply& reply, std::byte*& into, std::size_t sizeBytes) {
    void* address = nullptr;
    const bool ok = check(m_library, reply, m_library.allocate(address, sizeBytes), "allocation");
    into = static_cast<std::byte*>(address);
    return ok;
}

bool Buffers::isInside(const Command& command) const {
    return command.tensorCount <= tensorLimit && command.dimCount <= dimLimit &&
           m_inputs.contains(guardOffset, guardBytes) &&
           std::all_of(
               command.places.begin(), command.places.begin() + command.tensorCount, [this](const Place& place) {
                   return place.bandBehindBytes <= guardBytes && m_outputs.contains(place.offset, wholeBytes(place)) &&
                          m_inputs.contains(place.sourceOffset, place.sourceBytes) &&
                          (place.isOutput != 0 || place.sourceBytes >= place.dataBytes);
               });
}

void Buffers::setShape(const Command& command, Reply& reply) {
    release();
    m_shape = command;
    for (auto& name : m_shape.names) {
        name.back() = '\0';
    }
    m_isDevice = command.flushOnDevice != 0;
    if (!isInside(command)) {
        m_shape.tensorCount = 0;
        fail(reply, Failure::protocol, "a tensor lies outside the shared memory");
        return;
    }
    for (std::size_t i = 0; i < command.tensorCount && reply.failure == Failure::none; ++i) {
        const Place& place = command.places[i];
        m_sources[i] = m_inputs.data + place.sourceOffset;
        if (allocate(reply, m_buffers[i], wholeBytes(place))) {
            m_library.name(m_buffers[i] + guardBytes, place.dataBytes, m_shape.names[i].data());
        }
        if (m_isDevice && allocate(reply, m_ownSources[i], place.sourceBytes)) {
            m_sources[i] = m_ownSources[i];
        }
    }
}

void Buffers::allocateWorkspace(std::size_t sizeBytes, Reply& reply) {
    m_workspaceBytes = sizeBytes;
    if (sizeBytes > 0) {
        allocate(reply, m_workspace, sizeBytes + 2 * guardBytes);
    }
}

void* Buffers::workspace() const {
    return m_workspace != nullptr ? m_workspace + guardBytes : nullptr;
}

const void* Buffers::problem() {
    std::byte* at = m_problem.data();
    m_problem.fill(std::byte{0});
    for (std::size_t i = 0; i < m_shape.tensorCount; ++i) {
        const void* data = m_buffers[i] + guardBytes;
        std::memcpy(at, &data, sizeof data);
        at += sizeof data;
    }
    std::memcpy(at, m_shape.dims.data(), m_shape.dimCount * sizeof m_shape.dims[0]);
    return m_problem.data();
}

bool Buffers::fromSegment(Reply& reply, std::byte* to, std::uint64_t offset, std::size_t sizeBytes) {
    return check(m_library, reply,
                 m_library.copy(to, m_inputs.data + offset, sizeBytes, DeviceLibrary::Direction::toDevice),
                 "copy to the device");
}

void Buffers::bringValues(Reply& reply) {
    m_guard = m_inputs.data + guardOffset;
    if (m_isDevice) {
        if ((m_ownGuard == nullptr && !allocate(reply, m_ownGuard, guardBytes)) ||
            !fromSegment(reply, m_ownGuard, guardOffset, guardBytes)) {
            return;
        }
        m_guard = m_ownGuard;
    }
    for (std::size_t i = 0; i < m_shape.tensorCount && reply.failure == Failure::none; ++i) {
        const Place& place = m_shape.places[i];
        const std::byte* const source = m_inputs.data + place.sourceOffset;
        if (place.isOutput != 0 && place.sourceBytes > 0) {
            const bool isOneByte =
                std::all_of(source, source + place.sourceBytes, [source](std::byte byte) { return byte == *source; });
            m_poisonByte[i] = isOneByte ? std::optional(std::to_integer<int>(*source)) : std::nullopt;
        }
        if (m_isDevice) {
            fromSegment(reply, m_ownSources[i], place.sourceOffset, place.sourceBytes);
        }
    }
}

// Without waiting where the memory is the device's own.
bool Buffers::put(Reply& reply, std::byte* to, const std::byte* from, std::size_t sizeBytes) {
    const DeviceLibrary::Status status = m_isDevice
                                             ? m_library.copyOnDevice(to, from, sizeBytes, m_stream)
                                             : m_library.copy(to, from, sizeBytes, DeviceLibrary::Direction::toDevice);
    return check(m_library, reply, status, "copy on the device");
}

bool Buffers::fill(Reply& reply, std::byte* at, int byte, std::size_t sizeBytes) {
    const DeviceLibrary::Status status =
        m_isDevice ? m_library.fill(at, byte, sizeBytes, m_stream) : m_library.fill(at, byte, sizeBytes);
    return check(m_library, reply, status, "fill");
}

bool Buffers::surround(Reply& reply, std::byte* buffer, std::size_t dataBytes, std::size_t bandBehindBytes) {
    return put(reply, buffer, m_guard, guardBytes) &&
           put(reply, buffer + guardBytes + dataBytes, m_guard, bandBehindBytes);
}

// A pattern is copied once and then doubles.
bool Buffers::poison(Reply& reply, std::size_t tensor) {
    const Place& place = m_shape.places[tensor];
    std::byte* const data = m_buffers[tensor] + guardBytes;
    if (m_poisonByte[tensor]) {
        return fill(reply, data, *m_poisonByte[tensor], place.dataBytes);
    }
    std::size_t done = std::min(place.sourceBytes, place.dataBytes);
    bool ok = put(reply, data, m_sources[tensor], done);
    while (ok && done < place.dataBytes) {
        const std::size_t more = std::min(done, place.dataBytes - done);
        ok = put(reply, data + done, data, more);
        done += more;
    }
    return ok;
}

// On a GPU a piece of the input, at a place that nobody knows beforehand, holds what is no number until the stream of
// the call brings it, right before the start event: work that begins earlier, in another stream, computes with that.
bool Buffers::putInput(const Window& window, std::size_t tensor, Reply& reply) {
    const Place& place = m_shape.places[tensor];
    if (window.first > place.sourceBytes - place.dataBytes || window.heldBytes > heldBytesLimit ||
        window.heldBegin > place.dataBytes || window.heldBytes > place.dataBytes - window.heldBegin ||
        !m_inputs.contains(place.pieceOffset, window.heldBytes)) {
        fail(reply, Failure::protocol, "a window lies outside the values");
        return false;
    }
    std::byte* const data = m_buffers[tensor] + guardBytes;
    std::byte* const held = data + window.heldBegin;
    if (!put(reply, data, m_sources[tensor] + window.first, place.dataBytes)) {
        return false;
    }
    if (!m_isDevice) {
        return put(reply, held, m_inputs.data + place.pieceOffset, window.heldBytes);
    }
    if ((m_staging[tensor] == nullptr && !allocate(reply, m_staging[tensor], heldBytesLimit)) ||
        !fromSegment(reply, m_staging[tensor], place.pieceOffset, window.heldBytes)) {
        return false;
    }
    m_withheld.push_back({held, m_staging[tensor], window.heldBytes});
    return fill(reply, held, notANumberByte, window.heldBytes);
}

void Buffers::prepare(const Command& command, Reply& reply) {
    m_withheld.clear();
    if (m_guard == nullptr) {
        fail(reply, Failure::protocol, "there are no values");
        return;
    }
    for (std::size_t i = 0; i < m_shape.tensorCount; ++i) {
        const Place& place = m_shape.places[i];
        if (!surround(reply, m_buffers[i], place.dataBytes, place.bandBehindBytes) ||
            !(place.isOutput != 0 ? poison(reply, i) : putInput(command.windows[i], i, reply))) {
            return;
        }
    }
    if (m_workspaceBytes > 0) {
        surround(reply, m_workspace, m_workspaceBytes, guardBytes);
        fill(reply, m_workspace + guardBytes, static_cast<int>(command.spoilByte), m_workspaceBytes);
    }
    if (!m_isDevice && command.flushBytes > 0) {
        sweepByHost(command.flushBytes);
    }
    check(m_library, reply, m_library.synchronize(), "synchronise");
}

// The copies above ran on this thread, so the sweep evicts what they left in this core's caches; what another core
// still holds was invalidated when the buffers were written.
void Buffers::sweepByHost(std::size_t bytes) {
    if (m_hostSweptBytes < bytes) {
        m_hostSweptBytes = bytes;
        m_hostSweep = std::make_unique<std::uint64_t[]>(bytes / sizeof(std::uint64_t));
    }
    constexpr std::size_t step = cacheLineBytes / sizeof(std::uint64_t);
    volatile std::uint64_t* const words = m_hostSweep.get();
    for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); i += step) {
        words[i] = words[i] + 1;
    }
}

void Buffers::flushInStream(const Command& command, Reply& reply) {
    if (m_deviceSweptBytes < command.flushBytes) {
        m_deviceSweptBytes = command.flushBytes;
        allocate(reply, m_deviceSweep, m_deviceSweptBytes);
    }
    if (m_deviceSweep != nullptr) {
        check(m_library, reply,
              m_library.fill(m_deviceSweep, static_cast<int>(command.spoilByte), command.flushBytes, m_stream),
              "cache flush");
    }
    for (const Withheld& piece : m_withheld) {
        check(m_library, reply, m_library.copyOnDevice(piece.real, piece.staging, piece.bytes, m_stream),
              "copy of inputs");
    }
}

void Buffers::readBack(Reply& reply, std::uint64_t offset, const std::byte* from, std::size_t sizeBytes) {
    if (!m_outputs.contains(offset, sizeBytes)) {
        fail(reply, Failure::protocol, "read-back outside the shared memory");
        return;
    }
    check(m_library, reply,
          m_library.copy(m_outputs.data + offset, from, sizeBytes, DeviceLibrary::Direction::fromDevice),
          "copy from the device");
}

void Buffers::download(Reply& reply) {
    for (std::size_t i = 0; i < m_shape.tensorCount && reply.failure == Failure::none; ++i) {
        if (const Place& place = m_shape.places[i]; place.isOutput != 0) {
            readBack(reply, place.offset + guardBytes, m_buffers[i] + guardBytes, place.dataBytes);
        }
    }
}

void Buffers::snapshot(Reply& reply) {
    for (std::size_t i = 0; i < m_shape.tensorCount && reply.failure == Failure::none; ++i) {
        readBack(reply, m_shape.places[i].offset, m_buffers[i], wholeBytes(m_shape.places[i]));
    }
    if (m_workspaceBytes > 0) {
        readBack(reply, m_shape.workspaceOffset, m_workspace, guardBytes);
        readBack(reply, m_shape.workspaceOffset + guardBytes, m_workspace + guardBytes + m_workspaceBytes, guardBytes);
    }
}

} // namespace gks::runner
