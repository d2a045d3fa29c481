// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/prediction_bar.h"

#include "widgets/common/theme.h"
#include "widgets/experiments/gain_box.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace gks {
namespace {

double positionOf(double gain, const QRectF& rect) {
    const double at = std::clamp(gain, predictionScale.low, predictionScale.high);
    return rect.left() +
           std::log(at / predictionScale.low) / std::log(predictionScale.high / predictionScale.low) * rect.width();
}

} // namespace

void paintPrediction(QPainter& painter, const QRectF& rect, const PredictionRange& range, const Palette& palette) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = rect.center().y();
    painter.setPen(QPen(palette.line, 1));
    painter.drawLine(QPointF(rect.left(), middle), QPointF(rect.right(), middle));
    const double one = positionOf(1, rect);
    painter.drawLine(QPointF(one, rect.top()), QPointF(one, rect.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.accent);
    if (range.predicted) {
        const double low = positionOf(range.predicted->low, rect);
        const double high = std::max(low + 2, positionOf(range.predicted->high, rect));
        painter.drawRoundedRect(QRectF(low, middle - 3, high - low, 6), 2, 2);
    }
    if (range.measured) {
        const bool inside =
            range.predicted && *range.measured >= range.predicted->low && *range.measured <= range.predicted->high;
        painter.setBrush(inside ? palette.text : palette.slower);
        const double at = positionOf(*range.measured, rect);
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

// To three digits, as the boxes beside it.
double PredictionBar::gainAt(double x) const {
    const double share = std::clamp(x / std::max(1, width()), 0.0, 1.0);
    return GainBox::rounded(predictionScale.low * std::pow(predictionScale.high / predictionScale.low, share));
}

void PredictionBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPrediction(painter, QRectF(rect()).adjusted(0, 3, 0, -3), m_range, Theme::instance().palette());
}

void PredictionBar::mousePressEvent(QMouseEvent* event) {
    const double at = event->position().x();
    m_grabbed = m_range.predicted.value_or(Interval{1, 1});
    const double low = positionOf(m_grabbed.low, rect());
    const double high = positionOf(m_grabbed.high, rect());
    const bool inside = at > low + 5 && at < high - 5;
    m_grip = inside ? Grip::whole : std::abs(at - low) < std::abs(at - high) ? Grip::low : Grip::high;
    m_grabbedAt = gainAt(at);
}

void PredictionBar::mouseMoveEvent(QMouseEvent* event) {
    const double at = gainAt(event->position().x());
    if ((event->buttons() & Qt::LeftButton) == 0 || !isEnabled()) {
        return;
    }
    Interval range = m_grabbed;
    if (m_grip == Grip::low) {
        range.low = std::min(at, range.high);
    } else if (m_grip == Grip::high) {
        range.high = std::max(at, range.low);
    } else {
        range.low *= at / m_grabbedAt;
        range.high *= at / m_grabbedAt;
    }
    setRange({range, m_range.measured});
    Q_EMIT rangeDragged(range.low, range.high);
}

} // namespace gks
