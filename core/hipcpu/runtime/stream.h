// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/device_queue.h"
#include "core/hipcpu/runtime/hip_types.h"
#include "core/hipcpu/runtime/stream_capture.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gks::hipcpu {

class Event {
public:
    explicit Event(unsigned flags) : m_timed((flags & hipEventDisableTiming) == 0) {}

    struct State {
        std::atomic<Ticket> ticket{0};           // of the newest record, 0 before the first
        std::atomic<std::int64_t> executedNs{0}; // steady clock when the newest executed record ran
    };
    bool isTimed() const { return m_timed; }
    // Shared with the commands, which may outlive the event.
    const std::shared_ptr<State>& state() const { return m_state; }
    bool isRecorded() const { return m_state->ticket.load(std::memory_order_acquire) != 0; }
    bool isDone() const { return DeviceQueue::instance().isDone(m_state->ticket.load(std::memory_order_acquire)); }
    // Recorded last in a capture, so it never happens itself.
    bool isCaptured() const { return m_place.capture != nullptr; }
    const CapturePlace& capturePlace() const { return m_place; }
    void setCapturePlace(CapturePlace place) { m_place = std::move(place); }

private:
    bool m_timed;
    CapturePlace m_place;
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

class Stream {
public:
    explicit Stream(unsigned flags) : m_flags(flags) {}

    unsigned flags() const { return m_flags; }
    bool isBlocking() const { return (m_flags & hipStreamNonBlocking) == 0; }
    Ticket last() const { return m_last.load(std::memory_order_acquire); }
    // What is done once and no capture takes.
    Ticket submit(DeviceQueue::Command command);
    // Or added to what the stream captures.
    void submit(Operation operation);
    bool isCapturing() const { return m_isCapturing.load(std::memory_order_acquire); }
    const CapturePlace& capturePlace() const { return m_place; } // under the mutex of Graphs
    void setCapturePlace(CapturePlace place) {
        m_place = std::move(place);
        m_isCapturing.store(m_place.capture != nullptr, std::memory_order_release);
    }
    // A bit for each compute unit; empty: all.
    const std::vector<std::uint32_t>& computeUnits() const { return m_computeUnits; }
    void setComputeUnits(std::vector<std::uint32_t> mask) { m_computeUnits = std::move(mask); }
    // From here on the stream counts as synchronised only when that command is done, too.
    void include(Ticket ticket);

    // The null stream; `handle` 0 and 1 (legacy) stand for it, 2 for the calling thread's own stream.
    static Stream& null();
    // Null for a handle that is not alive.
    static Stream* find(HipStream handle);
    static HipStream create(unsigned flags);
    static bool destroy(HipStream handle);
    // The newest command that the null stream has to wait for.
    static Ticket lastBlocking();

private:
    unsigned m_flags;
    std::atomic<Ticket> m_last{0};
    std::atomic<bool> m_isCapturing{false};
    CapturePlace m_place;
    std::vector<std::uint32_t> m_computeUnits;
};

HipEvent createEvent(unsigned flags);
bool destroyEvent(HipEvent handle);
bool isEvent(HipEvent handle);
DeviceQueue::Command recordCommand(std::shared_ptr<Event::State> state);
// That a record of the event was submitted as that command.
void noteRecord(Event::State& state, Ticket ticket);
// Submits a record of `event` to `stream`, which does not capture.
void recordEvent(Event& event, Stream& stream);

} // namespace gks::hipcpu
