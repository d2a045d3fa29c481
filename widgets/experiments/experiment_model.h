// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <optional>
#include <vector>

namespace gks {

class NearDuplicates;

// The experiments of a campaign, one row each, in order of their numbers. Rows are added at the end and changed in
// place; the model is never reset.
class ExperimentModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { IdRole = Qt::UserRole, ExperimentRole, NearDuplicateRole, StateTextRole };

    // `duplicates` says which kernels nearly repeat an earlier one; null: nobody asks.
    explicit ExperimentModel(QObject* parent = nullptr, NearDuplicates* duplicates = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    void setPopulation(const PopulationPtr& population);
    const Experiment* experiment(const QModelIndex& index) const;
    QModelIndex indexOf(ExperimentId id) const;

private:
    struct ShownRow {
        const Experiment* experiment = nullptr;
        std::optional<KernelState> inLine; // changes with its drafts alone
    };
    PopulationPtr m_population; // keeps m_rows alive
    std::vector<ShownRow> m_rows;
    NearDuplicates* m_duplicates;
};

// What is still to come in the order it will run, then what has ended, newest first, then what was never picked.
class ExperimentOrder final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    enum class Show { all, open, ended, notPicked };

    explicit ExperimentOrder(QObject* parent = nullptr);
    void setShown(Show shown);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    enum class Part { open, ended, notPicked }; // of the list, from the top
    static Part partOf(const Experiment& experiment);
    const Experiment& at(const QModelIndex& index) const;

    Show m_shown = Show::all;
};

} // namespace gks
