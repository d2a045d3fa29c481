// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/spend_model.h"

#include "core/base/quantity.h"
#include "widgets/charts/series_roles.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <algorithm>

namespace gks {

namespace {

QString tokens(std::int64_t count) {
    return toText(formatTokens(static_cast<std::uint64_t>(count)));
}

std::pair<std::string, QString> groupOf(const Exchange& exchange, const Population& population, SpendGroup group) {
    switch (group) {
    case SpendGroup::stage:
        return {exchange.stage, stageText(exchange.stage)};
    case SpendGroup::model:
        return {exchange.provider + ' ' + exchange.model,
                toText(exchange.model) % QStringLiteral("  (") % toText(exchange.provider) % QLatin1Char(')')};
    case SpendGroup::experiment: {
        if (!exchange.experiment) {
            return {"", QObject::tr("Selector and Designer (no experiment)")};
        }
        const Experiment* experiment = population.experiment(*exchange.experiment);
        return {std::to_string(*exchange.experiment), experiment == nullptr
                                                          ? QString::number(*exchange.experiment)
                                                          : toText(experiment->description).simplified()};
    }
    case SpendGroup::call:
        break;
    }
    QString name = dateText(exchange.at) % QStringLiteral("  ") % stageText(exchange.stage);
    if (exchange.kernel) {
        name += QStringLiteral("  ") % idText(*exchange.kernel);
    }
    return {std::to_string(exchange.id), name};
}

} // namespace

std::vector<SpendRow> spendRows(const std::vector<Exchange>& exchanges, const Population& population,
                                SpendGroup group) {
    std::vector<SpendRow> rows;
    std::map<std::string, std::size_t> places;
    SpendRow all;
    for (const Exchange& exchange : exchanges) {
        const auto [key, name] = groupOf(exchange, population, group);
        const auto [place, isNew] = places.try_emplace(key, rows.size());
        if (isNew) {
            rows.push_back({key, name});
        }
        for (SpendRow* row : {&rows[place->second], &all}) {
            row->calls += 1;
            row->failed += exchange.error.empty() ? 0 : 1;
            row->tokensIn += exchange.tokensIn;
            row->tokensOut += exchange.tokensOut;
            row->usd += exchange.usd.value_or(0);
            row->unpriced += exchange.usd ? 0 : 1;
            row->seconds += exchange.seconds;
        }
    }
    const bool money = all.usd > 0 && all.unpriced == 0;
    const double total = money ? all.usd : static_cast<double>(all.tokensIn + all.tokensOut);
    for (SpendRow& row : rows) {
        const double part = money ? row.usd : static_cast<double>(row.tokensIn + row.tokensOut);
        row.share = total > 0 ? part / total : 0;
    }
    return rows;
}

PlotSeries spendSeries(const std::vector<Exchange>& exchanges, bool money, QStringList& labels) {
    PlotSeries series{money ? QObject::tr("Cost") : QObject::tr("Tokens"), PlotSeries::Style::line, kernelColor, {}};
    labels.clear();
    double sum = 0;
    for (const Exchange& exchange : exchanges) {
        sum += money ? exchange.usd.value_or(0) : static_cast<double>(exchange.tokensIn + exchange.tokensOut);
        labels.append(dateText(exchange.at) % QStringLiteral("  ") % stageText(exchange.stage));
        series.points.push_back({static_cast<double>(labels.size()), sum});
    }
    return series;
}

void SpendModel::setRows(std::vector<SpendRow> rows) {
    updateRows(
        std::move(rows), [](const SpendRow& a, const SpendRow& b) { return a.key == b.key && a.name == b.name; },
        [](const SpendRow& a, const SpendRow& b) { return a == b; });
}

int SpendModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant SpendModel::data(const QModelIndex& index, int role) const {
    const SpendRow* row = at(index.row());
    if (row == nullptr) {
        return {};
    }
    const int column = index.column();
    if (role == Qt::DisplayRole) {
        const QStringList cells = {row->name,
                                   row->failed == 0 ? QString::number(row->calls)
                                                    : tr("%1, %2 failed").arg(row->calls).arg(row->failed),
                                   tokens(row->tokensIn),
                                   tokens(row->tokensOut),
                                   toText(formatCost(row->usd, row->unpriced == 0)),
                                   toText(formatPercent(row->share * 100)),
                                   toText(formatSeconds(row->seconds))};
        return cells.value(column);
    }
    if (role == sortRole) {
        switch (column) {
        case callsColumn:
            return row->calls;
        case inColumn:
            return static_cast<qlonglong>(row->tokensIn);
        case outColumn:
            return static_cast<qlonglong>(row->tokensOut);
        case usdColumn:
            return row->usd;
        case shareColumn:
            return row->share;
        case secondsColumn:
            return row->seconds;
        default:
            return row->name;
        }
    }
    if (role == Qt::TextAlignmentRole && column != nameColumn) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    }
    if (role == Qt::ToolTipRole && column == nameColumn) {
        return row->name;
    }
    return {};
}

QVariant SpendModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment((section != nameColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role == Qt::DisplayRole) {
        const QStringList names = {tr("Name"), tr("Calls"), tr("Tokens in"), tr("Tokens out"),
                                   tr("Cost"), tr("Share"), tr("Time")};
        return names.value(section);
    }
    return {};
}

} // namespace gks
