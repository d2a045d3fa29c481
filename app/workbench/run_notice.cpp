// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/run_notice.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/settings.h"
#include "widgets/settings/settings_dialog.h"

#include <QApplication>
#include <QPointer>
#include <QSystemTrayIcon>
#include <QTimer>
#include <QWidget>
#include <utility>

namespace gks {

namespace {

constexpr int noticeMs = 10'000;

}

RunNotice::RunNotice(EngineBridge& bridge, const QString& campaign, QWidget* window, Notify notify)
    : QObject(&bridge), m_bridge(bridge), m_campaign(campaign), m_window(window), m_notify(std::move(notify)) {
    connect(&bridge, &EngineBridge::stateChanged, this, &RunNotice::follow);
    follow();
}

void RunNotice::follow() {
    const bool runs = m_bridge.state() == EngineState::running;
    const bool ended = std::exchange(m_ran, runs) && !runs;
    const bool byItself = !m_bridge.stateReason().isEmpty(); // the engine gives a reason, a person needs none
    if (ended && byItself && m_notify && !m_window->isActiveWindow() && Settings::instance().value(notifyRunEnd)) {
        m_notify(m_window, tr("A run has ended"), tr("%1: %2").arg(m_campaign, m_bridge.stateReason()));
    }
}

void notifyOnDesktop(QWidget* window, const QString& title, const QString& text) {
    QApplication::alert(window);
    if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages()) {
        return;
    }
    auto* tray = new QSystemTrayIcon(window->windowIcon(), window);
    tray->show();
    tray->showMessage(title, text, QSystemTrayIcon::Information, noticeMs);
    const QPointer<QWidget> there(window);
    QObject::connect(tray, &QSystemTrayIcon::messageClicked, window, [there] {
        if (there) {
            there->show();
            there->raise();
            there->activateWindow();
        }
    });
    QTimer::singleShot(noticeMs, tray, &QObject::deleteLater);
}

} // namespace gks
