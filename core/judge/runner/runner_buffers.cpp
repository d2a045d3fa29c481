// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/runner_buffers.h"

#include <algorithm>
#include <sys/mman.h>
#include <sys/stat.h>

// The input segment is brought to the device once, and every call's inputs are put together there: fresh inputs cost a
// copy at the speed of its memory, not of the bus. While device code runs it reads the inputs and reaches nothing of
// what they come from; nor does a variable tell it what an earlier call has seen. Bands around inputs are written once:
// nothing that runs can write there.
namespace gks::runner {
namespace {

constexpr std::size_t variableLimitBytes = std::size_t{256} << 20; // of all variables of a module
using Area = DeviceMemory::Area;

} // namespace

void fail(Reply& reply, Failure failure, const std::string& text) {
    reply.failure = failure;
    text.copy(reply.text.data(), reply.text.size() - 1);
}

bool check(const Driver& driver, Reply& reply, Driver::Status status, const char* what) {
    if (status != 0 && reply.failure == Failure::none) {
        reply.status = status;
        fail(reply, Failure::runtime, std::string(what) + ": " + driver.errorText(status));
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

bool Buffers::open(Driver::Stream stream, std::string& error) {
    m_stream = stream;
    if (!m_inputs.map(inputDescriptor, PROT_READ) || !m_outputs.map(outputDescriptor, PROT_READ | PROT_WRITE)) {
        error = "the shared memory cannot be mapped";
        return false;
    }
    return m_memory.reserve(error);
}

void Buffers::pinSegments() {
    m_driver.pin(m_inputs.data, m_inputs.sizeBytes, true);
    m_driver.pin(m_outputs.data, m_outputs.sizeBytes, false);
}

void Buffers::release() {
    m_variables.clear();
    m_memory.unmapAll();
    m_shape = {};
    m_hasValues = false;
}

// Everything that later commands touch, once.
bool Buffers::isInside(const Command& command) const {
    if (command.tensorCount > tensorLimit || !m_inputs.contains(0, command.inputBytes) ||
        command.inputBytes < guardOffset + guardBytes) {
        return false;
    }
    const auto inUse = [&](std::uint64_t offset, std::uint64_t bytes) {
        return offset <= command.inputBytes && bytes <= command.inputBytes - offset;
    };
    const bool tensors =
        std::all_of(command.places.begin(), command.places.begin() + command.tensorCount, [&](const Place& place) {
            const std::uint64_t whole = guardBytes + place.dataBytes + place.bandBehindBytes;
            return place.dataBytes <= areaBytes && place.bandBehindBytes <= guardBytes &&
                   m_outputs.contains(place.offset, whole) && inUse(place.sourceOffset, place.sourceBytes) &&
                   m_memory.contains(areaOf(place), place.address - guardBytes, whole) &&
                   (place.isOutput != 0 ? place.sourceBytes > 0
                                        : place.sourceBytes >= place.dataBytes && inUse(place.pieceOffset, 0));
        });
    return tensors &&
           (command.workspaceBytes == 0 ||
            (command.workspaceBytes <= areaBytes && m_outputs.contains(command.workspaceOffset, 2 * guardBytes) &&
             m_memory.contains(Area::outputs, command.workspaceAddress - guardBytes,
                               command.workspaceBytes + 2 * guardBytes)));
}

void Buffers::setShape(const Command& command, Reply& reply) {
    release();
    DeviceMemory::Sizes bytes = {0, 0, command.inputBytes};
    const auto grow = [&](Area area, std::uint64_t begin, std::uint64_t address, std::uint64_t dataBytes) {
        std::uint64_t& most = bytes[static_cast<std::size_t>(area)];
        most = std::max(most, std::min(areaBytes, address - begin + dataBytes + guardBytes));
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(command.tensorCount, tensorLimit); ++i) {
        const Place& place = command.places[i];
        grow(areaOf(place), place.isOutput != 0 ? outputArea : inputArea, place.address, place.dataBytes);
    }
    if (command.workspaceBytes > 0) {
        grow(Area::outputs, outputArea, command.workspaceAddress, command.workspaceBytes);
    }
    if (!check(m_driver, reply, m_memory.map(bytes), "device memory")) {
        return;
    }
    if (!isInside(command)) {
        fail(reply, Failure::protocol, "a tensor lies outside its memory");
        return;
    }
    m_shape = command;
}

void Buffers::keepVariables(Driver::Module module, const std::vector<std::string>& symbols, Reply& reply) {
    std::size_t all = 0;
    for (const std::string& symbol : symbols) {
        Variable& variable = m_variables.emplace_back();
        std::size_t bytes = 0;
        if (!check(m_driver, reply, m_driver.findVariable(variable.address, bytes, module, symbol.c_str()),
                   "variable")) {
            return;
        }
        all += bytes;
        if (all > variableLimitBytes) {
            fail(reply, Failure::load,
                 "its variables have more than " + std::to_string(variableLimitBytes) + " bytes together");
            return;
        }
        variable.bytes.resize(bytes);
        check(m_driver, reply, m_driver.copyToHost(variable.bytes.data(), variable.address, bytes, m_stream),
              "copy from the device");
    }
    check(m_driver, reply, m_driver.synchronise(), "synchronise");
    for (Variable& variable : m_variables) {
        variable.isZero = std::all_of(variable.bytes.begin(), variable.bytes.end(),
                                      [](std::byte byte) { return byte == std::byte{0}; });
    }
}

bool Buffers::restoreVariables(Reply& reply) {
    return std::all_of(m_variables.begin(), m_variables.end(), [&](const Variable& variable) {
        const std::size_t bytes = variable.bytes.size();
        return check(m_driver, reply,
                     variable.isZero ? m_driver.fill(variable.address, 0, 1, bytes, m_stream)
                                     : m_driver.copyFromHost(variable.address, variable.bytes.data(), bytes, m_stream),
                     "variable");
    });
}

void Buffers::openStaging(Reply& reply) {
    check(m_driver, reply, m_memory.openStaging(), "access rights");
}

void Buffers::closeStaging(Reply& reply) {
    check(m_driver, reply, m_driver.synchronise(), "synchronise");
    check(m_driver, reply, m_memory.closeStaging(), "access rights");
}

void Buffers::bringValues(Reply& reply) {
    openStaging(reply);
    check(m_driver, reply, m_driver.copyFromHost(sourceArea, m_inputs.data, m_shape.inputBytes, m_stream),
          "copy to the device");
    for (std::size_t i = 0; i < m_shape.tensorCount; ++i) {
        const Place& place = m_shape.places[i];
        if (place.isOutput == 0) {
            surround(reply, m_memory.staged(place.address), place.dataBytes, place.bandBehindBytes);
        } else {
            const std::byte* const pattern = m_inputs.data + place.sourceOffset;
            const bool isOneByte =
                std::all_of(pattern, pattern + place.sourceBytes, [&](std::byte byte) { return byte == *pattern; });
            m_poisonByte[i] = isOneByte ? std::optional(std::to_integer<int>(*pattern)) : std::nullopt;
        }
    }
    closeStaging(reply);
    m_hasValues = m_shape.inputBytes > 0;
}

bool Buffers::put(Reply& reply, Driver::Address to, Driver::Address from, std::size_t bytes) {
    return check(m_driver, reply, m_driver.copy(to, from, bytes, m_stream), "copy on the device");
}

bool Buffers::surround(Reply& reply, Driver::Address data, std::size_t dataBytes, std::size_t bandBehindBytes) {
    return put(reply, data - guardBytes, sourceArea + guardOffset, guardBytes) &&
           put(reply, data + dataBytes, sourceArea + guardOffset, bandBehindBytes);
}

// A pattern is copied once and then doubles.
bool Buffers::poison(Reply& reply, std::size_t tensor) {
    const Place& place = m_shape.places[tensor];
    if (m_poisonByte[tensor]) {
        return check(m_driver, reply,
                     m_driver.fill(place.address, static_cast<std::uint32_t>(*m_poisonByte[tensor]), 1, place.dataBytes,
                                   m_stream),
                     "fill");
    }
    std::size_t done = std::min(place.sourceBytes, place.dataBytes);
    bool ok = put(reply, place.address, sourceArea + place.sourceOffset, done);
    while (ok && done < place.dataBytes) {
        const std::size_t more = std::min(done, place.dataBytes - done);
        ok = put(reply, place.address + done, place.address, more);
        done += more;
    }
    return ok;
}

// The piece comes from the host: it was never on the device.
bool Buffers::putInput(const Window& window, std::size_t tensor, Reply& reply) {
    const Place& place = m_shape.places[tensor];
    if (window.first > place.sourceBytes - place.dataBytes || window.heldBytes > heldBytesLimit ||
        window.heldBegin > place.dataBytes || window.heldBytes > place.dataBytes - window.heldBegin ||
        !m_inputs.contains(place.pieceOffset, window.heldBytes)) {
        fail(reply, Failure::protocol, "a window lies outside the values");
        return false;
    }
    const Driver::Address to = m_memory.staged(place.address);
    return put(reply, to, sourceArea + place.sourceOffset + window.first, place.dataBytes) &&
           check(m_driver, reply,
                 m_driver.copyFromHost(to + window.heldBegin, m_inputs.data + place.pieceOffset, window.heldBytes,
                                       m_stream),
                 "copy of inputs");
}

void Buffers::flushInStream(const Command& command, Reply& reply) {
    if (m_sweptBytes < command.flushBytes) {
        if (!check(m_driver, reply, m_driver.allocate(m_sweep, command.flushBytes), "device memory")) {
            return;
        }
        m_sweptBytes = command.flushBytes;
    }
    check(m_driver, reply, m_driver.fill(m_sweep, command.spoilByte, 1, command.flushBytes, m_stream), "cache flush");
}

void Buffers::prepare(const Command& command, Reply& reply) {
    if (!m_hasValues) {
        fail(reply, Failure::protocol, "there are no values");
        return;
    }
    openStaging(reply);
    bool ok = reply.failure == Failure::none && restoreVariables(reply);
    for (std::size_t i = 0; ok && i < m_shape.tensorCount; ++i) {
        const Place& place = m_shape.places[i];
        ok = place.isOutput == 0
                 ? putInput(command.windows[i], i, reply)
                 : surround(reply, place.address, place.dataBytes, place.bandBehindBytes) && poison(reply, i);
    }
    if (ok && m_shape.workspaceBytes > 0) {
        ok = surround(reply, m_shape.workspaceAddress, m_shape.workspaceBytes, guardBytes) &&
             check(m_driver, reply,
                   m_driver.fill(m_shape.workspaceAddress, command.spoilByte, 1, m_shape.workspaceBytes, m_stream),
                   "fill");
    }
    closeStaging(reply);
}

void Buffers::readBack(Reply& reply, std::uint64_t offset, Driver::Address from, std::size_t bytes) {
    if (!m_outputs.contains(offset, bytes)) {
        fail(reply, Failure::protocol, "read-back outside the shared memory");
        return;
    }
    check(m_driver, reply, m_driver.copyToHost(m_outputs.data + offset, from, bytes, m_stream), "copy from the device");
}

void Buffers::download(Reply& reply) {
    for (std::size_t i = 0; i < m_shape.tensorCount && reply.failure == Failure::none; ++i) {
        if (const Place& place = m_shape.places[i]; place.isOutput != 0) {
            readBack(reply, place.offset + guardBytes, place.address, place.dataBytes);
        }
    }
    check(m_driver, reply, m_driver.synchronise(), "synchronise");
}

void Buffers::probe(const Command& command, Reply& reply) {
    for (std::size_t i = 0; i < std::min<std::size_t>(command.pieceCount, pieceLimit); ++i) {
        const Piece& piece = command.pieces[i];
        const Place& place = m_shape.places[std::min<std::size_t>(piece.tensor, tensorLimit - 1)];
        if (piece.tensor >= m_shape.tensorCount || place.isOutput == 0 || piece.bytes > place.dataBytes ||
            piece.begin > place.dataBytes - piece.bytes) {
            fail(reply, Failure::protocol, "a piece lies outside its output");
            return;
        }
        readBack(reply, place.offset + guardBytes + piece.begin, place.address + piece.begin, piece.bytes);
    }
    check(m_driver, reply, m_driver.synchronise(), "synchronise");
}

void Buffers::snapshot(Reply& reply) {
    for (std::size_t i = 0; i < m_shape.tensorCount && reply.failure == Failure::none; ++i) {
        const Place& place = m_shape.places[i];
        readBack(reply, place.offset, place.address - guardBytes, guardBytes + place.dataBytes + place.bandBehindBytes);
    }
    if (m_shape.workspaceBytes > 0) {
        readBack(reply, m_shape.workspaceOffset, m_shape.workspaceAddress - guardBytes, guardBytes);
        readBack(reply, m_shape.workspaceOffset + guardBytes, m_shape.workspaceAddress + m_shape.workspaceBytes,
                 guardBytes);
    }
    check(m_driver, reply, m_driver.synchronise(), "synchronise");
}

} // namespace gks::runner
