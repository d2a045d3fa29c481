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

bool DeviceQueue::executeOne() {
    {
        const std::unique_lock executing(m_executing, std::try_to_lock);
        if (!executing) {
            return false;
        }
        Command command;
        {
            const std::lock_guard lock(m_queueMutex);
            if (m_queue.empty()) {
                return false;
            }
            command = std::move(m_queue.front());
            m_queue.pop_front();
        }
        command(m_workers);
    }
    // Counted after the lock is free: whoever is woken by the count must be able to take it.
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
        // Read before the attempt: if that fails, another thread is at a command and the count is going to change.
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
