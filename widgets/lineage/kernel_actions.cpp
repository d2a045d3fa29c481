// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/kernel_actions.h"

#include "core/campaign/comparison_table.h"
#include "core/campaign/rules.h"
#include "widgets/common/actions.h"
#include "widgets/common/campaign_fork.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/evidence_export.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <array>
#include <utility>

namespace gks {

namespace {

// What is a decision about the campaign; the others look at it, or make something beside it.
constexpr std::array deciding = {"kernel.pin-parent",     "kernel.pin-reference", "kernel.ban",
                                 "kernel.evaluate-again", "kernel.edit",          "kernel.confirm",
                                 "kernel.measure-beside"};

} // namespace

KernelActions::KernelActions(const PanelContext& context, QWidget* home)
    : QObject(home)
    , m_context(context)
    , m_home(home)
    , m_export(new EvidenceExport(context.bridge, home))
    , m_fork(new CampaignFork(context.bridge, home)) {
    addReading();
    addSteering();
    addMeasuring();
    addForking();
    if (context.bridge->readOnly()) {
        explainReadOnly();
    }
    connect(context.selection, &SelectionContext::changed, this, &KernelActions::updateEnabled);
    connect(context.selection, &SelectionContext::comparedChanged, this, &KernelActions::updateEnabled);
    connect(context.bridge, &EngineBridge::populationChanged, this, &KernelActions::updateEnabled);
    updateEnabled();
}

const Kernel* KernelActions::selected() const {
    const auto primary = m_context.selection->primary();
    return primary ? m_context.bridge->population()->kernel(*primary) : nullptr;
}

void KernelActions::add(const ActionSpec& spec, std::function<void(const Kernel&)> run, bool inside) {
    m_all.append(m_context.actions->add(
        m_home, spec,
        [this, run = std::move(run)] {
            if (const Kernel* kernel = selected()) {
                run(*kernel);
            }
        },
        inside));
}

void KernelActions::addReading() {
    const QString menu = tr("&Kernel");
    SelectionContext* selection = m_context.selection;
    add(
        {"kernel.open", tr("&Open kernel page"), menu, QKeySequence(Qt::ALT | Qt::Key_Return)},
        [selection](const Kernel&) { selection->requestPage(QStringLiteral("kernel")); }, false);
    add(
        {"kernel.compare-parent", tr("&Compare with parent"), menu, QKeySequence(Qt::Key_Space), Icon::compare},
        [selection](const Kernel& kernel) {
            if (!kernel.parents.empty()) {
                selection->setPair(kernel.id, kernel.parents.front());
            }
            selection->requestPage(QStringLiteral("compare"));
        },
        true);
    add(
        {"kernel.add-to-comparison", tr("Add to co&mparison"), menu, QKeySequence(Qt::Key_A), Icon::plus,
         tr("A column of the table on the page Compare, beside the second selected kernel and those that are in it")},
        [this](const Kernel& kernel) { toggleCompared(kernel.id); }, true);
    add(
        {"kernel.conversation", tr("Show con&versation"), menu, {}, Icon::conversation},
        [selection](const Kernel&) { selection->requestPage(QStringLiteral("conversation")); }, false);
    add(
        {"kernel.copy-source", tr("Cop&y source"), menu, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), Icon::copy},
        [](const Kernel& kernel) { QGuiApplication::clipboard()->setText(toText(kernel.source.orNothing())); }, false);
    add(
        {"kernel.export-evidence", tr("E&xport evidence..."), menu, {}, Icon::evidence},
        [this](const Kernel& kernel) { m_export->start(kernel.id); }, false);
    add(
        {"kernel.export",
         tr("Export &kernel..."),
         menu,
         {},
         Icon::copy,
         tr("As a header, a library, a PyTorch extension, a patch and more, with the choice by shape and the "
            "evidence")},
        [selection](const Kernel& kernel) { selection->requestExport(kernel.id); }, false);
}

// The first brings the second selected kernel along: Ctrl+click and A make a table of the two.
void KernelActions::toggleCompared(KernelId kernel) {
    SelectionContext& selection = *m_context.selection;
    if (selection.isCompared(kernel)) {
        selection.removeCompared(kernel);
        return;
    }
    std::vector<KernelId> kernels = selection.compared();
    if (kernels.empty() && selection.second()) {
        kernels.push_back(*selection.second());
    }
    kernels.push_back(kernel);
    selection.setCompared(std::move(kernels));
    selection.requestPage(QStringLiteral("compare"));
}

void KernelActions::addSteering() {
    const QString menu = tr("&Kernel");
    EngineBridge* bridge = m_context.bridge;
    add(
        {"kernel.pin-parent", tr("Pin as next &parent"), menu, QKeySequence(Qt::Key_P), Icon::pin},
        [bridge](const Kernel& kernel) {
            const NextParentChanged& next = bridge->nextParent();
            const bool keepReference = next.pinned && next.reference != kernel.id;
            bridge->send(command::PinParent{kernel.id, keepReference ? next.reference : std::nullopt});
        },
        true);
    add(
        {"kernel.pin-reference", tr("Pin as &reference kernel"), menu, QKeySequence(Qt::Key_R), Icon::reference},
        [bridge](const Kernel& kernel) {
            const auto parent = bridge->nextParent().parent ? bridge->nextParent().parent : bridge->population()->best;
            if (parent != kernel.id) {
                bridge->send(command::PinParent{parent, kernel.id});
            }
        },
        true);
    add(
        {"kernel.ban", tr("&Ban as parent"), menu, QKeySequence(Qt::Key_B), Icon::ban},
        [bridge](const Kernel& kernel) { bridge->send(command::SetBanned{kernel.id, !kernel.banned}); }, true);
    add(
        {"kernel.evaluate-again", tr("Evaluate &again"), menu, {}, Icon::again},
        [bridge](const Kernel& kernel) { bridge->send(command::EvaluateAgain{kernel.id}); }, false);
    add(
        {"kernel.edit", tr("&Edit as new kernel"), menu, QKeySequence(Qt::Key_E), Icon::edit},
        [selection = m_context.selection](const Kernel& kernel) { selection->requestEdit(kernel.id); }, true);
}

bool KernelActions::mayBeMeasuredBeside(const Kernel& kernel, std::optional<KernelId> other) const {
    return other && checkCommand(command::MeasureSideBySide{kernel.id, *other}, *m_context.bridge->population());
}

void KernelActions::measureBeside(const Kernel& kernel, KernelId other) {
    m_context.bridge->send(command::MeasureSideBySide{kernel.id, other});
    m_context.selection->setPair(kernel.id, other);
    m_context.selection->requestPage(QStringLiteral("compare"));
}

void KernelActions::addMeasuring() {
    const QString menu = tr("&Kernel");
    add(
        {"kernel.confirm", tr("Measure beside baseline on all &shapes"), menu, QKeySequence(Qt::SHIFT | Qt::Key_M),
         Icon::again, tr("Measured beside the kernel that speedups refer to, on every benchmark shape")},
        [this](const Kernel& kernel) {
            if (const auto baseline = m_context.bridge->population()->baseline) {
                measureBeside(kernel, *baseline);
            }
        },
        true);
    add(
        {"kernel.measure-beside", tr("Measure beside the second"), menu, QKeySequence(Qt::Key_M), Icon::compare,
         tr("Measured beside the kernel that is selected as the second (Ctrl+click), on every benchmark shape")},
        [this](const Kernel& kernel) {
            if (const auto second = m_context.selection->second()) {
                measureBeside(kernel, *second);
            }
        },
        true);
}

// The second selected kernel comes along as a further seed.
void KernelActions::addForking() {
    add(
        {"kernel.fork",
         tr("&Fork from here..."),
         tr("&Kernel"),
         {},
         Icon::plus,
         tr("A new campaign that begins with this kernel, with the findings and documents of this one")},
        [this](const Kernel& kernel) {
            const auto second = m_context.selection->second();
            m_fork->start({kernel.id, second ? std::vector<KernelId>{*second} : std::vector<KernelId>{}});
        },
        false);
    connect(m_fork, &CampaignFork::forked, m_context.selection, &SelectionContext::requestCampaign);
}

// The baseline is named: it is one kernel of the campaign, not whatever stands beside this one.
void KernelActions::updateComparison(const Kernel& kernel) {
    const auto baseline = m_context.bridge->population()->baseline;
    QAction* confirm = m_context.actions->action("kernel.confirm");
    confirm->setText(baseline ? tr("Measure beside baseline %1 on all &shapes").arg(idText(*baseline))
                              : tr("Measure beside baseline on all &shapes"));
    confirm->setEnabled(mayBeMeasuredBeside(kernel, baseline));
    const bool isCompared = m_context.selection->isCompared(kernel.id);
    QAction* compare = m_context.actions->action("kernel.add-to-comparison");
    compare->setText(isCompared ? tr("Remove from co&mparison") : tr("Add to co&mparison"));
    compare->setEnabled(!kernel.probe && (isCompared || m_context.selection->compared().size() < mostCompared));
}

void KernelActions::updateEnabled() {
    const Kernel* kernel = selected();
    for (QAction* action : std::as_const(m_all)) {
        action->setEnabled(kernel != nullptr);
    }
    if (kernel != nullptr) {
        m_context.actions->action("kernel.ban")
            ->setText(kernel->banned ? tr("Un&ban as parent") : tr("&Ban as parent"));
        m_context.actions->action("kernel.compare-parent")->setEnabled(!kernel->parents.empty());
        m_context.actions->action("kernel.pin-parent")->setEnabled(mayBecomeParent(*kernel));
        const auto second = m_context.selection->second();
        QAction* beside = m_context.actions->action("kernel.measure-beside");
        beside->setText(second ? tr("Measure beside %1").arg(idText(*second)) : tr("Measure beside the second"));
        beside->setEnabled(mayBeMeasuredBeside(*kernel, second));
        updateComparison(*kernel);
        m_context.actions->action("kernel.evaluate-again")
            ->setText(kernel->state == KernelState::waiting ? tr("Evaluate &now") : tr("Evaluate &again"));
        m_context.actions->action("kernel.fork")
            ->setEnabled(mayBecomeSeed(*kernel) && !m_context.bridge->file().isEmpty());
        m_context.actions->action("kernel.export")->setEnabled(!kernel->probe && !m_context.bridge->file().isEmpty());
        m_context.actions->action("kernel.edit")->setEnabled(!kernel->probe || mayBeDeclined(*kernel));
        for (const char* ofTheProblem : {"kernel.pin-reference", "kernel.ban", "kernel.export-evidence"}) {
            m_context.actions->action(ofTheProblem)->setEnabled(!kernel->probe);
        }
    }
    if (m_context.bridge->readOnly()) {
        for (const char* id : deciding) {
            m_context.actions->action(id)->setEnabled(false);
        }
    }
}

void KernelActions::explainReadOnly() {
    for (const char* id : deciding) {
        ActionCollection::setTip(m_context.actions->action(id), readOnlyReason());
    }
}

void KernelActions::fill(QMenu& menu) const {
    const auto add = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            menu.addAction(m_context.actions->action(id));
        }
    };
    add({"kernel.open", "kernel.compare-parent", "kernel.add-to-comparison"});
    menu.addSeparator();
    add({"kernel.pin-parent", "kernel.pin-reference", "kernel.ban"});
    menu.addSeparator();
    add({"kernel.evaluate-again", "kernel.confirm", "kernel.measure-beside", "kernel.edit", "kernel.fork"});
    menu.addSeparator();
    add({"kernel.copy-source", "kernel.conversation", "kernel.export-evidence", "kernel.export"});
}

} // namespace gks
