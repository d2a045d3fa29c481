// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/frozen/race_words.h"

#include "core/base/text.h"
#include "core/judge/plan/strict_fields.h"

namespace gks::frozen {
namespace {

constexpr const char* ofRaces = "races";
constexpr std::size_t raceLineLimitBytes = 2 * planSymbolLimitBytes;

Json toJson(const RaceWords::Side& side) {
    return {{"operation", side.operation}, {"block", side.block},     {"wave", side.wave},
            {"writes", side.writes},       {"file", side.place.file}, {"line", side.place.line},
            {"column", side.place.column}};
}

bool readSide(const Json& json, RaceWords::Side& side) {
    StrictFields fields(json, ofRaces);
    fields.number("operation", side.operation);
    fields.number("block", side.block);
    fields.number("wave", side.wave);
    fields.flag("writes", side.writes);
    fields.text("file", side.place.file, raceLineLimitBytes);
    fields.number("line", side.place.line);
    fields.number("column", side.place.column);
    return fields.finish().has_value() && soundFile(side.place.file) == side.place.file;
}

std::optional<RaceWords> wordsIn(const Json& json) {
    RaceWords words;
    StrictFields fields(json, ofRaces);
    fields.number("accesses", words.accesses);
    fields.flag("complete", words.isComplete);
    const Json* const races = fields.list("races", 1);
    if (!fields.finish()) {
        return std::nullopt;
    }
    if (races->empty()) {
        return words;
    }
    RaceWords::Race race;
    StrictFields inside(races->front(), ofRaces);
    inside.flag("lds", race.isLds);
    inside.number("at", race.at);
    inside.flag("lost", race.isLostUpdate);
    inside.text("variable", race.variable, planSymbolLimitBytes);
    inside.text("name", race.name, planSymbolLimitBytes);
    const Json* const first = inside.object("first");
    const Json* const second = inside.object("second");
    if (!inside.finish() || !readSide(*first, race.first) || !readSide(*second, race.second) ||
        soundName(race.name) != race.name) {
        return std::nullopt;
    }
    words.race = std::move(race);
    return words;
}

} // namespace

std::string lineOf(const RaceWords& words) {
    Json json = {{"accesses", words.accesses}, {"complete", words.isComplete}, {"races", Json::array()}};
    if (const auto& race = words.race) {
        json["races"].push_back({{"first", toJson(race->first)},
                                 {"second", toJson(race->second)},
                                 {"lds", race->isLds},
                                 {"at", race->at},
                                 {"lost", race->isLostUpdate},
                                 {"variable", race->variable},
                                 {"name", race->name}});
    }
    return "\n" + std::string(raceLineBegin) + json.dump() + "\n"; // device code may have printed half a line
}

std::optional<RaceWords> racesIn(std::string_view printed) {
    const std::size_t at = printed.rfind(raceLineBegin);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view rest = printed.substr(at + raceLineBegin.size());
    const auto json = parseHostileJson(rest.substr(0, rest.find('\n')), raceLineLimitBytes, ofRaces);
    return json ? wordsIn(*json) : std::nullopt;
}

} // namespace gks::frozen
