// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/hidden_runs.h"
#include "app/workbench/main_window.h"
#include "app/workbench/start_page.h"
#include "core/base/address.h"
#include "core/engine/demo.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/settings.h"

#include <QFileInfo>
#include <QPointer>
#include <QTabWidget>
#include <algorithm>
#include <utility>

// How campaigns come into the window: each of them once, however often it is asked for.
namespace gks {

namespace {

// A link is the same campaign; what is not there has its name alone.
QString campaignKey(const QString& file) {
    const QString target = QFileInfo(file).canonicalFilePath();
    return target.isEmpty() ? file : target;
}

} // namespace

bool MainWindow::showsAlready(const QString& file, const Shown& opened) {
    if (CampaignView* view = viewOf(file)) {
        if (opened) {
            opened(view);
        }
        return true;
    }
    const auto opening = m_opening.find(campaignKey(file));
    if (opening != m_opening.end() && opened) {
        opening->second.push_back(opened);
    }
    return opening != m_opening.end();
}

CampaignView* MainWindow::viewOf(const QString& file) {
    const QString target = campaignKey(file);
    for (CampaignView* view : tabs()) {
        if (view->bridge().address() == file || view->bridge().file() == target) {
            m_tabs->setCurrentWidget(view);
            return view;
        }
    }
    CampaignView* view = m_hidden->take(target);
    if (view != nullptr) {
        addTab(view);
    }
    return view;
}

CampaignOpener::Opened MainWindow::beginOpening(const QString& file, Shown opened) {
    m_start->clearError();
    const QString key = campaignKey(file);
    auto& waiting = m_opening[key];
    if (opened) {
        waiting.push_back(std::move(opened));
    }
    return [this, file, key](std::unique_ptr<EngineBridge> bridge) {
        const std::vector<Shown> waited = std::exchange(m_opening[key], {});
        m_opening.erase(key);
        if (bridge) {
            addOpened(file, std::move(bridge), waited);
        }
    };
}

void MainWindow::openCampaign(const QString& file, Shown opened) {
    if (isSampleCampaign(file.toStdString()) || isRemoteAddress(file.toStdString())) {
        watchCampaign(file, std::move(opened));
    } else if (!showsAlready(file, opened)) {
        m_opener->open(file, beginOpening(file, std::move(opened)));
    }
}

void MainWindow::watchCampaign(const QString& file, Shown opened) {
    if (!showsAlready(file, opened)) {
        m_opener->watch(file, beginOpening(file, std::move(opened)));
    }
}

// A tab may have it already, to watch.
void MainWindow::takeOver(const QString& file) {
    if (!m_opening.contains(campaignKey(file))) {
        m_opener->takeOver(file, beginOpening(file, {}));
    }
}

// What goes on in this process is told so; a signal would be for all of it.
void MainWindow::stopRunOf(const QString& file) {
    m_start->clearError();
    const std::vector<CampaignView*> hidden = m_hidden->views();
    const auto own = std::ranges::find_if(
        hidden, [&](const CampaignView* view) { return view->bridge().file() == campaignKey(file); });
    if (own != hidden.end()) {
        (*own)->bridge().send(command::Stop{});
    } else {
        m_opener->stop(file);
    }
}

void MainWindow::addOpened(const QString& file, std::unique_ptr<EngineBridge> bridge,
                           const std::vector<Shown>& opened) {
    Settings::instance().addRecentCampaign(file);
    m_start->updateRecent();
    std::vector<CampaignView*> before = tabs();
    std::erase_if(before, [&](const CampaignView* view) { return view->bridge().file() != bridge->file(); });
    const QPointer<CampaignView> view(addCampaign(std::move(bridge)));
    for (CampaignView* watched : before) { // until it was taken over
        removeTab(watched);
    }
    for (const Shown& one : opened) {
        if (view) { // the one before may have closed it
            one(view);
        }
    }
}

} // namespace gks
