// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/agent_kernel.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <thread>

// How a kernel of an agent's reaches a campaign that another program of this user has open: a window that the person
// looks at, a run in a terminal. Who writes the campaign looks into a folder of the user's state that is named after
// the file, takes what lies there and leaves an answer beside it. Nothing there can do more than Engine::propose().
namespace gks {

class AgentInbox {
public:
    using Answer = std::function<void(const Result<KernelId>&)>;
    using Take = std::function<void(AgentKernel, Answer)>;

    AgentInbox(const std::filesystem::path& campaign, Take take);
    AgentInbox(const AgentInbox&) = delete;
    AgentInbox& operator=(const AgentInbox&) = delete;
    ~AgentInbox(); // answers that are still to come are written all the same

private:
    std::jthread m_thread;
};

// Leaves a kernel for whoever has the campaign open and waits for the answer. An error too when nobody takes it in
// time; then it is taken back.
Result<KernelId> leaveKernel(const std::filesystem::path& campaign, const AgentKernel& kernel,
                             std::chrono::milliseconds patience, const std::stop_token& stop);

} // namespace gks
