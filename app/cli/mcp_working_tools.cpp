// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp_tools.h"
#include "app/cli/population_text.h"
#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/limits.h"
#include "core/campaign/source_check.h"
#include "core/engine/new_campaign.h"
#include "core/engine/run_end.h"
#include "core/engine/waiting.h"
#include "core/judge/evaluator_client.h"
#include "core/mcp/pages.h"
#include "core/scientist/held_out.h"
#include "core/target/diagnostics.h"

#include <fmt/format.h>

// Tools that build, measure and propose. What is evaluated beside the campaign changes nothing there; what is proposed
// goes through the engine, under its budgets.
namespace gks::cli {
namespace {

constexpr int longestWaitSeconds = 45; // clients give up after 60
constexpr std::string_view kernelHandle = "kernel-";
constexpr std::size_t handleCharacters = 32;
constexpr int mostDevices = 63;

// The campaign behind a trial, where there is one: its settings, and what its kernels say.
struct TrialCampaign {
    std::unique_ptr<CampaignStore> store;
    PopulationPtr population;
};

Result<std::optional<TrialCampaign>> trialCampaign(McpPlace& place) {
    if (!place.campaign) {
        return std::optional<TrialCampaign>();
    }
    TrialCampaign campaign;
    GKS_TRY_ASSIGN(campaign.store, place.campaign->read());
    GKS_TRY_ASSIGN(campaign.population, campaign.store->population());
    return std::optional(std::move(campaign));
}

// From the words of `source` or the id of `kernel`; empty when neither is given.
Result<std::string> sourceFrom(const std::optional<TrialCampaign>& campaign, const Json& arguments, const char* source,
                               const char* kernel) {
    if (arguments.contains(source) && arguments.contains(kernel)) {
        return usageError(fmt::format("{} and {} do not go together", source, kernel), source, "Give one of them");
    }
    if (arguments.contains(source)) {
        const std::string text = arguments.at(source).get<std::string>();
        GKS_TRY(checkKernelSource(text));
        return text;
    }
    if (!arguments.contains(kernel)) {
        return std::string();
    }
    if (!campaign) {
        return usageError("there is no campaign that has kernels", kernel, fmt::format("Give {} instead", source));
    }
    GKS_TRY_ASSIGN(const KernelId id,
                   kernelFromText(arguments.at(kernel).get<std::string>(), *campaign->population, kernel));
    if (campaign->population->kernel(id)->probe) {
        return usageError("a probe is no kernel of the problem", kernel, "Choose another one");
    }
    return campaign->population->kernel(id)->source.read();
}

// A pack from elsewhere is compiled and run only when the person has answered for it.
Result<void> checkTrust(const TrialCampaign& campaign, const ProblemPack& pack) {
    GKS_TRY_ASSIGN(const auto question, packQuestion(pack));
    GKS_TRY_ASSIGN(const std::string identity, trustIdentity(*campaign.store));
    GKS_TRY_ASSIGN(const auto open,
                   TrustAnswers().open(identity, question ? std::vector{*question} : std::vector<TrustQuestion>()));
    return open.empty() ? Result<void>()
                        : usageError("nobody has answered for the problem pack of this campaign yet", "trust",
                                     "The person says so in the window, or with run --trust pack");
}

// When the campaign has no more to spend, nothing is tried beside it either.
Result<void> checkBudget(const TrialCampaign& campaign) {
    const Population& population = *campaign.population;
    const auto spent = spentBudget(population, {.wallSeconds = population.spend.wallSeconds});
    return spent ? usageError(*spent, "budget", "Ask the person for more, or end here") : Result<void>();
}

struct AgentTrial {
    EvaluationRequest request;
    ProblemPack pack;
};

enum class TrialKind { built, measured };

Result<AgentTrial> trialFrom(McpPlace& place, const Json& arguments, TrialKind kind) {
    GKS_TRY_ASSIGN(const auto campaign, trialCampaign(place));
    AgentTrial trial;
    GKS_TRY_ASSIGN(trial.pack, packOf(place, arguments));
    if (campaign) {
        if (kind == TrialKind::measured) {
            GKS_TRY(checkBudget(*campaign));
        }
        GKS_TRY(checkTrust(*campaign, trial.pack));
    }
    const CampaignSettings settings = campaign ? campaign->population->settings : CampaignSettings();
    EvaluationRequest& request = trial.request;
    request.id = "trial";
    request.problem = problemReference(trial.pack);
    GKS_TRY_ASSIGN(request.target, arguments.contains("target")
                                       ? targetFromName(arguments.at("target").get<std::string>())
                                       : Result<TargetKind>(settings.target));
    request.device =
        arguments.contains("device") ? static_cast<int>(arguments.at("device").get<double>()) : settings.device;
    GKS_TRY_ASSIGN(request.shapes, arguments.contains("shapes")
                                       ? shapeChoiceFromName(arguments.at("shapes").get<std::string>())
                                       : Result<ShapeChoice>(settings.shapes));
    request.measureSeconds = campaign ? settings.measureSeconds : defaultMeasureSeconds(request.target);
    request.tieMarginPercent = settings.tieMarginPercent;
    GKS_TRY_ASSIGN(request.source, sourceFrom(campaign, arguments, "source", "kernel"));
    if (request.source.empty()) {
        return usageError("there is nothing to evaluate", "source",
                          "Give a whole source, or the id of a kernel of the campaign");
    }
    GKS_TRY_ASSIGN(std::string baseline, sourceFrom(campaign, arguments, "baseline_source", "baseline_kernel"));
    if (!baseline.empty()) {
        request.baseline = std::move(baseline);
    }
    return trial;
}

std::string progressText(const ProgressEvent& progress, std::string_view stage) {
    return fmt::format("{}, {}", stage, abbreviated(progress.detail, 200));
}

Verdict evaluateTrial(const EvaluationRequest& request, const McpJobs::Tell& tell, const std::stop_token& stop) {
    std::string stage;
    const auto sink = [&](const EvaluationEvent& event) {
        if (const auto* begun = std::get_if<StageEvent>(&event)) {
            stage = name(begun->stage);
            tell(stage);
        } else if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
            tell(progressText(*progress, stage));
        }
    };
    return EvaluatorClient().evaluate(request, sink, stop);
}

Result<std::string> startTrial(McpPlace& place, std::string what, AgentTrial trial) {
    GKS_TRY_ASSIGN(
        const std::string handle,
        place.jobs.start(what,
                         [trial = std::move(trial), &place](const McpJobs::Tell& tell,
                                                            const std::stop_token& stop) -> Result<std::string> {
                             ++place.trials;
                             const Verdict verdict = evaluateTrial(trial.request, tell, stop);
                             OrderedJson json = agentVerdict(verdict, &trial.pack);
                             if (trial.request.counters && !verdict.counters) {
                                 json["counters"] =
                                     "none were read: that is done of kernels that come out correct or faster";
                             }
                             return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace);
                         }));
    return mcp::textOf({{"handle", handle}, {"next", "Call wait with this handle"}});
}

Result<std::string> profileStarted(McpPlace& place, const Json& arguments) {
    GKS_TRY_ASSIGN(AgentTrial trial, trialFrom(place, arguments, TrialKind::measured));
    if (trial.request.target == TargetKind::cpu) {
        return usageError("the target cpu has no hardware counters", "profile",
                          "Call inspect for registers, LDS and instructions, or name a card as the target");
    }
    trial.request.counters = true;
    trial.request.shapes = ShapeChoice::quick;
    return startTrial(place, "profile", std::move(trial));
}

// As `inspect --json`: the static report, or why there is none.
std::string staticText(const Verdict& verdict, const ProblemPack& pack) {
    OrderedJson json = verdict.staticReport ? gks::toJson(*verdict.staticReport) : agentVerdict(verdict, &pack);
    json["diagnostics"] = gks::toJson(readDiagnostics(verdict.build.log));
    return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace);
}

Result<std::string> inspected(McpPlace& place, const Json& arguments, const std::stop_token& stop) {
    GKS_TRY_ASSIGN(AgentTrial trial, trialFrom(place, arguments, TrialKind::built));
    trial.request.staticOnly = true;
    GKS_TRY_ASSIGN(const std::string handle,
                   place.jobs.start("inspect",
                                    [trial = std::move(trial)](const McpJobs::Tell& tell,
                                                               const std::stop_token& ended) -> Result<std::string> {
                                        return staticText(evaluateTrial(trial.request, tell, ended), trial.pack);
                                    }));
    return soonOrHandle(place, handle, stop);
}

std::string handleOf(KernelId id) {
    return std::string(kernelHandle) + kernelLabel(id);
}

Result<std::string> proposed(McpPlace& place, const Json& arguments, const mcp::Caller& caller) {
    GKS_TRY_ASSIGN(McpCampaign * campaign, campaignOf(place));
    GKS_TRY_ASSIGN(const auto trial, trialCampaign(place));
    AgentKernel kernel;
    kernel.agent = caller.client;
    GKS_TRY_ASSIGN(kernel.basis, kernelFromText(arguments.at("basis").get<std::string>(), *trial->population, "basis"));
    kernel.title = arguments.at("title").get<std::string>();
    kernel.source = arguments.at("source").get<std::string>();
    GKS_TRY_ASSIGN(const KernelId id, campaign->propose(kernel, caller.stop));
    const bool isReadFirst = trial->population->settings.policies.checkCode;
    return mcp::textOf({{"kernel", kernelLabel(id)},
                        {"by", agentWriter(kernel.agent)},
                        {"handle", handleOf(id)},
                        {"next", isReadFirst ? "The person reads the code first. Call wait with this handle"
                                             : "Call wait with this handle"}});
}

// Of a kernel that was proposed: its verdict, or why it has none yet.
Result<std::string> kernelJobText(McpPlace& place, const std::string& handle, double seconds, int page,
                                  const std::stop_token& stop) {
    GKS_TRY_ASSIGN(McpCampaign * campaign, campaignOf(place));
    GKS_TRY_ASSIGN(const auto before, trialCampaign(place));
    GKS_TRY_ASSIGN(const KernelId id,
                   kernelFromText(handle.substr(kernelHandle.size()), *before->population, "handle"));
    GKS_TRY_ASSIGN(const Kernel kernel, campaign->waitFor(id, seconds, stop));
    GKS_TRY_ASSIGN(const auto now, trialCampaign(place));
    const auto pack = packOfCampaign(now->population->settings);
    const ProblemPack* packOrNull = pack ? &*pack : nullptr;
    OrderedJson json = {{"kernel", kernelLabel(id)}, {"state", name(kernel.state)}};
    if (kernel.state == KernelState::declined) {
        json["the_person_said"] = kernel.reason;
        json["next"] = "Propose another one that minds it";
    } else if (kernel.state != KernelState::evaluated) {
        json["waits"] = waitText(*now->population->kernel(id), *now->population);
        json["next"] = "Call wait with this handle";
    } else {
        GKS_TRY_ASSIGN(const auto verdict, now->store->newestVerdict(id));
        json["result"] = verdict ? agentVerdict(*verdict, packOrNull) : OrderedJson();
    }
    return mcp::textPage(json.dump(1, ' ', false, OrderedJson::error_handler_t::replace), page);
}

Result<std::string> waited(McpPlace& place, const Json& arguments, const std::stop_token& stop) {
    const std::string handle = arguments.at("handle").get<std::string>();
    const double seconds = arguments.value("seconds", static_cast<double>(longestWaitSeconds));
    return handle.starts_with(kernelHandle) ? kernelJobText(place, handle, seconds, pageOf(arguments), stop)
                                            : jobText(place, handle, seconds, pageOf(arguments), stop);
}

Json trialMembers() {
    return {{"source", mcpText("the whole source", limits::kernelSourceBytes)},
            {"kernel", mcpText("or the id of a kernel of the campaign", 12)},
            {"problem", mcpText("name of a built-in problem (the campaign's)", 64)},
            {"target", mcpChoice("where it runs (the campaign's, else cpu)", {"cpu", "amd", "nvidia"})},
            {"device", mcpNumber("index of the device (the campaign's, else 0)", 0, mostDevices)}};
}

} // namespace

void addWorkingTools(std::vector<mcp::Tool>& tools, McpPlace& place) {
    using mcp::Caller;
    Json evaluated = trialMembers();
    evaluated["shapes"] =
        mcpChoice("what is verified and measured (the campaign's, else quick)", {"quick", "test", "benchmark", "all"});
    evaluated["baseline_source"] = mcpText("source of a kernel that it is compared with", limits::kernelSourceBytes);
    evaluated["baseline_kernel"] = mcpText("or the id of one of the campaign", 12);
    tools.push_back(
        {"evaluate", "Try a kernel",
         "Builds, verifies and measures a kernel without putting it into the campaign; beside a baseline in "
         "paired runs. Gives a handle at once: call wait.",
         mcpInput(std::move(evaluated)), true, [&place](const Json& arguments, const Caller&) -> Result<std::string> {
             GKS_TRY_ASSIGN(AgentTrial trial, trialFrom(place, arguments, TrialKind::measured));
             return startTrial(place, "evaluate", std::move(trial));
         }});
    tools.push_back({"wait", "Wait for a result",
                     "Waits for what a handle stands for, 45 s at most, and gives its result, or says what it does.",
                     mcpInput({{"handle", mcpText("\"job-3\", \"kernel-00012\"", handleCharacters)},
                               {"seconds", mcpNumber("at most (45)", 0, longestWaitSeconds)},
                               {"page", mcpPage()}},
                              {"handle"}),
                     false, [&place](const Json& arguments, const Caller& caller) {
                         return waited(place, arguments, caller.stop);
                     }});
    tools.push_back({"inspect", "Static report",
                     "Compiles a kernel and gives registers, LDS, occupancy and instructions of gfx942; runs nothing.",
                     mcpInput({{"source", mcpText("the whole source", limits::kernelSourceBytes)},
                               {"kernel", mcpText("or the id of a kernel of the campaign", 12)},
                               {"problem", mcpText("name of a built-in problem (the campaign's)", 64)}}),
                     false, [&place](const Json& arguments, const Caller& caller) {
                         return inspected(place, arguments, caller.stop);
                     }});
    tools.push_back({"profile", "Hardware counters",
                     "Evaluates a kernel on a card and reads its hardware counters. Gives a handle at once: call wait.",
                     mcpInput(trialMembers()), true,
                     [&place](const Json& arguments, const Caller&) { return profileStarted(place, arguments); }});
    tools.push_back(
        {"propose", "Put a kernel into the campaign",
         "Adds a kernel, made from a basis, under your name and the campaign's budgets and rules; it is "
         "compared with its basis. A person may have to read it first. Gives a handle for wait.",
         mcpInput({{"basis", mcpText("id of the kernel that it is made from", 12)},
                   {"title", mcpText("what was changed, in a few words", limits::kernelTitleCharacters)},
                   {"source", mcpText("the whole source", limits::kernelSourceBytes)}},
                  {"basis", "title", "source"}),
         true, [&place](const Json& arguments, const Caller& caller) { return proposed(place, arguments, caller); }});
}

} // namespace gks::cli
