// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/large_campaign.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace gks {
namespace {

// A kernel of a family of tiled loops; of two relatives a few lines differ.
std::string sourceOf(std::int64_t number) {
    std::string text = "#include \"problem.h\"\n\n";
    std::mt19937_64 family(static_cast<std::uint64_t>(number / 16));
    std::mt19937_64 own(static_cast<std::uint64_t>(number));
    const auto line = [&](std::mt19937_64& random, std::size_t i) {
        return fmt::format("    const float v{} = a[(blockIdx.x * {} + threadIdx.x) * {}] * {}.{}f; // unroll{}\n", i,
                           1 + random() % 64, 1 + random() % 512, random() % 10, random() % 1000,
                           1000 + random() % 100'000);
    };
    text += fmt::format("__global__ void kernel{}(const float* a, float* c, int n) {{\n", number);
    for (std::size_t i = 0; i < 50; ++i) {
        text += line(i % 10 == 0 ? own : family, i);
    }
    text += number % 1000 == 77 ? "    // unroll7\n}\n" : "    c[threadIdx.x] = v0;\n}\n";
    return text;
}

struct Templates {
    Verdict verdict;
    Exchange exchange;
};

Result<Templates> readTemplates() {
    const auto sample = std::filesystem::path(GKS_SOURCE_DIR) / "resources/samples/fp8-gemm-cpu.gks";
    GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("sample"));
    const auto copy = folder.path() / "sample.gks"; // the shipped one stays as it is
    std::filesystem::copy_file(sample, copy);
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(copy, CampaignStore::Access::read));
    GKS_TRY_ASSIGN(const PopulationPtr population, store->population());
    GKS_TRY_ASSIGN(const auto evaluations, store->evaluations(*population->best));
    GKS_TRY_ASSIGN(const auto exchanges, store->exchanges());
    Templates templates;
    for (const Evaluation& evaluation : evaluations) {
        if (evaluation.verdict.comparison) {
            templates.verdict = evaluation.verdict;
        }
    }
    for (const Exchange& exchange : exchanges) {
        if (exchange.stage == "writer") {
            templates.exchange = exchange;
        }
    }
    templates.verdict.kernelSha256.clear(); // the store binds it to the kernel that it is added to
    templates.exchange.kernel.reset();
    templates.exchange.experiment.reset();
    return templates;
}

const Templates& templates() {
    static const Templates read = readTemplates().value();
    return read;
}

Verdict verdictOf(std::int64_t number) {
    Verdict verdict = templates().verdict;
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    const double ratio = 0.8 + static_cast<double>(random() % 1000) / 1000;
    verdict.kind = number % 7 == 0 ? VerdictKind::wrong : ratio > 1.01 ? VerdictKind::faster : VerdictKind::slower;
    verdict.geomeanUs = 100 / ratio;
    verdict.geomeanCi95Us = {verdict.geomeanUs * 0.99, verdict.geomeanUs * 1.01};
    verdict.comparison = ComparisonFact{ratio, {ratio * 0.98, ratio * 1.02}, verdict.kind, "feed"};
    const auto vary = [&](double& value) { value *= 1 + static_cast<double>(random() % 1000) * 1e-5; };
    for (MeasurementFact& fact : verdict.measurements) {
        std::ranges::for_each(fact.sampleUs, vary);
        vary(fact.medianUs);
        vary(fact.ci95Us.low);
        vary(fact.ci95Us.high);
        vary(fact.baselineMedianUs);
    }
    // What no two verdicts have in common, so that a file of them is not smaller than one of real ones.
    for (VerificationFact& fact : verdict.verification) {
        vary(fact.maxAbsoluteError);
        vary(fact.maxRelativeError);
        fact.seed.clear();
        for (int i = 0; i < 4; ++i) {
            fact.seed += fmt::format("{:016x}", random());
        }
    }
    for (TranscriptLine& line : verdict.transcript) {
        vary(line.seconds);
        line.seconds = std::round(line.seconds * 1e9) / 1e9;
    }
    return verdict;
}

} // namespace

void appendKernel(CampaignStore& store, std::int64_t number) {
    const KernelId parent = number < 40 ? 1 : 1 + (number * 7919) % (number - 20);
    Experiment experiment;
    experiment.round = number / 5;
    experiment.parent = parent;
    experiment.description =
        fmt::format("Unroll the loop over K by {} and keep the tile of B in registers", number % 16);
    experiment.rubric = "The inner loop has no branch; loads of the next tile stand before the products of this one.";
    experiment.predicted = Interval{1.05, 1.4};
    experiment.innovation = 50;
    experiment.state = ExperimentState::approved;
    const auto experiments = store.addExperiments({experiment}).value();
    Kernel kernel;
    kernel.parents = {parent};
    kernel.experiment = experiments.front();
    kernel.title = fmt::format("unroll by {}", number % 16);
    kernel.author = Author::model;
    kernel.source = sourceOf(number);
    kernel.report = "The loop is unrolled; the tile of B stays in registers.";
    Exchange exchange = templates().exchange;
    exchange.experiment = experiments.front();
    exchange.prompt += "\n" + sourceOf(parent); // a writer sees its parent, and answers with the whole kernel
    exchange.reply = "The loop is unrolled; the tile of B stays in registers.\n" + sourceOf(number);
    const KernelId id = store.addKernel(std::move(kernel)).value();
    exchange.kernel = id;
    static_cast<void>(store.addExchange(exchange).value());
    Evaluation evaluation;
    evaluation.kernel = id;
    evaluation.baseline = parent;
    evaluation.purpose = "new kernel";
    evaluation.lane = "cpu:0";
    evaluation.startedAt = 1000;
    evaluation.endedAt = 4000;
    evaluation.verdict = verdictOf(number);
    static_cast<void>(store.addEvaluation(evaluation).value());
}

Result<void> makeLargeCampaign(const std::filesystem::path& file, std::int64_t kernels) {
    CampaignSettings settings;
    settings.problem = "fp8-gemm";
    GKS_TRY_ASSIGN(const ProblemPack pack, loadProblemPack("fp8-gemm"));
    GKS_TRY_ASSIGN(const auto store, CampaignStore::create(file, settings, pack));
    for (auto number = static_cast<std::int64_t>(pack.seeds.size()); number < kernels; ++number) {
        appendKernel(*store, number);
    }
    return {};
}

} // namespace gks
