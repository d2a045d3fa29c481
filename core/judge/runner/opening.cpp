// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/opening.h"

#include "core/judge/plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace gks::runner {
namespace {

constexpr const char* whereOpening = "plans of a shape";

} // namespace

std::string openingText(const Opening& opening) {
    return Json({{"variables", opening.variables},
                 {"setup", gks::toJson(opening.setup)},
                 {"plan", gks::toJson(opening.plan)}})
        .dump();
}

// The evaluator alone writes it; what is wrong with it is wrong with the program.
Result<Opening> openingFromText(std::string_view text) {
    GKS_TRY_ASSIGN(const Json json, parseJson(text, whereOpening));
    Opening opening;
    try {
        opening.variables = json.at("variables").get<std::vector<std::string>>();
        GKS_TRY_ASSIGN(opening.setup, planFromJson(json.at("setup"), whereOpening));
        GKS_TRY_ASSIGN(opening.plan, planFromJson(json.at("plan"), whereOpening));
    } catch (const Json::exception& problem) {
        return infrastructureError(problem.what(), whereOpening);
    }
    return opening;
}

} // namespace gks::runner
