// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/locations.h"
#include "core/problem/problem.h"
#include "widgets/common/terms.h"
#include "widgets/wizard/new_campaign_dialog.h"

namespace gks {

CampaignChoices loadCampaignChoices() {
    CampaignChoices choices;
    choices.folder = QString::fromStdString(dataFolder().string());
    if (const auto packs = builtinProblems()) {
        for (const ProblemPack& pack : *packs) {
            CampaignChoices::Problem problem{toText(pack.name), toText(pack.title), calmMarkdown(pack.notes)};
            for (const SeedKernel& seed : pack.seeds) {
                problem.seeds.push_back({toText(seed.name), toText(seed.title)});
            }
            choices.problems.push_back(std::move(problem));
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
