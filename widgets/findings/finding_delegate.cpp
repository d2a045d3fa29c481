// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/finding_delegate.h"

#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/findings/finding_model.h"

#include <QPainter>
#include <QPainterPath>

namespace gks {

namespace {

constexpr int markSize = 10;

QColor colorOf(FindingState state, const Palette& palette) {
    return state == FindingState::standing       ? palette.accent
           : state == FindingState::contradicted ? palette.slower
                                                 : palette.quietText;
}

void paintState(QPainter& painter, const QRectF& rect, const Finding& finding, const Palette& palette) {
    const FindingState state = finding.state;
    const QColor color = colorOf(state, palette);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5));
    if (state == FindingState::dismissed) {
        painter.drawEllipse(rect.adjusted(1, 1, -1, -1));
        painter.drawLine(rect.bottomLeft(), rect.topRight());
    } else {
        QPainterPath path;
        if (finding.probe) {
            path.addRect(rect);
        } else if (state == FindingState::standing) {
            path.addEllipse(rect);
        } else {
            path.addPolygon(QPolygonF({rect.topLeft(), rect.topRight(), {rect.center().x(), rect.bottom()}}));
            path.closeSubpath();
        }
        painter.fillPath(path, color);
    }
    painter.restore();
}

} // namespace

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {200, 3 * option.fontMetrics.height() + 2 * spacing1 + 4};
}

void FindingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Finding* finding = static_cast<const FindingFilter*>(index.model())->at(index.row());
    const Palette& palette = Theme::instance().palette();
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const bool off = finding->state == FindingState::dismissed;
    painter->save();
    painter->fillRect(option.rect, selected ? tinted(palette.surface, palette.accent, 0.28) : palette.surface);
    painter->setPen(palette.line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    const QFontMetrics metrics = option.fontMetrics;
    QRect line = option.rect.adjusted(spacing3, spacing1, -spacing3, 0);
    line.setHeight(metrics.height());
    paintState(*painter, QRectF(line.left(), line.top() + (line.height() - markSize) / 2.0, markSize, markSize),
               *finding, palette);
    line.setLeft(line.left() + markSize + spacing2);

    QString right = gainText(*finding);
    if (finding->state != FindingState::standing) {
        right = right.isEmpty() ? findingStateText(finding->state)
                                : QString(findingStateText(finding->state) % QStringLiteral("   ") % right);
    }
    painter->setFont(option.font);
    painter->setPen(off ? palette.quietText : colorOf(finding->state, palette));
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
    QFont strong = option.font;
    strong.setWeight(QFont::DemiBold);
    strong.setStrikeOut(off);
    painter->setFont(strong);
    painter->setPen(off ? palette.quietText : palette.text);
    const bool persons = finding->editedByPerson || finding->author == Author::person;
    painter->drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(strong).elidedText((persons ? QStringLiteral("\u270e ") : QString()) + toText(finding->subject),
                                        Qt::ElideRight, line.width() - metrics.horizontalAdvance(right) - spacing3));
    painter->setFont(option.font);
    painter->setPen(off ? palette.quietText : palette.text);
    const QRect text(line.left(), line.bottom() + 2, line.width(), 2 * metrics.height() + 2);
    painter->setClipRect(text);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, toText(finding->text).simplified());
    painter->restore();
}

} // namespace gks
