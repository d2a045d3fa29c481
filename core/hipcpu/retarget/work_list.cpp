// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/work_list.h"

#include <thread>
#include <vector>

namespace gks::hipcpu {

void WorkList::add(std::size_t size, std::function<void()> work) {
    const std::lock_guard lock(m_mutex);
    m_waiting.emplace(size, std::move(work));
    m_changed.notify_one();
}

void WorkList::run() {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) {
        others.emplace_back([this] { take(); });
    }
    take();
}

void WorkList::take() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [&] { return !m_waiting.empty() || m_begun == 0; });
        if (m_waiting.empty()) {
            return;
        }
        const auto work = m_waiting.extract(m_waiting.begin());
        ++m_begun;
        lock.unlock();
        work.mapped()();
        lock.lock();
        --m_begun;
        m_changed.notify_all();
    }
}

} // namespace gks::hipcpu
