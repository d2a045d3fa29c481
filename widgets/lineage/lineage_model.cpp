// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/lineage_model.h"

#include "core/campaign/confirmation.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"

#include <QColor>
#include <algorithm>

namespace gks {
namespace {

// "2 shapes", "3 shapes, 1 not decided"; empty: on none.
QString championOnText(const std::vector<const ShapeChampion*>& won) {
    if (won.empty()) {
        return {};
    }
    const auto open = std::ranges::count_if(won, [](const ShapeChampion* one) { return !one->isDecided(); });
    const QString shapes =
        won.size() == 1 ? LineageModel::tr("1 shape") : LineageModel::tr("%1 shapes").arg(won.size());
    return open == 0 ? shapes : LineageModel::tr("%1, %2 not decided").arg(shapes).arg(open);
}

bool areSame(const SpeedRatio* a, const SpeedRatio* b) {
    return a == nullptr || b == nullptr ? a == b : *a == *b;
}

} // namespace

void LineageModel::setPopulation(const PopulationPtr& population) {
    const PopulationPtr before = std::exchange(m_population, population);
    if (before == population) {
        return;
    }
    // All that champions follow from: to find them in a large population takes a tenth of a second.
    bool moved = !before || before->shapeScales != population->shapeScales || before->best != population->best;
    for (const Kernel& kernel : population->kernels) {
        if (!m_nodes.contains(kernel.id)) {
            insert(kernel);
            moved = moved || isMeasured(kernel);
            continue;
        }
        const Kernel* old = before ? before->kernel(kernel.id) : nullptr;
        const auto looksOther = [&] { // mostly the two populations share the kernel
            return (old != &kernel && *old != kernel) || !areSame(before->speed(*old), population->speed(kernel));
        };
        if (old == nullptr || looksOther()) {
            tellOf(kernel.id);
            moved = moved || old == nullptr || isMeasured(*old) != isMeasured(kernel);
        }
    }
    if (moved) {
        findChampions();
    }
}

void LineageModel::tellOf(KernelId kernel) {
    const QModelIndex first = indexOf(kernel);
    Q_EMIT dataChanged(first, first.siblingAtColumn(columnTotal - 1));
}

// A new kernel takes a shape from one that has not changed itself.
void LineageModel::findChampions() {
    const Champions earlier = std::exchange(m_champions, championsOf(*m_population));
    const auto tellWhereDifferent = [this](const Champions& champions, const Champions& others) {
        for (const ShapeChampion& one : champions.shapes) {
            const ShapeChampion* other = others.of(one.shape);
            if (other == nullptr || other->kernel != one.kernel || other->rivals != one.rivals) {
                tellOf(one.kernel);
            }
        }
    };
    tellWhereDifferent(earlier, m_champions);
    tellWhereDifferent(m_champions, earlier);
}

void LineageModel::insert(const Kernel& kernel) {
    const KernelId wanted = kernel.parents.empty() ? 0 : kernel.parents.front();
    const KernelId parentId = m_nodes.contains(wanted) ? wanted : 0;
    const int row = static_cast<int>(node(parentId).children.size());
    beginInsertRows(parentId == 0 ? QModelIndex() : indexOf(parentId), row, row);
    m_nodes[parentId].children.push_back(kernel.id);
    m_nodes[kernel.id] = {parentId, row, {}};
    endInsertRows();
}

const Kernel* LineageModel::kernel(const QModelIndex& index) const {
    return index.isValid() && m_population ? m_population->kernel(static_cast<KernelId>(index.internalId())) : nullptr;
}

QModelIndex LineageModel::indexOf(KernelId kernel) const {
    const auto found = m_nodes.find(kernel);
    return kernel == 0 || found == m_nodes.end() ? QModelIndex()
                                                 : createIndex(found->second.row, 0, static_cast<quintptr>(kernel));
}

QModelIndex LineageModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    const Node& above = node(parent.isValid() ? static_cast<KernelId>(parent.internalId()) : 0);
    return createIndex(row, column, static_cast<quintptr>(above.children[static_cast<std::size_t>(row)]));
}

QModelIndex LineageModel::parent(const QModelIndex& child) const {
    return child.isValid() ? indexOf(node(static_cast<KernelId>(child.internalId())).parent) : QModelIndex();
}

int LineageModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) {
        return 0;
    }
    return static_cast<int>(node(parent.isValid() ? static_cast<KernelId>(parent.internalId()) : 0).children.size());
}

int LineageModel::columnCount(const QModelIndex&) const {
    return columnTotal;
}

QVariant LineageModel::display(const Kernel& kernel, int column) const {
    switch (column) {
    case idColumn:
        return idText(kernel.id);
    case titleColumn:
        return toText(kernel.title);
    case speedupColumn:
        return isMeasured(kernel) ? scaledSpeedOf(*m_population, kernel) : QString();
    case championColumn:
        return championOnText(m_champions.wonBy(kernel.id));
    case geomeanColumn:
        return geomeanText(kernel, m_population->settings.target);
    case versusParentColumn:
        return versusParentText(kernel);
    case verdictColumn:
        return standingText(kernel);
    case authorColumn:
        return authorText(kernel);
    default:
        return {};
    }
}

QString LineageModel::championsTip(KernelId kernel) const {
    QStringList lines;
    for (const ShapeChampion* one : m_champions.wonBy(kernel)) {
        lines.append(shapeText(one->shape) % QStringLiteral(": ") % speedOf(one->speed) %
                     (one->isDecided() ? QString() : QString(QStringLiteral("; ") % championOf(*one))));
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant LineageModel::data(const QModelIndex& index, int role) const {
    const Kernel* entry = kernel(index);
    if (entry == nullptr) {
        return {};
    }
    const VerdictMark mark = markOf(*entry);
    switch (role) {
    case Qt::DisplayRole:
        return display(*entry, index.column());
    case Qt::DecorationRole:
        return index.column() == idColumn ? QVariant(markIcon(mark)) : QVariant();
    case Qt::ForegroundRole:
        if (index.column() == verdictColumn || (index.column() == speedupColumn && m_population->best == entry->id)) {
            return colorOf(mark, Theme::instance().palette());
        }
        return entry->banned ? QVariant(Theme::instance().palette().quietText) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() >= speedupColumn && index.column() <= versusParentColumn
                   ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter))
                   : QVariant();
    case Qt::ToolTipRole:
        if (index.column() == championColumn) {
            return championsTip(entry->id);
        }
        return toText(entry->reason.empty() ? entry->title : reasonText(*m_population, *entry));
    case Qt::AccessibleTextRole:
        return index.column() == idColumn ? QString(idText(entry->id) % QStringLiteral(", ") % kernelStateText(*entry))
                                          : display(*entry, index.column());
    case kernelRole:
        return QVariant::fromValue(entry->id);
    case markRole:
        return static_cast<int>(mark);
    case sortRole:
        if (index.column() == speedupColumn || index.column() == geomeanColumn) {
            const SpeedRatio* speed = m_population->speed(*entry);
            return index.column() == geomeanColumn ? entry->geomeanUs : speed != nullptr ? speed->ratio : 0;
        }
        if (index.column() == championColumn) {
            return static_cast<int>(m_champions.wonBy(entry->id).size());
        }
        return index.column() == idColumn ? QVariant::fromValue(entry->id) : display(*entry, index.column());
    default:
        return {};
    }
}

QVariant LineageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case idColumn:
        return tr("Kernel");
    case titleColumn:
        return tr("Title");
    case speedupColumn:
        return tr("Speedup");
    case championColumn:
        return tr("Champion on");
    case geomeanColumn:
        return tr("Time alone");
    case versusParentColumn:
        return tr("vs parent");
    case verdictColumn:
        return tr("Verdict");
    case authorColumn:
        return tr("Author");
    default:
        return {};
    }
}

bool matchesSearch(const Kernel& kernel, const QString& query) {
    const QStringList words = query.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QString whole = idText(kernel.id) % QLatin1Char(' ') % toText(kernel.title) % QLatin1Char(' ') %
                          kernelStateText(kernel) % QLatin1Char(' ') % authorText(kernel);
    return std::all_of(words.begin(), words.end(),
                       [&whole](const QString& word) { return whole.contains(word, Qt::CaseInsensitive); });
}

} // namespace gks
