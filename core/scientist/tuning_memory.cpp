// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/tuning_memory.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/problem/problem.h"
#include "core/scientist/tunables.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t fileLimitBytes = std::size_t{16} << 20;

// The pack as far as it decides what is measured.
std::string packContent(const std::string& problem) {
    const auto pack = loadProblemPack(problem);
    if (!pack) {
        return problem;
    }
    return pack->name + "\n" + readFile(pack->folder / "problem.toml").value_or("");
}

OrderedJson toJson(const TunedPoint& point) {
    return {{"values", point.values},
            {"verdict", name(point.verdict)},
            {"reason", point.reason},
            {"us", point.us},
            {"ci95_us", {point.ci95Us.low, point.ci95Us.high}},
            {"measure_seconds", point.measureSeconds}};
}

Result<TunedPoint> pointFrom(const Json& json) {
    TunedPoint point;
    try {
        point.values = json.at("values").get<std::map<std::string, std::string>>();
        GKS_TRY_ASSIGN(point.verdict, verdictKindFromName(json.at("verdict").get<std::string>()));
        point.reason = json.at("reason");
        point.us = json.at("us");
        point.ci95Us = {json.at("ci95_us").at(0), json.at("ci95_us").at(1)};
        point.measureSeconds = json.at("measure_seconds");
    } catch (const Json::exception& error) {
        return infrastructureError(error.what());
    }
    point.earlier = true;
    return point;
}

} // namespace

TuningMemory::TuningMemory(const EvaluationRequest& request, const Verdict& verdictOfGiven)
    : m_file(cacheFolder() / "tuning" /
             (sha256Hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", structureOf(request.source),
                                    packContent(request.problem), name(request.target), name(request.shapes),
                                    request.device, verdictOfGiven.device, verdictOfGiven.build.toolchain)) +
              ".json")) {}

std::vector<TunedPoint> TuningMemory::load() const {
    std::vector<TunedPoint> points;
    const auto text = readFile(m_file, fileLimitBytes);
    const auto json = text ? parseJson(*text, m_file.string()) : Result<Json>(Json::array());
    if (!json || !json->is_array()) {
        return points;
    }
    for (const Json& one : *json) {
        if (auto point = pointFrom(one)) {
            points.push_back(std::move(*point));
        }
    }
    return points;
}

Result<void> TuningMemory::store(const std::vector<TunedPoint>& points) const {
    OrderedJson json = OrderedJson::array();
    for (const TunedPoint& point : points) {
        json.push_back(toJson(point));
    }
    GKS_TRY(makeDirectories(m_file.parent_path()));
    return writeFileAtomically(m_file, json.dump(1));
}

} // namespace gks
