// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/rules.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/conversation.h"
#include "core/scientist/design_reply.h"
#include "core/scientist/draft_reply.h"
#include "core/scientist/pick.h"
#include "core/scientist/report_check.h"
#include "core/scientist/selection_policy.h"
#include "core/scientist/stage_provider.h"
#include "core/scientist/stage_values.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

// The three stages of the paper, each with a prompt, a schema and checks of its own. Nothing that a model says is
// trusted: identifiers must be in the population, numbers in their range, texts in their limits, and a source must be
// new and contain `solve`. What does not fit goes back to the model with the reason.
namespace gks {
namespace {

Result<const Kernel*> kernelWithCode(const Population& population, const std::string& code, std::string_view field) {
    KernelId id = 0;
    std::from_chars(code.data(), code.data() + code.size(), id);
    const Kernel* kernel = population.kernel(id);
    if (kernel == nullptr) {
        return usageError(fmt::format("{}: there is no kernel {} in the population", field, quoted(code, 20)));
    }
    return kernel;
}

class ModelScientist final : public Scientist {
public:
    using Stages = std::map<ModelStage, std::unique_ptr<Conversation>>;
    // `writers`: further ones, by name, with the stages that they answer for.
    ModelScientist(Stages conversations, std::map<std::string, Stages> writers)
        : m_conversations(std::move(conversations)), m_writers(std::move(writers)) {}

    ScientistKind kind() const override { return ScientistKind::model; }
    Author author() const override { return Author::model; }

    Result<Selection> select(const Briefing& briefing, const std::stop_token& stop) override;
    Result<Design> design(const Briefing& briefing, const Selection& selection, const std::stop_token& stop) override;
    Result<Draft> write(const Briefing& briefing, const Experiment& experiment, const std::stop_token& stop) override;
    Result<Draft> repair(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                         const Failure& failure, int attempt, const std::stop_token& stop) override;

private:
    Conversation& stage(ModelStage stage) { return *m_conversations.at(stage); }
    Conversation& stage(ModelStage stage, const std::string& writer) {
        const auto named = m_writers.find(writer);
        const bool answers = named != m_writers.end() && named->second.contains(stage);
        return answers ? *named->second.at(stage) : this->stage(stage);
    }
    Result<Draft> draftFrom(Conversation& conversation, const StageInput& input, const Briefing& briefing,
                            const Experiment& experiment, const std::string& failedSource, const std::stop_token& stop);
    void secondOpinion(const Briefing& briefing, const Experiment& experiment, const std::string& before, Draft& draft,
                       const std::stop_token& stop);

    Stages m_conversations;
    std::map<std::string, Stages> m_writers;
};

Result<Selection> ModelScientist::select(const Briefing& briefing, const std::stop_token& stop) {
    const Population& population = *briefing.population;
    const CampaignSettings& settings = population.settings;
    std::vector<const Kernel*> eligible;
    for (const Kernel& kernel : population.kernels) {
        if (mayBeParent(kernel)) {
            eligible.push_back(&kernel);
        }
    }
    if (settings.pinnedParent) {
        if (population.kernel(*settings.pinnedParent) == nullptr) {
            return usageError(fmt::format("the pinned parent {} does not exist", kernelLabel(*settings.pinnedParent)),
                              "selector", "Pin another one");
        }
        const auto other = settings.pinnedReference ? settings.pinnedReference
                                                    : fastestOfAnotherLine(population, *settings.pinnedParent);
        return Selection{*settings.pinnedParent, other, "chosen by you"};
    }
    if (eligible.empty()) {
        return kernelError("no kernel has passed the judge yet", "selector", "Evaluate the seeds, or mend one by hand");
    }
    if (eligible.size() == 1) {
        return Selection{eligible.front()->id, settings.pinnedReference, "the only kernel that has passed the judge"};
    }
    if (settings.policies.selector != SelectorPolicy::model) {
        return selectByPolicy(settings.policies.selector, population);
    }
    Selection selection;
    const auto accept = [&](Json& reply) -> Result<void> {
        GKS_TRY_ASSIGN(const Kernel* basis,
                       kernelWithCode(population, reply.at("basis_code").get<std::string>(), "basis_code"));
        if (!mayBeParent(*basis)) {
            return usageError(fmt::format("basis_code: kernel {} is not eligible", kernelLabel(basis->id)));
        }
        selection.basis = basis->id;
        selection.reference.reset();
        if (const std::string code = reply.at("basis_reference").get<std::string>(); !code.empty()) {
            GKS_TRY_ASSIGN(const Kernel* other, kernelWithCode(population, code, "basis_reference"));
            if (other->id == basis->id) {
                return usageError("basis_reference: must be another kernel than basis_code");
            }
            selection.reference = other->id;
        }
        selection.rationale = oneLine(reply.at("rationale").get<std::string>(), 2000);
        return {};
    };
    GKS_TRY(stage(ModelStage::selector).ask(selectorInput(briefing).values, accept, {}, stop));
    selection.reference = settings.pinnedReference ? settings.pinnedReference : selection.reference;
    return selection;
}

Result<Design> ModelScientist::design(const Briefing& briefing, const Selection& selection,
                                      const std::stop_token& stop) {
    const Population& population = *briefing.population;
    const Kernel* basis = population.kernel(selection.basis);
    if (basis == nullptr) {
        return usageError(fmt::format("there is no kernel {}", kernelLabel(selection.basis)), "designer");
    }
    GKS_TRY_ASSIGN(StageInput input, designerInput(briefing, *basis, selection));
    const DesignTask task{population, selection, stage(ModelStage::designer).model()};
    Design design;
    const auto accept = [&](Json& reply) -> Result<void> {
        GKS_TRY_ASSIGN(design, designFromReply(reply, task));
        return {};
    };
    GKS_TRY(stage(ModelStage::designer).ask(input.values, accept, {basis->id, {}, std::move(input.inclusions)}, stop));
    pickExperiments(design.experiments, population.settings.policies.pick, population);
    return design;
}

Result<Draft> ModelScientist::write(const Briefing& briefing, const Experiment& experiment,
                                    const std::stop_token& stop) {
    const Population& population = *briefing.population;
    const Kernel* basis = population.kernel(experiment.parent);
    if (basis == nullptr) {
        return usageError(fmt::format("there is no kernel {}", kernelLabel(experiment.parent)), "writer");
    }
    GKS_TRY_ASSIGN(const StageInput input, writerInput(briefing, *basis, experiment));
    return draftFrom(stage(ModelStage::writer, experiment.writer), input, briefing, experiment, {}, stop);
}

Result<Draft> ModelScientist::repair(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                                     const Failure& failure, int attempt, const std::stop_token& stop) {
    const Population& population = *briefing.population;
    const bool repairable = failure.verdict && isRepairable(*failure.verdict);
    if (failure.verdict && (!repairable || attempt > population.settings.repairAttempts)) {
        return kernelError(repairable
                               ? fmt::format("still failing after {} repairs", population.settings.repairAttempts)
                               : fmt::format("a kernel with the verdict '{}' is not repaired", name(*failure.verdict)),
                           "repair");
    }
    GKS_TRY_ASSIGN(const StageInput input, repairInput(briefing, experiment, draft, failure, attempt));
    return draftFrom(stage(ModelStage::repair, experiment.writer), input, briefing, experiment, draft.source, stop);
}

Result<Draft> ModelScientist::draftFrom(Conversation& conversation, const StageInput& input, const Briefing& briefing,
                                        const Experiment& experiment, const std::string& failedSource,
                                        const std::stop_token& stop) {
    const Kernel* parent = briefing.population->kernel(experiment.parent);
    const std::string before = parent != nullptr ? parent->source : std::string();
    const DraftTask task{*briefing.population, failedSource.empty() ? before : failedSource, failedSource,
                         experiment.rubric};
    Draft draft;
    const auto accept = [&](Json& reply) -> Result<void> {
        GKS_TRY_ASSIGN(draft, draftFromReply(reply, task));
        return {};
    };
    auto asked =
        conversation.ask(input.values, accept, {{}, experiment.id, input.inclusions, briefing.draftTurn}, stop);
    if (!asked) {
        if (conversation.wasRefused()) { // this experiment came to nothing; others may
            asked.error().kind = ErrorKind::kernel;
        }
        return tl::unexpected(std::move(asked).error());
    }
    draft.model = conversation.model();
    checkAgainstChange(draft.rubric, before, draft.source);
    secondOpinion(briefing, experiment, before, draft, stop);
    draft.report = reportText(draft.rubric);
    return draft;
}

// Whatever goes wrong here is in the exchanges; the draft stands with what was found before.
void ModelScientist::secondOpinion(const Briefing& briefing, const Experiment& experiment, const std::string& before,
                                   Draft& draft, const std::stop_token& stop) {
    const auto checker = m_conversations.find(ModelStage::checker);
    if (checker == m_conversations.end() || !briefing.population->settings.policies.checkReports ||
        draft.rubric.empty() || before.empty()) {
        return;
    }
    std::vector<RubricItem> checked;
    const auto accept = [&](Json& reply) -> Result<void> {
        checked = draft.rubric;
        return applyCheck(checked, reply);
    };
    const StageInput input = checkerInput(experiment, draft.rubric, before, draft.source);
    if (checker->second->ask(input.values, accept, {{}, experiment.id}, stop)) {
        draft.rubric = std::move(checked);
    }
}

} // namespace

Result<std::unique_ptr<Scientist>> makeModelScientist(const CampaignSettings& settings, ScientistSinks sinks) {
    sinks.keyVariables = keyVariablesOf(settings.models);
    const auto catalogue = ModelCatalogue::load();
    if (!catalogue) {
        return tl::unexpected(catalogue.error());
    }
    const auto shared = std::make_shared<const ModelCatalogue>(*catalogue);
    const auto open = [&](ModelStage stage, const ModelChoice& choice) -> Result<std::unique_ptr<Conversation>> {
        if (settings.budgets.usd > 0 && !isFree(choice) && !catalogue->usd(choice.model, 0, 0)) {
            return usageError(fmt::format("the price of {} is not known, so a budget of {} cannot be kept",
                                          choice.model, formatUsd(settings.budgets.usd)),
                              std::string(name(stage)),
                              "Add the model to models.toml in the configuration folder, or take the budget away");
        }
        return Conversation::open(stage, choice, shared, sinks, settings.prompts);
    };
    ModelScientist::Stages conversations;
    for (const ModelStage stage : modelStages) {
        if (stage == ModelStage::digest) {
            continue; // of documents, beside the loop
        }
        const bool checks = stage == ModelStage::checker;
        if (checks && !settings.policies.checkReports) {
            continue;
        }
        GKS_TRY_ASSIGN(const ModelChoice choice, modelFor(settings, stage));
        if (checks && choice.provider == manualProviderName && !settings.models.contains(std::string(name(stage)))) {
            continue; // a person who answers for the others is not asked to check reports as well
        }
        GKS_TRY_ASSIGN(auto conversation, open(stage, choice));
        conversations.emplace(stage, std::move(conversation));
    }
    std::map<std::string, ModelScientist::Stages> writers;
    for (const std::string& writer : writersOf(settings.models)) {
        for (const ModelStage stage : {ModelStage::writer, ModelStage::repair}) {
            GKS_TRY_ASSIGN(auto conversation, open(stage, *writerModelOf(settings.models, stage, writer)));
            writers[writer].emplace(stage, std::move(conversation));
        }
    }
    return std::make_unique<ModelScientist>(std::move(conversations), std::move(writers));
}

} // namespace gks
