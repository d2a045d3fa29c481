// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPointF>
#include <QSize>
#include <QString>

class QPainter;

namespace gks {

// What the pointer reads, in a box beside it that stays within the chart.
void paintReading(QPainter& painter, const QFont& font, QSize chart, const QPointF& pointer, const QString& text);

} // namespace gks
