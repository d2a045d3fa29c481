// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/portfolio.h"
#include "widgets/common/row_model.h"

#include <QAbstractTableModel>

namespace gks {

struct WriterRow {
    Brought brought;
    std::string model;
};

// What each writer has brought for what it cost.
class WritersModel final : public RowModel<QAbstractTableModel, WriterRow> {
    Q_OBJECT

public:
    enum Column {
        writerColumn,
        modelColumn,
        experimentsColumn,
        acceptedColumn,
        gainColumn,
        broughtColumn,
        timeColumn,
        costColumn,
        shareColumn,
        rateColumn,
        columnTotal
    };
    explicit WritersModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setPopulation(const Population& population); // no rows while no model has written
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
};

} // namespace gks
