// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"

#include "app/workbench/sample_bar.h"
#include "app/workbench/watch_bar.h"
#include "core/engine/demo.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/common/actions.h"
#include "widgets/common/campaign_copy.h"
#include "widgets/common/dock_title.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/evidence_export.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"
#include "widgets/common/unsaved_keeper.h"
#include "widgets/conversation/person_dialog.h"
#include "widgets/experiments/decision_undo.h"
#include "widgets/experiments/history_panel.h"
#include "widgets/export/export_dialog.h"
#include "widgets/run/run_bar.h"
#include "widgets/run/status_strip.h"

#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QFrame>
#include <QMainWindow>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

namespace gks {

namespace {

constexpr int layoutVersion = 1; // raise it when docks are renamed; older saved layouts are then left aside

QWidget* separator() {
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    line->setFixedHeight(1);
    return line;
}

} // namespace

CampaignView::CampaignView(std::unique_ptr<EngineBridge> bridge, QWidget* parent)
    : QWidget(parent)
    , m_bridge(std::move(bridge))
    , m_selection(new SelectionContext(this))
    , m_actions(new ActionCollection(this))
    , m_runBar(new RunBar(context(), this))
    , m_frame(new QMainWindow(this))
    , m_middle(new QWidget(m_frame)) // from above to below: to give a widget with parts another parent costs
    , m_pages(new QTabWidget(m_middle))
    , m_status(new StatusStrip(context(), this)) {
    setObjectName(QStringLiteral("campaignView"));
    m_frame->setObjectName(QStringLiteral("docks"));
    m_frame->setWindowFlags(Qt::Widget);
    m_frame->setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    // Experiments need the height more than the activity needs the width.
    m_frame->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_pages->setObjectName(QStringLiteral("pages"));
    m_pages->tabBar()->hide();
    m_pages->setFocusProxy(nullptr); // or the Tab key would end at the bar that is not there
    m_pages->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_runBar, separator(), m_frame, separator(), m_status}) {
        column->addWidget(part, part == m_frame ? 1 : 0);
    }
    if (m_bridge->watches() && isSampleCampaign(m_bridge->file().toStdString())) {
        auto* sample = new SampleBar;
        column->insertWidget(0, sample);
        column->insertWidget(1, separator());
        connect(sample, &SampleBar::demoRequested, this, &CampaignView::demoRequested);
        connect(sample, &SampleBar::newRequested, this, &CampaignView::newRequested);
    } else if (m_bridge->watches()) {
        m_watch = new WatchBar(*m_bridge);
        column->insertWidget(0, m_watch);
        column->insertWidget(1, separator());
        connect(m_watch, &WatchBar::takeOverRequested, this, &CampaignView::takeOverRequested);
    }
    addPanels();
    addPageBar();
    addActions();
    connect(m_selection, &SelectionContext::pageRequested, this, &CampaignView::showPanel);
    connect(m_selection, &SelectionContext::campaignRequested, this, &CampaignView::campaignRequested);
    connect(m_selection, &SelectionContext::exportRequested, this, &CampaignView::exportKernel);
    m_person = new PersonDialog(*m_bridge, this);
    connect(m_bridge.get(), &EngineBridge::quiet, this, &CampaignView::announceSettled);
    m_defaultState = m_frame->saveState(layoutVersion);
    m_ownLayout = m_frame->restoreState(Settings::instance().value(settings::dockState), layoutVersion);
    if (!m_bridge->population()->kernels.empty()) {
        const Population& population = *m_bridge->population();
        m_selection->select(population.best.value_or(population.kernels.front().id));
    }
    m_nextPanel.setSingleShot(true);
    m_nextPanel.setInterval(0);
    connect(&m_nextPanel, &QTimer::timeout, this, &CampaignView::makeNextPanel);
    m_nextPanel.start();
}

CampaignView::~CampaignView() {
    m_pages->disconnect(this); // pages that go make others current
    Settings::instance().set(settings::dockState, m_frame->saveState(layoutVersion));
    delete m_unsaved; // while the forms still have the text
    // Panels speak with the bridge until they are gone, so they go first.
    delete m_person;
    delete m_frame;
    delete m_runBar;
    delete m_status;
}

void CampaignView::setBusy(bool busy) {
    if (m_watch != nullptr) {
        m_watch->setBusy(busy);
    }
}

// The pages get more than half of the width on a small screen, and the docks no more than they can use on a large one.
void CampaignView::shareWidth() {
    const int left = std::max(std::clamp(width() * 21 / 100, 240, 380), width() * 14 / 100);
    const int right = std::max(std::clamp(width() * 25 / 100, 300, 340), width() * 12 / 100);
    for (const auto& [id, dock] : m_docks) {
        const Qt::DockWidgetArea area = m_frame->dockWidgetArea(dock);
        if (area == Qt::BottomDockWidgetArea) {
            fitBottom(dock, true);
        } else if (area != Qt::NoDockWidgetArea) {
            m_frame->resizeDocks({dock}, {area == Qt::LeftDockWidgetArea ? left : right}, Qt::Horizontal);
        }
    }
}

// A dock below the pages is no more than its title bar until it has something to show.
void CampaignView::fitBottom(QDockWidget* dock, bool isNews) {
    const auto* panel = static_cast<const Panel*>(dock->widget());
    const bool isBelow = !dock->isFloating() && m_frame->dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
    const bool isLow = isBelow && !panel->hasContent();
    dock->setMaximumHeight(isLow ? dock->titleBarWidget()->sizeHint().height() : QWIDGETSIZE_MAX);
    if (isNews && isBelow && !isLow) {
        m_frame->resizeDocks({dock}, {std::clamp(height() / 5, 150, 190)}, Qt::Vertical);
    }
}

void CampaignView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_shown && !m_ownLayout) {
        // The size is known once the window has laid itself out.
        QMetaObject::invokeMethod(this, &CampaignView::shareWidth, Qt::QueuedConnection);
    }
    m_shown = true;
}

void CampaignView::addDock(const QString& id, const QString& title, Qt::DockWidgetArea area, Panel* panel) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(id);
    dock->setWidget(panel != nullptr ? static_cast<QWidget*>(panel) : new QWidget);
    dock->setTitleBarWidget(new DockTitle(dock, panel != nullptr ? panel->titleWidget() : nullptr));
    m_docks[id] = dock;
    m_frame->addDockWidget(area, dock);
    if (area == Qt::BottomDockWidgetArea) {
        fitBottom(dock, false);
        connect(panel, &Panel::contentChanged, this, [this, dock] { fitBottom(dock, true); });
        connect(dock, &QDockWidget::topLevelChanged, this, [this, dock] { fitBottom(dock, false); });
        connect(dock, &QDockWidget::dockLocationChanged, this, [this, dock] { fitBottom(dock, false); });
    }
}

void CampaignView::addActions() {
    auto* copy = new CampaignCopy(m_bridge.get(), this);
    m_actions->add(this,
                   {"campaign.copy", tr("Save a &copy..."), tr("&File"), QKeySequence::SaveAs, Icon::copy,
                    tr("The campaign as it is now, in one file; it may go on running meanwhile")},
                   [copy] { copy->start(); });
    auto* report = new EvidenceExport(m_bridge.get(), this);
    m_actions->add(this, {"campaign.export-report", tr("&Export report..."), tr("&File"), {}, Icon::evidence},
                   [report] { report->start({}); });
    QAction* best = m_actions->add(this,
                                   {"campaign.export-kernel",
                                    tr("Export best &kernel..."),
                                    tr("&File"),
                                    {},
                                    Icon::copy,
                                    tr("Into your own code; the menu Kernel has it for the selected kernel")},
                                   [this] {
                                       if (const auto kernel = m_bridge->population()->best) {
                                           exportKernel(*kernel);
                                       }
                                   });
    const auto enableBest = [this, best] {
        best->setEnabled(m_bridge->population()->best.has_value() && !m_bridge->file().isEmpty());
    };
    connect(m_bridge.get(), &EngineBridge::populationChanged, best, enableBest);
    enableBest();
    auto* undo = new DecisionUndo(m_bridge.get(), this);
    connect(undo, &DecisionUndo::refused, this, [this](const Error& error) { // where every decision says why
        showPanel(QStringLiteral("history"));
        if (auto* history = qobject_cast<HistoryPanel*>(panel(QStringLiteral("history")))) {
            history->showRefusal(error);
        }
    });
    m_actions->add(this,
                   {"history.undo", tr("&Undo the last decision"), tr("E&dit"), QKeySequence::Undo, Icon::back,
                    tr("Takes back your last decision of which nothing has come yet; the History page has all")},
                   [this, undo] {
                       if (!m_bridge->readOnly()) {
                           undo->undo(0);
                       }
                   });
    const QString view = tr("&View");
    m_actions->add(this, {"selection.back", tr("&Back"), view, QKeySequence(Qt::ALT | Qt::Key_Left), Icon::back},
                   [this] { m_selection->back(); });
    m_actions->add(this,
                   {"selection.forward", tr("F&orward"), view, QKeySequence(Qt::ALT | Qt::Key_Right), Icon::forward},
                   [this] { m_selection->forward(); });
    for (int page = 0; page < m_pages->count(); ++page) {
        const QByteArray id = QByteArrayLiteral("page.") + m_pageIds[static_cast<std::size_t>(page)].toLatin1();
        m_actions->add(this,
                       {id.constData(), tr("Go to %1").arg(m_pages->tabText(page)), view,
                        page < 9 ? QKeySequence(QStringLiteral("Ctrl+%1").arg(page + 1)) : QKeySequence()},
                       [this, page] { m_pages->setCurrentIndex(page); });
    }
    for (const QString& id : m_order) {
        const auto found = m_docks.find(id);
        if (found == m_docks.end()) {
            continue;
        }
        const QByteArray actionId = QByteArrayLiteral("dock.") + id.toLatin1();
        QDockWidget* dock = found->second;
        QAction* action =
            m_actions->add(this, {actionId.constData(), tr("Show %1").arg(dock->windowTitle()), view}, [] {});
        action->setCheckable(true);
        connect(action, &QAction::triggered, dock, &QDockWidget::setVisible);
        connect(dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
        action->setChecked(true);
    }
    m_actions->add(this, {"view.reset", tr("&Reset layout"), view}, [this] { resetLayout(); });
}

void CampaignView::exportKernel(qint64 kernel) {
    auto* dialog = new ExportDialog(m_bridge->file(), kernel, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show(); // the campaign goes on beside it
}

QString CampaignView::title() const {
    const QString name = QFileInfo(m_bridge->file()).completeBaseName();
    return name.isEmpty() ? toText(m_bridge->population()->settings.problem) : name;
}

void CampaignView::editSource(const QString& title, const QString& source) {
    if (auto* kernel = qobject_cast<KernelPanel*>(panel(QStringLiteral("kernel")))) {
        showPanel(QStringLiteral("kernel"));
        kernel->beginEditOf(title, source);
    }
}

// The person writes the kernel of an experiment: by its title it is known to carry that out.
void CampaignView::writeCode(qint64 parent, const QString& title) {
    auto* kernel = qobject_cast<KernelPanel*>(panel(QStringLiteral("kernel")));
    if (kernel != nullptr) {
        m_selection->select(parent);
        showPanel(QStringLiteral("kernel"));
        if (kernel->beginEdit()) { // an edit that is open keeps its title
            kernel->setEditTitle(title);
        }
    }
}

QString CampaignView::helpTopic() const {
    const auto* panel = qobject_cast<const Panel*>(m_pages->currentWidget());
    for (const QWidget* at = QApplication::focusWidget(); at != nullptr; at = at->parentWidget()) {
        if (const auto* around = qobject_cast<const Panel*>(at); m_topics.contains(around)) {
            panel = around;
        }
    }
    const auto topic = m_topics.find(panel);
    return topic == m_topics.end() ? QString() : topic->second;
}

void CampaignView::resetLayout() {
    for (const auto& [id, dock] : m_docks) {
        dock->show();
    }
    m_frame->restoreState(m_defaultState, layoutVersion);
    shareWidth();
}

void CampaignView::setSandbox(const QString& text, const QString& reason) {
    m_status->setSandbox(text, reason);
}

} // namespace gks
