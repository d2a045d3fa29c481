// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <optional>
#include <string>

namespace gks::cli {

// Says what a call of a model waits for, at first soon and then once in a minute: a model that thinks looks like one
// that is dead.
class CallWatch {
public:
    void hear(const ActivityChanged& activity);
    // "writer: no text yet, 2 min 05 s", when it is time to say so.
    std::optional<std::string> line(Timestamp now);

private:
    std::string m_detail; // empty: nothing is waited for
    Timestamp m_since = 0;
    double m_nextSeconds = 0;
};

} // namespace gks::cli
