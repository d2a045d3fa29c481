// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/lineage_minimap.h"

#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"
#include "widgets/lineage/lineage_item.h"
#include "widgets/lineage/lineage_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace gks {

namespace {

constexpr QSize mapLimit(132, 84);
constexpr int inset = 8;

} // namespace

LineageMinimap::LineageMinimap(LineageView* view) : QWidget(view), m_view(view) {
    setObjectName(QStringLiteral("lineageMinimap"));
    setAccessibleName(tr("Lineage minimap"));
    setCursor(Qt::PointingHandCursor);
    hide();
    connect(&Theme::instance(), &Theme::changed, this, &LineageMinimap::invalidate);
}

double LineageMinimap::scale() const {
    const QRectF bounds = m_view->item().boundingRect();
    return bounds.isEmpty() ? 1.0 : std::min(mapLimit.width() / bounds.width(), mapLimit.height() / bounds.height());
}

void LineageMinimap::invalidate() {
    m_picture = {};
    placeAndShow();
    update();
}

void LineageMinimap::placeAndShow() {
    const QRectF bounds = m_view->item().boundingRect();
    const QSize size = (bounds.size() * scale()).toSize().expandedTo(QSize(24, 16));
    const QRect port = m_view->viewport()->geometry();
    QRect corner(QPoint(0, port.bottom() - size.height() - inset), size);
    corner.moveRight(port.right() - inset);
    if (corner.intersects(m_view->selectedRect())) {
        corner.moveTop(port.top() + inset);
    }
    setGeometry(corner);
    const QRectF seen = m_view->mapToScene(m_view->viewport()->rect()).boundingRect();
    setVisible(!bounds.isEmpty() && !seen.adjusted(-40, -40, 40, 40).contains(bounds));
    update();
}

void LineageMinimap::paintEvent(QPaintEvent*) {
    const Palette& colors = Theme::instance().palette();
    const QRectF bounds = m_view->item().boundingRect();
    if (m_picture.isNull()) {
        m_picture = QPixmap(size() * devicePixelRatioF());
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        m_picture.fill(colors.panel);
        QPainter painter(&m_picture);
        painter.scale(scale(), scale());
        painter.translate(-bounds.topLeft());
        m_view->item().forEachVisible([&](const Kernel& kernel, const QRectF& rect) {
            painter.fillRect(rect.adjusted(0, 4, 0, -4), tinted(colors.panel, colorOf(markOf(kernel), colors), 0.75));
        });
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    const QRectF seen = m_view->mapToScene(m_view->viewport()->rect()).boundingRect();
    const QRectF frame((seen.topLeft() - bounds.topLeft()) * scale(), seen.size() * scale());
    painter.setPen(QPen(colors.accent, 1));
    painter.drawRect(frame.intersected(QRectF(rect())).adjusted(0.5, 0.5, -1.5, -1.5));
    painter.setPen(QPen(colors.line, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void LineageMinimap::moveTo(const QPointF& position) {
    m_view->centerOn(m_view->item().boundingRect().topLeft() + position / scale());
}

void LineageMinimap::mousePressEvent(QMouseEvent* event) {
    moveTo(event->position());
}

void LineageMinimap::mouseMoveEvent(QMouseEvent* event) {
    moveTo(event->position());
}

} // namespace gks
