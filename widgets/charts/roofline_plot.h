// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/bottleneck.h"

#include <QWidget>
#include <optional>

namespace gks {

// FLOP for each byte, across, against FLOP/s, upward, both logarithmic: a slope is the memory's roof, a level line that
// of the arithmetic of some types. One mark for each shape and kernel, with its 95 % interval.
class RooflinePlot final : public QWidget {
    Q_OBJECT

public:
    explicit RooflinePlot(QWidget* parent = nullptr);

    struct Hit {
        std::size_t row = 0;
        std::size_t point = 0;
    };
    void setTable(RooflineTable table);
    void setShape(std::optional<int> shape); // whose marks have a ring
    const RooflineTable& table() const { return m_table; }
    QPointF placeOf(double flopPerByte, double flopPerSecond) const;
    QPointF placeOf(const Hit& hit) const;
    std::optional<Hit> hitAt(const QPointF& at) const;
    QString readingOf(const Hit& hit) const;
    QColor colorOf(const RooflinePoint& point) const;
    QString csv() const;
    QStringList roofNames() const; // of arithmetic, the highest first
    QSize sizeHint() const override { return {600, 380}; }
    QSize minimumSizeHint() const override { return {280, 200}; }

Q_SIGNALS:
    void kernelClicked(std::int64_t kernel, bool asSecond);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Roof {
        double flopsPerSecond = 0;
        QString types;
    };
    std::vector<Roof> roofs() const;          // of arithmetic, the highest first
    bool isReachable(const Roof& roof) const; // by the problem's kernels: it is drawn strong
    QRectF plotArea() const;
    void paintAxes(QPainter& painter) const;
    void paintRoofs(QPainter& painter) const;
    void paintRoofNames(QPainter& painter) const;
    void paintPoint(QPainter& painter, const Hit& hit) const;
    void paintMark(QPainter& painter, const RooflinePoint& point, const QPointF& at) const;
    void paintLegend(QPainter& painter) const;
    void paintReading(QPainter& painter) const;

    RooflineTable m_table;
    QStringList m_libraries; // by title, for their colours
    std::optional<int> m_shape;
    Interval m_x{1, 10};     // FLOP/byte
    Interval m_y{1e9, 1e10}; // FLOP/s
    std::optional<Hit> m_hovered;
    QPointF m_mouse;
};

} // namespace gks
