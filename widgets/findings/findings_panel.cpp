// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/findings_panel.h"

#include "core/campaign/finding_use.h"
#include "widgets/common/actions.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/findings/finding_delegate.h"
#include "widgets/findings/finding_editor.h"
#include "widgets/findings/finding_model.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

constexpr int measuredOnly = -2; // in the place of a state

} // namespace

FindingsPanel::FindingsPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_model(new FindingModel(this))
    , m_filter(new FindingFilter(m_model, this))
    , m_words(named(new QLineEdit(this), "findingFilter", tr("Filter findings")))
    , m_state(named(new QComboBox(this), "findingState", tr("Filter findings by state")))
    , m_count(new QLabel(this))
    , m_list(named(new QListView(this), "findingList", tr("Findings")))
    , m_editor(new FindingEditor(this))
    , m_unsaved(createUnsaved()) {
    setObjectName(QStringLiteral("findingsPanel"));
    m_empty->setText(tr("No findings yet"), tr("Verdicts add findings here, with the evaluations they rest on. "
                                               "Findings you add yourself go into the prompts too."));
    m_empty->setButton(tr("Add finding"));
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new FindingDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setObjectName(QStringLiteral("findingParts"));
    parts->addWidget(m_list);
    parts->addWidget(m_editor);
    parts->setSizes({600, 260});
    parts->setStretchFactor(0, 1);
    parts->setChildrenCollapsible(false);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(parts);
    addActions();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildTools());
    column->addWidget(m_unsaved->notice());
    column->addWidget(m_stack, 1);

    connect(m_empty, &EmptyState::buttonClicked, this, &FindingsPanel::beginNew);
    connect(m_words, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_filter->setWords(words);
        count();
    });
    connect(m_state, &QComboBox::currentIndexChanged, this, [this] {
        const int state = m_state->currentData().toInt();
        m_filter->setMeasured(state == measuredOnly);
        m_filter->setState(state < 0 ? std::nullopt : std::optional(static_cast<FindingState>(state)));
        count();
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &FindingsPanel::showCurrent);
    connect(m_editor, &FindingEditor::typed, m_unsaved, &UnsavedText::touch);
    connect(m_editor, &FindingEditor::edited, this, [this](const command::EditFinding& edit) { bridge().send(edit); });
    connect(m_editor, &FindingEditor::created, this, [this](const command::AddFinding& add) { bridge().send(add); });
    connect(m_editor, &FindingEditor::kernelClicked, this, [this](KernelId kernel) { selection().select(kernel); });
}

UnsavedText* FindingsPanel::createUnsaved() {
    UnsavedText::Form form;
    form.what = [this] { return m_editor->unsent(); };
    form.content = [this] { return m_editor->unsentFields(); };
    form.restore = [this](const QJsonObject& fields) { return m_editor->restore(fields); };
    form.discard = [this] { m_editor->drop(); };
    form.leave = [this] {
        if (!m_editor->isNew()) {
            m_editor->commit();
        }
    };
    return new UnsavedText(QStringLiteral("finding"), std::move(form), this);
}

QWidget* FindingsPanel::buildTools() {
    m_words->setPlaceholderText(tr("Filter"));
    m_words->setClearButtonEnabled(true);
    m_state->addItem(tr("All"), -1);
    for (const FindingState state : {FindingState::standing, FindingState::contradicted, FindingState::dismissed}) {
        m_state->addItem(findingStateText(state), static_cast<int>(state));
    }
    m_state->addItem(tr("Figures of probes"), measuredOnly);
    m_count->setObjectName(QStringLiteral("findingCount"));
    m_count->setProperty("quiet", true);
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    row->setSpacing(spacing2);
    row->addWidget(m_words, 1);
    row->addWidget(m_state);
    row->addWidget(m_count);
    row->addWidget(toolButton(actions().action("finding.add"), tr("Add"), "findingAdd"));
    return bar;
}

void FindingsPanel::addActions() {
    const QString menu = tr("&Experiment");
    actions().add(this, {"finding.add", tr("Add &finding..."), menu, {}, Icon::plus}, [this] {
        selection().requestPage(QStringLiteral("findings"));
        beginNew();
    });
    actions().add(
        this, {"finding.dismiss", tr("&Dismiss or restore finding"), menu, QKeySequence::Delete},
        [this] { m_editor->toggleDismissed(); }, true);
}

void FindingsPanel::beginNew() {
    if (bridge().readOnly()) {
        return;
    }
    m_stack->setCurrentIndex(1);
    m_list->setCurrentIndex({});
    m_editor->showFinding(nullptr, m_owners, true);
    m_editor->beginNew();
}

void FindingsPanel::refresh() {
    const auto& findings = bridge().population()->findings;
    actions().action("finding.add")->setEnabled(!bridge().readOnly());
    m_model->setFindings(findings);
    m_stack->setCurrentIndex(!findings.empty() || !m_editor->isHidden() ? 1 : 0);
    if (!m_list->currentIndex().isValid() && m_filter->rowCount() > 0 && m_editor->isHidden()) {
        m_list->setCurrentIndex(m_filter->index(0, 0));
    }
    std::int64_t newest = 0;
    for (const Finding& finding : findings) {
        for (const auto* evaluations : {&finding.evaluations, &finding.contradicting}) {
            for (const std::int64_t id : *evaluations) {
                newest = std::max(newest, id);
            }
        }
    }
    if (newest > m_ownersOf) {
        m_ownersOf = newest;
        m_awaited = true;
        bridge().askEvaluationOwners(this, [this](const Result<std::vector<EvaluationOwner>>& answer) {
            m_awaited = false;
            for (const EvaluationOwner& owner : answer.value_or(std::vector<EvaluationOwner>{})) {
                m_owners[owner.evaluation] = owner.kernel;
            }
            showCurrent();
            Q_EMIT settled();
        });
    }
    showCurrent();
    count();
}

void FindingsPanel::showCurrent() {
    const Finding* finding = m_filter->at(m_list->currentIndex().row());
    const QString use = finding == nullptr ? QString() : useOfFinding(useOf(*bridge().population(), finding->id));
    m_editor->showFinding(finding, m_owners, !bridge().readOnly(), use);
    m_unsaved->retry();
}

void FindingsPanel::count() {
    const int all = m_model->rowCount();
    const int shown = m_filter->rowCount();
    m_count->setText(all == 0       ? QString()
                     : shown == all ? (all == 1 ? tr("1 finding") : tr("%1 findings").arg(all))
                                    : tr("%1 of %2").arg(shown).arg(all));
}

} // namespace gks
