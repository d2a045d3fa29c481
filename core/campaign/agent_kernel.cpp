// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/agent_kernel.h"

#include "core/base/text.h"
#include "core/campaign/commands.h"
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::string_view agentPrefix = "agent:"; // no writer of the settings has a colon in its name

} // namespace

std::string agentWriter(std::string_view agent) {
    return std::string(agentPrefix) + std::string(agent);
}

bool isOfAgent(const Kernel& kernel) {
    return kernel.author == Author::model && kernel.writer.starts_with(agentPrefix);
}

std::string_view agentOf(const Kernel& kernel) {
    return isOfAgent(kernel) ? std::string_view(kernel.writer).substr(agentPrefix.size()) : std::string_view();
}

std::string authorName(const Kernel& kernel) {
    return isOfAgent(kernel) ? kernel.writer : std::string(name(kernel.author));
}

std::int64_t agentKernelsInLine(const Population& population) {
    return std::ranges::count_if(population.kernels,
                                 [](const Kernel& kernel) { return isOfAgent(kernel) && mayStillBeJudged(kernel); });
}

Result<void> checkAgentKernel(const AgentKernel& kernel, const Population& population) {
    if (kernel.agent.empty() || kernel.agent.size() > agentNameBytes ||
        kernel.agent.find_first_not_of(agentNameCharacters) != std::string::npos) {
        return usageError("this is no name of an agent", "agent",
                          fmt::format("Use at most {} small letters, digits, '.', '_' and '-'", agentNameBytes));
    }
    if (trimmed(kernel.title).empty()) {
        return usageError("the title is empty", "title", "Say in a few words what was changed");
    }
    GKS_TRY(checkCommand(command::AddKernel{kernel.basis, kernel.title, kernel.source}, population));
    if (!mayBecomeParent(*population.kernel(kernel.basis))) {
        return usageError(
            fmt::format("kernel {} cannot be built on: it is banned, or has failed", kernelLabel(kernel.basis)),
            "basis", "Choose another one");
    }
    if (agentKernelsInLine(population) >= limits::agentKernels) {
        return usageError(fmt::format("{} kernels of agents are in line already", limits::agentKernels), "propose",
                          "Wait for their verdicts");
    }
    return {};
}

Steering historyLine(const AgentKernel& kernel, KernelId made) {
    return {0, Author::model, "add kernel",
            fmt::format("{} from {}, by {}", kernelLabel(made), kernelLabel(kernel.basis), agentWriter(kernel.agent))};
}

} // namespace gks
