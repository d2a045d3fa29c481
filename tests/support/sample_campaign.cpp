// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_campaign.h"

#include "core/campaign/summary.h"
#include "core/rating/shape_scales.h"
#include "tests/support/sample_lessons.h"
#include "tests/support/sample_queries.h"

#include <algorithm>

namespace gks {

namespace {

constexpr Timestamp firstDay = 1'767'225'600'000; // 2026-01-01 00:00 UTC

struct Row {
    KernelId parent; // 0: none
    KernelId reference;
    Author author;
    const char* title;
    std::optional<VerdictKind> verdict;
    double geomeanUs;
    double ratio; // against the parent, 0: not compared
    const char* reason;
};

const Row rows[] = {
    {0, 0, Author::seed, "naive, one thread per output", VerdictKind::correct, 1824.0, 0, ""},
    {0, 0, Author::seed, "LDS tiles 32 x 32", VerdictKind::faster, 588.0, 3.10, ""},
    {0, 0, Author::seed, "matrix-core fragments", VerdictKind::faster, 702.0, 2.60, ""},
    {2, 3, Author::model, "tile 64 x 64, 4 x 4 per thread", VerdictKind::faster, 412.0, 1.43, ""},
    {2, 0, Author::model, "fuse the scale into the load", VerdictKind::wrong, 0, 0,
     "m=64 n=128 k=256: 17 of 8192 elements differ, first at 40: expected 1.25, got nan"},
    {4, 0, Author::model, "unroll the inner loop by 16", VerdictKind::slower, 447.0, 0.92, ""},
    {4, 3, Author::model, "double buffering in LDS", VerdictKind::faster, 314.5, 1.31, ""},
    {3, 0, Author::model, "mfma 32x32x16 with packed bf16 store", VerdictKind::buildFailed, 0, 0,
     "kernel.hip:14:5: error: no matching function for call to '__builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8'"},
    {7, 0, Author::tuner, "TILE_K 64", VerdictKind::tie, 313.9, 1.002, ""},
    {7, 0, Author::model, "asynchronous copies past the tile", VerdictKind::crashed, 0, 0,
     "runner: out-of-bounds read of 16 bytes behind tensor a"},
    {7, 0, Author::model, "reuse of earlier outputs", VerdictKind::cheatingSuspected, 0, 0,
     "outputs of timed call 212 were not written by that call"},
    {7, 4, Author::model, "pad LDS rows by 16 bytes", VerdictKind::faster, 271.2, 1.16, ""},
    {12, 0, Author::model, "split K by 4 with a second pass", VerdictKind::timedOut, 0, 0,
     "no result after 120 s on m=128 n=128 k=256"},
    {12, 0, Author::tuner, "TILE_M 128", VerdictKind::infrastructureFailed, 0, 0,
     "the evaluator was lost: killed by signal 9"},
    {12, 7, Author::model, "prefetch of the next scale block", {}, 0, 0, ""},
    {12, 0, Author::tuner, "UNROLL 8", {}, 0, 0, ""},
    {4, 0, Author::person, "swizzled tile order, by hand", VerdictKind::faster, 386.0, 1.07, ""},
    {9, 0, Author::tuner, "TILE_K 128", VerdictKind::slower, 352.0, 0.89, ""},
};

std::string sourceOf(const Row& row, std::size_t index) {
    const bool padded = index >= 11;
    const bool buffered = index >= 6;
    const std::string tile = index >= 3 ? "64" : "32";
    std::string source = "// " + std::string(row.title) +
                         "\n#include \"problem.h\"\n#include <hip/hip_runtime.h>\n\n"
                         "// @tune TILE_M 32 64 128\n#define TILE_M " +
                         tile + "\n// @tune TILE_K 32 64 128\n#define TILE_K 32\n\n";
    source += "__global__ void gemm(Problem p) {\n";
    source +=
        padded ? "    __shared__ float As[2][TILE_M][TILE_K + 4];\n" : "    __shared__ float As[TILE_M][TILE_K];\n";
    source += "    const int row = blockIdx.y * TILE_M + threadIdx.y;\n    const int column = blockIdx.x * TILE_M + "
              "threadIdx.x;\n"
              "    float sum = 0.0f;\n    for (int k0 = 0; k0 < p.k; k0 += TILE_K) {\n";
    source += buffered ? "        const int stage = (k0 / TILE_K) & 1;\n        load_tile(As[stage], p, row, k0);\n"
                       : "        load_tile(As, p, row, k0);\n        __syncthreads();\n";
    source +=
        "        for (int k = 0; k < TILE_K; ++k) {\n            sum += float(p.a[(k0 + k) * p.m + row]) * "
        "float(p.b[(k0 + k) * p.n "
        "+ column]);\n        }\n        __syncthreads();\n    }\n    p.c[row * p.n + column] = bf16_t(sum);\n}\n\n"
        "extern \"C\" hipError_t solve(const Problem& problem, void*, hipStream_t stream) {\n"
        "    const dim3 grid(problem.n / TILE_M, problem.m / TILE_M);\n"
        "    gemm<<<grid, dim3(TILE_M, 4), 0, stream>>>(problem);\n    return hipGetLastError();\n}\n";
    return source;
}

Kernel kernelOf(const Row& row, std::size_t index) {
    Kernel kernel;
    kernel.id = static_cast<KernelId>(index) + 1;
    if (row.parent != 0) {
        kernel.parents = {row.parent};
        kernel.experiment = kernel.id - 3;
    }
    if (row.reference != 0) {
        kernel.reference = row.reference;
    }
    kernel.title = row.title;
    kernel.author = row.author;
    kernel.source = sourceOf(row, index);
    kernel.sourceSha256 = std::string(62, 'a') + std::to_string(10 + index);
    kernel.normalizedSha256 = kernel.sourceSha256;
    kernel.report = row.author == Author::model ? "Used: " + std::string(row.title) + ". Not used: split K." : "";
    kernel.banned = index == 16;
    kernel.createdAt = firstDay + static_cast<Timestamp>(index) * 190'000;
    kernel.verdict = row.verdict;
    kernel.state = row.verdict ? KernelState::evaluated : index == 14 ? KernelState::evaluating : KernelState::waiting;
    kernel.reason = row.reason;
    if (row.geomeanUs > 0) {
        kernel.geomeanUs = row.geomeanUs;
        kernel.geomeanCi95Us = {row.geomeanUs * 0.997, row.geomeanUs * 1.003};
        kernel.shapeMediansUs = {row.geomeanUs * 0.31, row.geomeanUs * 1.12, row.geomeanUs * 2.88};
    }
    if (row.ratio > 0) {
        kernel.versusParent = ComparisonFact{row.ratio, {row.ratio * 0.985, row.ratio * 1.015}, *row.verdict, {}};
    }
    return kernel;
}

Experiment experimentOf(const Kernel& kernel) {
    Experiment experiment;
    experiment.id = *kernel.experiment;
    experiment.round = (experiment.id + 2) / 3;
    experiment.position = experiment.id;
    experiment.parent = kernel.parents.front();
    experiment.reference = kernel.reference;
    experiment.description = kernel.title;
    experiment.rubric =
        "1. The change is in the inner loop.\n2. Bounds are still checked on ragged shapes.\n3. No extra barrier.";
    experiment.predicted = Interval{1.05, 1.15 + static_cast<double>(experiment.id % 4) * 0.1};
    experiment.innovation = static_cast<int>(20 + experiment.id * 7 % 70);
    experiment.pick = experiment.id % 3 == 0   ? "most innovative"
                      : experiment.id % 3 == 1 ? "highest potential"
                                               : "most certain";
    experiment.author = kernel.author;
    experiment.kernel = kernel.id;
    experiment.createdAt = kernel.createdAt - 30'000;
    experiment.state = kernel.state == KernelState::evaluating ? ExperimentState::evaluating
                       : kernel.state == KernelState::waiting  ? ExperimentState::writing
                       : kernel.geomeanUs > 0                  ? ExperimentState::done
                                                               : ExperimentState::failed;
    if (kernel.versusParent) {
        experiment.measuredGain = kernel.versusParent->ratio;
    }
    experiment.failure = kernel.reason;
    if (kernel.author == Author::tuner) {
        experiment.tunables = {{"TILE_K", "64"}};
    }
    return experiment;
}

// Kernel 12 is what it is on the first two shapes and loses on the third, where 7 and 9 are equal.
void addShapes(Population& population, const ProblemPack& problem) {
    const double tilts[] = {1.118, 1.118, 0.8};
    std::vector<ShapeComparison> comparisons;
    for (const PairedComparison& all : population.comparisons) {
        const double* tilt = tilts;
        for (const Shape& shape : problem.shapesOf(ShapeSet::cpu)) {
            PairedComparison one = all;
            const double factor = all.kernel == 12 ? *tilt : 1;
            one.ratio *= factor;
            one.ci95 = {one.ci95.low * factor, one.ci95.high * factor};
            comparisons.push_back({problem.namedShape(shape), one});
            ++tilt;
        }
    }
    population.shapeScales = std::make_shared<const ShapeScales>(*population.baseline, comparisons);
}

// What was thought before the open experiments; the first avenue was taken up by one of them.
void addRound(Population& population) {
    population.rounds = {{.id = 6,
                          .parent = 12,
                          .reference = 4,
                          .rationale = "The fastest line, and still four times above its floor.",
                          .diagnosis = {{"all large shapes", "latency of global loads",
                                         "12 % of the peak bytes/s <b>and</b> one wave per SIMD", 4.1}},
                          .model = "a model"}};
    population.avenues = {{1, 6, "Keep the accumulators in AGPRs."},
                          {2, 6, "Overlap the loads of the next tile with the products."},
                          {3, 6, "Split K between blocks.", true}};
    const auto first = std::ranges::find_if(population.experiments,
                                            [](const Experiment& one) { return one.round == 6 && !one.avenue; });
    population.experiments.edit(static_cast<std::size_t>(first - population.experiments.begin())).avenue = 1;
}

void addOpenExperiments(SharedList<Experiment>& experiments) {
    struct Open {
        const char* description;
        ExperimentState state;
        double low;
        double high;
        int innovation;
        const char* pick;
        bool edited;
    };
    const Open open[] = {
        {"Keep the accumulators in AGPRs and issue two MFMA chains", ExperimentState::approved, 1.09, 1.28, 65,
         "highest potential", false},
        {"Load the scales once per block of 128 along K", ExperimentState::approved, 1.03, 1.1, 25, "most certain",
         true},
        {"Split K by 2 with atomics on the bf16 output", ExperimentState::proposed, 0.95, 1.43, 80, "most innovative",
         false},
        {"Reorder blocks along a Hilbert curve for L2 reuse", ExperimentState::proposed, 1, 1.14, 55, "", false},
        {"Use 128-bit stores for the output tile", ExperimentState::rejected, 1.01, 1.03, 10, "", false},
        {"Let one wave prefetch for the other three", ExperimentState::notPicked, 0.97, 1.09, 45, "", false},
    };
    for (const Open& entry : open) {
        Experiment experiment;
        experiment.id = experiments.back().id + 1;
        experiment.round = 6;
        experiment.position = experiment.id;
        experiment.parent = 12;
        experiment.reference = 4;
        experiment.description = entry.description;
        experiment.rubric =
            "1. Registers stay under 128.\n2. The tail in K is handled.\n3. No bank conflict in the new layout.";
        experiment.predicted = Interval{entry.low, entry.high};
        experiment.innovation = entry.innovation;
        experiment.pick = entry.pick;
        experiment.state = entry.state;
        experiment.editedByPerson = entry.edited;
        experiment.createdAt = firstDay + 3'600'000;
        experiments.push_back(experiment);
    }
}

std::shared_ptr<const ProblemPack> sampleProblem() {
    ProblemPack pack;
    pack.name = "fp8-gemm";
    pack.title = "fp8 block-scaled GEMM";
    pack.dims = {"m", "n", "k"};
    pack.tensors = {{"a", ElementType::fp8E4m3, {"k", "m"}, TensorRole::input, Fill::normal},
                    {"b", ElementType::fp8E4m3, {"k", "n"}, TensorRole::input, Fill::normal},
                    {"a_scale", ElementType::f32, {"k/128", "m"}, TensorRole::input, Fill::uniform},
                    {"c", ElementType::bf16, {"m", "n"}, TensorRole::output, Fill::zeros}};
    pack.tolerance = {2e-2, 1e-3};
    pack.flopsExpression = "2*m*n*k";
    pack.bytesExpression = "m*k + n*k + 2*m*n";
    pack.shapes[ShapeSet::cpu] = {{64, 64, 128}, {128, 128, 256}, {96, 160, 384}};
    pack.shapes[ShapeSet::test] = {{64, 64, 128}, {65, 63, 256}};
    pack.shapes[ShapeSet::benchmark] = {{1024, 1536, 7168}, {6144, 4608, 7168}};
    pack.notes =
        "# fp8 block-scaled GEMM\n\n`C = A^T B` with fp8 inputs and one scale for each block of 128 along K.\n\n"
        "* A and B are stored with K as the slow axis.\n* Accumulate in fp32, store bf16.\n* Shapes are ragged: check "
        "bounds.\n";
    return std::make_shared<const ProblemPack>(std::move(pack));
}

std::vector<EngineEvent> liveEvents() {
    const Timestamp started = now() - 41'000;
    SamplesArrived samples;
    samples.kernel = 15;
    samples.shape = {{"k", 256}, {"m", 128}, {"n", 128}};
    for (int i = 0; i < 160; ++i) {
        samples.us.push_back(268.0 + (i * 7919 % 100) * 0.04 + (i % 37 == 0 ? 9.0 : 0.0));
    }
    std::vector<EngineEvent> events;
    events.push_back(StateChanged{EngineState::running, ""});
    events.push_back(ActivityChanged{"scientist", Activity::writing, {}, 14, -1, "split K by 4", started + 20'000});
    events.push_back(
        ActivityChanged{"cpu:0", Activity::measuring, 15, 12, 0.62, "m=128 n=128 k=256, 412 of 660 samples", started});
    events.push_back(
        NextParentChanged{12, 4, "best on 2 of 3 shapes; 00004 shows the same tile without padding", false});
    events.push_back(samples);
    events.push_back(TextArrived{"compiler", "kernel.hip:31:13: warning: unused variable 'stage'\n", 15, {}});
    events.push_back(TextArrived{"judge", "verified 3 shapes, 8 distributions, 114 688 elements\n", 15, {}});
    events.push_back(TextArrived{
        "writer", "I keep the accumulators in registers and prefetch the scales of the next block while ", {}, 14});
    events.push_back(WarningRaised{
        {ErrorKind::infrastructure, "the evaluator was lost", "cpu:0", "It was started again."}, "measure", 14, {}});
    events.push_back(WarningRaised{
        {ErrorKind::infrastructure, "frequency scaling is on", "cpu:0", "Set the governor to performance."},
        "measure",
        {},
        {}});
    return events;
}

} // namespace

SampleCampaign makeSampleCampaign() {
    auto population = std::make_shared<Population>();
    population->settings.problem = "fp8-gemm";
    population->settings.scientist = ScientistKind::model;
    population->settings.mode = Mode::approveExperiments;
    population->settings.budgets = {40, 120, 5.0, 0, 0};
    population->settings.models["default"].model = "example-model";
    population->problemTitle = "fp8 block-scaled GEMM";
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        population->kernels.push_back(kernelOf(rows[i], i));
        if (population->kernels.back().experiment) {
            population->experiments.push_back(experimentOf(population->kernels.back()));
        }
    }
    addOpenExperiments(population->experiments);
    addRound(*population);
    population->findings = sampleFindings(firstDay);
    population->documents = sampleDocuments(firstDay);
    population->kernels.edit(11).rubric = sampleRubric();
    population->kernels.edit(6).rubric = sampleRubric();
    population->experiments.edit(8).tunedGain = 1.27; // of kernel 12
    population->spend = {15, 48'200, 0.34, 0, 212.0, 751.0};
    for (const Kernel& kernel : population->kernels) {
        if (kernel.versusParent) {
            population->comparisons.push_back({kernel.id, kernel.id,
                                               kernel.parents.empty() ? 1 : kernel.parents.front(),
                                               kernel.versusParent->ratio, kernel.versusParent->ci95});
        }
    }
    derive(*population);
    SampleCampaign sample;
    sample.problem = sampleProblem();
    addShapes(*population, *sample.problem);
    sample.queries = std::make_shared<SampleQueries>(population, sample.problem);
    sample.population = population;
    sample.live = liveEvents();
    return sample;
}

PopulationPtr truncatedPopulation(const Population& population, std::size_t kernels) {
    auto part = std::make_shared<Population>(population);
    part->kernels.resize(std::min(kernels, part->kernels.size()));
    part->shapeScales.reset(); // they know of the kernels to come
    return part;
}

std::unique_ptr<EngineBridge> makeSampleBridge(bool running) {
    const SampleCampaign sample = makeSampleCampaign();
    auto bridge = std::make_unique<EngineBridge>(sample.population, sample.problem);
    bridge->setQueries(sample.queries);
    if (running) {
        for (const EngineEvent& event : sample.live) {
            bridge->post(event);
        }
        bridge->flush();
    }
    return bridge;
}

} // namespace gks
