// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/kernel_panel.h"

#include "core/campaign/rules.h"
#include "core/target/diagnostics.h"
#include "widgets/code/compile_view.h"
#include "widgets/code/near_duplicate_line.h"
#include "widgets/code/source_editor.h"
#include "widgets/code/submitted_kernel.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/common/verdict_mark.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace gks {
namespace {

constexpr int besideWidth = 1100;
constexpr int besideShare = 40; // percent of the width: the times need more than the source

constexpr std::string_view kernelSourceFile = "kernel.hip"; // as builds call it

// What the run that checks every access has found, as a compiler would say it.
std::vector<Diagnostic> diagnosticsOfRun(const Verdict& verdict) {
    std::vector<Diagnostic> diagnostics;
    for (const AccessFinding& finding : verdict.diagnostics) {
        diagnostics.push_back({finding.file, finding.line, finding.column,
                               isAccepted(verdict.kind) ? DiagnosticKind::warning : DiagnosticKind::error,
                               finding.message, finding.file == kernelSourceFile});
    }
    return diagnostics;
}

} // namespace

KernelPanel::KernelPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_name(new ElidedLabel(this))
    , m_outcome(new QLabel(this))
    , m_refusal(named(new MessageLabel(this), "kernelEditRefusal", tr("Why the edit cannot be evaluated")))
    , m_unread(named(new MessageLabel(this), "kernelUnread", tr("Why the source cannot be read")))
    , m_submitted(new SubmittedKernel(context.bridge, context.selection, this))
    , m_evaluateNow(named(new QPushButton(tr("Evaluate &now"), this), "kernelEvaluateNow", tr("Evaluate now")))
    , m_near(named(new NearDuplicateLine(context.bridge, this), "kernelNearDuplicate", tr("Near-duplicate")))
    , m_editBar(createEditBar())
    , m_source(new SourceEditor(this))
    , m_compile(new CompileView(
          m_source, m_source, [this] { return m_source->source(); }, QStringLiteral("kernel"), this))
    , m_facts(new RichTextView(this))
    , m_parts(new QSplitter(Qt::Horizontal, this))
    , m_unsaved(createUnsaved()) {
    setObjectName(QStringLiteral("kernelPanel"));
    m_empty->setText(tr("No kernel selected"),
                     tr("Select a kernel in the lineage to see its source, times and evidence."));
    m_name->setObjectName(QStringLiteral("kernelName"));
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_outcome->setObjectName(QStringLiteral("kernelOutcome"));
    m_source->setObjectName(QStringLiteral("kernelSource"));
    m_source->setAccessibleName(tr("Source"));
    m_facts->setObjectName(QStringLiteral("kernelFacts"));
    m_facts->setAccessibleName(tr("Evaluation results"));
    m_facts->setWordWrapMode(QTextOption::WordWrap);
    m_facts->setFrameShape(QFrame::NoFrame);

    auto* header = new QHBoxLayout;
    header->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    header->setSpacing(spacing2);
    header->addWidget(m_name, 1);
    header->addWidget(m_outcome);
    header->addWidget(m_evaluateNow);
    header->addWidget(createExportButton());
    m_parts->setObjectName(QStringLiteral("kernelParts"));
    m_parts->addWidget(m_compile);
    m_parts->addWidget(m_facts);
    m_parts->setSizes({10 * besideShare, 10 * (100 - besideShare)});
    for (QLabel* trouble : {m_refusal, m_unread}) {
        trouble->setProperty("error", true);
        trouble->setContentsMargins(spacing3, 0, spacing3, spacing2);
        trouble->hide();
    }
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(header);
    layout->addWidget(m_submitted);
    layout->addWidget(m_near);
    layout->addWidget(m_unsaved->notice());
    layout->addWidget(m_editBar);
    layout->addWidget(m_refusal);
    layout->addWidget(m_unread);
    layout->addWidget(m_parts, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    m_editBar->hide();
    createActions();
    m_evaluateNow->setToolTip(tr("Evaluates this kernel and what it is compared with, and nothing else"));
    m_evaluateNow->hide();
    connect(m_evaluateNow, &QPushButton::clicked, this,
            [this] { bridge().send(command::EvaluateAgain{*selection().primary()}); });
    connect(context.selection, &SelectionContext::editRequested, this, &KernelPanel::beginEdit);
    connect(m_source, &QsciScintilla::textChanged, this, [this] {
        m_textAwaited = false;
        m_unsaved->touch();
    });
    connect(m_editTitle, &QLineEdit::textEdited, m_unsaved, &UnsavedText::touch);
    connect(m_near, &QLabel::linkActivated, this, &KernelPanel::compareWithNearDuplicate);
    connect(&bridge(), &EngineBridge::stateChanged, this, &Panel::scheduleRefresh); // a waiting kernel says so
    connect(m_near, &NearDuplicateLine::filled, this, [this] {
        showNearDuplicate();
        announceFilled();
    });
}

QWidget* KernelPanel::createExportButton() {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("kernelExportEvidence"));
    button->setIcon(icon(Icon::evidence));
    button->setAccessibleName(tr("Export evidence for this kernel"));
    button->setToolTip(tr("Export sources, samples, checks and a report to a folder that replay can verify"));
    connect(button, &QToolButton::clicked, this, [this] {
        if (QAction* action = actions().action("kernel.export-evidence")) {
            action->trigger();
        }
    });
    return button;
}

void KernelPanel::createActions() {
    actions().add(
        this,
        {.id = "kernel.submit-edit",
         .text = tr("Evaluate the &edited kernel"),
         .menu = tr("&Kernel"),
         .shortcut = QKeySequence(Qt::CTRL | Qt::Key_Return)},
        [this] {
            if (isEditing()) {
                submitEdit();
            }
        },
        true);
    actions().add(this,
                  {.id = "kernel.compare-near",
                   .text = tr("Compare with near-&duplicate"),
                   .menu = tr("&Kernel"),
                   .shortcut = QKeySequence(Qt::CTRL | Qt::Key_D),
                   .tip = tr("Compare with the earlier, nearly identical kernel")},
                  [this] { compareWithNearDuplicate(); });
    m_compile->addActions(actions(), this,
                          {"kernel.next-diagnostic", "kernel.previous-diagnostic", tr("&Kernel"), tr("the kernel")});
}

void KernelPanel::refresh() {
    const Population& population = *bridge().population();
    const auto wanted = isEditing() ? m_basis : selection().primary();
    const Kernel* kernel = wanted ? population.kernel(*wanted) : nullptr;
    m_stack->setCurrentIndex(kernel != nullptr ? 1 : 0);
    if (kernel != nullptr) {
        showKernel(*kernel);
    }
    showNearDuplicate();
}

bool KernelPanel::isFilled() const {
    return isPageNew() && m_near->isFilled();
}

// Times and their intervals need the width of a page; beside the source they have it on a wide one alone.
void KernelPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    const Qt::Orientation wanted = width() < besideWidth ? Qt::Vertical : Qt::Horizontal;
    if (m_parts->orientation() != wanted) {
        m_parts->setOrientation(wanted);
        divideParts();
    }
}

// Who writes has all of a narrow page.
void KernelPanel::divideParts() {
    const bool isNarrow = m_parts->orientation() == Qt::Vertical;
    m_facts->setVisible(!isNarrow || !isEditing());
    const int whole = isNarrow ? m_parts->height() : m_parts->width();
    const int source = whole * (isNarrow ? 50 : besideShare) / 100;
    m_parts->setSizes({source, whole - source});
}

bool KernelPanel::isPageNew() const {
    return !m_evaluationsAwaited && !m_work.isBusy();
}

void KernelPanel::announceFilled() {
    if (isFilled()) {
        Q_EMIT settled();
    }
}

void KernelPanel::showNearDuplicate() {
    m_near->setKernel(isEditing() ? std::nullopt : selection().primary());
    actions().action("kernel.compare-near")->setEnabled(m_near->near().has_value());
}

void KernelPanel::compareWithNearDuplicate() {
    if (const auto near = m_near->near()) {
        selection().setPair(*selection().primary(), near->kernel);
        selection().requestPage(QStringLiteral("compare"));
    }
}

void KernelPanel::showKernel(const Kernel& kernel) {
    const Palette& palette = Theme::instance().palette();
    const QString title = idText(kernel.id) + QStringLiteral("  ") + QString::fromStdString(kernel.title);
    m_name->setText(replacesDraft() ? tr("Edit of %1").arg(title)
                    : isEditing()   ? tr("New kernel, based on %1").arg(title)
                                    : title);
    QString outcome = kernelStateText(kernel);
    if (kernel.probe) {
        outcome = tr("probe, %1").arg(outcome);
    } else if (kernel.geomeanUs > 0) {
        outcome += QStringLiteral("   ") + geomeanText(kernel, bridge().population()->settings.target);
    }
    if (const QString waits = waitStatement(waitOf(kernel, *bridge().population())); !waits.isEmpty()) {
        const QString why = mayBeEvaluatedNow(kernel) ? tr("waits; the campaign is not running") : waits;
        outcome = kernel.verdict ? outcome + QStringLiteral("   ") + why : why; // to be measured once more
    }
    m_outcome->setText(outcome);
    m_outcome->setVisible(!isEditing() || replacesDraft()); // what is being written has none yet
    m_evaluateNow->setVisible(mayBeEvaluatedNow(kernel));
    setTextColor(m_outcome, colorOf(markOf(kernel), palette));
    ask(kernel);
}

void KernelPanel::ask(const Kernel& kernel) {
    auto question =
        KernelPageQuestion::about(kernel, *bridge().population(), bridge().problem(), Theme::instance().palette());
    if (m_asked == question) {
        return;
    }
    m_work.cancel();
    m_asked = question;
    m_evaluationsAwaited = true;
    bridge().askEvaluations(this, kernel.id, [this](const Result<std::vector<Evaluation>>& answer) {
        m_evaluationsAwaited = false;
        read(answer.value_or(std::vector<Evaluation>{}));
    });
}

// Beside the window: the texts lie in the file, and the facts are about all kernels.
void KernelPanel::read(std::vector<Evaluation> evaluations) {
    m_work.start([question = *m_asked, population = bridge().population(), evaluations = std::move(evaluations)](
                     const std::stop_token&) { return readKernelPage(question, *population, evaluations); },
                 [this](const KernelPagePtr& page) {
                     m_page = page;
                     showPage();
                     announceFilled();
                 });
}

// Alone, with what it is compared with: the campaign need not run for it.
bool KernelPanel::mayBeEvaluatedNow(const Kernel& kernel) const {
    const bool stands = bridge().state() == EngineState::idle || bridge().state() == EngineState::paused;
    return stands && kernel.state == KernelState::waiting && !bridge().readOnly() && !isEditing();
}

void KernelPanel::showPage() {
    takeBasis();
    showSource();
    showFacts();
    showDiagnostics();
}

void KernelPanel::showFacts() {
    if (!m_page) {
        return;
    }
    const bool areOfBasis = isEditing() && !replacesDraft();
    const QString facts =
        areOfBasis ? QString(QStringLiteral("<p><b>") %
                             tr("Results of %1, which the new kernel is based on").arg(idText(m_page->kernel)) %
                             QStringLiteral("</b></p>") % m_page->facts)
                   : m_page->facts;
    if (m_shownFacts != facts) { // news of a run change little of it
        m_shownFacts = facts;
        m_facts->setHtml(m_shownFacts);
    }
}

// Of the page; what is typed is never taken away.
void KernelPanel::showSource() {
    if (isEditing() || !m_page) {
        return;
    }
    m_unread->setText(m_page->source ? QString() : toText(m_page->source.error().message()));
    m_unread->setVisible(!m_page->source);
    m_compile->setVisible(m_page->source.has_value());
    if (!m_page->source) {
        warnOnce(bridge(), m_page->source.error());
    }
    const std::string source = m_page->source.value_or(std::string());
    if (m_shown != m_page->kernel || m_source->source() != source) {
        m_shown = m_page->kernel;
        m_compile->showFound({});
        m_source->setSource(source);
    }
}

void KernelPanel::showDiagnostics() {
    const Verdict* newest = m_page ? newestOf(m_page->evaluations) : nullptr;
    if (isEditing()) {
        if (isCompiledLive(*bridge().population())) {
            m_compile->beginLive(conditionsFor(bridge().problem(), newest));
        }
        return;
    }
    const bool hasFailed = newest != nullptr && newest->kind == VerdictKind::buildFailed;
    if (hasFailed) {
        m_compile->showFound(readDiagnostics(newest->build.log), namesItsOwnLines(m_source->source())
                                                                     ? CompileView::Found::vagueBuild
                                                                     : CompileView::Found::build);
        return;
    }
    m_compile->showFound(newest != nullptr ? diagnosticsOfRun(*newest) : std::vector<Diagnostic>(),
                         CompileView::Found::checkedRun);
}

} // namespace gks
