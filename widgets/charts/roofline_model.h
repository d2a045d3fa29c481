// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/bottleneck.h"
#include "widgets/common/row_model.h"

#include <QAbstractTableModel>

namespace gks {

// In the language of the window; in English as core has it.
QString limitOf(const RooflinePoint& point); // "bound by bytes, 1.24x of the floor"
QString peaksOf(const RooflineTable& table); // what is taken as peaks, and from where; or why there are none

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
