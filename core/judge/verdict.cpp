// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/verdict.h"

#include "core/judge/json_fields.h"
#include "core/problem/harness.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

OrderedJson toJson(const Interval& interval) {
    return OrderedJson::array({interval.low, interval.high});
}

OrderedJson toJson(const std::map<std::string, std::int64_t>& shape) {
    OrderedJson json = OrderedJson::object();
    for (const auto& [dim, extent] : shape) {
        json[dim] = extent;
    }
    return json;
}

OrderedJson toJson(const VerificationFact& fact) {
    OrderedJson outputs = OrderedJson::array();
    for (const OutputCoverage& one : fact.outputs) {
        outputs.push_back({{"output", one.output}, {"compared", one.compared}, {"elements", one.elements}});
    }
    return {{"shape", toJson(fact.shape)},
            {"phase", fact.phase},
            {"distribution", fact.distribution},
            {"seed", fact.seed},
            {"passed", fact.passed},
            {"checked", fact.checked},
            {"max_absolute_error", fact.maxAbsoluteError},
            {"max_relative_error", fact.maxRelativeError},
            {"detail", fact.detail},
            {"calls", fact.calls},
            {"outputs", std::move(outputs)}};
}

OrderedJson toJson(const MeasurementFact& fact, bool withSamples) {
    OrderedJson json = {{"shape", toJson(fact.shape)}, {"median_us", fact.medianUs}, {"ci95_us", toJson(fact.ci95Us)},
                        {"samples", fact.samples},     {"floor_us", fact.floorUs},   {"clock", fact.clock}};
    if (fact.baselineMedianUs > 0) {
        json["baseline_median_us"] = fact.baselineMedianUs;
    }
    if (fact.ratio) {
        json["ratio"] = *fact.ratio;
    }
    if (fact.ratioCi95) {
        json["ratio_ci95"] = toJson(*fact.ratioCi95);
    }
    if (!fact.roundBlocks.empty()) {
        json["round_blocks"] = fact.roundBlocks;
    }
    if (withSamples) {
        json["sample_us"] = fact.sampleUs;
        if (!fact.baselineSampleUs.empty()) {
            json["baseline_sample_us"] = fact.baselineSampleUs;
        }
    }
    return json;
}

template<class Fact, class Read>
void readFacts(FieldReader& fields, const char* key, std::vector<Fact>& into, Read readOne) {
    const Json* array = fields.array(key);
    if (array == nullptr) {
        return;
    }
    for (const Json& element : *array) {
        auto fact = readOne(element);
        if (!fact) {
            fields.fail(fact.error());
            return;
        }
        into.push_back(std::move(*fact));
    }
}

Result<OutputCoverage> coverageFromJson(const Json& json) {
    OutputCoverage coverage;
    FieldReader fields(json, "outputs");
    fields.read("output", coverage.output);
    fields.read("compared", coverage.compared);
    fields.read("elements", coverage.elements);
    GKS_TRY(fields.finish());
    return coverage;
}

Result<VerificationFact> verificationFromJson(const Json& json) {
    VerificationFact fact;
    FieldReader fields(json, "verification");
    fields.read("shape", fact.shape);
    fields.read("phase", fact.phase);
    fields.read("distribution", fact.distribution);
    fields.read("seed", fact.seed);
    fields.read("passed", fact.passed);
    fields.read("checked", fact.checked);
    fields.read("max_absolute_error", fact.maxAbsoluteError);
    fields.read("max_relative_error", fact.maxRelativeError);
    fields.read("detail", fact.detail);
    fields.read("calls", fact.calls);
    readFacts(fields, "outputs", fact.outputs, coverageFromJson);
    GKS_TRY(fields.finish());
    return fact;
}

Result<MeasurementFact> measurementFromJson(const Json& json) {
    MeasurementFact fact;
    FieldReader fields(json, "measurements");
    fields.read("shape", fact.shape);
    fields.read("median_us", fact.medianUs);
    fields.read("ci95_us", fact.ci95Us);
    fields.read("samples", fact.samples);
    fields.read("floor_us", fact.floorUs);
    fields.read("clock", fact.clock);
    fields.read("sample_us", fact.sampleUs);
    fields.read("baseline_median_us", fact.baselineMedianUs);
    fields.read("baseline_sample_us", fact.baselineSampleUs);
    fields.read("round_blocks", fact.roundBlocks);
    if (json.is_object() && json.contains("ratio")) {
        fields.read("ratio", fact.ratio.emplace());
    }
    if (json.is_object() && json.contains("ratio_ci95")) {
        fields.read("ratio_ci95", fact.ratioCi95.emplace());
    }
    GKS_TRY(fields.finish());
    return fact;
}

Result<ComparisonFact> comparisonFromJson(const Json& json) {
    ComparisonFact fact;
    std::string kind = "tie";
    FieldReader fields(json, "comparison");
    fields.read("ratio", fact.ratio);
    fields.read("ci95", fact.ci95);
    fields.read("ci99", fact.ci99);
    fields.read("error_share", fact.errorShare);
    fields.read("verdict", kind);
    fields.read("baseline_sha256", fact.baselineSha256);
    fields.read("tie_margin_percent", fact.tieMarginPercent);
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(fact.verdict, verdictKindFromName(kind));
    return fact;
}

Result<TranscriptLine> transcriptLineFromJson(const Json& json) {
    TranscriptLine line;
    FieldReader fields(json, "transcript");
    fields.read("seconds", line.seconds);
    fields.read("event", line.event);
    fields.read("text", line.text);
    GKS_TRY(fields.finish());
    return line;
}

Result<AccessFinding> accessFindingFromJson(const Json& json) {
    AccessFinding diagnostic;
    FieldReader fields(json, "diagnostics");
    fields.require("message");
    fields.read("kind", diagnostic.kind);
    fields.read("message", diagnostic.message);
    fields.read("kernel", diagnostic.kernel);
    fields.read("block", diagnostic.block);
    fields.read("thread", diagnostic.thread);
    fields.read("file", diagnostic.file);
    fields.read("line", diagnostic.line);
    fields.read("column", diagnostic.column);
    GKS_TRY(fields.finish());
    return diagnostic;
}

// One member that is an object, read by `readMembers`; what is wrong in it is wrong in the whole.
template<class ReadMembers>
void readPart(FieldReader& fields, const char* key, ReadMembers readMembers) {
    const Json* json = fields.object(key);
    if (json == nullptr) {
        return;
    }
    FieldReader inner(*json, key);
    readMembers(inner);
    if (const auto done = inner.finish(); !done) {
        fields.fail(done.error());
    }
}

void readBuild(FieldReader& fields, BuildFacts& build) {
    readPart(fields, "build", [&](FieldReader& inner) {
        inner.read("toolchain", build.toolchain);
        inner.read("key", build.key);
        inner.read("cached", build.cached);
        inner.read("log", build.log);
    });
}

void readConditions(FieldReader& fields, EvaluationConditions& conditions) {
    readPart(fields, "conditions", [&](FieldReader& inner) {
        inner.read("shapes", conditions.shapes);
        inner.read("measure_seconds", conditions.measureSeconds);
        inner.read("timeout_seconds", conditions.timeoutSeconds);
        inner.read("flush_bytes", conditions.flushBytes);
        inner.read("compiler_options", conditions.compilerOptions);
    });
}

void readSeconds(FieldReader& fields, Verdict& verdict) {
    readPart(fields, "seconds", [&](FieldReader& inner) {
        inner.read("build", verdict.buildSeconds);
        inner.read("verify", verdict.verifySeconds);
        inner.read("measure", verdict.measureSeconds);
        inner.read("total", verdict.totalSeconds);
        inner.read("compiler", verdict.compilerSeconds);
        inner.read("kernel", verdict.kernelSeconds);
        inner.read("preparation", verdict.preparationSeconds);
        inner.read("overhead", verdict.overheadSeconds);
    });
}

void readCallCost(FieldReader& fields, std::optional<CallCost>& cost) {
    readPart(fields, "call_cost_us", [&](FieldReader& inner) {
        CallCost& read = cost.emplace();
        inner.read("inputs", read.inputsUs);
        inner.read("poison", read.poisonUs);
        inner.read("caches", read.cachesUs);
        inner.read("stop", read.stopUs);
        inner.read("probes", read.probesUs);
    });
}

} // namespace

std::string cacheFlushText(const EvaluationConditions& conditions) {
    return conditions.flushBytes
               ? fmt::format("{} before every call, not what the target needs: the times say nothing of the device",
                             formatBytes(*conditions.flushBytes))
               : std::string();
}

std::string judgedBy(const Verdict& verdict) {
    const auto judge = verdict.environment.find(judgeFact);
    return judge == verdict.environment.end() ? std::string() : judge->second;
}

OrderedJson toJson(const Verdict& verdict, bool withSamples) {
    OrderedJson json = {{"verdict", name(verdict.kind)}, {"reason", verdict.reason}};
    if (!verdict.next.empty()) {
        json["next"] = verdict.next;
    }
    if (const std::string judge = judgedBy(verdict); !judge.empty()) {
        json["judged_by"] = judge;
    }
    json["rules"] = verdict.rules;
    if (verdict.deviceTrouble != DeviceTrouble::none) {
        json["device_trouble"] = name(verdict.deviceTrouble);
    }
    json["target"] = verdict.target;
    json["device"] = verdict.device;
    json["problem"] = verdict.problem;
    json["kernel_sha256"] = verdict.kernelSha256;
    json["conditions"] = {{"shapes", verdict.conditions.shapes},
                          {"measure_seconds", verdict.conditions.measureSeconds},
                          {"timeout_seconds", verdict.conditions.timeoutSeconds}};
    if (verdict.conditions.flushBytes) {
        json["conditions"]["flush_bytes"] = *verdict.conditions.flushBytes;
    }
    if (!verdict.conditions.compilerOptions.empty()) {
        json["conditions"]["compiler_options"] = verdict.conditions.compilerOptions;
    }
    if (!verdict.shapeSeed.empty()) {
        json["shape_seed"] = verdict.shapeSeed;
    }
    json["environment"] = verdict.environment;
    json["build"] = {{"toolchain", verdict.build.toolchain},
                     {"key", verdict.build.key},
                     {"cached", verdict.build.cached},
                     {"log", verdict.build.log}};
    json["verification"] = OrderedJson::array();
    for (const VerificationFact& fact : verdict.verification) {
        json["verification"].push_back(toJson(fact));
    }
    if (!verdict.warnings.empty()) {
        json["warnings"] = verdict.warnings;
    }
    for (const AccessFinding& diagnostic : verdict.diagnostics) {
        json["diagnostics"].push_back({{"kind", diagnostic.kind},
                                       {"message", diagnostic.message},
                                       {"kernel", diagnostic.kernel},
                                       {"block", diagnostic.block},
                                       {"thread", diagnostic.thread},
                                       {"file", diagnostic.file},
                                       {"line", diagnostic.line},
                                       {"column", diagnostic.column}});
    }
    if (!verdict.printed.empty()) {
        json["printed"] = verdict.printed;
    }
    if (!verdict.notRun.empty()) {
        json["not_run"] = verdict.notRun;
    }
    json["measurements"] = OrderedJson::array();
    for (const MeasurementFact& fact : verdict.measurements) {
        json["measurements"].push_back(toJson(fact, withSamples));
    }
    json["geomean_us"] = verdict.geomeanUs;
    json["geomean_ci95_us"] = toJson(verdict.geomeanCi95Us);
    if (verdict.comparison) {
        json["comparison"] = {{"ratio", verdict.comparison->ratio},
                              {"ci95", toJson(verdict.comparison->ci95)},
                              {"ci99", toJson(verdict.comparison->ci99)},
                              {"error_share", verdict.comparison->errorShare},
                              {"verdict", name(verdict.comparison->verdict)},
                              {"baseline_sha256", verdict.comparison->baselineSha256},
                              {"tie_margin_percent", verdict.comparison->tieMarginPercent}};
    }
    if (verdict.staticReport) {
        json["static"] = toJson(*verdict.staticReport);
    }
    json["sandbox"] = verdict.sandbox;
    json["seconds"] = {{"build", verdict.buildSeconds},
                       {"verify", verdict.verifySeconds},
                       {"measure", verdict.measureSeconds},
                       {"total", verdict.totalSeconds},
                       {"compiler", verdict.compilerSeconds},
                       {"kernel", verdict.kernelSeconds},
                       {"preparation", verdict.preparationSeconds},
                       {"overhead", verdict.overheadSeconds}};
    if (const auto& cost = verdict.callCost) {
        json["call_cost_us"] = {{"inputs", cost->inputsUs},
                                {"poison", cost->poisonUs},
                                {"caches", cost->cachesUs},
                                {"stop", cost->stopUs},
                                {"probes", cost->probesUs}};
    }
    if (verdict.counters) {
        json["counters"] = toJson(*verdict.counters);
    }
    json["transcript"] = OrderedJson::array();
    for (const TranscriptLine& line : verdict.transcript) {
        json["transcript"].push_back({{"seconds", line.seconds}, {"event", line.event}, {"text", line.text}});
    }
    return json;
}

Result<std::vector<MeasurementFact>> measurementsFromJson(const Json& json) {
    std::vector<MeasurementFact> facts;
    for (const Json& one : json) {
        GKS_TRY_ASSIGN(facts.emplace_back(), measurementFromJson(one));
    }
    return facts;
}

Result<Verdict> verdictFromJson(const Json& json) {
    Verdict verdict;
    verdict.rules = firstRules; // where it does not say
    std::string kind;
    std::string trouble(name(DeviceTrouble::none));
    FieldReader fields(json, "verdict");
    fields.require("verdict");
    fields.read("verdict", kind);
    fields.read("reason", verdict.reason);
    fields.read("next", verdict.next);
    fields.read("rules", verdict.rules);
    fields.read("device_trouble", trouble);
    fields.read("target", verdict.target);
    fields.read("device", verdict.device);
    fields.read("problem", verdict.problem);
    fields.read("kernel_sha256", verdict.kernelSha256);
    readConditions(fields, verdict.conditions);
    fields.read("shape_seed", verdict.shapeSeed);
    fields.read("environment", verdict.environment);
    readBuild(fields, verdict.build);
    readFacts(fields, "verification", verdict.verification, verificationFromJson);
    fields.read("warnings", verdict.warnings);
    readFacts(fields, "diagnostics", verdict.diagnostics, accessFindingFromJson);
    fields.read("printed", verdict.printed);
    fields.read("not_run", verdict.notRun);
    readFacts(fields, "measurements", verdict.measurements, measurementFromJson);
    fields.read("geomean_us", verdict.geomeanUs);
    fields.read("geomean_ci95_us", verdict.geomeanCi95Us);
    fields.read("sandbox", verdict.sandbox);
    readSeconds(fields, verdict);
    readFacts(fields, "transcript", verdict.transcript, transcriptLineFromJson);
    const Json* comparison = fields.object("comparison");
    const Json* report = fields.object("static");
    const Json* counters = fields.object("counters");
    readCallCost(fields, verdict.callCost);
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(verdict.kind, verdictKindFromName(kind));
    GKS_TRY_ASSIGN(verdict.deviceTrouble, deviceTroubleFromName(trouble));
    if (comparison != nullptr) {
        GKS_TRY_ASSIGN(verdict.comparison, comparisonFromJson(*comparison));
    }
    if (report != nullptr) {
        GKS_TRY_ASSIGN(verdict.staticReport, staticReportFromJson(*report));
    }
    if (counters != nullptr) {
        GKS_TRY_ASSIGN(verdict.counters, counterReportFromJson(*counters));
    }
    return verdict;
}

} // namespace gks
