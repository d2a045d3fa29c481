// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/outline_delegate.h"

#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/lineage/outline.h"
#include "widgets/common/fitting_text.h"
#include "widgets/common/palette.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"
#include "widgets/lineage/outline_model.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace gks {

namespace {

constexpr int outlineIndent = 12;
constexpr int deepestIndent = 7; // what lies deeper stands below that, so that titles keep their room
constexpr int outlineMarkSide = 11;
constexpr int roomForInterval = 430;
constexpr int roomForTime = 330;

} // namespace

int OutlineDelegate::markLeft(const OutlineRow& row) {
    return 6 + std::min(row.depth, deepestIndent) * outlineIndent;
}

QSize OutlineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {100, option.fontMetrics.height() + 7};
}

void OutlineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto& model = static_cast<const OutlineModel&>(*index.model());
    const OutlineRow* row = model.at(index.row());
    if (row == nullptr) {
        return;
    }
    const Palette& colors = Theme::instance().palette();
    painter->save();
    painter->setFont(option.font);
    const Kernel* kernel = row->members > 0 ? nullptr : model.kernel(row->kernel);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, tinted(colors.panel, colors.accent, 0.28));
    } else if (kernel != nullptr && model.isHit(kernel->id)) {
        painter->fillRect(option.rect, tinted(colors.panel, colors.slower, 0.22));
    }
    if (kernel != nullptr && m_second == kernel->id) {
        painter->setPen(QPen(colors.accent, 1, Qt::DotLine));
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    paintLine(*painter, option.rect, *row, colors);
    const QRect rest = option.rect.adjusted(markLeft(*row) + foldWidth + 2, 0, -6, 0);
    if (kernel != nullptr) {
        paintKernel(*painter, rest, *row, *kernel, *model.population(), colors);
    } else {
        paintCluster(*painter, rest, *row, model.clusterTexts(*row), colors);
    }
    painter->restore();
}

// The spine, a side line that goes on, and the triangle of what can be folded.
void OutlineDelegate::paintLine(QPainter& painter, const QRect& rect, const OutlineRow& row,
                                const Palette& colors) const {
    const int left = rect.left() + markLeft(row);
    if (row.depth > 0 || row.onBestPath) {
        painter.fillRect(QRect(rect.left() + 1, rect.top(), 3, rect.height()),
                         row.onBestPath ? colors.faster : tinted(colors.panel, colors.faster, 0.25));
    }
    if (row.continues && !row.onBestPath) {
        painter.setPen(colors.quietText);
        painter.drawLine(left + foldWidth / 2, rect.top(), left + foldWidth / 2, rect.top() + 5);
    }
    if (row.below == 0) {
        return;
    }
    const QPointF middle(left + foldWidth / 2.0, rect.center().y() + 0.5);
    QPainterPath mark;
    if (row.folded) {
        mark.addPolygon(QPolygonF({middle + QPointF(-2, -4), middle + QPointF(3, 0), middle + QPointF(-2, 4)}));
    } else {
        mark.addPolygon(QPolygonF({middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3)}));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(mark, colors.quietText);
}

// With what is hidden deeper than the variants themselves at the right.
void OutlineDelegate::paintCluster(QPainter& painter, QRect rect, const OutlineRow& row, const QStringList& texts,
                                   const Palette& colors) const {
    if (const int deeper = row.below - row.members; row.folded && deeper > 0) {
        const QString more = QStringLiteral("+%1").arg(deeper);
        painter.setPen(colors.accent);
        painter.drawText(rect, Qt::AlignVCenter | Qt::AlignRight, more);
        rect.setRight(rect.right() - painter.fontMetrics().horizontalAdvance(more) - 8);
    }
    painter.setPen(colors.quietText);
    painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, firstThatFits(texts, painter.fontMetrics(), rect.width()));
}

void OutlineDelegate::paintKernel(QPainter& painter, QRect rect, const OutlineRow& row, const Kernel& kernel,
                                  const Population& population, const Palette& colors) const {
    const bool isBest = population.best == kernel.id;
    const VerdictMark mark = markOf(kernel);
    const bool dim = isDim(kernel);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMark(painter,
              QRectF(rect.left(), rect.center().y() - outlineMarkSide / 2.0 + 0.5, outlineMarkSide, outlineMarkSide),
              mark, dim ? tinted(colors.panel, colorOf(mark, colors), 0.75) : colorOf(mark, colors));
    rect.setLeft(rect.left() + outlineMarkSide + 5);
    QFont font = painter.font();
    const QFont plain = font;
    font.setWeight(row.onBestPath ? QFont::DemiBold : QFont::Normal);
    font.setStrikeOut(kernel.banned);
    painter.setFont(font);
    painter.setPen(dim ? colors.quietText : colors.text);
    const auto takeRight = [&](const QString& text) {
        painter.drawText(rect, Qt::AlignVCenter | Qt::AlignRight, text);
        rect.setRight(rect.right() - painter.fontMetrics().horizontalAdvance(text) - 8);
    };
    const QString id = idText(kernel.id);
    painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, id);
    rect.setLeft(rect.left() + painter.fontMetrics().horizontalAdvance(id) + 6);
    const int room = rect.width();
    font.setStrikeOut(false);
    painter.setFont(font);
    if (row.folded) {
        painter.setPen(colors.accent);
        takeRight(QStringLiteral("+%1").arg(row.below));
    }
    painter.setPen(isBest ? colors.faster : dim ? colors.quietText : colors.text);
    if (isMeasured(kernel)) {
        takeRight(room >= roomForInterval ? scaledSpeedOf(population, kernel) : speedupText(population, kernel));
    } else {
        takeRight(kernel.verdict == VerdictKind::cheatingSuspected ? tr("suspected") : kernelStateText(kernel));
    }
    painter.setFont(plain);
    painter.setPen(colors.quietText);
    if (room >= roomForTime && kernel.geomeanUs > 0) {
        takeRight(toText(formatMicroseconds(kernel.geomeanUs)));
    }
    painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(toText(kernel.title), Qt::ElideRight, rect.width()));
}

} // namespace gks
