// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/lineage/lineage_item.h"

#include <QGraphicsView>
#include <optional>
#include <unordered_set>

namespace gks {

class LineageMinimap;
class SelectionContext;

// The lineage as a picture: wheel zooms, dragging pans, a click selects and with Ctrl adds the second kernel.
class LineageView final : public QGraphicsView {
    Q_OBJECT

public:
    explicit LineageView(SelectionContext* selection, QWidget* parent = nullptr);
    ~LineageView() override;

    LineageItem& item() { return *m_item; }
    void setPopulation(const PopulationPtr& population);
    void setDownward(bool downward);
    // Everything else is dimmed; nothing: no search is on.
    void setHits(std::optional<std::unordered_set<KernelId>> hits);
    void fit();                       // and keeps it fitted while the view is resized, until the person zooms or drags
    void showKernel(KernelId kernel); // scrolls as little as needed
    void toggleCollapsed();
    QRect selectedRect() const; // of the selected kernel's node, on this widget; empty: none is selected

Q_SIGNALS:
    void menuRequested(const QPoint& globalPosition);
    void kernelActivated(std::int64_t kernel);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    void zoom(double factor, const QPointF& anchor);
    LineageItem::Step stepOf(int key) const;
    void typeAhead(const QString& digits);
    void selectAndShow(std::optional<KernelId> kernel);
    void setHovered(std::optional<KernelId> kernel);
    void updateNode(std::optional<KernelId> kernel);
    std::optional<KernelId> kernelUnder(const QPoint& position) const;

    SelectionContext* m_selection;
    LineageItem* m_item;
    LineageMinimap* m_minimap;
    std::optional<KernelId> m_hovered;
    std::optional<KernelId> m_shownPrimary;
    std::optional<KernelId> m_shownSecond;
    QPoint m_pressedAt;
    QPoint m_lastDrag;
    bool m_dragging = false;
    bool m_touched = false; // zoomed or dragged by the person: never fitted again by itself
    QString m_typed;
    qint64 m_typedAtMs = 0;
};

} // namespace gks
