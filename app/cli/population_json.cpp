// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/population_json.h"

#include "app/cli/asked_text.h"
#include "app/cli/probe_text.h"
#include "app/cli/show_writers.h"
#include "core/campaign/anchors.h"
#include "core/campaign/confirmation.h"
#include "core/campaign/ranking.h"
#include "core/campaign/spend_json.h"
#include "core/campaign/stagnation.h"
#include "core/engine/engine.h"
#include "core/engine/waiting.h"
#include "core/problem/harness.h"
#include "core/scientist/calibration.h"

#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

OrderedJson toJson(const Population& population, const Round& round) {
    OrderedJson diagnosis = OrderedJson::array();
    for (const ShapeLimit& row : round.diagnosis) {
        diagnosis.push_back(
            {{"shapes", row.shapes}, {"limit", row.limit}, {"evidence", row.evidence}, {"headroom", row.headroom}});
    }
    OrderedJson avenues = OrderedJson::array();
    for (const Avenue& avenue : population.avenues) {
        if (avenue.round == round.id) {
            const Experiment* taken = population.takenUpBy(avenue.id);
            avenues.push_back({{"id", avenue.id},
                               {"text", avenue.text},
                               {"asked", avenue.asked},
                               {"experiment", taken != nullptr ? OrderedJson(taken->id) : OrderedJson()}});
        }
    }
    return {{"round", round.id},
            {"parent", kernelLabel(round.parent)},
            {"reference", labelOrNull(round.reference)},
            {"rationale", round.rationale},
            {"diagnosis", std::move(diagnosis)},
            {"avenues", std::move(avenues)},
            {"model", round.model}};
}

OrderedJson toJson(const CalibrationRow& row) {
    return {{"stage", row.stage},
            {"model", row.model},
            {"predictions", row.count},
            {"inside", row.inside},
            {"coverage", row.coverage},
            {"coverage_ci95", {row.coverageCi95.low, row.coverageCi95.high}},
            {"bias", row.bias},
            {"bias_ci95", row.biasCi95 ? OrderedJson({row.biasCi95->low, row.biasCi95->high}) : OrderedJson()},
            {"width", row.meanWidth},
            {"shift", row.shift},
            {"widening", row.widening}};
}

OrderedJson toJson(const Population& population, const AnchorFigure& anchor) {
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    const auto speed = best != nullptr ? speedAgainst(population, anchor, *best) : std::nullopt;
    const auto interval = [](const Interval& one) { return OrderedJson({one.low, one.high}); };
    return {{"name", anchor.name},
            {"title", anchor.title},
            {"lane", anchor.lane},
            {"device", anchor.device},
            {"geomean_us", isMeasured(anchor) ? OrderedJson(anchor.geomeanUs) : OrderedJson()},
            {"ci95_us", isMeasured(anchor) ? interval(anchor.geomeanCi95Us) : OrderedJson()},
            {"shape_medians_us", anchor.shapeMediansUs},
            {"speedup", anchor.speedup > 0 ? OrderedJson(anchor.speedup) : OrderedJson()},
            {"speedup_ci95", anchor.speedup > 0 ? interval(anchor.speedupCi95) : OrderedJson()},
            {"best_ratio", speed ? OrderedJson(speed->ratio) : OrderedJson()},
            {"best_ratio_ci95", speed ? interval(speed->ci95) : OrderedJson()},
            {"lacks", anchor.lacks},
            {"reason", anchor.reason}};
}

} // namespace

OrderedJson labelOrNull(const std::optional<KernelId>& id) {
    return id ? OrderedJson(kernelLabel(*id)) : OrderedJson();
}

OrderedJson kernelJson(const Population& population, const Kernel& kernel) {
    OrderedJson parents = OrderedJson::array();
    for (const KernelId parent : kernel.parents) {
        parents.push_back(kernelLabel(parent));
    }
    OrderedJson json = {{"id", kernelLabel(kernel.id)},
                        {"parents", std::move(parents)},
                        {"reference", labelOrNull(kernel.reference)},
                        {"title", kernel.title},
                        {"author", name(kernel.author)},
                        {"state", name(kernel.state)},
                        {"verdict", kernel.verdict ? OrderedJson(name(*kernel.verdict)) : OrderedJson()},
                        {"reason", kernel.reason},
                        {"geomean_us", kernel.geomeanUs > 0 ? OrderedJson(kernel.geomeanUs) : OrderedJson()},
                        {"ci95_us", kernel.geomeanUs > 0
                                        ? OrderedJson({kernel.geomeanCi95Us.low, kernel.geomeanCi95Us.high})
                                        : OrderedJson()},
                        {"banned", kernel.banned},
                        {"writer", kernel.writer},
                        {"draft_usd", kernel.draftUsd},
                        {"draft_seconds", kernel.draftSeconds},
                        {"sha256", kernel.sourceSha256}};
    if (kernel.versusParent) {
        const ComparisonFact& fact = *kernel.versusParent;
        json["versus_parent"] = {{"ratio", fact.ratio},
                                 {"ci95", {fact.ci95.low, fact.ci95.high}},
                                 {"ci99", {fact.ci99.low, fact.ci99.high}},
                                 {"verdict", name(fact.verdict)}};
    }
    if (const SpeedRatio* speed = population.speed(kernel)) {
        json["speedup"] = speed->ratio;
        json["speedup_ci95"] = {speed->ci95.low, speed->ci95.high};
        json["speedup_ci99"] = {speed->ci99.low, speed->ci99.high};
    }
    return json;
}

OrderedJson experimentJson(const Population& population, const Experiment& e) {
    return {{"id", e.id},
            {"uses", e.uses},
            {"round", e.round},
            {"parent", kernelLabel(e.parent)},
            {"reference", labelOrNull(e.reference)},
            {"description", e.description},
            {"kind", name(e.kind)},
            {"limit", e.limit},
            {"shapes", e.shapes},
            {"disproof", e.disproof},
            {"avenue", e.avenue ? OrderedJson(*e.avenue) : OrderedJson()},
            {"predicted_gain", e.predicted ? OrderedJson({e.predicted->low, e.predicted->high}) : OrderedJson()},
            {"innovation", e.innovation},
            {"pick", e.pick},
            {"state", name(e.state)},
            {"waits", waitText(e, population)},
            {"author", name(e.author)},
            {"kernel", labelOrNull(e.kernel)},
            {"measured_gain", e.measuredGain ? OrderedJson(*e.measuredGain) : OrderedJson()},
            {"tuned_gain", e.tunedGain ? OrderedJson(*e.tunedGain) : OrderedJson()},
            {"model", e.model},
            {"writer", e.writer},
            {"failure", e.failure}};
}

OrderedJson populationJson(const Population& population, bool running, const std::vector<Evaluation>& ofBest) {
    OrderedJson kernels = OrderedJson::array();
    for (const Kernel& kernel : population.kernels) {
        kernels.push_back(kernelJson(population, kernel));
    }
    OrderedJson experiments = OrderedJson::array();
    for (const Experiment& experiment : population.experiments) {
        experiments.push_back(experimentJson(population, experiment));
    }
    OrderedJson rounds = OrderedJson::array();
    for (const Round& round : population.rounds) {
        rounds.push_back(toJson(population, round));
    }
    OrderedJson json = {{"problem", population.settings.problem},
                        {"target", name(population.settings.target)},
                        {"state", name(running ? EngineState::running : EngineState::idle)},
                        {"kernels", std::move(kernels)},
                        {"probes", probesJson(population)},
                        {"best", labelOrNull(population.best)},
                        {"experiments", std::move(experiments)},
                        {"rounds", std::move(rounds)},
                        {"spend", toJson(population.spend)}};
    if (population.scale) {
        const Agreement& agreement = population.scale->agreement();
        const auto wish = nextComparison(population);
        json["scale"] = {
            {"baseline", kernelLabel(population.scale->anchor())},
            {"comparisons", population.scale->comparisons().size()},
            {"redundant", agreement.redundant},
            {"spread", agreement.spread},
            {"tension", agreement.tension},
            {"open", wish ? OrderedJson({kernelLabel(wish->kernel), kernelLabel(wish->other)}) : OrderedJson::array()}};
    }
    json["anchors"] = OrderedJson::array();
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        json["anchors"].push_back(toJson(population, *anchor));
    }
    if (const auto still = stagnation(population)) {
        json["stagnation"] = {
            {"experiments", still->experiments}, {"tired_kind", name(still->tired)}, {"text", still->text}};
    }
    json["lanes_out"] = OrderedJson::array();
    for (const auto& [label, outage] : population.settings.lanesOut) {
        json["lanes_out"].push_back(
            {{"lane", label}, {"reason", outage.reason}, {"next", outage.next}, {"since", outage.since}});
    }
    json.update(judgeJson(population.settings));
    json["asked_comparisons"] = waitingJson(population);
    json["calibration"] = OrderedJson::array();
    for (const CalibrationRow& row : calibration(population)) {
        json["calibration"].push_back(toJson(row));
    }
    json.update(broughtJson(population));
    json.update(headlineJson(population, ofBest));
    return json;
}

OrderedJson judgeJson(const CampaignSettings& settings) {
    return settings.judgedByHarness ? OrderedJson({{"judged_by", harnessLabel}}) : OrderedJson::object();
}

OrderedJson headlineJson(const Population& population, const std::vector<Evaluation>& ofBest) {
    const HeadlineRatio headline = headlineRatio(population, ofBest);
    OrderedJson json = {{"headline",
                         {{"best", labelOrNull(headline.best)},
                          {"baseline", labelOrNull(population.baseline)},
                          {"confirmed", headline.isConfirmed()},
                          {"text", headline.text()}}}};
    if (const auto confirmation = confirmationOf(population, ofBest)) {
        const ComparisonFact& fact = *confirmation->verdict.comparison;
        json["confirmation"] = {{"baseline", labelOrNull(confirmation->baseline)},
                                {"ratio", fact.ratio},
                                {"ci95", {fact.ci95.low, fact.ci95.high}},
                                {"verdict", name(fact.verdict)}};
    }
    return json;
}

} // namespace gks::cli
