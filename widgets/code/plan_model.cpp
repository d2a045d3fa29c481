// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/plan_model.h"

#include "widgets/code/plan_words.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QColor>
#include <QFont>
#include <array>
#include <tuple>

namespace gks {
namespace {

constexpr std::array<std::string PlanRow::*, PlanModel::columnTotal> planParts = {
    nullptr,         &PlanRow::operation, &PlanRow::what,   &PlanRow::grid,
    &PlanRow::block, &PlanRow::lds,       &PlanRow::stream, &PlanRow::arguments};

auto cellsOf(const std::optional<PlanRow>& row) {
    const PlanRow none;
    const PlanRow& one = row ? *row : none;
    return std::tuple(row.has_value(), one.stream, one.operation, one.what, one.grid, one.block, one.lds,
                      one.arguments);
}

QString kindText(RowKind kind) {
    switch (kind) {
    case RowKind::equal:
        break;
    case RowKind::changed:
        return QObject::tr("changed");
    case RowKind::removed:
        return QObject::tr("removed");
    case RowKind::added:
        return QObject::tr("added");
    }
    return {};
}

QColor colorOf(RowKind kind, const Palette& palette) {
    switch (kind) {
    case RowKind::equal:
        break;
    case RowKind::changed:
        return palette.tie;
    case RowKind::removed:
        return palette.wrong;
    case RowKind::added:
        return palette.faster;
    }
    return {};
}

} // namespace

void PlanModel::setPlan(std::vector<PlanTableRow> rows) {
    const auto equal = [](const PlanTableRow& a, const PlanTableRow& b) {
        return a.kind == b.kind && cellsOf(a.now) == cellsOf(b.now) && cellsOf(a.before) == cellsOf(b.before);
    };
    updateRows(std::move(rows), [](const PlanTableRow&, const PlanTableRow&) { return true; }, equal);
}

int PlanModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant PlanModel::data(const QModelIndex& index, int role) const {
    const PlanTableRow* row = at(index.row());
    if (row == nullptr) {
        return {};
    }
    const int column = index.column();
    const bool isMark = column == markColumn;
    const QString cell = isMark ? QString()
                         : column == operationColumn
                             ? operationOf(*row)
                             : toText(row->cell(planParts.at(static_cast<std::size_t>(column))));
    switch (role) {
    case Qt::DisplayRole:
        return isMark ? QString(QLatin1Char(markOf(row->kind))) : cell;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return isMark ? kindText(row->kind) : cell;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((isMark ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::FontRole:
        if (row->kind == RowKind::removed && !isMark) {
            QFont struck;
            struck.setStrikeOut(true);
            return struck;
        }
        break;
    case Qt::ForegroundRole:
        if (row->kind != RowKind::equal && isMark) {
            return colorOf(row->kind, Theme::instance().palette());
        }
        break;
    default:
        break;
    }
    return {};
}

QVariant PlanModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) {
        return {};
    }
    if (role == Qt::ToolTipRole) {
        const QStringList tips = {tr("Added (+), removed (-) or changed (~) since the parent"),
                                  tr("What the device is asked to do, in the order of the calls"),
                                  tr("The kernel, or what is filled, copied or written"),
                                  tr("Blocks of a launch"),
                                  tr("Threads of a block"),
                                  tr("Dynamic LDS of a launch"),
                                  tr("Operations of one stream run in order; events order streams"),
                                  tr("By name where the value is an address of a tensor or equals a dim")};
        return tips[section];
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    }
    if (role == Qt::DisplayRole) {
        const QStringList names = {QString(),   tr("Operation"), tr("What"),   tr("Grid"),
                                   tr("Block"), tr("LDS"),       tr("Stream"), tr("Arguments")};
        return names[section];
    }
    return {};
}

} // namespace gks
