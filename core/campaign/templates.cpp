// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/templates.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

CampaignSettings tunerAlone() {
    CampaignSettings settings;
    settings.scientist = ScientistKind::tuner;
    settings.budgets.evaluations = 24;
    return settings;
}

// Ends by itself: a model costs money, and a campaign that gains nothing more is over.
CampaignSettings modelLoop() {
    CampaignSettings settings;
    settings.scientist = ScientistKind::model;
    settings.policies.probes = true;
    settings.budgets.evaluations = 100;
    settings.budgets.fruitless = 20;
    return settings;
}

CampaignSettings steered() {
    CampaignSettings settings;
    settings.scientist = ScientistKind::model;
    settings.mode = Mode::approveExperiments;
    settings.policies.checkCode = true;
    return settings;
}

CampaignSettings ownKernels() {
    CampaignSettings settings;
    settings.scientist = ScientistKind::tuner;
    settings.mode = Mode::step;
    return settings;
}

CampaignSettings demo() {
    CampaignSettings settings = tunerAlone();
    settings.problem = "fp8-gemm";
    settings.target = TargetKind::cpu;
    return settings;
}

} // namespace

const std::vector<CampaignTemplate>& campaignTemplates() {
    static const std::vector<CampaignTemplate> all = {
        {"tuner", "Tuner only", "The tuner searches the tunables of the seeds; needs no model.", tunerAlone()},
        {"llm-loop", "LLM loop",
         "A model selects, designs and writes by itself; the probes are measured first, and it ends after 20 "
         "experiments "
         "without a new best.",
         modelLoop()},
        {"steer", "Steer everything", "A model proposes; you approve every experiment and the code of every draft.",
         steered()},
        {"own-kernels", "Own kernels", "You write the kernels and have each of them judged; nothing runs by itself.",
         ownKernels()},
        {demoTemplateName, "Demo", "fp8-gemm on this CPU, 24 evaluations of the tuner.", demo()}};
    return all;
}

Result<CampaignTemplate> campaignTemplate(std::string_view name) {
    const std::vector<CampaignTemplate>& all = campaignTemplates();
    const auto found = std::ranges::find(all, name, &CampaignTemplate::name);
    if (found != all.end()) {
        return *found;
    }
    std::vector<std::string> names;
    for (const CampaignTemplate& one : all) {
        names.emplace_back(one.name);
    }
    return usageError(fmt::format("there is no template '{}'", name), "--template", "It is " + join(names, ", "));
}

} // namespace gks
