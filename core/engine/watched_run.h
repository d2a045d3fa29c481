// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/run_link.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace gks {

// A run of another process for as long as somebody looks: linked while it is there, and looked for again when it is
// not.
class WatchedRun {
public:
    struct Line {
        std::shared_ptr<void> holder = {}; // what has to be there while the link is
        std::unique_ptr<RunLink> link = {};
    };
    using Connect = std::function<Result<Line>(RunLink::Heard, const std::stop_token&)>; // blocks
    struct Rests {
        std::chrono::milliseconds first; // doubled after each try that came to nothing
        std::chrono::milliseconds longest;
    };
    // Why it is not linked, if it is not; each change once. On threads of the watch.
    using Changed = std::function<void(const std::optional<Error>&)>;

    WatchedRun(Connect connect, Rests rests, EngineSink sink, Changed changed);
    ~WatchedRun();
    WatchedRun(const WatchedRun&) = delete;
    WatchedRun& operator=(const WatchedRun&) = delete;

    bool isLinked() const;
    // Refused at once while it is not linked.
    void send(SteeringCommand command, RunLink::Answer answer);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

// Of a process of this user on this machine.
WatchedRun::Connect localRun(const std::filesystem::path& campaign);
inline constexpr WatchedRun::Rests localRests = {std::chrono::seconds(1), std::chrono::seconds(1)};

} // namespace gks
