// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/elided_label.h"

#include "widgets/common/message_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>
#include <algorithm>

namespace gks {

namespace {

constexpr int narrowestText = 6; // characters

QString inOneLine(QString text) {
    return text.replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::shownText() const {
    return fontMetrics().elidedText(inOneLine(text()), Qt::ElideRight, contentsRect().width());
}

QSize ElidedLabel::minimumSizeHint() const {
    const QSize whole = QLabel::minimumSizeHint();
    return {std::min(whole.width(), fontMetrics().averageCharWidth() * narrowestText), whole.height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, palette(),
                          isEnabled(), shownText(), foregroundRole());
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && shownText() != inOneLine(text())) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), foldedForTip(text()), this);
        return true;
    }
    return QLabel::event(event);
}

} // namespace gks
