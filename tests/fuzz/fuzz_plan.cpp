// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_json.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

namespace {

using gks::fuzz::require;

template<class T>
bool refusedWithReason(const gks::Result<T>& result) {
    require(result.has_value() || !result.error().what.empty(), "a refusal has its reason");
    return !result.has_value();
}

gks::ModuleFacts knownFacts() {
    gks::ModuleFacts facts;
    facts.code = gks::DeviceCode::nvidia;
    facts.kernels = {{"k", {8, 4}, {{1, 2, 2}}, 256, 0, 1024, 0}, {"mapped", {128}, {}, 128, 0, 1024, 0}};
    facts.variables = {{"v", 64, false}};
    return facts;
}

} // namespace

// What a planner, which runs the candidate's host code, says that solve() does; and what is read beside it.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = gks::fuzz::text(data, size);
    if (const auto facts = gks::moduleFactsFromText(text, "fuzz"); !refusedWithReason(facts)) {
        const auto again = gks::moduleFactsFromText(gks::toJson(*facts).dump(), "again");
        require(again && *again == *facts, "facts that were read can be written and read again");
    }
    auto plan = gks::planFromText(text, "fuzz");
    if (refusedWithReason(plan)) {
        return 0;
    }
    const auto again = gks::planFromText(gks::toJson(*plan).dump(), "again");
    require(again && *again == *plan, "a plan that was read can be written and read again");
    static const gks::ModuleFacts facts = knownFacts();
    static const gks::SetAddresses set = {
        {{"a", 0x10000, 4096, false}, {"c", 0x20000, 4096, true}}, 0x30000, 512, {{"v", 0x40000}}};
    const bool isSound = !refusedWithReason(gks::checkPlan(*plan, facts, set));
    refusedWithReason(gks::checkSetup(*plan, facts, set));
    const auto split = gks::splitSetup(*plan, *plan);
    refusedWithReason(split);
    require(!isSound || (split && split->setup.operations.empty()), "and a sound one has no setup beside itself");
    gks::clearPadding(*plan, facts);
    return 0;
}
