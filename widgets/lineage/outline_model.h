// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/lineage/outline.h"

#include <QAbstractListModel>
#include <QStringList>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gks {

// What the outline is made of. Cheap, but of every kernel: not for the thread of a window.
std::vector<OutlineKernel> outlineKernels(const Population& population);

// The rows of the outline that are in view, as they were computed; what is folded has no row. An update replaces the
// rows between those that stayed at the beginning and at the end, and never resets.
class OutlineModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { kernelRole = Qt::UserRole };
    using QAbstractListModel::QAbstractListModel;

    void setRows(const PopulationPtr& population, std::vector<OutlineRow> rows);
    void setHits(std::unordered_set<KernelId> hits);
    const OutlineRow* at(int row) const;
    int rowOf(OutlineKey key) const; // -1: not in view
    const std::vector<OutlineRow>& rows() const { return m_rows; }
    const PopulationPtr& population() const { return m_population; }
    const Kernel* kernel(KernelId id) const { return m_population ? m_population->kernel(id) : nullptr; }
    // What a row of variants says of itself and of all below it, ever shorter.
    QStringList clusterTexts(const OutlineRow& row) const;
    bool isHit(KernelId kernel) const { return m_hits.contains(kernel); }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    QString text(const OutlineRow& row) const;

    PopulationPtr m_population;
    std::vector<OutlineRow> m_rows;
    std::unordered_map<OutlineKey, int> m_rowOf;
    std::unordered_set<KernelId> m_hits;
};

} // namespace gks
