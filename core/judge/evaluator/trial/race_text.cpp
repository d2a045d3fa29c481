// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/race_text.h"

#include "core/judge/plan/plan_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

using frozen::RaceWords;

constexpr const char* onGpu = "on a GPU either may come first, and of two updates one is lost";

const KernelLaunch* launchOf(const RaceWords::Side& side, const LaunchPlan& plan) {
    const auto* const launch = side.operation < plan.operations.size()
                                   ? std::get_if<KernelLaunch>(&plan.operations[side.operation].action)
                                   : nullptr;
    return launch != nullptr && side.block < elementsOf(launch->grid) ? launch : nullptr;
}

// "7", "(3, 1)", "(0, 2, 1)"
std::string blockText(const RaceWords::Side& side, const Extent& grid) {
    const std::uint64_t row = side.block / grid[0];
    if (grid[2] > 1) {
        return fmt::format("({}, {}, {})", side.block % grid[0], row % grid[1], row / grid[1]);
    }
    return grid[1] > 1 ? fmt::format("({}, {})", side.block % grid[0], row) : std::to_string(side.block);
}

std::string placeText(const RaceWords::Race& race, const RaceContext& context) {
    if (race.isLds) {
        return fmt::format("byte {} of LDS", race.at);
    }
    if (!race.variable.empty()) {
        const auto& all = context.facts.variables;
        const bool isKnown =
            std::any_of(all.begin(), all.end(), [&](const auto& variable) { return variable.symbol == race.variable; });
        return isKnown ? fmt::format("byte {} of the variable {}", race.at, readableSymbol(race.variable))
                       : "a variable";
    }
    for (std::size_t i = 0; i < context.regions.size(); ++i) {
        const frozen::Region& region = context.regions[i];
        if (race.at < region.dataAddress || race.at - region.dataAddress >= region.dataBytes) {
            continue;
        }
        const std::uint64_t offset = race.at - region.dataAddress;
        return i < context.pack.tensors.size()
                   ? fmt::format("{}[{}]", region.name, offset / sizeBytes(context.pack.tensors[i].type))
                   : fmt::format("byte {} of {}", offset, region.name);
    }
    return "a variable of the kernel's own";
}

std::string_view verb(const RaceWords::Side& side) {
    return side.writes ? "writes" : "reads";
}

} // namespace

std::string raceText(const RaceWords::Race& race, const RaceContext& context) {
    const KernelLaunch* const first = launchOf(race.first, context.plan);
    const KernelLaunch* const second = launchOf(race.second, context.plan);
    if (first == nullptr || second == nullptr) {
        return "a race, of which the process with the device code says what fits no launch";
    }
    const std::string place = placeText(race, context);
    const std::string name = readableSymbol(second->kernel);
    const std::string here = blockText(race.second, second->grid);
    if (race.first.operation != race.second.operation) {
        return fmt::format("a race: {} (operation {}, block {}) {} {}, which {} (operation {}, block {}) {}; neither "
                           "waits for the other, {}",
                           name, race.second.operation, here, verb(race.second), place, readableSymbol(first->kernel),
                           race.first.operation, blockText(race.first, first->grid), verb(race.first), onGpu);
    }
    if (race.first.block == race.second.block) {
        return fmt::format("a race in block {} of {} (operation {}): wave {} {} {}, which wave {} {}, and no barrier "
                           "is between them; {}",
                           here, name, race.second.operation, race.second.wave, verb(race.second), place,
                           race.first.wave, verb(race.first), onGpu);
    }
    return fmt::format("a race in {} (operation {}): block {} {} {}, which block {} {}, and no atomic orders them; {}",
                       name, race.second.operation, here, verb(race.second), place, blockText(race.first, first->grid),
                       verb(race.first),
                       race.first.writes && race.second.writes ? "on a GPU one of the two is lost" : onGpu);
}

std::string raceCheckText(const std::optional<RaceWords>& words) {
    if (!words) {
        return "no access to memory that others write was told";
    }
    return fmt::format("{} accesses to outputs, workspace, variables and LDS looked at, {}; {}", words->accesses,
                       words->isComplete ? "which are all" : "then no more",
                       words->race ? "one of them races" : "none of them races");
}

} // namespace gks
