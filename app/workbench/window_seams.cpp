// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/main_window.h"
#include "app/workbench/run_notice.h"
#include "app/workbench/trust_dialog.h"
#include "app/workbench/window_questions.h"
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/campaign/store.h"
#include "widgets/common/live_engine_bridge.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QFileDialog>

namespace gks {

namespace {

Result<QString> demoCampaign() {
    const std::filesystem::path file = dataFolder() / "demo.gks";
    if (!std::filesystem::exists(file)) {
        GKS_TRY(makeDirectories(dataFolder()));
        CampaignSettings settings;
        settings.problem = "row-softmax";
        settings.target = TargetKind::cpu;
        settings.scientist = ScientistKind::tuner;
        settings.mode = Mode::automatic;
        settings.budgets.evaluations = 24;
        GKS_TRY(CampaignStore::create(file.string(), settings));
    }
    return QString::fromStdString(file.string());
}

} // namespace

WindowSeams realWindowSeams() {
    return {
        [](QWidget* parent) {
            return QFileDialog::getOpenFileName(parent, MainWindow::tr("Open campaign"), {},
                                                MainWindow::tr("Campaigns (*.gks)"));
        },
        askClosing,
        loadCampaignChoices,
        [](const QString& file, CampaignStore::Access access, QObject* receiver,
           std::function<void(Result<EngineBridge*>)> opened) {
            LiveEngineBridge::open(file, access, receiver,
                                   [opened = std::move(opened)](Result<LiveEngineBridge*> bridge) {
                                       if (bridge) {
                                           opened(static_cast<EngineBridge*>(*bridge));
                                       } else {
                                           opened(tl::unexpected(bridge.error()));
                                       }
                                   });
        },
        demoCampaign,
        [](QWidget* parent, const QString& file, const std::vector<TrustQuestion>& questions) {
            return TrustDialog(file, questions, parent).exec() == QDialog::Accepted;
        },
        askUnsaved,
        askAboutRun,
        notifyOnDesktop,
    };
}

} // namespace gks
