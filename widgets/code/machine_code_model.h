// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/machine_code.h"

#include <QAbstractTableModel>
#include <QColor>
#include <memory>
#include <vector>

namespace gks {

struct Palette;

// In the theme's colours; none for arithmetic, which is most of a kernel.
QColor colorOf(InstructionCost cost, const Palette& palette);

// Rich text, "matrix 32 -> 64" in the colour of its rows; `before` may be null.
QString costsText(const MachineCode& now, const MachineCode* before);

// One row for each instruction, and one for the name of each function. Those of one line of the source are lit.
class MachineCodeModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { lineColumn, offsetColumn, costColumn, instructionColumn, columnTotal };
    explicit MachineCodeModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setCode(std::shared_ptr<const MachineCode> code); // null: none
    void setLitLine(int line);                             // of the source, 0: none
    int lineAt(int row) const;                             // of the source; 0: none
    int firstRowOf(int line) const;                        // -1: it became no instruction
    int rowsOf(int line) const;
    QString textOf(const std::vector<int>& rows) const; // to be copied

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        const MachineFunction* function = nullptr;
        const MachineInstruction* instruction = nullptr; // null: the function's name
    };
    const Row* at(int row) const;
    QString cell(const Row& row, int column) const;

    std::shared_ptr<const MachineCode> m_code;
    std::vector<Row> m_rows;
    int m_lit = 0;
};

} // namespace gks
