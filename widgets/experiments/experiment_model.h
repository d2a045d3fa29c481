// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <vector>

namespace gks {

// The experiments of a campaign, one row each, in order of their numbers. Rows are added at the end and changed in place; the model
// is never reset.
class ExperimentModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { IdRole = Qt::UserRole, ExperimentRole, OpenRole, PositionRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    void setPopulation(const PopulationPtr& population);
    const Experiment* experiment(const QModelIndex& index) const;
    QModelIndex indexOf(ExperimentId id) const;
    // May still be changed or has not ended: proposed, approved, writing, evaluating.
    static bool isOpen(const Experiment& experiment);
    static bool isEditable(const Experiment& experiment);

private:
    PopulationPtr m_population; // keeps m_rows alive
    std::vector<Experiment> m_rows;
};

// What is still to come in the order it will run, then what has ended, newest first.
class ExperimentOrder final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit ExperimentOrder(QObject* parent = nullptr);
    void setOnlyOpen(bool onlyOpen);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    bool m_onlyOpen = false;
};

} // namespace gks
