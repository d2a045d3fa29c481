// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace gks::cli {

// The one campaign that agents see. It is read beside whoever writes it. A kernel that is proposed goes to the program
// that has the campaign open; where none has, it is opened here until the kernel is judged, and left free again for the
// person.
class McpCampaign {
public:
    explicit McpCampaign(std::string file);
    ~McpCampaign(); // cancels an evaluation in flight; its kernel waits in the file

    const std::string& file() const { return m_file; }
    Result<std::unique_ptr<CampaignStore>> read() const;
    Result<KernelId> propose(const AgentKernel& kernel, const std::stop_token& stop);
    // Until the kernel has a verdict or was declined, so long at most. The kernel as it is then; an error when there is
    // none with this id.
    Result<Kernel> waitFor(KernelId id, double seconds, const std::stop_token& stop) const;

private:
    Result<KernelId> proposeHere(const AgentKernel& kernel);
    void leaveWhenQuiet(const std::stop_token& stop);

    const std::string m_file;
    std::mutex m_mutex; // of the engine: who proposes, and who lets the file go
    std::condition_variable_any m_opened;
    std::unique_ptr<Engine> m_engine;
    std::jthread m_janitor; // last
};

} // namespace gks::cli
