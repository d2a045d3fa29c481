// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/engine/engine.h"

#include <mutex>
#include <string>
#include <vector>

namespace gks::cli {

// One event of an engine as `run --events` prints it: {"event": "activity", "lane": ...}; null where the population is
// all that has changed, which is told kernel by kernel.
OrderedJson eventJson(const EngineEvent& event);
std::string eventLine(const OrderedJson& json); // ASCII, without a line break

// From the engine's threads, which must not wait for whoever reads, to the one that prints. Beyond a limit the progress
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
