// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/campaign_samples.h"

#include <fmt/format.h>
#include <random>

namespace gks::test {

ProblemPack samplePack() {
    ProblemPack pack;
    pack.name = "sample";
    pack.title = "Sample";
    pack.dims = {"n"};
    pack.seeds = {{"naive", "naive", "int naive;", {}}, {"tiled", "tiled", "int tiled;", {}}};
    return pack;
}

Kernel sampleKernel(KernelId parent, std::string source) {
    Kernel kernel;
    kernel.parents = {parent};
    kernel.title = "sample";
    kernel.author = Author::tuner;
    kernel.source = std::move(source);
    return kernel;
}

Experiment sampleExperiment(KernelId parent, std::string description) {
    Experiment experiment;
    experiment.parent = parent;
    experiment.description = std::move(description);
    experiment.predicted = Interval{1.05, 1.4};
    experiment.innovation = 50;
    experiment.state = ExperimentState::approved;
    return experiment;
}

Evaluation sampleEvaluation(KernelId kernel, double geomeanUs, std::optional<KernelId> baseline) {
    Evaluation evaluation;
    evaluation.kernel = kernel;
    evaluation.baseline = baseline;
    evaluation.purpose = "new kernel";
    evaluation.lane = "cpu:0";
    evaluation.startedAt = 1000;
    evaluation.endedAt = 4000;
    Verdict& verdict = evaluation.verdict;
    verdict.kind = VerdictKind::correct;
    verdict.target = "cpu";
    verdict.geomeanUs = geomeanUs;
    verdict.geomeanCi95Us = {geomeanUs * 0.99, geomeanUs * 1.01};
    verdict.verifySeconds = 1;
    verdict.measureSeconds = 2;
    for (const double factor : {0.8, 1.25}) {
        MeasurementFact measurement;
        measurement.shape = {{"n", 1024}};
        measurement.medianUs = geomeanUs * factor;
        measurement.ci95Us = {measurement.medianUs * 0.99, measurement.medianUs * 1.01};
        measurement.clock = "host";
        measurement.sampleUs = {measurement.medianUs, measurement.medianUs * 1.001, measurement.medianUs * 0.999};
        measurement.samples = 3;
        verdict.measurements.push_back(measurement);
    }
    if (baseline) {
        const double ratio = 100 / geomeanUs;
        verdict.kind = ratio > 1.005 ? VerdictKind::faster : ratio < 0.995 ? VerdictKind::slower : VerdictKind::tie;
        verdict.comparison = ComparisonFact{ratio, {ratio * 0.98, ratio * 1.02}, verdict.kind, {}};
    }
    return evaluation;
}

Verdict failedVerdict(VerdictKind kind, std::string reason) {
    Verdict verdict;
    verdict.kind = kind;
    verdict.reason = std::move(reason);
    return verdict;
}

std::string randomText(std::size_t size) {
    std::mt19937_64 random(7);
    std::string text(size, ' ');
    for (char& c : text) {
        c = static_cast<char>('!' + random() % 90);
    }
    return text;
}

Campaign::Campaign(const std::filesystem::path& place)
    : folder(TemporaryDirectory::create("campaign").value())
    , file((place.empty() ? folder.path() : place) / "sample.gks") {
    settings.problem = "sample";
    store = CampaignStore::create(file, settings, samplePack()).value();
}

void Campaign::reopen() {
    store.reset();
    store = CampaignStore::open(file).value();
}

} // namespace gks::test
