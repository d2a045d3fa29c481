// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/line_channel.h"
#include "core/campaign/agent_kernel.h"
#include "core/campaign/commands.h"
#include "core/engine/engine.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <variant>

namespace gks {

// One who watches and steers a campaign that another process runs (viewer_port.h). What that one says is no more
// trusted than a file: what is no line of the protocol ends the link.
class RunLink {
public:
    // Both on the link's thread. `ended` once, last, of a link that was made: with why, or without when the campaign
    // was given back.
    struct Heard {
        EngineSink event;
        std::function<void(const std::optional<Error>&)> ended;
        // Lines of a mirror (remote_run.h); an error ends the link. Without it there may be none.
        std::function<std::optional<Error>(std::string_view line)> other = {};
    };
    using Answer = std::function<void(const Result<KernelId>&)>; // once, on the link's thread; of a command: 0

    // To the process of this user that has the campaign on this machine. An error, with who has it, when none does or
    // when it does not answer in time.
    static Result<std::unique_ptr<RunLink>> to(const std::filesystem::path& campaign, Heard heard,
                                               std::chrono::milliseconds patience, const std::stop_token& stop);
    // Over a conversation that somebody else has begun; waits for the greeting.
    static Result<std::unique_ptr<RunLink>> over(LineChannel channel, Heard heard, std::chrono::milliseconds patience,
                                                 const std::stop_token& stop);
    ~RunLink(); // nothing is heard any more; what has no answer yet is told that
    RunLink(const RunLink&) = delete;
    RunLink& operator=(const RunLink&) = delete;

    void send(SteeringCommand command, Answer answer);
    void propose(AgentKernel kernel, Answer answer);
    // The same, and the answer, so long at most. Not on the link's thread.
    Result<KernelId> ask(std::variant<SteeringCommand, AgentKernel> asked, std::chrono::milliseconds patience,
                         const std::stop_token& stop);

private:
    struct State;
    explicit RunLink(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace gks
