// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/compare_panel.h"

#include "core/diff/unified_text.h"
#include "widgets/code/asked_bar.h"
#include "widgets/code/compare_head.h"
#include "widgets/code/comparison_view.h"
#include "widgets/code/compile_view.h"
#include "widgets/code/diff_view.h"
#include "widgets/code/kernel_page.h"
#include "widgets/code/machine_code_difference.h"
#include "widgets/code/pair_ratio.h"
#include "widgets/code/unified_view.h"
#include "widgets/common/actions.h"
#include "widgets/common/draft_decision.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

QLabel* changesLabel(QWidget* parent) {
    auto* label = new ElidedLabel(parent);
    label->setObjectName(QStringLiteral("compareChanges"));
    label->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return label;
}

} // namespace

ComparePanel::ComparePanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_head(new CompareHead(this))
    , m_static(named(new MessageLabel(this), "compareStatic", tr("What the compiler made of the two")))
    , m_asked(new AskedBar(context, this))
    , m_changes(changesLabel(this))
    , m_ignoreWhitespace(
          named(new QCheckBox(tr("Ignore &whitespace"), this), "compareIgnoreWhitespace", tr("Ignore whitespace")))
    , m_tabs(named(new QTabBar(this), "compareViews", tr("How the kernels are compared")))
    , m_unread(named(new MessageLabel(this), "compareUnread", tr("Why the sources cannot be read")))
    , m_views(new QStackedWidget(this))
    , m_view(new DiffView(this))
    , m_compile(new CompileView(
          m_view, &m_view->pane(DiffPane::Side::right), [this] { return m_draftSource; }, QStringLiteral("draft"),
          this))
    , m_decision(new DraftDecision(DraftDecision::Place::wide, QStringLiteral("draft"), this))
    , m_unified(named(new UnifiedView(this), "compareUnified", tr("Difference as unified text")))
    , m_code(new MachineCodeDifference(context.bridge, this))
    , m_table(new ComparisonView(context, this)) {
    setObjectName(QStringLiteral("comparePanel"));
    m_empty->setText(tr("No kernels to compare"),
                     tr("Select a kernel and press Space to compare it with its parent, or Ctrl+click a second "
                        "kernel. Press A to add it to a table of any kernels."));
    m_static->setProperty("quiet", true);
    for (QWidget* row : std::initializer_list<QWidget*>{m_static, m_asked, m_decision}) {
        m_head->addRow(row);
    }
    createActions();
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addLayout(createTools());
    m_unread->setProperty("error", true);
    m_unread->setContentsMargins(spacing3, 0, spacing3, spacing2);
    layout->addWidget(m_unread, 1, Qt::AlignTop);
    layout->addWidget(createViews(), 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);

    connect(m_ignoreWhitespace, &QCheckBox::toggled, m_view, &DiffView::setIgnoreWhitespace);
    connect(m_view, &DiffView::diffChanged, this, [this] {
        showDraft();
        showView();
        Q_EMIT settled();
    });
    connect(m_code, &MachineCodeDifference::settled, this, [this] {
        showView();
        Q_EMIT settled();
    });
    for (DiffView* view : {m_view, &m_code->view()}) {
        connect(view, &DiffView::currentChangeChanged, this, &ComparePanel::showChanges);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, &ComparePanel::showView);
    connect(m_table, &ComparisonView::settled, this, &ComparePanel::settled);
    connect(context.selection, &SelectionContext::comparedChanged, this, [this] {
        if (!selection().compared().empty()) {
            chooseView(View::table);
        }
        scheduleRefresh();
    });
    connectDraft();
    showView();
}

void ComparePanel::connectDraft() {
    m_decision->hide();
    m_compile->setRows([this](int line) { return m_view->rightRowOf(line); },
                       [this](int row) { return m_view->rightLineOf(row); });
    connect(&m_compile->compile(), &LiveCompile::changed, this, [this] {
        if (isFilled()) {
            Q_EMIT settled();
        }
    });
    connect(m_decision, &DraftDecision::decided, this,
            [this](const SteeringCommand& command) { bridge().send(command); });
    connect(m_decision, &DraftDecision::editRequested, this, [this](qint64 id) {
        selection().select(id);
        selection().requestEdit(id);
    });
    const auto add = [this](const char* id, const QString& text, void (DraftDecision::*decide)()) {
        actions().add(this, {.id = id, .text = text, .menu = tr("&Experiment")}, [this, decide] {
            if (m_decision->isVisible()) {
                (m_decision->*decide)();
            }
        });
    };
    add("draft.approve", tr("Approve the &draft that is shown"), &DraftDecision::approve);
    add("draft.send-back", tr("Send the draft that is shown &back"), &DraftDecision::sendBack);
    add("draft.reject", tr("Re&ject the draft that is shown"), &DraftDecision::reject);
    add("draft.edit", tr("Edit the draft that is s&hown"), &DraftDecision::edit);
    m_compile->addActions(actions(), this,
                          {"draft.next-diagnostic", "draft.previous-diagnostic", tr("&Experiment"), tr("the draft")});
}

QHBoxLayout* ComparePanel::createTools() {
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    for (const QString& name : {tr("Source"), tr("Unified"), tr("Machine code"), tr("Table")}) {
        m_tabs->addTab(name);
    }
    m_walk = new QWidget(this);
    auto* walk = new QHBoxLayout(m_walk);
    walk->setContentsMargins(0, 0, 0, 0);
    walk->setSpacing(spacing2);
    for (const char* id : {"compare.previous-change", "compare.next-change"}) {
        QToolButton* button = toolButton(actions().action(id));
        button->setAutoRaise(true);
        walk->addWidget(button);
    }
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(spacing3, 0, spacing3, spacing1);
    tools->setSpacing(spacing2);
    tools->addWidget(m_tabs);
    tools->addStretch(1);
    tools->addWidget(m_ignoreWhitespace);
    m_changes->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_asked->putAtLeft({m_changes, m_walk}); // where there is room for the numbers
    return tools;
}

QWidget* ComparePanel::createViews() {
    for (QWidget* view : std::initializer_list<QWidget*>{m_compile, m_unified, m_code, m_table}) { // as View has them
        m_views->addWidget(view);
    }
    return m_views;
}

void ComparePanel::createActions() {
    actions().add(this,
                  {.id = "compare.next-change",
                   .text = tr("&Next change"),
                   .menu = tr("&Kernel"),
                   .shortcut = Qt::Key_F7,
                   .icon = Icon::forward},
                  [this] { walkedView().nextChange(); });
    actions().add(this,
                  {.id = "compare.previous-change",
                   .text = tr("Pre&vious change"),
                   .menu = tr("&Kernel"),
                   .shortcut = QKeySequence(Qt::SHIFT | Qt::Key_F7),
                   .icon = Icon::back},
                  [this] { walkedView().previousChange(); });
    const std::pair<const char*, QString> views[] = {
        {"compare.as-source", tr("Compare: as &source")}, // as View has them
        {"compare.as-unified", tr("Compare: as &unified text")},
        {"compare.as-machine-code", tr("Compare: as &machine code")},
        {"compare.as-table", tr("Compare: as &table")}};
    int at = 0;
    for (const auto& [id, text] : views) {
        actions().add(this, {.id = id, .text = text, .menu = tr("&View")}, [this, at] {
            m_tabs->setCurrentIndex(at);
            selection().requestPage(QStringLiteral("compare"));
        });
        ++at;
    }
}

void ComparePanel::refresh() {
    const Population& population = *bridge().population();
    const Kernel* right = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    const Kernel* left = nullptr;
    if (right != nullptr && selection().second()) {
        left = population.kernel(*selection().second());
    } else if (right != nullptr && !right->parents.empty()) {
        left = population.kernel(right->parents.front());
    } else if (right != nullptr && !right->probe && population.baseline && *population.baseline != right->id) {
        left = population.kernel(*population.baseline);
    }
    if (left == nullptr || right == nullptr) {
        showNoPair();
        return;
    }
    m_stack->setCurrentIndex(1);
    showPair(*left, *right);
}

// The baseline has nothing beside it; a table of kernels that were added stays.
void ComparePanel::showNoPair() {
    m_pair = {0, 0};
    m_sources = {};
    m_asked->setPair(0, 0);
    m_code->clear();
    m_compile->endLive();
    const bool hasTable = !selection().compared().empty();
    m_stack->setCurrentIndex(hasTable ? 1 : 0);
    if (!hasTable) {
        return;
    }
    m_head->clear();
    m_static->clear();
    m_unread->clear();
    m_decision->hide();
    m_view->setSources({}, {});
    chooseView(View::table);
    showView();
}

void ComparePanel::showPair(const Kernel& left, const Kernel& right) {
    const Population& population = *bridge().population();
    m_head->showPair(left, right, pairRatio(population, left, right), population.settings.target);
    m_asked->setPair(left.id, right.id);
    const auto asOf = [](const Kernel& kernel) {
        return std::to_string(kernel.id) + std::string(name(kernel.state)) + std::to_string(kernel.evaluations);
    };
    const std::pair builds = {asOf(left), asOf(right)};
    if (m_pair != std::pair{left.id, right.id} || m_builds != builds) {
        m_pair = {left.id, right.id};
        m_builds = builds;
        m_leftStatic.reset();
        m_rightStatic.reset();
        askStatic(left.id, true);
        showStatic();
    }
    if (const std::pair sources = {left.sourceSha256 + kernelLabel(left.id),
                                   right.sourceSha256 + kernelLabel(right.id)};
        m_sources != sources) {
        m_sources = sources;
        askSources();
    }
    showDraft();
    showView();
}

void ComparePanel::askSources() {
    m_sourcesAwaited = true;
    bridge().askSources(this, {m_pair.first, m_pair.second}, [this](const Result<std::vector<std::string>>& answer) {
        m_sourcesAwaited = false;
        if (answer && answer->size() == 2) {
            m_unread->clear();
            m_view->setSources((*answer)[0], (*answer)[1]);
        } else {
            m_unread->setText(answer ? tr("The sources are not at hand") : toText(answer.error().message()));
            m_sources = {}; // asked again with the next change
            m_view->setSources({}, {});
        }
        if (!answer) {
            warnOnce(bridge(), answer.error());
        }
        showDraft();
        showView();
        Q_EMIT settled();
    });
}

// A draft that waits for the person is compiled once it stands in the view, beside what it is compared with: before
// that a mark has no row.
void ComparePanel::showDraft() {
    const Kernel* right = bridge().population()->kernel(m_pair.second);
    const bool isAsked = right != nullptr && right->state == KernelState::proposed;
    m_decision->setVisible(isAsked);
    m_decision->setDraft(isAsked ? std::optional(right->id) : std::nullopt, !bridge().readOnly());
    if (!isAsked || bridge().readOnly() || m_sourcesAwaited || m_view->isBusy() ||
        !isCompiledLive(*bridge().population())) {
        m_compile->endLive();
        return;
    }
    takeSources();
    m_compile->beginLive(conditionsFor(bridge().problem(), nullptr));
}

// What stands in the view is what is compiled.
void ComparePanel::takeSources() {
    const std::string& draft = m_view->source(DiffPane::Side::right);
    if (m_draftSource != draft) {
        m_draftSource = draft;
        m_compile->textReplaced();
    }
    m_compile->setParentSource(idText(m_pair.first), m_view->source(DiffPane::Side::left));
}

// One question after the other: the newest question of a receiver wins, so two at once would lose the first.
void ComparePanel::askStatic(KernelId kernel, bool isLeft) {
    ++m_answersAwaited;
    bridge().askEvaluations(this, kernel, [this, isLeft](const Result<std::vector<Evaluation>>& answer) {
        m_answersAwaited = 0;
        std::optional<CodeSummary>& slot = isLeft ? m_leftStatic : m_rightStatic;
        if (answer) {
            m_asked->setResults(isLeft ? m_pair.first : m_pair.second, *answer);
            for (const Evaluation& evaluation : *answer) {
                auto facts = codeSummary(evaluation.verdict);
                slot = facts ? std::move(facts) : std::move(slot);
            }
        }
        if (isLeft) {
            askStatic(m_pair.second, false);
            return;
        }
        showStatic();
        Q_EMIT settled();
    });
}

void ComparePanel::showStatic() {
    m_static->setText(m_rightStatic ? toText(m_rightStatic->reader) + QStringLiteral("    ") +
                                          staticText(m_leftStatic ? &*m_leftStatic : nullptr, *m_rightStatic)
                                    : whyNoStatic());
    m_static->setToolTip(m_rightStatic ? tr("From %1; not measured").arg(originText(*m_rightStatic)) : QString());
}

QString ComparePanel::whyNoStatic() const {
    const Kernel* kernel = bridge().population()->kernel(m_pair.second);
    if (m_answersAwaited > 0) {
        return tr("Reading the verdicts");
    }
    if (bridge().population()->settings.judgedByHarness) {
        return tr("No static report: a command pack has none");
    }
    return kernel == nullptr || !kernel->verdict
               ? tr("No static report yet")
               : tr("No static report: %1 is %2").arg(idText(kernel->id), kernelStateText(*kernel));
}

bool ComparePanel::isFilled() const {
    return m_answersAwaited == 0 && !m_sourcesAwaited && !m_view->isBusy() && !m_code->isBusy() && !m_table->isBusy() &&
           !m_compile->compile().isBusy();
}

ComparePanel::View ComparePanel::view() const {
    return static_cast<View>(std::max(0, m_tabs->currentIndex()));
}

void ComparePanel::chooseView(View view) {
    m_tabs->setCurrentIndex(static_cast<int>(view));
}

DiffView& ComparePanel::walkedView() const {
    return view() == View::machineCode ? m_code->view() : *m_view;
}

// Only what is looked at is made: the compiler and the reading of verdicts cost.
void ComparePanel::showView() {
    const View shown = view();
    m_views->setCurrentIndex(static_cast<int>(shown));
    const bool isOfSources = shown == View::source || shown == View::unified;
    const bool isUnread = isOfSources && !m_unread->text().isEmpty();
    m_unread->setVisible(isUnread);
    m_views->setVisible(!isUnread);
    m_ignoreWhitespace->setVisible(isOfSources);
    switch (shown) {
    case View::source:
        break;
    case View::unified: {
        const std::string text = unifiedText(m_view->diff(), kernelLabel(m_pair.first), kernelLabel(m_pair.second));
        if (text != m_unified->source()) {
            m_unified->setUnifiedText(text);
        }
        break;
    }
    case View::machineCode:
        if (m_pair.first != 0) {
            m_code->setPair(m_pair.first, m_pair.second);
        }
        break;
    case View::table:
        m_table->setPair(m_pair.first, m_pair.second);
        break;
    }
    const bool isWalked = shown == View::source || (shown == View::machineCode && m_code->hasDifference());
    m_walk->setVisible(isWalked);
    m_changes->setVisible(isWalked || shown == View::unified);
    showChanges();
}

// Nothing is said of a difference that is not there yet.
QString ComparePanel::whyNoChange() const {
    const bool isOfCode = view() == View::machineCode;
    if (isOfCode ? m_code->isBusy() || !m_code->hasDifference() : m_sourcesAwaited || m_view->isBusy()) {
        return {};
    }
    return !isOfCode && m_sources.first.empty() ? tr("The sources cannot be read") : tr("No changes");
}

void ComparePanel::showChanges() {
    const DiffView& walked = walkedView();
    const SideBySide& diff = walked.diff();
    if (diff.changes.empty()) {
        m_changes->setText(whyNoChange());
        m_changes->setMinimumWidth(0);
        return;
    }
    const QString counts =
        QStringLiteral("+%1 \u2212%2 ~%3").arg(diff.addedLines).arg(diff.removedLines).arg(diff.changedLines);
    const auto count = static_cast<int>(diff.changes.size());
    const QString place = walked.currentChange() >= 0 ? tr("Change %1 of %2").arg(walked.currentChange() + 1).arg(count)
                          : count == 1                ? tr("1 change")
                                                      : tr("%1 changes").arg(count);
    m_changes->setText(counts % QStringLiteral("   ") % place);
    m_changes->setMinimumWidth(m_changes->fontMetrics().horizontalAdvance(m_changes->text()) + 1); // never cut
    m_changes->setToolTip(m_changes->text() % QLatin1Char('\n') % tr("Lines added, removed, changed"));
}

} // namespace gks
