// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/evidence_samples.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/campaign/compression.h"
#include "core/campaign/database.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/evaluator/statistics/looks.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/problem/problem.h"
#include "core/report/bundle.h"
#include "core/report/recorded_evidence.h"
#include "tests/support/sample_plans.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>

namespace gks::test {
namespace {

template<class T>
T must(Result<T> result) {
    if (!result) {
        fmt::print(stderr, "{}\n", result.error().message());
        std::abort();
    }
    return std::move(*result);
}
void must(const Result<void>& result) {
    if (!result) {
        fmt::print(stderr, "{}\n", result.error().message());
        std::abort();
    }
}

Evaluation evaluationOf(KernelId kernel, Verdict verdict, std::optional<KernelId> baseline = {},
                        std::string_view purpose = "new kernel") {
    Evaluation evaluation;
    evaluation.kernel = kernel;
    evaluation.baseline = baseline;
    evaluation.purpose = purpose;
    evaluation.lane = "cpu:0";
    evaluation.startedAt = 1000 * kernel;
    evaluation.endedAt = 1000 * kernel + 900;
    evaluation.verdict = std::move(verdict);
    return evaluation;
}

// Every check that the judge would make, passed.
void addChecks(const ProblemPack& pack, const EvaluationPlan& plan, const std::string& seed, int calls,
               Verdict& verdict) {
    for (const DueCheck& due : dueChecks(plan)) {
        verdict.verification.push_back({pack.namedShape(due.layout->shape),
                                        std::string(due.phase),
                                        std::string(name(due.distribution.value_or(Distribution::wideRange))),
                                        due.phase == phase::timedCall ? "" : seed,
                                        true,
                                        1024,
                                        1e-7,
                                        1e-7,
                                        {},
                                        due.phase == phase::everyTimedCall ? calls : 1});
    }
}

void addPlans(const ProblemPack& pack, const EvaluationPlan& plan, Verdict& verdict) {
    std::vector<Shape> timed;
    std::vector<Shape> verified;
    for (const CaseLayout& layout : plan.measured) {
        timed.push_back(layout.shape);
    }
    for (const auto* cases : {&plan.cases, &plan.reversed}) {
        for (const VerificationCase& one : *cases) {
            verified.push_back(one.layout.shape);
        }
    }
    RecordedPlans plans;
    plans.kernel = samplePlans(pack, timed, verified, PlanStyle::cleared);
    if (verdict.comparison) {
        plans.baseline = samplePlans(pack, timed, {});
    }
    verdict.plans = std::make_shared<const RecordedPlans>(std::move(plans));
}

} // namespace

void concludeAgain(Verdict& verdict) {
    const Band band = bandOf(must(targetFromName(verdict.target)), verdict.rules);
    const double errorShare = verdict.comparison ? verdict.comparison->errorShare : 1;
    PairedRounds all;
    std::vector<std::vector<double>> samples;
    for (MeasurementFact& fact : verdict.measurements) {
        const MedianEstimate middle = estimateMedian(fact.sampleUs);
        fact.samples = static_cast<int>(fact.sampleUs.size());
        fact.medianUs = middle.median;
        fact.ci95Us = middle.ci95;
        samples.push_back(fact.sampleUs);
        if (!verdict.comparison) {
            continue;
        }
        PairedRounds own;
        auto candidate = fact.sampleUs.begin();
        auto baseline = fact.baselineSampleUs.begin();
        for (std::size_t round = 0; round < fact.roundBlocks.size(); ++round) {
            const auto count = 2 * fact.roundBlocks[round];
            const PairedSamples pair = {{candidate, candidate + count}, {baseline, baseline + count}};
            candidate += count;
            baseline += count;
            own.push_back({pair});
            all.resize(std::max(all.size(), round + 1));
            all[round].push_back(pair);
        }
        fact.baselineMedianUs = median(fact.baselineSampleUs);
        const RatioEstimate ratio = estimateRatio(own, band, errorShare);
        fact.ratio = ratio.ratio;
        fact.ratioCi95 = ratio.ci95;
    }
    const MedianEstimate mean = estimateGeometricMean(samples);
    verdict.geomeanUs = mean.median;
    verdict.geomeanCi95Us = mean.ci95;
    EvaluationRequest request;
    std::optional<RatioEstimate> ratio;
    std::string baselineSha256;
    if (verdict.comparison) {
        request.baseline = "";
        request.tieMarginPercent = verdict.comparison->tieMarginPercent;
        baselineSha256 = verdict.comparison->baselineSha256;
        ratio = estimateRatio(all, band, errorShare);
    }
    conclude(verdict, request, ratio, errorShare);
    if (verdict.comparison) {
        verdict.comparison->baselineSha256 = baselineSha256;
    }
}

Verdict honestVerdict(const std::string& source, double us, const std::string* baseline, double ratio,
                      TargetKind target) {
    constexpr int rounds = 5;
    constexpr int blocks = 4;
    std::mt19937_64 random(static_cast<std::uint64_t>(us * 1000));
    const auto noisy = [&](double value) { return value * (1 + 0.001 * static_cast<double>(random() % 10)); };
    Verdict verdict;
    verdict.target = name(target);
    verdict.device = target == TargetKind::cpu ? "some processor" : "some card";
    verdict.problem = "sum-reduction";
    verdict.kernelSha256 = sha256Hex(source);
    verdict.conditions = {"quick", 1, 60, {}};
    verdict.environment = {{"cpu", "some processor"}, {"load", "0.1 0.1 0.1"}};
    verdict.sandbox = "bubblewrap";
    verdict.build.toolchain = "clang 19";
    verdict.build.key = "of clang 19";
    const ProblemPack pack = must(loadProblemPack(verdict.problem));
    verdict.shapeSeed = sha256Hex(source);
    const EvaluationPlan plan =
        must(planEvaluation(pack, target, ShapeChoice::quick, must(shapeSeedFromText(verdict.shapeSeed))));
    addChecks(pack, plan, sha256Hex(source), 2 * rounds * blocks, verdict);
    double factor = 0.5;
    for (const CaseLayout& layout : plan.measured) {
        factor *= 1.5;
        MeasurementFact fact;
        fact.shape = pack.namedShape(layout.shape);
        fact.clock = clockName(target, 2);
        for (int call = 0; call < 2 * rounds * blocks; ++call) {
            fact.sampleUs.push_back(noisy(us * factor));
            if (baseline != nullptr) {
                fact.baselineSampleUs.push_back(noisy(us * factor * ratio));
            }
        }
        if (baseline != nullptr) {
            fact.roundBlocks.assign(rounds, blocks);
        }
        verdict.measurements.push_back(std::move(fact));
    }
    if (baseline != nullptr) {
        verdict.comparison.emplace();
        verdict.comparison->baselineSha256 = sha256Hex(*baseline);
        verdict.comparison->errorShare = looksOf(target, verdict.conditions.measureSeconds).back().errorShare;
    }
    addPlans(pack, plan, verdict);
    concludeAgain(verdict);
    return verdict;
}

void makeEvidenceCampaign(const std::filesystem::path& file, const std::string& hostile) {
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.models["default"] = {"openai", "http://127.0.0.1:1/v1", "m", "GKS_TEST_CAMPAIGN_KEY", 0.7, 1000};
    const auto store = must(CampaignStore::create(file, settings));
    const auto seeds = must(store->population());
    const std::string first = seeds->kernels[0].source.orNothing();
    Verdict seed = honestVerdict(first, 100);
    seed.build.log = "in /home/somebody/work/kernel.hip: " + hostile;
    must(store->addEvaluation(evaluationOf(1, seed)));
    const std::string second = seeds->kernels[1].source.orNothing();
    must(store->addEvaluation(evaluationOf(2, honestVerdict(second, 90, &first, 1.1), 1)));
    Experiment experiment;
    experiment.parent = 2;
    experiment.description = hostile;
    experiment.rubric = hostile;
    experiment.state = ExperimentState::approved;
    must(store->addExperiments({experiment}));
    Exchange exchange;
    exchange.stage = "writer";
    exchange.prompt = "prompt " + hostile;
    exchange.reply = "reply " + hostile;
    exchange.experiment = 1;
    exchange.at = 5;
    must(store->addExchange(exchange));
    Kernel kernel;
    kernel.parents = {2};
    kernel.experiment = 1;
    kernel.title = "wide loads " + hostile;
    kernel.author = Author::model;
    const std::string fast = "// " + replaceAll(hostile, "\n", " ") + "\nint fast;\n";
    kernel.source = fast;
    kernel.report = hostile;
    must(store->addKernel(kernel));
    must(store->addEvaluation(evaluationOf(3, honestVerdict(fast, 50, &second, 1.8), 2)));
    Kernel bad = kernel;
    bad.source = fast + "int bad;\n";
    bad.experiment.reset();
    must(store->addKernel(bad));
    Verdict wrong;
    wrong.kind = VerdictKind::wrong;
    wrong.target = "cpu";
    wrong.kernelSha256 = sha256Hex(fast + "int bad;\n");
    wrong.reason = "n=1024, test: " + hostile;
    wrong.verification.push_back({{{"n", 1024}}, "test", "as declared", "00", false, 1024, 1, 1, hostile});
    must(store->addEvaluation(evaluationOf(4, wrong, 1)));
    must(store->addEvaluation(evaluationOf(3, honestVerdict(fast, 51, &first, 2), 1, confirmationPurpose)));
    AnchorFigure anchor;
    anchor.name = "cub";
    anchor.title = "CUB " + hostile;
    anchor.lacks = "reads twice " + hostile;
    anchor.at = 6;
    must(store->addAnchor(anchor, honestVerdict("// a library\n", 80, &first, 1.25)));
    must(store->addSteering({0, Author::person, "set hint", hostile, 0}));
}

void makePlansUnreadable(const std::filesystem::path& file, std::int64_t evaluation) {
    Database database = must(Database::open(file.string(), Database::Access::readWrite));
    const std::string plans = compressed(R"({"version": 9})");
    must(database.run("UPDATE launch_plan SET plans = ? WHERE evaluation = ?", {Blob{plans}, evaluation}));
}

std::string claimLines(const Claims& claims) {
    std::string text;
    for (const Claim& claim : claims) {
        if (claim.outcome > Outcome::noted) {
            text += fmt::format("{}: {}: {} | {} ({}, {})\n", claim.where, claim.what, claim.claimed, claim.found,
                                name(claim.outcome), claim.why);
        }
    }
    return text;
}

BundleFiles readAll(const std::filesystem::path& folder) {
    BundleFiles files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            files[entry.path().lexically_relative(folder).generic_string()] = must(readFile(entry.path()));
        }
    }
    return files;
}

void forgeManifest(const std::filesystem::path& folder) {
    BundleFiles files = readAll(folder);
    Manifest manifest = must(manifestFromText(files.at(manifestName)));
    const std::string before = manifest.root();
    BundleFiles reports;
    for (const char* report : {"report.html", "report.md"}) {
        reports[report] = files.at(report);
        files.erase(report);
    }
    files.erase(manifestName);
    manifest.files = entriesOf(files);
    for (auto& [path, content] : reports) {
        content = replaceAll(content, before, manifest.root());
        must(writeFileAtomically(folder / path, content));
    }
    manifest.reports = entriesOf(reports);
    must(writeFileAtomically(folder / manifestName, manifest.text()));
}

void forgeEverything(const std::filesystem::path& folder) {
    BundleFiles files = readAll(folder);
    Manifest manifest = must(manifestFromText(files.at(manifestName)));
    for (const char* made : {"report.html", "report.md", manifestName}) {
        files.erase(made);
    }
    const RecordedEvidence recorded = must(recordedEvidence(files));
    const EvidenceItem* const subject = recorded.evidence.subjectItem();
    manifest.subject = subject != nullptr ? verdictPath(*subject) : "";
    manifest.files = entriesOf(files);
    const BundleFiles pages = pagesOf(recorded.evidence, manifest.root());
    manifest.reports = entriesOf(pages);
    for (const auto& [path, content] : pages) {
        must(writeFileAtomically(folder / path, content));
    }
    must(writeFileAtomically(folder / manifestName, manifest.text()));
}

void editVerdict(const std::filesystem::path& file, const std::function<void(Verdict&)>& edit) {
    OrderedJson json = OrderedJson::parse(must(readFile(file)));
    Verdict verdict = must(verdictFromJson(Json(json.at("verdict"))));
    edit(verdict);
    json["verdict"] = toJson(verdict, true);
    must(writeFileAtomically(file, json.dump(1) + "\n"));
}

void replaceInFile(const std::filesystem::path& file, const std::string& from, const std::string& to) {
    const std::string before = must(readFile(file));
    const std::string after = replaceAll(before, from, to);
    if (before == after) {
        fmt::print(stderr, "{} does not hold {}\n", file.string(), from);
        std::abort();
    }
    must(writeFileAtomically(file, after));
}

} // namespace gks::test
