// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <mutex>

// What a person decides without a window: commands to an engine of the campaign, which refuses nonsense and writes down
// what was done.
namespace gks::cli {

class Decisions {
public:
    // now: kernels and comparisons that are asked for are measured at once, before carryOut() returns.
    static Result<std::unique_ptr<Decisions>> open(const std::string& file, bool now = false);

    Engine& engine() { return *m_engine; }

    // What the history says of them. The error is the last that was refused; earlier ones are printed.
    struct Outcome {
        std::vector<Steering> written = {};
        Result<void> refused = {};
    };
    Result<Outcome> carryOut(const std::vector<SteeringCommand>& commands);

private:
    explicit Decisions(bool now) : m_now(now) {}
    void hear(const EngineEvent& event);

    const bool m_now;
    std::mutex m_mutex; // of what the engine says on its own thread
    std::vector<Error> m_objections;
    std::string m_progress;           // what was said last of the work of the lanes; by the engine's thread alone
    std::unique_ptr<Engine> m_engine; // last: it speaks until it is gone
};

} // namespace gks::cli
