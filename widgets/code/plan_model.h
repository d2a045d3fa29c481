// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/plan_table.h"
#include "widgets/common/row_model.h"

#include <QAbstractTableModel>

namespace gks {

// The operations of a launch plan, each with how it differs from the parent's.
class PlanModel final : public RowModel<QAbstractTableModel, PlanTableRow> {
    Q_OBJECT

public:
    enum Column {
        markColumn,
        operationColumn,
        whatColumn,
        gridColumn,
        blockColumn,
        ldsColumn,
        streamColumn,
        argumentsColumn,
        columnTotal
    };
    explicit PlanModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setPlan(std::vector<PlanTableRow> rows);
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
};

} // namespace gks
