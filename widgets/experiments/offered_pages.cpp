// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/offered_pages.h"

#include <QEvent>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

OfferedPages::OfferedPages(const QString& accessible, QWidget* parent) : QWidget(parent), m_tabs(new QTabBar(this)) {
    m_tabs->setObjectName(QStringLiteral("offeredTabs"));
    m_tabs->setAccessibleName(accessible);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    connect(m_tabs, &QTabBar::currentChanged, this, &OfferedPages::arrange);
    hide();
}

void OfferedPages::addPart(QWidget* part, const QString& title) {
    const bool isOffered = !part->isHidden();
    auto* page = new QWidget(this);
    auto* inner = new QVBoxLayout(page);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->addWidget(part);
    layout()->addWidget(page);
    m_parts.push_back({part, page, isOffered});
    m_tabs->addTab(title);
    part->installEventFilter(this);
    arrange();
}

bool OfferedPages::eventFilter(QObject* watched, QEvent* event) {
    const auto part = std::ranges::find(m_parts, watched, &Part::widget);
    if (part != m_parts.end() && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)) {
        part->isOffered = event->type() == QEvent::ShowToParent;
        if (part->isOffered) {
            m_tabs->setCurrentIndex(static_cast<int>(part - m_parts.begin()));
        }
        arrange();
    }
    return QWidget::eventFilter(watched, event);
}

void OfferedPages::arrange() {
    const auto offered = std::ranges::count_if(m_parts, &Part::isOffered);
    const auto chosen = static_cast<std::size_t>(std::max(0, m_tabs->currentIndex()));
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        m_parts[i].page->setVisible(m_parts[i].isOffered && (i == chosen || !m_parts[chosen].isOffered));
    }
    m_tabs->setVisible(offered > 1);
    setVisible(offered > 0);
}

} // namespace gks
