// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/kernel_table.h"

#include "core/campaign/champions.h"
#include "widgets/common/terms.h"
#include "widgets/lineage/lineage_model.h"

#include <algorithm>

namespace gks {

namespace {

// What a column is sorted by: a number or a text, of which a column has one.
struct TableKey {
    KernelId kernel = 0;
    double number = 0;
    QString text;
};

TableKey tableKeyOf(const Kernel& kernel, int column, const Champions& champions) {
    TableKey key{kernel.id, 0, {}};
    switch (column) {
    case LineageModel::speedupColumn:
        key.number = kernel.speedup;
        break;
    case LineageModel::championColumn:
        key.number = static_cast<double>(champions.wonBy(kernel.id).size());
        break;
    case LineageModel::geomeanColumn:
        key.number = kernel.geomeanUs;
        break;
    case LineageModel::versusParentColumn:
        key.number = kernel.versusParent ? kernel.versusParent->ratio : 0;
        break;
    case LineageModel::titleColumn:
        key.text = toText(kernel.title);
        break;
    case LineageModel::verdictColumn:
        key.text = kernelStateText(kernel);
        break;
    case LineageModel::authorColumn:
        key.text = authorText(kernel.author);
        break;
    default:
        key.number = static_cast<double>(kernel.id);
    }
    return key;
}

// Equals stay in the order of their ids. What has no number stands behind those that have one, whatever the direction.
std::vector<KernelId> tableOrder(const Population& population, int column, Qt::SortOrder direction) {
    const Champions champions = column == LineageModel::championColumn ? championsOf(population) : Champions{};
    std::vector<TableKey> keys;
    keys.reserve(population.kernels.size());
    for (const Kernel& kernel : population.kernels) {
        keys.push_back(tableKeyOf(kernel, column, champions));
    }
    std::ranges::stable_sort(keys, [direction](const TableKey& one, const TableKey& other) {
        if ((one.number == 0) != (other.number == 0)) {
            return other.number == 0;
        }
        const TableKey& first = direction == Qt::AscendingOrder ? one : other;
        const TableKey& second = direction == Qt::AscendingOrder ? other : one;
        return first.number != second.number ? first.number < second.number : first.text < second.text;
    });
    std::vector<KernelId> order;
    order.reserve(keys.size());
    for (const TableKey& key : keys) {
        order.push_back(key.kernel);
    }
    return order;
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

void KernelTable::sort(int column, Qt::SortOrder order) {
    m_column = column;
    m_direction = order;
    compute();
}

void KernelTable::compute() {
    if (m_population) {
        m_work.start([population = m_population, column = m_column, direction = m_direction](
                         const std::stop_token&) { return tableOrder(*population, column, direction); },
                     [this](const std::vector<KernelId>& order) { take(order); });
    }
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
    return parent.isValid() ? 0 : LineageModel::columnTotal;
}

QVariant KernelTable::data(const QModelIndex& index, int role) const {
    const QModelIndex there = m_lineage->indexOf(kernelAt(index));
    return there.isValid() ? there.siblingAtColumn(index.column()).data(role) : QVariant();
}

QVariant KernelTable::headerData(int section, Qt::Orientation orientation, int role) const {
    return m_lineage->headerData(section, orientation, role);
}

} // namespace gks
