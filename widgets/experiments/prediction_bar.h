// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <QRectF>
#include <QWidget>
#include <optional>

class QPainter;

namespace gks {

struct Palette;

// A predicted range of gains on a common scale, and the measured gain as a tick once it is known.
struct PredictionRange {
    std::optional<Interval> predicted;
    std::optional<double> measured;
};
inline constexpr Interval predictionScale = {0.5, 4}; // gains; by their logarithms
void paintPrediction(QPainter& painter, const QRectF& rect, const PredictionRange& range, const Palette& palette);

// The same to be dragged: the ends of the range, or the range as a whole.
class PredictionBar final : public QWidget {
    Q_OBJECT

public:
    explicit PredictionBar(QWidget* parent = nullptr);
    void setRange(const PredictionRange& range);
    QSize sizeHint() const override { return {160, 22}; }

Q_SIGNALS:
    void rangeDragged(double low, double high);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    enum class Grip { low, high, whole };
    double gainAt(double x) const;

    PredictionRange m_range;
    Grip m_grip = Grip::whole;
    double m_grabbedAt = 1;
    Interval m_grabbed{1, 1};
};

} // namespace gks
