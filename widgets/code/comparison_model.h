// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/comparison_table.h"

#include <QAbstractTableModel>
#include <vector>

namespace gks {

// A comparison table with a heading before each group. The first column names the rows, as their heads do, every other
// one is a kernel.
class ComparisonModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit ComparisonModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setTable(const ComparisonTable& table);
    const ComparisonTable& table() const { return m_table; }
    KernelId kernelAt(int column) const; // 0: the column has none
    bool isHeading(int row) const;
    bool isPlan(int row) const;
    bool isTime(int row) const; // of two lines: the time, and the ratio

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        ComparedGroup group = ComparedGroup::time;
        const ComparedRow* row = nullptr; // null: the heading
    };
    const ComparedCell* cellAt(const Row& row, int column) const;
    QString cellText(const Row& row, int column) const;
    QString cellTip(const Row& row, int column) const;
    QVariant rowHead(int row, int role) const;
    QVariant cellColor(const Row& row, int column) const;

    ComparisonTable m_table;
    std::vector<Row> m_rows;
};

} // namespace gks
