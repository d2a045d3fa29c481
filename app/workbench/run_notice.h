// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>

class QWidget;

namespace gks {

class EngineBridge;

// Says that a run has ended by itself to a person who looks elsewhere: the window is not in front, or has no tab of the
// campaign any more. What a person stops says nothing.
class RunNotice final : public QObject {
    Q_OBJECT

public:
    // `text` says which campaign, and why.
    using Notify = std::function<void(QWidget* window, const QString& title, const QString& text)>;

    // Watches as long as `bridge` is there.
    RunNotice(EngineBridge& bridge, const QString& campaign, QWidget* window, Notify notify);

private:
    void follow();

    EngineBridge& m_bridge;
    QString m_campaign;
    QWidget* m_window;
    Notify m_notify;
    bool m_ran = false;
};

// The mark of the desktop on the window, and its message where it has such.
void notifyOnDesktop(QWidget* window, const QString& title, const QString& text);

} // namespace gks
