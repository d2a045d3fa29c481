// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/history_panel.h"

#include "widgets/common/column_fit.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/row_table.h"
#include "widgets/common/terms.h"
#include "widgets/experiments/decision_undo.h"
#include "widgets/experiments/history_model.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

// Any of them, now or at some time: of the others a column would have nothing to tell.
bool canBeUndone(const std::vector<HistoryRow>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const HistoryRow& row) { return row.state != UndoState::none; });
}

} // namespace

HistoryPanel::HistoryPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_model(new HistoryModel(this))
    , m_filter(new HistoryFilter(m_model, this))
    , m_undo(new DecisionUndo(context.bridge, this))
    , m_words(named(new QLineEdit(this), "historyWords", tr("Filter the decisions")))
    , m_who(named(new QComboBox(this), "historyWho", tr("Who decided")))
    , m_table(named(new QTableView(this), "historyTable", tr("Decisions")))
    , m_why(new QLabel(this))
    , m_refusal(named(new MessageLabel(this), "historyRefusal", tr("Why it cannot be undone")))
    , m_undoButton(named(new QPushButton(tr("&Undo"), this), "historyUndo", tr("Undo the chosen decision"))) {
    setObjectName(QStringLiteral("historyPanel"));
    auto* empty = new EmptyState(this);
    empty->setText(tr("What was decided"),
                   tr("Every decision of yours, of the models and of the engine is kept here. What has not come to "
                      "anything yet can be undone."));
    buildTable();
    m_stack->addWidget(empty);
    m_stack->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildTools());
    column->addWidget(m_refusal);
    m_refusal->setProperty("error", true);
    m_refusal->setContentsMargins(spacing3, 0, spacing3, spacing2);
    m_refusal->hide();
    connect(m_undo, &DecisionUndo::refused, this, &HistoryPanel::showRefusal);
    column->addWidget(m_stack, 1);
    connect(m_words, &QLineEdit::textChanged, m_filter, &HistoryFilter::setWords);
    connect(m_who, &QComboBox::currentIndexChanged, this, [this] {
        const int who = m_who->currentData().toInt();
        m_filter->setWho(who < 0 ? std::nullopt : std::optional(static_cast<Author>(who)));
    });
    connect(m_undoButton, &QPushButton::clicked, this, &HistoryPanel::undoChosen);
    showChoice();
}

QWidget* HistoryPanel::buildTools() {
    m_words->setPlaceholderText(tr("Filter"));
    m_words->setClearButtonEnabled(true);
    m_who->addItem(tr("Everybody"), -1);
    for (const Author who : {Author::person, Author::model, Author::tuner, Author::engine}) {
        m_who->addItem(authorText(who), static_cast<int>(who));
    }
    m_why->setObjectName(QStringLiteral("historyWhy"));
    m_why->setTextFormat(Qt::PlainText);
    m_why->setProperty("quiet", true);
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    row->setSpacing(spacing2);
    row->addWidget(m_words, 1);
    row->addWidget(m_who);
    row->addWidget(m_why);
    row->addWidget(m_undoButton);
    return bar;
}

void HistoryPanel::buildTable() {
    m_table->setModel(m_filter);
    showAsRows(m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    new ColumnFit(m_table, {HistoryModel::Detail});
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &HistoryPanel::showChoice);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, m_refusal, &QWidget::hide);
}

void HistoryPanel::refresh() {
    m_awaited = true;
    bridge().askSteering(this, [this](const Result<std::vector<Steering>>& history) {
        m_awaited = false;
        m_work.start([lines = history.value_or(std::vector<Steering>{}), population = bridge().population()](
                         const std::stop_token&) { return historyRows(lines, *population); },
                     [this](const std::vector<HistoryRow>& rows) {
                         if (m_model->rowCount() > 0 && static_cast<int>(rows.size()) != m_model->rowCount()) {
                             m_refusal->hide();
                         }
                         m_model->setRows(rows);
                         m_stack->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
                         m_table->setColumnHidden(HistoryModel::Undo, !canBeUndone(rows));
                         showChoice();
                         Q_EMIT settled();
                     });
    });
}

void HistoryPanel::showChoice() {
    const HistoryRow* row = m_filter->at(m_table->currentIndex());
    m_undoButton->setEnabled(!bridge().readOnly() && row != nullptr && row->state == UndoState::open);
    m_undoButton->setToolTip(row == nullptr                  ? tr("Choose a decision first")
                             : row->state == UndoState::none ? tr("A decision of this kind cannot be undone")
                                                             : undoText(*row).toHtmlEscaped());
    const bool isTold = row != nullptr && !row->why.empty();
    m_why->setText(isTold ? tr("It stays") : QString());
    m_why->setToolTip(isTold ? undoText(*row).toHtmlEscaped() : QString());
}

void HistoryPanel::showRefusal(const Error& error) {
    m_refusal->setText(toText(error.what)); // what to do next is what this page shows
    m_refusal->show();
}

void HistoryPanel::undoChosen() {
    if (const HistoryRow* row = m_filter->at(m_table->currentIndex()); row != nullptr) {
        m_undo->undo(row->line.id);
    }
}

} // namespace gks
