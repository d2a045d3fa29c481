// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recorded_evidence.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/names.h"
#include "core/campaign/ranking.h"
#include "core/campaign/summary.h"
#include "core/judge/json_fields.h"
#include "core/problem/manifest.h"
#include "core/report/bundle.h"
#include "core/report/html_report.h"
#include "core/report/markdown_report.h"
#include "core/report/plan_evidence.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gks {
namespace {

constexpr std::size_t jsonLimitBytes = std::size_t{32} << 20; // a verdict has some kilobytes for each shape
constexpr std::size_t verdictsLimit = 20000;

Result<KernelId> kernelIdFrom(const std::string& label) {
    KernelId id = 0;
    const char* const end = label.data() + label.size();
    const auto [stopped, error] = std::from_chars(label.data(), end, id);
    if (error != std::errc() || stopped != end || id <= 0 || kernelLabel(id) != label) {
        return usageError("is no kernel: " + abbreviated(sanitizedUtf8(label), 40));
    }
    return id;
}

Result<std::optional<KernelId>> kernelIdFrom(const std::optional<std::string>& label) {
    if (!label) {
        return std::nullopt;
    }
    GKS_TRY_ASSIGN(const KernelId id, kernelIdFrom(*label));
    return id;
}

Result<Json> jsonOf(const std::string& text, const std::string& path) {
    if (text.size() > jsonLimitBytes) {
        return usageError(fmt::format("too large (limit {} bytes)", jsonLimitBytes), path);
    }
    return parseJson(text, path);
}

// The path in a verdict names the content: a source lies where its hash says.
Result<std::string> sourceAt(const BundleFiles& files, const std::string& path) {
    const auto found = files.find(path);
    if (found == files.end()) {
        return usageError("names a source that is not there: " + abbreviated(sanitizedUtf8(path), 120));
    }
    if (found->second.size() > limits::kernelSourceBytes) {
        return usageError("the source is larger than any kernel may be");
    }
    return found->second;
}

Result<EvidenceItem> readItem(const BundleFiles& files, const std::string& path, const std::string& text) {
    GKS_TRY_ASSIGN(const Json json, jsonOf(text, path));
    EvidenceItem item;
    Evaluation& evaluation = item.evaluation;
    std::string kernel;
    std::string source;
    std::optional<std::string> baseline;
    std::optional<std::string> baselineKernel;
    FieldReader fields(json, path);
    for (const char* needed : {"kernel", "evaluation", "source", "verdict"}) {
        fields.require(needed);
    }
    fields.read("kernel", kernel);
    fields.read("title", item.title);
    fields.read("evaluation", evaluation.id);
    fields.read("purpose", evaluation.purpose);
    fields.read("lane", evaluation.lane);
    fields.read("started_at_ms", evaluation.startedAt);
    fields.read("ended_at_ms", evaluation.endedAt);
    fields.read("source", source);
    fields.read("baseline_kernel", baselineKernel);
    fields.read("baseline", baseline);
    const Json* verdict = fields.object("verdict");
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(evaluation.kernel, kernelIdFrom(kernel));
    GKS_TRY_ASSIGN(evaluation.baseline, kernelIdFrom(baselineKernel));
    GKS_TRY_ASSIGN(evaluation.verdict, verdictFromJson(*verdict));
    GKS_TRY_ASSIGN(item.source, sourceAt(files, source));
    if (baseline) {
        GKS_TRY_ASSIGN(item.baselineSource, sourceAt(files, *baseline));
    }
    if (verdictPath(item) != path) {
        return usageError(fmt::format("is the verdict {}, which does not belong here", item.name()));
    }
    return item;
}

void readPlans(const BundleFiles& files, EvidenceItem& item, Claims& problems) {
    auto plans = plansIn(files, item);
    if (plans) {
        item.evaluation.verdict.plans = std::move(*plans);
    } else {
        ClaimWriter(problems, plansPath(item))
            .differ("launch plans", "plans that the judge has checked", "refused", plans.error().message());
    }
}

Result<Kernel> readKernel(const Json& json) {
    Kernel kernel;
    std::string id;
    std::string author;
    std::string state;
    FieldReader fields(json, "campaign.json");
    for (const char* needed : {"id", "author", "state", "sha256"}) {
        fields.require(needed);
    }
    fields.read("id", id);
    fields.read("title", kernel.title);
    fields.read("author", author);
    fields.read("state", state);
    fields.read("sha256", kernel.sourceSha256);
    const Json* parents = fields.array("parents");
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(kernel.id, kernelIdFrom(id));
    GKS_TRY_ASSIGN(kernel.author, authorFromName(author));
    GKS_TRY_ASSIGN(kernel.state, kernelStateFromName(state));
    for (const Json& parent : parents != nullptr ? *parents : Json::array()) {
        GKS_TRY_ASSIGN(const KernelId parentId, kernelIdFrom(parent.is_string() ? parent.get<std::string>() : ""));
        if (parentId >= kernel.id) {
            return usageError("a parent is younger than its child");
        }
        kernel.parents.push_back(parentId);
    }
    return kernel;
}

Result<Experiment> readExperiment(const Json& json) {
    Experiment experiment;
    std::string state;
    std::optional<std::string> kernel;
    FieldReader fields(json, "campaign.json");
    fields.require("id");
    fields.require("state");
    fields.read("id", experiment.id);
    fields.read("description", experiment.description);
    fields.read("state", state);
    fields.read("kernel", kernel);
    fields.read("failure", experiment.failure);
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(experiment.state, experimentStateFromName(state));
    GKS_TRY_ASSIGN(experiment.kernel, kernelIdFrom(kernel));
    return experiment;
}

// Lines of a table, whoever wrote the bundle.
Result<AnchorFigure> readAnchor(const Json& json) {
    AnchorFigure anchor;
    FieldReader fields(json, "campaign.json");
    fields.require("name");
    fields.read("name", anchor.name);
    fields.read("title", anchor.title);
    fields.read("lacks", anchor.lacks);
    fields.read("reason", anchor.reason);
    fields.read("lane", anchor.lane);
    fields.read("device", anchor.device);
    fields.read("geomean_us", anchor.geomeanUs);
    fields.read("ci95_us", anchor.geomeanCi95Us);
    fields.read("speedup", anchor.speedup);
    fields.read("speedup_ci95", anchor.speedupCi95);
    fields.read("at_ms", anchor.at);
    GKS_TRY(fields.finish());
    for (std::string* text : {&anchor.name, &anchor.title, &anchor.lacks, &anchor.reason}) {
        *text = abbreviated(*text, limits::readTitleBytes);
    }
    return anchor;
}

Result<Spend> readSpend(const Json& json) {
    Spend spend;
    FieldReader fields(json, "campaign.json");
    fields.read("evaluations", spend.evaluations);
    fields.read("tokens", spend.tokens);
    fields.read("usd", spend.usd);
    fields.read("unpriced_tokens", spend.unpricedTokens);
    fields.read("gpu_seconds", spend.gpuSeconds);
    fields.read("wall_seconds", spend.wallSeconds);
    GKS_TRY(fields.finish());
    return spend;
}

template<class T, class Read>
Result<void> readInOrder(const Json* array, SharedList<T>& into, Read readOne) {
    for (const Json& element : array != nullptr ? *array : Json::array()) {
        GKS_TRY_ASSIGN(T one, readOne(element));
        if (!into.empty() && into.back().id >= one.id) {
            return usageError("the numbers of kernels or experiments do not rise", "campaign.json");
        }
        into.push_back(std::move(one));
    }
    return {};
}

Result<void> readCampaign(const std::string& text, Evidence& evidence, Population& population) {
    GKS_TRY_ASSIGN(const Json json, jsonOf(text, "campaign.json"));
    std::optional<std::string> only;
    FieldReader fields(json, "campaign.json");
    fields.read("only_kernel", only);
    const Json* kernels = fields.array("kernels");
    const Json* experiments = fields.array("experiments");
    const Json* anchors = fields.array("anchors");
    const Json* spend = fields.object("spend");
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(evidence.only, kernelIdFrom(only));
    GKS_TRY(readInOrder(kernels, population.kernels, readKernel));
    GKS_TRY(readInOrder(experiments, population.experiments, readExperiment));
    for (const Json& anchor : anchors != nullptr ? *anchors : Json::array()) {
        GKS_TRY_ASSIGN(population.anchors.emplace_back(), readAnchor(anchor));
    }
    if (spend != nullptr) {
        GKS_TRY_ASSIGN(population.spend, readSpend(*spend));
    }
    return {};
}

// What the campaign says of its kernels follows from their verdicts.
void summarize(const Evidence& evidence, Population& population) {
    std::optional<KernelId> firstSeed;
    for (const Kernel& kernel : population.kernels) {
        firstSeed = !firstSeed && kernel.author == Author::seed ? std::optional(kernel.id) : firstSeed;
    }
    for (const EvidenceItem& item : evidence.items) { // by evaluation: the newest is the last
        if (auto comparison = comparisonOf(item.evaluation)) {
            population.comparisons.push_back(std::move(*comparison));
        }
        const auto place = population.placeOf(item.evaluation.kernel);
        if (!place || !isOwnVerdict(item.evaluation)) {
            continue;
        }
        const Verdict& verdict = item.evaluation.verdict;
        Kernel& kernel = population.kernels.edit(*place);
        kernel.verdict = verdict.kind;
        kernel.geomeanUs = verdict.geomeanUs;
        kernel.geomeanCi95Us = verdict.geomeanCi95Us;
        kernel.versusParent =
            stepFromParent(item.evaluation, kernel.parents.empty() ? firstSeed : kernel.parents.front());
    }
    derive(population);
    if (evidence.only) { // of one kernel: nothing is said of the others, nor that it is the best of them
        population.best.reset();
    }
}

// Kernels of the campaign and of its verdicts are the same, and none has lost its verdict.
void checkCampaign(RecordedEvidence& recorded, Population& population) {
    ClaimWriter claims(recorded.problems, "campaign.json");
    std::set<KernelId> judged;
    for (const EvidenceItem& item : recorded.evidence.items) {
        const Evaluation& evaluation = item.evaluation;
        const std::string label = "kernel " + kernelLabel(evaluation.kernel);
        judged.insert(evaluation.kernel);
        const Kernel* const kernel = population.kernel(evaluation.kernel);
        if (kernel == nullptr) {
            claims.differ(label, "not in the campaign", item.name(), "a verdict of a kernel that the campaign lacks");
            continue;
        }
        if (kernel->sourceSha256 != sha256Hex(item.source)) {
            claims.differ(label, kernel->sourceSha256, sha256Hex(item.source), "the campaign has another source");
        }
        if (kernel->title != item.title) {
            claims.differ(label, kernel->title, item.title, "the campaign has another title");
        }
        const Kernel* const baseline = evaluation.baseline ? population.kernel(*evaluation.baseline) : nullptr;
        if (item.baselineSource && (baseline == nullptr || baseline->sourceSha256 != sha256Hex(*item.baselineSource))) {
            claims.differ(label, baseline != nullptr ? baseline->sourceSha256 : "no such kernel",
                          sha256Hex(*item.baselineSource), "it was compared with another kernel than it says");
        }
    }
    for (const Kernel& kernel : population.kernels) {
        const bool expected = !recorded.evidence.only || recorded.evidence.only == kernel.id;
        if (expected && kernel.state == KernelState::evaluated && !judged.contains(kernel.id)) {
            claims.differ("kernel " + kernelLabel(kernel.id), "evaluated", "no verdict", "its verdict was left out");
        }
    }
}

} // namespace

Result<RecordedEvidence> recordedEvidence(const BundleFiles& files) {
    RecordedEvidence recorded;
    const auto problem = files.find("problem/problem.toml");
    if (problem == files.end()) {
        return usageError("holds no problem pack", "problem/problem.toml");
    }
    GKS_TRY(readManifest(problem->first, problem->second, recorded.evidence.pack));
    for (const auto& [path, content] : files) {
        if (!path.starts_with("verdicts/") || !path.ends_with("/verdict.json")) {
            continue;
        }
        if (recorded.evidence.items.size() >= verdictsLimit) {
            return usageError(fmt::format("holds more than {} verdicts", verdictsLimit), "verdicts");
        }
        auto item = readItem(files, path, content);
        if (item) {
            readPlans(files, *item, recorded.problems);
            recorded.evidence.items.push_back(std::move(*item));
        } else {
            ClaimWriter(recorded.problems, path).differ("verdict", "a verdict", "unreadable", item.error().message());
        }
    }
    std::sort(recorded.evidence.items.begin(), recorded.evidence.items.end(),
              [](const EvidenceItem& a, const EvidenceItem& b) { return a.evaluation.id < b.evaluation.id; });
    if (const auto campaign = files.find("campaign.json"); campaign != files.end()) {
        auto population = std::make_shared<Population>();
        if (const auto read = readCampaign(campaign->second, recorded.evidence, *population); !read) {
            ClaimWriter(recorded.problems, campaign->first)
                .differ("campaign", "a campaign", "unreadable", read.error().message());
        } else {
            summarize(recorded.evidence, *population);
            checkCampaign(recorded, *population);
            recorded.evidence.population = std::move(population);
        }
    }
    chooseSubject(recorded.evidence);
    return recorded;
}

BundleFiles pagesOf(const Evidence& evidence, const std::string& root) {
    return {{"report.html", htmlReport(evidence, root)}, {"report.md", markdownReport(evidence, root)}};
}

} // namespace gks
