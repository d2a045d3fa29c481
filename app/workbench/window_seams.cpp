// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/main_window.h"
#include "app/workbench/run_notice.h"
#include "app/workbench/trust_dialog.h"
#include "app/workbench/window_questions.h"
#include "core/campaign/store.h"
#include "core/engine/demo.h"
#include "widgets/common/live_engine_bridge.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QFileDialog>
#include <filesystem>

namespace gks {

namespace {

Result<QString> toFile(const Result<std::filesystem::path>& file) {
    return file.map([](const std::filesystem::path& path) { return QString::fromStdString(path.string()); });
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
        [] { return toFile(demoCampaign()); },
        [](QWidget* parent, const QString& file, const std::vector<TrustQuestion>& questions) {
            return TrustDialog(file, questions, parent).exec() == QDialog::Accepted;
        },
        askUnsaved,
        askAboutRun,
        [] { return toFile(sampleCampaign()); },
        notifyOnDesktop,
        askAddress,
    };
}

} // namespace gks
