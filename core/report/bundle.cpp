// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/bundle.h"
#include "core/base/regular_file.h"
#include "core/campaign/anchors.h"
#include "core/campaign/spend_json.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/whole_folder.h"
#include "core/report/plan_evidence.h"
#include "core/report/recorded_evidence.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

namespace fs = std::filesystem;

OrderedJson idOrNull(const std::optional<KernelId>& id) {
    return id ? OrderedJson(kernelLabel(*id)) : OrderedJson();
}

OrderedJson idsJson(const std::vector<KernelId>& ids) {
    OrderedJson json = OrderedJson::array();
    for (const KernelId id : ids) {
        json.push_back(kernelLabel(id));
    }
    return json;
}

OrderedJson toJson(const EvidenceItem& item) {
    const Evaluation& evaluation = item.evaluation;
    OrderedJson json = {
        {"kernel", kernelLabel(evaluation.kernel)},
        {"title", item.title},
        {"evaluation", evaluation.id},
        {"purpose", evaluation.purpose},
        {"lane", evaluation.lane},
        {"started_at_ms", evaluation.startedAt},
        {"ended_at_ms", evaluation.endedAt},
        {"source", sourcePath(sha256Hex(item.source))},
        {"baseline_kernel", idOrNull(evaluation.baseline)},
        {"baseline", item.baselineSource ? OrderedJson(sourcePath(sha256Hex(*item.baselineSource))) : OrderedJson()}};
    Verdict verdict = evaluation.verdict;
    verdict.build.log.clear(); // a file of its own
    json["verdict"] = toJson(verdict, true);
    return json;
}

OrderedJson toJson(const Exchange& exchange) {
    return {{"id", exchange.id},
            {"stage", exchange.stage},
            {"provider", exchange.provider},
            {"model", exchange.model},
            {"experiment", exchange.experiment ? OrderedJson(*exchange.experiment) : OrderedJson()},
            {"kernel", idOrNull(exchange.kernel)},
            {"at_ms", exchange.at},
            {"tokens_in", exchange.tokensIn},
            {"tokens_out", exchange.tokensOut},
            {"usd", exchange.usd ? OrderedJson(*exchange.usd) : OrderedJson()},
            {"error", exchange.error},
            {"prompt", exchange.prompt},
            {"reply", exchange.reply}};
}

OrderedJson toJson(const std::vector<Steering>& steering) {
    OrderedJson json = OrderedJson::array();
    for (const Steering& one : steering) {
        json.push_back({{"id", one.id},
                        {"who", name(one.who)},
                        {"action", one.action},
                        {"detail", one.detail},
                        {"at_ms", one.at}});
    }
    return json;
}

OrderedJson toJson(const Kernel& kernel) {
    return {{"id", kernelLabel(kernel.id)},
            {"parents", idsJson(kernel.parents)},
            {"reference", idOrNull(kernel.reference)},
            {"experiment", kernel.experiment ? OrderedJson(*kernel.experiment) : OrderedJson()},
            {"title", kernel.title},
            {"author", name(kernel.author)},
            {"report", kernel.report.orNothing()},
            {"sha256", kernel.sourceSha256},
            {"state", name(kernel.state)},
            {"created_at_ms", kernel.createdAt}};
}

OrderedJson toJson(const Experiment& experiment) {
    return {{"id", experiment.id},
            {"round", experiment.round},
            {"parent", kernelLabel(experiment.parent)},
            {"reference", idOrNull(experiment.reference)},
            {"kind", name(experiment.kind)},
            {"limit", experiment.limit},
            {"shapes", experiment.shapes},
            {"disproof", experiment.disproof},
            {"description", experiment.description},
            {"rubric", experiment.rubric},
            {"predicted_gain", experiment.predicted
                                   ? OrderedJson({experiment.predicted->low, experiment.predicted->high})
                                   : OrderedJson()},
            {"innovation", experiment.innovation},
            {"state", name(experiment.state)},
            {"author", name(experiment.author)},
            {"edited_by_person", experiment.editedByPerson},
            {"kernel", idOrNull(experiment.kernel)},
            {"failure", experiment.failure}};
}

// Figures of libraries are told, not proved: their verdicts are not in the bundle.
OrderedJson toJson(const AnchorFigure& anchor) {
    return {{"name", anchor.name},
            {"title", anchor.title},
            {"lacks", anchor.lacks},
            {"reason", anchor.reason},
            {"lane", anchor.lane},
            {"device", anchor.device},
            {"geomean_us", anchor.geomeanUs},
            {"ci95_us", {anchor.geomeanCi95Us.low, anchor.geomeanCi95Us.high}},
            {"speedup", anchor.speedup},
            {"speedup_ci95", {anchor.speedupCi95.low, anchor.speedupCi95.high}},
            {"at_ms", anchor.at}};
}

// Without times and verdicts of the kernels, best and baseline: those follow from the verdicts.
OrderedJson campaignJson(const Evidence& evidence) {
    const Population& population = *evidence.population;
    OrderedJson json = {{"problem", evidence.pack.name},
                        {"title", population.problemTitle},
                        {"target", name(population.settings.target)},
                        {"only_kernel", idOrNull(evidence.only)},
                        {"spend", toJson(population.spend)}};
    json["kernels"] = OrderedJson::array();
    for (const Kernel& kernel : population.kernels) {
        json["kernels"].push_back(toJson(kernel));
    }
    json["experiments"] = OrderedJson::array();
    for (const Experiment& experiment : population.experiments) {
        json["experiments"].push_back(toJson(experiment));
    }
    json["anchors"] = OrderedJson::array();
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        json["anchors"].push_back(toJson(*anchor));
    }
    json["findings"] = OrderedJson::array();
    for (const Finding& finding : population.findings) {
        json["findings"].push_back({{"text", finding.text}, {"evaluations", finding.evaluations}});
    }
    return json;
}

// The pack as it stands in its folder, byte by byte.
Result<void> addPack(const ProblemPack& pack, BundleFiles& files) {
    for (const char* name : {"problem.toml", "reference.cpp", "notes.md"}) {
        GKS_TRY_ASSIGN(files[std::string("problem/") + name], readFile(pack.folder / name));
    }
    for (const SeedKernel& seed : pack.seeds) {
        const std::string path = "problem/seeds/" + seed.path.filename().string();
        if (!isBundlePath(path)) {
            return usageError("unsupported characters in a seed's file name", seed.path.string(),
                              "Use letters, digits, '.', '_' and '-'");
        }
        files[path] = seed.source;
    }
    for (const AnchorSpec& anchor : pack.anchors) {
        GKS_TRY_ASSIGN(files["problem/" + anchor.source], readFile(anchor.path));
    }
    files["problem/problem.h"] = generateProblemHeader(pack);
    return {};
}

// Their bytes are what was judged: nothing may be cut out of them.
Result<void> refuseSecrets(const BundleFiles& files, const Redaction& redaction) {
    for (const auto& [path, content] : files) {
        if (redaction.holdsSecret(content)) {
            return usageError("contains an API key from the environment", path,
                              "Nothing was written. Unset the variable if the text is not a key");
        }
    }
    return {};
}

} // namespace

Result<void> checkBundleFolder(const fs::path& folder) {
    if (folder.empty()) {
        return usageError("no folder is named", {}, "Name a new or empty folder");
    }
    std::error_code code;
    const std::string kind = specialFile(folder);
    if (!kind.empty() && !fs::is_directory(folder, code)) {
        return usageError(fmt::format("is {}, not a folder", kind), folder.string(), "Choose a new or empty folder");
    }
    if (fs::exists(folder, code) && !(fs::is_directory(folder, code) && fs::is_empty(folder, code))) {
        return usageError("folder not empty", folder.string(), "Choose a new or empty folder");
    }
    return {};
}

std::string verdictPath(const EvidenceItem& item) {
    return fmt::format("verdicts/{}/verdict.json", item.name());
}

std::string sourcePath(const std::string& sha256) {
    return fmt::format("sources/{}.hip", sha256);
}

Result<BundleFiles> evidenceFiles(const Evidence& evidence, const Redaction& redaction) {
    BundleFiles files;
    GKS_TRY(addPack(evidence.pack, files));
    for (const EvidenceItem& item : evidence.items) {
        files[sourcePath(sha256Hex(item.source))] = item.source;
        if (item.baselineSource) {
            files[sourcePath(sha256Hex(*item.baselineSource))] = *item.baselineSource;
        }
        addPlans(item, files);
    }
    GKS_TRY(refuseSecrets(files, redaction));
    for (const EvidenceItem& item : evidence.items) {
        files[verdictPath(item)] = dumped(redaction.json(toJson(item)));
        files[fmt::format("verdicts/{}/build.log", item.name())] = redaction.text(item.evaluation.verdict.build.log);
    }
    for (const Exchange& exchange : evidence.exchanges) {
        files[fmt::format("exchanges/{:05}.json", exchange.id)] = dumped(redaction.json(toJson(exchange)));
    }
    if (evidence.population) {
        files["campaign.json"] = dumped(redaction.json(campaignJson(evidence)));
        files["steering.json"] = dumped(redaction.json(toJson(evidence.steering)));
    }
    return files;
}

namespace {

Redaction redactionFor(const Evidence& evidence) {
    std::vector<std::string> keyVariables;
    if (evidence.population) {
        for (const auto& [stage, model] : evidence.population->settings.models) {
            keyVariables.push_back(model.keyVariable);
        }
    }
    return Redaction::forThisMachine(keyVariables);
}

struct WholeBundle {
    BundleFiles files;
    RecordedEvidence recorded;
    Manifest manifest; // of the files; reports are not listed yet
};

Result<WholeBundle> wholeBundle(const Evidence& evidence) {
    if (evidence.pack.harness) {
        return usageError(
            fmt::format("what is {} has no evidence: there is nothing that could be verified", judgedByHarness()),
            evidence.pack.name);
    }
    const Redaction redaction = redactionFor(evidence);
    WholeBundle bundle;
    GKS_TRY_ASSIGN(bundle.files, evidenceFiles(evidence, redaction));
    // Pages say what the files say, and no more.
    GKS_TRY_ASSIGN(bundle.recorded, recordedEvidence(bundle.files));
    const EvidenceItem* const subject = bundle.recorded.evidence.subjectItem();
    bundle.manifest.program = programVersion();
    bundle.manifest.problem = evidence.pack.name;
    bundle.manifest.target = bundle.recorded.evidence.targets();
    bundle.manifest.subject = subject != nullptr ? verdictPath(*subject) : "";
    bundle.manifest.files = entriesOf(bundle.files);
    return bundle;
}

} // namespace

Result<void> holdsNoSecret(const Evidence& evidence, const std::string& where) {
    const Redaction redaction = redactionFor(evidence);
    for (const EvidenceItem& item : evidence.items) {
        GKS_TRY(refuseSecrets({{where, item.source}}, redaction));
    }
    return {};
}

Result<std::string> bundleRoot(const Evidence& evidence) {
    GKS_TRY_ASSIGN(const WholeBundle bundle, wholeBundle(evidence));
    return bundle.manifest.root();
}

Result<WrittenBundle> writeBundle(const Evidence& evidence, const fs::path& folder) {
    GKS_TRY(checkBundleFolder(folder));
    if (evidence.pack.harness) { // pages alone
        BundleFiles pages = pagesOf(evidence, {});
        const Redaction redaction = redactionFor(evidence);
        for (auto& [path, content] : pages) {
            content = redaction.text(content);
        }
        GKS_TRY(writeFolderAtomically(folder, pages));
        return WrittenBundle{folder, {}, evidence.items.size()};
    }
    GKS_TRY_ASSIGN(WholeBundle bundle, wholeBundle(evidence));
    const std::string root = bundle.manifest.root();
    const BundleFiles reports = pagesOf(bundle.recorded.evidence, root);
    bundle.manifest.reports = entriesOf(reports);
    bundle.files.insert(reports.begin(), reports.end());
    bundle.files[manifestName] = bundle.manifest.text();
    GKS_TRY(writeFolderAtomically(folder, bundle.files));
    return WrittenBundle{folder, root, evidence.items.size()};
}

} // namespace gks
