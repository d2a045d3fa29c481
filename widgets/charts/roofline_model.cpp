// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/roofline_model.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"

namespace gks {

namespace {

// As `boundText` has it, in the language of the window.
QString limitText(const RooflinePoint& point) {
    if (isUncertain(point.medianUs, point.ci95Us)) {
        return QObject::tr("taken on a busy machine: too unsure to say");
    }
    const QString ratio = toText(formatRatio(point.share.timesFloor));
    switch (point.share.bound) {
    case Bound::unknown:
        break;
    case Bound::flop:
        return QObject::tr("bound by FLOP, %1 of the floor").arg(ratio);
    case Bound::bytes:
        return QObject::tr("bound by bytes, %1 of the floor").arg(ratio);
    case Bound::neither:
        return QObject::tr("bound by neither peak, %1 of the floor").arg(ratio);
    }
    return QObject::tr("no floor is known");
}

QString rooflineCell(const RooflineRow& row, int column) {
    const RooflinePoint* point = row.selected();
    const QString none = QStringLiteral("\u2013");
    switch (column) {
    case RooflineModel::shapeColumn:
        return toText(row.label);
    case RooflineModel::floorColumn:
        return row.work.floorUs() > 0 ? toText(formatMicroseconds(row.work.floorUs())) : none;
    case RooflineModel::timeColumn:
        return point != nullptr ? toText(formatMicroseconds(point->medianUs, point->ci95Us)) : none;
    case RooflineModel::shareColumn:
        return point != nullptr ? toText(floorShareText(*point)) : none;
    case RooflineModel::boundColumn:
        return point != nullptr ? limitText(*point) : QObject::tr("not measured");
    case RooflineModel::countersColumn:
        return toText(bottleneckCounters(row.counters));
    default:
        return {};
    }
}

// All that the profiler said, for which a cell has no room.
QString everyCounter(const RooflineRow& row) {
    QStringList lines;
    for (const LaunchCounters& launch : row.counters) {
        lines << toText(launch.kernel + ": " + counterText(launch.facts)).toHtmlEscaped();
    }
    return lines.join(QStringLiteral("<br>"));
}

} // namespace

void RooflineModel::setTable(const RooflineTable& table) {
    updateRows(
        table.rows, [](const RooflineRow& a, const RooflineRow& b) { return a.shape == b.shape; },
        [](const RooflineRow&, const RooflineRow&) { return false; });
}

int RooflineModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant RooflineModel::data(const QModelIndex& index, int role) const {
    const RooflineRow* row = at(index.row());
    if (row == nullptr) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return rooflineCell(*row, index.column());
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isNumber = index.column() > shapeColumn && index.column() < boundColumn;
        return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && index.column() == countersColumn) {
        return everyCounter(*row);
    }
    return {};
}

QVariant RooflineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    const QStringList names = {tr("shape"),        tr("floor"), tr("time alone"),
                               tr("floor / time"), tr("limit"), tr("counters")};
    return names.value(section);
}

} // namespace gks
