// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/access_findings.h"

#include "core/judge/plan/plan_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gks {
namespace {

using frozen::FindingWords;
using hipcpu::FindingKind;

int bounded(std::uint64_t number) {
    return static_cast<int>(std::min<std::uint64_t>(number, std::numeric_limits<int>::max()));
}

std::vector<int> triple(const std::array<std::uint32_t, 3>& index) {
    return {bounded(index[0]), bounded(index[1]), bounded(index[2])};
}

const KernelLaunch* launchWith(const std::string& symbol, const LaunchPlan& plan) {
    for (const auto& operation : plan.operations) {
        const auto* const launch = std::get_if<KernelLaunch>(&operation.action);
        if (launch != nullptr && launch->kernel == symbol) {
            return launch;
        }
    }
    return nullptr;
}

std::string memoryText(const FindingWords& words, const RaceContext& context) {
    using Memory = hipcpu::Finding::Memory;
    switch (words.memory) {
    case Memory::buffer:
        return words.region < context.regions.size() ? fmt::format("{} ({} bytes)", context.regions[words.region].name,
                                                                   context.regions[words.region].dataBytes)
                                                     : "a tensor";
    case Memory::lds:
        return words.memoryBytes > 0 ? fmt::format("LDS ({} bytes)", words.memoryBytes) : "LDS";
    case Memory::ldsVariable:
        return fmt::format("the LDS variable {} ({} bytes)", words.name, words.memoryBytes);
    case Memory::variable:
        return fmt::format("the variable {} ({} bytes)", words.name, words.memoryBytes);
    case Memory::privateArray:
        return fmt::format("the private array {} ({} bytes)", words.name, words.memoryBytes);
    case Memory::none:
        break;
    }
    return {};
}

hipcpu::SourcePlace placeOf(const FindingWords::Place& place) {
    return {place.file, place.line, place.column};
}

hipcpu::Finding findingOf(const FindingWords& words, const KernelLaunch& launch, const RaceContext& context) {
    hipcpu::Finding finding;
    finding.kind = words.kind;
    finding.access = words.access;
    finding.bytes = words.bytes;
    finding.name = words.name;
    finding.memory = memoryText(words, context);
    finding.offset =
        words.before > 0 ? -static_cast<std::int64_t>(words.before) : static_cast<std::int64_t>(words.into);
    finding.memoryBytes = words.memoryBytes;
    finding.alignment = words.alignment;
    finding.seconds = words.seconds;
    finding.kernel = readableSymbol(launch.kernel);
    finding.block = words.block;
    finding.thread = words.thread;
    finding.hasThread = true;
    finding.place = placeOf(words.place);
    finding.otherPlace = placeOf(words.other);
    return finding;
}

} // namespace

std::vector<AccessFinding> accessFindingsOf(std::span<const FindingWords> findings, const RaceContext& context) {
    std::vector<AccessFinding> diagnostics;
    for (const FindingWords& words : findings) {
        const KernelLaunch* const launch = launchWith(words.symbol, context.plan);
        const bool isRace = words.kind == FindingKind::race || words.kind == FindingKind::lostUpdate;
        if (launch == nullptr || isRace) { // races have words of their own
            continue;
        }
        const hipcpu::Finding finding = findingOf(words, *launch, context);
        diagnostics.push_back({std::string(hipcpu::name(finding.kind)), hipcpu::findingText(finding), finding.kernel,
                               triple(finding.block), triple(finding.thread), words.place.file,
                               bounded(words.place.line), bounded(words.place.column)});
    }
    return diagnostics;
}

AccessFinding accessFindingOf(const frozen::RaceWords::Race& race, const RaceContext& context) {
    AccessFinding diagnostic;
    diagnostic.kind = std::string(hipcpu::name(race.isLostUpdate ? FindingKind::lostUpdate : FindingKind::race));
    diagnostic.message = raceText(race, context);
    diagnostic.file = race.second.place.file;
    diagnostic.line = bounded(race.second.place.line);
    diagnostic.column = bounded(race.second.place.column);
    if (race.second.operation < context.plan.operations.size()) {
        const auto* const launch = std::get_if<KernelLaunch>(&context.plan.operations[race.second.operation].action);
        if (launch != nullptr && race.second.block < elementsOf(launch->grid)) {
            diagnostic.kernel = readableSymbol(launch->kernel);
            const std::uint64_t row = race.second.block / launch->grid[0];
            diagnostic.block = {bounded(race.second.block % launch->grid[0]), bounded(row % launch->grid[1]),
                                bounded(row / launch->grid[1])};
        }
    }
    return diagnostic;
}

bool decides(const AccessFinding& diagnostic) {
    return std::ranges::any_of(std::initializer_list<FindingKind>{FindingKind::outside, FindingKind::freed,
                                                                  FindingKind::unwritten, FindingKind::race,
                                                                  FindingKind::lostUpdate},
                               [&](FindingKind kind) { return hipcpu::name(kind) == diagnostic.kind; });
}

} // namespace gks
