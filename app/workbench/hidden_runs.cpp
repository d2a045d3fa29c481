// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/hidden_runs.h"

#include "app/workbench/campaign_view.h"
#include "core/campaign/running.h"
#include "widgets/common/engine_bridge.h"

#include <QApplication>
#include <algorithm>
#include <utility>

namespace gks {

HiddenRuns::~HiddenRuns() {
    end();
}

void HiddenRuns::end() {
    for (const auto& [view, listening] : std::exchange(m_views, {})) {
        delete view;
    }
}

void HiddenRuns::add(CampaignView* view) {
    view->setParent(nullptr);
    view->hide();
    announceRunPlace(view->bridge().file().toStdString(), RunPlace::background);
    QApplication::setQuitOnLastWindowClosed(false);
    auto listening = std::make_unique<QObject>();
    const auto leaveWhenDone = [this, view] {
        const auto& lanes = view->bridge().lanes();
        const bool busy = std::any_of(lanes.begin(), lanes.end(),
                                      [](const auto& lane) { return lane.second.activity != Activity::idle; });
        if (!busy && view->bridge().state() != EngineState::running) {
            leave(view);
        }
    };
    connect(&view->bridge(), &EngineBridge::activityChanged, listening.get(), leaveWhenDone);
    connect(&view->bridge(), &EngineBridge::stateChanged, listening.get(), leaveWhenDone);
    m_views[view] = std::move(listening);
}

CampaignView* HiddenRuns::take(const QString& file) {
    const auto found = std::find_if(m_views.begin(), m_views.end(),
                                    [&](const auto& entry) { return entry.first->bridge().file() == file; });
    if (found == m_views.end()) {
        return nullptr;
    }
    CampaignView* view = found->first;
    m_views.erase(found);
    announceRunPlace(view->bridge().file().toStdString(), RunPlace::window);
    QApplication::setQuitOnLastWindowClosed(m_views.empty());
    return view;
}

void HiddenRuns::leave(CampaignView* view) {
    const auto found = m_views.find(view);
    if (found == m_views.end()) {
        return;
    }
    found->second.release()->deleteLater(); // it is being called
    m_views.erase(found);
    view->deleteLater();
    connect(view, &QObject::destroyed, this, [this] {
        if (!m_views.empty()) {
            return;
        }
        QApplication::setQuitOnLastWindowClosed(true);
        const auto windows = QApplication::topLevelWidgets();
        if (std::none_of(windows.begin(), windows.end(), [](const QWidget* window) { return window->isVisible(); })) {
            QCoreApplication::quit();
        }
    });
}

std::vector<CampaignView*> HiddenRuns::views() const {
    std::vector<CampaignView*> all;
    for (const auto& [view, listening] : m_views) {
        all.push_back(view);
    }
    return all;
}

} // namespace gks
