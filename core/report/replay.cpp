// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/replay.h"

#include "core/problem/problem.h"

#include <algorithm>

namespace gks {
namespace {

const std::string* fileOf(const Bundle& bundle, const std::string& path) {
    const auto found = bundle.files.find(path);
    return found != bundle.files.end() ? &found->second : nullptr;
}

} // namespace

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

Result<EvaluationRequest> requestAgain(const Bundle& bundle, const EvidenceItem& recorded,
                                       const std::filesystem::path& place) {
    for (const auto& [path, content] : bundle.files) {
        if (path.starts_with("problem/") && path != "problem/problem.h") { // made again from problem.toml
            GKS_TRY(makeDirectories((place / path).parent_path()));
            GKS_TRY(writeFileAtomically(place / path, content));
        }
    }
    const Verdict& verdict = recorded.evaluation.verdict;
    EvaluationRequest request;
    request.id = "1";
    request.problem = (place / "problem").string();
    request.source = recorded.source;
    request.baseline = recorded.baselineSource;
    GKS_TRY_ASSIGN(request.target, targetFromName(verdict.target));
    const EvaluationConditions& conditions = verdict.conditions;
    if (!conditions.shapes.empty()) {
        GKS_TRY_ASSIGN(request.shapes, shapeChoiceFromName(conditions.shapes));
    }
    constexpr double longestSeconds = 600; // of a record that asks for more
    request.measureSeconds =
        std::clamp(conditions.measureSeconds, defaultMeasureSeconds(request.target), longestSeconds);
    if (conditions.timeoutSeconds > 0) {
        request.timeoutSeconds = std::min(conditions.timeoutSeconds, longestSeconds);
    }
    request.flushBytes = conditions.flushBytes;
    request.compilerOptions = conditions.compilerOptions;
    request.recorded = verdict.plans;
    request.shapeSeed = verdict.shapeSeed;
    if (verdict.comparison) {
        // A wider margin than the judge's makes a tie of any difference. With a narrower one the record claims more.
        request.tieMarginPercent = std::clamp(verdict.comparison->tieMarginPercent, 0.0, request.tieMarginPercent);
    }
    return request;
}

} // namespace gks
