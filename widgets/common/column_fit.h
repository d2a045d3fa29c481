// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <vector>

class QTableView;

namespace gks {

// Widths of one table's columns, as the text of each asks for.
struct ColumnNeed {
    int cells = 0;       // the widest cell: numbers, which are never cut
    int header = 0;      // what its name needs; cut before numbers are
    bool isText = false; // may be cut, and takes what is left over
};
// Within `room` where that is possible. What gives way, in this order: long texts down to `comfortable`, names of
// columns down to their cells, texts down to `least`. The last text has what is left over.
std::vector<int> fittedWidths(const std::vector<ColumnNeed>& needs, int room, int comfortable, int least);

// Keeps the columns of a table within its view: at its size, and when its model changes.
class ColumnFit final : public QObject {
    Q_OBJECT

public:
    ColumnFit(QTableView* table, std::vector<int> textColumns);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QTableView* m_table;
    std::vector<int> m_textColumns;
    QTimer m_later; // many rows change at a time
};

} // namespace gks
