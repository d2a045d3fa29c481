// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/spoken_lines.h"

#include "core/campaign/model_stages.h"

namespace gks {
namespace {

constexpr std::size_t heldLimitBytes = 16 * 1024; // of one line: then it is shown as it is

} // namespace

bool SpokenLines::isModel(const std::string& source) {
    return modelStageFromName(source).has_value();
}

TextArrived SpokenLines::shown(const Speaker& speaker, std::string text) {
    m_newest = speaker;
    m_inLine = isModel(speaker.first) && !text.ends_with('\n');
    return {speaker.first, std::move(text), {}, speaker.second};
}

std::optional<TextArrived> SpokenLines::add(const TextArrived& text) {
    const Speaker speaker = speakerOf(text);
    if (!isModel(text.source)) { // whole lines, though not all say where the last one ends
        return shown(speaker, text.text.ends_with('\n') ? text.text : text.text + '\n');
    }
    std::string& held = m_held[speaker];
    held += text.text;
    std::size_t end = held.size();
    if (m_inLine && speaker != m_newest && end < heldLimitBytes) {
        const std::size_t newline = held.rfind('\n');
        end = newline == std::string::npos ? 0 : newline + 1;
    }
    std::string ready = held.substr(0, end);
    held.erase(0, end);
    if (held.empty()) {
        m_held.erase(speaker);
    }
    return ready.empty() ? std::nullopt : std::optional(shown(speaker, std::move(ready)));
}

std::vector<TextArrived> SpokenLines::leave(const std::set<std::optional<ExperimentId>>& stillWriting) {
    std::vector<TextArrived> left;
    for (auto held = m_held.begin(); held != m_held.end();) {
        if (stillWriting.contains(held->first.second)) {
            ++held;
        } else {
            left.push_back(shown(held->first, held->second));
            held = m_held.erase(held);
        }
    }
    return left;
}

} // namespace gks
