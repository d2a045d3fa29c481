// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/lineage/ranked_rows.h"
#include "widgets/common/latest_work.h"
#include "widgets/lineage/lineage_model.h"

#include <QAbstractTableModel>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gks {

// A shape that has a column of its own.
struct TableShape {
    std::size_t number = 0; // of those that the campaign measures
    std::map<std::string, std::int64_t> shape = {};
    QString title = {};
    bool operator==(const TableShape&) const = default;
};

// The kernels of the lineage in one flat list, in the order of a column. Who is in it, and in which order, is found
// beside the window; what stands in a cell is asked of the lineage.
class KernelTable final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit KernelTable(LineageModel* lineage, QObject* parent = nullptr);

    static constexpr int shapeColumn = LineageModel::columnTotal; // behind the lineage's own

    void setPopulation(const PopulationPtr& population);
    void setFilter(RowFilter filter);
    void setShape(std::optional<TableShape> shape);
    void sort(int column, Qt::SortOrder order) override;
    QModelIndex indexOf(KernelId kernel) const; // invalid when not there
    KernelId kernelAt(const QModelIndex& index) const;
    bool isBusy() const { return m_work.isBusy(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void sorted();

private:
    void compute();
    QVariant shapeData(KernelId id, int role) const;
    void take(const std::vector<KernelId>& order);

    LineageModel* m_lineage;
    PopulationPtr m_population;
    std::vector<KernelId> m_order;
    std::unordered_map<KernelId, int> m_rowOf;
    LatestWork<std::vector<KernelId>> m_work;
    int m_column = 0;
    RowFilter m_filter;
    std::optional<TableShape> m_shape;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

} // namespace gks
