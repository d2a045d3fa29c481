// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/outline_model.h"

#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"

#include <algorithm>
#include <cmath>

namespace gks {

std::vector<OutlineKernel> outlineKernels(const Population& population) {
    std::vector<OutlineKernel> all;
    all.reserve(population.kernels.size());
    for (const Kernel& kernel : population.kernels) {
        const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr;
        // The points of a tuning run are siblings whatever their round; no round is negative.
        const std::int64_t group = experiment == nullptr ? 0 : !experiment->tunables.empty() ? -1 : experiment->round;
        const SpeedRatio* speed = population.speed(kernel);
        all.push_back({kernel.id, kernel.parents.empty() ? 0 : kernel.parents.front(), group,
                       speed != nullptr ? std::log(speed->ratio) : 0, isMeasured(kernel) && speed != nullptr});
    }
    return all;
}

void OutlineModel::setRows(const PopulationPtr& population, std::vector<OutlineRow> rows) {
    m_population = population;
    const std::size_t shorter = std::min(rows.size(), m_rows.size());
    std::size_t before = 0;
    while (before < shorter && rows[before].key == m_rows[before].key) {
        ++before;
    }
    std::size_t behind = 0;
    while (behind < shorter - before && rows[rows.size() - 1 - behind].key == m_rows[m_rows.size() - 1 - behind].key) {
        ++behind;
    }
    const auto first = static_cast<std::ptrdiff_t>(before);
    const auto last = static_cast<std::ptrdiff_t>(behind);
    if (before + behind < m_rows.size()) {
        beginRemoveRows({}, static_cast<int>(before), static_cast<int>(m_rows.size() - behind) - 1);
        m_rows.erase(m_rows.begin() + first, m_rows.end() - last);
        endRemoveRows();
    }
    if (before + behind < rows.size()) {
        beginInsertRows({}, static_cast<int>(before), static_cast<int>(rows.size() - behind) - 1);
        m_rows.insert(m_rows.begin() + first, rows.begin() + first, rows.end() - last);
        endInsertRows();
    }
    m_rows = std::move(rows);
    m_rowOf.clear();
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        m_rowOf[m_rows[row].key] = static_cast<int>(row);
    }
    if (!m_rows.empty()) {
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
    }
}

void OutlineModel::setHits(std::unordered_set<KernelId> hits) {
    m_hits = std::move(hits);
    if (!m_rows.empty()) {
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
    }
}

const OutlineRow* OutlineModel::at(int row) const {
    return row >= 0 && static_cast<std::size_t>(row) < m_rows.size() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int OutlineModel::rowOf(OutlineKey key) const {
    const auto found = m_rowOf.find(key);
    return found == m_rowOf.end() ? -1 : found->second;
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QStringList OutlineModel::clusterTexts(const OutlineRow& row) const {
    const Kernel* best = kernel(row.bestBelow);
    if (best == nullptr) {
        return {tr("%1 variants, none accepted").arg(row.members), tr("%1, none accepted").arg(row.members)};
    }
    return {tr("%1 variants, best %2 %3").arg(row.members).arg(idText(best->id), speedupText(*m_population, *best)),
            tr("%1, best %2 %3").arg(row.members).arg(idText(best->id), speedupText(*m_population, *best)),
            tr("%1, best %2").arg(row.members).arg(speedupText(*m_population, *best))};
}

QString OutlineModel::text(const OutlineRow& row) const {
    if (row.members > 0) {
        const QString text = clusterTexts(row).front();
        const int deeper = row.below - row.members;
        return deeper == 0 ? text : QString(text % QStringLiteral(", ") % tr("%1 more below").arg(deeper));
    }
    const Kernel* one = kernel(row.kernel);
    return one == nullptr ? QString()
                          : QString(idText(one->id) % QLatin1Char(' ') % toText(one->title) % QStringLiteral(", ") %
                                    standingText(*one) %
                                    (m_population->speed(*one) != nullptr
                                         ? QString(QLatin1Char(' ') % speedupText(*m_population, *one))
                                         : QString()));
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    const OutlineRow* row = at(index.row());
    if (row == nullptr) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return text(*row);
    case Qt::AccessibleTextRole:
        return row->onBestPath ? tr("%1, on the best path").arg(text(*row)) : text(*row);
    case Qt::ToolTipRole: {
        const Kernel* one = row->members > 0 ? nullptr : kernel(row->kernel);
        QString tip = one == nullptr
                          ? text(*row)
                          : QString(idText(one->id) % QStringLiteral("  ") % toText(one->title) % QLatin1Char('\n') %
                                    standingText(*one) % QStringLiteral("  ") % scaledSpeedOf(*m_population, *one) %
                                    QStringLiteral("  ") % geomeanText(*one, m_population->settings.target));
        if (row->folded) {
            const Kernel* best = kernel(row->bestBelow);
            tip +=
                QLatin1Char('\n') % (best == nullptr ? tr("%1 kernels folded").arg(row->below)
                                                     : tr("%1 kernels folded, best %2 %3")
                                                           .arg(row->below)
                                                           .arg(idText(best->id), speedupText(*m_population, *best)));
        }
        return tip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    }
    case kernelRole:
        return QVariant::fromValue(row->members > 0 ? KernelId{0} : KernelId{row->kernel});
    default:
        return {};
    }
}

} // namespace gks
