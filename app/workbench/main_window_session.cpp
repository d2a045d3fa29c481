// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "app/workbench/start_page.h"
#include "core/base/address.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/settings.h"

#include <QFileInfo>

// What a start begins with.
namespace gks {

void MainWindow::beginSession() {
    Settings& kept = Settings::instance();
    const bool isFirst = !kept.value(settings::startedBefore) && kept.value(settings::recentCampaigns).isEmpty();
    kept.set(settings::startedBefore, true);
    if (isFirst) {
        openSample();
        return;
    }
    const QStringList files = kept.value(settings::openCampaigns);
    for (const QString& file : files) {
        if (isRemoteAddress(file.toStdString()) ||
            QFileInfo::exists(file)) { // a missing one is told of where the person asks for it
            openCampaign(file);
        }
    }
}

// The one in front comes last: it is opened last, and so in front again.
void MainWindow::rememberOpen() {
    QStringList files;
    for (const CampaignView* view : tabs()) {
        files.append(view->bridge().address());
    }
    if (const CampaignView* front = currentView()) {
        files.removeAll(front->bridge().address());
        files.append(front->bridge().address());
    }
    files.removeAll(QString());
    Settings::instance().set(settings::openCampaigns, files);
}

void MainWindow::openSample(std::function<void(CampaignView*)> opened) {
    m_start->clearError();
    if (m_seams.sample) {
        m_opener->prepare(tr("Opening the sample..."), m_seams.sample,
                          [this, opened = std::move(opened)](const QString& file) { watchCampaign(file, opened); });
    }
}

void MainWindow::openDemo() {
    m_start->clearError();
    if (!m_seams.demo) {
        return;
    }
    m_opener->prepare(tr("Making the demo campaign..."), m_seams.demo, [this](const QString& file) {
        const auto run = [](const CampaignView* view) {
            if (view->bridge().state() != EngineState::running) {
                view->bridge().send(command::Start{});
            }
        };
        openCampaign(file, run);
    });
}

} // namespace gks
