// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/main_window.h"
#include "app/workbench/trust_dialog.h"
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/campaign/store.h"
#include "widgets/common/live_engine_bridge.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

namespace gks {

namespace {

ClosingChoice askClosing(QWidget* parent) {
    QMessageBox box(QMessageBox::Question, MainWindow::tr("The campaign is running"),
                    MainWindow::tr("The campaign is still running."), QMessageBox::NoButton, parent);
    box.setInformativeText(MainWindow::tr("Nothing that is finished gets lost, whatever you choose."));
    const auto* keep = box.addButton(MainWindow::tr("&Keep running in the background"), QMessageBox::AcceptRole);
    const auto* after = box.addButton(MainWindow::tr("Stop after the &current kernel"), QMessageBox::AcceptRole);
    const auto* pause = box.addButton(MainWindow::tr("&Pause now"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == keep) {
        return ClosingChoice::keepRunning;
    }
    if (box.clickedButton() == after) {
        return ClosingChoice::stopAfterCurrent;
    }
    return box.clickedButton() == pause ? ClosingChoice::pause : ClosingChoice::cancel;
}

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
        [](const QString& file, QObject* receiver, std::function<void(Result<EngineBridge*>)> opened) {
            LiveEngineBridge::open(file, receiver, [opened = std::move(opened)](Result<LiveEngineBridge*> bridge) {
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
    };
}

} // namespace gks
