// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/roofline_model.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"

#include <algorithm>

namespace gks {

// As `boundText` has it, in the language of the window.
QString limitOf(const RooflinePoint& point) {
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

namespace {

// What the share beside it does not say already.
QString boundOf(const RooflinePoint& point) {
    if (isUncertain(point.medianUs, point.ci95Us)) {
        return QObject::tr("unsure: busy machine");
    }
    switch (point.share.bound) {
    case Bound::unknown:
        break;
    case Bound::flop:
        return QObject::tr("FLOP");
    case Bound::bytes:
        return QObject::tr("bytes");
    case Bound::neither:
        return QObject::tr("neither peak");
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
        return point != nullptr ? boundOf(*point) : QObject::tr("not measured");
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

// As `RooflineTable::peaksText` has it.
QString peaksOf(const RooflineTable& table) {
    const QString kernel = idText(table.kernel);
    if (table.rows.empty()) {
        return QObject::tr("%1 was not measured: there is nothing to compare with a roof.").arg(kernel);
    }
    const Device& device = table.device;
    const QString where = device.name.empty() ? QObject::tr("its device") : toText(device.name);
    switch (table.source) {
    case PeakSource::deviceFile:
        return QObject::tr("Peaks of %1: those of %2 in resources/devices, by the units, the clock and the memory rate "
                           "that the card stated when it measured %3.")
            .arg(where, toText(device.architecture), kernel);
    case PeakSource::measuredHere:
        return (device.facts.thread.threads > 1
                    ? QObject::tr("Peaks measured on this processor, which is the one that measured %1: vector "
                                  "arithmetic in f32 and one pass over memory, of %2 timed threads.")
                    : QObject::tr("Peaks measured on this processor, which is the one that measured %1: vector "
                                  "arithmetic in f32 and one pass over memory, of %2 timed thread."))
            .arg(kernel)
            .arg(std::max(1, device.facts.thread.threads));
    case PeakSource::none:
        break;
    }
    return device.target == TargetKind::cpu
               ? QObject::tr("No roofs: the peaks of a processor are measured, and %1 was measured on another one, %2.")
                     .arg(kernel, where)
               : QObject::tr("No roofs: the peaks of %1 are not known; a file for %2 in resources/devices would tell "
                             "them.")
                     .arg(where,
                          device.architecture.empty() ? QObject::tr("its architecture") : toText(device.architecture));
}

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
    if (role == Qt::ToolTipRole && index.column() == boundColumn && row->selected() != nullptr) {
        return limitOf(*row->selected());
    }
    return {};
}

QVariant RooflineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) { // as the cells below
        const bool isNumber = section > shapeColumn && section < boundColumn;
        return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QStringList names = {tr("Shape"),        tr("Floor"),    tr("Time alone"),
                               tr("Floor / time"), tr("Bound by"), tr("Counters")};
    return names.value(section);
}

} // namespace gks
