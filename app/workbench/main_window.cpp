// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/main_window.h"

#include "app/workbench/campaign_view.h"
#include "app/workbench/file_drops.h"
#include "app/workbench/hidden_runs.h"
#include "app/workbench/recent_menu.h"
#include "app/workbench/run_notice.h"
#include "app/workbench/running_list.h"
#include "app/workbench/start_page.h"
#include "core/base/locations.h"
#include "core/campaign/running.h"
#include "core/judge/confine/sandbox.h"
#include "widgets/common/actions.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/plain_labels.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/help/help_window.h"
#include "widgets/run/lanes_dialog.h"
#include "widgets/settings/settings_dialog.h"

#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QThreadPool>
#include <algorithm>

namespace gks {
namespace {

// What the window has before a person has given it a size: most of a small screen, and of a large one no more than can
// be read without turning the head.
QSize firstSize(const QScreen& screen) {
    const QSize room = screen.availableGeometry().size();
    return (room * 0.9).boundedTo({1920, 1200}).expandedTo(QSize(1280, 760).boundedTo(room));
}

} // namespace

MainWindow::MainWindow(WindowSeams seams, QWidget* parent)
    : QMainWindow(parent)
    , m_seams(std::move(seams))
    , m_actions(new ActionCollection(this))
    , m_stack(new QStackedWidget)
    , m_tabs(new QTabWidget)
    , m_hidden(new HiddenRuns(this))
    , m_opener(new CampaignOpener(m_seams, this))
    , m_start(new StartPage)
    , m_recent(new RecentMenu(this)) {
    makeLabelsPlain();
    setObjectName(QStringLiteral("mainWindow"));
    m_tabs->setObjectName(QStringLiteral("campaignTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setTabsClosable(true);
    m_tabs->setTabBarAutoHide(true);
    m_tabs->setFocusProxy(nullptr); // a hidden bar of one tab would hold the Tab key for good
    m_tabs->setFocusPolicy(Qt::NoFocus);
    m_tabs->tabBar()->setObjectName(QStringLiteral("campaignTabBar"));
    m_tabs->tabBar()->setAccessibleName(tr("Campaigns"));
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_tabs);
    setCentralWidget(m_stack);
    connect(m_recent, &RecentMenu::fileRequested, this, [this](const QString& file) { openCampaign(file); });
    connect(m_recent, &RecentMenu::cleared, m_start, &StartPage::updateRecent);
    addActions();
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        rebuildMenus();
        updateTitle();
    });
    connect(m_tabs, &QTabWidget::tabCloseRequested, this, &MainWindow::closeTab);
    connect(m_start, &StartPage::newRequested, this, &MainWindow::newCampaign);
    connect(m_start, &StartPage::demoRequested, this, &MainWindow::openDemo);
    connect(m_start, &StartPage::sampleRequested, this, [this] { openSample(); });
    connect(m_start, &StartPage::openRequested, m_actions->action("campaign.open"), &QAction::trigger);
    connect(m_start, &StartPage::fileRequested, this, [this](const QString& file) { openCampaign(file); });
    connectOpener();
    connect(new FileDrops(this), &FileDrops::dropped, this, &MainWindow::takeDropped);
    rebuildMenus();
    updateTitle();
    resize(firstSize(*screen()));
    learnSandbox();
}

MainWindow::~MainWindow() {
    Settings::instance().set(settings::windowGeometry, saveGeometry());
    m_tabs->disconnect(this);
}

void MainWindow::restoreWindow() {
    restoreGeometry(Settings::instance().value(settings::windowGeometry));
}

void MainWindow::addActions() {
    const QString campaign = tr("&File");
    const QString view = tr("&View");
    m_actions->add(this, {"campaign.new", tr("&New campaign..."), campaign, QKeySequence::New, Icon::plus},
                   [this] { newCampaign(); });
    m_actions->add(this, {"campaign.open", tr("&Open campaign..."), campaign, QKeySequence::Open, Icon::open}, [this] {
        if (const QString file = m_seams.askCampaignFile(this); !file.isEmpty()) {
            openCampaign(file);
        }
    });
    m_actions->add(this,
                   {"campaign.open-remote",
                    tr("Open re&mote..."),
                    campaign,
                    {},
                    Icon::open,
                    tr("A campaign on another machine, watched and steered by ssh")},
                   [this] {
                       const QString address = m_seams.askAddress ? m_seams.askAddress(this) : QString();
                       if (!address.isEmpty()) {
                           openCampaign(address);
                       }
                   });
    m_actions->add(this,
                   {"campaign.sample",
                    tr("Open the &sample"),
                    campaign,
                    {},
                    Icon::evidence,
                    tr("A campaign of a model on an NVIDIA H200, read-only")},
                   [this] { openSample(); });
    m_actions->add(this,
                   {"campaign.demo",
                    tr("&Try it here"),
                    campaign,
                    {},
                    Icon::run,
                    tr("fp8-gemm on this machine's CPU with the tuner, running at once")},
                   [this] { openDemo(); });
    m_actions->add(this, {"campaign.lanes", tr("&Devices..."), campaign}, [this] {
        if (const CampaignView* shown = currentView()) {
            LanesDialog(shown->bridge().file(), shown->bridge().population()->settings.target, this).exec();
        }
    });
    m_actions->add(this, {"campaign.close", tr("&Close campaign"), campaign, QKeySequence(Qt::CTRL | Qt::Key_W)},
                   [this] { closeTab(m_tabs->currentIndex()); });
    m_actions->add(
        this,
        {"window.settings", tr("&Settings..."), tr("E&dit"), QKeySequence(Qt::CTRL | Qt::Key_Comma), Icon::settings},
        [this] {
            SettingsDialog dialog(allActions(), this);
            dialog.exec();
        });
    m_actions->add(this, {"window.quit", tr("&Quit"), campaign, QKeySequence(Qt::CTRL | Qt::Key_Q)},
                   [this] { close(); });
    m_actions->add(
        this,
        {"window.theme", tr("Toggle &dark theme"), view, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), Icon::theme},
        [] {
            const Theme::Choice choice = Theme::instance().isDark() ? Theme::Choice::light : Theme::Choice::dark;
            Settings::instance().set(settings::theme, Theme::name(choice));
            Theme::instance().setChoice(choice);
        });
    m_actions->add(this, {"window.full-screen", tr("&Full screen"), view, QKeySequence(Qt::Key_F11)},
                   [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    m_actions->add(this,
                   {"help.manual", tr("&Manual"), tr("&Help"), QKeySequence(Qt::Key_F1), Icon::help,
                    tr("Open the manual at the section for the current page")},
                   [this] { showManual(); });
    m_actions->add(this,
                   {"window.commands", tr("&Command palette..."), tr("&Help"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), Icon::search},
                   [this] { showCommandPalette(); });
    m_actions->add(this, {"window.about", tr("&About GPU Kernel Scientist"), tr("&Help"), {}, Icon::help}, [this] {
        QMessageBox::about(this, tr("About GPU Kernel Scientist"),
                           tr("GPU Kernel Scientist %1\nGPL-3.0-or-later").arg(QCoreApplication::applicationVersion()));
    });
}

QList<QAction*> MainWindow::allActions() const {
    QList<QAction*> all = m_actions->actions();
    if (const CampaignView* view = currentView()) {
        all += view->actionCollection().actions();
    }
    return all;
}

CampaignView* MainWindow::currentView() const {
    return qobject_cast<CampaignView*>(m_tabs->currentWidget());
}

void MainWindow::updateTitle() {
    const CampaignView* view = currentView();
    m_stack->setCurrentWidget(view != nullptr ? static_cast<QWidget*>(m_tabs) : m_start);
    setWindowTitle(view != nullptr ? tr("%1 - GPU Kernel Scientist").arg(view->title()) : tr("GPU Kernel Scientist"));
}

void MainWindow::connectOpener() {
    connect(m_opener, &CampaignOpener::failed, this, &MainWindow::openFailedWith);
    connect(m_opener, &CampaignOpener::busy, this, [this](const QString& text) {
        m_start->setBusy(text);
        for (CampaignView* view : tabs()) {
            view->setBusy(!text.isEmpty());
        }
    });
    const RunningList& running = m_start->running();
    connect(&running, &RunningList::openRequested, this, [this](const QString& file) { openCampaign(file); });
    connect(&running, &RunningList::watchRequested, this, [this](const QString& file) { watchCampaign(file); });
    connect(&running, &RunningList::takeOverRequested, this, &MainWindow::takeOver);
    connect(&running, &RunningList::stopRequested, this, &MainWindow::stopRunOf);
}

CampaignView* MainWindow::addCampaign(std::unique_ptr<EngineBridge> bridge) {
    auto* view = new CampaignView(std::move(bridge));
    view->setSandbox(m_sandboxText, m_sandboxReason);
    connect(&view->bridge(), &EngineBridge::stateChanged, view, [this, view] {
        const bool running = view->bridge().state() == EngineState::running;
        m_tabs->setTabIcon(m_tabs->indexOf(view), running ? icon(Icon::run) : QIcon());
    });
    new RunNotice(view->bridge(), view->title(), this, m_seams.notify);
    // Not from within the delivery of events: a dialog runs a loop of its own.
    connect(
        &view->bridge(), &EngineBridge::trustAsked, this,
        [this, asking = QPointer(view)](const TrustAsked& asked) {
            if (asking) {
                askTrust(asking, asked);
            }
        },
        Qt::QueuedConnection);
    connect(view, &CampaignView::completed, this, [this, view] {
        if (view == currentView()) {
            rebuildMenus();
        }
    });
    connect(view, &CampaignView::takeOverRequested, this, [this, view] { takeOver(view->bridge().file()); });
    connect(view, &CampaignView::demoRequested, this, &MainWindow::openDemo);
    connect(view, &CampaignView::newRequested, this, &MainWindow::newCampaign);
    connect(view, &CampaignView::campaignRequested, this, [this](const QString& file) { openCampaign(file); });
    addTab(view);
    return view;
}

void MainWindow::addTab(CampaignView* view) {
    const int index = m_tabs->addTab(view, view->title());
    m_tabs->setTabToolTip(index, view->bridge().address());
    m_tabs->setCurrentIndex(index);
    rebuildMenus();
    updateTitle();
    rememberOpen();
    view->panel(QStringLiteral("lineage"))->setFocus(); // where keys begin
}

std::vector<CampaignView*> MainWindow::tabs() const {
    std::vector<CampaignView*> views;
    for (int i = 0; i < m_tabs->count(); ++i) {
        views.push_back(static_cast<CampaignView*>(m_tabs->widget(i)));
    }
    return views;
}

void MainWindow::askTrust(CampaignView* view, const TrustAsked& asked) {
    if (!m_seams.askTrust) {
        return;
    }
    const QPointer<CampaignView> still(view); // the dialog may outlast it
    if (m_seams.askTrust(this, view->bridge().file(), asked.questions) && still) {
        view->bridge().trust(asked.questions);
        if (asked.startRefused) {
            view->bridge().send(command::Start{});
        }
    }
}

void MainWindow::openFailedWith(const QString& file, const Error& error) {
    tellFailure(tr("Cannot open campaign"), file, error);
}

void MainWindow::tellFailure(const QString& title, const QString& file, const Error& error) {
    m_start->showError(file, error);
    if (currentView() != nullptr) {
        QMessageBox::warning(this, title, toText(error.message()));
    }
    Q_EMIT openFailed(error);
}

void MainWindow::showCommandPalette() {
    auto* palette = new CommandPalette(allActions(), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 72)));
    palette->open();
}

void MainWindow::showManual() {
    const CampaignView* view = currentView();
    const QString topic = view == nullptr ? QString() : view->helpTopic();
    if (m_help == nullptr) {
        m_help = new HelpWindow(resourceFolder() / "docs", this);
    }
    m_help->showTopic(QStringLiteral("workbench.md"), topic);
    m_help->show();
    m_help->activateWindow();
}

void MainWindow::learnSandbox() {
    // Trying the sandbox starts processes; the window is there before the answer.
    QThreadPool::globalInstance()->start([guard = QPointer<MainWindow>(this)] {
        const SandboxFinding& finding = availableSandbox();
        const QString text = toText(name(finding.level));
        const QString reason = toText(finding.reason);
        QMetaObject::invokeMethod(
            qApp,
            [guard, text, reason] {
                if (!guard) {
                    return;
                }
                guard->m_sandboxText = text;
                guard->m_sandboxReason = reason;
                for (CampaignView* view : guard->tabs()) {
                    view->setSandbox(text, reason);
                }
            },
            Qt::QueuedConnection);
    });
}

} // namespace gks
