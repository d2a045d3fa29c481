// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <QStringList>

namespace gks {

// A tree or table as text, one row a line, children indented: compared as a whole, so that nothing that appears goes
// unnoticed.
inline QString printedModel(const QAbstractItemModel& model, const QList<int>& columns, const QModelIndex& parent = {},
                            int depth = 0) {
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (const int column : columns) {
            cells.append(model.index(row, column, parent).data().toString());
        }
        text += QString(2 * depth, QLatin1Char(' ')) + cells.join(QStringLiteral(" | ")).trimmed() + QLatin1Char('\n');
        text += printedModel(model, columns, model.index(row, 0, parent), depth + 1);
    }
    return text;
}

} // namespace gks
