// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/page_bar.h"

#include <QEvent>
#include <QSizePolicy>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

namespace gks {

PageBar::PageBar(QTabWidget* pages, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("pageTabs"));
    setAccessibleName(tr("Pages"));
    setAttribute(Qt::WA_StyledBackground);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum); // Fixed would be one row
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    for (int page = 0; page < pages->count(); ++page) {
        auto* button = new QToolButton(this);
        button->setText(pages->tabText(page));
        button->setObjectName(QStringLiteral("pageTab.%1").arg(page));
        button->setAccessibleName(tr("Page %1").arg(pages->tabText(page)));
        button->setProperty("pageTab", true);
        button->setCheckable(true);
        button->setAutoExclusive(true); // arrow keys, and one stop of the Tab key, come with it
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, pages, [pages, page] { pages->setCurrentIndex(page); });
        m_buttons.push_back(button);
    }
    connect(pages, &QTabWidget::currentChanged, this, &PageBar::showCurrent);
    showCurrent(pages->currentIndex());
}

void PageBar::showCurrent(int page) {
    if (page >= 0 && page < static_cast<int>(m_buttons.size())) {
        QToolButton* current = m_buttons[static_cast<std::size_t>(page)];
        current->setChecked(true);
        setFocusProxy(current);
    }
}

int PageBar::layOut(int width, bool move) const {
    QPoint at(0, 0);
    int rowHeight = 0;
    for (QToolButton* button : m_buttons) {
        button->ensurePolished();
        const QSize size = button->sizeHint();
        if (at.x() > 0 && at.x() + size.width() > width) {
            at = QPoint(0, at.y() + rowHeight);
        }
        if (move) {
            button->setGeometry(QRect(at, size));
        }
        at.rx() += size.width();
        rowHeight = std::max(rowHeight, size.height());
    }
    return at.y() + rowHeight;
}

QSize PageBar::sizeHint() const {
    int width = 0;
    for (const QToolButton* button : m_buttons) {
        width += button->sizeHint().width();
    }
    return {width, layOut(width, false)};
}

QSize PageBar::minimumSizeHint() const {
    QSize widest;
    for (const QToolButton* button : m_buttons) {
        widest = widest.expandedTo(button->sizeHint());
    }
    return widest;
}

int PageBar::heightForWidth(int width) const {
    return layOut(width, false);
}

bool PageBar::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::LayoutRequest: // of a button whose text or style has changed
    case QEvent::Show:
        updateGeometry();
        layOut(width(), true);
        break;
    case QEvent::Resize:
        layOut(width(), true);
        break;
    default:
        break;
    }
    return QWidget::event(event);
}

} // namespace gks
