// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/writers_model.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"

#include <algorithm>
#include <cmath>

namespace gks {

namespace {

// Earlier versions did not keep what a draft took.
bool isTimeKnown(const WriterRow& row) {
    return row.brought.minutes > 0 || row.brought.drafts == 0;
}

QString writerCell(const WriterRow& row, int column) {
    const Brought& brought = row.brought;
    switch (column) {
    case WritersModel::writerColumn:
        return toText(writerLabel(brought.name));
    case WritersModel::modelColumn:
        return toText(row.model);
    case WritersModel::experimentsColumn:
        return countText(brought.experiments);
    case WritersModel::acceptedColumn:
        return QObject::tr("%1 of %2").arg(brought.accepted).arg(brought.drafts);
    case WritersModel::gainColumn:
        return brought.bestGain > 0 ? toText(formatRatio(brought.bestGain)) : QStringLiteral("\u2013");
    case WritersModel::broughtColumn:
        return toText(formatRatio(std::exp(brought.logGain)));
    case WritersModel::timeColumn:
        return isTimeKnown(row) ? toText(formatSeconds(60 * brought.minutes)) : QStringLiteral("\u2013");
    case WritersModel::costColumn:
        return toText(formatCost(brought.usd, brought.isPriceKnown));
    case WritersModel::shareColumn:
        return toText(formatShare(brought.share));
    case WritersModel::rateColumn:
        return toText(ratePercent(brought));
    default:
        return {};
    }
}

} // namespace

void WritersModel::setPopulation(const Population& population) {
    std::vector<WriterRow> rows;
    for (Brought& brought : broughtByWriters(population)) {
        std::string model = writerModelText(population, brought.name);
        rows.push_back({std::move(brought), std::move(model)});
    }
    if (std::none_of(rows.begin(), rows.end(), [](const WriterRow& row) { return row.brought.drafts > 0; })) {
        rows.clear();
    }
    updateRows(
        std::move(rows), [](const WriterRow& a, const WriterRow& b) { return a.brought.name == b.brought.name; },
        [](const WriterRow& a, const WriterRow& b) {
            for (int column = modelColumn; column < columnTotal; ++column) {
                if (writerCell(a, column) != writerCell(b, column)) {
                    return false;
                }
            }
            return true;
        });
}

int WritersModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant WritersModel::data(const QModelIndex& index, int role) const {
    const WriterRow* row = at(index.row());
    if (row == nullptr) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return writerCell(*row, index.column());
    }
    if (role == Qt::ToolTipRole && index.column() == timeColumn && !isTimeKnown(*row)) {
        return tr("Not kept by the version that these drafts were made with; new drafts have their times");
    }
    if (role == Qt::TextAlignmentRole && index.column() >= experimentsColumn) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    }
    return {};
}

QVariant WritersModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) {
        return {};
    }
    if (role == Qt::ToolTipRole) {
        const QStringList tips = {
            tr("own: the model of the stage Writer. The others are further writers"),
            tr("The model that answers in its name"),
            tr("Experiments that it has drafted"),
            tr("Kernels that passed the judge, of all drafts, repairs too"),
            tr("The highest gain of its kernels over their parents, time before / time after"),
            tr("By how much its kernels together made the fastest of all faster"),
            tr("Time that its drafts took"),
            tr("Cost of its drafts"),
            tr("Share of all drafts"),
            tr("By how much the fastest kernel becomes faster for the cost of an ordinary draft; newer drafts weigh "
               "more")};
        return tips[section];
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment((section >= experimentsColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role == Qt::DisplayRole) {
        const QStringList names = {tr("Writer"),  tr("Model"), tr("Exp."), tr("Passed"), tr("Gain"),
                                   tr("Brought"), tr("Time"),  tr("Cost"), tr("Share"),  tr("Per cost")};
        return names[section];
    }
    return {};
}

} // namespace gks
