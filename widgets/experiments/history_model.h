// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/undo.h"
#include "widgets/common/row_model.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <optional>

namespace gks {

struct HistoryRow {
    Steering line; // `detail` is what a person reads
    UndoState state = UndoState::none;
    std::string why;
    bool operator==(const HistoryRow&) const = default;
};

// The newest undoLimit decisions, by id.
std::vector<HistoryRow> historyRows(const std::vector<Steering>& history, const Population& population);
// Whether it can be undone, and where not, why.
QString undoText(const HistoryRow& row); // "can be undone", "undone", "not yours"

class HistoryModel final : public RowModel<QAbstractTableModel, HistoryRow> {
    Q_OBJECT

public:
    enum Column { When, Who, Action, Detail, Undo, ColumnCount };

    explicit HistoryModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setRows(std::vector<HistoryRow> rows);
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

// The newest first.
class HistoryFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit HistoryFilter(HistoryModel* model, QObject* parent = nullptr);

    void setWords(const QString& words); // all of them occur, in the action or the text
    void setWho(std::optional<Author> who);
    const HistoryRow* at(const QModelIndex& index) const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    HistoryModel* m_model;
    QStringList m_words;
    std::optional<Author> m_who;
};

} // namespace gks
