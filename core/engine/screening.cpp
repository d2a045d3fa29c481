// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/screening.h"

#include "core/campaign/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t processorsOfABench = 4; // a build starts about as many compilers
constexpr int failedScreeningLimit = 2;       // in a row, by the infrastructure

} // namespace

std::set<KernelId> Screening::due() const {
    std::set<KernelId> found;
    const Population& population = m_run.population();
    for (const Kernel& kernel : population.kernels) {
        if (kernel.state == KernelState::waiting && isScreened(kernel, population.settings) &&
            !m_run.notes.isScreeningOff && !m_passed.contains(kernel.id)) {
            found.insert(kernel.id);
        }
    }
    return found;
}

void Screening::passed(KernelId kernel) {
    m_passed.insert(kernel);
    m_run.notes.failedScreenings = 0;
}

void Screening::failedByInfrastructure(const Evaluation& evaluation, bool lanesAreAway) {
    m_passed.insert(evaluation.kernel);
    const Verdict& verdict = evaluation.verdict;
    RunNotes& notes = m_run.notes;
    if (++notes.failedScreenings < failedScreeningLimit && !lanesAreAway) {
        return;
    }
    if (!notes.isScreeningOff) {
        notes.isScreeningOff = true;
        m_run.warn(
            Error{ErrorKind::infrastructure,
                  fmt::format("drafts go to the lanes as they are, since this machine cannot build and plan them "
                              "before: {}",
                              verdict.reason),
                  evaluation.lane, verdict.next},
            std::string(screeningPurpose), evaluation.kernel);
    }
}

std::size_t Screening::benches(TargetKind target, std::size_t lanes) const {
    return target == TargetKind::cpu
               ? 1
               : std::clamp<std::size_t>(m_processors / processorsOfABench, 1, std::max<std::size_t>(lanes, 1));
}

bool Screening::mayRunBeside(TargetKind target, std::size_t lanes) const {
    return target != TargetKind::cpu || lanes == 0 || m_processors > 2 * lanes;
}

std::string benchLane(std::size_t bench) {
    return bench == 0 ? "bench" : fmt::format("bench {}", bench + 1);
}

} // namespace gks
