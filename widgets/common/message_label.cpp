// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/message_label.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QStringList>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>

namespace gks {

namespace {

constexpr int usualLineLimit = 8;
constexpr int longestLine = 400;  // characters; more do not fit on a screen
constexpr int readableWidth = 60; // characters: what a message asks for
constexpr int narrowWidth = 8;    // characters: what it needs at least
constexpr int neededLines = 3;    // the rest is in view where there is room
constexpr qsizetype tipWidth = 100;
constexpr qsizetype tipLines = 40;

} // namespace

MessageLabel::MessageLabel(QWidget* parent) : MessageLabel(QString(), parent) {}

MessageLabel::MessageLabel(const QString& text, QWidget* parent) : QLabel(parent), m_lineLimit(usualLineLimit) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true); // so that layouts ask for the height of a width
    setText(text);
    auto* copy = new QAction(tr("&Copy message"), this);
    connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(this->text()); });
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void MessageLabel::setLineLimit(int lines) {
    m_lineLimit = lines;
    updateGeometry();
}

QString MessageLabel::beginning() const {
    QString shown = text().left(qsizetype(m_lineLimit) * longestLine);
    return shown.replace(QLatin1Char('\n'), QChar::LineSeparator);
}

// Lays the lines out below each other; `width` without margins.
MessageLabel::Fitted MessageLabel::fit(QTextLayout& layout, int width) const {
    QTextOption option(QStyle::visualAlignment(layoutDirection(), alignment() & Qt::AlignHorizontal_Mask));
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.setFont(font());
    Fitted fitted;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        if (fitted.lines == m_lineLimit) {
            fitted.cut = layout.lineAt(m_lineLimit - 1).textStart();
            break;
        }
        line.setLineWidth(std::max(1, width));
        line.setPosition(QPointF(0, fitted.lines * fontMetrics().lineSpacing()));
        fitted.width = std::max(fitted.width, static_cast<int>(line.naturalTextWidth()) + 1);
        ++fitted.lines;
    }
    layout.endLayout();
    return fitted;
}

bool MessageLabel::isCut() const {
    QTextLayout layout(beginning());
    return fit(layout, contentsRect().width()).cut >= 0;
}

int MessageLabel::marginWidth() const {
    return width() - contentsRect().width();
}

int MessageLabel::heightOf(int lines) const {
    return lines * fontMetrics().lineSpacing() + height() - contentsRect().height();
}

int MessageLabel::heightForWidth(int width) const {
    QTextLayout layout(beginning());
    return heightOf(fit(layout, width - marginWidth()).lines);
}

QSize MessageLabel::sizeHint() const {
    QTextLayout layout(beginning());
    const Fitted fitted = fit(layout, fontMetrics().averageCharWidth() * readableWidth);
    return {fitted.width + marginWidth(), heightOf(fitted.lines)};
}

// In its present width: what is below would be squeezed otherwise, as layouts ask for a height of a width only where
// there is room.
QSize MessageLabel::minimumSizeHint() const {
    const int narrow = fontMetrics().averageCharWidth() * narrowWidth;
    const int height = text().isEmpty() ? 0 : std::min(heightForWidth(width()), heightOf(neededLines));
    return {std::min(narrow, sizeHint().width()), height};
}

void MessageLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        updateGeometry();
    }
}

void MessageLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    const QRect room = contentsRect();
    QTextLayout layout(beginning());
    const Fitted fitted = fit(layout, room.width());
    const int height = fitted.lines * fontMetrics().lineSpacing();
    const int above = (alignment() & Qt::AlignTop) != 0 ? 0 : std::max(0, (room.height() - height) / 2);
    const QPoint origin = room.topLeft() + QPoint(0, above);
    for (int i = 0; i < fitted.lines; ++i) {
        if (fitted.cut < 0 || i + 1 < fitted.lines) {
            layout.lineAt(i).draw(&painter, origin);
            continue;
        }
        QString rest = layout.text().mid(fitted.cut);
        rest.replace(QChar::LineSeparator, QLatin1Char(' '));
        const QRect last(origin.x(), origin.y() + i * fontMetrics().lineSpacing(), room.width(),
                         fontMetrics().lineSpacing());
        painter.drawText(last, static_cast<int>(alignment() & Qt::AlignHorizontal_Mask) | Qt::TextSingleLine,
                         fontMetrics().elidedText(rest, Qt::ElideRight, room.width()));
    }
}

bool MessageLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && isCut()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), foldedForTip(text()), this);
        return true;
    }
    return QLabel::event(event);
}

QString foldedForTip(const QString& text) {
    QStringList lines;
    for (qsizetype at = 0; at < text.size() && lines.size() < tipLines;) {
        const qsizetype newLine = text.indexOf(QLatin1Char('\n'), at);
        const qsizetype end = newLine < 0 ? text.size() : newLine;
        qsizetype length = end - at;
        if (length > tipWidth) {
            const qsizetype space = text.lastIndexOf(QLatin1Char(' '), at + tipWidth);
            length = space > at ? space - at : tipWidth;
        }
        lines.append(text.mid(at, length));
        at += length;
        at += at < text.size() && (text[at] == QLatin1Char('\n') || text[at] == QLatin1Char(' ')) ? 1 : 0;
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gks
