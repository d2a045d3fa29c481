// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/diagnostic_marks.h"

#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/words.h"

#include <QHelpEvent>
#include <QImage>
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <optional>

namespace gks {
namespace {

constexpr int diagnosticMargin = 2; // 0 has the numbers, 1 the signs of comparisons
constexpr int diagnosticMarginWidth = 16;
constexpr int signSide = 12;
constexpr qsizetype tipCharacters = 160; // of one diagnostic: a tip has no wider lines

struct DiagnosticLook {
    DiagnosticKind kind;
    int marker;    // those below 10 are of the views
    int indicator; // 8 is the changed words of comparisons
};
constexpr std::array looks = {DiagnosticLook{DiagnosticKind::error, 12, 12},
                              DiagnosticLook{DiagnosticKind::warning, 11, 11},
                              DiagnosticLook{DiagnosticKind::note, 10, 10}};

const DiagnosticLook& lookOf(DiagnosticKind kind) {
    return *std::find_if(looks.begin(), looks.end(), [kind](const DiagnosticLook& one) { return one.kind == kind; });
}

QColor colorOf(DiagnosticKind kind, const Palette& palette) {
    return kind == DiagnosticKind::error     ? palette.wrong
           : kind == DiagnosticKind::warning ? palette.slower
                                             : palette.quietText;
}

// Told apart without colour: a disc with a bar, a triangle with a stroke, a hollow square.
QImage signOf(DiagnosticKind kind, const Palette& palette) {
    QImage image(signSide, signSide, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = colorOf(kind, palette);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (kind) {
    case DiagnosticKind::error:
        painter.drawEllipse(QRectF(0.5, 0.5, 11, 11));
        painter.fillRect(QRectF(3, 5, 6, 2), palette.surface);
        break;
    case DiagnosticKind::warning:
        painter.drawPolygon(QPolygonF({{6, 0.5}, {11.8, 11.3}, {0.2, 11.3}}));
        painter.fillRect(QRectF(5.25, 4, 1.5, 4), palette.surface);
        painter.fillRect(QRectF(5.25, 9, 1.5, 1.4), palette.surface);
        break;
    case DiagnosticKind::note:
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(2.5, 2.5, 7, 7));
        break;
    }
    return image;
}

} // namespace

QIcon diagnosticIcon(DiagnosticKind kind) {
    return {QPixmap::fromImage(signOf(kind, Theme::instance().palette()))};
}

DiagnosticMarks::DiagnosticMarks(QsciScintilla* editor) : m_editor(editor) {
    unsigned int mask = 0;
    for (const DiagnosticLook& look : looks) {
        mask |= 1U << static_cast<unsigned int>(look.marker);
        m_editor->indicatorDefine(QsciScintilla::SquiggleIndicator, look.indicator);
    }
    m_editor->setMarginType(diagnosticMargin, QsciScintilla::SymbolMargin);
    m_editor->setMarginMarkerMask(diagnosticMargin, static_cast<int>(mask));
    m_editor->setMarginWidth(diagnosticMargin, 0);
    m_editor->viewport()->installEventFilter(this);
    connect(&Theme::instance(), &Theme::changed, this, &DiagnosticMarks::applyTheme);
    applyTheme();
}

void DiagnosticMarks::applyTheme() {
    const Palette& palette = Theme::instance().palette();
    for (const DiagnosticLook& look : looks) {
        m_editor->markerDefine(signOf(look.kind, palette), look.marker);
        m_editor->setIndicatorForegroundColor(colorOf(look.kind, palette), look.indicator);
    }
}

void DiagnosticMarks::setMarginShown(bool shown) {
    m_editor->setMarginWidth(diagnosticMargin, shown ? diagnosticMarginWidth : 0);
}

void DiagnosticMarks::clear() {
    m_tips.clear();
    const long length = m_editor->SendScintilla(QsciScintillaBase::SCI_GETLENGTH);
    for (const DiagnosticLook& look : looks) {
        m_editor->markerDeleteAll(look.marker);
        m_editor->SendScintilla(QsciScintillaBase::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(look.indicator));
        m_editor->SendScintilla(QsciScintillaBase::SCI_INDICATORCLEARRANGE, 0UL, length);
    }
}

// Columns of a compiler and positions of the editor are both bytes of UTF-8. Under a word all of it is lit, else one
// character; without a column the line.
std::optional<DiagnosticMarks::Place> DiagnosticMarks::placeOf(const Diagnostic& diagnostic) const {
    if (!diagnostic.isOfKernel) {
        return std::nullopt;
    }
    const int row = m_rowOf ? m_rowOf(diagnostic.line) : diagnostic.line - 1;
    if (row < 0 || row >= m_editor->lines()) {
        return std::nullopt;
    }
    using Base = QsciScintillaBase;
    const auto line = static_cast<unsigned long>(row);
    const long begin = m_editor->SendScintilla(Base::SCI_POSITIONFROMLINE, line);
    const long end = m_editor->SendScintilla(Base::SCI_GETLINEENDPOSITION, line);
    Place place = {row, begin, end};
    if (diagnostic.column > 0) {
        place.begin = std::min(begin + diagnostic.column - 1, end);
        const long word =
            m_editor->SendScintilla(Base::SCI_WORDENDPOSITION, static_cast<unsigned long>(place.begin), 1L);
        place.end = std::clamp(word, place.begin, end);
        if (place.end == place.begin && place.end < end) {
            place.end = m_editor->SendScintilla(Base::SCI_POSITIONAFTER, static_cast<unsigned long>(place.begin));
        }
        if (place.end == place.begin && begin < end) { // behind the last character: what lacks there is shown at it
            place.begin = m_editor->SendScintilla(Base::SCI_POSITIONBEFORE, static_cast<unsigned long>(end));
        }
    }
    return place;
}

void DiagnosticMarks::show(const std::vector<Diagnostic>& diagnostics) {
    clear();
    std::map<int, std::pair<DiagnosticKind, QString>> rows; // the worst, and all words
    for (const Diagnostic& one : diagnostics) {
        const auto place = placeOf(one);
        if (!place) {
            continue;
        }
        const int indicator = lookOf(one.kind).indicator;
        m_editor->SendScintilla(QsciScintillaBase::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
        m_editor->SendScintilla(QsciScintillaBase::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(place->begin),
                                place->end - place->begin);
        const QString words = word(name(one.kind)) % QStringLiteral(": ") % toText(one.text).left(tipCharacters);
        const auto [row, isFirst] = rows.try_emplace(place->row, one.kind, words);
        if (!isFirst) {
            row->second.first = std::min(row->second.first, one.kind);
            row->second.second += QLatin1Char('\n') % words;
        }
    }
    for (const auto& [row, sign] : rows) {
        m_tips[m_editor->markerAdd(row, lookOf(sign.first).marker)] = sign.second;
    }
}

bool DiagnosticMarks::goTo(const Diagnostic& diagnostic) {
    const auto place = placeOf(diagnostic);
    if (!place) {
        return false;
    }
    m_editor->SendScintilla(QsciScintillaBase::SCI_GOTOPOS, static_cast<unsigned long>(place->begin));
    m_editor->ensureLineVisible(place->row);
    m_editor->ensureCursorVisible();
    m_editor->setFocus();
    return true;
}

// The editor's own lineAt() knows no line in a margin.
int DiagnosticMarks::rowAt(const QPoint& point) const {
    using Base = QsciScintillaBase;
    const long near = m_editor->SendScintilla(Base::SCI_POSITIONFROMPOINT,
                                              static_cast<unsigned long>(std::max(0, point.x())), long{point.y()});
    const long row = m_editor->SendScintilla(Base::SCI_LINEFROMPOSITION, static_cast<unsigned long>(near));
    const long top = m_editor->SendScintilla(Base::SCI_POINTYFROMPOSITION, 0UL, near);
    const long height = m_editor->SendScintilla(Base::SCI_TEXTHEIGHT, static_cast<unsigned long>(row));
    return point.y() >= top && point.y() < top + height ? static_cast<int>(row) : -1;
}

QString DiagnosticMarks::tipAt(const QPoint& point) const {
    using Base = QsciScintillaBase;
    int margins = 0;
    for (int margin = 0; margin <= diagnosticMargin; ++margin) {
        margins += m_editor->marginWidth(margin);
    }
    bool isOn = point.x() < margins;
    const long at = m_editor->SendScintilla(Base::SCI_POSITIONFROMPOINTCLOSE,
                                            static_cast<unsigned long>(std::max(0, point.x())), long{point.y()});
    for (const DiagnosticLook& look : looks) {
        isOn = isOn || (at >= 0 && m_editor->SendScintilla(Base::SCI_INDICATORVALUEAT,
                                                           static_cast<unsigned long>(look.indicator), at) != 0);
    }
    const int row = isOn ? rowAt(point) : -1;
    for (const auto& [handle, words] : m_tips) {
        if (row >= 0 && m_editor->markerLine(handle) == row) {
            return words;
        }
    }
    return {};
}

bool DiagnosticMarks::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip || watched != m_editor->viewport()) {
        return QObject::eventFilter(watched, event);
    }
    auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tipAt(help->pos());
    if (tip.isEmpty()) {
        QToolTip::hideText();
        return QObject::eventFilter(watched, event);
    }
    QToolTip::showText(help->globalPos(), tip, m_editor->viewport());
    return true;
}

} // namespace gks
