// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/attempts.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <charconv>
#include <cstdint>
#include <fmt/format.h>

namespace gks {
namespace {

// How often the system has killed a process because memory ran out, of all processes of the machine.
std::uint64_t outOfMemoryKills() {
    constexpr std::string_view key = "oom_kill ";
    const std::string facts = readFile("/proc/vmstat").value_or("");
    std::uint64_t count = 0;
    for (const std::string_view line : lines(facts)) {
        if (line.starts_with(key)) {
            std::from_chars(line.data() + key.size(), line.data() + line.size(), count);
        }
    }
    return count;
}

} // namespace

void tellNextAttempt(const EvaluationSink& sink, const std::string& reason, int next) {
    if (sink) {
        sink(LogEvent{"judge", fmt::format("{}: tried again, attempt {} of {}\n", reason, next, attemptLimit)});
    }
}

std::string everyTime(const std::string& reason) {
    return fmt::format("{}, in each of {} attempts", reason, attemptLimit);
}

Verdict inAttempts(const std::function<Attempt()>& evaluate, const EvaluationSink& sink, const std::stop_token& stop) {
    bool memoryRanOut = true; // each time
    for (int number = 1;; ++number) {
        const std::uint64_t before = outOfMemoryKills();
        Attempt attempt = evaluate();
        if (!attempt.interrupted || stop.stop_requested()) {
            return std::move(attempt.verdict);
        }
        memoryRanOut = memoryRanOut && outOfMemoryKills() > before;
        if (number < attemptLimit) {
            tellNextAttempt(sink, attempt.interrupted->reason, number + 1);
            continue;
        }
        Verdict verdict = std::move(attempt.verdict);
        verdict.reason = everyTime(attempt.interrupted->reason);
        if (attempt.interrupted->isStarved) {
            return verdict;
        }
        verdict.next = killedNext;
        if (memoryRanOut || !attempt.isSandboxed) {
            verdict.kind = attempt.interrupted->ifAtFault;
            verdict.reason += memoryRanOut ? "; the system's memory ran out each time"
                                           : "; without a sandbox a kernel can do that to itself";
        }
        return verdict;
    }
}

} // namespace gks
