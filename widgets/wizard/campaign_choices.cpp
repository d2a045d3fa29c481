// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/locations.h"
#include "core/problem/problem.h"
#include "widgets/common/terms.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QFileDialog>

namespace gks {

CampaignChoices::Problem problemChoice(const ProblemPack& pack) {
    CampaignChoices::Problem problem{toText(pack.name), toText(pack.title), calmMarkdown(pack.notes)};
    problem.ofHarness = pack.harness.has_value();
    if (pack.harness) {
        problem.description +=
            NewCampaignDialog::tr("\n\n**Judged by the user's harness**: a command pack. Its kernels "
                                  "are files of the kind of `%1`.")
                .arg(toText(pack.harness->source));
    }
    for (const SeedKernel& seed : pack.seeds) {
        problem.seeds.push_back({toText(seed.name), toText(seed.title)});
    }
    problem.folder = isBuiltin(pack) ? QString() : toText(problemReference(pack));
    return problem;
}

BrowseSeams realBrowseSeams() {
    return {[](QWidget* parent) {
                return QFileDialog::getExistingDirectory(parent, NewCampaignDialog::tr("Folder of a problem pack"));
            },
            [](QWidget* parent) {
                return QFileDialog::getOpenFileNames(parent, NewCampaignDialog::tr("Kernels to begin with"), {},
                                                     NewCampaignDialog::tr("HIP sources (*.hip);;All files (*)"));
            },
            [](QWidget* parent, const QString& suggestion) {
                return QFileDialog::getSaveFileName(parent, NewCampaignDialog::tr("Campaign file"), suggestion,
                                                    NewCampaignDialog::tr("Campaigns (*.gks)"), nullptr,
                                                    QFileDialog::DontConfirmOverwrite);
            }};
}

CampaignChoices loadCampaignChoices() {
    CampaignChoices choices;
    choices.folder = QString::fromStdString(dataFolder().string());
    if (const auto packs = builtinProblems()) {
        for (const ProblemPack& pack : *packs) {
            choices.problems.push_back(problemChoice(pack));
        }
    } else {
        choices.error = toText(packs.error().message());
    }
    for (const TargetKind kind : {TargetKind::cpu, TargetKind::amd, TargetKind::nvidia}) {
        const DeviceList list = listDevices(kind);
        CampaignChoices::TargetChoice target{kind, {}, toText(list.reason)};
        for (const Device& device : list.devices) {
            target.devices.append(toText(device.name));
        }
        choices.targets.push_back(target);
    }
    return choices;
}

} // namespace gks
