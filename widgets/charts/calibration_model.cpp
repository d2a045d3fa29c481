// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/calibration_model.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

namespace gks {

namespace {

QString number(double value) {
    return toText(formatSignificant(value));
}

QString ratio(double value) {
    return toText(formatRatio(value));
}

QString cell(const CalibrationRow& row, int column) {
    switch (column) {
    case CalibrationModel::stageColumn:
        return stageText(row.stage);
    case CalibrationModel::modelColumn:
        return toText(row.model);
    case CalibrationModel::countColumn:
        return QString::number(row.count);
    case CalibrationModel::coverageColumn:
        return toText(formatShare(row.coverage, row.coverageCi95));
    case CalibrationModel::biasColumn:
        return row.biasCi95 ? toText(formatRatio(row.bias, *row.biasCi95))
                            : QObject::tr("%1 (one result)").arg(ratio(row.bias));
    case CalibrationModel::widthColumn:
        return ratio(row.meanWidth);
    case CalibrationModel::correctionColumn:
        return row.shift == 1 && row.widening == 1
                   ? QObject::tr("None")
                   : QStringLiteral("%1 ^%2").arg(ratio(row.shift), number(row.widening));
    default:
        return {};
    }
}

} // namespace

void CalibrationModel::setCalibration(std::vector<CalibrationRow> rows) {
    updateRows(
        std::move(rows),
        [](const CalibrationRow& a, const CalibrationRow& b) { return a.stage == b.stage && a.model == b.model; },
        [](const CalibrationRow& a, const CalibrationRow& b) {
            for (int column = countColumn; column < columnTotal; ++column) {
                if (cell(a, column) != cell(b, column)) {
                    return false;
                }
            }
            return true;
        });
}

int CalibrationModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant CalibrationModel::data(const QModelIndex& index, int role) const {
    const CalibrationRow* row = at(index.row());
    if (row == nullptr) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return cell(*row, index.column());
    }
    if (role == Qt::TextAlignmentRole && index.column() >= countColumn) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    }
    return {};
}

QVariant CalibrationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) {
        return {};
    }
    if (role == Qt::ToolTipRole) {
        const QStringList tips = {
            tr("Designer: the model that predicted. Writer: the model that wrote the kernel."),
            tr("Model, tuner or you"),
            tr("Predictions with a measured result"),
            tr("Share of results inside the predicted range [95 % interval]"),
            tr("Measured gain over the middle of the predicted range [95 % interval]. Below 1x: too optimistic."),
            tr("Mean width of the predicted ranges (upper end / lower end)"),
            tr("Applied to predicted ranges before use: by how much they are shifted, and the power that their width "
               "is raised to")};
        return tips[section];
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment((section >= countColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role == Qt::DisplayRole) {
        const QStringList names = {tr("Stage"), tr("Model"), tr("Results"),   tr("Coverage"),
                                   tr("Bias"),  tr("Width"), tr("Correction")};
        return names[section];
    }
    return {};
}

} // namespace gks
