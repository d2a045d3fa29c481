// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gks {

// Texts of several speakers in one place. Models that write at the same time send pieces of lines: who is in the middle
// of a line goes on at once, others wait until they have whole ones.
class SpokenLines {
public:
    using Speaker = std::pair<std::string, std::optional<ExperimentId>>; // source, and what it writes for

    static Speaker speakerOf(const TextArrived& text) { return {text.source, text.experiment}; }
    static bool isModel(const std::string& source); // which speaks in pieces of lines; everybody else in whole ones

    // What may be shown now, in order; not more than one speaker's.
    std::optional<TextArrived> add(const TextArrived& text);
    // What is left of those that have no call any more.
    std::vector<TextArrived> leave(const std::set<std::optional<ExperimentId>>& stillWriting);

private:
    TextArrived shown(const Speaker& speaker, std::string text);

    Speaker m_newest;
    bool m_inLine = false; // the newest speaker has not ended its line
    std::map<Speaker, std::string> m_held;
};

} // namespace gks
