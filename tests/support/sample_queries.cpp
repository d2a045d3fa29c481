// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_queries.h"

#include "core/base/text.h"
#include "tests/support/sample_lessons.h"
#include "tests/support/sample_plans.h"

#include <array>
#include <cmath>

namespace gks {

namespace {

constexpr std::array<double, 3> shapeWeights = {0.31, 1.12, 2.88};

MeasurementFact measurementOf(const Kernel& kernel, double medianUs, std::map<std::string, std::int64_t> shape) {
    MeasurementFact fact;
    fact.shape = std::move(shape);
    fact.medianUs = medianUs;
    fact.ci95Us = {medianUs * 0.997, medianUs * 1.003};
    fact.samples = 220;
    fact.floorUs = medianUs * 0.08;
    fact.clock = "host";
    for (int i = 0; i < fact.samples; ++i) {
        const double noise = static_cast<double>((i * 7919 + static_cast<int>(kernel.id) * 131) % 997) / 997.0;
        fact.sampleUs.push_back(medianUs * (0.994 + 0.012 * noise + (i % 41 == 0 ? 0.05 : 0.0)));
    }
    if (kernel.versusParent) {
        fact.ratio = kernel.versusParent->ratio;
        fact.ratioCi95 = kernel.versusParent->ci95;
        fact.baselineMedianUs = medianUs * kernel.versusParent->ratio;
    }
    return fact;
}

StaticReport staticReportOf(const Kernel& kernel) {
    KernelResources resources;
    resources.name = "gemm(Problem)";
    resources.vgprs = 64 + static_cast<int>(kernel.id) * 4 % 64;
    resources.sgprs = 38;
    resources.agprs = kernel.id == 3 ? 32 : 0;
    resources.ldsBytes = kernel.id == 1 ? 0 : 32'768 + (kernel.id >= 12 ? 1'024 : 0);
    resources.maxWorkgroupSize = 256;
    resources.occupancyWavesPerSimd = 5;
    resources.instructions = {{"valu", 412},     {"salu", 96},   {"vmem_load", 24},
                              {"vmem_store", 4}, {"lds", 64},    {"mfma", kernel.id == 3 ? 32 : 0},
                              {"branch", 9},     {"barrier", 2}, {"waitcnt", 31}};
    resources.codeBytes = 3'264;
    return {"gfx942", {resources}, 9'216};
}

} // namespace

Result<std::vector<Evaluation>> SampleQueries::evaluations(KernelId id) const {
    const Kernel* kernel = m_population->kernel(id);
    if (kernel == nullptr || !kernel->verdict) {
        return std::vector<Evaluation>{};
    }
    Evaluation evaluation;
    evaluation.id = id;
    evaluation.kernel = id;
    evaluation.baseline = kernel->parents.empty() ? m_population->baseline : std::optional(kernel->parents.front());
    evaluation.purpose = "new kernel";
    evaluation.lane = "cpu:0";
    evaluation.startedAt = kernel->createdAt;
    evaluation.endedAt = kernel->createdAt + 21'000;
    Verdict& verdict = evaluation.verdict;
    verdict.kind = *kernel->verdict;
    verdict.reason = kernel->reason;
    verdict.target = "cpu";
    verdict.device = "AMD EPYC (2 threads)";
    verdict.problem = m_population->settings.problem;
    verdict.kernelSha256 = kernel->sourceSha256;
    verdict.build = {"clang 19.1.7, HIP headers 5.2.3, hipcpu 1", "5f2c", false,
                     verdict.kind == VerdictKind::buildFailed ? kernel->reason + "\n1 error generated.\n" : ""};
    verdict.geomeanUs = kernel->geomeanUs;
    verdict.geomeanCi95Us = kernel->geomeanCi95Us;
    verdict.comparison = kernel->versusParent;
    verdict.sandbox = "bubblewrap";
    verdict.buildSeconds = 1.9;
    verdict.verifySeconds = 4.2;
    verdict.measureSeconds = 12.6;
    verdict.totalSeconds = 18.7;
    if (verdict.kind != VerdictKind::buildFailed) {
        verdict.staticReport = staticReportOf(*kernel);
        std::size_t at = 0;
        for (const Shape& shape : m_problem->shapesOf(ShapeSet::cpu)) {
            const auto named = m_problem->namedShape(shape);
            const bool passed = verdict.kind != VerdictKind::wrong || at != 0;
            verdict.verification.push_back({named,
                                            "test",
                                            "as declared",
                                            {},
                                            passed,
                                            shape[0] * shape[1],
                                            4.1e-4,
                                            6.0e-3,
                                            passed ? "" : kernel->reason});
            if (kernel->geomeanUs > 0) {
                verdict.measurements.push_back(
                    measurementOf(*kernel, kernel->geomeanUs * shapeWeights[at % shapeWeights.size()], named));
            }
            ++at;
        }
    }
    return std::vector<Evaluation>{evaluation};
}

// Kernels from 00004 on clear the output first, from 00012 on they use two streams.
Result<std::shared_ptr<const RecordedPlans>> SampleQueries::newestPlans(KernelId id) const {
    const Kernel* kernel = m_population->kernel(id);
    if (kernel == nullptr || kernel->geomeanUs <= 0 || id == 1) { // the first as if an earlier version had measured it
        return nullptr;
    }
    const test::PlanStyle style = id >= 12  ? test::PlanStyle::streamed
                                  : id >= 4 ? test::PlanStyle::cleared
                                            : test::PlanStyle::plain;
    return std::make_shared<const RecordedPlans>(
        RecordedPlans{test::samplePlans(*m_problem, m_problem->shapesOf(ShapeSet::cpu), {}, style), std::nullopt});
}

Result<std::vector<Exchange>> SampleQueries::exchanges(std::optional<KernelId> kernel,
                                                       std::optional<ExperimentId> experiment) const {
    std::vector<Exchange> exchanges;
    for (const Exchange& exchange : sampleExchanges(*m_population)) {
        const bool wanted = (!kernel && !experiment) || (kernel && exchange.kernel == kernel) ||
                            (experiment && exchange.experiment == experiment);
        if (wanted) {
            exchanges.push_back(exchange);
        }
    }
    return exchanges;
}

Result<std::vector<EvaluationOwner>> SampleQueries::evaluationOwners() const {
    std::vector<EvaluationOwner> owners;
    for (const Kernel& kernel : m_population->kernels) {
        if (kernel.verdict) {
            owners.push_back({kernel.id, kernel.id}); // one evaluation each, see evaluations()
        }
    }
    return owners;
}

Result<std::string> SampleQueries::source(KernelId kernel) const {
    return m_population->kernel(kernel)->source.read();
}

Result<std::vector<KernelId>> SampleQueries::searchKernels(const std::string& words, int limit) const {
    std::vector<KernelId> found;
    for (const Kernel& kernel : m_population->kernels) {
        const std::string text = lowered(kernelLabel(kernel.id) + " " + kernel.title + " " + kernel.source.orNothing());
        if (text.find(lowered(words)) != std::string::npos && found.size() < static_cast<std::size_t>(limit)) {
            found.push_back(kernel.id);
        }
    }
    return found;
}

Result<std::vector<Passage>> SampleQueries::passages(std::int64_t document) const {
    return samplePassages(document);
}

Result<std::vector<Passage>> SampleQueries::searchPassages(const std::string& words, int limit) const {
    std::vector<Passage> found;
    for (const Document& document : m_population->documents) {
        for (const Passage& passage : samplePassages(document.id)) {
            bool matches = false;
            for (const std::string& word : split(words, ' ')) {
                matches = matches || (!word.empty() && lowered(passage.text).find(lowered(word)) != std::string::npos);
            }
            if (matches && document.enabled && found.size() < static_cast<std::size_t>(limit)) {
                found.push_back(passage);
            }
        }
    }
    return found;
}

} // namespace gks
