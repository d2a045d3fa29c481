// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/calibration.h"
#include "widgets/common/row_model.h"

#include <QAbstractTableModel>

namespace gks {

// How the predictions of each model came out, for each stage that it worked for.
class CalibrationModel final : public RowModel<QAbstractTableModel, CalibrationRow> {
    Q_OBJECT

public:
    enum Column {
        stageColumn,
        modelColumn,
        countColumn,
        coverageColumn,
        biasColumn,
        widthColumn,
        correctionColumn,
        columnTotal
    };
    explicit CalibrationModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setCalibration(std::vector<CalibrationRow> rows);
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
};

} // namespace gks
