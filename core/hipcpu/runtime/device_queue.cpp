// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device_queue.h"

#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/hipcpu/runtime/spin.h"

#include <thread>

namespace gks::hipcpu {

DeviceQueue& DeviceQueue::instance() {
    // Never destroyed: its threads run until the process ends.
    static auto* queue = new DeviceQueue;
    return *queue;
}

DeviceQueue::DeviceQueue() : m_workers(Settings::instance().workers) {
    std::thread([this] { dispatcherLoop(); }).detach();
}

Ticket DeviceQueue::submit(Command command) {
    Ticket ticket = 0;
    {
        const std::lock_guard lock(m_queueMutex);
        m_queue.push_back(std::move(command));
        ticket = m_submitted.load(std::memory_order_relaxed) + 1;
        m_submitted.store(ticket, std::memory_order_release);
    }
    m_wakeUps.fetch_add(1, std::memory_order_release);
    m_wakeUps.notify_one();
    return ticket;
}

// Whether a command is being executed is decided together with whether one is left: a thread that only looks holds
// nobody up, who would then wait for a count that nobody is about to change.
bool DeviceQueue::executeOne() {
    Command command;
    {
        const std::lock_guard lock(m_queueMutex);
        if (m_isExecuting || m_queue.empty()) {
            return false;
        }
        m_isExecuting = true;
        command = std::move(m_queue.front());
        m_queue.pop_front();
    }
    command(m_workers);
    command = nullptr;
    {
        const std::lock_guard lock(m_queueMutex);
        m_isExecuting = false;
    }
    // Counted afterwards: whoever is woken by the count must be able to execute the next one.
    m_done.fetch_add(1, std::memory_order_release);
    m_done.notify_all();
    return true;
}

void DeviceQueue::dispatcherLoop() {
    installFaultHandler();
    std::uint32_t seen = 0;
    for (;;) {
        if (!spinUntil([&] { return m_wakeUps.load(std::memory_order_acquire) != seen; })) {
            m_wakeUps.wait(seen, std::memory_order_acquire);
        }
        seen = m_wakeUps.load(std::memory_order_acquire);
        waitFor(m_submitted.load(std::memory_order_acquire));
    }
}

// Whoever waits also executes.
void DeviceQueue::waitFor(Ticket ticket) {
    for (;;) {
        // Read before the attempt: if that fails, a command has been taken that is not counted yet, and will be.
        const Ticket done = m_done.load(std::memory_order_acquire);
        if (done >= ticket) {
            return;
        }
        if (!executeOne() && !spinUntil([&] { return m_done.load(std::memory_order_acquire) != done; })) {
            m_done.wait(done, std::memory_order_acquire);
        }
    }
}

void DeviceQueue::waitForOthers(Ticket ticket) {
    for (Ticket done = m_done.load(std::memory_order_acquire); done < ticket;
         done = m_done.load(std::memory_order_acquire)) {
        m_done.wait(done, std::memory_order_acquire);
    }
}

} // namespace gks::hipcpu
