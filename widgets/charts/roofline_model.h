// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/bottleneck.h"
#include "widgets/common/row_model.h"

#include <QAbstractTableModel>

namespace gks {

// One row for each shape: how far the selected kernel is from the floor, and what binds it.
class RooflineModel final : public RowModel<QAbstractTableModel, RooflineRow> {
    Q_OBJECT

public:
    enum Column { shapeColumn, floorColumn, timeColumn, shareColumn, boundColumn, countersColumn, columnTotal };
    explicit RooflineModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setTable(const RooflineTable& table);
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
};

} // namespace gks
