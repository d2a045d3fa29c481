// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/agent_kernel.h"
#include "core/campaign/commands.h"
#include "core/engine/engine.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace gks {

// Where other programs of this user watch and steer the campaign that this process runs: a socket beside the run's
// record (run_lines.h has what is said). Any number of viewers, one thread for all of them, and the engine waits for
// none: one that does not read gets no more progress, then no more at all.
class ViewerPort {
public:
    using Answer = std::function<void(const Result<KernelId>&)>;
    struct Calls { // from the port's thread; answers come on any
        std::function<void(SteeringCommand, Answer)> command;
        std::function<void(AgentKernel, Answer)> propose;
    };
    ViewerPort();
    ~ViewerPort(); // closes
    ViewerPort(const ViewerPort&) = delete;
    ViewerPort& operator=(const ViewerPort&) = delete;

    // Events from before it listens are not lost: who connects hears first how things stand.
    void tell(const EngineEvent& event);
    bool hasViewers() const;
    Result<void> listen(const std::filesystem::path& socket, Calls calls);
    void close(); // what viewers are still to hear goes out first, for a moment

private:
    struct State;
    std::shared_ptr<State> m_state; // answers may come when the port is gone
};

} // namespace gks
