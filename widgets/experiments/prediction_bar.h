// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QWidget>
#include <optional>

class QPainter;

namespace gks {

struct Palette;

// A predicted range of gains on a common scale, and the measured gain as a tick once it is known.
struct PredictionRange {
    double lowPercent = 0;
    double highPercent = 0;
    std::optional<double> measuredPercent;
};
inline constexpr double predictionScaleLow = -50;
inline constexpr double predictionScaleHigh = 100;
void paintPrediction(QPainter& painter, const QRectF& rect, const PredictionRange& range, const Palette& palette);

// The same to be dragged: the ends of the range, or the range as a whole.
class PredictionBar final : public QWidget {
    Q_OBJECT

public:
    explicit PredictionBar(QWidget* parent = nullptr);
    void setRange(const PredictionRange& range);
    QSize sizeHint() const override { return {160, 22}; }

Q_SIGNALS:
    void rangeDragged(double lowPercent, double highPercent);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    enum class Grip { low, high, whole };
    double percentAt(double x) const;

    PredictionRange m_range;
    Grip m_grip = Grip::whole;
    double m_grabbedAt = 0;
    PredictionRange m_grabbed;
};

} // namespace gks
