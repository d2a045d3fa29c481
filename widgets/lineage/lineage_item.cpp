// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/lineage_item.h"

#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"
#include "widgets/lineage/lineage_model.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
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

QPointF edgeStart(const QRectF& rect, bool downward) {
    return downward ? QPointF(rect.center().x(), rect.bottom()) : QPointF(rect.right(), rect.center().y());
}

QPointF edgeEnd(const QRectF& rect, bool downward) {
    return downward ? QPointF(rect.center().x(), rect.top()) : QPointF(rect.left(), rect.center().y());
}

// Right-angled, turning close to the child, so that siblings share their trunk.
void addElbow(QPainterPath& path, const QPointF& from, const QPointF& to, bool downward) {
    path.moveTo(from);
    if (downward) {
        const double turn = std::min(from.y() + 12, (from.y() + to.y()) / 2);
        path.lineTo(from.x(), turn);
        path.lineTo(to.x(), turn);
    } else {
        const double turn = std::min(from.x() + 14, (from.x() + to.x()) / 2);
        path.lineTo(turn, from.y());
        path.lineTo(turn, to.y());
    }
    path.lineTo(to);
}

} // namespace

LineageItem::LineageItem()
    : m_population(std::make_shared<const Population>()) {
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
        if (kernel.state != KernelState::evaluating) {
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
    setSearch(m_search);
}

void LineageItem::growBounds() {
    prepareGeometryChange();
    const LineageCell last{std::max(0, m_layout.columns() - 1), std::max(0, m_layout.rows() - 1)};
    m_bounds = QRectF(QPointF(), position(last) + QPointF(nodeWidth, nodeHeight)).adjusted(-margin, -margin, margin, margin);
}

void LineageItem::setDownward(bool downward) {
    m_downward = downward;
    growBounds();
    update();
}

void LineageItem::setSearch(const QString& query) {
    m_search = query;
    m_found.clear();
    if (!query.isEmpty()) {
        for (const Kernel& kernel : m_population->kernels) {
            if (matchesSearch(kernel, query)) {
                m_found.insert(kernel.id);
            }
        }
    }
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
    for (int column = std::max(0, first.column - 1); column <= std::min(last.column + 1, m_layout.columns() - 1); ++column) {
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
    painter->setRenderHint(QPainter::Antialiasing);
    paintEdges(*painter, option->exposedRect, scale);
    for (const Kernel* kernel : kernelsIn(option->exposedRect)) {
        paintNode(*painter, *kernel, scale);
    }
}

void LineageItem::paintEdges(QPainter& painter, const QRectF& exposed, double scale) const {
    const Palette& colors = Theme::instance().palette();
    QPainterPath basis;
    QPainterPath best;
    QPainterPath reference;
    // An edge may cross the exposed rectangle although both of its ends lie outside, so all edges are looked at; only numbers are compared.
    for (const Kernel& kernel : m_population->kernels) {
        if (isHidden(kernel.id)) {
            continue;
        }
        const QRectF own = nodeRect(kernel.id);
        const auto add = [&](KernelId other, QPainterPath& path) {
            const QRectF from = nodeRect(other);
            if (!from.isNull() && from.united(own).intersects(exposed)) {
                addElbow(path, edgeStart(from, m_downward), edgeEnd(own, m_downward), m_downward);
            }
        };
        if (!kernel.parents.empty()) {
            add(kernel.parents.front(), isOnBestPath(kernel.id) ? best : basis);
        }
        if (kernel.reference && scale >= farScale && !isHidden(*kernel.reference)) {
            const QRectF from = nodeRect(*kernel.reference);
            if (!from.isNull() && from.united(own).intersects(exposed)) {
                reference.moveTo(edgeStart(from, m_downward));
                reference.lineTo(edgeEnd(own, m_downward));
            }
        }
    }
    painter.setBrush(Qt::NoBrush);
    const auto cosmetic = [](const QColor& color, double width, Qt::PenStyle style) {
        QPen pen(color, width, style);
        pen.setCosmetic(true);
        return pen;
    };
    painter.setPen(cosmetic(tinted(colors.surface, colors.quietText, 0.45), 1, Qt::DashLine));
    painter.drawPath(reference);
    painter.setPen(cosmetic(tinted(colors.surface, colors.quietText, 0.7), 1.2, Qt::SolidLine));
    painter.drawPath(basis);
    painter.setPen(cosmetic(colors.faster, 2.4, Qt::SolidLine));
    painter.drawPath(best);
}

void LineageItem::paintNode(QPainter& painter, const Kernel& kernel, double scale) const {
    const Palette& colors = Theme::instance().palette();
    const QRectF rect = nodeRect(kernel.id);
    const VerdictMark mark = markOf(kernel);
    const bool dimmed = !m_search.isEmpty() && !m_found.contains(kernel.id);
    painter.setOpacity(dimmed ? 0.25 : 1.0);
    const QColor color = colorOf(mark, colors);
    if (scale < farScale) {
        painter.fillRect(rect.adjusted(0, 6, -nodeWidth * 0.35, -6), color);
        painter.setOpacity(1.0);
        return;
    }
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
    paintMark(painter, QRectF(rect.left() + (stripWidth - markSide) / 2, rect.center().y() - markSide / 2, markSide, markSide), mark,
              color, progress == m_progress.end() ? -1 : progress->second);
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
    const QString state = suspected ? QCoreApplication::translate("LineageItem", "suspected") : kernelStateText(kernel);
    const QString speedup = kernel.geomeanUs > 0 ? speedupText(kernel) : state;
    const QColor speedColor = kernel.geomeanUs > 0 ? (m_population->best == kernel.id ? colors.faster : colors.text)
                                                   : colorOf(markOf(kernel), colors);
    // A banned kernel is struck out.
    const QColor idColor = kernel.banned ? colors.quietText : colors.text;
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
        if (kernel.geomeanUs > 0) {
            painter.setPen(speedColor);
            painter.drawText(inside, Qt::AlignVCenter | Qt::AlignRight, speedup);
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
    painter.drawText(upper, Qt::AlignVCenter | Qt::AlignRight, speedup);
    painter.setFont(textFont(10, false));
    painter.setPen(colors.quietText);
    const QString time = kernel.geomeanUs > 0 ? toText(formatMicroseconds(kernel.geomeanUs)) : QString();
    const double timeWidth = time.isEmpty() ? 0 : QFontMetricsF(painter.font()).horizontalAdvance(time) + 8;
    const QString title = QFontMetricsF(painter.font()).elidedText(toText(kernel.title), Qt::ElideRight, lower.width() - timeWidth);
    painter.drawText(lower, Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.drawText(lower, Qt::AlignVCenter | Qt::AlignRight, time);
}

} // namespace gks
