// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/one_text_campaign.h"

#include "tests/support/sample_campaign.h"

namespace gks {

std::unique_ptr<EngineBridge> makeCampaignOfOneText(const std::string& text, const std::string& notes) {
    SampleCampaign sample = makeSampleCampaign();
    auto population = std::make_shared<Population>(*sample.population);
    population->problemTitle = text;
    population->settings.hint = text;
    population->settings.models["default"].model = text;
    population->settings.lanesOut["amd:1"] = {text, text, 1};
    population->kernels.editEach([&](Kernel& kernel) {
        kernel.title = kernel.reason = kernel.model = text;
        kernel.report = text;
        auto rubric = kernel.rubric.orNothing();
        for (RubricItem& item : rubric) {
            item.item = item.note = item.evidence = text;
        }
        kernel.rubric = std::move(rubric);
    });
    population->experiments.editEach([&](Experiment& experiment) {
        experiment.description = experiment.rubric = experiment.failure = experiment.model = text;
        experiment.pick = experiment.pick.empty() ? "" : text;
    });
    for (Finding& finding : population->findings) {
        finding.subject = finding.text = text;
    }
    for (Document& document : population->documents) {
        document.title = document.digest = text;
    }
    auto pack = std::make_shared<ProblemPack>(*sample.problem);
    pack->title = text;
    pack->notes = notes;
    auto bridge = std::make_unique<EngineBridge>(population, pack);
    bridge->setQueries(sample.queries);
    bridge->post(StateChanged{EngineState::running, text});
    bridge->post(ActivityChanged{"cpu:0", Activity::measuring, 15, 12, 0.5, text, now()});
    bridge->post(ActivityChanged{"scientist", Activity::writing, {}, 14, -1, text, now()});
    bridge->post(NextParentChanged{12, 4, text, false});
    bridge->post(TextArrived{"compiler", text, 15, {}});
    bridge->post(WarningRaised{{ErrorKind::infrastructure, text, text, text}, "measure", 14, {}});
    bridge->flush();
    return bridge;
}

} // namespace gks
