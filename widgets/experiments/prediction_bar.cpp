// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/prediction_bar.h"

#include "widgets/common/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace gks {
namespace {

double positionOf(double percent, const QRectF& rect) {
    const double at = std::clamp(percent, predictionScaleLow, predictionScaleHigh);
    return rect.left() + (at - predictionScaleLow) / (predictionScaleHigh - predictionScaleLow) * rect.width();
}

} // namespace

void paintPrediction(QPainter& painter, const QRectF& rect, const PredictionRange& range, const Palette& palette) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = rect.center().y();
    painter.setPen(QPen(palette.line, 1));
    painter.drawLine(QPointF(rect.left(), middle), QPointF(rect.right(), middle));
    const double zero = positionOf(0, rect);
    painter.drawLine(QPointF(zero, rect.top()), QPointF(zero, rect.bottom()));
    const double low = positionOf(range.lowPercent, rect);
    const double high = std::max(low + 2, positionOf(range.highPercent, rect));
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.accent);
    painter.drawRoundedRect(QRectF(low, middle - 3, high - low, 6), 2, 2);
    if (range.measuredPercent) {
        const bool inside = *range.measuredPercent >= range.lowPercent && *range.measuredPercent <= range.highPercent;
        painter.setBrush(inside ? palette.faster : palette.slower);
        const double at = positionOf(*range.measuredPercent, rect);
        painter.drawRect(QRectF(at - 1.5, rect.top(), 3, rect.height()));
    }
    painter.restore();
}

PredictionBar::PredictionBar(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setMinimumHeight(18);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PredictionBar::setRange(const PredictionRange& range) {
    m_range = range;
    update();
}

double PredictionBar::percentAt(double x) const {
    const double share = std::clamp(x / std::max(1, width()), 0.0, 1.0);
    return std::round(predictionScaleLow + share * (predictionScaleHigh - predictionScaleLow));
}

void PredictionBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPrediction(painter, QRectF(rect()).adjusted(0, 3, 0, -3), m_range, Theme::instance().palette());
}

void PredictionBar::mousePressEvent(QMouseEvent* event) {
    const double at = event->position().x();
    const double low = positionOf(m_range.lowPercent, rect());
    const double high = positionOf(m_range.highPercent, rect());
    const bool inside = at > low + 5 && at < high - 5;
    m_grip = inside ? Grip::whole : std::abs(at - low) < std::abs(at - high) ? Grip::low : Grip::high;
    m_grabbedAt = percentAt(at);
    m_grabbed = m_range;
}

void PredictionBar::mouseMoveEvent(QMouseEvent* event) {
    const double at = percentAt(event->position().x());
    if ((event->buttons() & Qt::LeftButton) == 0 || !isEnabled()) {
        return;
    }
    PredictionRange range = m_grabbed;
    if (m_grip == Grip::low) {
        range.lowPercent = std::min(at, range.highPercent);
    } else if (m_grip == Grip::high) {
        range.highPercent = std::max(at, range.lowPercent);
    } else {
        range.lowPercent += at - m_grabbedAt;
        range.highPercent += at - m_grabbedAt;
    }
    setRange(range);
    Q_EMIT rangeDragged(range.lowPercent, range.highPercent);
}

} // namespace gks
