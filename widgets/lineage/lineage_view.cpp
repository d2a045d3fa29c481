// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/lineage_view.h"

#include "core/campaign/confirmation.h"
#include "core/campaign/ranking.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/lineage/lineage_item.h"
#include "widgets/lineage/lineage_minimap.h"

#include <QContextMenuEvent>
#include <QDateTime>
#include <QGraphicsScene>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>

namespace gks {

namespace {

constexpr double smallestScale = 0.02;
constexpr double largestScale = 2.5;
constexpr double smallestFit = 0.42; // fitting never makes IDs unreadable; the minimap shows the rest
constexpr qint64 typeAheadMs = 1200;

} // namespace

LineageView::LineageView(SelectionContext* selection, QWidget* parent)
    : QGraphicsView(parent), m_selection(selection), m_item(new LineageItem), m_minimap(nullptr) {
    setObjectName(QStringLiteral("lineageCanvas"));
    setAccessibleName(tr("Kernel lineage"));
    setAccessibleDescription(tr("Use the arrow keys to move through the tree and digits to jump to a kernel. Show "
                                "lineage as table lists the same kernels for screen readers."));
    auto* scene = new QGraphicsScene(this);
    scene->setItemIndexMethod(QGraphicsScene::NoIndex);
    scene->addItem(m_item);
    setScene(scene);
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setTransformationAnchor(NoAnchor);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    m_minimap = new LineageMinimap(this);
    connect(selection, &SelectionContext::changed, this, [this] {
        updateNode(std::exchange(m_shownPrimary, m_selection->primary()));
        updateNode(std::exchange(m_shownSecond, m_selection->second()));
        updateNode(m_shownPrimary);
        updateNode(m_shownSecond);
        if (m_shownPrimary) {
            showKernel(*m_shownPrimary);
        }
        m_minimap->placeAndShow();
    });
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

LineageView::~LineageView() = default;

void LineageView::setPopulation(const PopulationPtr& population) {
    if (population.get() == &m_item->population()) {
        return;
    }
    m_item->setPopulation(population);
    setSceneRect(m_item->boundingRect());
    if (!m_touched) {
        fit();
    }
    m_minimap->invalidate();
}

void LineageView::setDownward(bool downward) {
    m_item->setDownward(downward);
    setSceneRect(m_item->boundingRect());
    fit();
}

void LineageView::setHits(std::optional<std::unordered_set<KernelId>> hits) {
    m_item->setHits(std::move(hits));
}

void LineageView::fit() {
    const QRectF bounds = m_item->boundingRect();
    if (bounds.isEmpty() || viewport()->width() < 20) {
        return;
    }
    const auto scaleOf = [this](const QRectF& rect) {
        return std::min(viewport()->width() / rect.width(), viewport()->height() / rect.height());
    };
    // Where the whole cannot be read, the way to the best kernel is what is looked for first.
    const QRectF path = m_item->bestPathRect();
    const bool whole = path.isNull() || scaleOf(bounds) >= smallestFit;
    const double scale = std::clamp(scaleOf(whole ? bounds : path.adjusted(-16, -16, 16, 16)), smallestFit, 1.0);
    setTransform(QTransform::fromScale(scale, scale));
    m_touched = false;
    centerOn(bounds.topLeft());
    if (!whole) {
        centerOn(path.center());
    }
    if (const auto primary = m_selection->primary()) {
        showKernel(*primary);
    }
    m_minimap->placeAndShow();
}

void LineageView::showKernel(KernelId kernel) {
    const QRectF rect = m_item->nodeRect(kernel);
    if (!rect.isNull()) {
        ensureVisible(rect, 12, 12);
    }
}

QRect LineageView::selectedRect() const {
    const QRectF node = m_selection->primary() ? m_item->nodeRect(*m_selection->primary()) : QRectF();
    return node.isNull() ? QRect() : mapFromScene(node).boundingRect().translated(viewport()->geometry().topLeft());
}

void LineageView::toggleCollapsed() {
    if (const auto primary = m_selection->primary()) {
        m_item->setCollapsed(*primary, !m_item->isCollapsed(*primary));
        m_minimap->invalidate();
    }
}

void LineageView::updateNode(std::optional<KernelId> kernel) {
    if (kernel) {
        viewport()->update(mapFromScene(m_item->nodeRect(*kernel)).boundingRect().adjusted(-5, -5, 5, 5));
    }
}

std::optional<KernelId> LineageView::kernelUnder(const QPoint& position) const {
    return m_item->kernelAt(mapToScene(position));
}

void LineageView::setHovered(std::optional<KernelId> kernel) {
    if (m_hovered == kernel) {
        return;
    }
    updateNode(std::exchange(m_hovered, kernel));
    updateNode(m_hovered);
    const Kernel* entry = kernel ? m_item->population().kernel(*kernel) : nullptr;
    QString tip;
    if (entry != nullptr) {
        tip = idText(entry->id) % QStringLiteral("  ") % toText(entry->title) % QStringLiteral("\n") %
              kernelStateText(*entry);
        const QString time = geomeanText(*entry, m_item->population().settings.target);
        const QString versus = versusParentText(*entry);
        tip +=
            (time.isEmpty() ? QString()
                            : QString(QStringLiteral("  ") % tr("%1 alone").arg(time) % QStringLiteral("\n") %
                                      tr("speedup over %1: ").arg(toText(baselineName(m_item->population()))) %
                                      scaledSpeedOf(m_item->population(), *entry))) %
            (entry->parents.size() < 2
                 ? QString()
                 : QString(QStringLiteral("\n") %
                           tr("made from %1 and %2").arg(idText(entry->parents[0]), idText(entry->parents[1])))) %
            (versus.isEmpty() ? QString() : QString(QStringLiteral("\n") % tr("vs parent: ") % versus)) %
            (entry->reason.empty() ? QString()
                                   : QString(QStringLiteral("\n") % toText(reasonText(m_item->population(), *entry))));
    }
    viewport()->setToolTip(tip);
    viewport()->setCursor(kernel ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LineageView::zoom(double factor, const QPointF& anchor) {
    m_touched = true;
    const double wanted = std::clamp(transform().m11() * factor, smallestScale, largestScale);
    const QPointF before = mapToScene(anchor.toPoint());
    setTransform(QTransform::fromScale(wanted, wanted));
    const QPointF moved = mapFromScene(before) - anchor;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + static_cast<int>(moved.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(moved.y()));
    m_minimap->placeAndShow();
}

void LineageView::wheelEvent(QWheelEvent* event) {
    zoom(event->angleDelta().y() > 0 ? 1.2 : 1 / 1.2, event->position());
    event->accept();
}

void LineageView::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = m_lastDrag = event->pos();
    m_dragging = false;
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if (const auto kernel = kernelUnder(event->pos())) {
        if (event->modifiers().testFlag(Qt::ControlModifier)) {
            m_selection->setSecond(kernel);
        } else {
            m_selection->select(*kernel);
        }
    }
}

void LineageView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton) || event->buttons().testFlag(Qt::MiddleButton)) {
        m_dragging = m_dragging || (event->pos() - m_pressedAt).manhattanLength() > 4;
        if (m_dragging) {
            m_touched = true;
            const QPoint step = event->pos() - m_lastDrag;
            horizontalScrollBar()->setValue(horizontalScrollBar()->value() - step.x());
            verticalScrollBar()->setValue(verticalScrollBar()->value() - step.y());
        }
        m_lastDrag = event->pos();
        return;
    }
    setHovered(kernelUnder(event->pos()));
}

void LineageView::mouseReleaseEvent(QMouseEvent*) {
    m_dragging = false;
}

void LineageView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto kernel = kernelUnder(event->pos())) {
        Q_EMIT kernelActivated(*kernel);
    }
}

void LineageView::contextMenuEvent(QContextMenuEvent* event) {
    QPoint position = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard && m_selection->primary()) {
        position = viewport()->mapToGlobal(mapFromScene(m_item->nodeRect(*m_selection->primary()).center()));
    } else if (const auto kernel = kernelUnder(event->pos())) {
        if (kernel != m_selection->primary()) {
            m_selection->select(*kernel);
        }
    }
    if (m_selection->primary()) {
        Q_EMIT menuRequested(position);
    }
}

void LineageView::selectAndShow(std::optional<KernelId> kernel) {
    if (kernel) {
        m_selection->select(*kernel);
    }
}

// Depth runs to the right or downward; the arrow that points along it leads to a child.
LineageItem::Step LineageView::stepOf(int key) const {
    const bool downward = m_item->isDownward();
    switch (key) {
    case Qt::Key_Right:
        return downward ? LineageItem::Step::next : LineageItem::Step::toChild;
    case Qt::Key_Left:
        return downward ? LineageItem::Step::previous : LineageItem::Step::toParent;
    case Qt::Key_Up:
        return downward ? LineageItem::Step::toParent : LineageItem::Step::previous;
    default:
        return downward ? LineageItem::Step::toChild : LineageItem::Step::next;
    }
}

void LineageView::keyPressEvent(QKeyEvent* event) {
    const SharedList<Kernel>& kernels = m_item->population().kernels;
    if (kernels.empty()) {
        return;
    }
    const auto primary = m_selection->primary();
    const Kernel* shown = primary ? m_item->population().kernel(*primary) : nullptr;
    const bool none = shown == nullptr || shown->probe; // probes are not on the canvas
    const KernelId from = none ? kernels.front().id : shown->id;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_Down:
        selectAndShow(none ? from : m_item->neighbour(from, stepOf(event->key())));
        return;
    case Qt::Key_Home:
        selectAndShow(kernels.front().id);
        return;
    case Qt::Key_End:
        selectAndShow(kernels.back().id);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT kernelActivated(from);
        return;
    case Qt::Key_Plus:
        zoom(1.2, viewport()->rect().center());
        return;
    case Qt::Key_Minus:
        zoom(1 / 1.2, viewport()->rect().center());
        return;
    default:
        break;
    }
    if (!event->text().isEmpty() && event->text().at(0).isDigit()) {
        typeAhead(event->text());
        return;
    }
    QGraphicsView::keyPressEvent(event);
}

void LineageView::typeAhead(const QString& digits) {
    const qint64 at = QDateTime::currentMSecsSinceEpoch();
    m_typed = at - m_typedAtMs > typeAheadMs ? digits : m_typed + digits;
    m_typedAtMs = at;
    const KernelId wanted = m_typed.toLongLong();
    if (m_item->population().kernel(wanted) != nullptr) {
        selectAndShow(wanted);
    }
}

void LineageView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    if (!m_touched) {
        fit();
    }
    m_minimap->placeAndShow();
}

void LineageView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    if (m_minimap != nullptr) {
        m_minimap->placeAndShow();
    }
}

void LineageView::drawForeground(QPainter* painter, const QRectF&) {
    const Palette& colors = Theme::instance().palette();
    const auto outline = [&](std::optional<KernelId> kernel, const QColor& color, double width, Qt::PenStyle style) {
        if (!kernel || m_item->isHidden(*kernel)) {
            return;
        }
        QPen pen(color, width, style);
        pen.setCosmetic(true);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(m_item->nodeRect(*kernel).adjusted(-2, -2, 2, 2), radius + 1, radius + 1);
    };
    painter->setRenderHint(QPainter::Antialiasing);
    outline(m_hovered, colors.quietText, 1, Qt::SolidLine);
    outline(m_selection->second(), colors.accent, 2, Qt::DotLine);
    outline(m_selection->primary(), colors.accent, 2, Qt::SolidLine);
}

} // namespace gks
