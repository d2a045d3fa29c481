// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/spend_panel.h"

#include "core/base/quantity.h"
#include "widgets/charts/spend_model.h"
#include "widgets/charts/timing_plot.h"
#include "widgets/common/column_fit.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/row_table.h"
#include "widgets/common/terms.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

namespace {

constexpr int barSteps = 1000;

QString tokensText(double count) {
    return toText(formatTokens(static_cast<std::uint64_t>(std::max(0.0, count))));
}

QString count(double value) {
    return QString::number(static_cast<qlonglong>(value));
}

QString seconds(double value) {
    return toText(formatSeconds(value));
}

QString usd(double value) {
    return toText(formatUsd(value));
}

} // namespace

SpendPanel::SpendPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_group(named(new QComboBox(this), "spendGroup", tr("Group calls by")))
    , m_measure(named(new QComboBox(this), "spendMeasure", tr("Chart value")))
    , m_model(new SpendModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(named(new QTableView(this), "spendTable", tr("Model calls")))
    , m_plot(new TimingPlot(tr("Spend so far"), tr("Call"), tr("Cost"), this)) {
    setObjectName(QStringLiteral("spendPanel"));
    m_plot->setObjectName(QStringLiteral("spendPlot"));
    m_plot->setAccessibleName(tr("Chart: spend so far"));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildCalls());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBudgets());
    column->addWidget(m_stack, 1);
    connect(m_group, &QComboBox::currentIndexChanged, this, &SpendPanel::showCalls);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &SpendPanel::showCalls);
    connect(m_measure, &QComboBox::activated, this, [this] { m_isMeasureChosen = true; });
}

QWidget* SpendPanel::buildBudgets() {
    const QStringList names = {tr("Evaluations"), tr("Device time"), tr("Wall time"), tr("Cost"), tr("Tokens")};
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(spacing3, spacing3, spacing3, spacing3);
    grid->setHorizontalSpacing(spacing3);
    grid->setVerticalSpacing(spacing1);
    for (int row = 0; row < names.size(); ++row) {
        BudgetRow& budget = m_budgets[static_cast<std::size_t>(row)];
        budget.spent = new QLabel;
        budget.spent->setObjectName(QStringLiteral("spendOf.%1").arg(row));
        budget.spent->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        budget.left = new QLabel;
        budget.left->setObjectName(QStringLiteral("spendLeft.%1").arg(row));
        budget.left->setProperty("quiet", true);
        budget.bar = new QProgressBar;
        budget.bar->setAccessibleName(tr("Budget used: %1").arg(names[row]));
        budget.bar->setRange(0, barSteps);
        budget.bar->setTextVisible(false);
        budget.bar->setFixedHeight(8);
        grid->addWidget(new QLabel(names[row]), row, 0);
        grid->addWidget(budget.spent, row, 1);
        grid->addWidget(budget.bar, row, 2);
        grid->addWidget(budget.left, row, 3);
    }
    grid->setColumnStretch(2, 1);
    return box;
}

QWidget* SpendPanel::buildCalls() {
    m_group->addItem(tr("By stage"), static_cast<int>(SpendGroup::stage));
    m_group->addItem(tr("By model"), static_cast<int>(SpendGroup::model));
    m_group->addItem(tr("By experiment"), static_cast<int>(SpendGroup::experiment));
    m_group->addItem(tr("Single calls"), static_cast<int>(SpendGroup::call));
    m_measure->addItem(tr("Cost"), true);
    m_measure->addItem(tr("Tokens"), false);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(SpendModel::sortRole);
    m_table->setModel(m_sorted);
    showAsRows(m_table);
    new ColumnFit(m_table, {SpendModel::nameColumn});
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as they came
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(spacing3, 0, spacing3, spacing1);
    tools->setSpacing(spacing2);
    tools->addWidget(new QLabel(tr("Calls")));
    tools->addWidget(m_group);
    tools->addStretch(1);
    tools->addWidget(new QLabel(tr("Chart")));
    tools->addWidget(m_measure);
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setObjectName(QStringLiteral("spendParts"));
    parts->addWidget(m_table);
    parts->addWidget(m_plot);
    parts->setSizes({260, 300});
    parts->setChildrenCollapsible(false);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(tools);
    column->addWidget(parts, 1);
    return page;
}

void SpendPanel::refresh() {
    const Population& population = *bridge().population();
    m_empty->setText(tr("Model calls"),
                     population.settings.scientist == ScientistKind::tuner
                         ? tr("The tuner makes no model calls. It uses evaluations and device time only.")
                         : tr("Press Run. Every model call is listed here with its tokens and cost."));
    showBudgets();
    if (!m_isMeasureChosen && population.spend.tokens > 0) { // a line at $0.00 says nothing
        m_measure->setCurrentIndex(m_measure->findData(population.spend.usd > 0));
    }
    const QString asked = QStringLiteral("%1 %2 %3 %4")
                              .arg(population.spend.tokens)
                              .arg(population.spend.usd)
                              .arg(population.experiments.size())
                              .arg(bridge().warnings().size());
    if (asked == m_asked) {
        return;
    }
    m_asked = asked;
    m_awaited = true;
    bridge().askExchanges(this, {}, {}, [this](const Result<std::vector<Exchange>>& answer) {
        m_awaited = false;
        m_exchanges = answer.value_or(std::vector<Exchange>{});
        for (Exchange& exchange : m_exchanges) { // the numbers are what counts here
            exchange.prompt.clear();
            exchange.prompt.shrink_to_fit();
            exchange.reply.clear();
            exchange.reply.shrink_to_fit();
        }
        showCalls();
        Q_EMIT settled();
    });
}

void SpendPanel::showBudgets() {
    const Spend& spend = bridge().population()->spend;
    const Budgets& budgets = bridge().population()->settings.budgets;
    const auto show = [](BudgetRow& row, double spent, double budget, QString (*format)(double)) {
        row.spent->setText(format(spent));
        row.bar->setVisible(budget > 0);
        row.bar->setValue(budget > 0 ? static_cast<int>(std::min(1.0, spent / budget) * barSteps) : 0);
        row.left->setText(budget > 0
                              ? QObject::tr("%1 of %2 left").arg(format(std::max(0.0, budget - spent)), format(budget))
                              : QObject::tr("Unlimited"));
    };
    show(m_budgets[0], static_cast<double>(spend.evaluations), static_cast<double>(budgets.evaluations), count);
    show(m_budgets[1], spend.gpuSeconds, budgets.gpuSeconds, seconds);
    show(m_budgets[2], spend.wallSeconds, budgets.minutes * 60, seconds);
    show(m_budgets[3], spend.usd, budgets.usd, usd);
    m_budgets[3].spent->setText(costText(spend));
    show(m_budgets[4], static_cast<double>(spend.tokens), static_cast<double>(budgets.tokens), tokensText);
}

void SpendPanel::showCalls() {
    m_stack->setCurrentIndex(m_exchanges.empty() ? 0 : 1);
    m_model->setRows(
        spendRows(m_exchanges, *bridge().population(), static_cast<SpendGroup>(m_group->currentData().toInt())));
    const bool money = m_measure->currentData().toBool();
    QStringList labels;
    PlotSeries series = spendSeries(m_exchanges, money, labels);
    m_plot->setValues(money ? tr("Cost") : tr("Tokens"), money ? QStringLiteral("USD") : tr("Tokens"),
                      money ? usd : tokensText);
    m_plot->setXLabels(labels);
    m_plot->setSeries({std::move(series)});
}

} // namespace gks
