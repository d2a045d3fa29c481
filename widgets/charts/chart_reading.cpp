// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart_reading.h"

#include "widgets/common/palette.h"
#include "widgets/common/theme.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

namespace gks {

void paintReading(QPainter& painter, const QFont& font, QSize chart, const QPointF& pointer, const QString& text) {
    const Palette& palette = Theme::instance().palette();
    painter.setFont(font);
    QRectF box = QRectF(QFontMetrics(font).boundingRect(text)).adjusted(-spacing2, -spacing1, spacing2, spacing1);
    box.moveTopLeft(pointer + QPointF(12, 12));
    box.moveRight(std::min(box.right(), chart.width() - 2.0));
    box.moveLeft(std::max(box.left(), 2.0));
    box.moveBottom(std::min(box.bottom(), chart.height() - 2.0));
    painter.setPen(palette.line);
    painter.setBrush(palette.raised);
    painter.drawRoundedRect(box, radius, radius);
    painter.setPen(palette.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace gks
