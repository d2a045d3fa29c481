// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/panel.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/theme.h"

#include <QShowEvent>

namespace gks {

Panel::Panel(const PanelContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, [this] {
        if (m_stale && isVisible()) {
            m_stale = false;
            refresh();
            if (isSettled()) {
                Q_EMIT settled();
            }
        }
    });
    connect(context.bridge, &EngineBridge::populationChanged, this, &Panel::scheduleRefresh);
    connect(context.bridge, &EngineBridge::problemChanged, this, &Panel::scheduleRefresh);
    connect(context.selection, &SelectionContext::changed, this, &Panel::scheduleRefresh);
    connect(&Theme::instance(), &Theme::changed, this, &Panel::scheduleRefresh);
}

void Panel::scheduleRefresh() {
    m_stale = true;
    if (isVisible()) {
        m_turn.start();
    }
}

void Panel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) {
        m_turn.start();
    }
}

} // namespace gks
