// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace gks {

// The one way in which the engine's threads talk to each other: many senders, one receiver.
template<class Message>
class Mailbox {
public:
    using Clock = std::chrono::steady_clock;

    void push(Message message) {
        {
            const std::lock_guard lock(m_mutex);
            m_messages.push_back(std::move(message));
        }
        m_arrived.notify_one();
    }
    // Waits for a message until the deadline, or for ever; nullopt when the time is over.
    std::optional<Message> pop(std::optional<Clock::time_point> deadline = {}) {
        std::unique_lock lock(m_mutex);
        const auto arrived = [this] { return !m_messages.empty(); };
        if (!deadline) {
            m_arrived.wait(lock, arrived);
        } else if (!m_arrived.wait_until(lock, *deadline, arrived)) {
            return std::nullopt;
        }
        Message message = std::move(m_messages.front());
        m_messages.pop_front();
        return message;
    }
    std::optional<Message> tryPop() {
        const std::lock_guard lock(m_mutex);
        if (m_messages.empty()) {
            return std::nullopt;
        }
        Message message = std::move(m_messages.front());
        m_messages.pop_front();
        return message;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<Message> m_messages;
};

} // namespace gks
