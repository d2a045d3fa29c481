// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner/device_memory.h"
#include "core/judge/runner/runner_protocol.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gks::runner {

void fail(Reply& reply, Failure failure, const std::string& text);
// False, with the driver's words in the reply, when `status` is an error or the reply already tells of one.
bool check(const Driver& driver, Reply& reply, Driver::Status status, const char* what);

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
    explicit Buffers(const Driver& driver) : m_driver(driver), m_memory(driver) {}

    bool open(Driver::Stream stream, std::string& error);
    void pinSegments();
    void setShape(const Command& command, Reply& reply);
    // What these variables of a module hold now they hold before every call.
    void keepVariables(Driver::Module module, const std::vector<std::string>& symbols, Reply& reply);
    void bringValues(Reply& reply);
    void prepare(const Command& command, Reply& reply);
    // In the stream of the call and without waiting, so that the device goes from the flush straight to the plan:
    // neither a pause nor the time that the host takes to queue the first operations is in the measured time.
    void flushInStream(const Command& command, Reply& reply);
    void download(Reply& reply);
    void probe(const Command& command, Reply& reply);
    void snapshot(Reply& reply);
    void release();

private:
    struct Variable {
        Driver::Address address = 0;
        std::vector<std::byte> bytes;
        bool isZero = false;
    };

    bool isInside(const Command& command) const;
    static DeviceMemory::Area areaOf(const Place& place) {
        return place.isOutput != 0 ? DeviceMemory::Area::outputs : DeviceMemory::Area::inputs;
    }
    void openStaging(Reply& reply);
    // When the device has done what was queued.
    void closeStaging(Reply& reply);
    bool put(Reply& reply, Driver::Address to, Driver::Address from, std::size_t bytes);
    bool surround(Reply& reply, Driver::Address data, std::size_t dataBytes, std::size_t bandBehindBytes);
    bool poison(Reply& reply, std::size_t tensor);
    bool putInput(const Window& window, std::size_t tensor, Reply& reply);
    bool restoreVariables(Reply& reply);
    void readBack(Reply& reply, std::uint64_t offset, Driver::Address from, std::size_t bytes);

    const Driver& m_driver;
    DeviceMemory m_memory;
    Driver::Stream m_stream = nullptr;
    Segment m_inputs;
    Segment m_outputs;
    Command m_shape;
    bool m_hasValues = false;
    std::array<std::optional<int>, tensorLimit> m_poisonByte = {}; // where the pattern is one byte over and over
    std::vector<Variable> m_variables;
    Driver::Address m_sweep = 0;
    std::size_t m_sweptBytes = 0;
};

} // namespace gks::runner
