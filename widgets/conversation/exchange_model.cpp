// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/exchange_model.h"

#include "core/base/quantity.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

namespace gks {

void ExchangeModel::setExchanges(std::vector<Exchange> exchanges) {
    const auto same = [](const Exchange& a, const Exchange& b) { return a.id == b.id; };
    updateRows(std::move(exchanges), same, same);
}

QStringList ExchangeModel::stages() const {
    QStringList found;
    for (const Exchange& exchange : rows()) {
        if (const QString stage = toText(exchange.stage); !found.contains(stage)) {
            found.append(stage);
        }
    }
    return found;
}

QStringList ExchangeModel::models() const {
    QStringList found;
    for (const Exchange& exchange : rows()) {
        if (const QString model = toText(exchange.model); !found.contains(model)) {
            found.append(model);
        }
    }
    return found;
}

QVariant ExchangeModel::data(const QModelIndex& index, int role) const {
    const Exchange* exchange = at(index.row());
    if (exchange == nullptr) {
        return {};
    }
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) {
        QString text = stageText(exchange->stage);
        if (exchange->kernel) {
            text += QStringLiteral(" ") % idText(*exchange->kernel);
        }
        text += QStringLiteral(", ") % toText(exchange->model) % QStringLiteral(", ") % costText(*exchange);
        return exchange->error.empty() ? text : QString(text % tr(", failed"));
    }
    if (role == Qt::ToolTipRole && !exchange->error.empty()) {
        return toText(exchange->error);
    }
    return {};
}

ExchangeFilter::ExchangeFilter(ExchangeModel* model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(model);
}

void ExchangeFilter::setStage(const QString& stage) {
    m_stage = stage;
    invalidateFilter();
}

void ExchangeFilter::setModelName(const QString& model) {
    m_modelName = model;
    invalidateFilter();
}

void ExchangeFilter::setOnlyErrors(bool on) {
    m_onlyErrors = on;
    invalidateFilter();
}

const Exchange* ExchangeFilter::at(int row) const {
    return m_model->at(mapToSource(index(row, 0)).row());
}

bool ExchangeFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    const Exchange& exchange = *m_model->at(row);
    return (m_stage.isEmpty() || toText(exchange.stage) == m_stage) &&
           (m_modelName.isEmpty() || toText(exchange.model) == m_modelName) &&
           (!m_onlyErrors || !exchange.error.empty());
}

} // namespace gks
