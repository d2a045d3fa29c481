// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/calibration_model.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"

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
        return toText(row.stage);
    case CalibrationModel::modelColumn:
        return toText(row.model);
    case CalibrationModel::countColumn:
        return QString::number(row.count);
    case CalibrationModel::coverageColumn:
        return toText(formatShare(row.coverage, row.coverageCi95));
    case CalibrationModel::biasColumn:
        return row.biasCi95 ? toText(formatRatio(row.bias, *row.biasCi95))
                            : QObject::tr("%1 (one alone)").arg(ratio(row.bias));
    case CalibrationModel::widthColumn:
        return ratio(row.meanWidth);
    case CalibrationModel::correctionColumn:
        return row.shift == 1 && row.widening == 1
                   ? QObject::tr("none")
                   : QObject::tr("times %1, width to the power %2").arg(ratio(row.shift), number(row.widening));
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
            tr("designer: who predicted. writer: whose kernels were to bring it"),
            tr("the model, or the tuner, or you"),
            tr("predictions whose kernel was measured"),
            tr("share of the results that lay in the predicted range, with its 95 % interval"),
            tr("measured gain / middle of the range, with its 95 % interval; below 1x: it promises too much"),
            tr("upper end of the ranges / lower end, on average"),
            tr("how its ranges are shifted and widened before they are used")};
        return tips[section];
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment((section >= countColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role == Qt::DisplayRole) {
        const QStringList names = {tr("stage"), tr("model"), tr("results"),   tr("coverage"),
                                   tr("bias"),  tr("width"), tr("correction")};
        return names[section];
    }
    return {};
}

} // namespace gks
