// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/lineage_item.h"

#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <array>
#include <cmath>

namespace gks {

namespace {

constexpr double stripWidth = 24;
constexpr double rightPitch[2] = {LineageItem::nodeWidth + 32, LineageItem::nodeHeight + 12};
constexpr double downPitch[2] = {LineageItem::nodeWidth + 16, LineageItem::nodeHeight + 28};
constexpr double margin = 24;

QFont textFont(int pixelSize, bool strong) {
    QFont font;
    font.setPixelSize(pixelSize);
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return font;
}

} // namespace

LineageItem::LineageItem() : m_population(std::make_shared<const Population>()) {
    setFlag(ItemUsesExtendedStyleOption);
}

void LineageItem::setPopulation(const PopulationPtr& population) {
    const PopulationPtr before = std::exchange(m_population, population);
    bool grown = false;
    for (const Kernel& kernel : population->kernels) {
        if (!m_layout.cell(kernel.id)) {
            m_layout.add(kernel.id, kernel.parents.empty() ? std::nullopt : std::optional(kernel.parents.front()));
            grown = true;
        }
        if (kernel.state != KernelState::evaluating && kernel.state != KernelState::screening) {
            m_progress.erase(kernel.id);
        }
    }
    m_bestPath.clear();
    if (population->best) {
        for (const KernelId id : population->ancestry(*population->best)) {
            m_bestPath.insert(id);
        }
    }
    if (grown) {
        growBounds();
    }
    rebuildHidden();
    rebuildBoxes();
    update();
}

int LineageItem::indexOf(KernelId kernel) const {
    const auto place = m_population->placeOf(kernel);
    return place ? static_cast<int>(*place) : -1;
}

void LineageItem::rebuildBoxes() {
    m_boxes.resize(m_population->kernels.size());
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        const Kernel& kernel = m_population->kernels[i];
        m_boxes[i] = {position(*m_layout.cell(kernel.id)),
                      kernel.parents.empty() ? -1 : indexOf(kernel.parents.front()),
                      kernel.parents.size() > 1 ? indexOf(kernel.parents[1])
                      : kernel.reference        ? indexOf(*kernel.reference)
                                                : -1,
                      isHidden(kernel.id),
                      isOnBestPath(kernel.id),
                      kernel.parents.size() > 1,
                      markOf(kernel)};
    }
}

void LineageItem::growBounds() {
    prepareGeometryChange();
    const LineageCell last{std::max(0, m_layout.columns() - 1), std::max(0, m_layout.rows() - 1)};
    m_bounds =
        QRectF(QPointF(), position(last) + QPointF(nodeWidth, nodeHeight)).adjusted(-margin, -margin, margin, margin);
}

void LineageItem::setDownward(bool downward) {
    m_downward = downward;
    growBounds();
    rebuildBoxes();
    update();
}

void LineageItem::setHits(std::optional<std::unordered_set<KernelId>> hits) {
    m_hits = std::move(hits);
    update();
}

void LineageItem::setProgress(KernelId kernel, double fraction) {
    m_progress[kernel] = fraction;
    update(nodeRect(kernel));
}

void LineageItem::setCollapsed(KernelId kernel, bool collapsed) {
    if (collapsed) {
        m_collapsed.insert(kernel);
    } else {
        m_collapsed.erase(kernel);
    }
    rebuildHidden();
    rebuildBoxes();
    update();
}

void LineageItem::rebuildHidden() {
    m_hidden.clear();
    m_descendants.clear();
    if (m_collapsed.empty()) {
        return;
    }
    // Parents come before their children, so one pass is enough.
    for (const Kernel& kernel : m_population->kernels) {
        if (kernel.parents.empty()) {
            continue;
        }
        const KernelId parent = kernel.parents.front();
        if (m_collapsed.contains(parent) || m_hidden.contains(parent)) {
            m_hidden.insert(kernel.id);
            for (const KernelId above : m_population->ancestry(parent)) {
                if (m_collapsed.contains(above)) {
                    ++m_descendants[above];
                }
            }
        }
    }
}

QPointF LineageItem::position(LineageCell cell) const {
    return m_downward ? QPointF(cell.row * downPitch[0], cell.column * downPitch[1])
                      : QPointF(cell.column * rightPitch[0], cell.row * rightPitch[1]);
}

LineageCell LineageItem::cellAt(const QPointF& point) const {
    const double* pitch = m_downward ? downPitch : rightPitch;
    const int across = static_cast<int>(std::floor(point.x() / pitch[0]));
    const int along = static_cast<int>(std::floor(point.y() / pitch[1]));
    return m_downward ? LineageCell{along, across} : LineageCell{across, along};
}

QRectF LineageItem::nodeRect(KernelId kernel) const {
    const auto cell = m_layout.cell(kernel);
    return cell ? QRectF(position(*cell), QSizeF(nodeWidth, nodeHeight)) : QRectF();
}

QRectF LineageItem::bestPathRect() const {
    QRectF path;
    for (const KernelId kernel : m_bestPath) {
        path = path.united(nodeRect(kernel));
    }
    return path;
}

std::optional<KernelId> LineageItem::kernelAt(const QPointF& point) const {
    const auto kernel = m_layout.at(cellAt(point));
    return kernel && !isHidden(*kernel) && nodeRect(*kernel).contains(point) ? kernel : std::nullopt;
}

std::optional<KernelId> LineageItem::neighbour(KernelId from, Step step) const {
    const Kernel* kernel = m_population->kernel(from);
    const auto cell = m_layout.cell(from);
    if (kernel == nullptr || !cell) {
        return std::nullopt;
    }
    if (step == Step::toParent) {
        return kernel->parents.empty() ? std::nullopt : std::optional(kernel->parents.front());
    }
    if (step == Step::toChild) {
        const auto& all = m_population->kernels;
        const auto child = std::find_if(all.begin(), all.end(), [&](const Kernel& other) {
            return !other.parents.empty() && other.parents.front() == from && !isHidden(other.id);
        });
        return child == all.end() ? std::nullopt : std::optional(child->id);
    }
    const int direction = step == Step::next ? 1 : -1;
    for (int row = cell->row + direction; row >= 0 && row < m_layout.rows(); row += direction) {
        const auto other = m_layout.at({cell->column, row});
        if (other && !isHidden(*other)) {
            return other;
        }
    }
    return std::nullopt;
}

void LineageItem::forEachVisible(const std::function<void(const Kernel&, const QRectF&)>& visit) const {
    for (const Kernel& kernel : m_population->kernels) {
        if (!isHidden(kernel.id)) {
            visit(kernel, nodeRect(kernel.id));
        }
    }
}

std::vector<const Kernel*> LineageItem::kernelsIn(const QRectF& exposed) const {
    std::vector<const Kernel*> kernels;
    const LineageCell first = cellAt(exposed.topLeft());
    const LineageCell last = cellAt(exposed.bottomRight());
    for (int column = std::max(0, first.column - 1); column <= std::min(last.column + 1, m_layout.columns() - 1);
         ++column) {
        for (int row = std::max(0, first.row - 1); row <= std::min(last.row + 1, m_layout.rows() - 1); ++row) {
            const auto id = m_layout.at({column, row});
            const Kernel* kernel = id ? m_population->kernel(*id) : nullptr;
            if (kernel != nullptr && !isHidden(*id)) {
                kernels.push_back(kernel);
            }
        }
    }
    return kernels;
}

void LineageItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    paintEdges(*painter, option->exposedRect, scale);
    if (scale < farScale) {
        paintStrips(*painter, option->exposedRect);
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    for (const Kernel* kernel : kernelsIn(option->exposedRect)) {
        paintNode(*painter, *kernel, scale);
    }
}

// The segments of right-angled edges that lie in the exposed rectangle, by pen. They turn close to the parent, so that
// siblings share their trunk; being upright or level, they need no antialiasing.
struct LineageItem::EdgeLines {
    const QRectF& exposed;
    double shortest; // what is shorter than a pixel is not worth drawing
    QList<QLineF> lines;

    void add(const QPointF& from, const QPointF& to) {
        const bool reaches =
            std::max(from.x(), to.x()) >= exposed.left() && std::min(from.x(), to.x()) <= exposed.right() &&
            std::max(from.y(), to.y()) >= exposed.top() && std::min(from.y(), to.y()) <= exposed.bottom();
        if (reaches && std::abs(to.x() - from.x()) + std::abs(to.y() - from.y()) >= shortest) {
            lines.append(QLineF(from, to));
        }
    }
    void addElbow(const QPointF& parent, const QPointF& child, bool downward) {
        const QPointF from =
            parent + (downward ? QPointF(nodeWidth / 2, nodeHeight) : QPointF(nodeWidth, nodeHeight / 2));
        const QPointF to = child + (downward ? QPointF(nodeWidth / 2, 0) : QPointF(0, nodeHeight / 2));
        const QPointF first = downward ? QPointF(from.x(), from.y() + 12) : QPointF(from.x() + 14, from.y());
        const QPointF second = downward ? QPointF(to.x(), first.y()) : QPointF(first.x(), to.y());
        add(from, first);
        add(first, second);
        add(second, to);
    }
};

void LineageItem::paintEdges(QPainter& painter, const QRectF& exposed, double scale) const {
    const Palette& colors = Theme::instance().palette();
    const double pixel = 1 / scale;
    EdgeLines basis{exposed, pixel, {}};
    EdgeLines best{exposed, 0, {}};
    EdgeLines reference{exposed, pixel, {}};
    EdgeLines second{exposed, pixel, {}};
    for (const Box& box : m_boxes) {
        if (box.hidden) {
            continue;
        }
        if (box.parent >= 0) {
            (box.onBestPath ? best : basis)
                .addElbow(m_boxes[static_cast<std::size_t>(box.parent)].topLeft, box.topLeft, m_downward);
        }
        if (box.reference >= 0 && scale >= farScale && !m_boxes[static_cast<std::size_t>(box.reference)].hidden) {
            const QPointF middle(nodeWidth / 2, nodeHeight / 2);
            (box.twoParents ? second : reference)
                .add(m_boxes[static_cast<std::size_t>(box.reference)].topLeft + middle, box.topLeft + middle);
        }
    }
    const auto draw = [&](const EdgeLines& edges, const QColor& color, double width, Qt::PenStyle style) {
        QPen pen(color, width, style, Qt::SquareCap);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLines(edges.lines);
    };
    painter.setRenderHint(QPainter::Antialiasing, true);
    draw(reference, tinted(colors.surface, colors.quietText, 0.45), 1, Qt::DashLine);
    draw(second, colors.accent, 2, Qt::DotLine);
    painter.setRenderHint(QPainter::Antialiasing, false);
    draw(basis, tinted(colors.surface, colors.quietText, 0.7), 1, Qt::SolidLine);
    draw(best, colors.faster, 2, Qt::SolidLine);
}

// From afar: strips alone, all of one colour in one call.
void LineageItem::paintStrips(QPainter& painter, const QRectF& exposed) const {
    const Palette& colors = Theme::instance().palette();
    std::array<QList<QRectF>, static_cast<std::size_t>(lastVerdictMark) + 1> strips;
    std::array<QList<QRectF>, static_cast<std::size_t>(lastVerdictMark) + 1> dimmed;
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        const QRectF strip(m_boxes[i].topLeft + QPointF(0, 6), QSizeF(nodeWidth * 0.65, nodeHeight - 12));
        if (!m_boxes[i].hidden && strip.intersects(exposed)) {
            const bool found = !isDimmed(m_population->kernels[i].id);
            (found ? strips : dimmed)[static_cast<std::size_t>(m_boxes[i].mark)].append(strip);
        }
    }
    painter.setPen(Qt::NoPen);
    for (std::size_t mark = 0; mark < strips.size(); ++mark) {
        const QColor color = colorOf(static_cast<VerdictMark>(mark), colors);
        painter.setBrush(tinted(colors.surface, color, 0.25));
        painter.drawRects(dimmed[mark]);
        painter.setBrush(color);
        painter.drawRects(strips[mark]);
    }
}

void LineageItem::paintNode(QPainter& painter, const Kernel& kernel, double scale) const {
    const Palette& colors = Theme::instance().palette();
    const QRectF rect = nodeRect(kernel.id);
    const VerdictMark mark = markOf(kernel);
    const bool dimmed = isDimmed(kernel.id);
    painter.setOpacity(dimmed ? 0.25 : 1.0);
    const QColor color = isDim(kernel) ? tinted(colors.raised, colorOf(mark, colors), 0.75) : colorOf(mark, colors);
    QPen border(isOnBestPath(kernel.id) ? colors.faster : colors.line, isOnBestPath(kernel.id) ? 1.6 : 1.0);
    border.setCosmetic(true);
    painter.setPen(border);
    painter.setBrush(colors.raised);
    painter.drawRoundedRect(rect, radius, radius);
    QPainterPath strip;
    strip.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.save();
    painter.setClipRect(QRectF(rect.topLeft(), QSizeF(stripWidth, nodeHeight)), Qt::IntersectClip);
    painter.fillPath(strip, tinted(colors.raised, color, 0.22));
    painter.restore();
    const auto progress = m_progress.find(kernel.id);
    const double markSide = scale < nearScale ? 17 : 13;
    paintMark(painter,
              QRectF(rect.left() + (stripWidth - markSide) / 2, rect.center().y() - markSide / 2, markSide, markSide),
              mark, color, progress == m_progress.end() ? -1 : progress->second);
    paintNodeText(painter, kernel, rect.adjusted(stripWidth + 6, 4, -7, -4), scale >= nearScale);
    if (const auto folded = m_descendants.find(kernel.id); folded != m_descendants.end()) {
        painter.setFont(textFont(10, true));
        painter.setPen(colors.accent);
        painter.drawText(QRectF(rect.right() + 3, rect.top(), 40, nodeHeight), Qt::AlignVCenter | Qt::AlignLeft,
                         QStringLiteral("+%1").arg(folded->second));
    }
    painter.setOpacity(1.0);
}

void LineageItem::paintNodeText(QPainter& painter, const Kernel& kernel, const QRectF& inside, bool near) const {
    const Palette& colors = Theme::instance().palette();
    const bool suspected = kernel.verdict == VerdictKind::cheatingSuspected;
    const QString state = suspected ? QCoreApplication::translate("LineageItem", "suspect") : kernelStateText(kernel);
    const QString speedup = kernel.geomeanUs > 0 ? speedupText(*m_population, kernel) : state;
    // A banned kernel is struck out, too.
    const QColor idColor = isDim(kernel) ? colors.quietText : colors.text;
    const QColor speedColor = kernel.geomeanUs > 0 ? (m_population->best == kernel.id ? colors.faster : idColor)
                                                   : colorOf(markOf(kernel), colors);
    const auto idFont = [&](int pixelSize) {
        QFont font = textFont(pixelSize, true);
        font.setStrikeOut(kernel.banned);
        return font;
    };
    if (!near) {
        painter.setFont(idFont(20));
        painter.setPen(idColor);
        painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft, idText(kernel.id));
        painter.setFont(textFont(20, false));
        if (const SpeedRatio* speed = m_population->speed(kernel)) {
            painter.setPen(speedColor);
            // Two digits do from afar, and leave room for the ID.
            painter.drawText(inside, Qt::AlignVCenter | Qt::AlignRight,
                             toText(formatSignificant(speed->ratio, 2) + "x"));
        }
        return;
    }
    const QRectF upper = QRectF(inside.topLeft(), QSizeF(inside.width(), inside.height() / 2));
    const QRectF lower = upper.translated(0, upper.height());
    painter.setFont(idFont(12));
    painter.setPen(idColor);
    painter.drawText(upper, Qt::AlignVCenter | Qt::AlignLeft, idText(kernel.id));
    painter.setFont(textFont(12, true));
    painter.setPen(speedColor);
    const double idWidth = QFontMetricsF(idFont(12)).horizontalAdvance(idText(kernel.id)) + 8;
    painter.drawText(upper, Qt::AlignVCenter | Qt::AlignRight,
                     QFontMetricsF(painter.font()).elidedText(speedup, Qt::ElideRight, upper.width() - idWidth));
    painter.setFont(textFont(10, false));
    painter.setPen(colors.quietText);
    const QString time = kernel.geomeanUs > 0 ? toText(formatMicroseconds(kernel.geomeanUs)) : QString();
    const double timeWidth = time.isEmpty() ? 0 : QFontMetricsF(painter.font()).horizontalAdvance(time) + 8;
    const QString title =
        QFontMetricsF(painter.font()).elidedText(toText(kernel.title), Qt::ElideRight, lower.width() - timeWidth);
    painter.drawText(lower, Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.drawText(lower, Qt::AlignVCenter | Qt::AlignRight, time);
}

} // namespace gks
