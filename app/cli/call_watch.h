// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <map>
#include <optional>
#include <string>

namespace gks::cli {

// Says what each call of a model waits for, at first soon and then once in a minute: a model that thinks looks like one
// that is dead.
class CallWatch {
public:
    void hear(const ActivityChanged& activity);
    // "writer: no text yet, 2 min 05 s (experiment 12)" of one call, when it is time to say so.
    std::optional<std::string> line(Timestamp now);

private:
    struct Call {
        ActivityChanged activity;
        double nextSeconds = 0;
    };
    std::map<std::string, Call> m_calls; // by lane, that wait for something
};

} // namespace gks::cli
