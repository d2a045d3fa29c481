// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/comparison_model.h"

#include "widgets/common/palette.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/words.h"

#include <QFont>
#include <utility>

namespace gks {
namespace {

QString comparedGroupText(ComparedGroup group, KernelId reference) {
    switch (group) {
    case ComparedGroup::time:
        return QObject::tr("Time, speed over %1").arg(idText(reference));
    case ComparedGroup::code:
        return QObject::tr("Code");
    case ComparedGroup::instructions:
        return QObject::tr("Instructions");
    case ComparedGroup::plan:
        break;
    }
    return QObject::tr("Launch plan");
}

} // namespace

void ComparisonModel::setTable(const ComparisonTable& table) {
    beginResetModel();
    m_table = table;
    m_rows.clear();
    for (const ComparedRow& row : std::as_const(m_table.rows)) {
        if (m_rows.empty() || m_rows.back().group != row.group) {
            m_rows.push_back({row.group, nullptr});
        }
        m_rows.push_back({row.group, &row});
    }
    endResetModel();
}

KernelId ComparisonModel::kernelAt(int column) const {
    const int at = column - 1;
    return at >= 0 && static_cast<std::size_t>(at) < m_table.kernels.size()
               ? m_table.kernels[static_cast<std::size_t>(at)].id
               : 0;
}

bool ComparisonModel::isHeading(int row) const {
    return row >= 0 && row < rowCount() && m_rows[static_cast<std::size_t>(row)].row == nullptr;
}

bool ComparisonModel::isTime(int row) const {
    return row >= 0 && row < rowCount() && !isHeading(row) &&
           m_rows[static_cast<std::size_t>(row)].group == ComparedGroup::time;
}

bool ComparisonModel::isPlan(int row) const {
    return row >= 0 && row < rowCount() && m_rows[static_cast<std::size_t>(row)].group == ComparedGroup::plan;
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || m_table.kernels.empty() ? 0 : static_cast<int>(m_table.kernels.size()) + 1;
}

const ComparedCell* ComparisonModel::cellAt(const Row& row, int column) const {
    return row.row == nullptr || kernelAt(column) == 0 ? nullptr
                                                       : &row.row->cells[static_cast<std::size_t>(column - 1)];
}

QString ComparisonModel::cellText(const Row& row, int column) const {
    if (column == 0) {
        return row.row == nullptr ? comparedGroupText(row.group, m_table.kernels[m_table.reference].id)
                                  : word(row.row->name);
    }
    const ComparedCell* cell = cellAt(row, column);
    if (cell == nullptr) {
        return {};
    }
    const QString text = cell->missing.empty() ? toText(cell->text) : word(cell->missing);
    if (cell->speed) {
        return text % QLatin1Char('\n') % comparedSpeedOf(*cell->speed);
    }
    if (!cell->notCompared.empty() && cell->missing.empty()) {
        return text % QLatin1Char('\n') % tr("not compared");
    }
    return cell->delta.empty() ? text : QString(text % QStringLiteral("  (") % toText(cell->delta) % QLatin1Char(')'));
}

QString ComparisonModel::cellTip(const Row& row, int column) const {
    const ComparedCell* cell = cellAt(row, column);
    if (cell == nullptr) {
        return {};
    }
    QStringList lines = {idText(kernelAt(column)) % QStringLiteral(": ") % toText(comparedText(*cell))};
    if (cell->speed) {
        lines << (cell->speed->runs > 0 ? tr("paired runs of the two: %1").arg(cell->speed->runs)
                                        : tr("no run measured the two beside each other: by a chain of paired runs"));
    } else if (!cell->notCompared.empty()) {
        lines << toText(cell->notCompared);
    }
    return lines.join(QLatin1Char('\n'));
}

// Only a speed is coloured: more registers are neither better nor worse.
QVariant ComparisonModel::cellColor(const Row& row, int column) const {
    const Palette& palette = Theme::instance().palette();
    const ComparedCell* cell = cellAt(row, column);
    if (cell == nullptr) {
        return column == 0 && row.row != nullptr ? QVariant(palette.quietText) : QVariant();
    }
    if (cell->speed) {
        const SpeedRatio& ratio = cell->speed->ratio;
        return !isDecided(ratio) ? palette.tie : ratio.ratio > 1 ? palette.faster : palette.slower;
    }
    return cell->missing.empty() ? QVariant() : QVariant(palette.quietText);
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(row, index.column());
    case Qt::AccessibleTextRole:
        return cellText(row, index.column()).replace(QLatin1Char('\n'), QStringLiteral(", "));
    case Qt::ToolTipRole:
        return cellTip(row, index.column());
    case Qt::ForegroundRole:
        return cellColor(row, index.column());
    case Qt::FontRole:
        if (row.row == nullptr) {
            QFont font;
            font.setWeight(QFont::DemiBold);
            return font;
        }
        break;
    case Qt::TextAlignmentRole: {
        const bool isText = index.column() == 0 || row.group == ComparedGroup::plan;
        return QVariant::fromValue(Qt::Alignment((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    default:
        break;
    }
    return {};
}

// The rows' names stand at the left however far the kernels are scrolled.
QVariant ComparisonModel::rowHead(int row, int role) const {
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) {
        return index(row, 0).data(Qt::DisplayRole);
    }
    return role == Qt::FontRole || role == Qt::ForegroundRole ? index(row, 0).data(role) : QVariant();
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        return section >= 0 && section < rowCount() ? rowHead(section, role) : QVariant();
    }
    if (kernelAt(section) == 0) {
        return {};
    }
    const ComparedKernel& kernel = m_table.kernels[static_cast<std::size_t>(section - 1)];
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) {
        QStringList marks;
        if (kernel.isBaseline) {
            marks << tr("baseline");
        }
        if (kernel.isBest) {
            marks << tr("best");
        }
        return QString(idText(kernel.id) %
                       (marks.isEmpty() ? QString() : QString(QLatin1Char(' ') % marks.join(QStringLiteral(", ")))));
    }
    if (role == Qt::ToolTipRole) {
        return QString(idText(kernel.id) % QStringLiteral("  ") % toText(kernel.title) % QLatin1Char('\n') %
                       toText(kernel.verdict) %
                       (kernel.device.empty() ? QString() : tr(", on %1").arg(toText(kernel.device))) %
                       QLatin1Char('\n') % tr("Click: select. Ctrl+click: select as the second"));
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    }
    return {};
}

} // namespace gks
