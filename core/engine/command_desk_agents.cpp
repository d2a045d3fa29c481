// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "core/engine/command_desk.h"
#include "core/engine/run_end.h"
#include "core/engine/scheduler.h"

#include <fmt/format.h>

// What agents propose. A person who asks by hand has seen what is spent; an agent has not been asked to.
namespace gks {
namespace {

Result<void> hasBudgetFor(const Population& population, const RunTimes& times, std::size_t evaluating) {
    constexpr const char* next = "Ask the person for more, or end here";
    if (const auto spent = spentBudget(population, times)) {
        return usageError(*spent, "budget", next);
    }
    const std::int64_t left = evaluationsLeft(population, evaluating) - agentKernelsInLine(population);
    return left > 0 ? Result<void>()
                    : usageError("the kernels in line use up the budget of evaluations", "budget", next);
}

} // namespace

Result<KernelId> CommandDesk::propose(const AgentKernel& proposed) {
    const Population& population = m.run.population();
    GKS_TRY(checkAgentKernel(proposed, population));
    GKS_TRY(hasBudgetFor(population, {.wallSeconds = m.campaign.wallSeconds()}, m.lanes.busy()));
    if (!m.trust.isPackTrusted(false)) {
        return usageError("nobody has answered for the problem pack of this campaign yet", "trust",
                          "The person says so in the window, or with run --trust pack");
    }
    Kernel kernel;
    kernel.parents = {proposed.basis};
    kernel.title = proposed.title;
    kernel.author = Author::model;
    kernel.writer = agentWriter(proposed.agent);
    kernel.source = proposed.source;
    kernel.state = stateOfDraft(kernel.author, population.settings.policies);
    const KernelState state = kernel.state;
    const auto id = m.run.store().addKernel(std::move(kernel));
    if (!m.run.stored(id)) {
        return tl::unexpected(id.error());
    }
    m.run.stored(m.run.store().addSteering(gks::historyLine(proposed, *id)));
    m.run.notes.exhausted = false;
    if (state == KernelState::waiting) {
        m.run.notes.askedByAgents.insert(*id);
        m.run.ask(*id);
    }
    return *id;
}

} // namespace gks
