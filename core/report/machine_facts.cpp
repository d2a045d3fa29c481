// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/machine_facts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace gks {
namespace {

using FactNames = std::span<const char* const>;

constexpr std::array factsOfCpu = {"machine", "cpu", "cpu_count", "timed_threads"};
constexpr std::array factsOfCards = {
    "architecture",        "compute_units",           "wave_size",     "clock_hz",      "lds_bytes_per_block",
    "device_memory_bytes", "memory_bytes_per_second", "nvidia_driver", "amdgpu_driver", "runtime"};
constexpr std::array circumstanceFacts = {"os", "kernel", "cpu", "cpu_count", "memory", "governor", "version"};
constexpr std::array answerFacts = {"timed_threads",       "cpu_count",     "memory",       "compute_units",
                                    "device_memory_bytes", "nvidia_driver", "amdgpu_driver"};

std::string factOf(const Verdict& verdict, const std::string& fact) {
    const auto found = verdict.environment.find(fact);
    return found == verdict.environment.end() ? "unknown" : found->second;
}

std::vector<FactDifference> differences(FactNames facts, const Verdict& recorded, const Verdict& again) {
    std::vector<FactDifference> different;
    for (const char* const fact : facts) {
        FactDifference one = {fact, factOf(recorded, fact), factOf(again, fact)};
        if (one.recorded != one.again) {
            different.push_back(std::move(one));
        }
    }
    return different;
}

FactNames decidingFor(const Verdict& verdict) {
    return verdict.target == name(TargetKind::cpu) ? FactNames(factsOfCpu) : FactNames(factsOfCards);
}

} // namespace

std::string FactDifference::text() const {
    return fmt::format("{} was {} and is {}", fact, recorded, again);
}

std::vector<std::string> machineFacts(const Verdict& verdict) {
    std::vector<std::string> facts;
    for (const char* const fact : decidingFor(verdict)) {
        if (verdict.environment.contains(fact)) {
            facts.push_back(fmt::format("{} {}", fact, factOf(verdict, fact)));
        }
    }
    return facts;
}

std::vector<FactDifference> differentMachine(const Verdict& recorded, const Verdict& again) {
    return differences(decidingFor(again), recorded, again);
}

std::vector<FactDifference> differentCircumstances(const Verdict& recorded, const Verdict& again) {
    std::vector<FactDifference> different = differences(circumstanceFacts, recorded, again);
    const FactNames deciding = decidingFor(again);
    std::erase_if(different, [&](const FactDifference& one) {
        return std::ranges::any_of(deciding, [&](const char* fact) { return one.fact == fact; });
    });
    return different;
}

std::vector<FactDifference> differentAnswers(const Verdict& recorded, const Verdict& again) {
    return differences(answerFacts, recorded, again);
}

} // namespace gks
