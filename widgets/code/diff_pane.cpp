// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/diff_view.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QKeyEvent>

namespace gks {
namespace {

constexpr int lineTint = 1; // marker numbers: 0 to 24 are free
constexpr int fillerTint = 2;
constexpr int signMarker = 3;
constexpr int wordIndicator = 8; // the first that is free for containers
constexpr int numberMargin = 0;
constexpr int signMargin = 1;

// A character as a marker is cut in half by the editor, so the sign is a picture.
QImage signImage(const QColor& color, bool plus) {
    constexpr int side = 9;
    constexpr int middle = side / 2;
    QImage image(side, side, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    for (int i = 1; i < side - 1; ++i) {
        image.setPixelColor(i, middle, color);
        if (plus) {
            image.setPixelColor(middle, i, color);
        }
    }
    return image;
}

} // namespace

DiffPane::DiffPane(Side side, QWidget* parent) : SourceEditor(parent), m_side(side) {
    setMarginType(numberMargin, QsciScintilla::TextMarginRightJustified);
    setMarginType(signMargin, QsciScintilla::SymbolMargin);
    setMarginMarkerMask(signMargin, 1 << signMarker);
    setMarginMarkerMask(numberMargin, 0);
    markerDefine(QsciScintilla::Background, lineTint);
    markerDefine(QsciScintilla::Background, fillerTint);
    indicatorDefine(QsciScintilla::StraightBoxIndicator, wordIndicator);
    setIndicatorDrawUnder(true, wordIndicator);
    SendScintilla(SCI_INDICSETOUTLINEALPHA, wordIndicator, 0L);
    DiffPane::applyTheme();
}

void DiffPane::applyTheme() {
    SourceEditor::applyTheme();
    const Palette& palette = Theme::instance().palette();
    const QColor tone = m_side == Side::left ? palette.wrong : palette.faster;
    setMarkerBackgroundColor(tinted(palette.surface, tone, 0.16), lineTint);
    setMarkerBackgroundColor(palette.panel, fillerTint);
    markerDefine(signImage(tone, m_side == DiffPane::Side::right), signMarker);
    // 34 % of the tone over the line's own tint.
    QColor word = tone;
    word.setAlphaF(0.34F);
    setIndicatorForegroundColor(word, wordIndicator);
    SendScintilla(SCI_INDICSETALPHA, wordIndicator, 87L);
    setCaretLineVisible(false);
    if (!m_diff.rows.empty()) {
        setRows(SideBySide(m_diff)); // the margin's texts carry their colours
    }
}

void DiffPane::setRows(const SideBySide& diff) {
    const int top = firstVisibleLine();
    m_diff = diff;
    const bool left = m_side == Side::left;
    const std::vector<std::string>& lines = left ? diff.left : diff.right;
    std::string text;
    for (std::size_t row = 0; row < diff.rows.size(); ++row) {
        const auto line = left ? diff.rows[row].leftLine : diff.rows[row].rightLine;
        text += line ? lines[static_cast<std::size_t>(*line)] : std::string();
        text += row + 1 < diff.rows.size() ? "\n" : "";
    }
    markerDeleteAll();
    clearMarginText();
    setText(QString::fromStdString(text));
    const Palette& palette = Theme::instance().palette();
    const QsciStyle numbers(-1, QStringLiteral("numbers"), palette.quietText, palette.surface, font());
    numbers.apply(this); // once: setMarginText would for every row
    for (std::size_t row = 0; row < diff.rows.size(); ++row) {
        const auto line = left ? diff.rows[row].leftLine : diff.rows[row].rightLine;
        setMarginText(static_cast<int>(row), line ? QString::number(*line + 1) + QLatin1Char(' ') : QString(),
                      numbers.style());
        mark(static_cast<int>(row), diff.rows[row]);
    }
    setMarginWidth(numberMargin,
                   QStringLiteral(" %1 ").arg(qMax<qsizetype>(999, static_cast<qsizetype>(lines.size()))));
    setMarginWidth(signMargin, 14);
    setFirstVisibleLine(top);
}

void DiffPane::mark(int row, const DiffRow& diffRow) {
    const bool left = m_side == Side::left;
    if (!(left ? diffRow.leftLine : diffRow.rightLine)) {
        markerAdd(row, fillerTint);
        return;
    }
    if (diffRow.kind == RowKind::equal) {
        return;
    }
    markerAdd(row, lineTint);
    markerAdd(row, signMarker);
    const long lineStart = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(row));
    SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(wordIndicator));
    for (const ByteSpan& word : left ? diffRow.leftWords : diffRow.rightWords) {
        SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(lineStart + word.begin),
                      static_cast<long>(word.end - word.begin));
    }
}

QString DiffPane::sourceText(bool selectedOnly) const {
    int from = 0;
    int to = static_cast<int>(m_diff.rows.size()) - 1;
    if (selectedOnly && hasSelectedText()) {
        int fromIndex = 0;
        int toIndex = 0;
        getSelection(&from, &fromIndex, &to, &toIndex);
        if (from == to) {
            return selectedText();
        }
    }
    const bool left = m_side == Side::left;
    QString text;
    for (int row = from; row <= to; ++row) {
        const DiffRow& diffRow = m_diff.rows[static_cast<std::size_t>(row)];
        if (const auto line = left ? diffRow.leftLine : diffRow.rightLine) {
            text += QString::fromStdString((left ? m_diff.left : m_diff.right)[static_cast<std::size_t>(*line)]) +
                    QLatin1Char('\n');
        }
    }
    return text;
}

void DiffPane::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(sourceText(true));
        return;
    }
    SourceEditor::keyPressEvent(event);
}

} // namespace gks
