// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/history_model.h"

#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QStringList>
#include <algorithm>
#include <iterator>
#include <string_view>

namespace gks {
namespace {

// "evaluations 50, minutes unlimited, ..." in the language of the window; what has no limit is not named one by one.
// Earlier versions wrote a budget without a limit as 0, and no line of a campaign file changes.
QString budgetsText(const QString& detail) {
    struct Budget {
        const char* stored;
        QString text;
    };
    const Budget known[] = {{"evaluations ", HistoryModel::tr("evaluations %1")},
                            {"minutes ", HistoryModel::tr("minutes %1")},
                            {"$", HistoryModel::tr("cost $%1")},
                            {"cost ", HistoryModel::tr("cost %1")},
                            {"money ", HistoryModel::tr("cost %1")},
                            {"tokens ", HistoryModel::tr("tokens %1")},
                            {"device time ", HistoryModel::tr("device time %1")},
                            {"goal ", HistoryModel::tr("goal %1")},
                            {"experiments without a new best ", HistoryModel::tr("experiments without a new best %1")}};
    QStringList limits;
    bool isOpen = false;
    for (const QString& part : detail.split(QStringLiteral(", "))) {
        const auto* budget =
            std::ranges::find_if(known, [&](const Budget& one) { return part.startsWith(QLatin1String(one.stored)); });
        if (budget == std::end(known)) {
            return detail; // of another version
        }
        const QString value = part.mid(static_cast<qsizetype>(std::string_view(budget->stored).size()));
        static const QStringList none = {QStringLiteral("unlimited"), QStringLiteral("0"), QStringLiteral("0.00"),
                                         QStringLiteral("0 s")};
        if (none.contains(value)) {
            isOpen = true;
        } else {
            limits << budget->text.arg(value);
        }
    }
    return limits.isEmpty() ? HistoryModel::tr("no limits")
           : isOpen         ? HistoryModel::tr("%1, else no limits").arg(limits.join(QStringLiteral(", ")))
                            : limits.join(QStringLiteral(", "));
}

} // namespace

std::vector<HistoryRow> historyRows(const std::vector<Steering>& history, const Population& population) {
    const UndoChoices choices = undoChoices(history, population);
    std::vector<HistoryRow> rows;
    const std::size_t first = history.size() > undoLimit ? history.size() - undoLimit : 0;
    for (std::size_t i = first; i < history.size(); ++i) {
        HistoryRow row{history[i], UndoState::none, {}};
        if (const auto found = choices.find(row.line.id); found != choices.end()) {
            row.state = found->second.state;
            row.why = found->second.why;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

QString undoText(const HistoryRow& row) {
    switch (row.state) {
    case UndoState::open:
        return HistoryModel::tr("can be undone");
    case UndoState::takenBack:
        return HistoryModel::tr("undone");
    case UndoState::none: // the core says no more: so it is with every line of the kind
        return !row.why.empty()                 ? toText(row.why)
               : row.line.who == Author::person ? HistoryModel::tr("a decision of this kind cannot be undone")
                                                : HistoryModel::tr("not yours");
    default:
        return toText(row.why);
    }
}

void HistoryModel::setRows(std::vector<HistoryRow> rows) {
    updateRows(
        std::move(rows), [](const HistoryRow& a, const HistoryRow& b) { return a.line.id == b.line.id; },
        [](const HistoryRow& a, const HistoryRow& b) { return a == b; });
}

int HistoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    const HistoryRow* row = at(index.row());
    if (row == nullptr || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    QString text;
    switch (index.column()) {
    case When:
        text = dateText(row->line.at);
        break;
    case Who:
        text = authorText(row->line.who);
        break;
    case Action:
        text = word(row->line.action);
        break;
    case Detail:
        text = row->line.action == "set budgets" ? budgetsText(toText(row->line.detail)) : toText(row->line.detail);
        break;
    case Undo:
        text = undoText(*row);
        break;
    default:
        return {};
    }
    // A tip of hostile text stays plain; what is in the cell is one line.
    return role == Qt::ToolTipRole ? text.toHtmlEscaped() : text.simplified();
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case When:
        return tr("When");
    case Who:
        return tr("Who");
    case Action:
        return tr("Decision");
    case Detail:
        return tr("About");
    case Undo:
        return tr("Undo");
    default:
        return {};
    }
}

HistoryFilter::HistoryFilter(HistoryModel* model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(model);
    sort(0);
}

void HistoryFilter::setWords(const QString& words) {
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void HistoryFilter::setWho(std::optional<Author> who) {
    m_who = who;
    invalidateFilter();
}

const HistoryRow* HistoryFilter::at(const QModelIndex& index) const {
    return index.isValid() ? m_model->at(mapToSource(index).row()) : nullptr;
}

bool HistoryFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    const HistoryRow* one = m_model->at(row);
    if (one == nullptr || (m_who && one->line.who != *m_who)) {
        return false;
    }
    const QString text = toText(one->line.action) + QLatin1Char(' ') + word(one->line.action) + QLatin1Char(' ') +
                         toText(one->line.detail);
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool HistoryFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    return left.row() > right.row();
}

} // namespace gks
