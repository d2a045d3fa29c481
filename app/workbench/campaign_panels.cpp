// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/page_bar.h"
#include "app/workbench/panel_list.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/unsaved_keeper.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/experiments/experiments_panel.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

// The panels of a campaign. The docks where keys begin and where the run speaks are there at once, the others come one
// with each turn of the event loop: all at once they would keep the window waiting for a quarter of a second. Whoever
// asks for a panel before its turn has it made.
namespace gks {
namespace {

Qt::DockWidgetArea areaOf(PanelPlace place) {
    switch (place) {
    case PanelPlace::left:
        return Qt::LeftDockWidgetArea;
    case PanelPlace::right:
        return Qt::RightDockWidgetArea;
    case PanelPlace::bottom:
        return Qt::BottomDockWidgetArea;
    case PanelPlace::page:
        break;
    }
    return Qt::NoDockWidgetArea;
}

} // namespace

void CampaignView::addPanels() {
    for (const PanelSpec& spec : workbenchPanels()) {
        m_order.push_back(spec.id);
        if (spec.place == PanelPlace::page) {
            m_pageIds.push_back(spec.id);
            m_pages->addTab(new QWidget(m_pages), spec.title);
            m_toMake.push_back(spec);
        } else if (spec.place == PanelPlace::right) {
            addDock(spec.id, spec.title, areaOf(spec.place), nullptr);
            m_toMake.insert(m_toMake.begin(), spec); // in view
        } else {
            addDock(spec.id, spec.title, areaOf(spec.place), makePanel(spec));
        }
    }
    connect(m_pages, &QTabWidget::currentChanged, this,
            [this](int page) { panel(m_pageIds.at(static_cast<std::size_t>(page))); });
}

Panel* CampaignView::makePanel(const PanelSpec& spec) {
    Panel* panel = spec.make(context());
    m_panels[spec.id] = panel;
    m_topics[panel] = spec.topic;
    connect(panel, &Panel::settled, this, &CampaignView::announceSettled);
    if (auto* experiments = qobject_cast<ExperimentsPanel*>(panel)) {
        connect(experiments, &ExperimentsPanel::codeRequested, this, &CampaignView::writeCode);
    }
    return panel;
}

// In the place of the empty widget that kept it.
void CampaignView::placePanel(const PanelSpec& spec) {
    Panel* panel = makePanel(spec);
    if (const auto dock = m_docks.find(spec.id); dock != m_docks.end()) {
        const QWidget* empty = dock->second->widget();
        dock->second->setWidget(panel);
        delete empty;
        return;
    }
    const auto page = static_cast<int>(std::ranges::find(m_pageIds, spec.id) - m_pageIds.begin());
    const int current = m_pages->currentIndex();
    const QSignalBlocker quiet(m_pages); // the page in front stays the same
    QWidget* empty = m_pages->widget(page);
    m_pages->removeTab(page);
    m_pages->insertTab(page, panel, spec.title);
    m_pages->setCurrentIndex(current);
    delete empty;
}

void CampaignView::makeNextPanel() {
    if (!m_toMake.empty()) {
        panel(QString(m_toMake.front().id));
        m_nextPanel.start();
    } else if (m_unsaved == nullptr) {
        restoreUnsaved();
        Q_EMIT completed();
        announceSettled();
    }
}

UnsavedKeeper& CampaignView::unsavedText() {
    while (m_unsaved == nullptr) {
        makeNextPanel();
    }
    return *m_unsaved;
}

// What was half written the last time; the page that has some of it comes to the front.
void CampaignView::restoreUnsaved() {
    // Who watches the campaign writes into forms of its own, beside those of the window that runs it.
    const std::string identity = m_bridge->identity() + (m_bridge->watches() ? " watched" : "");
    m_unsaved = new UnsavedKeeper(m_bridge->readOnly() ? std::string() : identity, m_bridge->file(), this);
    connect(m_unsaved, &UnsavedKeeper::notKept, m_bridge.get(), &EngineBridge::warn);
    for (const UnsavedText* text : m_unsaved->restored()) {
        for (const auto& [id, panel] : m_panels) {
            if (panel->isAncestorOf(text->notice())) {
                showPanel(id);
            }
        }
    }
}

// The bar of the tabs above the pages.
void CampaignView::addPageBar() {
    auto* column = new QVBoxLayout(m_middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new PageBar(m_pages, m_middle));
    column->addWidget(m_pages, 1);
    m_frame->setCentralWidget(m_middle);
}

Panel* CampaignView::panel(const QString& id) {
    const auto waiting = std::ranges::find(m_toMake, id, &PanelSpec::id);
    if (waiting != m_toMake.end()) {
        const PanelSpec spec = *waiting;
        m_toMake.erase(waiting);
        placePanel(spec);
    }
    const auto found = m_panels.find(id);
    return found == m_panels.end() ? nullptr : found->second;
}

QStringList CampaignView::panelIds() const {
    return QStringList(m_order.begin(), m_order.end());
}

void CampaignView::showPanel(const QString& id) {
    Panel* wanted = panel(id);
    if (wanted == nullptr) {
        return;
    }
    if (const auto dock = m_docks.find(id); dock != m_docks.end()) {
        dock->second->show();
        dock->second->raise();
    } else {
        m_pages->setCurrentWidget(wanted);
    }
}

bool CampaignView::isSettled() const {
    return m_unsaved != nullptr && !m_bridge->hasPending() &&
           std::ranges::all_of(findChildren<Panel*>(), [](const Panel* panel) { return panel->isSettled(); });
}

void CampaignView::announceSettled() {
    if (isSettled()) {
        Q_EMIT settled();
    }
}

} // namespace gks
