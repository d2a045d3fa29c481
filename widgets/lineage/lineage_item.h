// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/lineage/layout.h"
#include "widgets/common/verdict_mark.h"

#include <QGraphicsItem>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gks {

struct Palette;

// The whole lineage in one item. An item for each kernel costs half a second a frame at 100 000 kernels; one item that
// looks up what lies in the exposed rectangle costs a hundredth of it. Positions come from LineageLayout and never
// change.
class LineageItem final : public QGraphicsItem {
public:
    static constexpr double nodeWidth = 168;
    static constexpr double nodeHeight = 44;
    // Below the first only strips are drawn, below the second strip, ID and speed-up.
    static constexpr double farScale = 0.28;
    static constexpr double nearScale = 0.72;

    LineageItem();

    void setPopulation(const PopulationPtr& population);
    void setDownward(bool downward);
    bool isDownward() const { return m_downward; }
    void setHits(std::optional<std::unordered_set<KernelId>> hits); // everything else is dimmed
    // Ring of a kernel that is being evaluated; -1: amount unknown.
    void setProgress(KernelId kernel, double fraction);
    void setCollapsed(KernelId kernel, bool collapsed);
    bool isCollapsed(KernelId kernel) const { return m_collapsed.contains(kernel); }
    bool isHidden(KernelId kernel) const { return m_hidden.contains(kernel); }

    QRectF nodeRect(KernelId kernel) const; // null when unknown
    QRectF bestPathRect() const;            // null: there is no best
    std::optional<KernelId> kernelAt(const QPointF& point) const;
    enum class Step { toParent, toChild, previous, next };             // previous and next: of the same depth
    std::optional<KernelId> neighbour(KernelId from, Step step) const; // the next visible kernel there
    const Population& population() const { return *m_population; }
    bool isDimmed(KernelId kernel) const { return m_hits && !m_hits->contains(kernel); }
    bool isOnBestPath(KernelId kernel) const { return m_bestPath.contains(kernel); }
    void forEachVisible(const std::function<void(const Kernel&, const QRectF&)>& visit) const;

    QRectF boundingRect() const override { return m_bounds; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    // What painting needs of a kernel, in the order of the population: hash look-ups for every edge would cost more
    // than the drawing.
    struct Box {
        QPointF topLeft;
        int parent = -1; // indices into m_boxes
        int reference = -1;
        bool hidden = false;
        bool onBestPath = false;
        bool twoParents = false; // `reference` is the second one
        VerdictMark mark = VerdictMark::waiting;
    };
    struct EdgeLines;
    QPointF position(LineageCell cell) const;
    LineageCell cellAt(const QPointF& point) const;
    void rebuildHidden();
    void growBounds();
    void rebuildBoxes();
    int indexOf(KernelId kernel) const; // into m_boxes, -1 when unknown
    void paintEdges(QPainter& painter, const QRectF& exposed, double scale) const;
    void paintStrips(QPainter& painter, const QRectF& exposed) const;
    void paintNode(QPainter& painter, const Kernel& kernel, double scale) const;
    void paintNodeText(QPainter& painter, const Kernel& kernel, const QRectF& inside, bool near) const;
    // Kernels whose cell lies in the rectangle, one cell wider on each side.
    std::vector<const Kernel*> kernelsIn(const QRectF& exposed) const;

    PopulationPtr m_population;
    std::vector<Box> m_boxes;
    LineageLayout m_layout;
    std::unordered_map<KernelId, double> m_progress;
    std::unordered_map<KernelId, int> m_descendants; // of collapsed kernels
    std::unordered_set<KernelId> m_bestPath;
    std::unordered_set<KernelId> m_collapsed;
    std::unordered_set<KernelId> m_hidden;
    std::optional<std::unordered_set<KernelId>> m_hits;
    QRectF m_bounds;
    bool m_downward = false;
};

} // namespace gks
