// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/turn_watch.h"

#include <QEvent>
#include <QEventLoop>
#include <QMetaEnum>
#include <QThread>
#include <QTimer>
#include <ctime>
#include <utility>

namespace gks {

namespace {

// The event, and who gets it; a timer says nothing of whose it is.
QString nameOfTurn(const QObject* receiver, QEvent::Type type) {
    QString name = QString::fromLatin1(receiver->metaObject()->className()) + QLatin1Char(' ') + receiver->objectName();
    if (receiver->objectName().isEmpty() && receiver->parent() != nullptr) {
        name += QStringLiteral("of ") + QLatin1String(receiver->parent()->metaObject()->className());
    }
    return name + QLatin1Char(' ') + QLatin1String(QMetaEnum::fromType<QEvent::Type>().valueToKey(type));
}

double processorMsOfThread() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace

bool TurnWatch::notify(QObject* receiver, QEvent* event) {
    const int loop = QThread::currentThread() == thread() ? QThread::currentThread()->loopLevel() : 0;
    if (loop == 0 || loop == m_level) { // another thread's, or within an event of this loop
        return QApplication::notify(receiver, event);
    }
    const int outer = std::exchange(m_level, loop);
    const int loopsBefore = m_innerTurns;
    const QString what = nameOfTurn(receiver, event->type());
    QElapsedTimer timer;
    timer.start();
    const double busyBefore = processorMsOfThread();
    const bool handled = QApplication::notify(receiver, event); // `receiver` may be gone
    const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    const double busy = processorMsOfThread() - busyBefore;
    const bool ranALoop = m_innerTurns != loopsBefore;
    m_innerTurns += outer > 0 ? 1 : 0;
    m_level = outer;
    ++m_turns;
    if (!ranALoop) {
        m_longTurns += took > limitMs ? 1 : 0;
        const Turn turn = {took, busy, what};
        m_longest = took > m_longest.milliseconds ? turn : m_longest;
        m_busiest = busy > m_busiest.processorMs ? turn : m_busiest;
    }
    return handled;
}

bool TurnWatch::waitFor(const std::function<bool()>& condition, int milliseconds) {
    constexpr int pollMs = 5;
    QEventLoop loop;
    QTimer poll;
    QElapsedTimer patience;
    patience.start();
    QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
        if (condition() || patience.elapsed() > milliseconds) {
            loop.quit();
        }
    });
    poll.start(pollMs);
    loop.exec();
    return condition();
}

void TurnWatch::forget() {
    m_longest = {};
    m_busiest = {};
    m_turns = 0;
    m_longTurns = 0;
}

} // namespace gks
