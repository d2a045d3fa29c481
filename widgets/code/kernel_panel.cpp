// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/kernel_panel.h"

#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "core/engine/waiting.h"
#include "core/target/diagnostics.h"
#include "widgets/code/compile_view.h"
#include "widgets/code/kernel_facts.h"
#include "widgets/code/source_editor.h"
#include "widgets/code/submitted_kernel.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/near_duplicates.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/common/verdict_mark.h"

#include <QHBoxLayout>
#include <QJsonObject>
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
constexpr int editedShare = 75; // percent of the height

} // namespace

KernelPanel::KernelPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_name(new ElidedLabel(this))
    , m_outcome(new QLabel(this))
    , m_refusal(named(new MessageLabel(this), "kernelEditRefusal", tr("Why the edit cannot be evaluated")))
    , m_submitted(new SubmittedKernel(context.bridge, context.selection, this))
    , m_evaluateNow(named(new QPushButton(tr("Evaluate &now"), this), "kernelEvaluateNow", tr("Evaluate now")))
    , m_near(named(new QLabel(this), "kernelNearDuplicate", tr("Near duplicate")))
    , m_editBar(createEditBar())
    , m_source(new SourceEditor(this))
    , m_compile(new CompileView(
          m_source, m_source, [this] { return m_source->source(); }, QStringLiteral("kernel"), this))
    , m_facts(new RichTextView(this))
    , m_parts(new QSplitter(Qt::Horizontal, this))
    , m_unsaved(createUnsaved()) {
    setObjectName(QStringLiteral("kernelPanel"));
    m_empty->setText(tr("The selected kernel"),
                     tr("Select one in the lineage: its source, times and proof stand here."));
    m_name->setObjectName(QStringLiteral("kernelName"));
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_outcome->setObjectName(QStringLiteral("kernelOutcome"));
    m_source->setObjectName(QStringLiteral("kernelSource"));
    m_source->setAccessibleName(tr("Source"));
    m_facts->setObjectName(QStringLiteral("kernelFacts"));
    m_facts->setAccessibleName(tr("Facts of the evaluations"));
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
    m_parts->setSizes({500, 500});
    m_near->setProperty("quiet", true);
    m_near->setTextFormat(Qt::RichText);
    m_near->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_near->setContentsMargins(spacing3, 0, spacing3, spacing2);
    m_near->hide();
    m_refusal->setProperty("error", true);
    m_refusal->setContentsMargins(spacing3, 0, spacing3, spacing2);
    m_refusal->hide();
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
    connect(m_evaluateNow, &QPushButton::clicked, this, [this] { bridge().send(command::EvaluateAgain{*m_shown}); });
    connect(context.selection, &SelectionContext::editRequested, this, &KernelPanel::beginEdit);
    connect(m_source, &QsciScintilla::textChanged, m_unsaved, &UnsavedText::touch);
    connect(m_editTitle, &QLineEdit::textEdited, m_unsaved, &UnsavedText::touch);
    connect(m_near, &QLabel::linkActivated, this, &KernelPanel::compareWithNearDuplicate);
    connect(&bridge(), &EngineBridge::stateChanged, this, &Panel::scheduleRefresh); // a waiting kernel says so
    connect(&bridge().nearDuplicates(), &NearDuplicates::changed, this, [this] {
        showNearDuplicate();
        Q_EMIT settled();
    });
}

QWidget* KernelPanel::createEditBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(spacing3, 0, spacing3, spacing2);
    layout->setSpacing(spacing2);
    auto* label = new QLabel(tr("&Title"), bar);
    m_editTitle = new QLineEdit(bar);
    m_editTitle->setObjectName(QStringLiteral("kernelEditTitle"));
    m_editTitle->setAccessibleName(tr("Title of the new kernel"));
    m_editTitle->setMaxLength(limits::kernelTitleCharacters);
    label->setBuddy(m_editTitle);
    auto* submit = new QPushButton(tr("E&valuate"), bar);
    submit->setObjectName(QStringLiteral("kernelEditSubmit"));
    submit->setAccessibleName(tr("Evaluate the edited kernel"));
    submit->setToolTip(tr("Adds it to the population; it is evaluated at once, or next while the campaign runs "
                          "(Ctrl+Enter)"));
    auto* discard = new QPushButton(tr("&Discard"), bar);
    discard->setObjectName(QStringLiteral("kernelEditDiscard"));
    discard->setAccessibleName(tr("Discard the edit"));
    layout->addWidget(label);
    layout->addWidget(m_editTitle, 1);
    layout->addWidget(submit);
    layout->addWidget(discard);
    connect(submit, &QPushButton::clicked, this, &KernelPanel::submitEdit);
    connect(discard, &QPushButton::clicked, this, &KernelPanel::endEdit);
    return bar;
}

QWidget* KernelPanel::createExportButton() {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("kernelExportEvidence"));
    button->setIcon(icon(Icon::evidence));
    button->setAccessibleName(tr("Export evidence of this kernel"));
    button->setToolTip(
        tr("Export evidence: sources, samples, checks and a report, in a folder that can be checked again"));
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
                   .text = tr("Compare with its near &duplicate"),
                   .menu = tr("&Kernel"),
                   .shortcut = QKeySequence(Qt::CTRL | Qt::Key_D),
                   .tip = tr("The earlier kernel that is nearly the same")},
                  [this] { compareWithNearDuplicate(); });
    m_compile->addActions(actions(), this,
                          {"kernel.next-diagnostic", "kernel.previous-diagnostic", tr("&Kernel"), tr("the kernel")});
}

UnsavedText* KernelPanel::createUnsaved() {
    UnsavedText::Form form;
    form.what = [this] {
        const Kernel* basis = m_basis ? bridge().population()->kernel(*m_basis) : nullptr;
        return basis != nullptr && m_source->source() != basis->source.orNothing()
                   ? tr("New kernel from %1").arg(idText(*m_basis))
                   : QString();
    };
    form.content = [this] {
        return QJsonObject{{QStringLiteral("basis"), static_cast<qint64>(*m_basis)},
                           {QStringLiteral("title"), m_editTitle->text()},
                           {QStringLiteral("source"), m_source->text()}};
    };
    form.restore = [this](const QJsonObject& content) {
        const KernelId id = content.value(QLatin1String("basis")).toInteger();
        const Kernel* basis = bridge().population()->kernel(id);
        if (basis == nullptr || isEditing()) {
            return false;
        }
        startEdit(*basis);
        m_editTitle->setText(content.value(QLatin1String("title")).toString());
        m_source->setText(content.value(QLatin1String("source")).toString());
        return true;
    };
    form.discard = [this] { endEdit(); };
    form.kernelRefusal = [this] { return refusal(); };
    form.saveAsKernel = [this] { submitEdit(); };
    return new UnsavedText(QStringLiteral("kernel"), std::move(form), this);
}

bool KernelPanel::beginEdit() {
    const Kernel* kernel = selection().primary() ? bridge().population()->kernel(*selection().primary()) : nullptr;
    if (isEditing()) {
        showRefusal(tr("Evaluate or discard this edit first"));
        return false;
    }
    if (kernel == nullptr || bridge().readOnly()) {
        return false;
    }
    startEdit(*kernel);
    m_source->setFocus();
    return true;
}

void KernelPanel::beginEditOf(const QString& title, const QString& source) {
    const Population& population = *bridge().population();
    const auto mayBeBasis = [](const Kernel* kernel) {
        return kernel != nullptr && !kernel->probe && !mayBeDeclined(*kernel); // whose draft waits keeps it
    };
    const Kernel* basis = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    if (!mayBeBasis(basis)) {
        basis = population.baseline ? population.kernel(*population.baseline) : nullptr;
    }
    if (isEditing()) {
        showRefusal(tr("%1 was not opened: evaluate or discard this edit first").arg(title));
    } else if (mayBeBasis(basis) && !bridge().readOnly()) {
        startEdit(*basis);
        setEditTitle(title);
        m_source->setText(source);
        m_source->setFocus();
    }
}

void KernelPanel::setEditTitle(const QString& title) {
    if (isEditing() && !replacesDraft()) {
        m_editTitle->setText(title.left(limits::kernelTitleCharacters));
    }
}

void KernelPanel::showRefusal(const QString& why) {
    m_refusal->setText(why);
    m_refusal->setVisible(!why.isEmpty());
}

void KernelPanel::startEdit(const Kernel& basis) {
    showKernel(basis);
    m_basis = basis.id;
    m_editTitle->setText(replacesDraft() ? toText(basis.title) : tr("edit of %1").arg(idText(basis.id)));
    m_editTitle->setReadOnly(replacesDraft()); // a draft keeps its title
    m_source->setReadOnly(false);
    m_editBar->show();
    m_partsBefore = m_parts->sizes();
    divideParts();
    askParentOf(basis);
    refresh();
}

// The numbers of what is typed stand against the kernel that it comes from: a draft's own parent.
void KernelPanel::askParentOf(const Kernel& basis) {
    if (replacesDraft() && basis.parents.empty()) {
        return;
    }
    const KernelId parent = replacesDraft() ? basis.parents.front() : basis.id;
    bridge().askSources(m_compile, {parent}, [this, parent, edited = basis.id](const auto& answer) {
        if (answer && !answer->empty() && m_basis == edited) {
            m_compile->setParentSource(idText(parent), answer->front());
        }
    });
}

void KernelPanel::endEdit() {
    m_basis.reset();
    m_shown.reset();
    m_source->setReadOnly(true);
    m_compile->endLive();
    if (!m_partsBefore.isEmpty()) {
        m_parts->setSizes(m_partsBefore);
    }
    m_editBar->hide();
    m_refusal->hide();
    m_unsaved->touch();
    refresh();
}

bool KernelPanel::replacesDraft() const {
    const Kernel* basis = m_basis ? bridge().population()->kernel(*m_basis) : nullptr;
    return basis != nullptr && mayBeDeclined(*basis);
}

SteeringCommand KernelPanel::typed() const {
    if (replacesDraft()) {
        return command::EditCode{*m_basis, m_source->source()};
    }
    return command::AddKernel{*m_basis, m_editTitle->text().trimmed().toStdString(), m_source->source()};
}

QString KernelPanel::refusal() const {
    const auto allowed = checkCommand(typed(), *bridge().population());
    return allowed ? QString() : toText(allowed.error().message());
}

// What the engine would refuse stays here: nothing else has the text.
void KernelPanel::submitEdit() {
    const QString why = refusal();
    showRefusal(why);
    if (why.isEmpty()) {
        m_submitted->await();
        bridge().send(typed());
        endEdit();
    }
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
    return !m_answerAwaited && bridge().nearDuplicates().isComplete();
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

// Who writes has most of a narrow page.
void KernelPanel::divideParts() {
    const bool isNarrow = m_parts->orientation() == Qt::Vertical;
    const int whole = isNarrow ? m_parts->height() : m_parts->width();
    const int share = !isNarrow ? besideShare : isEditing() ? editedShare : 50;
    const int source = whole * share / 100;
    m_parts->setSizes({source, whole - source});
}

void KernelPanel::showNearDuplicate() {
    const auto primary = selection().primary();
    const QString text = primary && !isEditing() ? bridge().nearDuplicates().text(*primary) : QString();
    m_near->setText(text.toHtmlEscaped() % QStringLiteral(": <a href=\"compare\">") % tr("compare") %
                    QStringLiteral("</a>"));
    m_near->setVisible(!text.isEmpty());
    actions().action("kernel.compare-near")->setEnabled(!text.isEmpty());
}

void KernelPanel::compareWithNearDuplicate() {
    const auto primary = selection().primary();
    if (const auto near = primary ? bridge().nearDuplicates().of(*primary) : std::nullopt) {
        selection().setPair(*primary, near->kernel);
        selection().requestPage(QStringLiteral("compare"));
    }
}

void KernelPanel::showKernel(const Kernel& kernel) {
    const Palette& palette = Theme::instance().palette();
    const QString title = idText(kernel.id) + QStringLiteral("  ") + QString::fromStdString(kernel.title);
    m_name->setText(replacesDraft() ? tr("Edit of %1").arg(title)
                    : isEditing()   ? tr("New kernel from %1").arg(title)
                                    : title);
    QString outcome = kernelStateText(kernel);
    if (kernel.probe) {
        outcome = tr("probe, %1").arg(outcome);
    } else if (kernel.geomeanUs > 0) {
        outcome += QStringLiteral("   ") + geomeanText(kernel, bridge().population()->settings.target);
    }
    if (const std::string waits = waitText(kernel, *bridge().population()); !waits.empty()) {
        const QString why = mayBeEvaluatedNow(kernel) ? tr("waits; the campaign stands") : toText(waits);
        outcome = kernel.verdict ? outcome + QStringLiteral("   ") + why : why; // to be measured once more
    }
    m_outcome->setText(outcome);
    m_evaluateNow->setVisible(mayBeEvaluatedNow(kernel));
    setTextColor(m_outcome, colorOf(markOf(kernel), palette));

    if (m_shown != kernel.id) {
        if (!isEditing()) {
            m_compile->showFound({});
            m_source->setSource(kernel.source.orNothing());
        }
        m_evaluations.clear();
        m_shown = kernel.id;
    }
    showFacts(kernel);
    if (m_asked != kernel) {
        m_asked = kernel;
        m_answerAwaited = true;
        bridge().askEvaluations(this, kernel.id, [this](const Result<std::vector<Evaluation>>& answer) {
            m_answerAwaited = false;
            m_evaluations = answer.value_or(std::vector<Evaluation>{});
            if (const Kernel* shown = m_shown ? bridge().population()->kernel(*m_shown) : nullptr) {
                showFacts(*shown);
            }
            Q_EMIT settled();
        });
    }
}

// Alone, with what it is compared with: the campaign need not run for it.
bool KernelPanel::mayBeEvaluatedNow(const Kernel& kernel) const {
    const bool stands = bridge().state() == EngineState::idle || bridge().state() == EngineState::paused;
    return stands && kernel.state == KernelState::waiting && !bridge().readOnly() && !isEditing();
}

void KernelPanel::showFacts(const Kernel& kernel) {
    const std::vector<std::string> dims = bridge().problem() ? bridge().problem()->dims : std::vector<std::string>();
    m_facts->setHtml(kernelFactsHtml(*bridge().population(), dims, kernel, m_evaluations, Theme::instance().palette()));
    showDiagnostics();
}

void KernelPanel::showDiagnostics() {
    const Verdict* newest = newestOf(m_evaluations);
    if (isEditing()) {
        if (isCompiledLive(*bridge().population())) {
            m_compile->beginLive(conditionsFor(bridge().problem(), newest));
        }
        return;
    }
    const bool hasFailed = newest != nullptr && newest->kind == VerdictKind::buildFailed;
    m_compile->showFound(hasFailed ? readDiagnostics(newest->build.log) : std::vector<Diagnostic>(),
                         hasFailed && namesItsOwnLines(m_source->source()));
}

} // namespace gks
