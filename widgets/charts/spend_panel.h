// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"

#include <array>

class QComboBox;
class QLabel;
class QProgressBar;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace gks {

class EmptyState;
class SpendModel;
class TimingPlot;

// What the campaign has cost and what is left: the budgets, the calls of models by stage, model, experiment or one by
// one, and the sum over the calls.
class SpendPanel final : public Panel {
    Q_OBJECT

public:
    explicit SpendPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_awaited; }

private:
    struct BudgetRow {
        QLabel* spent = nullptr;
        QProgressBar* bar = nullptr;
        QLabel* left = nullptr;
    };
    QWidget* buildBudgets();
    QWidget* buildCalls();
    void showBudgets();
    void showCalls();

    std::array<BudgetRow, 5> m_budgets;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QComboBox* m_group;
    QComboBox* m_measure;
    SpendModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    TimingPlot* m_plot;
    std::vector<Exchange> m_exchanges;
    QString m_asked;                // for which spend
    bool m_isMeasureChosen = false; // by the person
    bool m_awaited = false;
};

} // namespace gks
