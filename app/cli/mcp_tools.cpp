// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp_tools.h"

#include "core/base/text.h"
#include "core/campaign/campaign_pack.h"
#include "core/engine/new_campaign.h"
#include "core/mcp/pages.h"
#include "core/scientist/failure_text.h"
#include "core/scientist/held_out.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks::cli {
namespace {

constexpr double soonSeconds = 40; // clients give up after 60

// Shapes that are shown: a verdict may rest on others.
bool isShownShape(const std::map<std::string, std::int64_t>& shape, const ProblemPack* pack) {
    if (pack == nullptr) {
        return false;
    }
    return std::ranges::any_of(
        std::initializer_list<ShapeSet>{ShapeSet::test, ShapeSet::benchmark, ShapeSet::quick, ShapeSet::cpu},
        [&](ShapeSet set) {
            return std::ranges::any_of(pack->shapesOf(set),
                                       [&](const Shape& one) { return pack->namedShape(one) == shape; });
        });
}

OrderedJson measurementsFor(const Verdict& verdict, const ProblemPack* pack) {
    OrderedJson rows = OrderedJson::array();
    for (const MeasurementFact& fact : verdict.measurements) {
        if (!isShownShape(fact.shape, pack)) {
            continue;
        }
        OrderedJson row = {{"shape", fact.shape},
                           {"median_us", fact.medianUs},
                           {"ci95_us", {fact.ci95Us.low, fact.ci95Us.high}},
                           {"floor_us", fact.floorUs > 0 ? OrderedJson(fact.floorUs) : OrderedJson()}};
        if (fact.ratio) {
            row["ratio"] = *fact.ratio;
        }
        if (fact.ratioCi95) {
            row["ratio_ci95"] = {fact.ratioCi95->low, fact.ratioCi95->high};
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

// Neither keys nor paths of this machine, whoever wrote them into a text. A source stays as it is, since its hash is
// known: what gives one checks it itself.
mcp::Tool redacted(mcp::Tool tool, const Redaction& redaction, bool givesSource) {
    tool.run = [run = std::move(tool.run), &redaction, givesSource](const Json& arguments,
                                                                    const mcp::Caller& caller) -> Result<std::string> {
        auto text = run(arguments, caller);
        if (text) {
            return givesSource ? std::move(text) : redaction.text(*text);
        }
        Error error = std::move(text).error();
        if (error.next.empty()) {
            error.next = "Mend what is named, then call again";
        }
        for (std::string* part : {&error.what, &error.where, &error.next}) {
            *part = abbreviated(redaction.text(*part), mcp::resultBytes / 4);
        }
        return tl::unexpected(std::move(error));
    };
    return tool;
}

} // namespace

const char* const mcpInstructions =
    "Judges, measures and evolves GPU kernels. Work in a loop: problem_brief says what is to be computed and the "
    "judge's rules; population and findings say what was tried; kernel shows a source. Write a whole source, try it "
    "with evaluate (beside a kernel to compare with) and wait, or inspect it, then propose the one that won: it enters "
    "the campaign under its budgets, and a person sees and steers it. A difference inside the interval is a tie. Times "
    "of the target cpu are CPU times.";

std::vector<mcp::Tool> mcpTools(McpPlace& place) {
    std::vector<mcp::Tool> tools;
    addReadingTools(tools, place);
    addWorkingTools(tools, place);
    for (mcp::Tool& tool : tools) {
        const bool givesSource = tool.name == "kernel" || tool.name == "export" || tool.name == "problem_brief";
        tool = redacted(std::move(tool), place.redaction, givesSource);
    }
    return tools;
}

Json mcpInput(Json properties, std::vector<std::string> required) {
    Json schema = {{"type", "object"}, {"additionalProperties", false}};
    schema["properties"] = properties.is_null() ? Json::object() : std::move(properties);
    schema["required"] = std::move(required);
    return schema;
}

Json mcpText(std::string description, std::size_t longest) {
    return {{"type", "string"}, {"minLength", 1}, {"maxLength", longest}, {"description", std::move(description)}};
}

Json mcpNumber(std::string description, int least, int most) {
    return {{"type", "integer"}, {"minimum", least}, {"maximum", most}, {"description", std::move(description)}};
}

Json mcpChoice(std::string description, std::vector<std::string> words) {
    return {{"type", "string"}, {"enum", std::move(words)}, {"description", std::move(description)}};
}

Json mcpPage() {
    return mcpNumber("which page of the result (1); the result names the next one", 1, 100'000);
}

int pageOf(const Json& arguments) {
    return static_cast<int>(arguments.value("page", 1.0));
}

Result<McpCampaign*> campaignOf(McpPlace& place) {
    if (!place.campaign) {
        return usageError("this server was started without a campaign", "campaign",
                          "Ask the person to start it with one: kernel-scientist-cli mcp FILE.gks");
    }
    return place.campaign.get();
}

Result<ProblemPack> packOf(McpPlace& place, const Json& arguments) {
    const std::string name = arguments.value("problem", std::string());
    if (!name.empty()) {
        GKS_TRY_ASSIGN(std::vector<ProblemPack> packs, builtinProblems());
        const auto found = std::ranges::find(packs, name, &ProblemPack::name);
        if (found == packs.end()) {
            return usageError(fmt::format("there is no built-in problem \"{}\"", abbreviated(name, 80)), "problem",
                              "problems lists them");
        }
        return std::move(*found);
    }
    if (!place.campaign) {
        return usageError("the problem is not said, and there is no campaign that has one", "problem",
                          "Name one; problems lists them");
    }
    GKS_TRY_ASSIGN(const auto store, place.campaign->read());
    GKS_TRY_ASSIGN(const CampaignSettings settings, store->settings());
    GKS_TRY_ASSIGN(ProblemPack pack, packOfCampaign(settings));
    return pack.harness
               ? Result<ProblemPack>(usageError("the campaign is on a command pack, whose verdicts are those of "
                                                "its own harness: our own judge knows no such problem",
                                                "problem", "Propose kernels: the campaign judges them"))
               : Result<ProblemPack>(std::move(pack));
}

OrderedJson agentVerdict(const Verdict& verdict, const ProblemPack* pack) {
    const auto shown = [&](const std::string& text) { return withoutHeldOutShapes(text, pack); };
    const auto passed = std::ranges::count_if(verdict.verification, &VerificationFact::passed);
    OrderedJson json = {{"verdict", name(verdict.kind)},
                        {"reason", shown(verdict.reason)},
                        {"next", verdict.next},
                        {"problem", verdict.problem},
                        {"target", verdict.target},
                        {"device", verdict.device},
                        {"kernel_sha256", verdict.kernelSha256},
                        {"checks", {{"passed", passed}, {"of", verdict.verification.size()}}}};
    if (const std::string judge = judgedBy(verdict); !judge.empty()) {
        json["judged_by"] = judge;
    }
    if (!isAccepted(verdict.kind)) {
        json["failure"] = failureText(verdict);
    }
    json["warnings"] = OrderedJson::array();
    for (const std::string& warning : verdict.warnings) {
        json["warnings"].push_back(shown(warning));
    }
    json["geomean_us"] = verdict.geomeanUs > 0 ? OrderedJson(verdict.geomeanUs) : OrderedJson();
    json["geomean_ci95_us"] = {verdict.geomeanCi95Us.low, verdict.geomeanCi95Us.high};
    if (const auto& fact = verdict.comparison) {
        json["comparison"] = {
            {"ratio", fact->ratio}, {"ci95", {fact->ci95.low, fact->ci95.high}}, {"verdict", name(fact->verdict)}};
    }
    json["measurements"] = measurementsFor(verdict, pack);
    if (verdict.staticReport) {
        json["static"] = gks::toJson(*verdict.staticReport);
    }
    if (verdict.counters) {
        json["counters"] = gks::toJson(*verdict.counters);
    }
    json["sandbox"] = verdict.sandbox;
    json["seconds"] = verdict.totalSeconds;
    return json;
}

Result<std::string> withSource(const McpPlace& place, const OrderedJson& facts, const std::string& source, int page) {
    if (place.redaction.holdsSecret(source)) {
        return usageError("the source holds a key of this machine", "kernel", "Ask the person to take it out");
    }
    const std::string head = place.redaction.json(facts).dump(1, ' ', false, OrderedJson::error_handler_t::replace);
    return mcp::textPage(fmt::format("{}\n\n{}", head, source), page);
}

Result<std::string> jobText(McpPlace& place, const std::string& handle, double seconds, int page,
                            const std::stop_token& stop) {
    GKS_TRY_ASSIGN(McpJobs::State state, place.jobs.waitFor(handle, seconds, stop));
    if (!state.result) {
        return mcp::textOf({{"handle", handle},
                            {"what", state.what},
                            {"state", state.isBegun ? "running" : "queued"},
                            {"stage", state.stage},
                            {"next", "Call wait with this handle"}});
    }
    GKS_TRY_ASSIGN(const std::string text, std::move(*state.result));
    return mcp::textPage(text, page);
}

Result<std::string> soonOrHandle(McpPlace& place, const std::string& handle, const std::stop_token& stop) {
    return jobText(place, handle, soonSeconds, 1, stop);
}

} // namespace gks::cli
