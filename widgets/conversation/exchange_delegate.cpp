// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/exchange_delegate.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"
#include "widgets/common/words.h"
#include "widgets/conversation/exchange_model.h"

#include <QPainter>

namespace gks {

namespace {

// Left text gives way to the right one.
void drawLine(QPainter& painter, const QRect& line, const QString& left, const QString& right) {
    const QFontMetrics metrics = painter.fontMetrics();
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
    const int room = line.width() - metrics.horizontalAdvance(right) - spacing2;
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(left, Qt::ElideRight, room));
}

} // namespace

QSize ExchangeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {180, 2 * option.fontMetrics.height() + 2 * spacing1 + 2};
}

void ExchangeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Exchange* exchange = static_cast<const ExchangeFilter*>(index.model())->at(index.row());
    const Palette& palette = Theme::instance().palette();
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    painter->save();
    painter->fillRect(option.rect, selected ? tinted(palette.surface, palette.accent, 0.28) : palette.surface);
    painter->setPen(palette.line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    const int height = option.fontMetrics.height();
    QRect line = option.rect.adjusted(spacing2, spacing1, -spacing2, 0);
    line.setHeight(height);
    painter->setFont(option.font);
    const bool failed = !exchange->error.empty();
    if (failed) {
        paintMark(*painter, QRectF(line.left(), line.top() + (height - 8) / 2.0, 8, 8), VerdictMark::wrong,
                  palette.wrong);
    }
    const QRect first = line.adjusted(failed ? 14 : 0, 0, 0, 0);
    painter->setPen(failed ? palette.wrong : palette.text);
    QString title = stageText(exchange->stage);
    if (exchange->kernel) {
        title += QStringLiteral("  ") % idText(*exchange->kernel);
    }
    drawLine(*painter, first, title, costText(*exchange));
    painter->setPen(palette.quietText);
    drawLine(*painter, line.translated(0, height + 1), toText(exchange->model),
             toText(formatSeconds(exchange->seconds)));
    painter->restore();
}

} // namespace gks
