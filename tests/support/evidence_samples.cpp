// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/evidence_samples.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/statistics.h"
#include "core/problem/problem.h"

#include <cstdlib>
#include <fmt/format.h>
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

} // namespace

Verdict honestVerdict(const std::string& source, double us, const std::string* baseline, double ratio) {
    constexpr int rounds = 5;
    constexpr int blocks = 4;
    std::mt19937_64 random(static_cast<std::uint64_t>(us * 1000));
    const auto noisy = [&](double value) { return value * (1 + 0.001 * static_cast<double>(random() % 10)); };
    Verdict verdict;
    verdict.target = "cpu";
    verdict.device = "some processor";
    verdict.problem = "sum-reduction";
    verdict.kernelSha256 = sha256Hex(source);
    verdict.conditions = {"quick", 1, 60};
    verdict.environment = {{"cpu", "some processor"}, {"load", "0.1 0.1 0.1"}};
    verdict.sandbox = "bubblewrap";
    verdict.build.toolchain = "clang 19";
    verdict.verification.push_back(
        {{{"n", 1024}}, "test", "as declared", sha256Hex(source), true, 1024, 1e-7, 1e-7, {}});
    PairedRounds all(rounds);
    std::vector<std::vector<double>> samples;
    for (const double factor : {0.8, 1.25}) {
        MeasurementFact fact;
        fact.shape = {{"n", static_cast<std::int64_t>(factor * 1000)}};
        fact.clock = "host";
        PairedRounds own;
        for (int round = 0; round < rounds; ++round) {
            PairedSamples ofRound;
            for (int block = 0; block < blocks; ++block) {
                const std::array candidate = {noisy(us * factor), noisy(us * factor)};
                fact.sampleUs.insert(fact.sampleUs.end(), candidate.begin(), candidate.end());
                if (baseline != nullptr) {
                    const std::array other = {noisy(us * factor * ratio), noisy(us * factor * ratio)};
                    fact.baselineSampleUs.insert(fact.baselineSampleUs.end(), other.begin(), other.end());
                    ofRound.candidateUs.insert(ofRound.candidateUs.end(), candidate.begin(), candidate.end());
                    ofRound.baselineUs.insert(ofRound.baselineUs.end(), other.begin(), other.end());
                }
            }
            own.push_back({ofRound});
            all[static_cast<std::size_t>(round)].push_back(ofRound);
        }
        const MedianEstimate estimate = estimateMedian(fact.sampleUs);
        fact.samples = static_cast<int>(fact.sampleUs.size());
        fact.medianUs = estimate.median;
        fact.ci95Us = estimate.ci95;
        if (baseline != nullptr) {
            const RatioEstimate paired = estimateRatio(own, sharedCoresBand);
            fact.baselineMedianUs = median(fact.baselineSampleUs);
            fact.roundBlocks.assign(rounds, blocks);
            fact.ratio = paired.ratio;
            fact.ratioCi95 = paired.ci95;
        }
        samples.push_back(fact.sampleUs);
        verdict.measurements.push_back(std::move(fact));
    }
    const MedianEstimate mean = estimateGeometricMean(samples);
    verdict.geomeanUs = mean.median;
    verdict.geomeanCi95Us = mean.ci95;
    verdict.kind = VerdictKind::correct;
    if (baseline != nullptr) {
        const RatioEstimate paired = estimateRatio(all, sharedCoresBand);
        verdict.kind = decide(paired, 0.5);
        verdict.comparison =
            ComparisonFact{paired.ratio, paired.ci95, verdict.kind, sha256Hex(*baseline), 0.5, paired.ci99};
    }
    verdict.reason = std::string(name(verdict.kind));
    return verdict;
}

void makeEvidenceCampaign(const std::filesystem::path& file, const std::string& hostile) {
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.models["default"] = {"openai", "http://127.0.0.1:1/v1", "m", "GKS_TEST_CAMPAIGN_KEY", 0.7, 100};
    const auto store = must(CampaignStore::create(file, settings));
    const auto seeds = must(store->population());
    const std::string first = seeds->kernels.at(0).source;
    Verdict seed = honestVerdict(first, 100);
    seed.build.log = "in /home/somebody/work/kernel.hip: " + hostile;
    must(store->addEvaluation(evaluationOf(1, seed)));
    const std::string second = seeds->kernels.at(1).source;
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
    kernel.source = "// " + replaceAll(hostile, "\n", " ") + "\nint fast;\n";
    kernel.report = hostile;
    must(store->addKernel(kernel));
    must(store->addEvaluation(evaluationOf(3, honestVerdict(kernel.source, 50, &second, 1.8), 2)));
    Kernel bad = kernel;
    bad.source += "int bad;\n";
    bad.experiment.reset();
    must(store->addKernel(bad));
    Verdict wrong;
    wrong.kind = VerdictKind::wrong;
    wrong.target = "cpu";
    wrong.kernelSha256 = sha256Hex(bad.source);
    wrong.reason = "n=1024, test: " + hostile;
    wrong.verification.push_back({{{"n", 1024}}, "test", "as declared", "00", false, 1024, 1, 1, hostile});
    must(store->addEvaluation(evaluationOf(4, wrong, 1)));
    must(store->addEvaluation(evaluationOf(3, honestVerdict(kernel.source, 51, &first, 2), 1, confirmationPurpose)));
    must(store->addSteering({0, Author::person, "set hint", hostile, 0}));
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
