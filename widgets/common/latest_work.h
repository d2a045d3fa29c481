// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>

namespace gks {

// A computation beside the window of which only the newest request counts: a new one asks the old one to stop, and what
// the old one still answers is dropped. The answer comes on the GUI thread, and never after this object is gone.
template<class T>
class LatestWork final {
public:
    using Work = std::function<T(const std::stop_token&)>;
    using Done = std::function<void(const T&)>;

    LatestWork() : m_shared(std::make_shared<Shared>()) {}
    ~LatestWork() { cancel(); }
    LatestWork(const LatestWork&) = delete;
    LatestWork& operator=(const LatestWork&) = delete;

    void start(Work work, Done done) {
        cancel();
        m_stop = std::stop_source();
        m_busy = true;
        const int number = ++m_shared->newest;
        QThreadPool::globalInstance()->start([shared = m_shared, number, work = std::move(work), done = std::move(done),
                                              stop = m_stop.get_token(), this] {
            if (shared->newest != number) {
                return;
            }
            auto value = std::make_shared<const T>(work(stop));
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [shared, number, value, done, this] {
                    if (shared->newest == number) { // then this object is still there
                        m_busy = false;
                        done(*value);
                    }
                },
                Qt::QueuedConnection);
        });
    }
    void cancel() {
        m_stop.request_stop();
        ++m_shared->newest;
        m_busy = false;
    }
    bool isBusy() const { return m_busy; }

private:
    struct Shared {
        std::atomic<int> newest{0};
    };
    std::shared_ptr<Shared> m_shared;
    std::stop_source m_stop;
    bool m_busy = false;
};

} // namespace gks
