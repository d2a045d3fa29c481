// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/file_drops.h"
#include "app/workbench/main_window.h"
#include "app/workbench/start_page.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QFileInfo>

// What becomes of files that are dropped on the window.
namespace gks {
namespace {

// Of the message that it cannot be taken.
QString titleOf(const DroppedFile& file) {
    return file.kind == DroppedFile::Kind::kernel ? MainWindow::tr("Cannot open kernel")
                                                  : MainWindow::tr("Cannot open what was dropped");
}

} // namespace

// Campaigns are opened. A kernel goes into the editor of the campaign in front; without one, several kernels or a pack
// begin a new campaign.
void MainWindow::takeDropped(const std::vector<DroppedFile>& files) {
    QString pack;
    QStringList kernels;
    QString source;
    for (const DroppedFile& file : files) {
        if (!file.mistake.isEmpty()) {
            tellFailure(
                titleOf(file), file.path,
                Error{ErrorKind::usage, file.mistake.toStdString(), file.path.toStdString(),
                      tr("Drop a campaign (.gks), kernels (.hip) or the folder of a problem pack").toStdString()});
        } else if (file.kind == DroppedFile::Kind::campaign) {
            openCampaign(file.path);
        } else if (file.kind == DroppedFile::Kind::pack) {
            pack = file.path;
        } else {
            kernels.append(file.path);
            source = file.source;
        }
    }
    CampaignView* view = currentView();
    const bool isForEditor = pack.isEmpty() && kernels.size() == 1 && view != nullptr && !view->bridge().readOnly();
    if (isForEditor) {
        view->editSource(QFileInfo(kernels.front()).completeBaseName(), source);
    } else if (!pack.isEmpty() || !kernels.isEmpty()) {
        newCampaignWith(pack, kernels);
    }
}

void MainWindow::newCampaignWith(const QString& pack, const QStringList& kernels) {
    auto* dialog = new NewCampaignDialog(m_seams.choices(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->addKernels(kernels);
    if (!pack.isEmpty()) {
        dialog->addPack(pack);
    }
    connect(dialog, &QDialog::accepted, this, [this, dialog] { openCampaign(dialog->createdFile()); });
    dialog->open();
}

} // namespace gks
