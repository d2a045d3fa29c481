// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/engine/run_link.h"

#include <mutex>

// What a person decides without a window: commands to an engine of the campaign, which refuses nonsense and writes down
// what was done. It is one of ours, or that of another program of this user that has the campaign open.
namespace gks::cli {

class Decisions {
public:
    // now: kernels and comparisons that are asked for are measured at once, before carryOut() returns; only by an
    // engine of ours.
    static Result<std::unique_ptr<Decisions>> open(const std::string& file, bool now = false);

    Engine& engine() { return *m_engine; } // that reads beside the other one, where there is one

    bool isElsewhere() const { return m_link != nullptr; } // another program has the campaign, and decides

    // What the history says of them. The error is the last that was refused; earlier ones are printed.
    struct Outcome {
        std::vector<Steering> written = {};
        Result<void> refused = {};
    };
    Result<Outcome> carryOut(const std::vector<SteeringCommand>& commands);

private:
    explicit Decisions(bool now) : m_now(now) {}
    void hear(const EngineEvent& event);
    Result<Outcome> carryOutThere(const std::vector<SteeringCommand>& commands);

    const bool m_now;
    std::mutex m_mutex; // of what the engine says on its own thread
    std::vector<Error> m_objections;
    std::string m_progress;           // what was said last of the work of the lanes; by the engine's thread alone
    std::unique_ptr<Engine> m_engine; // it speaks until it is gone
    std::unique_ptr<RunLink> m_link;  // to the engine of another program; null: m_engine writes
};

} // namespace gks::cli
