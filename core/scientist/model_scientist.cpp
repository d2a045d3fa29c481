// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/prompt_template.h"
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
        return usageError(fmt::format("{}: kernel {} not found", field, quoted(code, 20)));
    }
    return kernel;
}

// Of every stage; those of further writers, for drafts and repairs, under their names.
using Conversations = std::map<std::pair<ModelStage, std::string>, std::unique_ptr<Conversation>>;

class ModelScientist final : public Scientist {
public:
    explicit ModelScientist(Conversations conversations) : m_conversations(std::move(conversations)) {}

    ScientistKind kind() const override { return ScientistKind::model; }
    Author author() const override { return Author::model; }

    Result<Selection> select(const Briefing& briefing, const std::stop_token& stop) override;
    Result<Design> design(const Briefing& briefing, const Selection& selection, const std::stop_token& stop) override;
    Result<Draft> write(const Briefing& briefing, const Experiment& experiment, const std::stop_token& stop) override;
    Result<Draft> repair(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                         const Failure& failure, int attempt, const std::stop_token& stop) override;

private:
    // Without a conversation of the writer the stage's own.
    Conversation& stage(ModelStage stage, const std::string& writer = {}) {
        const auto found = m_conversations.find({stage, writer});
        return found == m_conversations.end() ? *m_conversations.at({stage, {}}) : *found->second;
    }
    Result<Draft> draftFrom(Conversation& conversation, const StageInput& input, const Briefing& briefing,
                            const Experiment& experiment, const std::string& failedSource, const std::stop_token& stop);
    void secondOpinion(const Briefing& briefing, const Experiment& experiment, const std::string& before, Draft& draft,
                       const std::stop_token& stop);

    Conversations m_conversations;
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
            return usageError(fmt::format("pinned parent {} not found", kernelLabel(*settings.pinnedParent)),
                              "selector", "Pin another one");
        }
        const auto other = settings.pinnedReference ? settings.pinnedReference
                                                    : fastestOfAnotherLine(population, *settings.pinnedParent);
        return Selection{*settings.pinnedParent, other, "pinned by you"};
    }
    if (eligible.empty()) {
        return kernelError("no kernel has passed yet", "selector", "Evaluate the seeds, or fix one by hand");
    }
    if (eligible.size() == 1) {
        return Selection{eligible.front()->id, settings.pinnedReference, "the only kernel that passed"};
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
            if (other->probe) {
                return usageError(fmt::format("basis_reference: {} is a probe", kernelLabel(other->id)));
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
        return usageError(fmt::format("kernel {} not found", kernelLabel(selection.basis)), "designer");
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
        return usageError(fmt::format("kernel {} not found", kernelLabel(experiment.parent)), "writer");
    }
    GKS_TRY_ASSIGN(const StageInput input, experiment.kind == ExperimentKind::probe
                                               ? probeInput(briefing, experiment)
                                               : writerInput(briefing, *basis, experiment));
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
    const bool isProbe = experiment.kind == ExperimentKind::probe;
    const Kernel* parent = isProbe ? nullptr : briefing.population->kernel(experiment.parent);
    GKS_TRY_ASSIGN(const std::string before, parent != nullptr ? parent->source.read() : Result<std::string>());
    const DraftTask task{*briefing.population,
                         failedSource.empty() ? before : failedSource,
                         failedSource,
                         experiment.rubric,
                         isProbe,
                         !isProbe && briefing.problem != nullptr && briefing.problem->harness.has_value()};
    const bool hasOwnPrompt = isProbe && failedSource.empty();
    Draft draft;
    const auto accept = [&](Json& reply) -> Result<void> {
        GKS_TRY_ASSIGN(draft, draftFromReply(reply, task));
        return {};
    };
    auto asked = conversation.ask(input.values, accept,
                                  {.experiment = experiment.id,
                                   .inclusions = input.inclusions,
                                   .prompt = hasOwnPrompt ? std::string(probePrompt) : std::string(),
                                   .draftTurn = briefing.draftTurn},
                                  stop);
    if (!asked) {
        if (conversation.wasRefused()) { // this experiment came to nothing; others may
            asked.error().kind = ErrorKind::kernel;
        }
        return tl::unexpected(std::move(asked).error());
    }
    draft.model = conversation.model();
    if (!isProbe) { // which is no change of anything
        checkAgainstChange(draft.rubric, before, draft.source);
    }
    secondOpinion(briefing, experiment, before, draft, stop);
    draft.report = reportText(draft.rubric);
    return draft;
}

// Whatever goes wrong here is in the exchanges; the draft stands with what was found before.
void ModelScientist::secondOpinion(const Briefing& briefing, const Experiment& experiment, const std::string& before,
                                   Draft& draft, const std::stop_token& stop) {
    const auto checker = m_conversations.find({ModelStage::checker, {}});
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

// Opens the conversations of a campaign.
class Opening {
public:
    Opening(const CampaignSettings& settings, ScientistSinks sinks, ModelCatalogue catalogue)
        : m_settings(settings)
        , m_sinks(std::move(sinks))
        , m_catalogue(std::make_shared<const ModelCatalogue>(std::move(catalogue))) {}

    Result<void> stages() {
        for (const ModelStage stage : modelStages) {
            if (stage == ModelStage::digest) {
                continue; // of documents, beside the loop
            }
            const bool checks = stage == ModelStage::checker;
            if (checks && !m_settings.policies.checkReports) {
                continue;
            }
            GKS_TRY_ASSIGN(const ModelChoice choice, modelFor(m_settings, stage));
            if (checks && choice.provider == manualProviderName &&
                !m_settings.models.contains(std::string(name(stage)))) {
                continue; // a person who answers for the others is not asked to check reports as well
            }
            GKS_TRY(open(stage, choice, {}));
        }
        return {};
    }
    Result<void> writers() {
        const bool isMendedByOthers = m_settings.models.contains(std::string(name(ModelStage::repair)));
        for (const std::string& writer : writersOf(m_settings.models)) {
            const ModelChoice& choice = m_settings.models.at(writerSlot(writer));
            GKS_TRY(open(ModelStage::writer, choice, writer));
            if (!isMendedByOthers) {
                GKS_TRY(open(ModelStage::repair, choice, writer));
            }
        }
        return {};
    }
    Conversations take() { return std::move(m_opened); }

private:
    Result<void> open(ModelStage stage, const ModelChoice& choice, const std::string& writer) {
        const std::string slot = writer.empty() ? std::string(name(stage)) : writerSlot(writer);
        if (m_settings.budgets.usd > 0 && !isFree(choice) && !m_catalogue->usd(choice.model, 0, 0)) {
            return usageError(fmt::format("the price of {} is unknown, so the cost budget of {} cannot be enforced",
                                          choice.model, formatUsd(m_settings.budgets.usd)),
                              slot,
                              "Add the model to models.toml in the configuration folder, or remove the cost budget");
        }
        auto conversation = Conversation::open(stage, choice, m_catalogue, m_sinks, m_settings.prompts);
        if (!conversation) {
            Error error = std::move(conversation).error();
            error.where = error.where == name(stage) ? slot : error.where;
            return tl::unexpected(std::move(error));
        }
        m_opened.emplace(std::pair(stage, writer), std::move(*conversation));
        return {};
    }

    const CampaignSettings& m_settings;
    ScientistSinks m_sinks;
    std::shared_ptr<const ModelCatalogue> m_catalogue;
    Conversations m_opened;
};

} // namespace

Result<std::unique_ptr<Scientist>> makeModelScientist(const CampaignSettings& settings, ScientistSinks sinks) {
    sinks.keyVariables = keyVariablesOf(settings.models);
    GKS_TRY_ASSIGN(ModelCatalogue catalogue, ModelCatalogue::load());
    Opening opening(settings, std::move(sinks), std::move(catalogue));
    GKS_TRY(opening.stages());
    GKS_TRY(opening.writers());
    return std::make_unique<ModelScientist>(opening.take());
}

} // namespace gks
