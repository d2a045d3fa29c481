// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/turn_watch.h"

#include <QEvent>
#include <QMetaEnum>
#include <QThread>
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
    const bool handled = QApplication::notify(receiver, event); // `receiver` may be gone
    const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    const bool ranALoop = m_innerTurns != loopsBefore;
    m_innerTurns += outer > 0 ? 1 : 0;
    m_level = outer;
    ++m_turns;
    if (!ranALoop) {
        m_longTurns += took > limitMs ? 1 : 0;
        m_longest = took > m_longest.milliseconds ? Turn{took, what} : m_longest;
    }
    return handled;
}

void TurnWatch::forget() {
    m_longest = {};
    m_turns = 0;
    m_longTurns = 0;
}

} // namespace gks
