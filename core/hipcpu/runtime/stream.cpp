// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/stream.h"

#include <chrono>
#include <mutex>
#include <unordered_map>

namespace gks::hipcpu {

namespace {

constexpr std::uintptr_t legacyHandle = 1;
constexpr std::uintptr_t perThreadHandle = 2;

// What the host interface has handed out, so that a stale handle is an error and not a crash.
struct Handles {
    std::mutex mutex;
    std::unordered_map<HipStream, std::unique_ptr<Stream>> streams;
    std::unordered_map<HipEvent, std::unique_ptr<Event>> events;

    static Handles& instance() {
        static auto* handles = new Handles;
        return *handles;
    }
};

std::atomic<Ticket> newestBlocking{0};

void raise(std::atomic<Ticket>& value, Ticket ticket) {
    Ticket before = value.load(std::memory_order_relaxed);
    while (before < ticket && !value.compare_exchange_weak(before, ticket, std::memory_order_acq_rel)) {
    }
}

} // namespace

Ticket Stream::submit(DeviceQueue::Command command) {
    const Ticket ticket = DeviceQueue::instance().submit(std::move(command));
    include(ticket);
    return ticket;
}

void Stream::submit(Operation operation) {
    if (isCapturing()) {
        capture(*this, std::move(operation));
    } else {
        submit(std::move(operation.command));
    }
}

void Stream::include(Ticket ticket) {
    raise(m_last, ticket);
    if (isBlocking()) {
        raise(newestBlocking, ticket);
    }
}

Ticket Stream::lastBlocking() {
    return newestBlocking.load(std::memory_order_acquire);
}

Stream& Stream::null() {
    static auto* stream = new Stream(0);
    return *stream;
}

Stream* Stream::find(HipStream handle) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number == 0 || number == legacyHandle) {
        return &null();
    }
    if (number == perThreadHandle) {
        static thread_local Stream ownStream(0);
        return &ownStream;
    }
    Handles& handles = Handles::instance();
    const std::lock_guard lock(handles.mutex);
    return handles.streams.count(handle) ? handle : nullptr;
}

HipStream Stream::create(unsigned flags) {
    auto stream = std::make_unique<Stream>(flags);
    Handles& handles = Handles::instance();
    const std::lock_guard lock(handles.mutex);
    HipStream handle = stream.get();
    handles.streams.emplace(handle, std::move(stream));
    return handle;
}

bool Stream::destroy(HipStream handle) {
    if (Stream* const stream = find(handle)) {
        leaveCapture(*stream);
    }
    Handles& handles = Handles::instance();
    const std::lock_guard lock(handles.mutex);
    return handles.streams.erase(handle) == 1;
}

HipEvent createEvent(unsigned flags) {
    auto event = std::make_unique<Event>(flags);
    Handles& handles = Handles::instance();
    const std::lock_guard lock(handles.mutex);
    HipEvent handle = event.get();
    handles.events.emplace(handle, std::move(event));
    return handle;
}

bool destroyEvent(HipEvent handle) {
    Handles& handles = Handles::instance();
    const std::lock_guard lock(handles.mutex);
    return handles.events.erase(handle) == 1;
}

bool isEvent(HipEvent handle) {
    Handles& handles = Handles::instance();
    const std::lock_guard lock(handles.mutex);
    return handles.events.count(handle) == 1;
}

DeviceQueue::Command recordCommand(std::shared_ptr<Event::State> state) {
    return [state = std::move(state)](WorkerPool&) {
        state->executedNs.store(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1),
                                std::memory_order_release);
    };
}

void noteRecord(Event::State& state, Ticket ticket) {
    raise(state.ticket, ticket);
}

void recordEvent(Event& event, Stream& stream) {
    noteRecord(*event.state(), stream.submit(recordCommand(event.state())));
}

} // namespace gks::hipcpu
