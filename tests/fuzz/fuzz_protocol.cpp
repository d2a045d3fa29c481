// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/settings_json.h"
#include "core/judge/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

namespace {

// What was read once is written so that it is read as the same.
template<class Read, class Write>
void roundTrip(const gks::Json& json, Read read, Write write) {
    const auto value = read(json);
    if (!value) {
        gks::fuzz::require(!value.error().what.empty(), "a refusal has its reason");
        return;
    }
    const std::string text = write(*value).dump();
    const auto again = read(gks::Json::parse(text));
    gks::fuzz::require(again.has_value(), "what is written can be read");
    gks::fuzz::require(write(*again).dump() == text, "and is the same");
}

} // namespace

// One line between engine and evaluator, which may be on another machine; and the settings in a stranger's campaign.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto json = gks::parseJson(gks::fuzz::text(data, size), "fuzz");
    if (!json) {
        return 0;
    }
    roundTrip(*json, gks::eventFromJson,
              [](const gks::IdentifiedEvent& event) { return gks::toJson(event.id, event.event); });
    roundTrip(*json, gks::requestFromJson, [](const gks::EvaluationRequest& request) { return gks::toJson(request); });
    roundTrip(*json, gks::verdictFromJson, [](const gks::Verdict& verdict) { return gks::toJson(verdict, true); });
    roundTrip(*json, gks::settingsFromJson,
              [](const gks::CampaignSettings& settings) { return gks::toJson(settings); });
    return 0;
}
