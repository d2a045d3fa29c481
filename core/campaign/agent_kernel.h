// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <string>
#include <string_view>

// Kernels of agents: programs with a model of their own, which propose to a campaign from outside. One of them is a
// model's draft of no experiment, with the agent as its writer; it has the rights of a draft and no more.
namespace gks {

struct AgentKernel {
    std::string agent = {}; // what it calls itself, in agentNameCharacters
    KernelId basis = 0;     // what it is made from and compared with
    std::string title = {};
    std::string source = {};
    bool operator==(const AgentKernel&) const = default;
};

inline constexpr std::string_view agentNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789._-";
inline constexpr std::size_t agentNameBytes = 32;
std::string agentWriter(std::string_view agent); // Kernel::writer: "agent:claude-code"
bool isOfAgent(const Kernel& kernel);
std::string_view agentOf(const Kernel& kernel); // "claude-code"; empty: it is of none
std::string authorName(const Kernel& kernel);   // "agent:claude-code", or name() of its author
// By agents, that no judge has seen yet: more than limits::agentKernels are not taken.
std::int64_t agentKernelsInLine(const Population& population);

// Whether the campaign takes it, its budgets aside: what holds for a person's own kernel, and a basis that may become a
// parent.
Result<void> checkAgentKernel(const AgentKernel& kernel, const Population& population);

// The line that it leaves in the history.
Steering historyLine(const AgentKernel& kernel, KernelId made);

} // namespace gks
