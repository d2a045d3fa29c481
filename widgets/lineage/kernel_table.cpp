// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/kernel_table.h"

#include "core/base/quantity.h"
#include "core/campaign/champions.h"
#include "core/campaign/rules.h"
#include "core/rating/shape_scales.h"
#include "widgets/common/terms.h"
#include "widgets/lineage/lineage_model.h"

#include <utility>

namespace gks {

namespace {

unsigned groupsOf(const Kernel& kernel) {
    const bool isOpen = kernel.state != KernelState::declined && !kernel.verdict;
    unsigned groups = kernel.banned ? groupBanned : 0;
    groups |= isOpen ? groupOpen : passedJudge(kernel) ? groupAccepted : groupFailed;
    groups |= kernel.verdict == VerdictKind::faster ? groupFaster : 0;
    return groups;
}

double shapeTimeUs(const Kernel& kernel, const std::optional<TableShape>& shape) {
    return shape && shape->number < kernel.shapeMediansUs.size() ? kernel.shapeMediansUs[shape->number] : 0;
}

// What a column is sorted by: a number or a text, of which a column has one.
RankedRow rowOf(const Population& population, const Kernel& kernel, int column, const Champions& champions,
                const std::optional<TableShape>& shape) {
    RankedRow row{kernel.id, groupsOf(kernel), static_cast<int>(kernel.author)};
    switch (column) {
    case LineageModel::speedupColumn:
        if (const SpeedRatio* speed = population.speed(kernel)) {
            row.number = speed->ratio;
        }
        break;
    case LineageModel::championColumn:
        row.number = static_cast<double>(champions.wonBy(kernel.id).size());
        break;
    case LineageModel::geomeanColumn:
        row.number = kernel.geomeanUs;
        break;
    case LineageModel::versusParentColumn:
        row.number = kernel.versusParent ? kernel.versusParent->ratio : 0;
        break;
    case LineageModel::titleColumn:
        row.text = kernel.title;
        break;
    case LineageModel::verdictColumn:
        row.text = kernelStateText(kernel).toStdString();
        break;
    case LineageModel::authorColumn:
        row.text = authorText(kernel).toStdString();
        break;
    case KernelTable::shapeColumn:
        row.number = shapeTimeUs(kernel, shape);
        break;
    default:
        row.number = static_cast<double>(kernel.id);
    }
    return row;
}

} // namespace

KernelTable::KernelTable(LineageModel* lineage, QObject* parent) : QAbstractTableModel(parent), m_lineage(lineage) {
    connect(lineage, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& changed) {
        const QModelIndex first = indexOf(changed.data(LineageModel::kernelRole).value<KernelId>());
        if (first.isValid()) {
            Q_EMIT dataChanged(first, first.siblingAtColumn(columnCount() - 1));
        }
    });
}

void KernelTable::setPopulation(const PopulationPtr& population) {
    if (population != m_population) {
        m_population = population;
        compute();
    }
}

void KernelTable::setFilter(RowFilter filter) {
    if (filter != m_filter) {
        m_filter = std::move(filter);
        compute();
    }
}

void KernelTable::setShape(std::optional<TableShape> shape) {
    if (shape != m_shape) {
        m_shape = std::move(shape);
        Q_EMIT headerDataChanged(Qt::Horizontal, shapeColumn, shapeColumn);
        if (rowCount() > 0) {
            Q_EMIT dataChanged(index(0, shapeColumn), index(rowCount() - 1, shapeColumn));
        }
        if (m_column == shapeColumn) {
            compute();
        }
    }
}

void KernelTable::sort(int column, Qt::SortOrder order) {
    m_column = column;
    m_direction = order;
    compute();
}

void KernelTable::compute() {
    if (!m_population) {
        return;
    }
    m_work.start(
        [population = m_population, column = m_column, ascending = m_direction == Qt::AscendingOrder, filter = m_filter,
         shape = m_shape](const std::stop_token&) {
            const Champions champions = column == LineageModel::championColumn ? championsOf(*population) : Champions{};
            std::vector<RankedRow> rows;
            rows.reserve(population->kernels.size());
            for (const Kernel& kernel : population->kernels) {
                rows.push_back(rowOf(*population, kernel, column, champions, shape));
            }
            return rankedRows(rows, filter, ascending);
        },
        [this](const std::vector<KernelId>& order) { take(order); });
}

// The current row goes along with its kernel.
void KernelTable::take(const std::vector<KernelId>& order) {
    if (order != m_order) {
        Q_EMIT layoutAboutToBeChanged();
        const QModelIndexList before = persistentIndexList();
        std::vector<KernelId> kernels;
        for (const QModelIndex& index : before) {
            kernels.push_back(kernelAt(index));
        }
        m_order = order;
        m_rowOf.clear();
        for (std::size_t row = 0; row < m_order.size(); ++row) {
            m_rowOf[m_order[row]] = static_cast<int>(row);
        }
        for (qsizetype i = 0; i < before.size(); ++i) {
            const QModelIndex now = indexOf(kernels[static_cast<std::size_t>(i)]);
            changePersistentIndex(before[i], now.isValid() ? now.siblingAtColumn(before[i].column()) : QModelIndex());
        }
        Q_EMIT layoutChanged();
    }
    Q_EMIT sorted();
}

QModelIndex KernelTable::indexOf(KernelId kernel) const {
    const auto found = m_rowOf.find(kernel);
    return found == m_rowOf.end() ? QModelIndex() : index(found->second, 0);
}

KernelId KernelTable::kernelAt(const QModelIndex& index) const {
    return index.isValid() && static_cast<std::size_t>(index.row()) < m_order.size()
               ? m_order[static_cast<std::size_t>(index.row())]
               : 0;
}

int KernelTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int KernelTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : shapeColumn + 1;
}

QVariant KernelTable::data(const QModelIndex& index, int role) const {
    if (index.column() == shapeColumn) {
        return shapeData(kernelAt(index), role);
    }
    const QModelIndex there = m_lineage->indexOf(kernelAt(index));
    return there.isValid() ? there.siblingAtColumn(index.column()).data(role) : QVariant();
}

// The time alone, and the speed on this shape by all paired runs.
QVariant KernelTable::shapeData(KernelId id, int role) const {
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    }
    const Kernel* kernel = m_population ? m_population->kernel(id) : nullptr;
    const double us = kernel != nullptr ? shapeTimeUs(*kernel, m_shape) : 0;
    if ((role != Qt::DisplayRole && role != Qt::AccessibleTextRole) || us <= 0) {
        return {};
    }
    const SpeedScale* scale = m_population->shapeScales ? m_population->shapeScales->of(m_shape->shape) : nullptr;
    const auto speed = scale != nullptr ? scale->speed(id) : std::nullopt;
    const QString time = toText(formatMicroseconds(us));
    return speed ? QString(time % QStringLiteral("  ") % toText(formatRatio(speed->ratio))) : time;
}

QVariant KernelTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section == shapeColumn && orientation == Qt::Horizontal) {
        return role == Qt::DisplayRole ? (m_shape ? m_shape->title : tr("Shape")) : QVariant();
    }
    return m_lineage->headerData(section, orientation, role);
}

} // namespace gks
