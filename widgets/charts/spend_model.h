// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/charts/timing_plot.h"
#include "widgets/common/row_model.h"

#include <QAbstractTableModel>
#include <QString>

namespace gks {

enum class SpendGroup { stage, model, experiment, call };

struct SpendRow {
    std::string key;
    QString name;
    int calls = 0;
    int failed = 0;
    std::int64_t tokensIn = 0;
    std::int64_t tokensOut = 0;
    double usd = 0;
    int unpriced = 0;   // calls whose price is not known
    double seconds = 0; // waited for answers
    double share = 0;   // of all money, or of all tokens where nothing costs money or not all prices are known

    bool operator==(const SpendRow&) const = default;
};

// In the order in which the groups first occur.
std::vector<SpendRow> spendRows(const std::vector<Exchange>& exchanges, const Population& population, SpendGroup group);
// What was spent after each call, in USD or in tokens.
PlotSeries spendSeries(const std::vector<Exchange>& exchanges, bool money, QStringList& labels);

class SpendModel final : public RowModel<QAbstractTableModel, SpendRow> {
    Q_OBJECT

public:
    enum Column { nameColumn, callsColumn, inColumn, outColumn, usdColumn, shareColumn, secondsColumn, columnTotal };
    static constexpr int sortRole = Qt::UserRole + 1;
    explicit SpendModel(QObject* parent = nullptr) : RowModel(parent) {}

    void setRows(std::vector<SpendRow> rows);
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
};

} // namespace gks
