// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/experiment_model.h"

#include "core/campaign/rules.h"
#include "widgets/common/near_duplicates.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <algorithm>
#include <utility>

namespace gks {
namespace {

QString spoken(const Experiment& experiment, const QString& state) {
    return toText(experiment.description) + QStringLiteral(", ") + word(name(experiment.kind)) + QStringLiteral(", ") +
           state + QStringLiteral(", ") + gainsOf(experiment);
}

} // namespace

ExperimentModel::ExperimentModel(QObject* parent, NearDuplicates* duplicates)
    : QAbstractListModel(parent), m_duplicates(duplicates) {
    if (duplicates != nullptr) {
        connect(duplicates, &NearDuplicates::changed, this, [this] {
            if (!m_rows.empty()) {
                Q_EMIT dataChanged(index(0), index(rowCount() - 1), {NearDuplicateRole, Qt::ToolTipRole});
            }
        });
    }
}

int ExperimentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

const Experiment* ExperimentModel::experiment(const QModelIndex& index) const {
    return index.isValid() && index.row() < rowCount() ? m_rows[static_cast<std::size_t>(index.row())].experiment
                                                       : nullptr;
}

QVariant ExperimentModel::data(const QModelIndex& index, int role) const {
    const Experiment* row = experiment(index);
    if (row == nullptr) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(row->description);
    case Qt::ToolTipRole: {
        const QString text = toText(row->failure.empty() ? row->rubric : row->failure);
        const QString near = m_duplicates != nullptr && row->kernel ? m_duplicates->text(*row->kernel) : QString();
        return near.isEmpty() ? text
                              : QString(idText(*row->kernel) % QStringLiteral(": ") % near % QLatin1Char('\n') % text);
    }
    case Qt::AccessibleTextRole:
        return spoken(*row, index.data(StateTextRole).toString());
    case IdRole:
        return QVariant::fromValue<qint64>(row->id);
    case ExperimentRole:
        return QVariant::fromValue(*row);
    case StateTextRole:
        return experimentStateText(row->state, m_rows[static_cast<std::size_t>(index.row())].inLine);
    case NearDuplicateRole: {
        const auto near = m_duplicates != nullptr && row->kernel ? m_duplicates->of(*row->kernel) : std::nullopt;
        return near ? QVariant::fromValue<qint64>(near->kernel) : QVariant();
    }
    default:
        return {};
    }
}

void ExperimentModel::setPopulation(const PopulationPtr& population) {
    const SharedList<Experiment>& wanted = population->experiments;
    const std::size_t common = std::min(m_rows.size(), wanted.size());
    for (std::size_t i = 0; i < common; ++i) { // a row is of the earlier population until its turn
        const ShownRow shown = {&wanted[i], stateInLine(wanted[i], *population)};
        const ShownRow before = std::exchange(m_rows[i], shown);
        const bool isShared = before.experiment == shown.experiment; // as mostly between two populations
        if ((!isShared && *before.experiment != wanted[i]) || before.inLine != shown.inLine) {
            const QModelIndex changed = index(static_cast<int>(i));
            Q_EMIT dataChanged(changed, changed);
        }
    }
    if (wanted.size() > m_rows.size()) {
        beginInsertRows({}, static_cast<int>(m_rows.size()), static_cast<int>(wanted.size()) - 1);
        for (std::size_t i = common; i < wanted.size(); ++i) {
            m_rows.push_back({&wanted[i], stateInLine(wanted[i], *population)});
        }
        endInsertRows();
    } else if (wanted.size() < m_rows.size()) { // another campaign
        beginRemoveRows({}, static_cast<int>(wanted.size()), static_cast<int>(m_rows.size()) - 1);
        m_rows.resize(wanted.size());
        endRemoveRows();
    }
    m_population = population;
}

QModelIndex ExperimentModel::indexOf(ExperimentId id) const {
    const auto found = std::ranges::lower_bound(m_rows, id, {}, [](const ShownRow& row) { return row.experiment->id; });
    return found != m_rows.end() && found->experiment->id == id ? index(static_cast<int>(found - m_rows.begin()))
                                                                : QModelIndex();
}

ExperimentOrder::ExperimentOrder(QObject* parent) : QSortFilterProxyModel(parent) {
    setDynamicSortFilter(true);
    sort(0);
}

void ExperimentOrder::setShown(Show shown) {
    m_shown = shown;
    invalidateFilter();
}

ExperimentOrder::Part ExperimentOrder::partOf(const Experiment& experiment) {
    return isOpen(experiment)                               ? Part::open
           : experiment.state == ExperimentState::notPicked ? Part::notPicked
                                                            : Part::ended;
}

const Experiment& ExperimentOrder::at(const QModelIndex& index) const {
    return *static_cast<const ExperimentModel*>(sourceModel())->experiment(index);
}

bool ExperimentOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const Experiment& a = at(left);
    const Experiment& b = at(right);
    if (partOf(a) != partOf(b)) {
        return partOf(a) < partOf(b);
    }
    if (partOf(a) != Part::open) {
        return a.id > b.id;
    }
    return a.position != b.position ? a.position < b.position : a.id < b.id;
}

bool ExperimentOrder::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const Part part = partOf(at(sourceModel()->index(row, 0, parent)));
    switch (m_shown) {
    case Show::all:
        return true;
    case Show::open:
        return part == Part::open;
    case Show::ended:
        return part == Part::ended;
    case Show::notPicked:
        return part == Part::notPicked;
    }
    return true;
}

} // namespace gks
