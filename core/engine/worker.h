// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/mailbox.h"

#include <functional>
#include <stop_token>
#include <thread>

namespace gks {

// A thread that does one piece of work after another, each with a stop token of its own. The loop decides when it is
// free.
class Worker {
public:
    using Work = std::function<void(const std::stop_token&)>;

    Worker() : m_thread([this] { serve(); }) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    // Cancels what is being done and waits for it.
    ~Worker() {
        m_current.request_stop();
        m_mailbox.push(Item{});
    }

    void run(Work work) {
        m_current = std::stop_source();
        m_mailbox.push(Item{std::move(work), m_current.get_token()});
    }
    void cancel() { m_current.request_stop(); }

private:
    struct Item {
        Work work; // empty: the end
        std::stop_token stop;
    };

    void serve() {
        for (;;) {
            const auto item = m_mailbox.pop();
            if (!item->work) {
                return;
            }
            item->work(item->stop);
        }
    }

    std::stop_source m_current; // of the loop's thread
    Mailbox<Item> m_mailbox;
    std::jthread m_thread; // last: its destructor joins while the mailbox is still there
};

} // namespace gks
