// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>

namespace gks::hipcpu {

// Work for as many threads as there are processors. What is done may add to it; the largest is begun first, so that
// none is when the others are nearly done.
class WorkList {
public:
    void add(std::size_t size, std::function<void()> work);
    // Until all is done.
    void run();

private:
    void take();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::multimap<std::size_t, std::function<void()>, std::greater<>> m_waiting; // by size
    std::size_t m_begun = 0;                                                     // and not done
};

} // namespace gks::hipcpu
