// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <mutex>
#include <string>
#include <vector>

namespace gks::cli {

// What `run --events` and `attach --events` print (core/engine/event_json.h): from the engine's threads, which must not
// wait for whoever reads, to the one that prints. Beyond a limit the progress
// of stages is left out first, so that a reader that stands still costs no memory.
class EventQueue {
public:
    void push(const EngineEvent& event);
    std::vector<std::string> take();

private:
    std::mutex m_mutex;
    std::vector<std::string> m_lines;
};

} // namespace gks::cli
