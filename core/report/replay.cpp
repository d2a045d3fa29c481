// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/replay.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/json_fields.h"
#include "core/problem/problem.h"
#include "core/report/recomputation.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t kernelLimitBytes = std::size_t{1} << 20;

Result<std::string> sourceAt(const Bundle& bundle, const std::string& path) {
    const auto found = bundle.files.find(path);
    if (found == bundle.files.end()) {
        return usageError("names a source that is not there: " + abbreviated(sanitizedUtf8(path), 120));
    }
    if (found->second.size() > kernelLimitBytes) {
        return usageError("the source is larger than any kernel may be");
    }
    return found->second;
}

Result<RecordedVerdict> readVerdict(const Bundle& bundle, const std::string& path, const std::string& text) {
    RecordedVerdict recorded;
    recorded.path = path;
    GKS_TRY_ASSIGN(const Json json, parseJson(text, path));
    std::string source;
    std::optional<std::string> baseline;
    FieldReader fields(json, path);
    fields.read("kernel", recorded.kernel);
    fields.read("purpose", recorded.purpose);
    fields.require("source");
    fields.read("source", source);
    fields.read("baseline", baseline);
    fields.require("verdict");
    const Json* verdict = fields.object("verdict");
    GKS_TRY(fields.finish());
    GKS_TRY_ASSIGN(recorded.verdict, verdictFromJson(*verdict));
    GKS_TRY_ASSIGN(recorded.source, sourceAt(bundle, source));
    if (baseline) {
        GKS_TRY_ASSIGN(recorded.baselineSource, sourceAt(bundle, *baseline));
    }
    return recorded;
}

void checkSources(const RecordedVerdict& recorded, std::vector<std::string>& differences) {
    const Verdict& verdict = recorded.verdict;
    if (sha256Hex(recorded.source) != verdict.kernelSha256) {
        differences.push_back(recorded.path + ": the verdict is of another source than the one beside it");
    }
    if (verdict.comparison &&
        (!recorded.baselineSource || sha256Hex(*recorded.baselineSource) != verdict.comparison->baselineSha256)) {
        differences.push_back(recorded.path + ": the comparison is with another baseline than the one beside it");
    }
}

const std::string* fileOf(const Bundle& bundle, const std::string& path) {
    const auto found = bundle.files.find(path);
    return found != bundle.files.end() ? &found->second : nullptr;
}

bool overlap(const Interval& a, const Interval& b) {
    return a.low <= b.high && b.low <= a.high;
}

} // namespace

BundleCheck checkBundle(const Bundle& bundle) {
    BundleCheck check;
    check.root = bundle.manifest.root();
    check.differences = bundle.damage;
    for (const auto& [path, content] : bundle.files) {
        if (!path.starts_with("verdicts/") || !path.ends_with("/verdict.json")) {
            continue;
        }
        auto recorded = readVerdict(bundle, path, content);
        if (!recorded) {
            check.differences.push_back(path + ": " + recorded.error().message());
            continue;
        }
        checkSources(*recorded, check.differences);
        const Recomputation again = recompute(recorded->verdict);
        for (const std::string& difference : again.differences) {
            check.differences.push_back(fmt::format("{}: {}", path, difference));
        }
        for (const std::string& missing : again.unchecked) {
            check.unchecked.push_back(fmt::format("{}: {}", path, missing));
        }
        if (path == bundle.manifest.subject) {
            check.subject = check.verdicts.size();
        }
        check.verdicts.push_back(std::move(*recorded));
    }
    if (!bundle.manifest.subject.empty() && !check.subject) {
        check.differences.push_back(bundle.manifest.subject + ": the verdict that the claim rests on cannot be read");
    }
    return check;
}

std::optional<std::string> builtinPackOf(const Bundle& bundle) {
    const std::string* manifest = fileOf(bundle, "problem/problem.toml");
    const std::string* reference = fileOf(bundle, "problem/reference.cpp");
    const auto packs = builtinProblems();
    if (manifest == nullptr || reference == nullptr || !packs) {
        return std::nullopt;
    }
    for (const ProblemPack& pack : *packs) {
        if (readFile(pack.folder / "problem.toml") == *manifest && readFile(pack.referencePath) == *reference) {
            return pack.name;
        }
    }
    return std::nullopt;
}

Result<EvaluationRequest> requestAgain(const Bundle& bundle, const RecordedVerdict& recorded,
                                       const std::filesystem::path& place, bool trustReference) {
    if (!trustReference && !builtinPackOf(bundle)) {
        return usageError("the pack of this bundle is none of the built-in ones, and its reference.cpp is code that "
                          "would run outside of the sandbox",
                          "problem/reference.cpp",
                          "Read it; if you trust it add --trust-reference, otherwise --no-run checks the rest");
    }
    for (const auto& [path, content] : bundle.files) {
        if (path.starts_with("problem/") && path != "problem/problem.h") { // made again from problem.toml
            GKS_TRY(makeDirectories((place / path).parent_path()));
            GKS_TRY(writeFileAtomically(place / path, content));
        }
    }
    EvaluationRequest request;
    request.id = "1";
    request.problem = (place / "problem").string();
    request.source = recorded.source;
    request.baseline = recorded.baselineSource;
    GKS_TRY_ASSIGN(request.target, targetFromName(recorded.verdict.target));
    const EvaluationConditions& conditions = recorded.verdict.conditions;
    if (!conditions.shapes.empty()) {
        GKS_TRY_ASSIGN(request.shapes, shapeChoiceFromName(conditions.shapes));
    }
    constexpr double longestSeconds = 600; // of a record that asks for more
    if (conditions.measureSeconds > 0) {
        request.measureSeconds = std::min(conditions.measureSeconds, longestSeconds);
    }
    if (conditions.timeoutSeconds > 0) {
        request.timeoutSeconds = std::min(conditions.timeoutSeconds, longestSeconds);
    }
    request.flushBytes = conditions.flushBytes;
    if (recorded.verdict.comparison) {
        request.tieMarginPercent = std::clamp(recorded.verdict.comparison->tieMarginPercent, 0.0, 100.0);
    }
    return request;
}

std::vector<std::string> checkHeader(const Bundle& bundle, const std::filesystem::path& place) {
    const auto pack = loadProblemPack((place / "problem").string());
    if (!pack) {
        return {pack.error().message()};
    }
    const std::string* header = fileOf(bundle, "problem/problem.h");
    if (header == nullptr || *header != generateProblemHeader(*pack)) {
        return {"problem/problem.h: is not what this version makes of problem.toml"};
    }
    return {};
}

Reproduction compareAgain(const Verdict& recorded, const Verdict& again) {
    Reproduction result;
    const bool accepted = isAccepted(recorded.kind);
    if (accepted != isAccepted(again.kind) || (!accepted && recorded.kind != again.kind)) {
        result.differences.push_back(
            fmt::format("recorded as {}, judged again as {}: {}", name(recorded.kind), name(again.kind), again.reason));
        return result;
    }
    result.notes.push_back(accepted ? "correctness agrees: every check passed again"
                                    : fmt::format("refused again as {}", name(again.kind)));
    if (!accepted) {
        return result;
    }
    if (recorded.device != again.device) {
        result.notes.push_back(fmt::format("times are not compared: recorded on {}, this is {}",
                                           recorded.device.empty() ? "an unnamed device" : recorded.device,
                                           again.device));
        return result;
    }
    result.notes.push_back(fmt::format("on a device of the same name ({}): recorded {}, now {}{}", again.device,
                                       formatMicroseconds(recorded.geomeanUs, recorded.geomeanCi95Us),
                                       formatMicroseconds(again.geomeanUs, again.geomeanCi95Us),
                                       overlap(recorded.geomeanCi95Us, again.geomeanCi95Us)
                                           ? ", the intervals overlap"
                                           : ", the intervals do not overlap"));
    if (recorded.comparison && again.comparison) {
        const auto text = [](const ComparisonFact& fact) {
            return fmt::format("{} {}", name(fact.verdict), formatRatio(fact.ratio, fact.ci95));
        };
        const std::string both =
            fmt::format("recorded {}, now {}", text(*recorded.comparison), text(*again.comparison));
        const bool opposite =
            recorded.kind != again.kind && recorded.kind != VerdictKind::tie && again.kind != VerdictKind::tie;
        (opposite ? result.differences : result.notes).push_back("against the baseline: " + both);
    }
    return result;
}

} // namespace gks
