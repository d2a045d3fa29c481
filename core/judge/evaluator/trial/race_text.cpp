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
    return side.operation < plan.operations.size() ? std::get_if<KernelLaunch>(&plan.operations[side.operation].action)
                                                   : nullptr;
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

// An operation of the plan, and what of it; empty where there is no such thing.
std::string partyText(const RaceWords::Side& side, const LaunchPlan& plan) {
    if (const KernelLaunch* const launch = launchOf(side, plan)) {
        return side.block < elementsOf(launch->grid)
                   ? fmt::format("{} (operation {}, block {})", readableSymbol(launch->kernel), side.operation,
                                 blockText(side, launch->grid))
                   : std::string();
    }
    if (side.operation >= plan.operations.size() || side.block != 0) {
        return {};
    }
    const auto& action = plan.operations[side.operation].action;
    const char* const kind =
        std::holds_alternative<DeviceFill>(action)                                                 ? "a fill"
        : std::holds_alternative<DeviceCopy>(action) || std::holds_alternative<SymbolCopy>(action) ? "a copy"
        : std::holds_alternative<HostWrite>(action) || std::holds_alternative<SymbolWrite>(action) ? "a write"
                                                                                                   : "";
    return *kind != 0 ? fmt::format("{} (operation {})", kind, side.operation) : std::string();
}

std::string_view verb(const RaceWords::Side& side) {
    return side.writes ? "writes" : "reads";
}

// "; at kernel.hip:7:5, and kernel.hip:9:3 before", or nothing.
std::string placesText(const RaceWords::Race& race) {
    const auto text = [](const RaceWords::Side& side) {
        return hipcpu::placeText({side.place.file, side.place.line, side.place.column});
    };
    const std::string here = text(race.second);
    const std::string before = text(race.first);
    const std::string name = race.name.empty() ? std::string() : fmt::format(" ('{}')", race.name);
    return here.empty()     ? std::string()
           : before.empty() ? fmt::format("; at {}{}", here, name)
                            : fmt::format("; at {}{}, and {} before", here, name, before);
}

} // namespace

std::string raceText(const RaceWords::Race& race, const RaceContext& context) {
    const std::string first = partyText(race.first, context.plan);
    const std::string second = partyText(race.second, context.plan);
    const KernelLaunch* const launch = launchOf(race.second, context.plan);
    const bool inOneLaunch = race.first.operation == race.second.operation;
    if (first.empty() || second.empty() || (inOneLaunch && launch == nullptr)) {
        return "a race, of which the process with the device code says what fits no launch";
    }
    const std::string place = placeText(race, context);
    if (!inOneLaunch) {
        return fmt::format("a race: {} {} {}, which {} {}; neither waits for the other, {}{}", second,
                           verb(race.second), place, first, verb(race.first), onGpu, placesText(race));
    }
    const std::string name = readableSymbol(launch->kernel);
    const std::string here = blockText(race.second, launch->grid);
    const bool inOneBlock = race.first.block == race.second.block;
    const std::string where = inOneBlock ? fmt::format("block {} of {}", here, name) : name;
    const std::string one = inOneBlock ? fmt::format("wave {}", race.second.wave) : fmt::format("block {}", here);
    const std::string other = inOneBlock ? fmt::format("wave {}", race.first.wave)
                                         : fmt::format("block {}", blockText(race.first, launch->grid));
    if (race.isLostUpdate) {
        return fmt::format("a lost update in {} (operation {}): {} writes to {} what it has made of the value there, "
                           "and so does {}, in two steps and without waiting; on a GPU both may begin with the same "
                           "value, and one of the updates is lost{}",
                           where, race.second.operation, one, place, other, placesText(race));
    }
    return fmt::format("a race in {} (operation {}): {} {} {}, which {} {}, and no {}; {}{}", where,
                       race.second.operation, one, verb(race.second), place, other, verb(race.first),
                       inOneBlock ? "barrier is between them" : "atomic orders them",
                       !inOneBlock && race.first.writes && race.second.writes ? "on a GPU one of the two is lost"
                                                                              : onGpu,
                       placesText(race));
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
