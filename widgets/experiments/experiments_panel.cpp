// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/experiments_panel.h"

#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/experiments/code_review.h"
#include "widgets/experiments/experiment_delegate.h"
#include "widgets/experiments/experiment_editor.h"
#include "widgets/experiments/experiment_model.h"
#include "widgets/experiments/next_parent_card.h"
#include "widgets/experiments/offered_pages.h"
#include "widgets/experiments/round_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace gks {

ExperimentsPanel::ExperimentsPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_review(new CodeReview(this))
    , m_model(new ExperimentModel(this, &bridge().nearDuplicates()))
    , m_order(new ExperimentOrder(this))
    , m_count(new ElidedLabel(this))
    , m_list(new QListView(this))
    , m_empty(new EmptyState(this))
    , m_round(new RoundView(this))
    , m_editor(new ExperimentEditor(this))
    , m_unsaved(createUnsaved()) {
    setObjectName(QStringLiteral("experimentsPanel"));
    m_order->setSourceModel(m_model);
    m_list->setModel(m_order);
    m_list->setItemDelegate(new ExperimentDelegate(m_list));
    m_list->setObjectName(QStringLiteral("experimentList"));
    m_list->setAccessibleName(tr("Experiments"));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_empty->setText(tr("No experiments yet"), tr("Press Run or Step to get experiments, or add your own."));
    m_count->setObjectName(QStringLiteral("experimentCount"));
    m_count->setProperty("quiet", true);
    createActions();

    auto* upper = new QWidget(this);
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(0);
    upperLayout->addWidget(createTools());
    upperLayout->addWidget(m_empty, 1);
    upperLayout->addWidget(m_list, 1);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setObjectName(QStringLiteral("experimentParts"));
    parts->addWidget(upper);
    auto* pages = new OfferedPages(tr("Experiment or its round"), this);
    pages->setObjectName(QStringLiteral("experimentPages"));
    pages->addPart(m_round, tr("Round"));
    pages->addPart(m_editor, tr("Experiment"));
    parts->addWidget(pages);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setSizes({300, 400});
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new NextParentCard(context, this));
    layout->addWidget(m_review);
    layout->addWidget(m_unsaved->notice());
    layout->addWidget(parts, 1);

    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &ExperimentsPanel::chosen);
    connect(context.selection, &SelectionContext::experimentChanged, this, &Panel::scheduleRefresh);
    connect(context.selection, &SelectionContext::changed, this, &ExperimentsPanel::followKernel);
    connect(m_editor, &ExperimentEditor::typed, m_unsaved, &UnsavedText::touch);
    connect(m_editor, &ExperimentEditor::edited, this,
            [this](const command::EditExperiment& edit) { bridge().send(edit); });
    connect(m_editor, &ExperimentEditor::created, this, &ExperimentsPanel::sendOwn);
    connect(m_editor, &ExperimentEditor::codeRequested, this, &ExperimentsPanel::codeRequested);
    connect(m_round, &RoundView::askRequested, this, [this](const command::AskForAvenue& ask) { bridge().send(ask); });
    m_editor->setCheck([this](const command::AddExperiment& add) { return checkCommand(add, *bridge().population()); });
    connect(m_editor, &ExperimentEditor::approveRequested, this,
            [this](qint64 id) { bridge().send(command::ApproveExperiment{id}); });
    connect(m_editor, &ExperimentEditor::rejectRequested, this,
            [this](qint64 id) { bridge().send(command::RejectExperiment{id}); });
    connectReview();
    if (!selection().experiment()) { // pages are made one after the other, and the kernel may have been selected before
        followKernel();
    }
}

void ExperimentsPanel::connectReview() {
    connect(m_review, &CodeReview::decided, this, [this](const SteeringCommand& command) { bridge().send(command); });
    connect(m_review, &CodeReview::lookedAt, this, [this](qint64 id) {
        const Kernel* draft = bridge().population()->kernel(id);
        if (draft != nullptr && !draft->parents.empty()) {
            selection().setExperiment(draft->experiment);
            selection().setPair(draft->id, draft->parents.front());
            selection().requestPage(QStringLiteral("compare"));
        }
    });
    connect(m_review, &CodeReview::editRequested, this, [this](qint64 id) {
        selection().select(id);
        selection().requestEdit(id);
    });
}

UnsavedText* ExperimentsPanel::createUnsaved() {
    UnsavedText::Form form;
    form.what = [this] { return m_editor->unsent(); };
    form.content = [this] { return m_editor->unsentFields(); };
    form.restore = [this](const QJsonObject& fields) {
        const ExperimentId id = fields.value(QLatin1String("experiment")).toInteger();
        if (id != 0 && std::exchange(m_seeksText, false)) {
            selection().setExperiment(id); // shows it, and then its text is asked for again
        }
        return m_editor->restore(fields);
    };
    form.discard = [this] { m_editor->drop(); };
    form.leave = [this] { m_editor->commit(); };
    return new UnsavedText(QStringLiteral("experiment"), std::move(form), this);
}

void ExperimentsPanel::createActions() {
    actions().add(this,
                  {.id = "experiment.add",
                   .text = tr("&Add experiment"),
                   .menu = tr("&Experiment"),
                   .shortcut = QKeySequence(Qt::CTRL | Qt::Key_E),
                   .icon = Icon::plus,
                   .tip = tr("Add an experiment on the selected kernel")},
                  [this] { addOwn(); });
    actions().add(
        this,
        {.id = "experiment.up",
         .text = tr("Move experiment &up"),
         .menu = tr("&Experiment"),
         .shortcut = QKeySequence(Qt::CTRL | Qt::Key_Up)},
        [this] { move(-1); }, true);
    actions().add(
        this,
        {.id = "experiment.down",
         .text = tr("Move experiment &down"),
         .menu = tr("&Experiment"),
         .shortcut = QKeySequence(Qt::CTRL | Qt::Key_Down)},
        [this] { move(1); }, true);
    for (const char* id : {"experiment.add", "experiment.up", "experiment.down"}) {
        if (bridge().readOnly()) {
            actions().action(id)->setEnabled(false);
            ActionCollection::setTip(actions().action(id), readOnlyReason());
        }
    }
}

QWidget* ExperimentsPanel::createTools() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(spacing2, spacing1, spacing1, spacing1);
    layout->setSpacing(spacing1);
    layout->addWidget(m_count, 1);
    auto* shown = new QComboBox(bar);
    shown->setObjectName(QStringLiteral("experimentsShown"));
    shown->setAccessibleName(tr("Filter experiments by state"));
    shown->setToolTip(tr("Filter experiments by state"));
    using Show = ExperimentOrder::Show;
    for (const auto& [show, text] :
         {std::pair{Show::all, tr("All")}, std::pair{Show::open, tr("Open")}, std::pair{Show::ended, tr("Finished")},
          std::pair{Show::notPicked, tr("Not picked")}}) {
        shown->addItem(text, static_cast<int>(show));
    }
    connect(shown, &QComboBox::currentIndexChanged, this,
            [this, shown] { m_order->setShown(static_cast<Show>(shown->currentData().toInt())); });
    layout->addWidget(shown);
    const auto button = [&](const char* id, Qt::ArrowType arrow) {
        auto* tool = new QToolButton(bar);
        tool->setObjectName(QLatin1String(id) + QStringLiteral(".button"));
        QAction* action = actions().action(id);
        tool->setAccessibleName(action->text().remove(QLatin1Char('&')));
        tool->setToolTip(action->text().remove(QLatin1Char('&')) + QStringLiteral(" (") +
                         action->shortcut().toString(QKeySequence::NativeText) + QLatin1Char(')'));
        tool->setEnabled(action->isEnabled());
        if (!action->isEnabled()) {
            tool->setToolTip(action->toolTip());
        }
        tool->setAutoRaise(true);
        if (arrow == Qt::NoArrow) {
            tool->setIcon(action->icon());
        } else {
            tool->setArrowType(arrow);
        }
        connect(tool, &QToolButton::clicked, action, &QAction::trigger);
        layout->addWidget(tool);
    };
    button("experiment.up", Qt::UpArrow);
    button("experiment.down", Qt::DownArrow);
    button("experiment.add", Qt::NoArrow);
    return bar;
}

void ExperimentsPanel::refresh() {
    const PopulationPtr& population = bridge().population();
    m_model->setPopulation(population);
    m_review->showDrafts(*population, !bridge().readOnly());
    const auto& all = population->experiments;
    const auto open = std::count_if(all.begin(), all.end(), isOpen);
    m_count->setText(all.empty() ? tr("No experiments yet") : tr("%1 of %2 open").arg(open).arg(all.size()));
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(m_count->text()) + 1); // numbers are not cut
    m_empty->setVisible(all.empty());
    m_list->setVisible(!all.empty());
    chooseOwn();
    if (const auto wanted = selection().experiment()) {
        const QModelIndex index = m_order->mapFromSource(m_model->indexOf(*wanted)); // none: it is filtered out
        if (index != m_list->currentIndex()) {
            m_list->setCurrentIndex(index);
        }
    }
    showChosen();
}

// The experiment that a selected kernel carries out is chosen with it; a kernel without one leaves the choice.
void ExperimentsPanel::followKernel() {
    const auto selected = selection().primary();
    const Kernel* kernel = selected ? bridge().population()->kernel(*selected) : nullptr;
    if (kernel != nullptr && kernel->experiment) {
        selection().setExperiment(kernel->experiment);
    }
}

void ExperimentsPanel::chosen(const QModelIndex& current) {
    if (const Experiment* experiment = m_model->experiment(m_order->mapToSource(current))) {
        selection().setExperiment(experiment->id);
    }
    showChosen();
}

void ExperimentsPanel::showChosen() {
    const auto wanted = selection().experiment();
    const Experiment* experiment = wanted ? bridge().population()->experiment(*wanted) : nullptr;
    m_round->showRound(*bridge().population(), experiment != nullptr ? experiment->round : 0, !bridge().readOnly());
    m_editor->setSettings(bridge().population()->settings);
    m_editor->setWriters(writersOf(bridge().population()->settings.models));
    m_editor->showExperiment(experiment, !bridge().readOnly(),
                             experiment != nullptr ? stateInLine(*experiment, *bridge().population()) : std::nullopt);
    m_editor->setWaits(experiment != nullptr ? waitStatement(waitOf(*experiment, *bridge().population())) : QString());
    m_unsaved->retry();
}

void ExperimentsPanel::move(int by) {
    std::vector<ExperimentId> order;
    for (int row = 0; row < m_order->rowCount(); ++row) {
        const QModelIndex index = m_order->index(row, 0);
        const Experiment* experiment = m_model->experiment(m_order->mapToSource(index));
        if (isOpen(*experiment) && mayBeEdited(*experiment)) {
            order.push_back(experiment->id);
        }
    }
    const Experiment* current = m_model->experiment(m_order->mapToSource(m_list->currentIndex()));
    const auto at = current == nullptr ? order.end() : std::find(order.begin(), order.end(), current->id);
    if (at == order.end() || (by < 0 && at == order.begin()) || (by > 0 && at + 1 == order.end())) {
        return;
    }
    std::iter_swap(at, at + by);
    bridge().send(command::ReorderExperiments{order});
}

// The form is gone, and the keys with it, to whatever stands next: they belong to the list.
void ExperimentsPanel::sendOwn(const command::AddExperiment& add) {
    const auto& known = bridge().population()->experiments;
    m_ownComesAfter = known.empty() ? 0 : known.back().id;
    m_list->setFocus(Qt::OtherFocusReason);
    bridge().send(add);
}

void ExperimentsPanel::chooseOwn() {
    const auto& known = bridge().population()->experiments;
    const auto own = std::find_if(known.begin(), known.end(), [this](const Experiment& one) {
        return m_ownComesAfter && one.id > *m_ownComesAfter && one.author == Author::person;
    });
    if (own == known.end()) {
        return;
    }
    m_ownComesAfter.reset();
    selection().setExperiment(own->id);
    const QWidget* focused = window()->focusWidget();
    if (focused == nullptr || isAncestorOf(focused)) { // a list without rows could not take them
        m_list->setFocus(Qt::OtherFocusReason);
    }
}

void ExperimentsPanel::addOwn() {
    const auto parent = selection().primary() ? selection().primary() : bridge().population()->best;
    if (parent && !bridge().readOnly()) {
        m_editor->beginNew(*parent, selection().primary() ? selection().second() : std::nullopt);
    }
}

} // namespace gks
