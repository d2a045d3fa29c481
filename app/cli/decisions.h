// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <mutex>

// What a person decides without a window: commands to an engine of the campaign, which refuses nonsense and writes down
// what was done.
namespace gks::cli {

class Decisions {
public:
    static Result<std::unique_ptr<Decisions>> open(const std::string& file);

    Engine& engine() { return *m_engine; }

    // What the history says of them. The error is the last that was refused; earlier ones are printed.
    struct Outcome {
        std::vector<Steering> written = {};
        Result<void> refused = {};
    };
    Result<Outcome> carryOut(const std::vector<SteeringCommand>& commands);

private:
    Decisions() = default;

    std::mutex m_mutex; // of what the engine says on its own thread
    std::vector<Error> m_objections;
    std::unique_ptr<Engine> m_engine; // last: it speaks until it is gone
};

} // namespace gks::cli
