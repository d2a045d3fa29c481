// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/worker_pool.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace gks::hipcpu {

// Commands are executed in the order of their submission, whatever their stream. That is one of the orders that HIP
// allows: an event is recorded before anybody waits for it, so waits, the null stream's synchronisation and the order
// within each stream all hold by themselves. A ticket is the number of a command; it is done when as many commands have
// been executed.
using Ticket = std::uint64_t;

class DeviceQueue {
public:
    static DeviceQueue& instance();

    using Command = std::function<void(WorkerPool&)>;
    Ticket submit(Command command);
    bool isDone(Ticket ticket) const { return m_done.load(std::memory_order_acquire) >= ticket; }
    // Executes what is left itself while the dispatcher has not got to it: waking a sleeping thread costs more than a
    // small kernel.
    // Leaves all execution to the queue's own thread: for threads whose thread-local objects are gone, as in exit().
    void waitForOthers(Ticket ticket);
    void waitFor(Ticket ticket);
    Ticket last() const { return m_submitted.load(std::memory_order_acquire); }

private:
    DeviceQueue();
    [[noreturn]] void dispatcherLoop();
    // Executes the oldest command. False when there is none or another thread is at it.
    bool executeOne();

    std::mutex m_queueMutex;
    std::deque<Command> m_queue;
    bool m_isExecuting = false;
    std::atomic<Ticket> m_submitted{0};
    std::atomic<Ticket> m_done{0};
    std::atomic<std::uint32_t> m_wakeUps{0};
    WorkerPool m_workers;
};

} // namespace gks::hipcpu
