// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/row_model.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QString>

namespace gks {

// Prompts and replies in the order in which they were sent. Exchanges never change, so an update only adds and removes
// rows.
class ExchangeModel final : public RowModel<QAbstractListModel, Exchange> {
    Q_OBJECT

public:
    explicit ExchangeModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setExchanges(std::vector<Exchange> exchanges);
    QStringList stages() const; // that occur, in order of appearance
    QStringList models() const;

    QVariant data(const QModelIndex& index, int role) const override;
};

// Empty values let everything through.
class ExchangeFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit ExchangeFilter(ExchangeModel* model, QObject* parent = nullptr);

    void setStage(const QString& stage);
    void setModelName(const QString& model);
    void setOnlyErrors(bool on);
    const Exchange* at(int row) const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    ExchangeModel* m_model;
    QString m_stage;
    QString m_modelName;
    bool m_onlyErrors = false;
};

} // namespace gks
