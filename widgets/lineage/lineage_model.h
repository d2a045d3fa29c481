// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/champions.h"

#include <QAbstractItemModel>
#include <unordered_map>
#include <vector>

namespace gks {

// The population as a tree by basis parent, siblings in order of creation. Kernels are only ever added, so rows are
// inserted at the end of their siblings, exactly, and what changed in a kernel is told for its row alone: the model
// never resets.
class LineageModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column {
        idColumn,
        titleColumn,
        speedupColumn,
        championColumn, // on how many shapes it is the fastest
        geomeanColumn,
        versusParentColumn,
        verdictColumn,
        authorColumn,
        columnTotal
    };
    enum Role { kernelRole = Qt::UserRole, markRole, sortRole };

    using QAbstractItemModel::QAbstractItemModel;

    void setPopulation(const PopulationPtr& population);
    const Kernel* kernel(const QModelIndex& index) const;
    QModelIndex indexOf(KernelId kernel) const; // invalid when not there

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Node {
        KernelId parent = 0; // 0: a root
        int row = 0;
        std::vector<KernelId> children;
    };
    const Node& node(KernelId id) const { return m_nodes.at(id); }
    void insert(const Kernel& kernel);
    void findChampions();
    void tellOf(KernelId kernel);
    QVariant display(const Kernel& kernel, int column) const;
    QString championsTip(KernelId kernel) const;

    PopulationPtr m_population;
    Champions m_champions;
    std::unordered_map<KernelId, Node> m_nodes{{0, Node{}}}; // 0 is the invisible root
};

// Whether every word of the query is found in the kernel's ID, title, verdict or author.
bool matchesSearch(const Kernel& kernel, const QString& query);

} // namespace gks
