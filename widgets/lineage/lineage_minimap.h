// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

namespace gks {

class LineageView;

// The whole lineage in a corner of the canvas, with the part that is in view; dragging moves it. Hidden while
// everything is in view, and in another corner while the selected kernel would be under it.
class LineageMinimap final : public QWidget {
    Q_OBJECT

public:
    explicit LineageMinimap(LineageView* view);
    void invalidate();   // the kernels have changed
    void placeAndShow(); // the view has moved

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    double scale() const;
    void moveTo(const QPointF& position);

    LineageView* m_view;
    QPixmap m_picture;
};

} // namespace gks
