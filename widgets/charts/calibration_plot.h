// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/calibration.h"

#include <QWidget>
#include <optional>
#include <vector>

namespace gks {

// One prediction in the picture. `shown` is the range that is drawn: as it was predicted, or corrected.
struct CalibrationMark {
    CalibrationPoint point;
    Interval shown;

    bool inside() const { return point.measured >= shown.low && point.measured <= shown.high; }
};

// Predicted range, across, against measured gain, upward. On the diagonal a prediction would be exact: the bar of a
// prediction that came true crosses it at the height of its point. Both axes have one scale, logarithmic: 2x is as far
// above 1x as 0.5x is below.
class CalibrationPlot final : public QWidget {
    Q_OBJECT

public:
    explicit CalibrationPlot(QWidget* parent = nullptr);

    void setMarks(std::vector<CalibrationMark> marks);
    void setSelected(std::optional<KernelId> kernel);
    const std::vector<CalibrationMark>& marks() const { return m_marks; }
    QPointF placeOf(double predicted, double measured) const;
    int markAt(const QPointF& at) const; // -1: none near
    QString csv() const;
    QSize sizeHint() const override { return {600, 420}; }
    QSize minimumSizeHint() const override { return {260, 200}; }

Q_SIGNALS:
    void kernelClicked(std::int64_t kernel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QRectF plotArea() const;
    void paintAxes(QPainter& painter) const;
    void paintMark(QPainter& painter, const CalibrationMark& mark, bool strong) const;
    void paintReading(QPainter& painter) const;

    std::vector<CalibrationMark> m_marks;
    std::optional<KernelId> m_selected;
    Interval m_range{1, 2}; // of gains
    int m_hovered = -1;
    QPointF m_mouse;
};

} // namespace gks
