// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <mutex>

namespace gks {

// Who spends the time of an evaluation: compilers, calls of kernels and what comes before each call report here, also
// from several threads.
class WorkClock {
public:
    enum class Worker {
        compiler,
        kernel,
        preparation, // of a call: inputs to the device, caches swept
    };

    // A stretch of time in which the worker runs.
    class Span {
    public:
        Span(WorkClock& clock, Worker worker) : m_clock(clock), m_worker(worker) { m_clock.change(m_worker, 1); }
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;
        ~Span() { m_clock.change(m_worker, -1); }

    private:
        WorkClock& m_clock;
        Worker m_worker;
    };

    // Several at the same time count once.
    double seconds(Worker worker) { return read(m_tracks[index(worker)]); }
    double secondsOfAny() { return read(m_any); }

private:
    using Clock = std::chrono::steady_clock;
    struct Track {
        int running = 0;
        double seconds = 0;

        void change(int by, double sinceLast) {
            seconds += running > 0 ? sinceLast : 0;
            running += by;
        }
    };
    static std::size_t index(Worker worker) { return static_cast<std::size_t>(worker); }

    void change(Worker worker, int by) {
        const std::scoped_lock lock(m_mutex);
        const auto now = Clock::now();
        const double sinceLast = std::chrono::duration<double>(now - m_last).count();
        m_last = now;
        for (std::size_t i = 0; i < m_tracks.size(); ++i) {
            m_tracks[i].change(i == index(worker) ? by : 0, sinceLast);
        }
        m_any.change(by, sinceLast);
    }
    double read(const Track& track) {
        const std::scoped_lock lock(m_mutex);
        return track.seconds;
    }

    std::mutex m_mutex;
    Clock::time_point m_last = Clock::now();
    std::array<Track, 3> m_tracks;
    Track m_any;
};

} // namespace gks
