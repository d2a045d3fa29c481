// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/diff_view.h"

#include "widgets/common/theme.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSplitter>
#include <algorithm>

namespace gks {

DiffOverview::DiffOverview(QWidget* parent) : QWidget(parent) {
    setFixedWidth(14);
    setObjectName(QStringLiteral("diffOverview"));
    setAccessibleName(tr("Change overview"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DiffOverview::setDiff(const SideBySide& diff) {
    m_rows.clear();
    for (const DiffRow& row : diff.rows) {
        m_rows.push_back(row.kind);
    }
    update();
}

void DiffOverview::setVisibleRows(int first, int last) {
    m_first = first;
    m_last = last;
    update();
}

int DiffOverview::rowAt(double y) const {
    return std::clamp(static_cast<int>(y / qMax(1, height()) * static_cast<double>(m_rows.size())), 0,
                      qMax(0, static_cast<int>(m_rows.size()) - 1));
}

void DiffOverview::paintEvent(QPaintEvent*) {
    const Palette& palette = Theme::instance().palette();
    QPainter painter(this);
    painter.fillRect(rect(), palette.panel);
    if (m_rows.empty()) {
        return;
    }
    const double scale = height() / static_cast<double>(m_rows.size());
    painter.fillRect(QRectF(0, m_first * scale, width(), qMax(4.0, (m_last - m_first + 1) * scale)),
                     tinted(palette.panel, palette.text, 0.14));
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const double y = static_cast<double>(row) * scale;
        const double half = width() / 2.0;
        const double h = qMax(2.0, scale);
        if (m_rows[row] == RowKind::removed || m_rows[row] == RowKind::changed) {
            painter.fillRect(QRectF(2, y, half - 2, h), palette.wrong);
        }
        if (m_rows[row] == RowKind::added || m_rows[row] == RowKind::changed) {
            painter.fillRect(QRectF(half, y, half - 2, h), palette.faster);
        }
    }
}

void DiffOverview::mousePressEvent(QMouseEvent* event) {
    Q_EMIT rowRequested(rowAt(event->position().y()));
}

void DiffOverview::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) {
        Q_EMIT rowRequested(rowAt(event->position().y()));
    }
}

DiffView::DiffView(QWidget* parent)
    : QWidget(parent)
    , m_left(new DiffPane(DiffPane::Side::left, this))
    , m_right(new DiffPane(DiffPane::Side::right, this))
    , m_overview(new DiffOverview(this)) {
    m_left->setObjectName(QStringLiteral("diffLeft"));
    m_left->setAccessibleName(tr("Source of the left kernel"));
    m_right->setObjectName(QStringLiteral("diffRight"));
    m_right->setAccessibleName(tr("Source of the right kernel (selected)"));
    auto* panes = new QSplitter(Qt::Horizontal, this);
    panes->setObjectName(QStringLiteral("diffPanes"));
    panes->addWidget(m_left);
    panes->addWidget(m_right);
    panes->setChildrenCollapsible(false);
    panes->setSizes({1000, 1000});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(panes, 1);
    layout->addWidget(m_overview);
    m_left->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    const auto synchronise = [this](DiffPane* from, DiffPane* to) {
        // Scrolling by caret or by program does not move the scroll bar's signal; SCN_UPDATEUI covers both.
        connect(from, &QsciScintillaBase::SCN_UPDATEUI, this, [this, from, to](int what) {
            if ((what & (QsciScintillaBase::SC_UPDATE_V_SCROLL | QsciScintillaBase::SC_UPDATE_H_SCROLL)) != 0) {
                follow(*from, *to);
            }
        });
        connect(from->verticalScrollBar(), &QScrollBar::valueChanged, this, [this, from, to] { follow(*from, *to); });
        connect(from->horizontalScrollBar(), &QScrollBar::valueChanged, this, [this, from, to] { follow(*from, *to); });
    };
    synchronise(m_left, m_right);
    synchronise(m_right, m_left);
    connect(m_overview, &DiffOverview::rowRequested, this, &DiffView::goToRow);
}

void DiffView::setSources(const std::string& left, const std::string& right) {
    if (m_sources[0] == left && m_sources[1] == right) {
        return;
    }
    m_sources = {left, right};
    recompute(true);
}

void DiffView::setIgnoreWhitespace(bool ignore) {
    m_options.ignoreWhitespace = ignore;
    recompute(false);
}

void DiffView::recompute(bool goToFirst) {
    m_work.start([sources = m_sources, options = m_options](
                     const std::stop_token&) { return compareSources(sources[0], sources[1], options); },
                 [this, goToFirst](const SideBySide& diff) { showDiff(diff, goToFirst); });
}

void DiffView::showDiff(const SideBySide& diff, bool goToFirst) {
    m_diff = diff;
    m_left->setRows(m_diff);
    m_right->setRows(m_diff);
    m_overview->setDiff(m_diff);
    m_change = -1;
    updateVisible();
    Q_EMIT diffChanged();
    if (goToFirst) {
        goToRow(m_diff.changes.empty() ? 0 : m_diff.changes.front().firstRow);
        Q_EMIT currentChangeChanged();
    }
}

// Scintilla tells of a scroll late, when it paints: news of a place that both panes have already left must not pull
// them back.
void DiffView::follow(const DiffPane& from, DiffPane& to) {
    const Place now = {from.firstVisibleLine(), from.SendScintilla(QsciScintillaBase::SCI_GETXOFFSET)};
    if (now == m_place) {
        return;
    }
    m_place = now;
    to.setFirstVisibleLine(now.firstLine);
    to.SendScintilla(QsciScintillaBase::SCI_SETXOFFSET, static_cast<unsigned long>(now.xOffset));
    updateVisible();
}

void DiffView::updateVisible() {
    const int first = m_right->firstVisibleLine();
    const auto onScreen = static_cast<int>(m_right->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
    m_overview->setVisibleRows(first, first + onScreen - 1);
}

int DiffView::rightRowOf(int line) const {
    const auto found = std::find_if(m_diff.rows.begin(), m_diff.rows.end(),
                                    [line](const DiffRow& row) { return row.rightLine == line - 1; });
    return found == m_diff.rows.end() ? -1 : static_cast<int>(found - m_diff.rows.begin());
}

int DiffView::rightLineOf(int row) const {
    const bool isThere = row >= 0 && row < static_cast<int>(m_diff.rows.size());
    return isThere ? m_diff.rows[static_cast<std::size_t>(row)].rightLine.value_or(-1) + 1 : 0;
}

void DiffView::goToRow(int row) {
    const auto onScreen = static_cast<int>(m_right->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
    const int top = qMax(0, row - onScreen / 3);
    m_place.firstLine = top;
    m_right->setFirstVisibleLine(top);
    m_left->setFirstVisibleLine(top);
    m_place.firstLine = m_right->firstVisibleLine(); // the end of the text stops it
    updateVisible();
}

void DiffView::goToChange(int change) {
    if (change < 0 || change >= static_cast<int>(m_diff.changes.size())) {
        return;
    }
    m_change = change;
    goToRow(m_diff.changes[static_cast<std::size_t>(change)].firstRow);
    Q_EMIT currentChangeChanged();
}

void DiffView::nextChange() {
    goToChange(m_change + 1);
}

void DiffView::previousChange() {
    goToChange(qMax(0, m_change - 1));
}

} // namespace gks
