// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QString>
#include <functional>

namespace gks {

// An application that knows how long its window did not answer: the time of every event, those within it included. The
// loops of dialogs are no such time, as the window answers meanwhile; what is within them is counted by itself. What
// the thread of the window itself did of it is counted too: other programs on the machine make that no longer.
class TurnWatch final : public QApplication {
    Q_OBJECT

public:
    using QApplication::QApplication;

    struct Turn {
        double milliseconds = 0;
        double processorMs = 0; // of this thread
        QString what;           // receiver and event
    };
    bool notify(QObject* receiver, QEvent* event) override;
    const Turn& longest() const { return m_longest; }
    const Turn& busiest() const { return m_busiest; } // by processor time
    int turns() const { return m_turns; }
    int longTurns() const { return m_longTurns; } // over `limitMs`
    void forget();
    // In an event loop of its own: only in loops are turns counted. False: not within `milliseconds`.
    static bool waitFor(const std::function<bool()>& condition, int milliseconds);

    static constexpr double limitMs = 50;

private:
    Turn m_longest;
    Turn m_busiest;
    int m_turns = 0;
    int m_longTurns = 0;
    int m_level = 0;      // of event loops
    int m_innerTurns = 0; // in the loops of dialogs
};

} // namespace gks
