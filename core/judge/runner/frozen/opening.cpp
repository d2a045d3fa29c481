// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/frozen/opening.h"

#include "core/judge/plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace gks::frozen {
namespace {

constexpr const char* where = "opening";

Json toJson(const Region& region) {
    return {{"name", region.name},      {"address", region.address},          {"bytes", region.bytes},
            {"offset", region.offset},  {"data_address", region.dataAddress}, {"data_bytes", region.dataBytes},
            {"output", region.isOutput}};
}

Region regionFromJson(const Json& json) {
    Region region;
    region.name = json.at("name").get<std::string>();
    region.address = json.at("address").get<std::uint64_t>();
    region.bytes = json.at("bytes").get<std::uint64_t>();
    region.offset = json.at("offset").get<std::uint64_t>();
    region.dataAddress = json.at("data_address").get<std::uint64_t>();
    region.dataBytes = json.at("data_bytes").get<std::uint64_t>();
    region.isOutput = json.at("output").get<bool>();
    return region;
}

} // namespace

std::string openingText(const Opening& opening) {
    Json regions = Json::array();
    for (const Region& region : opening.regions) {
        regions.push_back(toJson(region));
    }
    return Json({{"module", opening.module},
                 {"threads", opening.threads},
                 {"race_check", opening.isRaceCheck},
                 {"block_seconds", opening.blockSeconds},
                 {"address_bytes", opening.addressBytes},
                 {"regions", std::move(regions)},
                 {"setup", gks::toJson(opening.setup)},
                 {"plan", gks::toJson(opening.plan)}})
        .dump();
}

// The evaluator alone writes it; what is wrong with it is wrong with the program.
Result<Opening> openingFromText(std::string_view text) {
    GKS_TRY_ASSIGN(const Json json, parseJson(text, where));
    Opening opening;
    try {
        opening.module = json.at("module").get<std::string>();
        opening.threads = json.at("threads").get<unsigned>();
        opening.isRaceCheck = json.at("race_check").get<bool>();
        opening.blockSeconds = json.at("block_seconds").get<std::uint64_t>();
        opening.addressBytes = json.at("address_bytes").get<std::uint64_t>();
        for (const Json& region : json.at("regions")) {
            opening.regions.push_back(regionFromJson(region));
        }
        GKS_TRY_ASSIGN(opening.setup, planFromJson(json.at("setup"), where));
        GKS_TRY_ASSIGN(opening.plan, planFromJson(json.at("plan"), where));
    } catch (const Json::exception& problem) {
        return infrastructureError(problem.what(), where);
    }
    return opening;
}

} // namespace gks::frozen
