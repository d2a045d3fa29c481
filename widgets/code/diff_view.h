// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/side_by_side.h"
#include "widgets/code/source_editor.h"
#include "widgets/common/latest_work.h"

#include <QWidget>
#include <array>

namespace gks {

// One side of a comparison: the lines of one source with filler where only the other side has lines, and the real line
// numbers in the margin. Added and removed lines carry + and - beside their tint.
class DiffPane final : public SourceEditor {
    Q_OBJECT

public:
    enum class Side { left, right };
    explicit DiffPane(Side side, QWidget* parent = nullptr);

    void setRows(const SideBySide& diff);
    // The source without filler, of the selected rows or of all.
    QString sourceText(bool selectedOnly) const;

protected:
    void applyTheme() override;
    void keyPressEvent(QKeyEvent* event) override; // copying leaves the filler out

private:
    void mark(int row, const DiffRow& diffRow);

    Side m_side;
    SideBySide m_diff;
};

// Where the changes are, over the whole height; a click goes there.
class DiffOverview final : public QWidget {
    Q_OBJECT

public:
    explicit DiffOverview(QWidget* parent = nullptr);
    void setDiff(const SideBySide& diff);
    void setVisibleRows(int first, int last);

Q_SIGNALS:
    void rowRequested(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    int rowAt(double y) const;

    std::vector<RowKind> m_rows;
    int m_first = 0;
    int m_last = 0;
};

// Two panes that scroll together, with the overview between the right one and the edge. What differs is computed beside
// the window; until then the panes show what they showed.
class DiffView final : public QWidget {
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);

    void setSources(const std::string& left, const std::string& right);
    void setIgnoreWhitespace(bool ignore);
    bool isBusy() const { return m_work.isBusy(); }
    const SideBySide& diff() const { return m_diff; }
    const std::string& source(DiffPane::Side side) const { return m_sources[side == DiffPane::Side::left ? 0 : 1]; }
    int currentChange() const { return m_change; } // -1: none yet
    DiffPane& pane(DiffPane::Side side) { return side == DiffPane::Side::left ? *m_left : *m_right; }

    // Lines of the right source count from 1, rows from 0; -1 and 0: there is none.
    int rightRowOf(int line) const;
    int rightLineOf(int row) const;

    void nextChange();
    void previousChange();
    void goToRow(int row);

Q_SIGNALS:
    void diffChanged(); // it is the difference of what was set last
    void currentChangeChanged();

private:
    void recompute(bool goToFirst);
    void showDiff(const SideBySide& diff, bool goToFirst);
    void follow(const DiffPane& from, DiffPane& to);
    void updateVisible();
    void goToChange(int change);

    DiffPane* m_left;
    DiffPane* m_right;
    DiffOverview* m_overview;
    std::array<std::string, 2> m_sources;
    SideBySide m_diff;
    DiffOptions m_options;
    int m_change = -1;
    struct Place { // of both panes
        int firstLine = 0;
        long xOffset = 0;
        bool operator==(const Place&) const = default;
    };
    Place m_place;
    LatestWork<SideBySide> m_work;
};

} // namespace gks
