// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/watch_bar.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace gks {

namespace {

constexpr int watchLookMs = 1000;

}

WatchBar::WatchBar(const EngineBridge& bridge, QWidget* parent)
    : QWidget(parent)
    , m_bridge(bridge)
    , m_text(new MessageLabel(tr("Read-only")))
    , m_takeOver(named(new QPushButton(tr("Take &over")), "watchTakeOver", tr("Take the campaign over"))) {
    setObjectName(QStringLiteral("watchBar"));
    m_text->setObjectName(QStringLiteral("watchText"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    row->setSpacing(spacing2);
    row->addWidget(m_text, 1);
    row->addWidget(m_takeOver);
    m_takeOver->setEnabled(false);
    m_tick.setInterval(watchLookMs);
    connect(&m_tick, &QTimer::timeout, this, &WatchBar::look);
    connect(m_takeOver, &QPushButton::clicked, this, &WatchBar::takeOverRequested);
}

void WatchBar::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    look();
    m_tick.start();
}

void WatchBar::hideEvent(QHideEvent* event) {
    m_tick.stop();
    m_work.cancel();
    QWidget::hideEvent(event);
}

void WatchBar::setBusy(bool busy) {
    m_busy = busy;
    m_takeOver->setEnabled(!busy);
}

void WatchBar::look() {
    if (m_bridge.address() != m_bridge.file()) {
        fillRemote();
        return;
    }
    if (m_work.isBusy()) {
        return;
    }
    m_work.start([file = m_bridge.file().toStdString()](const std::stop_token&) { return writerOf(file); },
                 [this](const CampaignWriter& writer) { fill(writer); });
}

// The other side says who runs it; nobody takes over a file of another machine.
void WatchBar::fillRemote() {
    m_takeOver->hide();
    if (const auto trouble = m_bridge.linkTrouble()) {
        m_text->setText(
            tr("%1. Read-only, as it was last seen. %2").arg(m_bridge.address(), toText(trouble->message())));
    } else {
        m_text->setText(tr("%1. What you decide here is carried out there.").arg(m_bridge.address()));
    }
}

void WatchBar::fill(const CampaignWriter& writer) {
    if (!writer.isThere) {
        m_text->setText(tr("Read-only. The run has ended. Take over to go on with it here."));
        m_takeOver->setToolTip(tr("Open the campaign for writing"));
    } else if (writer.run) {
        const RunningCampaign& run = *writer.run;
        const QString who = tr("%1, %2, %3, for %4")
                                .arg(toText(stateText(run)), toText(placeText(run.place)), toText(processText(run)),
                                     toText(sinceText(run)));
        m_text->setText(m_bridge.readOnly()
                            ? tr("Read-only. Watching: %1.").arg(who)
                            : tr("Run elsewhere: %1. What you decide here is carried out there.").arg(who));
        m_takeOver->setToolTip(tr("Stop the run and open the campaign here"));
    } else {
        m_text->setText(tr("Read-only. Watching: another user's program or another machine."));
    }
    m_takeOver->setEnabled(!m_busy && (!writer.isThere || (writer.run && writer.run->here)));
}

} // namespace gks
